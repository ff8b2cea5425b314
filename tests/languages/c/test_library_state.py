"""``errno``, ``sscanf``, ``setjmp``, memory of a computed size and differences of addresses, in both views."""

from __future__ import annotations

import pytest

from programs import Programs
from zeroin import Budget, Options, Suite, cover

EXPLORED = """
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int scan(const char *s) {
    int a; char b[8];
    if (sscanf(s, "%d:%7[a-z]", &a, b) != 2) return 0;
    if (a > 100 && strcmp(b, "abc") == 0) return 1;
    return 2;
}
int number(int a, int b) {
    errno = 0;
    if (a == 77) errno = EDOM;
    if (errno == EDOM && b == 78) return 1;
    return 0;
}
static jmp_buf place;
static void deep(int x) { if (x == 4711) longjmp(place, 3); if (x == 4712) longjmp(place, 0); }
int jump(int x, int y) {
    int r = setjmp(place);
    if (r == 3) return y == 815 ? 1 : 2;
    if (r == 1) return 3;
    deep(x);
    return 0;
}
int room(unsigned n) {
    if (n > 16 || n < 1) return -1;
    int *p = malloc(n * sizeof *p);
    for (unsigned i = 0; i < n; i++) p[i] = i * i;
    int last = p[n - 1];
    free(p);
    return last == 121 ? 1 : 2;
}
int grown(int n) {
    int *a = malloc(sizeof *a), used = 0, size = 1;
    if (n < 1 || n > 20) return 0;
    for (int i = 0; i < n; i++) {
        if (used == size) a = realloc(a, (size *= 2) * sizeof *a);
        a[used++] = i * 3;
    }
    int last = a[used - 1];
    free(a);
    return last == 51 ? 1 : 2;
}
int length(const char *s) {
    const char *p = strchr(s, ',');
    if (!p) return 0;
    if (p - s == 3 && p[1] == 'x') return 1;
    return 2;
}
int walk(const int *a) {
    const int *end = a + 4, *p = a;
    for (; p < end && *p != 7; p++) {}
    if (p - a == 3) return 1;
    return p == end ? 2 : 3;
}
int bessel(double x) { return j0(x) > 0.99999 && x > 0 ? 1 : 0; }
"""


@pytest.mark.parametrize("name", ["scan", "number", "jump", "room", "grown", "length", "walk", "bessel"])
def test_exploration_alone_takes_all_branches(programs: Programs, name: str) -> None:
    result = cover(f"{programs.write(EXPLORED)}:{name}", Options(engine="explore", budget=Budget(300, 60.0)))
    assert result.percent == 100


PROVED = """
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
int set(int x) { errno = 0; if (x > 5) errno = EINVAL; if (errno == EINVAL && x < 3) return 1; return 0; }
int root(double x) { errno = 0; double y = sqrt(x); if (errno != 0) return 1; return y > 2; }
int before(int x) { if (errno == 5) return 1; return x; }
int twice(int x) { int n = errno; errno = x; if (errno != x) return 1; return n == errno; }
int read(const char *s) { errno = 0; long n = strtol(s, 0, 10); if (errno != 0 && errno != ERANGE) return 1; return n; }
int told(const char *s) { errno = 7; strtol("12", 0, 10); if (errno != 7) return 1; return *s; }
int memory(int x) { errno = 0; void *p = malloc(x); free(p); if (errno != 0) return 1; return 0; }
int between(int x) { int a[8], *p = a + (x & 7); if (p - a > 7) return 1; if (p < a) return 2; return p - a == 6; }
int loop(const char *s) {
    const char *end = s + 8;
    int n = 0;
    for (const char *p = s; p < end; p++) { if (!*p) break; n++; }
    return n > 8 ? 1 : n;
}
int apart(int *a, int *b) { return a - b == 2 ? 1 : 0; }
int behind(int x) { int a[4], *p = a + 4; if (p < a + (x & 3)) return 1; return 0; }
int before_it(int x) { char a[4]; char *p = a - 1; (void)x; if (p > a) return 1; return 0; }
int bessel(double x) { if (j0(x) > 1.5 || j1(x) < -1.5) return 1; return 0; }
int any_length(const char *s) {
    size_t n = strlen(s);
    if (n > 3) { if (s[2] == 0) return 2; } else if (s[0] && s[1] && s[2] && s[3]) return 4;
    return n > 200;
}
int alike(const char *s, const char *t) {
    if (strcmp(s, t) == 0 && s[0] != t[0]) return 1;
    if (strcmp(s, t) && s[0] == t[0] && s[0] == 0) return 2;
    return strcmp(s, "a") == 0 && strlen(s) > 1;
}
"""


@pytest.mark.parametrize(
    ("name", "proved"),
    [
        ("set", {("x < 3", "true")}),
        ("root", set()),  # sqrt sets errno for a negative number
        ("before", set()),  # code before may have set it
        ("twice", {("errno != x", "true")}),
        ("read", set()),  # POSIX allows EINVAL where there is no number
        ("told", {("errno != 7", "true")}),
        ("memory", set()),  # malloc may fail
        ("between", {("p - a > 7", "true"), ("p < a", "true")}),
        ("loop", {("n > 8", "true")}),
        ("apart", set()),  # the caller may pass two places of one array
        ("behind", {("p < a + (x & 3)", "true")}),
        ("before_it", {("p > a", "true")}),
        ("bessel", {("j0(x) > 1.5", "true"), ("j1(x) < -1.5", "true")}),
        ("any_length", {("s[2] == 0", "true"), ("s[3]", "true")}),
        ("alike", {("s[0] != t[0]", "true"), ("s[0] == 0", "true"), ("strlen(s) > 1", "true")}),
    ],
)
def test_proofs(programs: Programs, name: str, proved: set[tuple[str, str]]) -> None:
    result = cover(f"{programs.write(PROVED)}:{name}", Options(engine="prove", budget=Budget(200_000, 20.0)))
    assert _infeasible(result) == proved


JUMPS = """
#include <setjmp.h>
static jmp_buf place;
static void deep(int x) { if (x == 4711) longjmp(place, 3); }
int changed(int x) {
    volatile int n = 0;
    if (setjmp(place)) return n == 5 ? 1 : 2;
    n = 5;
    deep(x);
    return 0;
}
int other(int x) { if (x > 5 && x < 3) return 1; return 0; }
"""


def test_a_function_that_may_return_twice_ends_the_proofs_of_its_callers_only(programs: Programs) -> None:
    path = programs.write(JUMPS)
    options = Options(engine="prove", budget=Budget(200_000, 20.0), callees=False)
    changed, other = (cover(f"{path}:{name}", options) for name in ("changed", "other"))
    assert _infeasible(changed) == set()
    assert any("setjmp may be called" in remark for remark in changed.notes)
    assert _infeasible(other) == {("x < 3", "true")}


def _infeasible(result: Suite) -> set[tuple[str, str]]:
    return {(one.branch.site.condition, one.branch.label) for one in result.verdicts if one.verdict == "infeasible"}
