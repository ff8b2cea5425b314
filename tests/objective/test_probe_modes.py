"""What an objective tells of its pen in advance (``Question.asked``) makes runs faster and changes no value of r."""

from __future__ import annotations

import ctypes
import functools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import Programs
from sampling import examples
from zeroin.distance import DISTANCES
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.native.cells import ProbeMode
from zeroin.objective.base import NORMALISATIONS, Objective
from zeroin.objective.branch import BranchObjective
from zeroin.objective.coverage import CoverageObjective
from zeroin.objective.standard import StandardFitness
from zeroin.subject.base import Termination

# Nested guards, a loop that meets its sites again, a switch, both kinds of operands, a callee, && and ?:, an exit.
SUBJECT = """
#include <stdlib.h>
static int digit(int n) { while (n > 9 || n < -9) n /= 10; return n < 0 ? -n : n; }
int f(double x, float y, int n, unsigned char c) {
  if (n == 12345) exit(3);
  if (x > 1.5) { if (y < x && y > 0.25f) return 1; }
  int sum = 0;
  for (int i = 0; i < (n & 7); i++) {
    if (i + n == 123456) { if (x == 77.0) return 2; }
    sum += digit(n - i);
  }
  switch (c) { case 3: return sum > 5 ? 3 : 4; case 200: return 5; }
  if (x * x == y) return 6;
  return x != x;
}
"""

words = st.integers(-(1 << 63), (1 << 63) - 1)
inputs = st.tuples(
    words | st.integers(-9, 9),
    st.integers(-(1 << 31), (1 << 31) - 1),
    st.integers(-(1 << 31), (1 << 31) - 1) | st.integers(123440, 123456) | st.just(12345),
    st.integers(0, 255) | st.sampled_from([3, 200]),
)


@pytest.fixture(scope="module")
def subject(programs: Programs) -> LlvmSubject:
    return programs.load(SUBJECT, callees=True)


def value(subject: LlvmSubject, objective: Objective, given_words: tuple[int, ...]) -> tuple[float, list[int]]:
    objective.question.data[:2] = 0
    array = np.array(given_words, dtype=np.int64)
    address = subject.install(objective.question)
    assert address == subject.objective_address
    r = subject._objective(array.ctypes.data)
    returned = ctypes.c_int64.from_address(subject.outcome_address).value == Termination.RETURNED
    return r, objective.question.data[:2].tolist() if returned else []  # the first to end in a new way is news by that


def with_all_called(
    subject: LlvmSubject, objective: Objective, given_words: tuple[int, ...]
) -> tuple[float, list[int]]:
    before = objective.question.asked.copy()
    objective.question.asked[:] = ProbeMode.CALL
    plain = value(subject, objective, given_words)
    objective.question.asked[:] = before
    return plain


@pytest.mark.parametrize("distance", DISTANCES)
def test_coverage(subject: LlvmSubject, distance: str) -> None:
    count = 2 * len(subject.sites)
    sets = st.integers(0, (1 << count) - 1) | st.sampled_from([0, (1 << count) - 1])
    objective = CoverageObjective(len(subject.sites), distance)
    met = set()

    @given(inputs, sets, sets, sets)
    @examples(300)
    def check(run: tuple[int, ...], saturated: int, covered: int, more: int) -> None:
        objective.update(saturated, covered, covered | more)
        met.update(objective.question.asked.tolist())
        assert value(subject, objective, run) == with_all_called(subject, objective, run)

    check()
    assert {ProbeMode.ZERO, ProbeMode.LAST} <= met


@pytest.mark.parametrize("distance", DISTANCES)
def test_one_branch(subject: LlvmSubject, distance: str) -> None:
    count = 2 * len(subject.sites)
    objective = BranchObjective(len(subject.sites), distance)
    levels = functools.cache(subject.graph.levels)
    met = set()

    @given(inputs, st.integers(0, count - 1), st.integers(0, (1 << count) - 1))
    @examples(400)
    def check(run: tuple[int, ...], target: int, covered: int) -> None:
        objective.aim(levels(target), covered, covered)
        met.update(objective.question.asked.tolist())
        assert value(subject, objective, run) == with_all_called(subject, objective, run)

    check()
    assert {ProbeMode.AT, ProbeMode.NEAR} <= met


@pytest.mark.parametrize("normalisation", NORMALISATIONS)
@pytest.mark.parametrize("latest", [False, True])
def test_standard_fitness(subject: LlvmSubject, normalisation: str, latest: bool) -> None:
    count = 2 * len(subject.sites)
    objective = StandardFitness(len(subject.sites), "korel", normalisation, latest)
    levels = functools.cache(subject.graph.levels)
    met = set()

    @given(inputs, st.integers(0, count - 1), st.integers(0, (1 << count) - 1) | st.just(-1))
    @examples(200)
    def check(run: tuple[int, ...], target: int, covered: int) -> None:
        objective.aim(levels(target), covered, covered)
        met.update(objective.question.asked.tolist())
        assert value(subject, objective, run) == with_all_called(subject, objective, run)

    check()
    assert ({ProbeMode.AT, ProbeMode.NEAR} <= met) != latest


@given(st.dictionaries(st.integers(0, 27), st.integers(0, 3), min_size=1), inputs)
def test_levels_of_any_shape(subject: LlvmSubject, levels: dict[int, int], run: tuple[int, ...]) -> None:
    """Levels that no graph gives: equal ones on one path, rising ones, holes."""
    objective = BranchObjective(len(subject.sites))
    objective.aim(levels, -1, -1)
    assert value(subject, objective, run) == with_all_called(subject, objective, run)
