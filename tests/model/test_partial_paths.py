"""Partial paths: those that are left out, and what the others need not take, change no fitness."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zeroin.model.ahead import PartialPath, nearest
from zeroin.term import BOOL, variable
from zeroin.term.build import negation

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


@given(
    st.lists(st.builds(PartialPath, st.lists(st.sampled_from(LITERALS), max_size=4).map(tuple), st.integers(0, 2)),
             min_size=1, max_size=6),
    st.lists(st.tuples(st.booleans(), st.integers(1, 15)), min_size=4, max_size=4),
)  # fmt: skip
def test_the_nearest_is_as_far_as_before(paths: list[PartialPath], state: list[tuple[bool, int]]) -> None:
    """A condition that holds has a distance of 0, and only such a one; sixteenths are exact."""
    distance: dict[object, float] = {}
    for one, (holds, far) in zip((A, B, C, D), state, strict=True):
        distance[one], distance[negation(one)] = (0.0, far / 16.0) if holds else (far / 16.0, 0.0)
    left = nearest(paths)
    assert len(left) <= len(paths)
    assert fitness(left, distance) == fitness(paths, distance)
