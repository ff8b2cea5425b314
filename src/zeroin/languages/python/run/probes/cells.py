"""The memory cells of probes, and the native functions that pass a condition's operands to the search problem.

All probes of a subject share an array of int64 cells, the state. Each probe also has a block of cells of its own. This
module is the only place that defines their layout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....distance import EQ, holds
from .....native.cells import ProbeMode
from .....native.kernel import byte_at, caller, cells_at, inlined, overloaded
from .....subject.search_problem import FLOAT_PEN, INT_PEN

# The cells of the state: the search problem, what a run did, and addresses of Python objects and of memory.
PEN_FLOAT, PEN_INT, DATA, ASKED, R, R0, FUEL, FUEL_LIMIT, OUTCOME, END = range(10)
FLOAT, INT, BOOL, NONE, TRUE, HUNG, RUN, COUNT, KINDS, ARGUMENTS, BIG, SCRATCH = range(10, 22)
RUNS, BURNT, TELL = 22, 23, 24  # runs made, fuel they used; how many more exceptions of native code count as news
RECURSION, RANGE, HELD = 25, 26, 27  # RecursionError, range; an object held for the next probe
LIST, TUPLE = 35, 36  # the types
TELLS = 37  # whether operations tell their operands, for a report
LEAKS = 28  # native runs that raised: Numba does not free the memory that they allocated
LETHAL = 29  # three cells: the number of lethal inputs, the number of words of each, the address of these words
OTHER_RUN, OTHERS = 32, 33  # the function for runs with setters; number and address of the setters' word indices
STATE_CELLS = 38

# The cells of one probe, inside a bytes object that is the probe's `self`.
STATE, SITE, OP, SLOW, LEFT, RIGHT, HOLDS, VALUE, BESIDE, WHOLE = range(10)
LIMIT, SIZE = LEFT, RIGHT  # of a check for a fault: the bits of the limit; whether the absolute value is compared
CHECKED = LEFT  # of an operation: a bit for each kind of check of its result, in the order of ``RESULTS``
BLOCK_CELLS = 10

BYTES_AT = bytes.__basicsize__ - 1  # where a bytes object's content begins

EXACT = 1 << 53
LINEAR = 1 << 62  # from this value on, the word of an int is the word of the nearest double
FIRST_BINADE = ((1023 + 62) << 52) - LINEAR
LAST_WORD = (1 << 63) - 1
_PASS, _ZERO = int(ProbeMode.PASS), int(ProbeMode.ZERO)

_pen_float = caller(FLOAT_PEN)
_pen_int = caller(INT_PEN)


@overloaded(jit_options={"no_cpython_wrapper": True})
def _pen(state: Any, r: Any, site: Any, op: Any, a: Any, b: Any) -> Any:
    """Call the search problem's pen with floats or integers. Return the new value of ``R``, a float."""
    from numba import types

    if isinstance(a, types.Float):
        return lambda state, r, site, op, a, b: _pen_float(state[PEN_FLOAT], (cells_at(state[DATA]), r, site, op, a, b))
    return lambda state, r, site, op, a, b: _pen_int(state[PEN_INT], (cells_at(state[DATA]), r, site, op, a, b))


@inlined
def note(state: Any, site: Any, op: Any, a: Any, b: Any) -> Any:
    """Pass the operands of ``a op b`` at a site to the search problem. Return whether the comparison holds.

    The operands are two floats or two integers. The problem's pen updates the objective's value ``R``.
    """
    truth = holds(op, a, b)
    asked = byte_at(state[ASKED] + (2 * site if truth else 2 * site + 1))
    if asked == _ZERO:
        state[R] = 0
    elif asked != _PASS:
        new = _pen(state, np.int64(state[R]).view(np.float64), site, op, a, b)
        state[R] = np.float64(new).view(np.int64)
    return truth


# ---- the boundaries of a comparison ----


@inlined
def _note_at(state: Any, site: Any, a: Any, b: Any, step: Any) -> None:
    """Pass ``a == b + step``, of two integers, to the search problem; a false condition if ``b + step`` overflows."""
    if b == (LAST_WORD if step > 0 else -LAST_WORD - 1):  # ``b + step`` would overflow
        note(state, site, EQ, np.int64(0), np.int64(1))
    else:
        note(state, site, EQ, a, b + step)


@inlined
def _place(x: float) -> object:
    """Return the signed rank of a float among all floats, in ULP from 0. Both zeros have the same rank."""
    bits = np.float64(x).view(np.int64)
    return bits if bits >= 0 else -(bits & np.int64(LAST_WORD))


@inlined
def note_beside(state: Any, first: Any, a: Any, b: Any) -> None:
    """Pass the boundaries of a comparison of integers to the search problem.

    The three sites from ``first`` on are ``a == b``, ``a == b + 1`` and ``a == b - 1``.
    """
    note(state, first, EQ, a, b)
    _note_at(state, first + 1, a, b, np.int64(1))
    _note_at(state, first + 2, a, b, np.int64(-1))


@inlined
def note_beside_floats(state: object, first: object, a: float, b: float) -> None:
    """Pass the boundaries of a comparison of two floats to the search problem. A step is one ULP.

    The sites are those of :func:`note_beside`. With a NaN, all of them are far away.
    """
    x, y = _place(a), _place(b)
    if a != a or b != b:
        x, y = np.int64(0), np.int64(LAST_WORD >> 1)
    note_beside(state, first, x, y)


@inlined
def _note_beside_written(state: Any, first: Any, n: Any, written: float, turned: Any) -> None:
    """Pass the boundaries of a comparison of an int with a float literal. A step leads to the next int.

    The literal is the left operand if ``turned``. If it is NaN or 2**62 or more, all boundaries are far away.
    """
    low = np.floor(written)
    if not abs(low) < LINEAR:
        note_beside(state, first, np.int64(0), np.int64(LAST_WORD >> 1))
        return
    below, above = np.int64(low), np.int64(low) + 1
    if low == written:
        note(state, first, EQ, n, below)
        below = below - 1
    else:
        note(state, first, EQ, np.int64(0), np.int64(1))
    note(state, first + 1, EQ, n, below if turned else above)
    note(state, first + 2, EQ, n, above if turned else below)


@inlined
def note_beside_mixed(state: Any, first: Any, whole: Any, n: Any, x: float, turned: Any) -> None:
    """Pass the boundaries of a comparison of an integer with a float to the search problem.

    Args:
        first: the site of the first boundary, see :func:`note_beside`.
        whole: 1 if a step leads to the next integer above or below the float, 0 if it is one ULP of the float.
        n: the integer; it must be exact as a double.
        x: the float.
        turned: whether the float is the left operand.
    """
    if whole != 0:
        _note_beside_written(state, first, n, x, turned)
    elif turned:
        note_beside_floats(state, first, x, float(n))
    else:
        note_beside_floats(state, first, float(n), x)
