"""Assertions at the top of a compiled function are what callers have to see to; all others are not."""

from __future__ import annotations

from typing import Any

import pytest

from programs import Programs, words_of
from zeroin.subject.base import Termination

TOP = [  # in front of `assert(x > 5);`
    "",
    "double y;",
    "double y = x * 2, z[2] = {1.0, x}; struct { int a; double b; } t = {1, x};",
    "int y = x < 0 ? -x : x;",
    "int y = 0; if (x < 0) { y = -x; } else { y = x; }",
    "double y = fabs(sqrt(x + 10.0)); size_t n = strlen(s);",
    "int y; memcpy(&y, &x, sizeof y); y += 1;",
    "assert(x != 9);",
    "assert(x != 9 && s); assert(x != 9 || strlen(s) > 3);",
    "int *p = &count; assert(*p == count); assert(limits[x & 1] == 0 && count == 0);",
    "int y = sizeof(int), *p = &y; (void)p;",
    "if (x > 100 && s) { (void)x; }",
]
LATER = [
    "count++;",
    "check(x);",
    "int y = check(x); (void)y;",
    "static int last; last = x;",
    "*out = x;",
    "out[1] += 2;",
    'puts("a");',
    "if (x == 3) return 4;",
    "for (int i = 0; i < 2; i++) count += 0;",
    "int y = isready(x); (void)y;",
    "int *p = malloc(4); (void)p;",
    "if (x > 100) { count = 1; }",
    "volatile int *port = &count; int y = *port; (void)y;",
    "memset(out, 0, sizeof *out);",
    "if (x == 1)",
    "if (x != 1) {} else",
    "while (x == 1)",
    "time_t now = time(0); (void)now;",
    "assert(check(x));",
    "assert(x != 7 && ((count = 1)));",
]
PROPERTIES = [  # which say nothing of what callers give
    "clamp(x) <= 5",
    "x > 5 || isready(x) > 5",
    "limits[1] > 5",
    "count > 5 && !limits[0]",
]
TEXT = """
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static int count, limits[2];
static int clamp(int x) {{ return x; }}
static int check(int x) {{ count += x; return 1; }}
static int isready(int x) {{ count += x; return 1; }}
int f(int x, const char *s, int out[2])
{{
    {body}
    assert(x > 5);
    return x + isready(x);
}}
"""
LINE = 15


def how(programs: Programs, text: str, *values: Any, name: str = "f", file: str = ".c") -> tuple[Termination, str]:
    subject = programs.load(text, name, file)
    replay = subject.replay(words_of(subject.signature, *values))
    return replay.outcome, replay.uncounted


@pytest.mark.parametrize("body", TOP)
def test_an_assertion_at_the_top_is_a_precondition(programs: Programs, body: str) -> None:
    told = f'fails "assert(x > 5)" (line {LINE}), which stands at the top: a precondition'
    assert how(programs, TEXT.format(body=body), 1, "", [0, 0]) == (Termination.ASSERTED, told)
    assert how(programs, TEXT.format(body=body), 6, "", [0, 0]) == (Termination.RETURNED, "")


@pytest.mark.parametrize("body", LATER)
def test_an_assertion_behind_an_effect_is_none(programs: Programs, body: str) -> None:
    assert how(programs, TEXT.format(body=body), 1, "", [0, 0]) == (Termination.ASSERTED, "")


@pytest.mark.parametrize("condition", PROPERTIES)
def test_what_an_assertion_says_of_code_is_no_precondition(programs: Programs, condition: str) -> None:
    text = TEXT.format(body="").replace("x > 5", condition)
    assert how(programs, text, 8 if "clamp" in condition else 1, "", [0, 0]) == (Termination.ASSERTED, "")


def test_a_test_has_no_preconditions(programs: Programs) -> None:
    text = TEXT.format(body="").replace("int f(", "int test_f(")
    assert how(programs, text, 1, "", [0, 0], name="test_f") == (Termination.ASSERTED, "")
    method = "#include <cassert>\nnamespace own { int test_f(int x) { assert(x > 5); return x; } }\n"
    assert how(programs, method, 1, name="own::test_f", file=".cpp") == (Termination.ASSERTED, "")


def test_an_object_is_given_by_callers(programs: Programs) -> None:
    text = """
    #include <cassert>
    struct Gain {
        double k;
        explicit Gain(double k) : k(k) {}
        double of(double x) { assert(k > 0.0); return k * x; }
    };
    """
    subject = programs.load(text, "Gain::of", ".cpp")
    replay = subject.replay(words_of(subject.signature, -1.0, [{"x": 1.0, "times": 1}]))
    assert "assert(k > 0.0)" in replay.uncounted


CALLS = """
#include <assert.h>
static int g(int x) { assert(x > 0); return x; }
int outer(int x) { return g(x - 1); }
int within(int x) { assert(g(x)); return x; }
int fib(int n)
{
    assert(n >= 0 && n < 20);
    return n == 0 ? 0 : fib(n - 1) + fib(n - 2);
}
int same(int x)
{
    assert(x > 0);
    if (x > 3) assert(x > 10);
    return g(x - 1);
}
"""


def test_assertions_of_what_is_called_are_findings(programs: Programs) -> None:
    assert how(programs, CALLS, 1, name="outer") == (Termination.ASSERTED, "")
    assert how(programs, CALLS, 0, name="within") == (Termination.ASSERTED, "")
    assert "assert(n >= 0" in how(programs, CALLS, -1, name="fib")[1]
    assert "assert(n >= 0" in how(programs, CALLS, 20, name="fib")[1]
    assert how(programs, CALLS, 1, name="fib") == (Termination.ASSERTED, "")
    assert how(programs, CALLS, 5, name="same") == (Termination.ASSERTED, "")
    assert how(programs, CALLS, 1, name="same") == (Termination.ASSERTED, "")
    assert "(line 13)" in how(programs, CALLS, 0, name="same")[1]


def test_assertions_of_the_same_text_are_ends_apart(programs: Programs) -> None:
    subject = programs.load(CALLS, "same")
    ends = [subject.run(words_of(subject.signature, x)).end for x in (0, 1, 5, 0, 1)]
    assert len(set(ends)) == 3
    assert ends[:2] == ends[3:]


CXX = """
#include <cassert>
#include <cmath>
#include <algorithm>
namespace own {
double f(double x, const int &n)
{
    assert(x > 0 && "positive");
    const double y = std::max(std::abs(x), 1.0);
    assert(std::isfinite(y) && y < n);
    return y;
}
}
"""


def test_of_cxx(programs: Programs) -> None:
    for x, n, text in ((0.0, 1, 'x > 0 && "positive"'), (3.0, 2, "y < n"), (float("inf"), 2, "std::isfinite(y)")):
        assert text in how(programs, CXX, x, [n], name="own::f", file=".cpp")[1]
    assert how(programs, CXX, 1.5, [2], name="own::f", file=".cpp") == (Termination.RETURNED, "")
