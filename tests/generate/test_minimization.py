"""What the minimization of all unsaturated branches learns from minima that bring no news (Fu & Su 2016, B.3)."""

from __future__ import annotations

from typing import Any

import pytest

from programs import Programs, signature_of, words_of
from zeroin.config import Budget
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import generate, schedule_named
from zeroin.generate.search import Search, SearchSettings
from zeroin.generate.strategies.coverme import CoverMe
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import branches_of


def search_for(subject: LlvmSubject, *inputs: tuple[Any, ...]) -> Search:
    """A search that knows the runs of some inputs, each of which takes something new."""
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(10**7, 1000.0), 0)
    for values in inputs:
        assert search.offer(words_of(subject.signature, *values))
    return search


def named(search: Search, outcomes: int) -> set[str]:
    """``x > 5 T`` for each outcome of a bit set."""
    sites = search.subject.sites
    return {f"{sites[o >> 1].condition} {'FT'[o % 2 == 0]}" for o in range(2 * len(sites)) if outcomes >> o & 1}


def learned(search: Search, *values: Any) -> tuple[set[str], set[str]]:
    """What is given up, and what was taken in vain, after a minimum at these values."""
    CoverMe(search)._learn(words_of(signature_of(search), *values))
    return named(search, search.given_up), named(search, search.in_vain)


# ---- which branch ----

NESTED = """
int f(double x, double y)
{
    double q = x * x;
    if (y > 3) { if (q < -1) { if (y > 5) return 1; if (y < 4) return 2; } }
    if (y > 7) return 3;
    return 0;
}
"""


def test_the_branch_left_out_at_the_last_conditional_that_wants_one(programs: Programs) -> None:
    """In the run at y = 6 that is the inner guard; where the outer one was not passed, it is the outer one, whose
    branch others have covered."""
    subject = programs.load(NESTED)
    search = search_for(subject, (0.0, 0.0), (0.0, 6.0), (0.0, 8.0))
    assert named(search, search.missing) == {"q < -1 T", "y > 5 T", "y > 5 F", "y < 4 T", "y < 4 F"}
    assert learned(search, 0.0, 6.0) == ({"q < -1 T"}, set())
    search.given_up = 0
    assert learned(search, 0.0, 0.0) == ({"y > 3 T"}, set())


def test_a_branch_given_up_saturates_what_only_it_leads_to(programs: Programs) -> None:
    search = search_for(programs.load(NESTED), (0.0, 0.0), (0.0, 6.0), (0.0, 8.0))
    assert named(search, search.saturated) == {"y > 3 F", "q < -1 F", "y > 7 T", "y > 7 F"}
    learned(search, 0.0, 6.0)
    assert search.saturated == (1 << 2 * len(search.subject.sites)) - 1


def test_what_is_reachable_on_other_ways_stays_wanted(programs: Programs) -> None:
    text = """
    int f(double x, double y)
    {
        if (x > 3) { if (x * x < -1) y = 9; }
        if (y > 7) return 3;
        return 0;
    }
    """
    search = search_for(programs.load(text), (0.0, 0.0), (4.0, 0.0))
    assert learned(search, 4.0, 0.0) == ({"y > 7 T"}, set())
    search.given_up = 0
    assert search.offer(words_of(signature_of(search), 4.0, 8.0))
    assert learned(search, 4.0, 0.0) == ({"x * x < -1 T"}, set())
    search.covered &= ~(1 << 4)
    assert named(search, search.missing) == {"x * x < -1 T", "y > 7 T"}
    assert "y > 7 T" not in named(search, search.saturated)
    assert "x > 3 T" not in named(search, search.saturated)  # it still leads there


LONG = """
int f(double x, int n)
{
    int k = 0;
    if (x * x < -1) return 1;
    for (int i = 0; i < 5000; i++) k += i;
    if (x * x < -2) return 2;
    for (int i = 5; i < 6000; i++) k += i;
    return k;
}
"""


def test_the_last_conditional_of_a_long_run(programs: Programs) -> None:
    """It comes after more decisions than an execution lists."""
    search = search_for(programs.load(LONG), (0.0, 0))
    assert search.subject.execute(words_of(signature_of(search), 0.0, 0)).truncated
    assert learned(search, 0.0, 0) == ({"x * x < -2 T"}, set())
    assert learned(search, 0.0, 0)[0] == {"x * x < -2 T", "x * x < -1 T"}


def test_a_loop_that_ends_wants_to_go_on_in_vain(programs: Programs) -> None:
    """At its last evaluation the head leaves out the way to what is missing inside, but the run has been there."""
    text = "int f(double x) { for (int i = 0; i < 3; i++) if (x * x < -i - 1) return 1; return 0; }"
    search = search_for(programs.load(text), (0.0,))
    assert learned(search, 0.0) == (set(), {"i < 3 T"})
    assert learned(search, 0.0) == (set(), {"i < 3 T", "x * x < -i - 1 F"})  # it leads back to the head
    assert learned(search, 0.0)[0] == {"x * x < -i - 1 T"}


def test_a_run_that_ends_in_a_crash_was_in_vain(programs: Programs) -> None:
    """Neither way at the last conditional is saturated: the one that ends badly is avoided, not the other one."""
    text = "#include <stdlib.h>\nint f(int a) { if (a > 50) { if (a % 1000 != 7) exit(1); return 1; } return 0; }"
    search = search_for(programs.load(text), (0,), (60,))
    assert learned(search, 60) == (set(), {"a % 1000 != 7 T"})
    assert "a % 1000 != 7 F" not in named(search, search.saturated)


TWICE = """
static int g(double a) { if (a * a < -1) return 1; if (a > 0) return 2; return 3; }
int f(double x, double y) { int r = g(x); if (y * y < -2) { if (x > 5) r = 5; } return r + g(y); }
"""


def test_all_is_forgotten_when_nothing_is_left_to_learn(programs: Programs) -> None:
    search = search_for(programs.load(NESTED), (0.0, 0.0), (0.0, 6.0), (0.0, 8.0))
    search.given_up = search.missing
    assert learned(search, 0.0, 0.0) == (set(), set())


def test_news_makes_what_was_in_vain_worth_trying(programs: Programs) -> None:
    search = search_for(programs.load(NESTED), (0.0, 0.0))
    search.in_vain = 0b11
    search.given_up = 0b1111
    assert search.offer(words_of(signature_of(search), 0.0, 6.0))
    assert (search.in_vain, search.given_up) == (0, 0b0110)


ENDING = "int f(double x) { int r = 0; if (x == 12345.678) r = 1; if (x * x < 0) r = 2; return r; }"


@pytest.mark.parametrize("seed", range(5))
def test_a_minimizer_that_ends_by_itself_gives_a_branch_up_too(programs: Programs, seed: int) -> None:
    """Appendix B.3 is about every minimum that is not zero, not only about those at the end of a budget."""
    subject = programs.load(ENDING)
    settings = SearchSettings("basinhopping(n_start=1, n_iter=0)", "squared")
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(30_000, 600.0), seed, settings)
    generate(search, schedule_named("minimize"))
    assert named(search, search.covered) == {"x == 12345.678 T", "x == 12345.678 F", "x * x < 0 F"}


# ---- zeros without news ----


def test_a_zero_without_news_is_not_asked_for_again(programs: Programs) -> None:
    """The late call of g evaluates what the early one is wanted for, so the objective is 0 at first."""
    search = search_for(programs.load(TWICE, callees=True), (0.0, 0.0), (1.0, 0.0))
    minimization = CoverMe(search)
    known = []
    for number in range(1, 4):
        minimization.step(2000)
        assert search.evaluations == 2000 * number
        known.append((named(search, search.given_up), named(search, search.in_vain)))
    in_vain = {"a > 0 T", "a > 0 F", "a * a < -1 F"}
    first, second = {"a * a < -1 T"}, {"a * a < -1 T", "y * y < -2 T"}  # x > 5 comes after that alone
    assert known == [(first, in_vain), (second, in_vain), (first, in_vain)]
    assert search.slices <= 9  # three zeros a round


@pytest.mark.parametrize("evaluations", [50, 20_000])
def test_few_evaluations_after_a_zero_give_nothing_up(programs: Programs, evaluations: int) -> None:
    """What is left of a step, or of the budget, after a zero may be too little to tell anything."""
    search = search_for(programs.load(NESTED), (0.0, 0.0), (0.0, 6.0), (0.0, 8.0))
    search.ledger.budget = Budget(50, 1000.0)
    CoverMe(search).step(evaluations)
    assert search.evaluations == 50
    assert bool(search.given_up) == (evaluations == 50)
