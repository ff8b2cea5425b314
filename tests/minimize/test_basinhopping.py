"""Basin hopping is SciPy's, set up as CoverMe's evaluation was (Fu & Su 2016, section 6.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from numba import cfunc, types

from zeroin.errors import OptionError
from zeroin.minimize import Domain, Door, Stop, minimize, random_state
from zeroin.minimize.basinhopping import LOCAL, BasinHopping
from zeroin.native.kernel import CELLS
from zeroin.native.words import value_of_word
from zeroin.words import Kind, encode, word_range


@cfunc(types.float64(CELLS))
def flat(words: Any) -> float:
    return 1.0


@cfunc(types.float64(CELLS))
def two_valleys(words: Any) -> float:
    """Zero at 3 and, past a hill, a higher valley at -3; a plain local search from -4 ends in the wrong one."""
    x = value_of_word(0, words[0])
    return float(np.floor(min((x - 3.0) ** 2, (x + 3.0) ** 2 + 0.5) * 2.0**40))


@cfunc(types.float64(CELLS))
def parabola(words: Any) -> float:
    return (value_of_word(0, words[0]) - 3.0) ** 2


DOMAIN = Domain((Kind.F64, Kind.I8), (word_range(Kind.F64), word_range(Kind.I8)), ((0,), (0,)))
ONE = Domain((Kind.F64,), (word_range(Kind.F64),), ((encode(Kind.F64, 1.0),),))


class Spy:
    """Stands in for SciPy's function and notes how it is called."""

    def __init__(self) -> None:
        self.calls: list[tuple[list[float], dict[str, Any]]] = []

    def __call__(self, f: Callable[[Any], float], start: Any, **options: Any) -> None:
        self.calls.append((list(start), options))
        f(start)


def open_door(objective: Any, arity: int, evaluations: int) -> Door:
    door = Door(objective.address, arity)
    door.open(evaluations)
    return door


def test_the_papers_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    assert BasinHopping() == BasinHopping(n_start=500, n_iter=5, local="powell", pools=False)
    spy = Spy()
    monkeypatch.setattr(scipy.optimize, "basinhopping", spy)
    door = open_door(flat, 2, 10_000)
    start = np.array([encode(Kind.F64, 2.5), -7], dtype=np.int64)
    BasinHopping()(door, DOMAIN, start, random_state([1]))
    assert len(spy.calls) == 500
    assert spy.calls[0][0] == [2.5, -7.0]
    assert len({tuple(first) for first, _ in spy.calls}) > 100
    for first, options in spy.calls:
        assert np.all(np.isfinite(first))
        assert options["niter"] == 5
        assert options["minimizer_kwargs"] == {"method": "powell"}
    assert door.result().evaluations == 500


def test_a_closed_door_ends_it_in_the_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()
    monkeypatch.setattr(scipy.optimize, "basinhopping", spy)
    door = open_door(flat, 1, 7)
    BasinHopping()(door, ONE, np.zeros(1, dtype=np.int64), random_state([1]))
    assert len(spy.calls) == 7
    assert door.result().reason is Stop.BUDGET


@pytest.mark.parametrize("start", [float("nan"), float("inf"), -float("inf")])
def test_starts_are_made_finite(monkeypatch: pytest.MonkeyPatch, start: float) -> None:
    spy = Spy()
    monkeypatch.setattr(scipy.optimize, "basinhopping", spy)
    BasinHopping()(open_door(flat, 1, 1), ONE, np.array([encode(Kind.F64, start)]), random_state([1]))
    assert np.all(np.isfinite(spy.calls[0][0]))


def test_it_hops_out_of_a_valley() -> None:
    door = open_door(two_valleys, 1, 50_000)
    start = np.array([encode(Kind.F64, -4.0)])
    found = minimize("basinhopping", door, ONE, start, random_state([1]))
    assert found.reason is Stop.ZERO
    assert value_of_word(0, found.words[0]) == pytest.approx(3.0, abs=1e-5)


def test_the_stream_decides() -> None:
    def run(seed: int) -> tuple[int, ...]:
        door = open_door(two_valleys, 1, 300)
        return minimize("basinhopping", door, ONE, np.array([encode(Kind.F64, -4.0)]), random_state([seed])).words

    assert run(1) == run(1)
    assert len({run(seed) for seed in range(1, 6)}) > 1


# ---- parameters ----


def test_the_parameters_arrive_at_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()
    monkeypatch.setattr(scipy.optimize, "basinhopping", spy)
    door = open_door(flat, 1, 1000)
    text = "basinhopping(n_start=7, n_iter=2, local=nelder-mead)"
    minimize(text, door, ONE, np.zeros(1, dtype=np.int64), random_state([1]))
    assert len(spy.calls) == 7
    assert {(o["niter"], o["minimizer_kwargs"]["method"]) for _, o in spy.calls} == {(2, "nelder-mead")}


@pytest.mark.parametrize("pools", [False, True])
def test_only_with_pools_are_starts_constants_of_the_subject(monkeypatch: pytest.MonkeyPatch, pools: bool) -> None:
    spy = Spy()
    monkeypatch.setattr(scipy.optimize, "basinhopping", spy)
    constant = 1234.5678
    domain = Domain((Kind.F64,), (word_range(Kind.F64),), ((encode(Kind.F64, constant),),))
    BasinHopping(pools=pools)(open_door(flat, 1, 500), domain, np.zeros(1, dtype=np.int64), random_state([1]))
    assert ([constant] in [start for start, _ in spy.calls]) is pools


@pytest.mark.parametrize(("starts", "small"), [("bits", 0.02), ("mixed", 0.35), ("small", 1.0)])
def test_how_starts_are_drawn(monkeypatch: pytest.MonkeyPatch, starts: str, small: float) -> None:
    """A double of random bits is between 2**-36 and 2048 in 47 of 2046 cases."""
    spy = Spy()
    monkeypatch.setattr(scipy.optimize, "basinhopping", spy)
    first = np.array([encode(Kind.F64, 1e300)], dtype=np.int64)
    BasinHopping(starts=starts)(open_door(flat, 1, 500), ONE, first, random_state([1]))
    drawn = [start for (start,), _ in spy.calls]
    assert len(set(drawn)) > 400
    assert (float(drawn[0]) == 1e300) == (starts == "mixed")
    share = sum(2.0**-36 < abs(start) <= 2048.0 for start in drawn) / len(drawn)
    assert share == pytest.approx(small, abs=0.06)


@pytest.mark.parametrize("local", LOCAL)
def test_every_local_minimiser_goes_down(local: str) -> None:
    door = open_door(parabola, 1, 3000)
    start = np.array([encode(Kind.F64, 4.0)])
    found = minimize(f"basinhopping(local={local})", door, ONE, start, random_state([1]))
    assert found.value < 1e-6


@pytest.mark.parametrize("options", [{"n_start": 0}, {"n_iter": -1}, {"local": "newton"}, {"starts": "zero"}])
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        BasinHopping(**options)
