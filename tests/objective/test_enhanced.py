"""The symbolically enhanced fitness: known values, and what lies ahead against what runs do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from objectives import ALL, FIGURE_1, FIGURE_2, GUARD_IN_LOOP, PROGRAMS, exponential, value_of, values
from programs import Programs, words_of
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.read.ahead import Reader
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.minimize import Door, Stop
from zeroin.native.kernel import callback
from zeroin.objective.base import normalised
from zeroin.objective.enhanced import EnhancedFitness, nearest_way, table_of
from zeroin.objective.standard import StandardFitness
from zeroin.subject.base import Termination

# Every way is known: no loops, no memory, no calls but of what is a term.
KNOWN = {
    "nested": PROGRAMS["nested"],
    "switch": PROGRAMS["switch"],
    "floats": PROGRAMS["floats"],
    "types": "int f(int a, int b, int c) { short s = a; unsigned char u = b; float x = c / 3.0f; long l = (long)a * b;"
    " if (s > u) { x *= 2; if (x > s && l < 0) { u += 200; if (u == (unsigned char)c) return 1; }"
    " else if ((unsigned)a > 7u || l == c) return 2; } return x != x; }",
    "joined": "int f(int a, int b, int c) { int r = 0; if (a > 3) r = b; else r = c; if (b > c) r++; else r -= 2;"
    " if (r == a) { if (a < b || c == 4) return 1; } return r > 7; }",
}  # fmt: skip


class Asked:
    """A subject under the question of one branch, with what lies ahead of all sites, or of some."""

    def __init__(self, subject: LlvmSubject, target: int, only: set[int] | None = None, table: str = "korel",
                 normalisation: str = "exponential", superfluous: bool = False) -> None:  # fmt: skip
        assert subject.lookahead is not None
        self.subject = subject
        self.objective = EnhancedFitness(len(subject.sites), subject.lookahead.address, normalisation)
        ways = compiled(subject, table)
        found = {site: a for site, a in ways.ahead(target).items() if only is None or site in only}
        needless = () if superfluous or only is not None else ways.superfluous(target)
        self.objective.aim(target, found, ALL, ALL, superfluous=needless)

    def __call__(self, *arguments: Any) -> float:
        return value_of(self.subject, self.objective, *arguments)


_compiled: dict[tuple[int, str], Any] = {}


def compiled(subject: LlvmSubject, table: str) -> Any:
    assert subject.lookahead is not None
    key = id(subject), table
    if key not in _compiled:
        _compiled[key] = subject.lookahead.compiled(table), subject
    return _compiled[key][0]


_everywhere: dict[str, LlvmSubject] = {}


def everywhere(programs: Programs, text: str) -> LlvmSubject:
    """With what lies ahead of every site, those too that are never nearer than what is before them."""
    if text not in _everywhere:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Reader, "is_always_before", lambda *_: False)
            _everywhere[text] = LlvmSubject(programs.write(text), "f", LlvmOptions(ahead=True))
    return _everywhere[text]


def test_known_values(programs: Programs) -> None:
    """Sums of the distances of all that is to come, nearer to the target of what is left."""
    subject = programs.load(FIGURE_1, ahead=True, ahead_as_paper=True)
    fitness = Asked(subject, 4)
    assert fitness(3, 8, 5) == pytest.approx(exponential(5) + exponential(5) + exponential(8))
    assert fitness(3, 3, 5) == pytest.approx(exponential(5) + exponential(8))
    assert fitness(3, 3, 0) == pytest.approx(exponential(3))
    assert fitness(0, 0, 0) == 0.0
    ratio = Asked(subject, 4, normalisation="ratio")
    assert ratio(3, 8, 5) == pytest.approx(5 / 6 + 5 / 6 + 8 / 9)
    squares = Asked(subject, 4, table="squared", normalisation="ratio")
    assert squares(3, 8, 5) == pytest.approx(25 / 26 + 25 / 26 + 64 / 65)
    ours = Asked(programs.load(FIGURE_1, ahead=True), 4)
    assert ours(3, 8, 5) == pytest.approx(exponential(3) + exponential(8) + exponential(5))


def test_what_is_dropped_counts(programs: Programs) -> None:
    subject = programs.load(FIGURE_2, ahead=True)
    fitness = Asked(subject, 2 * 4)
    assert [site.condition for site in subject.sites][4] == "b == s"
    assert fitness(-5, 9, 0) == pytest.approx(3.0 + 2.0 * exponential(6) + exponential(14))
    assert fitness(5, 9, 0) == pytest.approx(exponential(4) + exponential(5) + exponential(10))
    assert fitness(3, 3, 0) == pytest.approx(exponential(3))
    assert fitness(3, 3, 3) == 0.0


def test_the_nearest_of_all_rounds_counts(programs: Programs) -> None:
    subject = programs.load(GUARD_IN_LOOP, ahead=True)
    fitness = Asked(subject, 4)
    assert fitness(123_460, 70) == pytest.approx(exponential(4) + exponential(7))
    assert fitness(123_440, 70) == pytest.approx(exponential(7) + exponential(7))
    assert fitness(123_450, 70) == pytest.approx(exponential(7))
    assert fitness(123_450, 77) == 0.0


@pytest.mark.parametrize("name", PROGRAMS)
@given(arguments=values)
def test_zero_exactly_when_the_run_takes_the_branch(
    programs: Programs, name: str, arguments: tuple[int, int, int]
) -> None:
    subject = programs.load(PROGRAMS[name], ahead=True)
    run = subject.run(words_of(subject.signature, *arguments))
    covered = run.covered if run.outcome is not Termination.UNDEFINED else frozenset()
    for target in range(2 * len(subject.sites)):
        value = Asked(subject, target)(*arguments)
        assert value >= 0.0
        assert (value == 0.0) == (target in covered)


@pytest.mark.parametrize("name", KNOWN)
@given(arguments=values)
def test_where_all_is_known_a_way_is_free_exactly_if_the_run_goes_on_to_the_target(
    programs: Programs, name: str, arguments: tuple[int, int, int]
) -> None:
    """Of each site by itself, from the state that the run has there."""
    subject = everywhere(programs, KNOWN[name])
    assert subject.lookahead is not None
    covered = subject.run(words_of(subject.signature, *arguments)).covered
    for (site, target), ahead in subject.lookahead.ahead.items():
        assert ahead is not None
        assert not any(path.dropped for path in ahead.paths)
        value = Asked(subject, target, {site})(*arguments)
        if {2 * site, 2 * site + 1} & covered:
            assert (value < 1e-300) == (target in covered), (site, target, value)
        else:
            assert value == (0.0 if target in covered else EnhancedFitness.r0)


LOOPING = {
    "values": PROGRAMS["values"],
    "two ways in": """
int f(int a, int b, int c) {
  for (int i = 0; i < (b & 7); i++) a += c;
  if (c > 3) {
    for (int i = 0; i < (b & 3); i++) a -= c;
    if (a == b) goto in;
  } else {
    for (int i = 0; i < (b & 3); i++) b -= c;
    if (a == b) goto in;
  }
  return 0;
in:
  if (a == 7) {
    if (c == 9) return 1;
  }
  return 2;
}
""",
    "before and after": """
int f(int a, int b, int c) {
  if (a > 5) {
    for (int i = 0; i < (b & 7); i++) {
      a += c;
      if (a == b) return 3;
    }
    if (c > 9) {
      if (a == 77) return 1;
    }
  } else if (b == c) {
    if (a == b) return 2;
  }
  return 0;
}
""",
}


@pytest.mark.parametrize("name", [*KNOWN, *LOOPING])
@given(arguments=values)
def test_what_is_left_out_is_never_nearer(programs: Programs, name: str, arguments: tuple[int, int, int]) -> None:
    text = {**KNOWN, **LOOPING}[name]
    subject, every = programs.load(text, ahead=True), everywhere(programs, text)
    assert subject.lookahead is not None
    assert every.lookahead is not None
    assert set(subject.lookahead.ahead) < set(every.lookahead.ahead)
    for target in range(2 * len(subject.sites)):
        assert Asked(subject, target)(*arguments) == Asked(every, target, superfluous=True)(*arguments)


def test_a_site_is_not_asked_where_the_next_one_is_as_near(programs: Programs) -> None:
    """Unless a run may end before it comes there."""
    text = """int abs(int);
int f(int a, int b, int c) {
  int n = 0;
  if (a > 10) {
    BETWEEN
    if (b == 3) {
      for (int i = 0; i < a; i++) n += i;
      if (n == c) return 1;
    }
  }
  return 0;
}"""
    for between in ("", "c += 2;", "c ^= b;"):
        subject = programs.load(text.replace("BETWEEN", between), ahead=True)
        assert compiled(subject, "korel").superfluous(2 * 3) == {0}
    for between in ("c = 20 / c;", "c = *(volatile int *)&n;", "c = abs(b);"):
        subject = programs.load(text.replace("BETWEEN", between), ahead=True)
        assert compiled(subject, "korel").superfluous(2 * 3) == set()


def test_a_way_that_an_earlier_site_has_is_not_asked_again(programs: Programs) -> None:
    text = """int f(int a, int b, int c) {
  int n = b;
  if (a == 1 || a == 2 || a == 4) {
    for (int i = 0; i < c; i++) n += i;
    if (n == 5) return 1;
  }
  return 0;
}"""
    subject, every = programs.load(text, ahead=True), everywhere(programs, text)
    target = 2 * (len(subject.sites) - 1)
    counts = [{site: len(ways) for site, ways in compiled(one, "korel").ahead(target).items()}
              for one in (subject, every)]  # fmt: skip
    assert 0 < sum(counts[0].values()) < sum(counts[1].values())
    assert counts[0][0] == counts[1][0]
    for arguments in ((0, 5, 0), (2, 5, 0), (4, 9, 1), (3, 0, 6)):
        assert Asked(subject, target)(*arguments) == Asked(every, target, superfluous=True)(*arguments)


@callback("float64(cells, int64)")
def at_number(state: Any, number: int) -> float:
    """The distance that stands in the state."""
    return float(state[number]) / 8.0


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 5), max_size=5), st.integers(0, 3)), min_size=1, max_size=8),
    st.lists(st.integers(0, 20), min_size=6, max_size=6),
    st.floats(0.0, 9.0),
)  # fmt: skip
def test_the_tree_of_ways_has_the_least_sum(ways: list[tuple[list[int], int]], state: list[int], r: float) -> None:
    words = np.array(state, dtype=np.int64)
    table = np.array(table_of([([(at_number.address, n) for n in way], dropped) for way, dropped in ways]))
    least = r
    for way, dropped in ways:
        total = float(dropped)
        for n in way:
            total += normalised(1, state[n] / 8.0)
        least = min(least, total)
    for _ in range(2):
        assert nearest_way(table, 0, words.ctypes.data, 1, r) == least


def test_how_much_of_two_strings_is_alike_is_state(programs: Programs) -> None:
    text = """#include <string.h>
int f(const char name[8], int x) { if (strcmp(name, "cubic") == 0) { if (x == 9) return 1; } return 0; }"""
    fitness = Asked(programs.load(text, ahead=True), 2 * 1, normalisation="ratio")
    near, far = (fitness(word, 5) for word in ("cubiz", "dubic"))
    assert 1.0 < near < far < 2.0
    assert fitness("cubic", 5) == pytest.approx(4 / 5)


def test_what_nothing_has_taken_is_news(programs: Programs) -> None:
    subject = programs.load(FIGURE_1, ahead=True)
    assert subject.lookahead is not None
    objective = EnhancedFitness(len(subject.sites), subject.lookahead.address)
    objective.aim(4, compiled(subject, "korel").ahead(4), 0b11, 0b11)
    door = Door(subject.install(objective.question), 3, objective.question, subject.outcome_address)
    door.open(10)
    door.evaluate(words_of(subject.signature, 1, 2, 0))
    assert door.result().reason is Stop.OPEN
    door.evaluate(words_of(subject.signature, 2, 2, 5))
    assert door.result().reason is Stop.NEWS


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("normalisation", ["exponential", "ratio"])
@given(arguments=values)
def test_where_nothing_is_known_it_is_the_standard_fitness(
    programs: Programs, name: str, normalisation: str, arguments: tuple[int, int, int]
) -> None:
    subject = programs.load(PROGRAMS[name])
    sites = len(subject.sites)
    standard = StandardFitness(sites, "korel", normalisation)
    enhanced = EnhancedFitness(sites, 0, normalisation, "korel")
    for target in range(2 * sites):
        levels = subject.graph.levels(target)
        standard.aim(levels, ALL, ALL)
        enhanced.aim(target, {}, ALL, ALL, levels)
        assert value_of(subject, enhanced, *arguments) == value_of(subject, standard, *arguments)
