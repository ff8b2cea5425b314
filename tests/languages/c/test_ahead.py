"""What lies ahead of a site: the paper's examples, switches, loops, memory and calls."""

from __future__ import annotations

from typing import Any

from objectives import FIGURE_1, FIGURE_2
from programs import Programs
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.model.ahead import Ahead


def ahead(programs: Programs, text: str, **options: Any) -> tuple[LlvmSubject, dict[tuple[str, str], Ahead | None]]:
    """By the texts of the site and of the target's, with T or F."""
    subject = programs.load(text, ahead=True, **options)
    assert subject.lookahead is not None
    name = {site.number: site.condition for site in subject.sites}
    found = subject.lookahead.ahead
    return subject, {(name[s], f"{name[t >> 1]} {'TF'[t & 1]}"): one for (s, t), one in found.items()}


def ways(found: Ahead | None) -> list[tuple[int, list[str]]]:
    assert found is not None
    return [(one.dropped, [str(condition) for condition in one.conditions]) for one in found.paths]


def test_figure_1(programs: Programs) -> None:
    _, found = ahead(programs, FIGURE_1, ahead_as_paper=True)
    assert ways(found["x == y", "x == -z T"]) == [
        (0, ["(= f:0 f:1)", "(= f:2 #x00000000)", "(= f:0 (bvsub #x00000000 f:2))"])
    ]
    first = found["x == y", "x == -z T"]
    assert first is not None
    assert first.whole
    assert ("z == 0", "x == -z T") not in found, "no nearer than what is before it"


def test_what_one_condition_says_to_be_constant_is_so_in_the_others(programs: Programs) -> None:
    """Ours: each is about another variable then, and they can be met one by one."""
    _, found = ahead(programs, FIGURE_1)
    assert ways(found["x == y", "x == -z T"]) == [
        (0, ["(= #x00000000 f:1)", "(= f:2 #x00000000)", "(= f:0 #x00000000)"])
    ]


def test_figure_2(programs: Programs) -> None:
    """The way past the loop is impossible; on the one through it, three conditions are about what it has destroyed."""
    _, found = ahead(programs, FIGURE_2)
    first = found["n > 0", "b == s T"]
    assert first is not None
    assert first.rejected == 1
    (way,) = ways(first)
    assert way == (3, ["(bvslt #x00000000 f:0)", "(bvslt #x00000000 f:0)", "(= f:1 f:0)"])
    (way,) = ways(found["a == n", "b == s T"])
    assert way[0] == 0
    assert len(way[1]) == 3
    assert ("i < n", "b == s T") not in found, "the loop ends in any case"


def test_cases(programs: Programs) -> None:
    _, found = ahead(
        programs,
        """
int f(int a, int b) {
  switch (a) {
    case 3: if (b == 7) return 1; break;
    case 9: return 2;
    default: if (b == 8) return 3;
  }
  return 0;
}
""",
    )
    assert ways(found["a", "b == 7 T"])[0] == (0, ["(= f:0 #x00000003)", "(= f:1 #x00000007)"])
    (way,) = ways(found["a", "b == 8 T"])
    assert way[0] == 0
    assert way[1] == ["(not (= f:0 #x00000003))", "(not (= f:0 #x00000009))", "(= f:1 #x00000008)"]


def test_what_was_computed_before_is_state_and_what_memory_holds_later_is_not_known(programs: Programs) -> None:
    _, found = ahead(
        programs,
        """
int f(int n, int i) {
  int a[4] = {3, 1, 4, 1};
  a[i & 3] = n;
  int before = a[0];
  if (n > 5) {
    if (before == 7) return 1;
    if (a[1] == 9) return 2;
  }
  return 0;
}
""",
    )
    assert [dropped for dropped, _ in ways(found["n > 5", "before == 7 T"])] == [0]
    assert [dropped for dropped, _ in ways(found["n > 5", "a[1] == 9 T"])] == [1]
    assert [dropped for dropped, _ in ways(found["a[1] == 9", "a[1] == 9 T"])] == [0]


def test_mathematics_is_followed_and_other_functions_are_not(programs: Programs) -> None:
    _, found = ahead(
        programs,
        """
#include <math.h>
double strange(double);
double strange(double x) { return x < 0 ? 1 : x; }
int f(double x, double y) {
  if (x > 1.0) {
    if (sqrt(x) == y) return 1;
    if (strange(x) == y) return 2;
  }
  return 0;
}
""",
    )
    assert [dropped for dropped, _ in ways(found["x > 1.0", "sqrt(x) == y T"])] == [0]
    assert min(dropped for dropped, _ in ways(found["x > 1.0", "strange(x) == y T"])) == 1


def test_another_function(programs: Programs) -> None:
    """Ways are read within functions; a caller's condition counts what comes after it."""
    subject, found = ahead(
        programs,
        """
static int inner(int z) { return z == 12345 ? 1 : 0; }
int f(int x, int z) { if (x == 7) return inner(z); return 0; }
""",
        callees=True,
    )
    assert found["x == 7", "z == 12345 T"] is None
    assert subject.lookahead is not None
    site = {s.condition: s.number for s in subject.sites}
    compiled = subject.lookahead.compiled("korel")
    assert set(compiled.ahead(2 * site["z == 12345"])) == {site["x == 7"], site["z == 12345"]}


def test_a_caller_that_asks_more_than_one_condition_before_it_calls(programs: Programs) -> None:
    """All of its conditions are known, but not what the function that it calls does."""
    subject, found = ahead(
        programs,
        """
static int inner(int z) { if (z > 5) { if (z * 3 == 36) return 1; } return 0; }
int f(int x, int y, int z) {
  int k = 0;
  if (x == 7) {
    if (y > 3) k = z; else k = x + y;
    if (k == 50) return inner(z + x);
  }
  return 0;
}
""",
        callees=True,
    )
    assert subject.lookahead is not None
    assert found["x == 7", "z * 3 == 36 T"] is None
    assert found["k == 50", "z * 3 == 36 T"] is None
    site = {s.condition: s.number for s in subject.sites}
    native = subject.lookahead.compiled("korel").ahead(2 * site["z * 3 == 36"])
    assert set(native) == {site[name] for name in ("x == 7", "k == 50", "z > 5")}
    assert [dropped for _, dropped in native[site["k == 50"]]] == [2]


def test_what_has_no_room_in_a_word_is_not_known(programs: Programs) -> None:
    """So a site where the rest of it is a state is asked, too."""
    _, found = ahead(
        programs,
        """
int f(unsigned long a, unsigned long b, int c) {
  if (c > 0) {
    unsigned __int128 p = (unsigned __int128)a * b;
    long high = (long)(p >> 64);
    if (c > 5) {
      if (high == 12345678912) return 1;
    }
  }
  return 0;
}
""",
    )
    first = found["c > 0", "high == 12345678912 T"]
    assert first is not None
    assert not first.whole
    assert [dropped for dropped, _ in ways(first)] == [1]
    assert [dropped for dropped, _ in ways(found["c > 5", "high == 12345678912 T"])] == [0]


def test_a_jump_to_an_address_is_not_known(programs: Programs) -> None:
    _, found = ahead(
        programs,
        """
int f(int a, int b) {
  static void *where[] = {&&one, &&two};
  if (b > 3) {
    goto *where[a & 1];
  one:
    if (a == 500) return 1;
  two:
    return 2;
  }
  return 0;
}
""",
    )
    first = found["b > 3", "a == 500 T"]
    assert first is not None
    assert not first.whole
    assert [dropped for dropped, _ in ways(first)] == [1]


def test_ways_are_read_to_what_depends_on_a_site_only(programs: Programs) -> None:
    """Of conditions in a row, none is read from another one: that would take longer with the square of their number."""
    text = "int f(int x, int y) {" + "".join(f" if (x % {n} > y) y += {n};" for n in range(2, 30)) + " return y; }"
    subject, found = ahead(programs, text)
    assert len(subject.sites) == 28
    assert subject.lookahead is not None
    assert all(set(ends) == {2 * site, 2 * site + 1} for site, ends in subject.lookahead._reader._from.items())
    assert len(found) == 56
