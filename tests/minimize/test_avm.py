"""The moves of our alternating variable method, each where no other one gets there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import cfunc, types

from zeroin.minimize import Domain, Door, Minimum, Stop, minimize, random_state
from zeroin.minimize.avm import _edit
from zeroin.native.kernel import CELLS
from zeroin.words import Kind

TEXT = Domain(
    (Kind.INT, *(Kind.CHAR,) * 6), ((0, 6), *((0, 127),) * 6), ((), *(tuple(map(ord, "aqz")),) * 6)
)  # a length and six characters


def words_of(text: str) -> list[int]:
    return [len(text), *map(ord, text.ljust(6, text[-1]))]


@cfunc(types.float64(CELLS))
def is_abcd(words: Any) -> float:
    if words[0] == 4 and words[1] == 97 and words[2] == 98 and words[3] == 99 and words[4] == 100:
        return 0.0
    return 1.0


@cfunc(types.float64(CELLS))
def digits_missing(words: Any) -> float:
    rest, total = words[0], 0
    while rest > 0:
        total += rest % 10
        rest //= 10
    return float(abs(total - 150))


LIST = Domain(
    (Kind.U8, *(Kind.INT,) * 16), ((0, 16), *((-(10**9), 10**9),) * 16), ((0, 1, 2, 3, 16), *((0, 1, -1, 77),) * 16)
)  # a length and sixteen items


@cfunc(types.float64(CELLS))
def five_in_the_list(words: Any) -> float:
    count = 0
    for i in range(words[0]):
        if words[1 + i] == 77:
            count += 1
    return float(abs(5 - count))


@cfunc(types.float64(CELLS))
def all_in_the_list(words: Any) -> float:
    left = 16
    for i in range(16):
        if words[1 + i] == 77:
            left -= 1
    return float(left)


def reached(objective: Any, domain: Domain, start: list[int], evaluations: int, seed: int = 3) -> Minimum:
    door = Door(objective.address, len(start))
    door.open(evaluations)
    return minimize("avm", door, domain, np.array(start, dtype=np.int64), random_state([seed]))


@pytest.mark.parametrize("text", ["bcd", "abxcd", "zabcd", "abcdd"])
def test_characters_are_inserted_and_removed(text: str) -> None:
    """The objective is flat but at "abcd": nothing but that one move gets there, and one round suffices."""
    found = reached(is_abcd, TEXT, words_of(text), 2_000)
    assert found.reason is Stop.ZERO
    assert found.words[:5] == (4, 97, 98, 99, 100)


def test_two_edits_at_once_are_not_tried() -> None:
    assert reached(is_abcd, TEXT, words_of("xbcdx"), 2_000).reason is Stop.BUDGET


def test_a_failed_edit_leaves_the_words_as_they_were() -> None:
    door = Door(is_abcd.address, 7)
    x = np.array(words_of("xyz"), dtype=np.int64)
    door.open(10_000)
    assert _edit(door.native, TEXT.native, x, 0, 7, 1.0, random_state([0])) == 1.0
    assert x.tolist() == words_of("xyz")


def test_where_texts_end() -> None:
    kinds = (Kind.F64, Kind.U8, Kind.CHAR, Kind.CHAR, Kind.U8, Kind.U8, Kind.CHAR)
    domain = Domain(kinds, ((0, 1),) * 7, ((),) * 7)
    assert domain.text_ends is not None
    assert domain.text_ends.tolist() == [0, 4, 0, 0, 0, 7, 0]
    assert Domain((Kind.F64,), ((0, 1),), ((),)).text_ends is None


def test_decimal_digits() -> None:
    """From most numbers, no step of a power of two makes the sum of the digits come nearer."""
    domain = Domain((Kind.INT,), ((0, 10**18),), ((),))
    found = reached(digits_missing, domain, [10**17], 2_000)
    assert found.reason is Stop.ZERO
    assert sum(map(int, str(found.words[0]))) == 150


@pytest.mark.parametrize("short", [2, 3])
def test_leaves_a_plateau_by_a_step_aside(short: int) -> None:
    """More items change nothing by themselves, nor does an item beyond the length. A start takes 1,300 evaluations."""
    for seed in range(20):
        assert reached(five_in_the_list, LIST, [short, *[0] * 16], 5_500, seed).reason is Stop.ZERO, seed


def test_puts_values_into_all_words_before_it_sweeps_again() -> None:
    """Sweeps over all words take 1,200 evaluations, so sixteen times that, once a value, does not fit."""
    assert reached(all_in_the_list, LIST, [0] * 17, 4_000).reason is Stop.ZERO
