"""The native objective function of the interpreted engine: it makes values from words and calls CPython.

Words are 64-bit integers in the order of the values that they encode (``words.py``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....native.kernel import address_of, callback, cells_at, inlined
from .....native.words import float_of_word
from .....subject.base import Termination
from .capi import ask, double_to_int, drop, forget_error, give_lock, take_lock, to_bool, to_float, to_int, vectorcall
from .cells import (
    ARGUMENTS,
    BIG,
    BURNT,
    COUNT,
    FIRST_BINADE,
    FUEL,
    FUEL_LIMIT,
    KINDS,
    LETHAL,
    LINEAR,
    OTHER_RUN,
    OTHERS,
    OUTCOME,
    R0,
    RUN,
    RUNS,
    R,
)

_HAS_HUNG, _FORBIDDEN, _KILLED = int(Termination.HUNG), int(Termination.FORBIDDEN), int(Termination.KILLED)
_INFINITY = 0x7FF << 52
_NO_INPUT = 1.7976931348623157e308


@inlined
def _argument(state: Any, kind: int, word: int) -> Any:
    """Return a new reference to the Python object of a word. ``kind`` is that of a float, a bool or an int."""
    if kind == 0:
        return to_float(float_of_word(word))
    if kind == 10:
        return to_bool(word)
    if -LINEAR < word < LINEAR:
        return to_int(word)
    bits = abs(word) + FIRST_BINADE
    if bits < _INFINITY:
        size = np.int64(bits).view(np.float64)
        return double_to_int(size if word > 0 else -size)
    number = to_int(word)
    result = ask(state[BIG], number, number, number, 1)
    drop(number)
    return result


@inlined
def _is_lethal(state: Any, words: Any) -> bool:
    """Whether an input is one of those that end the process."""
    arity, known = state[LETHAL + 1], cells_at(state[LETHAL + 2])
    for row in range(state[LETHAL]):  # no step of ``arity``: a variable step would need functions of Numba's runtime
        n = 0
        while n < arity and known[row * arity + n] == words[n]:
            n += 1
        if n == arity:
            return True
    return False


@inlined
def _is_other(state: Any, words: Any) -> bool:
    """Whether an input chooses a setter."""
    places, n = cells_at(state[OTHERS + 1]), 0
    while n < state[OTHERS] and words[places[n]] == 0:
        n += 1
    return n < state[OTHERS]


@callback("float64(int64, cells)")
def objective(address: Any, words: Any) -> Any:
    """Make one run of the subject in the interpreter, and return the objective's value.

    The run calls the Python function at ``RUN`` with the values of the words, or with the address of the words if
    ``COUNT`` is -1. If the words choose a setter, it calls the function at ``OTHER_RUN`` with their address. A lethal
    input, known to end the process, is not run: its termination is ``KILLED``, and the value is the largest double.

    Args:
        address: the address of the state, see ``cells.py``.
        words: the ordered words of the input.
    """
    lock = take_lock()
    state = cells_at(address)
    state[R], state[FUEL], state[OUTCOME] = state[R0], state[FUEL_LIMIT], 0
    if state[LETHAL] > 0 and _is_lethal(state, words):
        state[OUTCOME] = _KILLED
        give_lock(lock)
        return _NO_INPUT
    state[RUNS] += 1
    arguments, count, run = cells_at(state[ARGUMENTS]), state[COUNT], state[RUN]
    if _is_other(state, words):
        count, run = -1, state[OTHER_RUN]
    if count < 0:
        arguments[0], count = to_int(address_of(words)), 1
    else:
        kinds = cells_at(state[KINDS])
        for n in range(count):
            arguments[n] = _argument(state, kinds[n], words[n])
    result = vectorcall(run, arguments, count, 0)
    if result == 0:
        forget_error()
    else:
        drop(result)
    for n in range(count):
        drop(arguments[n])
    if state[FUEL] < 0 and state[OUTCOME] != _FORBIDDEN:  # even if the code caught the exception ``Hung``
        state[OUTCOME] = _HAS_HUNG
    state[BURNT] += state[FUEL_LIMIT] - state[FUEL]
    r = np.int64(state[R]).view(np.float64)
    give_lock(lock)
    return r
