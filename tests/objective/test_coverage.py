"""The representing function of CoverMe on the program of its Figure 3, against its Table 1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import Programs, words_of
from zeroin.distance import EPSILON
from zeroin.minimize import Door
from zeroin.native.cells import ProbeMode
from zeroin.objective.branch import BranchObjective
from zeroin.objective.coverage import CoverageObjective

FIGURE_3 = """
static double square(double x) { return x * x; }
void f(double x) { if (x <= 1) { x++; } double y = square(x); if (y == 4) { volatile int here = 1; (void)here; } }
"""
T0, F0, T1, F1 = range(4)
finite = st.floats(-1e6, 1e6)


def bits(*outcomes: int) -> int:
    return sum(1 << o for o in outcomes)


class Representing:
    """FOO_R: the value of r after a run, when the given outcomes are saturated."""

    def __init__(self, programs: Programs, saturated: int, all_called: bool = False) -> None:
        self.subject = programs.load(FIGURE_3)
        objective = CoverageObjective(2, "squared")
        objective.update(saturated, -1, -1)
        if all_called:
            objective.question.asked[:] = ProbeMode.CALL
        self._door = Door(self.subject.install(objective.question), 1, objective.question, self.subject.outcome_address)
        self._objective = objective

    def __call__(self, x: float) -> float:
        self.subject.install(self._objective.question)
        self._door.open(1)
        return self._door.evaluate(words_of(self.subject.signature, x))


def test_the_figure_has_two_sites(programs: Programs) -> None:
    subject = programs.load(FIGURE_3)
    assert [site.condition for site in subject.sites] == ["x <= 1", "y == 4"]


@given(finite)
def test_row_1_nothing_is_saturated(programs: Programs, x: float) -> None:
    assert Representing(programs, 0)(x) == 0.0


@given(finite)
def test_row_2_1f_is_saturated(programs: Programs, x: float) -> None:
    y = (x + 1) ** 2 if x <= 1 else x**2
    value = Representing(programs, bits(F1))(x)
    assert value == pytest.approx((y - 4) ** 2, rel=1e-9)
    assert (value == 0) == (y == 4)


@pytest.mark.parametrize("x", [-3.0, 1.0, 2.0])
def test_row_2_has_the_minima_of_the_paper(programs: Programs, x: float) -> None:
    assert Representing(programs, bits(F1))(x) == 0.0


@given(finite)
def test_row_3_only_0f_is_missing(programs: Programs, x: float) -> None:
    expected = 0.0 if x > 1 else (x - 1) ** 2 + EPSILON
    assert Representing(programs, bits(T0, T1, F1))(x) == expected


@given(finite)
def test_row_4_everything_is_saturated(programs: Programs, x: float) -> None:
    assert Representing(programs, bits(T0, F0, T1, F1))(x) == 1.0


@given(finite, st.integers(0, 15))
def test_sites_that_are_passed_or_constant_change_nothing(programs: Programs, x: float, saturated: int) -> None:
    assert Representing(programs, saturated)(x) == Representing(programs, saturated, all_called=True)(x)


@given(finite, st.integers(0, 15))
def test_c1_never_negative(programs: Programs, x: float, saturated: int) -> None:
    assert Representing(programs, saturated)(x) >= 0.0


@given(st.one_of(finite, st.sampled_from([-3.0, 1.0, 2.0])))
def test_c2_zero_exactly_when_a_new_branch_is_saturated(programs: Programs, x: float) -> None:
    subject = programs.load(FIGURE_3)
    words = words_of(subject.signature, x)
    for before in ([0.7], [0.7, 1.1], [0.7, 2.0], [0.7, 1.0, 1.1]):
        done = 0
        for earlier in before:
            done |= bits(*subject.run(words_of(subject.signature, earlier)).covered)
        saturated = subject.graph.saturated(done)
        after = subject.graph.saturated(done | bits(*subject.run(words).covered))
        assert (Representing(programs, saturated)(x) == 0.0) == (after & ~saturated != 0)


@given(finite, st.sampled_from([T0, F0, T1, F1]), st.sampled_from(["ulp", "korel", "squared"]))
def test_the_objective_of_a_branch_is_zero_exactly_when_it_is_taken(
    programs: Programs, x: float, target: int, distance: str
) -> None:
    subject = programs.load(FIGURE_3)
    words = words_of(subject.signature, x)
    objective = BranchObjective(2, distance)
    objective.aim(subject.graph.levels(target), -1, -1)
    door = Door(subject.install(objective.question), 1, objective.question, subject.outcome_address)
    door.open(1)
    value = door.evaluate(words)
    assert (value == 0.0) == (target in subject.run(words).covered)
    assert value >= 0.0
