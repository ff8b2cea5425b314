"""Load the mutants of a compiled subject beside it, and run them."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from ....native import machine
from ....subject.base import WordArray, Words
from ....subject.constant import Constant
from ....subject.mutants import Mutant
from ....words import Kind
from ..front.alias_parameters import rooms
from ..front.layout import Layout, Scalar, resized
from ..front.layout import cells as cells_of
from ..front.symbols import parse
from ..llvm_ir import ir
from ..llvm_ir.control_flow import add_fuel
from ..llvm_ir.debug_info import DebugInfo
from ..run.builds import wrap
from ..run.copies import Copy
from ..run.linking import text_of
from .mutants import Mutated, mutate

if TYPE_CHECKING:
    from ..front.parameters import CParameter, CSignature
    from ..run.arrays import Arrays
    from ..run.engine import LlvmSubject

PREFIX = "m."  # the prefix of the names in the copy with the mutants
_MANTISSAS = {Kind.F64: 52, Kind.F32: 23, Kind.F16: 10}


def mutated(subject: LlvmSubject, texts: Sequence[str], functions: Sequence[str]) -> tuple[Mutated, str]:
    """Return the mutants, and the IR of the subject's own file that contains them all.

    The subject does not change. Signed integers wrap in this IR, and it burns no fuel. The arguments are those of
    :class:`LlvmMutation`.
    """
    module, debug = subject.module(), DebugInfo(texts[0])
    wrap(module, debug)
    return mutate(module, functions, debug), module.text()


def copy_of(subject: LlvmSubject, texts: Sequence[str], functions: Sequence[str], text: str = "") -> Copy:
    """Return how to make the copy of a subject that contains the mutants.

    Args:
        subject, texts, functions: the arguments of :class:`LlvmMutation`.
        text: the IR of the subject's own file with the mutants; empty: generate it.
    """

    def made() -> ir.Module:
        module = ir.read(text or mutated(subject, texts, functions)[1])
        for function in module.functions.values():
            add_fuel(function)
        return module

    return Copy(PREFIX, "zeroin_call_mutant", texts, made, wrap)


class LlvmMutation:
    """The mutants of a compiled subject; see :class:`zeroin.subject.mutants.Mutation`.

    Creating it loads a copy of the subject beside it, which runs the copy's constructors.

    Args:
        subject: the subject.
        texts: the IR of its files, with debug info.
        functions: the linker names of the functions in its own file that have mutants.
        code: the subject's loaded machine code.
        cells: the variables of the runtime, by name.
        arrays: the memory behind pointer parameters.
    """

    slow = False
    mutants: Sequence[Mutant]
    constants: Sequence[Constant]

    def __init__(self, subject: LlvmSubject, texts: Sequence[str], functions: Sequence[str], code: machine.MachineCode,
                 cells: Mapping[str, Any], arrays: Arrays) -> None:  # fmt: skip
        self._subject, self._functions, self._cells, self.runs = subject, functions, cells, 0
        found, text = mutated(subject, texts, functions)
        self.mutants, self.constants = found.mutants, sorted(found.constants)
        self._module = ir.read(text)
        self._entry = subject.load_beside(copy_of(subject, texts, functions, text))
        self._compare = ctypes.CFUNCTYPE(
            None, *[ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64] * 2
        )(code.function("zeroin_compare"))
        self._run = code.function("zeroin_replay")
        self._buffers = arrays.tables[0]
        result = ctypes.addressof(cells["result"])
        observed = [*_observed(subject.signature, arrays, result)]
        if subject.signature.shows:
            observed.append((ctypes.addressof(cells["shown_hash"]), Scalar(Kind.U64)))
        rows = [(at, one.size, _infinity(one.kind)) for at, one in observed]
        self._observed = np.array(rows or [(0, 0, 0)], dtype=np.uint64)
        self._count = len(rows)
        self._words = np.zeros(max(1, subject.signature.arity), dtype=np.int64)

    def differing(self, words: Words, numbers: Sequence[int], note: WordArray) -> bytes:
        mutants, differs = np.array(numbers, dtype=np.int64), np.zeros(len(numbers), dtype=np.uint8)
        self._words[: len(words)] = words
        self.runs += 1 + len(mutants)
        cells = self._cells
        before = [cells[name].value for name in ("plain", "buffers")]
        cells["plain"].value, cells["buffers"].value = self._entry, self._buffers
        cells["fuel_limit"].value = self._subject.options.fuel
        with self._subject.texts_written():
            self._compare(self._run, self._words.ctypes.data, mutants.ctypes.data, len(mutants),
                          self._observed.ctypes.data, self._count, differs.ctypes.data, note.ctypes.data)  # fmt: skip
        cells["plain"].value, cells["buffers"].value = before
        return differs.tobytes()

    def equivalent(self, numbers: Sequence[int], seconds: float) -> set[int]:
        until, found = time.monotonic() + seconds, set[int]()
        text = text_of(self._module, None, "", "", self._subject.options.allow)
        plain = self._optimised(text, 0)
        for number in numbers:
            if time.monotonic() > until:
                break
            if self._optimised(text, number) == plain:
                found.add(number)
        return found

    def _optimised(self, text: str, number: int) -> str:
        """Return the optimised assembly of one mutant, or of the unchanged subject if ``number`` is 0."""
        chosen = f"@zeroin_mutant = internal constant i64 {number}"
        module = parse(text.replace("@zeroin_mutant = external global i64", chosen), self._subject.path)
        for function in module.functions:
            if not function.is_declaration and function.name not in self._functions:
                function.linkage = "internal"
        machine.optimise(module)
        return str(machine.target_machine().emit_assembly(module))  # unlike IR, assembly has no names of values


def _observed(signature: CSignature, arrays: Arrays, result: int) -> list[tuple[int, Scalar]]:
    """Return the addresses and types of all numbers that tests compare.

    Args:
        signature: the function's signature.
        arrays: the memory behind its pointers; in these runs, arrays end at guard pages.
        result: the address of a result that is a number.
    """
    layouts, found = [_longest(parameter) for parameter in signature.pointers], []
    if isinstance(signature.result, Scalar):
        found.append((result, signature.result))
    elif signature.result is not None:
        layouts.append(signature.result)
    # An array ends where its memory ends, so a shorter one begins later.
    more = [room - layout.size for room, layout in zip(rooms(signature), layouts, strict=False)]
    starts = [at + n for at, n in zip_longest(arrays.addresses(arrays.tables[0]), more, fillvalue=0)]
    places = zip(starts, layouts, strict=False)
    return found + [(at + cell.offset, cell.number) for at, layout in places for cell in cells_of(layout)]


def _longest(parameter: CParameter) -> Layout:
    """Return the layout with as many elements as the array can have; shorter arrays lie at its end."""
    return parameter.layout if parameter.extent is None else resized(parameter.layout, parameter.extent.most)


def _infinity(kind: Kind) -> int:
    """Return the bits of infinity; 0 for an integer, and for the two parts of a long double."""
    mantissa = _MANTISSAS.get(kind)
    return (1 << kind.bits - 1) - (1 << mantissa) if mantissa else 0
