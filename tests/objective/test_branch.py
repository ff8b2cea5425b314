"""The objective of one branch: zero exactly where a run takes it, less where a run comes nearer."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from objectives import ALL, PROGRAMS, value_of, values
from programs import Programs, words_of
from zeroin.errors import OptionError
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.minimize import Door, Stop
from zeroin.native.cells import HEADER, NEWS
from zeroin.objective.base import Objective
from zeroin.objective.branch import BranchObjective
from zeroin.objective.coverage import CoverageObjective
from zeroin.subject.base import Termination


class Asked:
    """A subject under the question of one branch."""

    def __init__(self, subject: LlvmSubject, target: int, distance: str = "ulp") -> None:
        self.subject = subject
        self.objective = BranchObjective(len(subject.sites), distance)
        self.objective.aim(subject.graph.levels(target), ALL, ALL)

    def __call__(self, *arguments: Any) -> float:
        return value_of(self.subject, self.objective, *arguments)


@pytest.mark.parametrize("distance", ["ulp", "korel", "squared"])
@pytest.mark.parametrize("name", PROGRAMS)
@given(arguments=values)
def test_zero_exactly_when_the_run_takes_the_branch(
    programs: Programs, name: str, distance: str, arguments: tuple[int, int, int]
) -> None:
    subject = programs.load(PROGRAMS[name])
    run = subject.run(words_of(subject.signature, *arguments))
    covered = run.covered if run.outcome is not Termination.UNDEFINED else frozenset()
    for target in range(2 * len(subject.sites)):
        value = Asked(subject, target, distance)(*arguments)
        assert value >= 0.0
        assert (value == 0.0) == (target in covered)


def test_nearer_is_less_down_to_the_target(programs: Programs) -> None:
    """a must pass 10, then b must become a, then c must fall below b."""
    asked = Asked(programs.load(PROGRAMS["nested"]), 4)
    steps = [(-5, 0, 0), (0, 0, 0), (9, 0, 0), (10, 0, 0), (11, 0, 50), (11, 9, 50), (11, 10, 50), (11, 11, 50),
             (11, 11, 20), (11, 11, 11)]  # fmt: skip
    left = [asked(*step) for step in steps]
    assert left == sorted(left, reverse=True)
    assert len(set(left)) == len(left)
    assert [int(value) for value in left] == [2] * 4 + [1] * 3 + [0] * 3
    assert left[-1] > 0.0
    assert asked(11, 11, 10) == 0.0


def test_the_best_of_all_rounds_counts(programs: Programs) -> None:
    asked = Asked(programs.load(PROGRAMS["loop"]), 2)
    close, far = asked(5, 10, 21), asked(5, 10, 25)
    assert 0.0 < close < far
    assert asked(0, 10, 21) > far


def test_a_run_that_never_comes_near_keeps_the_start_value(programs: Programs) -> None:
    subject = programs.load("int f(int a) { if (a > 3) { if (a > 5) return 1; return 2; } return a < 0 ? a : 3; }")
    away = Asked(subject, 4)
    assert [s.condition for s in subject.sites] == ["a > 3", "a > 5", "a < 0"]
    assert away(4) < BranchObjective.r0
    assert away(-1) == 0.0
    inside = Asked(subject, 0)
    assert inside(4) == 0.0


def test_aiming_anew_forgets_the_old_target(programs: Programs) -> None:
    subject = programs.load(PROGRAMS["nested"])
    asked = Asked(subject, 4)
    for target in (1, 3, 4, 0):
        asked.objective.aim(subject.graph.levels(target), ALL, ALL)
        fresh = Asked(subject, target)
        for arguments in itertools.product((0, 10, 11), (0, 11), (0, 50)):
            assert asked(*arguments) == fresh(*arguments)


@pytest.mark.parametrize("make", [BranchObjective, CoverageObjective])
def test_outcomes_that_nothing_has_taken_are_news(programs: Programs, make: Any) -> None:
    subject = programs.load(PROGRAMS["nested"])
    objective = make(len(subject.sites))
    covered = 0b000011  # the first condition, both ways
    if make is BranchObjective:
        objective.aim(subject.graph.levels(4), covered, covered)
    else:
        objective.update(0b11, covered, covered)
    door = Door(subject.install(objective.question), 3, objective.question, subject.outcome_address)
    door.open(10)
    door.evaluate(words_of(subject.signature, 0, 0, 0))
    assert door.result().reason is Stop.OPEN
    door.evaluate(words_of(subject.signature, 20, 5, 0))
    assert door.result().reason is Stop.NEWS
    assert subject.signature.arguments(door.result().words) == [20, 5, 0]
    assert objective.question.data[NEWS] == 0


def test_an_objective_of_ones_own(programs: Programs) -> None:
    """All that it takes: r0 and pen."""

    class Boundary(Objective):
        """Zero where some condition's operands are equal: the boundary values of the program."""

        r0 = 1e300

        @staticmethod
        def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
            return min(r, abs(float(a) - float(b)))

    subject = programs.load("int f(int a, double x) { if (a > 10) return 1; if (x < 0.5) return 2; return 3; }")
    objective = Boundary(2)
    address = subject.install(objective.question)
    door = Door(address, 2, objective.question, subject.outcome_address)
    door.open(10)
    found = [door.evaluate(words_of(subject.signature, a, x)) for a, x in ((13, 0.0), (4, 0.25), (0, 0.5))]
    assert found == [3.0, 0.25, 0.0]


def test_unknown_distances_are_refused() -> None:
    with pytest.raises(OptionError, match="no distance 'manhattan'; there are ulp, korel, squared"):
        CoverageObjective(1, "manhattan")


def test_tables_have_a_place_for_every_outcome() -> None:
    for sites in (0, 1, 30, 500):
        objective = CoverageObjective(sites)
        objective.update(0, 0, 0)
        assert np.count_nonzero(objective.question.data[HEADER:]) == objective.question.data[HEADER:].size == 2 * sites
        assert objective.question.asked.size == objective.question.levels.size == 2 * sites
