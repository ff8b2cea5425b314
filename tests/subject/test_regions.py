"""Loops that are entered at several places are entered at one, once some blocks have copies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.model.memory import Unreadable
from zeroin.subject.acyclic_regions import reducible, regions

graphs = st.integers(1, 8).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=2), min_size=n, max_size=n)
)


@given(graphs, st.lists(st.integers(0, 1), max_size=30))
def test_copies_go_where_their_blocks_go_and_loops_have_one_entry(targets: list[list[int]], way: list[int]) -> None:
    origin, found = reducible(targets, 5_000)
    assert origin[: len(targets)] == list(range(len(targets)))
    for block, some in zip(origin, found, strict=True):
        assert [origin[to] for to in some] == targets[block]
    regions([tuple(dict.fromkeys(some)) for some in found], "f")
    block, copy = 0, 0
    for step in way:
        if step >= len(targets[block]):
            break
        block, copy = targets[block][step], found[copy][step]
        assert origin[copy] == block


def test_what_is_entered_at_one_place_stays_as_it_is() -> None:
    nested = [[1], [2, 5], [3], [2, 4], [1], []]
    assert reducible(nested, 100) == (list(range(6)), nested)


def test_the_part_in_front_of_the_header_is_copied() -> None:
    """The first turn begins in the middle."""
    targets = [[1, 2], [2], [3, 1], []]
    origin, found = reducible(targets, 100)
    assert (origin, found) == ([0, 1, 2, 3, 2], [[1, 4], [2], [3, 1], [], [3, 1]])


def test_there_are_no_more_copies_than_wanted() -> None:
    targets = [[1, 2], [2], [3, 1], []]
    assert reducible(targets, 4) == ([0, 1, 2, 3], targets)
    with pytest.raises(Unreadable, match="entered at several places"):
        regions(targets, "f")
