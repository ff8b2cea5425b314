"""Programs whose proofs were wrong once: conditions that a valid program makes true are not refuted."""

from __future__ import annotations

import re

import pytest

from programs import Programs
from proofs import refuted
from zeroin.model.memory import Unreadable
from zeroin.solvers.smt import Bitwuzla

# Each condition `if (...) return 9;` can be true, in calls by other code that breaks no stated assumption.
TAKEN = {
    "a positive result that is even": """#include <string.h>
        int f(char c) { char s[2] = {c, 0}; if (strcmp(s, "b") == 2) return 9; return 0; }""",
    "a function of the user with the name of one of the library": """
        static int bcmp(int *p) { return *p = 3; }
        int f(int a) { int n = 0; for (int i = 0; i < a; i++) bcmp(&n); if (n == 3) return 9; return 0; }""",
    "one that is declared with another type": """void bcmp(char *, int);
        int f(int a) { char c = 1; bcmp(&c, a); if (c == 5) return 9; return 0; }""",
    "a weak one that another function of the library uses": """char *strcpy(char *, const char *);
        __attribute__((weak)) char *stpcpy(char *d, const char *s) { *d = 'k'; return d; }
        int f(int a) { char x[4]; strcpy(x, "bc"); char *p = stpcpy(x, "cd"); if (p == x) return 9; return 0; }""",
    "a base that is none": """long strtol(const char *, char **, int);
        int f(int a) { char *e = 0; char s[2] = "0"; strtol(s, &e, 37); if (e != s + 1) return 9; return 0; }""",
    "what lies behind a string": "int f(const char *s) { if (s[0] == 0 && s[1] == 'x') return 9; return 0; }",
    "another name of a variable": """int t[4]; extern int u[4] __attribute__((alias("t")));
        int f(int a) { u[1] = a; if (t[1] == 4) return 9; return 0; }""",
    "a pointer that a loop leaves unknown": """static int g1 = 9, g2 = 8; static int *tab[2] = {&g1, &g2};
        int f(int n, int m) { int x = 1; int *p = tab[m & 1]; int i = 0;
        while (1) { if (i == (n & 1)) break; p = &x; i++; }
        if (*p == 9) return 9; return 0; }""",
    "a store through such a pointer": """int f(int n, int m) { int a[2] = {1, 1}, x = 1; int *p = m ? &a[0] : &a[1];
        for (int i = 0; ; i++) { if (i == (n & 3)) break; p = &x; }
        *p = 5; if (a[1] == 5) return 9; return 0; }""",
    "a function that is called in the middle": """static int s; int f(int n) { if (s == 1) return 9; return n; }
        int g(int n) { s = 1; f(n); s = 0; return n; }""",
    "a constructor that calls it": """static int s; int f(int n) { if (s == 1) return 9; return n; }
        __attribute__((constructor)) static void c(void) { s = 1; f(0); s = 0; }""",
    "a handler of exit": """void exit(int); static int s;
        int f(int n) { if (s == 1) return 9; if (n == 5) { s = 1; exit(0); } s = 0; return n; }""",
    "a comparison that calls back": """#include <stdlib.h>
        static int busy; int f(int (*cmp)(const void *, const void *)) { int a[3] = {3, 1, 2};
        if (busy) return 9; busy = 1; qsort(a, 3, 4, cmp); busy = 0; return 0; }""",
    "a comparison of the file that calls a pointer": """#include <stdlib.h>
        static int busy; static void (*hook)(void); void set(void (*h)(void)) { hook = h; }
        static int cmp(const void *a, const void *b) { if (hook) hook(); return a < b; }
        int f(int n) { int a[3] = {3, 1, n}; if (busy) return 9;
        busy = 1; qsort(a, 3, 4, cmp); busy = 0; return 0; }""",
    "a weak function in a long loop": """__attribute__((weak)) int w(int d) { if (d == 3) return 9; return d; }
        int f(int n) { int r = 0; for (int i = 0; i < 100; i++) r += w(3) & 1; return r; }""",
    "a recursion that is too deep in a loop": """static int depth;
        int f(int n) { int old = depth; if (old == 3) return 9; int s = 0;
        for (int i = 0; i < n; i++) { depth = old + 1; s += f(n - 1); } depth = old; return s; }""",
    "a pointer that was stored before": """int g = 3; static int *gp; void set(int *p) { gp = p; }
        int f(int n) { if (gp) *gp = 7; if (g == 7) return 9; return n; }""",
    "an address that is a number": """int g = 3;
        int f(unsigned long a) { *(int *)a = 7; if (g == 7) return 9; return 0; }""",
    "an atomic addition": """int g = 3;
        int f(int *p) { __atomic_fetch_add(p, 4, 5); if (g == 7) return 9; return 0; }""",
    "an atomic exchange": """int g = 3; int f(int *p, int n) { int old = 3;
        __atomic_compare_exchange_n(p, &old, 7, 0, 5, 5); if (g == 7) return 9; return n; }""",
    "a union with an initial value": """union U { int i; double d; } u = {5};
        int f(double *p, double *q) { *p = 2.0; *q = 3.0; if (u.d == 2.0) return 9; return 0; }""",
    "an access by another type": """float g; int f(int *p, int *q) { *q = 1; g = 1.0f; *(float *)p = 2.0f;
        if (g == 2.0f) return 9; return 0; }""",
    "a packed structure": """#pragma pack(push, 1)
        struct K { int m; }; struct Q { short s; struct K k; };
        #pragma pack(pop)
        union U { int w[2]; struct Q q; };
        int f(union U *q, struct K *p) { q->w[0] = 0; p->m = -1;
        if (q->w[0] != 0 && q->w[0] != -1) return 9; return 0; }""",
    "a variable that points to itself": """struct N { struct N *self; int v; }; static struct N a = {&a, 1};
        int f(int n) { a.self->v = 7; if (a.v == 7) return 9; return n; }""",
    "another thread": """static _Atomic int go; static int st; void put(void) { st = 1; go = 1; }
        int f(int n) { st = 0; go = 0; while (go != 1); if (st == 1) return 9; return n; }""",
}


@pytest.mark.parametrize("callees", [False, True])
@pytest.mark.parametrize("name", TAKEN)
def test_what_another_program_takes_is_not_refuted(programs: Programs, name: str, callees: bool) -> None:
    text = re.sub(r"if \([^;]*\) return 9;", r"\n\g<0>\n", TAKEN[name])
    subject = programs.load(text, callees=callees)
    line = next(n for n, part in enumerate(text.splitlines(), 1) if "return 9;" in part)
    try:
        never = refuted(subject, Bitwuzla())[0]
    except Unreadable:
        return
    assert not [site.condition for site in subject.sites if site.line == line and 2 * site.number in never]


def test_a_setter_takes_branches_before_the_function_does(programs: Programs) -> None:
    text = """static int total;
    int add(int n) { if (total > 6) return 9; total += n & 3; return total; }
    int f(int x) { if ((x & 1) > 11) return add(1); return x + total; }"""
    subject = programs.load(text, callees=True, calls=8)
    conditions = [subject.sites[outcome >> 1].condition for outcome in refuted(subject, Bitwuzla())[0]]
    assert conditions == ["(x & 1) > 11"]


def test_the_rounding_mode_of_the_caller_is_an_assumption(programs: Programs) -> None:
    text = "#include <fenv.h>\nint f(int n) { if (fegetround() == FE_UPWARD) return 9; return n; }"
    assert programs.load(text).reach(0).assumptions == ("floats are rounded to nearest",)
