"""Few inputs, and simple ones."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.languages.c.front.layout import Scalar
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.subject.base import Run, Termination, Words
from zeroin.suite.reduce import reduce
from zeroin.suite.simplify import Limited, simplify
from zeroin.words import Kind, decode, encode

outcomes = st.sampled_from([Termination.RETURNED, Termination.RETURNED, Termination.SEGV])
covers = st.frozensets(st.integers(0, 9), max_size=6)
runs = st.lists(st.builds(Run, st.just((0,)), outcomes, covers), max_size=12)


def covered(chosen: list[Run]) -> set[int]:
    return set().union(*(run.covered for run in chosen))


@given(runs, st.frozensets(st.integers(0, 9)))
def test_nothing_wanted_is_lost_and_no_run_is_idle(all_runs: list[Run], wanted: frozenset[int]) -> None:
    chosen = reduce(all_runs, wanted)
    kept = [all_runs[n] for n in chosen]
    assert covered(kept) & wanted == covered(all_runs) & wanted
    for number in chosen:
        others = covered([all_runs[n] for n in chosen if n != number])
        assert all_runs[number].covered & wanted - others


@given(runs, st.frozensets(st.integers(0, 9)))
def test_a_run_that_does_not_return_is_kept_only_for_what_no_other_covers(
    all_runs: list[Run], wanted: frozenset[int]
) -> None:
    returned = covered([run for run in all_runs if run.returned])
    for number in reduce(all_runs, wanted):
        if not all_runs[number].returned:
            assert all_runs[number].covered & wanted - returned


DOUBLE = CSignature("f", (CParameter("x", "double", Scalar(Kind.F64)),), "double", result=Scalar(Kind.F64))


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
    def again(words: Words) -> Run:
        value = float(decode(Kind.F64, words[0]))
        return Run(words, Termination.RETURNED, frozenset([0 if predicate(value) else 1]))  # type: ignore[operator]

    (simple,) = simplify(DOUBLE, [again((encode(Kind.F64, start),))], frozenset([0]), Limited(again, 1_000_000, 60.0))
    assert repr(decode(Kind.F64, simple.words[0])) == repr(expected)
    assert 0 in simple.covered


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_simplifying_keeps_what_is_wanted(value: float, bound: float) -> None:
    def again(words: Words) -> Run:
        return Run(words, Termination.RETURNED, frozenset([int(float(decode(Kind.F64, words[0])) < bound)]))

    before = again((encode(Kind.F64, value),))
    (after,) = simplify(DOUBLE, [before], frozenset([0, 1]), Limited(again, 1_000_000, 60.0))
    assert after.covered == before.covered
    assert again(after.words) == after
    assert len(repr(decode(Kind.F64, after.words[0]))) <= max(len(repr(value)), 7)  # -inf becomes -1e+300
