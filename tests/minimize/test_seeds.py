"""Points that are only tried: drawn ones, and known ones with words of these."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numba import cfunc, types

from zeroin.minimize import Domain, Door, random_state
from zeroin.minimize.base import sample
from zeroin.minimize.seeds import LETTERS, draws
from zeroin.native.kernel import CELLS, cells_at
from zeroin.words import Kind

LOG = np.zeros(1 + 8 * 12000, dtype=np.int64)  # how many words in all; the words of each evaluation
LOG_ADDRESS = LOG.ctypes.data
ARITY_ADDRESS = (ARITY := np.zeros(1, dtype=np.int64)).ctypes.data
RANGE = (-1_000_000, 1_000_000)
Points = list[tuple[int, ...]]


@cfunc(types.float64(CELLS))
def logged(words: Any) -> float:
    log, arity = cells_at(LOG_ADDRESS), cells_at(ARITY_ADDRESS)[0]
    for i in range(arity):
        log[1 + log[0] + i] = words[i]
    log[0] += arity
    return 1.0


def drawn(kinds: tuple[Kind, ...], known: Points, evaluations: int, pool: tuple[int, ...] = ()) -> Points:
    """The points in the order of their evaluation; the pool is of characters."""
    arity = len(kinds)
    LOG[0], ARITY[0] = 0, arity
    pools = tuple(pool if kind in (Kind.CHAR, Kind.BYTE) else () for kind in kinds)
    domain = Domain(kinds, (RANGE,) * arity, pools)
    door, x, new = Door(logged.address, arity), np.zeros(arity, dtype=np.int64), np.zeros(arity, dtype=np.int64)
    door.open(evaluations)
    rows = np.array(known, dtype=np.int64).reshape(len(known), arity)
    letters = np.zeros(LETTERS, dtype=np.int64)
    draws(door.native, domain.native, x, random_state([7]), rows, new, new.copy(), letters)
    assert door.result().evaluations == evaluations
    return [tuple(row) for row in LOG[1 : 1 + LOG[0]].reshape(-1, arity).tolist()]


@pytest.mark.parametrize("kind", [Kind.CHAR, Kind.BYTE])
def test_a_quarter_of_the_points_has_few_characters_that_are_worth_trying(kind: Kind) -> None:
    """Among eight independent words, eight of the pool of ten are seldom, and eight of two of them never."""
    pool = tuple(range(65, 75))
    points = drawn((Kind.I32, *(kind,) * 8), [], 6000, pool)
    few = [point[1:] for point in points if set(point[1:]) <= set(pool) and len(set(point[1:])) <= LETTERS]
    assert 0.2 < len(few) / len(points) < 0.3
    assert {len(set(word)) for word in few} == {1, 2, 3, 4}
    assert set().union(*few) == set(pool)
    assert len({point[0] for point in points}) > 4000, "other words are drawn as always"


# Values that are hardly drawn, so that one sees where a word comes from.
KNOWN = [tuple(900_000 + 10_000 * row + word for word in range(6)) for row in range(3)]


def test_without_known_points_all_are_new() -> None:
    points = drawn((Kind.I32,) * 6, [], 3000)
    assert len(set(points)) == 3000


def test_after_each_new_point_a_known_one_gets_some_of_its_words() -> None:
    points = drawn((Kind.I32, Kind.F64) * 3, KNOWN, 3000)  # no two neighbours of a kind: none are exchanged
    taken, rows = [], []
    for new, mixed in zip(points[::2], points[1::2], strict=True):
        assert not set(new) & {word for row in KNOWN for word in row}
        (row,) = {(word - 900_000) // 10_000 for word in mixed if word >= 900_000 and word not in new}
        assert all(m in (n, k) for m, n, k in zip(mixed, new, KNOWN[row], strict=True))
        taken.append(sum(m == n for m, n in zip(mixed, new, strict=True)))
        rows.append(row)
    assert {1, 2, 3, 4} == set(taken)
    assert set(rows) == {0, 1, 2}


def test_neighbours_of_a_kind_are_exchanged_now_and_then() -> None:
    points = drawn((Kind.I32,) * 6, KNOWN, 3000)
    exchanged = 0
    for mixed in points[1::2]:
        words = [word % 10_000 for word in mixed if word >= 900_000]
        exchanged += words != sorted(words)
    assert 50 < exchanged < 750


def test_a_word_is_put_in_between_others_now_and_then() -> None:
    """As a text needs it that lacks its first sign."""
    points = drawn((Kind.I32,) * 6, KNOWN, 12000)
    orders = {tuple(word % 10_000 if word >= 900_000 else -1 for word in mixed) for mixed in points[1::2]}
    assert {(-1, 0, 1, 2, 3, 4), (1, 2, 3, 4, 5, -1)} <= orders


def test_a_word_is_moved_only_among_its_kind() -> None:
    kinds = (Kind.I32, Kind.I32, Kind.F64, Kind.I32, Kind.I32, Kind.I32)
    places: list[set[int]] = [set() for _ in kinds]
    points = drawn(kinds, KNOWN, 6000)
    for new, mixed in zip(points[::2], points[1::2], strict=True):
        for place, word in enumerate(mixed):
            if word >= 900_000 and word not in new:
                places[word % 10_000].add(place)
    assert places == [{0, 1}, {0, 1}, {2}, {3, 4}, {3, 4, 5}, {4, 5}]


def test_a_single_word_is_drawn_every_time() -> None:
    """Put into a known point it would be the same point again."""
    assert drawn((Kind.I32,), [(5,), (6,)], 500) == drawn((Kind.I32,), [], 500)


def test_sixteen_points_in_a_row_are_drawn_in_the_same_way() -> None:
    """Without values worth trying, a first word is small or anything in its range, 3 to 5."""
    small = np.abs(np.array(drawn((Kind.I32,), [], 16 * 200))).reshape(200, 16) < 2048
    groups = small.sum(axis=1)
    assert set(groups) <= {0, 1, 2, 16}  # of those from the whole range, 2 in 1000 are small
    assert 40 < (groups == 16).sum() < 120


def test_a_starting_point_is_drawn_anew_in_every_word() -> None:
    stream, x, small = random_state([7]), np.zeros(2, dtype=np.int64), []
    domain = Domain((Kind.I32, Kind.F64), (RANGE,) * 2, ((), ())).native
    for _ in range(1000):
        sample(domain, x, stream)
        small.append(abs(int(x[0])) < 2048)
    changes = sum(a != b for a, b in itertools.pairwise(small))
    assert changes > 300
