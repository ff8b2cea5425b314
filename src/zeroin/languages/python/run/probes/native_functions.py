"""The probes of Python subjects: native functions that CPython calls like its own built-in functions.

A probe gets the operands of a condition as Python objects. It reads floats and small integers directly from memory and
passes them to the search problem's pen (the native function that updates the objective's value), without entering the
interpreter. For other operands it calls a Python function (``SLOW``, see :mod:`.operands`), which finds two numbers
that represent the operands. A fast condition costs about as much as a comparison. In any case, the condition has the
same result as without the probe.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....distance import EQ, GE, GT, LE, LT, NE, UNORDERED, holds
from .....native.kernel import callback, cells_at, inlined
from .....native.words import word_of_float
from .....subject.base import Termination
from .capi import (
    as_double,
    as_integer,
    ask,
    ask_all,
    compare_objects,
    contains,
    drop,
    error_is,
    float_of,
    forget_error,
    is_true,
    operate,
    python_op,
    raise_,
    size_of,
    take,
    to_bool,
    type_of,
)
from .cells import (
    BESIDE,
    BOOL,
    BYTES_AT,
    CHECKED,
    EXACT,
    FIRST_BINADE,
    FLOAT,
    FUEL,
    HELD,
    HOLDS,
    HUNG,
    INT,
    LAST_WORD,
    LEFT,
    LIMIT,
    LINEAR,
    LIST,
    NONE,
    OP,
    RANGE,
    RECURSION,
    RIGHT,
    SCRATCH,
    SITE,
    SIZE,
    SLOW,
    STATE,
    TELLS,
    TRUE,
    TUPLE,
    VALUE,
    WHOLE,
    note,
    note_beside,
    note_beside_floats,
    note_beside_mixed,
)
from .fault_checks import EPSILON

_EXACTLY = float(EXACT)
_INFINITE = 0x7FF << 51  # half of the bits of infinity
_LARGEST = 1.7976931348623157e308
_HAS_HUNG = int(Termination.HUNG)


@inlined
def _integer_of(state: Any, x: int) -> Any:
    """Return the value of an int; -1 if it does not fit into 64 bits. Then :func:`_overflow` is true."""
    return as_integer(x, cells_at(state[SCRATCH]))


@inlined
def _overflow(state: Any) -> Any:
    """Whether the int of the last :func:`_integer_of` does not fit into 64 bits."""
    return cells_at(state[SCRATCH])[0] & 0xFFFFFFFF != 0  # the flag is a C int, so half a cell


@inlined
def _word_of_big(state: Any, x: int) -> Any:
    """Return the ordered word of an int of any size, rounded for large ones (see :mod:`zeroin.words`)."""
    value = _integer_of(state, x)
    sign = np.int32(cells_at(state[SCRATCH])[0])
    if sign == 0 and -LINEAR < value < LINEAR:
        return value
    size = abs(as_double(x))
    word = np.float64(size).view(np.int64) - FIRST_BINADE
    if sign != 0 and size == 1.0:  # ``as_double`` returned -1.0, its error value: the int is too large for a double
        forget_error()
        word = np.int64(LAST_WORD)
    return -word if sign < 0 or (sign == 0 and value < 0) else word


_TWO = "int64(int64, cells, int64)"
_ONE = "int64(int64, int64)"


@inlined
def _recovers(state: Any) -> Any:
    """Whether the call of ``SLOW`` failed with RecursionError. If so, clear it: the condition itself had succeeded."""
    if error_is(state[RECURSION]) == 0:
        return False
    forget_error()
    return True


@inlined
def _note_plainly(state: Any, site: Any, op: Any, truth: Any) -> None:
    """Pass only the truth of a comparison to the search problem, with operands 0 and 1 or -1."""
    x, zero = np.int64(0), np.int64(0)
    if holds(op, x, zero) != truth:
        x = np.int64(1) if holds(op, np.int64(1), zero) == truth else np.int64(-1)
    note(state, site, op, x, zero)


@inlined
def _keep(block: Any, state: Any, answer: Any, x: int) -> Any:
    """Hold the right operand ``x`` for the next comparison of a chain, if the probe should and the chain goes on."""
    if block[HOLDS] != 0 and answer != 0 and (answer == state[TRUE] or type_of(answer) != state[BOOL]):
        take(x)
        before = state[HELD]
        state[HELD] = x
        drop(before)
    return answer


@inlined
def _compared(block: Any, state: Any, a: int, b: int) -> Any:
    """Evaluate a comparison, and pass its operands and those of its boundaries to the search problem.

    Return a new reference to the result; 0 if the comparison raised.
    """
    site, op, beside = block[SITE], block[OP], block[BESIDE]
    type_a, type_b = type_of(a), type_of(b)
    if type_a == state[FLOAT] and type_b == state[FLOAT]:
        if beside >= 0:
            note_beside_floats(state, beside, float_of(a), float_of(b))
        return to_bool(np.int64(note(state, site, op, float_of(a), float_of(b))))
    int_a, int_b = type_a == state[INT] or type_a == state[BOOL], type_b == state[INT] or type_b == state[BOOL]
    x, y, fits = np.int64(0), np.int64(0), True
    if int_a:
        x = _integer_of(state, a)
        fits = not _overflow(state)
    if int_b and fits:
        y = _integer_of(state, b)
        fits = not _overflow(state)
    if fits:
        if int_a and int_b:
            if beside >= 0:
                note_beside(state, beside, x, y)
            return to_bool(np.int64(note(state, site, op, x, y)))
        if int_a and type_b == state[FLOAT] and -EXACT <= x <= EXACT:
            if beside >= 0:
                note_beside_mixed(state, beside, block[WHOLE], x, float_of(b), False)
            return to_bool(np.int64(note(state, site, op, float(x), float_of(b))))
        if int_b and type_a == state[FLOAT] and -EXACT <= y <= EXACT:
            if beside >= 0:
                note_beside_mixed(state, beside, block[WHOLE], y, float_of(a), True)
            return to_bool(np.int64(note(state, site, op, float_of(a), float(y))))
    answer = compare_objects(a, b, python_op(op))
    if answer != 0 and int_a and int_b and beside < 0:
        x, y = _word_of_big(state, a), _word_of_big(state, b)
        if holds(op, x, y) == (answer == state[TRUE]):  # else rounding has made the words equal
            note(state, site, op, x, y)
            return answer
    if block[VALUE] == 0 and answer != 0:
        found = is_true(answer)
        drop(answer)
        answer = np.int64(0) if found < 0 else to_bool(np.int64(found))
    if answer == 0:
        return answer
    told = ask(block[SLOW], a, b, answer, 3)
    drop(told)
    if told == 0 and not _recovers(state):
        drop(answer)
        return np.int64(0)
    if told == 0 and type_of(answer) == state[BOOL]:
        _note_plainly(state, site, op, answer == state[TRUE])
    return answer


@callback(_TWO)
def _compare(self: Any, values: Any, count: Any) -> Any:
    """The probe for comparisons. It returns their result."""
    block = cells_at(self + BYTES_AT)
    state = cells_at(block[STATE])
    return _keep(block, state, _compared(block, state, values[0], values[1]), values[1])


@inlined
def _related(block: Any, state: Any, a: int, b: int) -> Any:
    """Do the same as :func:`_compared` for a relation of :func:`_relates`."""
    site, op = block[SITE], block[OP]
    if op < 2:
        return to_bool(np.int64(note(state, site, EQ if op == 0 else NE, np.int64(a != b), np.int64(0))))
    found = contains(b, a)
    if found < 0:
        return np.int64(0)
    holds_ = to_bool(np.int64(found == 1))
    told = ask(block[SLOW], a, b, holds_, 3)
    drop(holds_)
    if told == 0:
        if not _recovers(state):
            return np.int64(0)
        _note_plainly(state, site, EQ if op == 2 else NE, (found == 1) == (op == 2))
    drop(told)
    return to_bool(np.int64((found == 1) == (op == 2)))


@callback(_TWO)
def _relates(self: Any, values: Any, count: Any) -> Any:
    """The probe for ``is``, ``is not``, ``in`` and ``not in``, whose ``OP`` is 0, 1, 2 and 3."""
    block = cells_at(self + BYTES_AT)
    state = cells_at(block[STATE])
    return _keep(block, state, _related(block, state, values[0], values[1]), values[1])


@callback(_ONE)
def _held(self: Any, nothing: Any) -> Any:
    """The probe that returns the operand that the last comparison held."""
    state = cells_at(cells_at(self + BYTES_AT)[STATE])
    x = state[HELD]
    state[HELD] = 0
    return x


@inlined
def _truth_of(block: Any, x: int) -> Any:
    """Pass an object's truth to the search problem. Return 1 or 0, or -1 if the object's ``__bool__`` raised."""
    state = cells_at(block[STATE])
    type_ = type_of(x)
    if type_ == state[BOOL]:
        return np.int64(note(state, block[SITE], NE, np.int64(x == state[TRUE]), np.int64(0)))
    if type_ == state[FLOAT]:
        return np.int64(note(state, block[SITE], NE, float_of(x), 0.0))
    if type_ == state[INT]:
        value = _integer_of(state, x)
        if _overflow(state):
            value = _word_of_big(state, x)
        return np.int64(note(state, block[SITE], NE, value, np.int64(0)))
    found = np.int64(is_true(x))
    if found >= 0:
        holds_ = to_bool(found)
        told = ask(block[SLOW], x, holds_, holds_, 2)
        drop(holds_)
        drop(told)
        if told == 0:
            if not _recovers(state):
                return np.int64(-1)
            _note_plainly(state, block[SITE], NE, found == 1)
    return found


@callback(_ONE)
def _truth(self: Any, x: Any) -> Any:
    """The probe for a condition that is no comparison. It returns the condition's truth as a bool."""
    found = _truth_of(cells_at(self + BYTES_AT), x)
    return np.int64(0) if found < 0 else to_bool(found)


@callback(_ONE)
def _value(self: Any, x: Any) -> Any:
    """The probe like ``_truth`` that returns the object itself."""
    found = _truth_of(cells_at(self + BYTES_AT), x)
    if found < 0:
        return np.int64(0)
    take(x)
    return x


@inlined
def _check_integer(block: Any, state: Any, x: int) -> None:
    """Pass an integer's comparison with the limit to the search problem."""
    limit = np.int64(block[LIMIT]).view(np.float64)
    value = _integer_of(state, x)
    if not _overflow(state) and block[SIZE] == 0 and block[WHOLE] != 0:
        note(state, block[SITE], block[OP], value, np.int64(limit))
        return
    number = as_double(x)
    if number == -1.0 and (value != -1 or _overflow(state)):  # an error: the int is too large for a double
        forget_error()
        number = _LARGEST if np.int32(cells_at(state[SCRATCH])[0]) > 0 else -_LARGEST
    note(state, block[SITE], block[OP], abs(number) if block[SIZE] != 0 else number, limit)


@callback(_ONE)
def _check(self: Any, x: Any) -> Any:
    """The probe of a number that may make an operation fail: it compares the number with a limit, and returns it.

    Nothing is noted of what is neither a float nor an int.
    """
    block = cells_at(self + BYTES_AT)
    state = cells_at(block[STATE])
    type_ = type_of(x)
    if type_ == state[FLOAT]:
        number = float_of(x)
        if block[SIZE] != 0:
            number = abs(number)
        note(state, block[SITE], block[OP], number, np.int64(block[LIMIT]).view(np.float64))
    elif type_ == state[INT] or type_ == state[BOOL]:
        _check_integer(block, state, x)
    take(x)
    return x


@inlined
def _number(state: Any, x: int) -> float:
    """Return a float or an int as a double. A large int becomes the largest double; its sign may be lost."""
    if type_of(x) == state[FLOAT]:
        return float_of(x)
    value, number = _integer_of(state, x), as_double(x)
    if number == -1.0 and (value != -1 or _overflow(state)):  # an error: the int is too large for a double
        forget_error()
        return _LARGEST
    return number


@inlined
def rounded_size(n: Any) -> float:
    """Return the absolute value of an integer as a double that is above 2**53 if the integer is."""
    size = abs(float(n))
    return size + 2.0 if size == _EXACTLY and (n > EXACT or -n > EXACT) else size


@inlined
def _size(state: Any, x: int) -> float:
    """Return :func:`rounded_size` of an int object of any size."""
    value = _integer_of(state, x)
    return _LARGEST if _overflow(state) else rounded_size(value)


@inlined
def _far_from_nan(op: Any, a: float, b: float, r: float) -> Any:
    """Return how far an operation is from a NaN, in ULP of its operands; at least 1.

    Args:
        op: 0 to 4 for ``+ - * / **``.
        a, b: the operands, which are no NaN.
        r: the result, which is none either.
    """
    one, other = np.float64(abs(a)).view(np.int64) >> 1, np.float64(abs(b)).view(np.int64) >> 1
    if op == 2:  # infinity times 0
        return 1 + (_INFINITE - max(one, other)) + min(one, other)
    if op == 4:
        return 1 + _INFINITE - (np.float64(abs(r)).view(np.int64) >> 1)
    return 1 + (_INFINITE - one) + (_INFINITE - other)


@inlined
def note_result(state: Any, site: Any, checked: Any, op: Any, a: float, b: float, r: float, whole: float) -> None:
    """Pass the checks of an operation's result to the search problem.

    Args:
        state: the cells.
        site: the site of the first check; the others follow it.
        checked: a bit for each kind of check: overflow, NaN, cancellation, lost precision.
        op: 0 to 4 for ``+ - * / **``.
        a, b: the operands as doubles.
        r: the result.
        whole: the size of the larger integer that becomes a float; negative if the operands are floats.
    """
    is_finite = abs(a) < np.inf and abs(b) < np.inf
    if checked & 1:
        note(state, site, EQ, abs(r) if is_finite else 0.0, np.inf)
        site += 1
    if checked & 2:
        if a != a or b != b:
            note(state, site, EQ, np.int64(LAST_WORD), np.int64(0))
        elif r != r:
            note(state, site, EQ, np.int64(0), np.int64(0))
        else:
            note(state, site, EQ, np.int64(_far_from_nan(op, a, b, r)), np.int64(0))
        site += 1
    if checked & 4:
        if whole < 0.0 and is_finite and a != 0.0 and b != 0.0:
            note(state, site, LE, abs(r), max(abs(a), abs(b)) * EPSILON)
        else:
            note(state, site, LE, 1.0, 0.0)
        site += 1
    if checked & 8:
        note(state, site, GT, whole, _EXACTLY)


@callback(_TWO)
def _operate(self: Any, values: Any, count: Any) -> Any:
    """The probe that carries out an operation and returns the result, which it checks if it is a float."""
    block = cells_at(self + BYTES_AT)
    state = cells_at(block[STATE])
    a, b = values[0], values[1]
    result = operate(block[OP], a, b, state[NONE])
    if result == 0 or type_of(result) != state[FLOAT]:
        return result
    one, other = type_of(a), type_of(b)
    is_whole = one == state[INT] or one == state[BOOL]
    other_whole = other == state[INT] or other == state[BOOL]
    if (is_whole or one == state[FLOAT]) and (other_whole or other == state[FLOAT]):
        whole = _size(state, a) if is_whole else -1.0
        if other_whole:
            whole = max(whole, _size(state, b))
        op = block[OP] if block[OP] < 5 else block[OP] - 5
        x, y = _number(state, a), _number(state, b)
        note_result(state, block[SITE], block[CHECKED], op, x, y, float_of(result), whole)
        if state[TELLS] != 0:
            told = ask(block[SLOW], a, b, result, 3)
            drop(told)
            if told == 0 and not _recovers(state):
                drop(result)
                return np.int64(0)
    return result


@callback(_TWO)
def _index(self: Any, values: Any, count: Any) -> Any:
    """The probe of an index, which it returns. The second value is the list or tuple; of others nothing is noted."""
    block = cells_at(self + BYTES_AT)
    state = cells_at(block[STATE])
    x, type_, sequence = values[0], type_of(values[0]), type_of(values[1])
    if (type_ == state[INT] or type_ == state[BOOL]) and (sequence == state[LIST] or sequence == state[TUPLE]):
        index, size = _integer_of(state, x), size_of(values[1])
        if _overflow(state):
            index = np.int64(LAST_WORD)
        if index < 0:
            note(state, block[SITE], LT, index, -size)
        else:
            note(state, block[SITE], GE, index, size)
    take(x)
    return x


@inlined
def _burn(state: Any) -> bool:
    """Use one unit of fuel, for a loop iteration or a call. Return False, with ``Hung`` set, if none was left."""
    state[FUEL] -= 1
    if state[FUEL] < 0:
        raise_(state[HUNG])
        return False
    return True


@callback(_ONE)
def _fuel(self: Any, nothing: Any) -> Any:
    """The probe at the start of a function, and in each turn of a ``while`` loop or a comprehension. It returns None.

    If no fuel is left, it raises ``Hung``.
    """
    state = cells_at(cells_at(self + BYTES_AT)[STATE])
    if not _burn(state):
        return np.int64(0)
    take(state[NONE])
    return state[NONE]


@callback(_ONE)
def _enters(self: Any, nothing: Any) -> Any:
    """The probe at the start of a turn of a ``for`` loop, and of a handler. It uses fuel, and notes the true branch."""
    block = cells_at(self + BYTES_AT)
    state = cells_at(block[STATE])
    if not _burn(state):
        return np.int64(0)
    note(state, block[SITE], EQ, np.int64(0), np.int64(0))
    take(state[NONE])
    return state[NONE]


@callback(_ONE)
def _leaves(self: Any, nothing: Any) -> Any:
    """The probe at the end of a ``for`` loop, or of a ``try`` body that raised no exception.

    For an empty range, LEFT and RIGHT say how far it was from an iteration.
    """
    block = cells_at(self + BYTES_AT)
    state = cells_at(block[STATE])
    note(state, block[SITE], GT, min(block[LEFT], block[RIGHT]), block[RIGHT])
    take(state[NONE])
    return state[NONE]


@callback(_ONE)
def _iterates(self: Any, iterable: Any) -> Any:
    """The probe for the iterable of a ``for`` loop, which it returns.

    For an empty range, it notes in LEFT and RIGHT how far the range is from an iteration; for others, zeros.
    """
    block = cells_at(self + BYTES_AT)
    state = cells_at(block[STATE])
    block[LEFT] = block[RIGHT] = 0
    if type_of(iterable) == state[RANGE] and size_of(iterable) == 0:
        drop(ask(block[SLOW], iterable, iterable, iterable, 1))
    forget_error()
    take(iterable)
    return iterable


@callback(_ONE)
def _matches(self: Any, nothing: Any) -> Any:
    """The probe behind a pattern of a ``case`` that matched. It returns True."""
    block = cells_at(self + BYTES_AT)
    note(cells_at(block[STATE]), block[SITE], EQ, np.int64(0), np.int64(0))
    return to_bool(np.int64(1))


@callback(_TWO)
def _fails(self: Any, values: Any, count: Any) -> Any:
    """The probe after a ``case`` that was not taken. It returns False.

    The values are True if only the guard did not hold, else False; then the subject, and the literals of the pattern.
    """
    block = cells_at(self + BYTES_AT)
    state = cells_at(block[STATE])
    if values[0] == state[TRUE]:
        return to_bool(np.int64(0))
    answer = ask_all(block[SLOW], values, count)
    if answer == 0 and _recovers(state):
        _note_plainly(state, block[SITE], EQ, False)
        return to_bool(np.int64(0))
    return answer


@inlined
def _answer(question: object, x: float) -> Any:
    """Return the result of isnan (1), isinf (2) or isfinite (3) for a float."""
    if question == 1:
        return x != x
    return abs(x) == np.inf if question == 2 else abs(x) < np.inf


@callback(_TWO)
def _asks(self: Any, values: Any, count: Any) -> Any:
    """The probe for a condition that is a call of a predicate such as ``isnan(x)`` or ``s.startswith(t)``.

    The values are the result of the call, the object that the method belongs to, and the arguments.
    """
    block = cells_at(self + BYTES_AT)
    state = cells_at(block[STATE])
    found = is_true(values[0])
    if found < 0:
        return np.int64(0)
    if block[OP] > 0 and count == 3 and type_of(values[2]) == state[FLOAT]:
        x = float_of(values[2])
        if (found == 1) == _answer(block[OP], x):
            if block[OP] == 1:
                return to_bool(np.int64(note(state, block[SITE], UNORDERED, x, x)))
            return to_bool(np.int64(note(state, block[SITE], EQ if block[OP] == 2 else LT, abs(x), np.inf)))
    holds_, given = to_bool(np.int64(found == 1)), values[0]
    values[0] = holds_
    answer = ask_all(block[SLOW], values, count)
    values[0] = given
    if answer == 0 and _recovers(state):
        _note_plainly(state, block[SITE], NE, found == 1)
        return holds_
    drop(holds_)
    return answer


@callback(_TWO)
def _writes(self: Any, values: Any, count: Any) -> Any:
    """The probe that records variables for the look-ahead, and returns its first value.

    The further values are the variables. The table at LEFT says for each whether and how it is recorded, and where.
    """
    block = cells_at(self + BYTES_AT)
    state, table = cells_at(block[STATE]), cells_at(block[LEFT])
    for n in range(1, count):
        how, x, type_ = table[2 * n - 2], values[n], type_of(values[n])
        word = cells_at(table[2 * n - 1])
        if how == 1 and type_ == state[FLOAT]:
            word[0] = word_of_float(float_of(x))
        elif how != 0 and (type_ == state[INT] or type_ == state[BOOL]):
            word[0] = _word_of_big(state, x) if how > 1 else word_of_float(as_double(x))
            forget_error()
    take(values[0])
    return values[0]
