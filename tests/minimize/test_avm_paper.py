"""The moves of FloPSy's AVM, step by step (Lakhotia et al. 2010, sections 2.3 and 3.2)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numba import cfunc, types

from zeroin.minimize import Domain, Door, minimize, random_state
from zeroin.minimize.base import random_unit, sample
from zeroin.native.kernel import CELLS, cells_at
from zeroin.native.words import value_of_word
from zeroin.words import Kind, decode, encode, word_range

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


@cfunc(types.float64(CELLS))
def upwards(words: Any) -> float:
    """Higher words are better; never 0."""
    log = cells_at(LOG_ADDRESS)
    log[0] += 1
    log[log[0]] = words[0]
    return 1.0 + float(np.int64((1 << 63) - 1) - words[0])


@cfunc(types.float64(CELLS))
def upwards_single(words: Any) -> float:
    log = cells_at(LOG_ADDRESS)
    log[0] += 1
    log[log[0]] = words[0]
    return 2.0**30 - value_of_word(1, words[0])


@cfunc(types.float64(CELLS))
def below_by_words(words: Any) -> float:
    """How far the word is below 2**62 - 100: each move up is better, up to there."""
    log = cells_at(LOG_ADDRESS)
    log[0] += 1
    log[log[0]] = words[0]
    return abs(float(np.int64((1 << 62) - 100) - words[0]))


def logged(objective: Any, kind: Kind, start: int, evaluations: int, name: str = "avm-paper") -> list[int]:
    """The words of the only variable, evaluation by evaluation."""
    LOG[0] = 0
    door = Door(objective.address, 1)
    door.open(evaluations)
    domain = Domain((kind,), (word_range(kind),), ((encode(kind, 0),),))
    minimize(name, door, domain, np.array([start], dtype=np.int64), random_state([1]))
    return [int(word) for word in LOG[1 : 1 + int(LOG[0])]]


def trace(objective: Any, kind: Kind, start: float, evaluations: int, name: str = "avm-paper") -> list[float]:
    """The values of the only variable, evaluation by evaluation."""
    words = logged(objective, kind, encode(kind, start), evaluations, name)
    return [float(value_of_word(int(kind), word)) for word in words]


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


@pytest.mark.parametrize("kind", [Kind.I32, Kind.U64, Kind.INT])
def test_precision_of_integers_is_never_raised_so_a_restart_follows(kind: Kind) -> None:
    """A local restart adds 10**-0 * r, as an integer: nothing. So the same moves come again, then a global restart."""
    values = trace(flat, kind, 10.0, 100)
    assert values[:6] == [10.0, 9.0, 11.0] * 2
    starts, after_local = values[0:96:6], values[3:96:6]
    assert starts == after_local
    drawn = values[6::6]
    assert len(set(drawn)) > 10
    assert values[7:9] == pytest.approx([values[6] - 1, values[6] + 1], abs=1)


def test_precision_of_doubles_goes_up_to_15_then_local_then_global_restart() -> None:
    values = trace(flat, Kind.F64, 0.0, 200)
    expected = [0.0]
    for precision in range(16):
        step = 10.0**-precision
        expected += [-step, step]
    assert values[:33] == expected
    assert 0.0 < values[33] < 1e-15  # local restart at precision 15
    assert values[34:36] == [values[33] - 1e-15, values[33] + 1e-15]
    assert values[36] == drawn_by(random_state([1]), units=1)  # a global restart, and precision 0 again
    assert values[37:39] == [values[36] - 1.0, values[36] + 1.0]


def drawn_by(rng: Any, units: int) -> float:
    """The value that the stream draws after so many numbers from 0 to 1."""
    for _ in range(units):
        random_unit(rng)
    x = np.zeros(1, dtype=np.int64)
    sample(Domain((Kind.F64,), (word_range(Kind.F64),), ((),)).native, x, rng)
    return float(value_of_word(0, x[0]))


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


# ---- deltas in the variable's type ----


def test_a_single_is_a_single_after_every_move() -> None:
    """1e8 + 1 is 1e8 as a single: the move is none, and must not add up with the next ones (section 3.2)."""
    words = logged(flat, Kind.F32, encode(Kind.F32, 1e8), 6)
    assert len(set(words[:3])) == 1, "neither exploratory move leaves 1e8"
    values = trace(flat, Kind.F32, 0.1, 3)
    start = np.float32(0.1)
    assert values == [float(start), float(start - np.float32(1.0)), float(start + np.float32(1.0))]


def test_pattern_moves_of_a_single_start_where_the_last_one_ended() -> None:
    """From 2**24 - 1, moves of 1, 2, 4 end at singles; sums of doubles would be 2**24 + 1, which is none."""
    values = trace(upwards_single, Kind.F32, 2.0**24 - 1, 5)
    expected = [np.float32(2.0**24 - 1)]
    expected.append(expected[0] - np.float32(1))
    here = expected[0] + np.float32(1)
    for step in (1, 2, 4):
        expected.append(here)
        here = here + np.float32(2 * step)
    assert values == [float(v) for v in expected]


@pytest.mark.parametrize(("kind", "start"), [(Kind.I64, 2**53), (Kind.I64, -(2**53)), (Kind.INT, 2**60)])
def test_integers_above_53_bits_move_by_one(kind: Kind, start: int) -> None:
    words = logged(flat, kind, start + 1, 3)
    assert [decode(kind, w) for w in words] == [start + 1, start, start + 2]


def test_unsigned_integers_above_53_bits_move_by_one() -> None:
    words = logged(flat, Kind.U64, encode(Kind.U64, 2**63 + 1), 3)
    assert [decode(Kind.U64, w) for w in words] == [2**63 + 1, 2**63, 2**63 + 2]


def test_an_odd_integer_above_53_bits_is_found() -> None:
    target = 2**62 - 100
    assert logged(below_by_words, Kind.I64, target - 12_345, 1000)[-1] == target


def test_moves_end_at_the_ends_of_the_range() -> None:
    words = logged(upwards, Kind.I64, 2**63 - 6, 20)
    assert max(words) == 2**63 - 1
    assert words[:4] == [2**63 - 6, 2**63 - 7, 2**63 - 5, 2**63 - 3]


# ---- parameters ----


def test_precision_is_settable() -> None:
    values = trace(flat, Kind.F64, 0.0, 8, "avm-paper(prec_double=2)")
    assert values[:7] == [0.0, -1.0, 1.0, -0.1, 0.1, -0.01, 0.01]
    assert 0.0 < values[7] < 0.01, "a local restart at precision 2"


def test_restarts_are_settable() -> None:
    """A local one adds up to 1 to where the search is; a global one draws anew, from all over the range."""
    local, drawn = (
        trace(flat, Kind.F64, 0.0, 400, f"avm-paper(prec_double=0, restart={restart})")[3::3]
        for restart in ("local", "global")
    )
    assert all(0.0 <= b - a < 1.0 for a, b in pairwise(local))
    assert local[-1] > 10.0
    assert max(abs(v) for v in drawn if v == v) > 1e10


def test_a_fixed_precision_is_never_raised() -> None:
    """Row SE4: moves begin at 10**-2, and when none helps, the search restarts at random, values all over the range."""
    values = trace(flat, Kind.F64, 0.0, 300, "avm-paper(fixed=2, restart=random)")
    assert values[:3] == [0.0, -0.01, 0.01]
    starts = values[3::3]
    assert all(abs(v) > 1e300 for v in starts), "of ordered words, most would be smaller"
    assert len({v > 0.0 for v in starts}) == 2
    whole = trace(flat, Kind.I32, 0, 30, "avm-paper(fixed=2, restart=random)")
    assert whole[:3] == [0, -1, 1]
