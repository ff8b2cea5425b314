"""Partial paths: those that are left out, and what the others need not take, change no fitness."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zeroin.model.ahead import PartialPath, are_never_further, nearest
from zeroin.term import BOOL, variable
from zeroin.term.core.build import negation

A, B, C, D = (variable(name, BOOL) for name in "abcd")
LITERALS = [literal for one in (A, B, C, D) for literal in (one, negation(one))]


def test_a_chain_of_alternatives_needs_no_negations() -> None:
    """``a || b || c``."""
    chain = [PartialPath((A,)), PartialPath((negation(A), B)), PartialPath((negation(A), negation(B), C))]
    assert nearest(chain) == [PartialPath((A,)), PartialPath((B,)), PartialPath((C,))]


def test_a_condition_that_leads_on_both_ways_does_not_count() -> None:
    assert nearest([PartialPath((A, B)), PartialPath((negation(A), B))]) == [PartialPath((B,))]


def test_what_is_dropped_counts() -> None:
    exact, vague = PartialPath((A, B)), PartialPath((A,), 1)
    assert nearest([vague, exact]) == [exact, vague]
    assert nearest([PartialPath((A, B), 1), vague]) == [vague]
    assert nearest([PartialPath((A,), 1), PartialPath((negation(A), B))]) == [PartialPath((negation(A), B)),
                                                                            PartialPath((A,), 1)]  # fmt: skip


def fitness(paths: list[PartialPath], distance: dict[object, float]) -> float:
    return min(one.dropped + sum(distance[literal] for literal in one.conditions) for one in paths)


def distances(state: list[tuple[bool, int]]) -> dict[object, float]:
    """A condition that holds has a distance of 0, and only such a one; sixteenths are exact."""
    distance: dict[object, float] = {}
    for one, (holds, far) in zip((A, B, C, D), state, strict=True):
        distance[one], distance[negation(one)] = (0.0, far / 16.0) if holds else (far / 16.0, 0.0)
    return distance


some_paths = st.lists(
    st.builds(PartialPath, st.lists(st.sampled_from(LITERALS), max_size=4).map(tuple), st.integers(0, 2)),
    min_size=1, max_size=6,
)  # fmt: skip
states = st.lists(st.tuples(st.booleans(), st.integers(1, 16)), min_size=4, max_size=4)


def test_what_ends_another_way_is_never_further() -> None:
    whole, end = PartialPath((A, B, C), 1), PartialPath((B, C), 1)
    assert are_never_further([end], [whole, end])
    assert not are_never_further([whole], [end])
    assert not are_never_further([end], [whole, PartialPath((A,), 1)])
    assert not are_never_further([PartialPath((B, C), 2)], [whole])
    assert are_never_further([end], [PartialPath((D,), 3)]), "it takes 3 at most"
    assert not are_never_further([end], [PartialPath((D,), 2)])


@given(some_paths, st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=4), states)
def test_what_is_never_further_is_not_further(
    paths: list[PartialPath], cuts: list[tuple[int, int]], state: list[tuple[bool, int]]
) -> None:
    """Of ends of the paths, some of which dropped more."""
    ends = [PartialPath(one.conditions[cut:], one.dropped + more)
            for one, (cut, more) in zip(paths, cuts, strict=False)]  # fmt: skip
    if are_never_further(ends, paths):
        assert fitness(ends, distances(state)) <= fitness(paths, distances(state))


@given(some_paths, states)
def test_the_nearest_is_as_far_as_before(paths: list[PartialPath], state: list[tuple[bool, int]]) -> None:
    distance, left = distances(state), nearest(paths)
    assert len(left) <= len(paths)
    assert fitness(left, distance) == fitness(paths, distance)
