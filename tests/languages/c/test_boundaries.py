"""The boundaries of compiled comparisons: which a run is on, what a search is told of others, and how they are read."""

from __future__ import annotations

import ctypes
import math
import struct
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from programs import Programs, words_of
from sampling import examples
from zeroin.config import Budget
from zeroin.distance import holds
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.model.reach import ReachCondition
from zeroin.solvers.base import Query, Unsat
from zeroin.solvers.smt import Bitwuzla
from zeroin.subject.base import STEPS, branches_of
from zeroin.term.core.evaluate import evaluate

BITS = {"signed char": 8, "short": 16, "int": 32, "unsigned": 32, "long long": 64, "unsigned long long": 64}


def single(x: float) -> float:
    return ctypes.c_float(x).value


def beside(type_: str, value: Any, step: int) -> Any:
    """The next value of a type; None if there is none."""
    if value is None or not step:
        return value
    if type_ == "double":
        following = math.nextafter(value, step * math.inf)
    elif type_ == "float":
        (word,) = struct.unpack("<i", struct.pack("<f", value))
        word = word if word >= 0 else -(word & 0x7FFFFFFF)
        word += step
        pattern = word if word >= 0 else -word | 0x80000000
        (following,) = struct.unpack("<f", struct.pack("<I", pattern))
    else:
        width, unsigned = BITS[type_], type_.startswith("unsigned")
        low, high = (0, (1 << width) - 1) if unsigned else (-(1 << width - 1), (1 << width - 1) - 1)
        following = value + step
        return following if low <= following <= high else None
    return None if following == value or following != following else following


def on(subject: LlvmSubject, *values: Any) -> list[int | None]:
    """The steps that the left operand of the only comparison is from the right one, in a run; the operands that the
    run wrote down say the same."""
    execution = subject.execute(words_of(subject.signature, *values))
    at = {site.number: site.case for site in subject.sites if site.form == "boundary"}
    noted = [decision for decision in execution.decisions if decision.site in at]
    assert [at[decision.site] for decision in noted] == list(STEPS)
    for decision in noted:
        assert bool(holds(decision.op, decision.left, decision.right)) == decision.holds
    return [at[decision.site] for decision in noted if decision.holds]


EDGES = [0.0, -0.0, 5e-324, -5e-324, 1.0, -1.0, 2.2250738585072014e-308, 1.7976931348623157e308, math.inf, -math.inf]
FLOATS = st.one_of(st.sampled_from([*EDGES, math.nan]), st.floats())
SINGLES = st.one_of(st.sampled_from([single(x) if abs(x) < 1e38 else x for x in (*EDGES[:6], math.inf, math.nan)]),
                    st.floats(width=32))  # fmt: skip


def values_of(type_: str) -> st.SearchStrategy[Any]:
    if type_ not in BITS:
        return FLOATS if type_ == "double" else SINGLES
    width, unsigned = BITS[type_], type_.startswith("unsigned")
    low, high = (0, (1 << width) - 1) if unsigned else (-(1 << width - 1), (1 << width - 1) - 1)
    return st.one_of(st.sampled_from([low, low + 1, 0, 1, high - 1, high]), st.integers(low, high))


@pytest.mark.parametrize("type_", ["double", "float", *BITS])
@pytest.mark.parametrize("sign", ["<", ">=", "=="])
@given(data=st.data())
@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_run_is_on_the_boundary_that_its_operands_say(
    programs: Programs, type_: str, sign: str, data: st.DataObject
) -> None:
    subject = programs.load(f"int f({type_} a, {type_} b) {{ return a {sign} b; }}", boundary=True)
    values = values_of(type_)
    right = data.draw(values)
    far = data.draw(st.sampled_from([-2, -1, 0, 1, 2]))
    left: Any = right
    for _ in range(abs(far)):
        left = beside(type_, left, 1 if far > 0 else -1) if left == left else left
    if left is None or data.draw(st.booleans()):
        left = data.draw(values)
    nan = left != left or right != right
    expected = (
        [] if nan else [step for step in STEPS if (there := beside(type_, right, step)) is not None and there == left]
    )
    assert on(subject, left, right) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int f(float x) { return x < 0.5; }", {0.5: 0, 0.50000006: 1, 0.49999997: -1, 0.6: None}),
        ("int f(float x) { return x < 0.1; }", {single(0.1): 1, 0.09999999403953552: -1, 0.2: None}),
        ("int f(float x) { return 0.1 < x; }", {single(0.1): -1, 0.09999999403953552: 1, 0.2: None}),
        ("int f(float x) { return x > 0.0; }", {-0.0: 0, single(1e-45): 1, single(-1e-45): -1}),
        ("int f(int n) { return n < 2.5; }", {3: 1, 2: -1, 1: None, 4: None}),
        ("int f(int n) { return 2.5 > n; }", {3: -1, 2: 1, 1: None, 4: None}),
        ("int f(int n) { return n <= 3.0; }", {3: 0, 4: 1, 2: -1, 5: None}),
        ("int f(int n) { return n > -2.5f; }", {-2: None, -3: None}),  # not every int is a float
        ("int f(short n) { return n > -2.5f; }", {-2: 1, -3: -1, -1: None}),
        ("int f(int n) { return n < 1e300; }", {2147483647: None}),
        ("int f(int n) { return n < 2147483647.5; }", {2147483647: -1, -2147483648: None}),
        ("int f(unsigned n) { return n < 4294967296.0; }", {4294967295: -1, 0: None}),
        ("int f(float x, float y) { return x < (double)y; }", {(1.0, 1.0): 0, (1.0000001192092896, 1.0): 1}),
        ("int f(char c) { return (unsigned char)c == 255; }", {-1: 0, -2: -1, 0: None}),
        ("int f(unsigned long long u) { return u > 0; }", {0: 0, 1: 1, 2**64 - 1: None}),
        ("int f(long long n) { return n > -0x7fffffffffffffffLL - 1; }", {-(2**63): 0, 2**63 - 1: None}),
        ("int f(double x) { return x >= 1.0 / 0.0; }", {math.inf: 0, 1.7976931348623157e308: -1, -math.inf: None}),
        ("int f(double x) { return x == 0.0 / 0.0; }", {math.nan: None, 0.0: None}),
    ],
)  # fmt: skip
def test_the_step_is_one_of_what_is_compared(programs: Programs, text: str, expected: dict[Any, int | None]) -> None:
    subject = programs.load(text, boundary=True)
    for values, step in expected.items():
        arguments = values if isinstance(values, tuple) else (values,)
        assert on(subject, *arguments) == ([] if step is None else [step]), values


@pytest.mark.parametrize(
    "text",
    [
        "int f(unsigned a, unsigned b) { return a == b; }",
        "typedef unsigned word; int f(word a, word b) { const word c = a; { word d = b; return c != d; } }",
        "unsigned g[2]; int f(unsigned a, unsigned b) { g[1] = b; return a == g[1]; }",
        "unsigned g; int f(unsigned a, unsigned b) { g = b; return a == g ? 1 : 2; }",
        "struct s { int i; unsigned u[2]; }; int f(unsigned a, unsigned b) { struct s t = {1, {0, b}}, *p = &t; "
        "return a == p->u[1]; }",
        "int f(unsigned a, unsigned b) { unsigned *p = &b; return a == *p; }",
        "int f(unsigned a, unsigned b) { return (a ^ 0) + 0 == (b | b) - 0; }",
        "int f(unsigned a, unsigned b) { unsigned one = 1; return a / one == b; }",
        "int f(int a, unsigned b) { return a == b; }",
        "enum e { A, B }; int f(enum e a, unsigned b) { return a == b; }",
        "static unsigned g(unsigned x) { return x; } int f(unsigned a, unsigned b) { return g(a) == b; }",
        "int f(unsigned a, unsigned b) { return (b > 3 ? a : a) == b; }",
    ],
)
def test_the_highest_unsigned_integer_is_not_below_zero(programs: Programs, text: str) -> None:
    subject = programs.load(text, boundary=True)
    last = max(site.group for site in subject.sites if site.form == "boundary")
    for a, b, step in (
        (0, 2**32 - 1, None),
        (2**32 - 1, 0, None),
        (2**31, 2**31 - 1, 1),
        (2**31 - 1, 2**31, -1),
        (1, 0, 1),
    ):
        own = a - 2**32 if text.startswith("int f(int") and a >> 31 else a
        decisions = subject.execute(words_of(subject.signature, own, b)).decisions
        sites = {site.number: site.case for site in subject.sites if site.form == "boundary" and site.group == last}
        assert [sites[d.site] for d in decisions if d.site in sites and d.holds] == ([] if step is None else [step])


@pytest.mark.parametrize(
    ("text", "values", "step"),
    [
        ("int f(int a, int b) { return a == b; }", (-(2**31), 2**31 - 1), []),
        ("int f(int a, int b) { return a == b; }", (0, -1), [1]),
        ("int f(unsigned char c) { return c > -1; }", (0,), [1]),
        ("int f(short s, unsigned char c) { return s < c; }", (-1, 0), [-1]),
        ("int f(unsigned u, long x) { return u > x; }", (0, -1), [1]),
        ("int f(_Bool b) { return b > 0; }", (True,), [1]),
        ("int g(); int f(int a) { return g() == a; } int g() { return -1; }", (0,), [-1]),  # nobody knows its sign
        ("int g(); int f(unsigned a) { return (unsigned)g() == a; } int g() { return 0; }", (2**32 - 1,), []),
    ],
)
def test_signs_are_those_of_c(programs: Programs, text: str, values: tuple[int, ...], step: list[int]) -> None:
    assert on(programs.load(text, boundary=True), *values) == step


def test_the_conditions_that_choose_a_handler_are_not_looked_at(programs: Programs) -> None:
    text = """struct A {}; struct B {};
    static void g(int a) { if (a > 5) throw A(); if (a < 0) throw B(); }
    extern "C" int f(int a) { try { g(a); } catch (A &) { return 1; } catch (B &) { return a == 3; } return 0; }"""
    subject = programs.load(text, name=".cpp", boundary=True, callees=True)
    assert {site.condition for site in subject.sites if site.form == "boundary"} == {"a > 5", "a < 0", "a == 3"}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("int f(int *p) { return p == 0; }", 0),  # addresses have no neighbours
        ("int f(int a, int b) { return !(a < b); }", 1),
        ("int f(int a, int b) { return (a < b) == 0; }", 1),
        ("int f(int a, int b) { if (__builtin_expect(a < b, 0)) return 1; return 0; }", 1),
        ("int f(int a, int b) { return a && b > 2; }", 2),
        ("int f(int a) { if (a) return 1; return 0; }", 1),
        ("int f(int a) { switch (a) { case 1: return 2; default: return 0; } }", 0),
        ("int f(int a) { int i, s = 0; for (i = 0; i < a; i++) s += i > 3 ? 1 : 2; return s; }", 2),
        ("int f(double a) { return 0; }", 0),
    ],
)
def test_the_comparisons_of_values_are_those_looked_at(programs: Programs, text: str, count: int) -> None:
    subject = programs.load(text, boundary=True)
    boundaries = [site for site in subject.sites if site.form == "boundary"]
    assert len(boundaries) == count * len(STEPS)
    assert len({site.group for site in boundaries}) == count
    names = [branch.id for branch in branches_of(subject.sites) if branch.site.form == "boundary"]
    assert names == [f"{number}{sign}" for number in range(count) for sign in "=+-"]


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("int f(double x) { long double y = x; return y < 1.0L; }", "x86_fp80"),
        ("int f(long n) { __int128 y = n; return y < 7; }", "i128"),
        ("int f(long n) { _BitInt(100) y = n; return y == 7; }", "i100"),
    ],
)
def test_other_types_are_told(programs: Programs, text: str, type_: str) -> None:
    subject = programs.load(text, boundary=True)
    assert subject.sites == []
    assert subject.remarks() == [f"comparisons of {type_} were ignored, they are not supported"]


NESTED = """
static int deep(double x, int n) { return x < n ? n == 3 : x > 4.5f; }
int f(double x, int n, float s) {
    if (x > 1.0 && s <= 0.1)
        return deep(x, n) + (s == x);
    while (n > 7) n -= 3;
    return x != n ? -1 : s > n;
}
"""


@given(x=st.sampled_from([0.0, 1.0, 1.0000000000000002, 3.0, 4.0, 4.5, math.nan]), n=st.integers(-2, 20),
       s=st.sampled_from([0.0, single(0.1), 1.0, 4.0]))  # fmt: skip
@examples(40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_read_is_what_runs_do(programs: Programs, x: float, n: int, s: float) -> None:
    """The path condition of a run holds for it, condition by condition, and reaching what it takes is not refuted."""
    subject = programs.load(NESTED, boundary=True, callees=True)
    words = words_of(subject.signature, x, n, s)
    execution = subject.execute(words)
    path = subject.along(words, execution)
    assert path.ended == ""
    assert [step.site for step in path.steps] == [decision.site for decision in execution.decisions]
    for step in path.steps:
        assert evaluate(step.constraint, path.inputs) is True


def test_what_no_run_is_on_is_refuted_and_nothing_else(programs: Programs) -> None:
    text = "int f(double x, int n) { if (x * x == 2.0) return 1; return n % 7 < 6; }"
    subject = programs.load(text, boundary=True)
    proved = {}
    for branch in branches_of(subject.sites):
        if branch.site.form == "boundary":
            reached: ReachCondition = subject.reach(branch.outcome)
            answer = Bitwuzla().solve(Query((reached.condition,)), Budget(10**9, 20.0))
            proved[branch.id] = isinstance(answer, Unsat)
    assert proved == {"0=": True, "0+": False, "0-": True, "1=": False, "1+": True, "1-": False}
