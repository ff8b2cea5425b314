"""Few inputs, and simple ones."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.subject.base import Outcome, Parameter, Signature, Words
from zeroin.suite.simplify import simplify
from zeroin.suite.suite import Run, minimise
from zeroin.words import Kind, decode, encode

outcomes = st.sampled_from([Outcome.RETURNED, Outcome.RETURNED, Outcome.SEGV])
covers = st.frozensets(st.integers(0, 9), max_size=6)
runs = st.lists(st.tuples(st.just((0,)), outcomes, covers), max_size=12)


def covered(chosen: list[tuple[Words, Outcome, frozenset[int]]]) -> set[int]:
    return set().union(*(c for _, _, c in chosen))


@given(runs, st.frozensets(st.integers(0, 9)))
def test_nothing_wanted_is_lost_and_no_run_is_idle(
    all_runs: list[tuple[Words, Outcome, frozenset[int]]], wanted: frozenset[int]
) -> None:
    chosen = minimise(all_runs, wanted)
    kept = [all_runs[n] for n in chosen]
    assert covered(kept) & wanted == covered(all_runs) & wanted
    for number in chosen:
        others = covered([all_runs[n] for n in chosen if n != number])
        assert all_runs[number][2] & wanted - others


@given(runs, st.frozensets(st.integers(0, 9)))
def test_a_run_that_does_not_return_is_kept_only_for_what_no_other_covers(
    all_runs: list[tuple[Words, Outcome, frozenset[int]]], wanted: frozenset[int]
) -> None:
    returned = covered([r for r in all_runs if r[1] is Outcome.RETURNED])
    for number in minimise(all_runs, wanted):
        if all_runs[number][1] is not Outcome.RETURNED:
            assert all_runs[number][2] & wanted - returned


DOUBLE = Signature("f", (Parameter("x", "double", Kind.F64),), Kind.F64)


@pytest.mark.parametrize(
    ("predicate", "start", "expected"),
    [
        (lambda x: 0.25 < x < 0.75, 0.49999873, 0.5),
        (lambda x: x > 1e300, 1.2345678e305, 1e305),
        (lambda x: x < -3.5, -7.123, -7.0),
        (lambda x: x != x, math.nan, math.nan),
        (lambda x: x == 0.1, 0.1, 0.1),
        (lambda x: True, 123.456, 0.0),
        (lambda x: 709.3 < x < 709.78, 709.7712345, 709.7),
    ],
)
def test_values_become_simple(predicate: object, start: float, expected: float) -> None:
    def covers(words: Words) -> tuple[Outcome, frozenset[int]]:
        value = float(decode(Kind.F64, words[0]))
        return Outcome.RETURNED, frozenset([0 if predicate(value) else 1])  # type: ignore[operator]

    before: list[Run] = [((encode(Kind.F64, start),), Outcome.RETURNED, frozenset([0]))]
    ((words, _, now),) = simplify(DOUBLE, before, frozenset([0]), covers)
    assert repr(decode(Kind.F64, words[0])) == repr(expected)
    assert 0 in now


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_simplifying_keeps_what_is_wanted(value: float, bound: float) -> None:
    def covers(words: Words) -> tuple[Outcome, frozenset[int]]:
        return Outcome.RETURNED, frozenset([int(float(decode(Kind.F64, words[0])) < bound)])

    words = (encode(Kind.F64, value),)
    before: list[Run] = [(words, *covers(words))]
    ((after, _, now),) = simplify(DOUBLE, before, frozenset([0, 1]), covers)
    assert now == before[0][2]
    assert covers(after)[1] == now
    assert len(repr(decode(Kind.F64, after[0]))) <= max(len(repr(value)), 7)  # -inf becomes -1e+300
