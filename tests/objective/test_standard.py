"""The standard fitness: approach level by control dependence + normalised distance; known values, and zero exactly
where the branch is taken."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from objectives import ALL, FIGURE_1, GUARD_IN_LOOP, PROGRAMS, exponential, value_of, values
from programs import Programs, words_of
from zeroin.errors import OptionError
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.minimize import Door, Stop
from zeroin.objective.branch import BranchObjective
from zeroin.objective.standard import StandardFitness

T0, F0, T1, F1, T2, F2 = range(6)


def asked(subject: LlvmSubject, target: int, **options: Any) -> Callable[..., float]:
    objective = StandardFitness(len(subject.sites), **options)
    objective.aim(subject.graph.levels(target), ALL, ALL)

    def value(*arguments: Any) -> float:
        return value_of(subject, objective, *arguments)

    return value


def test_known_values(programs: Programs) -> None:
    subject = programs.load(FIGURE_1)
    fitness = asked(subject, T2)
    assert fitness(3, 8, 5) == pytest.approx(2.0 + exponential(5.0))
    assert fitness(3, 3, 5) == pytest.approx(1.0 + exponential(5.0))
    assert fitness(3, 3, 0) == pytest.approx(exponential(3.0))
    assert fitness(0, 0, 0) == 0.0
    assert asked(subject, F2)(3, 3, 0) == 0.0
    assert asked(subject, F2)(0, 0, 0) == pytest.approx(exponential(1.0)), "K is 1"
    assert asked(subject, T2, normalisation="ratio")(3, 8, 5) == pytest.approx(2.0 + 5.0 / 6.0)
    assert asked(subject, T2, distance="squared", normalisation="ratio")(3, 8, 5) == pytest.approx(2.0 + 25.0 / 26.0)


def test_a_guard_in_a_loop_has_a_slope(programs: Programs) -> None:
    """The nearest of all rounds counts. Of the paper's last time that a run turns away, which is where the loop ends,
    there is none."""
    subject = programs.load(GUARD_IN_LOOP)
    nearest, latest = asked(subject, T2), asked(subject, T2, latest=True)
    assert nearest(100_000, 0) == pytest.approx(1.0 + exponential(123_456 - 100_009))
    values = [nearest(a, 0) for a in (122_000, 123_000, 123_400, 123_446)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 4
    assert len({latest(a, 0) for a in (122_000, 123_000, 123_400, 123_446)}) == 1
    assert nearest(123_450, 70) == pytest.approx(exponential(7.0))
    assert latest(123_450, 70) == pytest.approx(2.0 + exponential(1.0)), "i < 10 does not hold"
    assert nearest(123_450, 77) == latest(123_450, 77) == 0.0


@pytest.mark.parametrize("options", [
    {}, {"normalisation": "ratio", "distance": "ulp"}, {"latest": True}, {"latest": True, "distance": "squared"},
])  # fmt: skip
@pytest.mark.parametrize("name", PROGRAMS)
@given(arguments=values)
def test_zero_exactly_when_the_run_takes_the_branch(
    programs: Programs, name: str, options: dict[str, Any], arguments: tuple[int, int, int]
) -> None:
    subject = programs.load(PROGRAMS[name])
    covered = subject.run(words_of(subject.signature, *arguments)).covered
    for target in range(2 * len(subject.sites)):
        value = asked(subject, target, **options)(*arguments)
        assert (value == 0.0) == (target in covered)
        assert value >= 0.0


@pytest.mark.parametrize("normalisation", ["exponential", "ratio"])
def test_a_tiny_distance_is_not_zero(programs: Programs, normalisation: str) -> None:
    subject = programs.load("int f(double x) { if (x == 0.0) return 1; return 0; }")
    fitness = asked(subject, T0, normalisation=normalisation)
    assert fitness(5e-324) > 0.0
    assert fitness(1e-30) < fitness(2e-30)
    assert fitness(math.inf) <= 1.0
    assert fitness(-0.0) == 0.0


def test_what_nothing_has_taken_is_news(programs: Programs) -> None:
    subject = programs.load(FIGURE_1)
    objective = StandardFitness(len(subject.sites))
    covered = 1 << T0 | 1 << F0
    objective.aim(subject.graph.levels(T2), covered, covered)
    door = Door(subject.install(objective.question), 3, objective.question, subject.outcome_address)
    door.open(10)
    door.evaluate(words_of(subject.signature, 1, 2, 0))
    assert door.result().reason is Stop.OPEN
    door.evaluate(words_of(subject.signature, 2, 2, 5))
    assert door.result().reason is Stop.NEWS


def test_unknown_normalisations_are_refused() -> None:
    with pytest.raises(OptionError, match="there are exponential, ratio"):
        StandardFitness(3, normalisation="none")


@pytest.mark.parametrize("name", PROGRAMS)
@given(arguments=values)
def test_normalised_by_logarithm_it_is_the_objective_of_one_branch(
    programs: Programs, name: str, arguments: tuple[int, int, int]
) -> None:
    """Which is computed where the subject probes, and so the one that strategies use."""
    subject = programs.load(PROGRAMS[name])
    for target in range(2 * len(subject.sites)):
        branch = BranchObjective(len(subject.sites), "ulp")
        branch.aim(subject.graph.levels(target), ALL, ALL)
        standard = asked(subject, target, distance="ulp", normalisation="logarithmic")
        assert standard(*arguments) == value_of(subject, branch, *arguments)
