"""One native run: values are made of words, the function is called, and how it ended is written down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from .....native.cells import NEWS, NEWS_OF_ABNORMAL_RUN
from .....native.kernel import address_of, call_objective, cells_at
from .....native.words import float_of_word
from .....subject.base import Termination
from .....words import Kind
from ...values.containers import List
from ...values.shapes import Shape
from ..probes import cells as probes
from . import semantics
from .check import NotNative

ASSERTED, HUNG, RAISED = int(Termination.ASSERTED), int(Termination.HUNG), int(Termination.RAISED)
UNKNOWN, OWN = int(Termination.KILLED), -1
_NO_INPUT = 1.7976931348623157e308
_LIMIT = 1 << 62  # integers from here on have more bits than their words

_TEXT = """
def driver(words):
    {elsewhere}
    cells = cells_at(state)
    cells[R], cells[FUEL], cells[OUTCOME] = cells[R0], cells[FUEL_LIMIT], 0
    cells[RUNS] += 1
    {guard}
    try:
        function({arguments})
    except Exception:
        unusual(cells)
    return int64(cells[R]).view(float64)
"""


class Elsewhere(NamedTuple):
    """Runs that are none of native code.

    Attributes:
        words: places of words that are 0 in the others.
        objective: the address of what makes these runs.
    """

    words: tuple[int, ...]
    objective: int


def driver_of(shapes: Sequence[Shape], names: Sequence[str], state: int,
              elsewhere: Elsewhere) -> Callable[[object], object]:  # fmt: skip
    """Makes, of a compiled function, what evaluates it for words.

    Args:
        shapes: of its parameters.
        names: of those of them that are passed by name, the last ones.
        state: address of the probes' cells.
        elsewhere: see there.

    Raises:
        NotNative: a parameter is neither a number nor a list of numbers.
    """
    given, guards, at = [], [], 0
    for n, shape in enumerate(shapes):
        text, guard = _value(shape, at)
        at += shape.arity
        position = n - (len(shapes) - len(names))
        given.append(f"{names[position]}={text}" if position >= 0 else text)
        guards += [guard] if guard else []
    guard = f"if {' or '.join(guards)}: cells[OUTCOME] = UNKNOWN; return {_NO_INPUT!r}" if guards else "pass"
    asked = " or ".join(f"words[{place}] != 0" for place in elsewhere.words)
    leave = f"if {asked}: return call_objective({elsewhere.objective}, address_of(words))" if asked else "pass"
    text = _TEXT.format(elsewhere=leave, guard=guard, arguments=", ".join(given))
    cells = {name: getattr(probes, name) for name in ("R", "R0", "FUEL", "FUEL_LIMIT", "OUTCOME", "RUNS")}
    helpers = {"cells_at": cells_at, "unusual": _unusual, "floats": _floats, "integers": _integers, "flags": _flags,
               "large": _large, "float_of_word": float_of_word, "int64": np.int64, "float64": np.float64,
               "call_objective": call_objective, "address_of": address_of}  # fmt: skip

    def make(function: object) -> object:
        scope: dict[str, object] = {**cells, **helpers, "state": state, "function": function, "UNKNOWN": UNKNOWN}
        exec(text, scope)
        return scope["driver"]

    return make


def _value(shape: Shape, at: int) -> tuple[str, str]:
    """Native code for the value of the words from ``at`` on, and for whether there is none."""
    if isinstance(shape, List) and shape.element.scalar is not None:
        maker = {Kind.F64: "floats", Kind.INT: "integers", Kind.BOOL: "flags"}[shape.element.scalar]
        return f"{maker}(words, {at})", f"large(words, {at})" if maker == "integers" else ""
    if shape.scalar is Kind.F64:
        return f"float_of_word(words[{at}])", ""
    if shape.scalar is Kind.INT:
        return f"words[{at}]", f"not -{_LIMIT} < words[{at}] < {_LIMIT}"
    if shape.scalar is Kind.BOOL:
        return f"words[{at}] != 0", ""
    raise NotNative(f"a parameter is {shape.type}")


@njit
def _floats(words: Any, at: int) -> Any:
    return [float_of_word(words[at + 1 + n]) for n in range(words[at])]


@njit
def _integers(words: Any, at: int) -> Any:
    return [words[at + 1 + n] for n in range(words[at])]


@njit
def _flags(words: Any, at: int) -> Any:
    return [words[at + 1 + n] != 0 for n in range(words[at])]


@njit
def _large(words: Any, at: int) -> Any:
    """Whether a list has an integer of more than 62 bits."""
    large = False
    for n in range(words[at]):
        large |= not -_LIMIT < words[at + 1 + n] < _LIMIT
    return large


@njit
def _unusual(cells: Any) -> None:
    """A run that did not return: one that raised on purpose did as it should; some others are told as news."""
    cells[probes.LEAKS] += 1
    data = cells_at(cells[probes.DATA])
    if semantics.forget():
        cells[probes.OUTCOME] = UNKNOWN
        cells[probes.R] = np.float64(_NO_INPUT).view(np.int64)
        data[NEWS] = data[NEWS_OF_ABNORMAL_RUN] = 0
    elif cells[probes.OUTCOME] == OWN:
        cells[probes.OUTCOME] = 0
    elif cells[probes.OUTCOME] == 0:
        cells[probes.OUTCOME] = RAISED
        if cells[probes.TELL] > 0:
            cells[probes.TELL] -= 1
            data[NEWS] = data[NEWS_OF_ABNORMAL_RUN] = 1
