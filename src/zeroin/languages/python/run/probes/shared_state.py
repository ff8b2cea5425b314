"""The Python side of the probes: their shared state, and the functions that instrumented code calls."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from .....distance import EQ, NE
from .....native.machine import MachineCode
from .....subject.base import STEPS, WordArray, Words
from .....subject.input_to_state import Compared, TextReplacement
from .....subject.search_problem import SearchProblem
from .....words import Kind, decode
from . import cells as probes
from . import interpreted, native_functions, operands, replacements
from .fault_checks import KINDS, bits_of, is_whole, read_check, result_is_wrong
from .rewrite import hide, read_operation
from .sites import read_comparison


class Hung(BaseException):
    """A run used up its fuel. As a BaseException it passes ``except Exception`` in the code under test."""


class _MethodDef(ctypes.Structure):
    """``PyMethodDef`` of CPython: the definition of a native function."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_FASTCALL, _NOARGS, _ONE = 0x80, 0x04, 0x08
_KINDS = {
    "compare": (native_functions._compare, _FASTCALL),
    "result": (native_functions._compare, _FASTCALL),
    "relates": (native_functions._relates, _FASTCALL),
    "held": (native_functions._held, _NOARGS),
    "truth": (native_functions._truth, _ONE),
    "value": (native_functions._value, _ONE),
    "fuel": (native_functions._fuel, _NOARGS),
    "enters": (native_functions._enters, _NOARGS),
    "leaves": (native_functions._leaves, _NOARGS),
    "iterates": (native_functions._iterates, _ONE),
    "matches": (native_functions._matches, _NOARGS),
    "fails": (native_functions._fails, _FASTCALL),
    "asks": (native_functions._asks, _FASTCALL),
    "writes": (native_functions._writes, _FASTCALL),
    "check": (native_functions._check, _ONE),
    "operate": (native_functions._operate, _FASTCALL),
    "index": (native_functions._index, _FASTCALL),
}
_KINDS |= {f"{kind}+": _KINDS[kind] for kind in ("compare", "result", "relates")}  # these hold the right operand
_OPERATORS = ("+", "-", "*", "/", "**")  # the order of ``capi.operate``
_CODES = {"is": 0, "is not": 1, "in": 2, "not in": 3, "isnan": 1, "isinf": 2, "isfinite": 3}


@cache
def _definition(kind: str) -> _MethodDef:
    """Return the definition of the probes of a kind. It is made once, and lives as long as the process."""
    function, flags = _KINDS[kind]
    return _MethodDef(kind.encode(), function.address, flags, None)


_new_function = ctypes.pythonapi.PyCFunction_NewEx
_new_function.restype = ctypes.py_object
_new_function.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)


class Probes:
    """The probes of one subject, and the state that they share.

    Attributes:
        state: the state's cells, see ``cells.py``.
        tables: for each site how variables are recorded there, see ``read/blocks/recorded_variables.py``.
        watched: a list that collects comparisons of texts, for input-to-state; None if they are not collected.
        told: for sites of faults, the operation with its operands and result, where operations tell them.
        address: the address of ``double objective(const int64_t *words)``, which makes one run in the interpreter.
    """

    def __init__(self) -> None:
        self.state = np.zeros(probes.STATE_CELLS, dtype=np.int64)
        self.tables: Mapping[int, WordArray] = {}
        self.watched: list[Compared] | None = None
        self.told: dict[int, str] = {}
        self._scratch = np.zeros(1, dtype=np.int64)
        self._keep: list[object] = [_big]
        self._made: dict[tuple[str, int, str], Callable[..., object]] = {}
        self._blocks: dict[tuple[str, int, str], bytes] = {}
        state = self.state
        for cell, known in ((probes.FLOAT, float), (probes.INT, int), (probes.BOOL, bool), (probes.NONE, None),
                            (probes.TRUE, True), (probes.HUNG, Hung), (probes.BIG, _big), (probes.RANGE, range),
                            (probes.RECURSION, RecursionError), (probes.LIST, list),
                            (probes.TUPLE, tuple)):  # fmt: skip
            state[cell] = id(known)
        state[probes.SCRATCH] = self._scratch.ctypes.data
        self._code = MachineCode.of_text(_TRAMPOLINE.format(interpreted.objective.address, state.ctypes.data))
        self.address = self._code.function("zeroin_objective")

    def drive(self, run: Callable[..., object], kinds: Sequence[Kind] | None,
              other: Callable[[int], object] | None = None, places: Sequence[int] = ()) -> None:  # fmt: skip
        """Set the function that makes one run. It must not raise.

        Args:
            run: the function. It takes one value for each of ``kinds``, or the address of the words if there are none.
            kinds: the kinds of the values: F64, INT or BOOL; None if ``run`` takes the address of the words. Empty if
                ``run`` takes nothing.
            other: the function for the runs that call setters. It takes the address of the words. None: there are none.
            places: the indices of the words that choose setters; ``other`` makes the run if one of them is not 0.
        """
        count = 1 if kinds is None else len(kinds)
        self._arguments = np.zeros(max(1, count), dtype=np.int64)
        self._kinds = np.array([*(kinds or ()), 0], dtype=np.int64)
        self._run = run
        self.state[probes.RUN] = id(run)
        self.state[probes.ARGUMENTS] = self._arguments.ctypes.data
        self.state[probes.KINDS] = self._kinds.ctypes.data
        self.state[probes.COUNT] = -1 if kinds is None else count
        self._other, self._places = other, np.array([*places, 0], dtype=np.int64)
        self.state[probes.OTHER_RUN] = id(other)
        self.state[probes.OTHERS : probes.OTHERS + 2] = len(places), self._places.ctypes.data

    def ask(self, question: SearchProblem, fuel: int) -> None:
        """Set the search problem that the probes of the next runs serve, and the fuel of each run."""
        self._question = question  # keeps it alive, as the cells hold addresses of its memory
        state = self.state
        state[probes.PEN_FLOAT], state[probes.PEN_INT] = question.pens
        state[probes.DATA] = question.data.ctypes.data
        state[probes.ASKED] = question.asked.ctypes.data
        state[probes.FUEL_LIMIT] = state[probes.FUEL] = fuel
        state[probes.R0] = struct.unpack("<q", struct.pack("<d", question.r0))[0]

    def avoid(self, lethal: Sequence[Words], arity: int) -> None:
        """Make no runs with these inputs, each of ``arity`` words, as they end the process.

        They replace those of an earlier call.
        """
        self._lethal = np.array([word for words in lethal for word in words] or [0], dtype=np.int64)
        self.state[probes.LETHAL : probes.LETHAL + 3] = len(lethal), arity, self._lethal.ctypes.data

    def refuel(self) -> None:
        """Give the next run the fuel that :meth:`ask` has set."""
        self.state[probes.FUEL] = self.state[probes.FUEL_LIMIT]

    # ---- the probes in the code ----

    def probe(self, kind: str, site: int, detail: str) -> Callable[..., object]:
        """Return the function that replaces a placeholder in the code: always the same one for the same arguments.

        Args:
            kind, site, detail: what :func:`.rewrite.read_placeholder` returned.
        """
        if kind == "hides":
            return hide
        key = (kind, site, detail)
        if key not in self._made:
            block = self._block(
                "iterates" if kind == "leaves" else kind, site, detail
            )  # ``leaves`` reads the cells that ``iterates`` writes
            self._made[key] = _new_function(ctypes.addressof(_definition(kind)), block, None)
        return self._made[key]

    def _block(self, kind: str, site: int, detail: str) -> bytes:
        """Return the block of a probe, as a bytes object, whose content the probe overwrites. It is made once."""
        key = (kind, site, detail)
        if key not in self._blocks:
            is_comparison = detail[:1].isdigit()
            op, first, whole = read_comparison(detail) if is_comparison else (_CODES.get(detail, 0), -1, False)
            size, limit = False, 0.0
            if kind == "check":
                op, size, limit = read_check(detail)
                whole = is_whole(limit)
            block = self._blocks[key] = bytes(bytearray(probes.BLOCK_CELLS * 8))
            cells = (ctypes.c_int64 * probes.BLOCK_CELLS).from_address(id(block) + probes.BYTES_AT)
            make = getattr(self, f"_slow_{kind.removesuffix('+')}", None)
            slow = make(site, op, detail, cells) if make else None
            cells[probes.STATE], cells[probes.SITE], cells[probes.OP] = self.state.ctypes.data, site, op
            cells[probes.SLOW], cells[probes.HOLDS] = id(slow), kind.endswith("+")
            cells[probes.VALUE], cells[probes.BESIDE], cells[probes.WHOLE] = kind.startswith("result"), first, whole
            if kind == "check":
                cells[probes.SIZE], cells[probes.LIMIT] = size, struct.unpack("<q", struct.pack("<d", limit))[0]
            if kind == "operate":
                sign, is_inplace, letters = read_operation(detail)
                cells[probes.OP] = _OPERATORS.index(sign) + len(_OPERATORS) * is_inplace
                cells[probes.CHECKED] = bits_of(letters)
            if kind == "writes":
                cells[probes.LEFT] = self.tables[site].ctypes.data
            self._keep.append(slow)
        return self._blocks[key]

    def _note(self, site: int, op: int) -> Callable[..., object]:
        """Return the probe that passes a comparison of two numbers to the search problem."""
        return self.probe("compare", site, str(op))

    def _watch(self, site: int, holds: bool, found: Iterable[TextReplacement]) -> None:
        """Add a comparison of texts to ``watched``, unless it has no replacements, or none are collected."""
        if self.watched is not None and (several := tuple(found)):
            self.watched.append(Compared(site, holds, several))

    # ---- the functions (``SLOW``) that probes call for operands other than plain numbers ----

    def _slow_compare(self, site: int, op: int, detail: str, cells: object) -> Callable[..., object]:
        """Return the function for comparisons. It notes the boundaries, then the comparison itself."""
        note: list[Callable[..., object]] = []
        _, first, whole = read_comparison(detail)
        sites = range(first, first + len(STEPS)) if first >= 0 else ()

        def slow(a: object, b: object, truth: bool) -> None:
            if not note:
                note.extend(self._note(one, EQ) for one in sites)
                note.append(self._note(site, op))
            for tell, far in zip(note, operands.beside(a, b, whole) if sites else (), strict=False):
                tell(far, 0)
            if self.watched is not None and op in (EQ, NE):
                self._watch(site, truth, replacements.of_comparison(a, b))
            note[-1](*operands.compared(op, a, b, truth))

        return slow

    def _slow_result(self, site: int, op: int, detail: str, cells: object) -> Callable[..., object]:
        """Return the function for comparisons whose result is a value.

        It notes nothing if the value's truth is not known.
        """
        compare = self._slow_compare(site, op, detail, cells)

        def slow(a: object, b: object, result: object) -> None:
            if isinstance(result, bool):
                compare(a, b, result)
            elif operands.is_native(type(result)):
                try:
                    truth = bool(result)
                except Exception:  # an array has no truth value
                    return
                compare(a, b, truth)

        return slow

    def _slow_relates(self, site: int, op: int, detail: str, cells: object) -> Callable[..., object]:
        """Return the function for ``in`` and ``not in``. ``found`` says whether the value is in the container."""
        note = self._note(site, NE if op == 3 else EQ)

        def slow(a: object, b: object, found: bool) -> None:
            if self.watched is not None and not found:
                self._watch(site, op == 3, replacements.of_membership(a, b))
            note(*operands.member(a, b, found))

        return slow

    def _slow_truth(self, site: int, op: int, detail: str, cells: object) -> Callable[..., object]:
        """Return the function that notes the truth of a condition that is no comparison, such as ``if x:``."""
        note = self._note(site, NE)
        return lambda x, holds: note(*operands.truth(x, holds))

    _slow_value = _slow_truth

    def _slow_iterates(self, site: int, op: int, detail: str, cells: Any) -> Callable[..., object]:
        """Return the function for empty ranges."""

        def slow(iterable: range) -> None:
            cells[probes.LEFT], cells[probes.RIGHT] = operands.empty(iterable)

        return slow

    def _slow_fails(self, site: int, op: int, detail: str, cells: object) -> Callable[..., object]:
        """Return the function for patterns that did not match."""
        note = self._note(site, EQ)

        def slow(matched: bool, subject: object, *literals: object) -> bool:
            if self.watched is not None:
                for literal in literals:
                    self._watch(site, False, replacements.of_comparison(subject, literal))
            note(*(operands.mismatch(subject, literals) if literals else operands.plain(EQ, False)))
            return False

        return slow

    def _slow_operate(self, site: int, op: int, detail: str, cells: object) -> Callable[..., object]:
        """Return the function that notes the operands of operations with faults in :attr:`told`."""
        sign, _, letters = read_operation(detail)

        def slow(a: float, b: float, result: float) -> None:
            for number, letter in enumerate(letters, site):
                if result_is_wrong(KINDS[letter], sign, a, b, result):
                    self.told.setdefault(number, f"{a!r} {sign} {b!r} = {result!r}")

        return slow

    def _slow_asks(self, site: int, op: int, detail: str, cells: object) -> Callable[..., object]:
        """Return the function for calls of predicates."""

        def slow(holds: bool, on: object, *arguments: object) -> bool:
            if self.watched is not None and not holds:
                self._watch(site, holds, replacements.of_call(detail, on, arguments))
            relation, pair = operands.answered(detail, on, arguments, holds)
            self._note(site, relation)(*pair)
            return holds

        return slow


def _big(word: int) -> int:
    """Return the int of an ordered word."""
    return int(decode(Kind.INT, word))


_TRAMPOLINE = """
define double @zeroin_objective(ptr %words) {{
  %function = inttoptr i64 {} to ptr
  %r = call double %function(i64 {}, ptr %words)
  ret double %r
}}
"""
