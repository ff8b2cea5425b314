"""The product of distances: what the paper's equations say, zero exactly where an outcome is wanted, of any size."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import Programs, words_of
from zeroin.config import Budget
from zeroin.distance import DISTANCES, logarithmic, ulp
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import generate, schedule_named
from zeroin.generate.search import Search, bits_in
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.minimize import warm_up
from zeroin.objective.product import ProductObjective
from zeroin.subject.base import Termination, branches_of

THREE = """
int f(int a, int b, double x)
{
    if (a == 5) return 1;
    for (int i = 0; i < 2; i++) if (b == 7) return 2;
    return x == 2.0;
}
"""
A, B, X = 0, 4, 6  # the outcomes that hold; the loop's own condition is in between


@pytest.fixture(scope="module")
def subject(programs: Programs) -> LlvmSubject:
    loaded = programs.load(THREE.replace("return x == 2.0;", "if (x == 2.0) return 3; return 4;"))
    assert [site.condition for site in loaded.sites] == ["a == 5", "i < 2", "b == 7", "x == 2.0"]
    return loaded


def value(subject: LlvmSubject, objective: ProductObjective, *values: float) -> float:
    words = np.array(words_of(subject.signature, *values), dtype=np.int64)
    subject.install(objective.question)
    found: float = subject._objective(words.ctypes.data)
    return found


def product(
    subject: LlvmSubject, wanted: set[int], distance: str = "ulp", within_one: bool = False
) -> ProductObjective:
    objective = ProductObjective(len(subject.sites), distance, within_one)
    objective.update(bits_in(wanted), -1, -1)
    return objective


def test_it_is_the_product_of_the_distances_at_the_conditions_of_the_run(subject: LlvmSubject) -> None:
    all_three = product(subject, {A, B, X}, "squared")
    assert value(subject, all_three, 8, 9, 5.0) == 9.0 * 4.0 * 4.0 * 9.0  # the loop has two turns
    assert value(subject, all_three, 5, 9, 5.0) == 0.0
    assert value(subject, all_three, 8, 7, 5.0) == 0.0
    assert value(subject, all_three, 8, 9, 2.0) == 0.0
    assert value(subject, product(subject, {A, X}, "squared"), 8, 9, 5.0) == 9.0 * 9.0
    assert value(subject, product(subject, {A, X}, "squared"), 8, 7, 2.0) == 9.0  # it does not come to the last
    assert value(subject, product(subject, set(), "squared"), 5, 7, 2.0) == 1.0
    assert value(subject, product(subject, {X}), 0, 0, 3.0) == ulp(1, 3.0, 2.0)
    assert value(subject, product(subject, {X}, within_one=True), 0, 0, 3.0) == logarithmic(ulp(1, 3.0, 2.0))


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("within_one", [False, True])
@given(a=st.sampled_from([5, 6, -(2**31), 2**31 - 1]), b=st.sampled_from([7, 8, -(2**31)]),
       x=st.sampled_from([2.0, 2.0000000000000004, 0.0, 5e-324, 1e300, -1e300, math.inf, math.nan]))  # fmt: skip
def test_it_is_zero_where_one_is_taken_and_nowhere_else(
    subject: LlvmSubject, distance: str, within_one: bool, a: int, b: int, x: float
) -> None:
    found = value(subject, product(subject, {A, B, X}, distance, within_one), a, b, x)
    assert (found == 0.0) == (a == 5 or b == 7 or x == 2.0)
    assert 0.0 <= found < math.inf


def test_small_and_large_products_stay_apart_from_zero_and_infinity(programs: Programs) -> None:
    """A hundred tiny distances multiplied are less than the least float, a hundred large ones more than the largest."""
    text = "int f(double x, double y) { for (int i = 0; i < 100; i++) if (x == y) return 1; return 0; }"
    subject = programs.load(text)
    for pair in itertools.permutations([1e-150, 2e-150, 1e150, -1e300], 2):
        for distance, within_one in itertools.product(DISTANCES, (False, True)):
            assert 0.0 < value(subject, product(subject, {2}, distance, within_one), *pair) < math.inf


@pytest.mark.parametrize("engine", ["product(factors=logarithmic)", "minimize", "targets"])
def test_boundaries_are_met_one_after_the_other(programs: Programs, engine: str) -> None:
    """The paper's own factors are no good here: a run that leaves a comparison out has a factor less, and is better."""
    warm_up("avm")
    text = """int f(double x, int n, float s)
    {
        if (x * 2.0 < 3.25) return 1;
        if (n > 1000 && n - 7 <= 5000) return 2;
        return s >= 0.3;
    }"""
    subject = programs.load(text, boundary=True)
    goals = [branch for branch in branches_of(subject.sites) if branch.site.form == "boundary"]
    for seed in range(10):
        domain = domain_of(subject.signature, subject.constants)
        search = Search(subject, goals, domain, Budget(300_000, 60.0), seed)
        generate(search, schedule_named(engine))
        missing = {goal.id for goal in goals if search.missing >> goal.outcome & 1}
        assert missing == {"3="}, seed  # no float is 0.3
        assert all(run.outcome is Termination.RETURNED for run in search.runs)
