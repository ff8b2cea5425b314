"""The strategy ``explore``, alone, on compiled functions."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from programs import Programs
from zeroin.config import Budget
from zeroin.explore.exploration import Exploration
from zeroin.explore.registry import FRONTIERS
from zeroin.explore.tree import Status
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import generate, schedule_named
from zeroin.generate.search import Search
from zeroin.generate.stopped import Stopped
from zeroin.generate.strategies.explore import Explore
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.model.memory import Diverged
from zeroin.model.path import PathCondition
from zeroin.solvers.base import Answer, Query, Solver, Unknown
from zeroin.subject.base import Execution, Words, branches_of

# Figure 1 of Xie et al. 2009.
TEST_LOOP = """
int f(int x, int *y, int length) {
  if (x == 90) {
    for (int i = 0; i < length; i++)
      if (y[i] == 15)
        x++;
    if (x == 110)
      return 1;
  }
  return 0;
}
"""


def explored(programs: Programs, text: str, *arrays: str, frontier: str = "fitnex", runs: int = 200, seed: int = 0,
             seconds: float = 60.0) -> tuple[Search, Explore]:  # fmt: skip
    subject = programs.load(text, arrays=tuple(map(ArraySpec.parse, arrays)))
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(10**6, seconds), seed)
    strategy = Explore(search, frontier)
    while not search.stopped and not strategy.done and strategy.runs < runs:
        strategy.step(1)
    return search, strategy


@pytest.mark.parametrize("seed", range(3))
def test_the_example_of_the_paper(programs: Programs, seed: int) -> None:
    """20 elements have to be 15: with Fitnex that takes fewer than 50 runs. One of them solves ``x == 110`` alone."""
    search, strategy = explored(programs, TEST_LOOP, "y=30,length", seed=seed, runs=50)
    assert search.missing == 0
    counts = strategy.exploration.counts
    assert counts["strayed"] == 0
    assert counts["flipped"] == strategy.runs - 2


def test_without_fitness_the_example_takes_longer(programs: Programs) -> None:
    search, _ = explored(programs, TEST_LOOP, "y=30,length", frontier="without-fitnex", runs=50)
    assert search.missing


COUNTED = """
int f(const int *y, int n) {
  int c = 0;
  for (int i = 0; i < n; i++)
    if (y[i] == 15) c++;
  _Bool b = c == 18;
  if (b) return 1;
  return 0;
}
"""


@pytest.mark.parametrize("seed", range(5))
def test_a_truth_value_that_only_the_path_decides_is_a_target(programs: Programs, seed: int) -> None:
    """``b`` is no term of the input: its operands are constants on each path (section 4.1.1)."""
    search, _ = explored(programs, COUNTED, "y=30,n", seed=seed, runs=120)
    assert search.missing == 0


def test_what_others_find_is_followed_once(programs: Programs) -> None:
    text = "double sin(double); int f(double x) { if (sin(x) > 0.5) { if (x > 1e6) return 2; return 1; } return 0; }"
    subject = programs.load(text)
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(9, 60.0), 0)
    strategy = Explore(search)
    strategy.step(1)
    assert strategy.runs == 1
    search.offer(subject.words_with({"x": 1.0}))
    strategy._next = lambda: None  # type: ignore[method-assign]  # nothing is flipped
    strategy.step(1)
    strategy.step(1)
    assert strategy.runs == 2
    assert [path.condition.inputs["x"] for path in strategy.exploration.tree.paths][1:] == [1.0]


NESTED = """
static int inner(double x, int n) { if (x > 3.0 && n == 77) return 2; return n < -5; }
int f(double x, int n, unsigned m) {
  if (m & 1) {
    if (inner(x * 2.0, n + 1)) return 1;
    if (x > 3.0 && x < 2.0) return 9;
  }
  switch (m >> 8) { case 3: return 4; case 70000: return 5; }
  if (m * 3 == 7u) return 6;
  return m > 0x80000000u && x * x == 2.25;
}
"""


@pytest.mark.parametrize("frontier", ["fitnex", "without-fitnex", "random", "iterative-deepening", "depth-first"])
def test_all_paths_of_a_function_without_loops(programs: Programs, frontier: str) -> None:
    search, strategy = explored(programs, NESTED, frontier=frontier, runs=10_000)
    assert strategy.done
    assert strategy.exploration.tree.is_exhausted
    assert strategy.exploration.counts["strayed"] == 0
    assert search.missing == 0
    assert [search.subject.sites[outcome >> 1].condition for outcome in search.proofs] == ["x < 2.0"]  # where x > 3.0


def test_a_truth_value_that_is_no_branch_is_a_target(programs: Programs) -> None:
    """``bool b = (x > y); if (b)``: section 4.1.1."""
    text = "int f(int x, int y) { _Bool b = x > y + 1000000; int n = 0; if (b) n = 1; return n; }"
    _, strategy = explored(programs, text)
    keys = {target[0] for path in strategy.exploration.tree.paths for target in path.fitness}
    (place,) = [key for key in keys if isinstance(key, tuple)]
    assert place[0] == "f"
    first = strategy.exploration.tree.paths[0]
    assert first.fitness[place, True] == 1000001


def test_only_what_has_to_do_with_a_decision_is_asked(programs: Programs) -> None:
    text = "int f(int a, int b, int c) { if (a > 5) c++; if (b > 5) c++; if (a + c > 50) return 1; return 0; }"
    _, strategy = explored(programs, text, runs=1)
    of_a, of_b, of_both = strategy.exploration.tree.nodes
    sizes = [len(strategy.exploration.constraints(node)) for node in (of_a, of_b, of_both)]
    assert sizes == [1, 1, 2]


def test_a_value_taken_from_the_run_proves_nothing(programs: Programs) -> None:
    """The index is a product that could be anything: the address is taken from the run."""
    text = """char t[70000];
    int f(unsigned a) { if (a > 300) return 0; t[a * a % 70000] = 1; if (a == 77) return t[5929]; return 2; }"""
    _, strategy = explored(programs, text, seconds=5.0)
    tree = strategy.exploration.tree
    pinned = [node for node in tree.nodes if not node.path.condition.is_exact_before(node.choice)]
    assert pinned
    assert all(node.status is not Status.EXHAUSTED for node in pinned)


def test_what_is_not_read_ends_the_paths(programs: Programs) -> None:
    """What comes before it is explored all the same, and nothing is taken for proved."""
    text = """#include <stdlib.h>
    int f(int a) { if (a == 4711) return 1; if (rand() < a && a == 4712) return 2; return 3; }"""
    search, strategy = explored(programs, text)
    assert strategy.done
    assert [strategy.exploration.tree.nodes[0].status, bool(search.covered & 1)] == [Status.FLIPPED, True]
    assert any("rand" in path.condition.ended for path in strategy.exploration.tree.paths)


def test_time_goes_to_what_is_to_be_covered(programs: Programs) -> None:
    """The race of provers waits until nothing else is left, unless the other branch is missing."""
    text = """static int low(int x) { if (x < 3) return 1; return 0; }
    int f(int a, int b) { if (a == 3) return 5; if (low(b)) return 1; return 2; }"""
    _, strategy = explored(programs, text, runs=1)
    at_site, elsewhere = (
        next(node for node in strategy.exploration.tree.nodes if (node.branch[0] >= 0) is wanted)
        for wanted in (True, False)
    )
    assert "Race" in repr(strategy.solver_for(at_site))
    assert "Race" not in repr(strategy.solver_for(elsewhere))


def test_known_inputs_are_taken_up(programs: Programs) -> None:
    subject = programs.load("int f(int a) { if (a * a == 49) return 1; return a == 3; }")
    search = Search(
        subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants), Budget(100), 0
    )
    search.offer((7,))
    strategy = Explore(search)
    strategy.step(1)
    assert strategy.runs == len(strategy.exploration.tree.paths) == 2


def test_the_solver_that_it_is_given_is_asked(programs: Programs) -> None:
    subject = programs.load("int f(int a) { if (a == 4711) return 1; return 0; }")
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(100), 7)
    made: list[int] = []

    class Helpless(Solver):
        name = "helpless"

        def solve(self, query: Query, budget: Budget) -> Answer:
            assert query.starts
            return Unknown("it knows nothing")

    def helpless(seed: int) -> Solver:
        made.append(seed)
        return Helpless()

    strategy = Explore(search, solver=helpless)
    while not search.stopped and not strategy.done:
        strategy.step(1)
    assert (made, strategy.runs, search.missing.bit_count()) == ([7], 1, 1)


def test_a_value_taken_from_the_run_is_no_state(programs: Programs) -> None:
    """What a condition without a site depends on may be taken from the run, here an index: the condition depends on the
    input where ``t`` was written at it, and on none elsewhere."""
    text = """char t[70000];
    static int low(int x) { if (x < 3) return 1; return 0; }
    int f(unsigned a, int b) {
      if (a > 300) return 0;
      t[9] = b;
      int n = low(t[a * a % 70000]);
      if (n && a == 3) return 1;
      if (b == 77) return 3;
      return 2; }"""
    subject = programs.load(text)
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(100), 0)
    search.offer(subject.words_of("3, 0"))
    strategy = Explore(search)
    strategy.step(1)
    assert (strategy.why, len(strategy.exploration.tree.paths)) == ("", 2)


def test_a_state_ends_exploration_only_where_it_is(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way behind a > 5 is another one each time; what lies elsewhere is explored all the same, and it is said."""
    subject = programs.load("""
    int f(int a, int b) {
      if (a > 5) { if (b > 7) return 1; if (b == 9) return 2; return 3; }
      if (b == 4711) return 4;
      return 5; }""")
    along, turn = subject.along, itertools.count()

    def elsewhere(words: Words, execution: Execution) -> PathCondition:
        path = along(words, execution)
        if words[0] <= 5 or not next(turn) % 2:
            return path
        return replace(path, steps=tuple(replace(s, site=3) if s.site == 1 else s for s in path.steps))

    monkeypatch.setattr(subject, "along", elsewhere)
    search = Search(
        subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants), Budget(200), 0
    )
    for words in ("6, 0", "7, 0"):
        search.offer(subject.words_of(words))
    strategy = Explore(search)
    while not strategy.done and not search.stopped:
        strategy.step(1)
    assert strategy.why == ""
    taken = {branch.id for branch in branches_of(subject.sites) if search.covered >> branch.outcome & 1}
    assert "3T" in taken
    said = search.remarks[0]()
    assert "; stopped after line 3: a > 5, where runs with the same decisions differ" in said


def test_a_run_that_can_not_be_followed_is_said(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the others are explored."""
    subject = programs.load("int f(int a, int b) { if (a == 77) return 1; if (b == 4711) return 2; return 3; }")
    along = subject.along

    def left(words: Words, execution: Execution) -> PathCondition:
        if words[0] == 77:
            raise Diverged("decision 0 of the run is at site 4, of its model at 0")
        return along(words, execution)

    monkeypatch.setattr(subject, "along", left)
    search = Search(
        subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants), Budget(200), 0
    )
    strategy = Explore(search)
    while not strategy.done and not search.stopped:
        strategy.step(1)
    assert search.missing == 0
    given_up = [node for node in strategy.exploration.tree.nodes if node.status is Status.GIVEN_UP]
    assert [node.branch for node in given_up] == [(0, False)]
    assert "1 runs differ from zeroin's model of the code" in search.remarks[0]()


def test_what_is_given_up_is_counted_once(programs: Programs) -> None:
    """However often it is tried."""
    _, strategy = explored(programs, "int f(int a) { if (a == 3) return 1; return 2; }", runs=1)
    (node,) = strategy.exploration.tree.nodes
    for _ in range(3):
        strategy.exploration.give_up(node, "no time")
        assert strategy.exploration.count(Status.GIVEN_UP) == 1
        strategy.exploration.again([node])
        assert strategy.exploration.count(Status.GIVEN_UP) == 0


BITS = """int f(unsigned a, _Bool b) {
    int s = 0;
    for (int i = 0; i < 3; i++) if (a >> i & 1) s += 3;
    if (s == 4) return 1;
    if (s == 9 && b) return 2;
    return 0;
}
"""


def decided(programs: Programs, text: str) -> tuple[Stopped, Search]:
    subject = programs.load(text)
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(10, 60.0), 0)
    return generate(search, schedule_named("explore")), search


def test_what_no_path_takes_is_proved_when_all_paths_are_known(programs: Programs) -> None:
    reason, search = decided(programs, BITS)
    assert reason is Stopped.DECIDED
    ((outcome, proof),) = search.proofs.items()
    assert (search.subject.sites[outcome >> 1].condition, outcome % 2) == ("s == 4", 0)
    assert proof.solver == "exploration"
    assert proof.method.startswith("there are no other paths than the 9 known")


@pytest.mark.parametrize(
    "text",
    [
        BITS.replace("int s = 0;", "static int s; if (s > 100) return 7; s = 0;"),  # may have been set before
        BITS.replace("if (a >> i & 1)", "if (rand() & 1)").replace("int f", "int rand(void);\nint f"),
        BITS.replace("i < 3", "i < (int)(a & 0xffff)"),  # paths without end, for all that is known by then
    ],
)
def test_what_is_not_known_to_its_end_proves_nothing(programs: Programs, text: str) -> None:
    _, search = decided(programs, text)
    assert search.missing
    assert not search.proofs


def test_without_a_path_nothing_is_complete() -> None:
    """As when the first input is refused."""
    assert not Exploration(1, FRONTIERS["fitnex"], lambda site, holds: True, 0).is_complete
