"""What every input satisfies that takes a branch: nothing that a run takes may be refuted, and what none takes is."""

from __future__ import annotations

import random

import pytest

from programs import Programs
from zeroin.config import Budget
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.c.read import reach
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.model.memory import Unreadable
from zeroin.solvers.base import Query, Unsat
from zeroin.solvers.smt import Bitwuzla
from zeroin.term.core.build import equal
from zeroin.term.core.nodes import constant
from zeroin.term.core.traversal import variables
from zeroin.words import Kind, encode, word_range

LOOPS = """
static double table[4] = {1.0, 2.0, 4.0, 8.0};
static int last;
int f(int n, double x) {
    int found = 0, i, j;
    double sum = 0.0, seen[3] = {0.0, 0.0, 0.0};
    if (n < 0) return -1;
    for (i = 0; i < n && i < 5; i++) {
        sum += table[i & 3];
        seen[i % 3] = sum;
        for (j = i; j < 4; j += 2)
            if (sum > x) { found = j; break; }
        if (found == 3) continue;
        if (i == 2 && x < 3.0) goto out;
    }
    if (seen[2] > 6.0) found++;
out:
    if (found > last) last = found;
    if (last == 3) return 1;
    do { sum -= 1.0; } while (sum > 2.5);
    return sum < 2.0 ? found : 0;
}
"""
CALLS = """
static int depth;
static int up(int n) { depth++; if (n > 3) return n; return n < 0 ? 0 : up(n + 1) + 1; }
static int twice(int (*g)(int), int n) { if (n > 100) return g(1); return g(g(n)); }
static int odd(int n) { if (n & 1) return n + 1; return n; }
static void swap(double *a, double *b) { double t = *a; if (*a > *b) { *a = *b; *b = t; } }
int f(int n, double x) {
    double y = 3.0;
    swap(&x, &y);
    if (x > y) return 9;
    if (up(n) > 4) n = twice(odd, n);
    if (depth > 2) return 1;
    if (twice(up, n) == 5) return 2;
    return y == 3.0;
}
"""
BITS = """
#include <stdint.h>
#include <string.h>
union number { double d; uint64_t u; struct { uint32_t low, high; } w; };
int f(int n, double x) {
    union number v; uint32_t high; int shifted;
    v.d = x;
    if (v.w.high >> 31) v.w.high ^= 0x80000000u;
    if (v.u > 0x7ff0000000000000u) return v.u & 0x0008000000000000u ? 1 : 2;
    memcpy(&high, (char *)&x + 4, 4);
    if (high == 0x3ff00000u && x != 1.0) return 3;
    shifted = n > 0 && n < 31 ? 1 << n : 0;
    if (shifted == 64) return 4;
    switch (n % 5) { case 0: return 5; case 1: case -1: break; case 4: if (x > n) return 6; break; default: n++; }
    if ((int)x == 7 && x != 7.0) return 7;
    return (x - x) != 0.0 ? 8 : 0;
}
"""
ARRAYS = """
int f(int *a, double *out, int n) {
    int i, most = 0;
    if (!a) return -1;
    for (i = 0; i < 4; i++) { if (a[i] > a[most]) most = i; out[i & 1] = a[i]; }
    out[0] = most;
    if (out[0] > 2.0) return 1;
    if (n >= 0 && n < 4 && a[n] == 7) a[n] = 8;
    if (a[1] == 8 && a[2] == 8) return 2;
    return out[1] == a[3];
}
"""
TABLES = """
struct pair { signed char x; unsigned char y; short z[2]; };
static const int table[4] = {3, 1, 4, 1};
int f(int n, int m) {
    int a[4] = {1, 2, 3, 4};
    struct pair p = {1, 2, {3, 4}};
    char *bytes = (char *)a;
    a[n & 3] = table[m & 3];
    if (a[0] == 4) return 1;
    p.z[m & 1] = (short)n;
    if (p.z[0] == 5 && p.z[1] == 4) return 2;
    if (p.y != 2) return 3;
    bytes[m & 15] = 7;
    if (a[1] == 7) return 4;
    a[a[n & 3] & 3] = 9;
    for (int i = 0; i < 4; i++) if (a[i] == 9 && i == (n & 3)) return 5;
    *(short *)(bytes + (n & 7)) = 1;
    return a[0] == 1 ? 6 : 7;
}
"""
THROWS = """
struct wrong { int how; };
static int check(int n, int *seen) { *seen = 1; if (n > 10) throw wrong{n}; *seen = 2; return n; }
extern "C" int f(int n, double x) {
    int seen = 0;
    try {
        n = check(n, &seen);
        if (seen == 1) return 3;
        if (x > 1.0) throw 2.5;
    } catch (const wrong &w) {
        if (w.how > 20) return 1;
        if (seen == 1) return 4;
    } catch (double d) {
        if (d == 2.5) return 2;
    }
    return n;
}
"""
TURNS = """
int f(int n, double x) {
    int way = 0, turns = 0;
    for (;;) {
        if (n > 3) way = 1;
        else { way = 2; if (n < 0) break; }
        if (way == 1) turns++;
        n -= 4;
    }
    for (n += 20; ;) {
        if (n <= 3) { way = 4; if (n < 0) break; }
        else way = 3;
        if (way == 3) turns++;
        n -= 4;
    }
    return turns + way;
}
"""
UNWOUND = """
static int fails(int n) { if (n > 10) throw n; return n; }
struct guard { int *p; ~guard() { if (*p == 1) *p = 5; } };
extern "C" int f(int n, double x) {
    int how = 0, seen = 1;
    try { guard g{&seen}; how = 1; fails(n); how = 2; fails((int)x); } catch (int) { if (how == 2) return 3; how += 2; }
    if (how == 3) return 1;
    if (how == 4) return 2;
    if (seen == 5) return 4;
    return how;
}
"""
PASSED = """
struct large { long a, b, c; double d; };
struct more { struct large first[2]; int n; };
static struct large kept = {1, 2, 3, 4.0};
static void set(struct large *s, int n) { s->a = 1; s->b = n; s->c = 0; s->d = n; }
static long change(struct large s, struct large t) { s.a = 5; t.b = s.b + 1; return t.b + (s.d > t.d ? s.a : t.c); }
static int deep(struct more m) { m.first[1].a++; return change(m.first[1], m.first[0]) > 9 ? m.n : (int)m.first[1].a; }
static int self(struct large s, int n) { s.a += n; return n > 2 ? (int)s.a : self(s, n + 1) + (int)s.b; }
int f(int n, double x) {
    struct large s; struct more m;
    set(&s, n);
    change(s, kept);
    if (n * s.a == 64) return 1;
    if (kept.b != 2) return 9;
    m.first[0] = kept; m.n = 7; set(&m.first[1], (int)x);
    if (deep(m) == 7) return m.first[1].a == 1 ? 2 : 8;
    if (deep(m) == 2) return 3;
    if (self(s, n) == 4) return 4;
    return s.a == 1 ? 5 : 7;
}
"""
CHOSEN = """
int f(int n, double x) {
    int s = 1, t = n > 4;
    switch (s) { case 0: n += 2; case 5: if (n > 7) return 1; break; default: n -= 1; }
    switch (t) { case 1: if (n == 11) return 3; break; case 0: if (x > n) return 4; }
    if (n == 3) return 2;
    return 0;
}
"""
BOUNDED = """
static int log_of[4];
static int note(int at, int v) { log_of[at & 3] += v; return log_of[at & 3]; }
int f(int n, double x) {
    int i, j, s = 0, last = -1, t[4] = {0, 1, 2, 3}, *p = t;
    for (i = 0; i < (n & 7); i++) {
        for (j = i; j > 0; j--) {
            if (s > 9) { last = j; goto far; }
            if ((i ^ j) == (n & 3)) { s += j; continue; }
            if (x > 2.0 && j == 2) break;
            s++;
        }
        t[i & 3] += j;
        switch (i) { case 1: if (n < 0) continue; s += 2; case 2: p = t + j % 3; break;
                     case 5: return s == 7 ? -1 : -2; }
        last = i;
    }
    if (last == 6 && s == 4) return 1;
far:
    do { s -= note(s, last); if (s == 3) break; } while (--last > 0);
    while (i-- > 0) if (*p++ == 4 || i == 2) { if (s < 0) return 2; break; }
    for (;;) { if (s > 20 || s < -20) { s = t[1]; break; } s += s < 5 ? -7 : 11; }
    return s == 2 ? 3 : log_of[1] == 3;
}
"""
RECURSIVE = """
static int steps;
static int down(int n, int v) {
    steps++;
    if (n <= 0) return v;
    if (v > 40) return down(n - 2, v - 31) + 1;
    for (int i = 0; i < (n & 3); i++) { if (i == v) return down(n - 3, i); v += 3; }
    return down(n - 1, v + 5);
}
static int even(int n);
static int odd(int n) { if (n == 0) return 0; return even(n - 1); }
static int even(int n) { if (n == 0) return 1; return odd(n - 1); }
static int endless(int n) { if (n < 3) return 2; return endless(n / 2) + 1; }
int f(int n, double x) {
    int a = down(n & 7, (int)(n >> 3 & 31)), b = even(n & 5), c = endless(n);
    if (a == 33) return 1;
    if (steps == 4 && b) return 2;
    if (c == 4) return 3;
    return c > 30 ? 4 : b && n % 2;
}
"""
PROGRAMS = {"bounded": (BOUNDED, ".c"), "recursive": (RECURSIVE, ".c"),
            "passed": (PASSED, ".c"), "chosen": (CHOSEN, ".c"),
            "loops": (LOOPS, ".c"), "calls": (CALLS, ".c"), "bits": (BITS, ".c"), "arrays": (ARRAYS, ".c"),
            "tables": (TABLES, ".c"),
            "throws": (THROWS, ".cpp"), "turns": (TURNS, ".c"), "unwound": (UNWOUND, ".cpp")}  # fmt: skip
EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 20, 21, 64, 101]


def load(programs: Programs, text: str, name: str = ".c") -> LlvmSubject:
    arrays = (ArraySpec("a", 4), ArraySpec("out", 2)) if text is ARRAYS else ()
    return programs.load(text, name=name, arrays=arrays)


def refuted(subject: LlvmSubject, outcome: int, **inputs: object) -> bool:
    """Whether it is proved that no input, or not this one, takes an outcome."""
    reached = subject.reach(outcome)
    fixed = [equal(v, constant(v.sort, inputs[v.data])) for v in variables([reached.condition]) if v.data in inputs]
    answer = Bitwuzla().solve(Query((reached.condition, *fixed)), Budget(10_000, 20.0))
    return isinstance(answer, Unsat)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_run_takes_is_refuted_for_no_input_of_it(programs: Programs, name: str) -> None:
    subject, rng = load(programs, *PROGRAMS[name]), random.Random(name)
    left = set(range(2 * len(subject.sites)))
    for _ in range(400):
        words = tuple(_some(kind, rng) for parameter in subject.signature.parameters for kind in parameter.kinds)
        taken = subject.run(words).covered & left
        for outcome in taken:
            assert not refuted(subject, outcome, **subject.model.inputs(words)), (words, outcome)
        left -= taken
    assert len(left) <= len(subject.sites)


def _some(kind: Kind, rng: random.Random) -> int:
    if rng.random() < 0.7 and kind is not Kind.BOOL:
        value = rng.choice(EDGES) * rng.choice((1, -1))
        return encode(kind, value + rng.choice((0.0, 0.5)) if kind is Kind.F64 else value)
    return rng.randint(*word_range(kind))


@pytest.mark.parametrize(
    ("body", "impossible"),
    [
        ("if (x > 2.0) { if (x < 1.0) return 1; } return 0;", {2}),
        ("for (int i = 0; i < n; i++) if (x * x < 0.0) return 1; return 0;", {2}),
        ("double a[2]; a[0] = x; a[1] = 1.0; if (n) a[1] = 2.0; if (a[1] > 3.0) return 1; return 0;", {2}),
        ("static const int t[3] = {5, 6, 7}; const int *q = t; if (q[1] == 7) return 1; return n;", {0}),
        ("int *p = &n; *p = 3; if (n != 3) return 1; return 0;", {0}),
        ("switch (n & 3) { case 0: case 1: case 2: case 3: return 1; } return 0;", {7}),
        ("if (x > 1.0 && 1e300 + x <= 1.0) return 1; return 0;", {2}),
        ("double y = x == x ? x : 0.0; if (y != y) return 1; return 0;", {2}),
        ("static int t[3] = {5, 6, 7}; if (t[2] == 8) return 1; return n;", {0}),
        ("static const int t[4] = {5, 6, 7, 8}; if (t[n & 3] > 8) return 1; return 0;", {0}),
        (
            "static const double t[4] = {1, 2, 3, 4}; if (n < 0 || n > 3) return 9; if (t[n] == 3 && n != 2) return 1;"
            "return 0;",
            {6},
        ),
        (
            "int a[4] = {1, 2, 3, 4}; a[n & 3] = 7; if (a[0] > 7) return 1; if (a[n & 3] != 7) return 2;"
            "if (a[1] == 7) return 3; return 0;",
            {0, 2},
        ),
        (
            "struct { char c; short z[2]; } s = {1, {2, 3}}; s.z[n & 1] = 5; if (s.c != 1 || s.z[0] == 3) return 1;"
            "return 0;",
            {0, 2},
        ),
    ],
)
def test_what_no_input_takes_is_refuted(programs: Programs, body: str, impossible: set[int]) -> None:
    subject = load(programs, f"int f(int n, double x) {{ {body} }}")
    found = {outcome for outcome in range(2 * len(subject.sites)) if refuted(subject, outcome)}
    assert found == impossible


@pytest.mark.parametrize(
    "text",
    [
        "static int state; int f(int n) { if (state > 2) return 1; state = n; return 0; }",  # kept between calls
        "int f(int n) { volatile int a[2]; if (a[1] == n) return 1; return 0; }",  # never set
        "int f(int n) { if ((int)(n * 1e10) == 7 && n > 1000) return 1; return 0; }",  # out of range
        "int f(int n) { int i, s = 0; for (i = 0; i < n; i++) s += 2; if (s == 4) return 1; return 0; }",
        "extern int rand(void); int f(int n) { int r = rand(); if (r == n && rand() != n) return 1; return 0; }",
        "double sin(double); int f(double x) { if (sin(x) > 2.0) return 1; return 0; }",  # nobody says what it is
        "const volatile int reg = 0; int f(int n) { if (reg == 1) return n; return 0; }",
        "int f(int n) { volatile int kept = 3; if (kept == 4) return 1; return n; }",
        "__attribute__((weak)) const int limit = 5; int f(int n) { if (limit == 1) return n; return 0; }",
        "__attribute__((weak)) int hook(int n) { return 0; } int f(int n) { if (hook(n)) return 1; return 0; }",
        "int level = 1; int f(int (*cb)(int)) { int c = cb(1); if (level == 5) return c; return 0; }",
    ],
)
def test_what_is_not_known_is_not_refuted(programs: Programs, text: str) -> None:
    subject = load(programs, text)
    assert not any(refuted(subject, outcome) for outcome in range(2 * len(subject.sites)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("#include <fenv.h>\nint f(double x) { fesetround(FE_UPWARD); return x + 1.0 > x ? 1 : 0; }", "fesetround"),
        ("int f(int n) { int s = 0; if (n > 3) goto in; again: s += n; in: s++; if (s < 9) goto again; return s; }",
         "entered at several places"),
    ],
)  # fmt: skip
def test_what_is_read_for_no_proof_says_why(programs: Programs, text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        load(programs, text).reach(0)


@pytest.mark.parametrize(
    ("body", "impossible"),
    [
        ("int s = 0; for (int i = 0; i < (n & 7); i++) s += i; if (s > 21) return 1; if (s == 2) return 2; return 0;",
         {2, 4}),
        ("int t[4] = {0}; for (int i = 0; i < 4; i++) t[i] = n & i; if (t[1] > 1 || t[0]) return 1; return 0;", {2, 4}),
        ("int s = 0; for (int i = n & 3; i-- > 0; ) { s += 2; if (s == 7) break; } if (s & 1) return 1; return s > 6;",
         {2, 4}),
        ("int i = 0; do { if (i == 5) return 1; } while (++i < 5 && i != n); if (i == 6) return 2; return 0;", {0, 6}),
        ("int i, j, s = 0; for (i = 0; i < 3; i++) for (j = i; j < 3; j++) { if (s == 6) return 1; s++; }"
         "if (s == 5) return 2; return 0;", {4, 6}),
    ],
)  # fmt: skip
def test_what_turns_show_is_refuted(programs: Programs, body: str, impossible: set[int]) -> None:
    subject = load(programs, f"int f(int n, double x) {{ {body} }}")
    assert impossible <= {outcome for outcome in range(2 * len(subject.sites)) if refuted(subject, outcome)}
    assert not subject.reach(0).loops


def test_recursion_is_read_call_by_call(programs: Programs) -> None:
    text = """static int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); }
    int f(int n) { if (sum(n & 7) > 28) return 1; if (sum(n & 3) == 4) return 2; if (sum(n) < 0) return 3;
        return 0; }"""
    subject = load(programs, text)
    assert [outcome for outcome in range(6) if refuted(subject, outcome)] == [0, 2]


@pytest.mark.parametrize(("own", "given"), [("static ", ()), ("", ("no other code sets mode",))])
def test_what_nobody_changes_is_as_it_is_defined(programs: Programs, own: str, given: tuple[str]) -> None:
    subject = load(programs, f"{own}int mode = 3; int f(int n) {{ if (mode == 4) return 1; return n; }}")
    assert refuted(subject, 0)
    assert subject.reach(0).assumptions == given
    assert bool(subject.doubts()) == bool(given)


def test_what_is_taken_for_granted_is_told(programs: Programs) -> None:
    subject = load(programs, ARRAYS)
    said = " ".join(subject.reach(0).assumptions)
    assert "a points to" in said
    assert "or is NULL" in said
    assert load(programs, BITS).reach(0).assumptions == ()


@pytest.mark.parametrize(
    ("functions", "call", "known"),
    [
        ("void set(int *p) { *p = 4; }", "int x; set(&x);", True),
        ("static void set(int *p) { *p = 4; } void more(int *p) { set(p + 1); }", "int x[2]; more(x);", True),
        ("void set(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 4; }", "int x[9]; set(x, n & 7);", True),
        ("static const int t[2] = {1, 2}; int get(const int *p) { return *p; }", "get(t);", True),
        ("void set(int *p) { *p = 4; }", "set(q);", False),
        ("void set(int *p) { *p = 4; }", "set(&mode);", False),
        ("void set(int *p) { *p = 4; }", "int x; set(&x); set(q);", False),
        ("static int *kept; void keep(int *p) { kept = p; } void set(void) { *kept = 4; }", "set();", False),
        ("struct s { int *p; }; void set(struct s *s) { *s->p = 4; }", "struct s s = {q}; set(&s);", False),
        ("void set(int **p) { **p = 4; }", "set(&q);", False),
    ],
)
def test_what_is_called_behind_the_limit_writes_to_what_it_was_given(
    functions: str, call: str, known: bool, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reach, "MOST_BLOCKS", 1)
    text = f"int mode = 3;\n{functions}\nint f(int n, int *q) {{ {call} if (mode == 4) return 1; return n; }}"
    assert refuted(load(programs, text), 0) is known
