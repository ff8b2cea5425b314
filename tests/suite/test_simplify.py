"""Values become simple word by word, and never at the price of a branch."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import Programs, words_of
from zeroin.languages.c.front.layout import Scalar
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.subject.base import Run, Termination, Words
from zeroin.suite.reduce import reduce
from zeroin.suite.simplify import simplify
from zeroin.words import Kind, decode, encode, value_range, word_range


def one(kind: Kind, value: Any, predicate: Callable[[Any], bool], **fields: Any) -> Any:
    """What a single value becomes when the predicate must go on to hold."""
    signature = CSignature("f", (CParameter("x", "", Scalar(kind), **fields),))

    def again(words: Words) -> Run:
        return Run(words, Termination.RETURNED, frozenset([int(predicate(decode(kind, words[0])))]))

    (simple,) = simplify(signature, [again((encode(kind, value),))], frozenset([1]), again)
    return decode(kind, simple.words[0])


@pytest.mark.parametrize(
    ("kind", "value", "predicate", "expected"),
    [
        (Kind.I32, 1_234_567, lambda x: x > 1000, 1_000_000),
        (Kind.I32, -98_765, lambda x: x < -10, -90_000),
        (Kind.I32, 199, lambda x: x > 190, 200),
        (Kind.I64, 12_345_678_901, lambda x: x > 12_300_000_000, 20_000_000_000),
        (Kind.I32, 77, lambda x: x == 77, 77),
        (Kind.I32, 123_456, lambda x: True, 0),
        (Kind.U8, 250, lambda x: x > 199, 200),
        (Kind.U64, (1 << 64) - 7, lambda x: x > 0, 5),
        (Kind.BOOL, True, lambda x: True, False),
        (Kind.BOOL, True, lambda x: x, True),
        (Kind.F32, 0.49999873, lambda x: 0.25 < x < 0.75, 0.5),
        (Kind.F64, -0.3333333333333, lambda x: x < 0, -1.0),
        (Kind.F64, 3.999999999, lambda x: x > 3.5, 4.0),
        (Kind.BYTE, 200, lambda x: x > 0, ord("a")),
        (Kind.BYTE, 200, lambda x: x < 97, 0),
    ],
)
def test_values_of_every_sort(kind: Kind, value: Any, predicate: Callable[[Any], bool], expected: Any) -> None:
    assert one(kind, value, predicate) == expected


@pytest.mark.parametrize("kind", list(Kind))
@given(data=st.data())
def test_any_value_of_any_kind(kind: Kind, data: st.DataObject) -> None:
    low, high = word_range(kind)
    word, bound = data.draw(st.integers(low, high)), data.draw(st.integers(low, high))
    signature = CSignature("f", (CParameter("x", "", Scalar(kind)),))

    def again(words: Words) -> Run:
        assert low <= words[0] <= high
        return Run(words, Termination.RETURNED, frozenset([int(words[0] < bound)]))

    before = again((word,))
    (after,) = simplify(signature, [before], frozenset([0, 1]), again)
    assert after == again(after.words)
    assert (after.outcome, after.covered) == (before.outcome, before.covered)


@given(st.integers(0, 8))
def test_the_used_length_stays_in_its_range(length: int) -> None:
    assert 0 <= one(Kind.I32, length, lambda x: x >= length, limit=8, count_of="xs") <= 8
    assert value_range(Kind.I32)[1] > 8


def test_what_only_this_run_covers_is_kept_the_rest_may_go() -> None:
    """Two runs: what the other one covers as well need not be held on to."""
    signature = CSignature("f", (CParameter("x", "int", Scalar(Kind.I32)),))

    def again(words: Words) -> Run:
        (x,) = words
        return Run(words, Termination.RETURNED, frozenset([0 if x > 100 else 1, 2 if x % 2 else 3]))

    simple = simplify(signature, [again((777,)), again((-33,))], frozenset([0, 1, 2]), again)
    assert set().union(*(run.covered for run in simple)) >= {0, 1, 2}
    assert [run.words for run in simple] == [(800,), (1,)]


def test_runs_that_do_not_return_are_left_alone() -> None:
    signature = CSignature("f", (CParameter("x", "int", Scalar(Kind.I32)),))
    crash = Run((123_456,), Termination.SEGV, frozenset([0]))

    def again(words: Words) -> Run:
        raise AssertionError("is not run again")

    assert simplify(signature, [crash], frozenset([0]), again) == [crash]


def test_a_simpler_value_that_crashes_is_not_taken() -> None:
    signature = CSignature("f", (CParameter("x", "int", Scalar(Kind.I32)),))

    def again(words: Words) -> Run:
        return Run(words, Termination.FPE if words[0] == 0 else Termination.RETURNED, frozenset([0]))

    assert simplify(signature, [again((987,))], frozenset([0]), again) == [again((5,))]


def test_arrays_and_null(programs: Programs) -> None:
    subject = programs.load(
        "int f(const double v[3], const int *p) { if (!p) return v[1] > 0.25 ? 1 : 2; return *p > 10 ? 3 : 4; }"
    )
    arguments: list[list[Any]] = [[[1.7, 0.73, -8.25], None], [[9.5, -3.1, 2.2], None], [[0.1, 0.2, 0.3], [12_345]],
                                  [[0.1, 0.2, 0.3], [-77]]]  # fmt: skip
    runs = [subject.run(words_of(subject.signature, *a)) for a in arguments]
    wanted = frozenset(range(2 * len(subject.sites)))
    simple = simplify(subject.signature, runs, wanted, subject.run)
    assert set().union(*(run.covered for run in simple)) == set().union(*(run.covered for run in runs))
    shown = [subject.signature.show(run.words) for run in simple]
    assert shown[0] in ("f({0.0, 0.5, 0.0}, NULL)", "f({0.0, 1.0, 0.0}, NULL)")
    assert shown[1] == "f({0.0, 0.0, 0.0}, NULL)"
    assert all(len(one) < 40 for one in shown)


PROGRAM = """
int f(int a, double x, unsigned char c)
{
    if (a > 17 && a != 100) { if (x > 0.3 && x < 0.34) return 1; }
    if (c == 'x') { if (a < -5) return 2; }
    return x > 1e200 ? 3 : 4;
}
"""


@given(st.lists(st.tuples(st.integers(-200, 200), st.sampled_from([0.31, 0.33, -4.2, 1e250, 7.5]),
                          st.sampled_from([120, 3, 77])), min_size=1, max_size=12))  # fmt: skip
def test_reduce_and_simplify_keep_the_coverage(programs: Programs, drawn: list[tuple[int, float, int]]) -> None:
    subject = programs.load(PROGRAM)
    runs = [subject.run(words_of(subject.signature, *values)) for values in drawn]
    wanted = frozenset(range(2 * len(subject.sites)))
    covered = set().union(*(run.covered for run in runs))
    chosen = [runs[n] for n in reduce(runs, wanted)]
    simple = simplify(subject.signature, chosen, wanted, subject.run)
    again = [simple[n] for n in reduce(simple, wanted)]
    assert set().union(*(run.covered for run in again)) >= covered
    for run in again:
        assert subject.run(run.words) == run
    for one_run, other in itertools.combinations(again, 2):
        assert one_run.words != other.words
