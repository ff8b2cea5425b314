"""Finite numbers in place of those that are not, where they do as well."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from zeroin.languages.c.front.layout import Scalar
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.subject.base import Run, Termination, Words
from zeroin.suite.finite import finite
from zeroin.suite.plausible import is_finite
from zeroin.suite.simplify import Limited
from zeroin.words import Kind, decode, encode


def tried(kinds: Sequence[Kind], values: Sequence[float], does: Callable[..., bool], runs: int = 1000) -> list[Any]:
    """The values that are left when ``does`` must go on to hold."""
    signature = signature_of(*kinds)

    def again(words: Words) -> Run:
        holds = does(*map(decode, kinds, words))
        return Run(words, Termination.RAISED if holds else Termination.RETURNED, frozenset())

    run = again(tuple(map(encode, kinds, values)))
    assert run.outcome is Termination.RAISED
    found = finite(signature, run, Limited(again, runs, 10.0), lambda other: other.outcome is Termination.RAISED)
    return [*map(decode, kinds, found.words)]


F, S, I = Kind.F64, Kind.F32, Kind.I32  # noqa: E741


@pytest.mark.parametrize(("kinds", "values", "does"), [
    ([F], [math.inf], lambda x: x > 1e308),
    ([F], [-math.inf], lambda x: x < -10),
    ([F], [math.nan], lambda x: not x > 0.0),
    ([F], [math.inf], lambda x: (x > 0 and x < 1e-200) or x == math.inf),
    ([S], [math.inf], lambda x: x > 1e10),
    ([F, I, F], [math.inf, 7, math.nan], lambda x, n, y: n == 7 and x >= 1 and not y > 10),
    ([F, F], [math.inf, math.inf], lambda x, y: (x * y == math.inf and x < 10) or x == math.inf),
])  # fmt: skip
def test_a_finite_input_is_found(kinds: list[Kind], values: list[float], does: Callable[..., bool]) -> None:
    found = tried(kinds, values, does)
    assert all(map(math.isfinite, found))
    assert does(*found)
    assert [one for one, kind in zip(found, kinds, strict=True) if not kind.is_float] == [
        one for one, kind in zip(values, kinds, strict=True) if not kind.is_float]  # fmt: skip


@pytest.mark.parametrize(("values", "does"), [
    ([math.inf, 1.0], lambda x, y: math.isinf(x)),
    ([math.nan, math.inf], lambda x, y: x != x),
])  # fmt: skip
def test_what_needs_it_stays_as_it_is(values: list[float], does: Callable[..., bool]) -> None:
    assert list(map(repr, tried([F, F], values, does))) == list(map(repr, values))


def test_finite_inputs_are_left_alone_and_runs_are_limited() -> None:
    assert tried([F], [2.0], lambda x: x == 2.0, runs=0) == [2.0]
    assert tried([F], [math.inf], lambda x: True, runs=0) == [math.inf]


def signature_of(*kinds: Kind) -> CSignature:
    """A function with a parameter of each of these kinds."""
    return CSignature("f", tuple(CParameter(f"x{n}", "", Scalar(kind)) for n, kind in enumerate(kinds)))


def test_integers_are_finite() -> None:
    assert is_finite(signature_of(F, I), (encode(F, 1e308), 2**31 - 1))
    assert not is_finite(signature_of(I, S), (0, encode(S, -math.inf)))
    assert not is_finite(signature_of(F), (encode(F, math.nan),))
