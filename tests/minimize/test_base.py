"""The door, the domain and the random streams that minimizers share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import cfunc, types

from zeroin.minimize import Domain, Door, Stop, random_state
from zeroin.minimize.base import (
    moved,
    random_below,
    random_between,
    random_unit,
    random_word,
    sample,
)
from zeroin.minimize.seeds import binades, combinations
from zeroin.native.cells import HEADER, NEWS, NEWS_OF_ABNORMAL_RUN
from zeroin.native.kernel import CELLS, cells_at
from zeroin.native.words import word_of_value
from zeroin.subject.search_problem import SearchProblem
from zeroin.words import Kind, encode, word_range

LOG = np.zeros(1 + 40 * 10_000, dtype=np.int64)
LOG_ADDRESS = LOG.ctypes.data
WIDTH = 20


@cfunc(types.float64(CELLS))
def logging(words: Any) -> float:
    log = cells_at(LOG_ADDRESS)
    for i in range(WIDTH):
        log[1 + WIDTH * log[0] + i] = words[i]
    log[0] += 1
    return 1.0


@cfunc(types.float64(CELLS))
def first_word(words: Any) -> float:
    return float(words[0])


def logged(columns: int) -> list[tuple[int, ...]]:
    rows = LOG[1 : 1 + WIDTH * int(LOG[0])].reshape(-1, WIDTH)
    return [tuple(row[:columns]) for row in rows.tolist()]


def logging_door(evaluations: int) -> Door:
    LOG[0] = 0
    door = Door(logging.address, WIDTH)
    door.open(evaluations)
    return door


# ---- the door ----


def test_the_best_is_kept_and_zero_closes() -> None:
    door = Door(first_word.address, 1)
    door.open(10)
    assert [door.evaluate((w,)) for w in (5, 3, 4, 3)] == [5.0, 3.0, 4.0, 3.0]
    best = door.result()
    assert (best.words, best.value, best.evaluations, best.reason) == ((3,), 3.0, 4, Stop.OPEN)
    assert door.evaluate((0,)) == 0.0
    assert door.evaluate((1,)) == np.inf
    best = door.result()
    assert (best.words, best.value, best.evaluations, best.reason) == ((0,), 0.0, 5, Stop.ZERO)


def test_a_zero_at_the_last_evaluation_is_a_zero() -> None:
    door = Door(first_word.address, 1)
    door.open(1)
    door.evaluate((0,))
    assert (door.result().reason, door.result().evaluations) == (Stop.ZERO, 1)


def test_opening_again_forgets() -> None:
    door = Door(first_word.address, 1)
    door.open(5)
    door.evaluate((0,))
    door.open(2)
    door.evaluate((9,))
    assert (door.result().words, door.result().value, door.result().evaluations) == ((9,), 9.0, 1)
    door.evaluate((8,))
    assert (door.result().words, door.result().reason) == ((8,), Stop.BUDGET)


def test_the_parent_can_see_the_door_and_the_words() -> None:
    shared = np.zeros(12, dtype=np.int64)
    door = Door(first_word.address, 1, current=shared[8:9], cells=shared[:8])
    door.open(10)
    door.evaluate((7,))
    assert (shared[0], shared[8]) == (9, 7)


@pytest.mark.parametrize(
    ("news", "abnormal", "outcome", "reason"),
    [
        (1, 0, 0, Stop.NEWS),
        (1, 1, 0, Stop.NEWS),
        (1, 0, 4, Stop.OPEN),  # nothing new but that a crash took it
        (1, 1, 4, Stop.NEWS),
        (0, 0, 0, Stop.OPEN),
    ],
)
def test_news_closes_the_door(news: int, abnormal: int, outcome: int, reason: Stop) -> None:
    ended = np.array([outcome], dtype=np.int64)
    question = SearchProblem(1.0, (0, 0), np.zeros(HEADER, dtype=np.int64), np.zeros(1, dtype=np.uint8))
    door = Door(first_word.address, 1, question, ended.ctypes.data)
    door.open(10)
    door.evaluate((3,))
    question.data[NEWS], question.data[NEWS_OF_ABNORMAL_RUN] = news, abnormal
    door.evaluate((5,))
    found = door.result()
    assert (found.reason, found.evaluations) == (reason, 2)
    assert found.words == ((5,) if reason is Stop.NEWS else (3,))
    assert list(question.data[:2]) == [0, 0]


# ---- random streams ----


def test_streams_differ_and_repeat() -> None:
    def first(*seeds: int) -> list[int]:
        rng = random_state(seeds)
        return [random_word(rng) for _ in range(5)]

    assert first(1, 2) == first(1, 2)
    streams = [first(0), first(1), first(1, 2), first(2, 1), first(1, 2, 3)]
    assert len({tuple(s) for s in streams}) == len(streams)


@given(st.integers(-(2**63), 2**63 - 1), st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**32))
def test_random_numbers_stay_in_their_ranges(one: int, two: int, seed: int) -> None:
    low, high = min(one, two), max(one, two)
    rng = random_state([seed])
    for _ in range(5):
        assert low <= random_between(rng, low, high) <= high
        assert 0 <= random_below(rng, 7) < 7
        assert 0.0 <= random_unit(rng) < 1.0


def test_random_words_are_spread() -> None:
    rng = random_state([0])
    words = np.array([random_word(rng) for _ in range(4000)])
    for bit in range(64):
        assert 0.45 < np.mean(words >> bit & 1) < 0.55
    assert sorted({random_below(rng, 5) for _ in range(200)}) == [0, 1, 2, 3, 4]


@given(st.integers(-(2**63), 2**63 - 1), st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=2),
       st.integers(-(2**63) + 1, 2**63 - 1))  # fmt: skip
def test_moves_stop_at_the_ends(word: int, ends: list[int], step: int) -> None:
    low, high = min(ends), max(ends)
    word = min(max(word, low), high)
    assert moved(word, step, low, high) == min(max(word + step, low), high)


# ---- the domain ----

DOMAINS = [
    Domain((Kind.F64,), (word_range(Kind.F64),), ((),)),
    Domain(tuple(Kind), tuple(word_range(k) for k in Kind), tuple((0, 1) for _ in Kind)),
    Domain((Kind.I32, Kind.I32), ((0, 8), (-3, 3)), ((8,), ())),
    Domain((Kind.U64, Kind.BOOL), (word_range(Kind.U64), (0, 1)), ((), ())),
]


@pytest.mark.parametrize("domain", DOMAINS)
def test_samples_stay_in_the_ranges(domain: Domain) -> None:
    x, rng = np.zeros(len(domain.kinds), dtype=np.int64), random_state([5])
    native = domain.native
    seen = [set[int]() for _ in domain.kinds]
    for _ in range(3000):
        sample(native, x, rng)
        for word, (low, high), values in zip(x.tolist(), domain.ranges, seen, strict=True):
            assert low <= word <= high
            values.add(word)
    for values, (low, high) in zip(seen, domain.ranges, strict=True):
        assert len(values) >= min(high - low + 1, 100)


# ---- seeds ----


def test_all_combinations_once() -> None:
    domain = Domain((Kind.I8,) * 3, ((-128, 127),) * 3, ((1, 2), (), (5, 6, 7)))
    door = logging_door(100)
    x = np.array([0, 44, 0] + [0] * (WIDTH - 3), dtype=np.int64)
    assert combinations(door.native, domain.native, x[:3], random_state([0]), 0, 1000) == 6
    assert sorted(logged(3)) == [(a, 44, c) for a in (1, 2) for c in (5, 6, 7)]


def test_combinations_go_on_where_they_stopped() -> None:
    domain = Domain((Kind.I8,) * 2, ((-128, 127),) * 2, ((1, 2, 3, 4), (5, 6, 7)))
    x = np.zeros(WIDTH, dtype=np.int64)
    door = logging_door(5)
    following = combinations(door.native, domain.native, x[:2], random_state([0]), 0, 1000)
    first = logged(2)
    door = logging_door(100)
    combinations(door.native, domain.native, x[:2], random_state([0]), following, 1000)
    assert len(first) == 5
    assert sorted(first + logged(2)) == [(a, b) for a in (1, 2, 3, 4) for b in (5, 6, 7)]


@pytest.mark.parametrize("words", [3, 8, 12, WIDTH])
def test_a_selection_of_many_combinations_repeats_little(words: int) -> None:
    domain = Domain((Kind.I8,) * words, ((-128, 127),) * words, (tuple(range(40)),) * words)
    door = logging_door(10_000)
    x = np.zeros(WIDTH, dtype=np.int64)
    combinations(door.native, domain.native, x[:words], random_state([0]), 0, 1000)
    tried = logged(words)
    assert 990 <= len(tried) <= 1000
    assert len(set(tried)) > 900
    for column in zip(*tried, strict=True):
        assert len(set(column)) > 10


def test_binades_sweep_the_range_of_every_word() -> None:
    domain = Domain(
        (Kind.F64, Kind.I8, Kind.I32), (word_range(Kind.F64), word_range(Kind.I8), (3, 9)), ((0,), (0,), ())
    )
    door = logging_door(20_000)
    x = np.zeros(WIDTH, dtype=np.int64)
    assert binades(door.native, domain.native, x[:3], random_state([0]), 0, 4096) == 3 * 4096
    tried = logged(3)
    assert len({word >> 52 for word, _, _ in tried[:4096]}) == 4096
    assert {word for _, word, _ in tried} == set(range(-128, 128))
    assert {word for _, _, word in tried} == set(range(3, 10))


@pytest.mark.parametrize("kind", [Kind.I64, Kind.U64, Kind.U8, Kind.INT, Kind.F64, Kind.F32])
@pytest.mark.parametrize("value", [0.0, 5.0, 600.0, -3.0, 2.0**40, 2.0**63, 2.0**64, -(2.0**70), 1e300, float("inf")])
def test_words_of_values_are_exact_and_in_range(kind: Kind, value: float) -> None:
    low, high = word_range(kind)
    word = word_of_value(int(kind), value, low, high)
    assert low <= word <= high
    try:
        expected = encode(kind, value)
    except (ValueError, OverflowError):  # it has none: the nearest there is
        expected = high if value > 0 else low
    assert word == expected
    assert -7 <= word_of_value(int(kind), value, -7, 9) <= 9


# ---- runs of words ----


@pytest.mark.parametrize("minimizes", ["sample", "combinations"])
def test_what_is_worth_trying_for_several_words_together(minimizes: str) -> None:
    """A run's words are drawn as others are, or one of its choices; those beside it are not touched."""
    texts = ((65, 66, 0), (70, 0, 0))
    kinds = (Kind.I32, *[Kind.BYTE] * 3, *[Kind.BYTE] * 3, Kind.I32)
    ranges = ((5, 9), *[(0, 255)] * 6, (5, 9))
    domain = Domain(kinds, ranges, ((5, 6),) * 1 + ((1, 2),) * 6 + ((8, 9),), ((1, texts), (4, texts))).native
    x, rng, points = np.zeros(8, dtype=np.int64), random_state([3]), list[tuple[int, ...]]()
    if minimizes == "sample":
        for _ in range(400):
            sample(domain, x, rng)
            points.append(tuple(x.tolist()))
    else:
        door = logging_door(400)
        combinations(door.native, domain, np.zeros(WIDTH, dtype=np.int64)[:8], rng, 0, 200)
        points = logged(8)
    assert all(5 <= point[0] <= 9 and 5 <= point[7] <= 9 for point in points)
    for first in (1, 4):
        chosen = [point[first : first + 3] for point in points if point[first : first + 3] in texts]
        assert set(chosen) == set(texts)
        assert 0.1 < len(chosen) / len(points) < 0.6
