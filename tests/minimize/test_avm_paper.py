"""The moves of FloPSy's AVM, step by step (Lakhotia et al. 2010, sections 2.3 and 3.2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import cfunc, types

from zeroin.minimize import Domain, Door, minimize, random_state
from zeroin.minimize.base import value_of_word
from zeroin.native import CELLS, cells_at
from zeroin.subject.words import Kind, encode, word_range

LOG = np.zeros(20_001, dtype=np.int64)
LOG_ADDRESS = LOG.ctypes.data


@cfunc(types.float64(CELLS))
def to_five_and_a_quarter(words: Any) -> float:
    log = cells_at(LOG_ADDRESS)
    log[0] += 1
    log[log[0]] = words[0]
    return abs(value_of_word(0, words[0]) - 5.25)


@cfunc(types.float64(CELLS))
def flat(words: Any) -> float:
    log = cells_at(LOG_ADDRESS)
    log[0] += 1
    log[log[0]] = words[0]
    return 1.0


@cfunc(types.float64(CELLS))
def integer_seven(words: Any) -> float:
    log = cells_at(LOG_ADDRESS)
    log[0] += 1
    log[log[0]] = words[0]
    return abs(float(words[0]) - 7.0)


@cfunc(types.float64(CELLS))
def one_and_two(words: Any) -> float:
    """|x - 1| + |y - 2|; both values are logged."""
    log = cells_at(LOG_ADDRESS)
    for i in range(2):
        log[0] += 1
        log[log[0]] = words[i]
    return abs(value_of_word(0, words[0]) - 1.0) + abs(float(words[1]) - 2.0)


def trace(objective: Any, kind: Kind, start: float, evaluations: int) -> list[float]:
    LOG[0] = 0
    door = Door(objective.address, 1)
    door.open(evaluations)
    domain = Domain((kind,), (word_range(kind),), ((encode(kind, 0),),))
    minimize("avm-paper", door, domain, np.array([encode(kind, start)], dtype=np.int64), random_state([1]))
    return [float(value_of_word(int(kind), word)) for word in LOG[1 : 1 + int(LOG[0])].tolist()]


def test_exploratory_then_pattern_moves_then_precision() -> None:
    """delta = 2**it * dir * 10**-prec; -1 first; pattern moves start from what the last one reached."""
    assert trace(to_five_and_a_quarter, Kind.F64, 0.0, 15) == [
        0.0,
        -1.0, 1.0,           # exploratory: -1 is rejected, +1 helps
        3.0, 7.0,            # pattern, it = 1 and 2: 1 + 2 helps, 3 + 4 (distance 1.75 against 2.25) helps
        15.0,                # it = 3: rejected; back to exploratory moves
        6.0, 4.0,            # 7 - 1 helps; pattern 6 - 2 does not (1.25 against 0.75)
        5.0, 3.0,            # 6 - 1 helps (0.25); 5 - 2 does not
        4.0, 6.0,            # neither exploratory move helps: precision 1
        4.9, 5.1, 5.3,       # 5 - 0.1 no; 5 + 0.1 helps; pattern + 0.2 helps
    ]  # fmt: skip


def test_precision_of_integers_is_never_raised_so_a_restart_follows() -> None:
    values = trace(flat, Kind.I32, 10.0, 4)
    assert values[:3] == [10.0, 9.0, 11.0]
    assert 10.0 <= values[3] <= 11.0  # local restart: 10**-0 * r is added, r in [0, 1)


def test_precision_of_doubles_goes_up_to_15_then_local_then_global_restart() -> None:
    values = trace(flat, Kind.F64, 0.0, 200)
    expected = [0.0]
    for precision in range(16):
        step = 10.0**-precision
        expected += [-step, step]
    assert values[:33] == expected
    assert 0.0 < values[33] < 1e-15  # local restart at precision 15
    assert values[34:36] == [values[33] - 1e-15, values[33] + 1e-15]
    assert abs(values[36]) > 1e-14 or values[36] == 0.0  # a global restart: a drawn value, and precision 0 again
    assert values[37] == values[36] - 1.0 or abs(values[36]) > 1e16 or values[36] != values[36]


def test_precision_of_floats_goes_up_to_7() -> None:
    values = trace(flat, Kind.F32, 0.0, 18)
    assert [-v for v in values[1:17:2]] == pytest.approx([10.0**-p for p in range(8)], rel=1e-6)


def test_precision_is_not_raised_where_it_has_no_effect() -> None:
    values = trace(flat, Kind.F64, 1e9, 20)
    steps = [abs(v - 1e9) for v in values[1:17:2]]
    assert steps[0] == 1.0
    assert min(steps) >= 5e-8  # 1e9 + 1e-8 is 1e9


def test_an_integer_is_found() -> None:
    assert trace(integer_seven, Kind.I64, 0.0, 100)[-1] == 7.0


def test_variables_are_taken_in_turn_and_a_rejected_pattern_move_goes_back_to_the_first() -> None:
    LOG[0] = 0
    door = Door(one_and_two.address, 2)
    door.open(100)
    domain = Domain((Kind.F64, Kind.I32), (word_range(Kind.F64), word_range(Kind.I32)), ((), ()))
    minimum = minimize("avm-paper", door, domain, np.array([encode(Kind.F64, 0.0), 0]), random_state([1]))
    logged = LOG[1 : 1 + int(LOG[0])].reshape(-1, 2).tolist()
    assert [(value_of_word(0, x), y) for x, y in logged] == [
        (0, 0),
        (-1, 0), (1, 0), (3, 0),           # x + 1 helps, the pattern move does not: back to x
        (0, 0), (2, 0), (1, -1), (1, 1),   # neither x helps; y + 1 does
        (1, 3),                            # the pattern move y + 2 does not: back to x, not to y
        (0, 1), (2, 1), (1, 0), (1, 2),
    ]  # fmt: skip
    assert minimum.value == 0.0
