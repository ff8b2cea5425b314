"""Faults of compiled operations: which a run has, what a search is told of others, how they are told and read."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from programs import Programs, words_of
from proofs import holds_never
from sampling import examples
from zeroin.config import FAULTS
from zeroin.languages.c.llvm_ir.ir import wrapping
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.languages.c.run.faults import Operations
from zeroin.solvers.smt import Bitwuzla
from zeroin.subject.base import Termination, branches_of
from zeroin.term.core.evaluate import evaluate

SHARED = {"suppress_health_check": [HealthCheck.function_scoped_fixture]}
EDGES = [0.0, -0.0, 5e-324, 1.0, -1.0, 0.5, 3.0, 1e-308, 1e154, 1.7976931348623157e308, math.inf, -math.inf, math.nan]
SMALL = [0.0, -0.0, 1.0, -1.0, 1e-38, 1e-45, 1e19, 2.0**31, 3.4028234663852886e38, math.inf, -math.inf, math.nan]
DOUBLES = st.one_of(st.sampled_from([*EDGES, *(-x for x in EDGES)]), st.floats())
SINGLES = st.one_of(st.sampled_from([float(np.float32(x)) for x in SMALL]), st.floats(width=32))
INTS = st.one_of(
    st.sampled_from([0, 1, -1, 2**31 - 1, -(2**31), 2**16, 46341, -46341]), st.integers(-(2**31), 2**31 - 1)
)
LONGS = st.one_of(st.sampled_from([0, 1, -1, 2**63 - 1, -(2**63), 2**32, 3037000500]), st.integers(-(2**63), 2**63 - 1))


def having(subject: LlvmSubject, *values: Any) -> dict[str, str]:
    """The faults of a run, by their names, and how each is told. What the probes compare is zero where it has one."""
    execution = subject.execute(words_of(subject.signature, *values))
    names = {branch.site.number: branch.id for branch in branches_of(subject.sites) if branch.is_fault}
    found = {}
    for decision in execution.decisions:
        if decision.site in names:
            assert (decision.left == 0) == decision.holds
            assert decision.left >= 0
            assert decision.right == 0
            if decision.holds:
                found[names[decision.site]] = subject.circumstances(decision.site)
    return found


def kinds(subject: LlvmSubject, *values: Any) -> set[str]:
    return {name.partition("@")[0] for name in having(subject, *values)}


def of_floats(sign: str, real: Any, a: float, b: float) -> set[str]:
    """The faults of an operation on two floats of a type, as they are defined."""
    with np.errstate(all="ignore"):
        x, y = real(a), real(b)
        result = {"+": x + y, "-": x - y, "*": x * y, "/": x / y}[sign]
    found = set()
    if np.isfinite([x, y]).all() and np.isinf(result) and not (sign == "/" and y == 0):
        found.add("overflow")
    if np.isnan(result) and not np.isnan([x, y]).any():
        found.add("nan")
    if sign == "/" and y == 0 and not np.isnan(x):
        found.add("divzero")
    return found


@pytest.mark.parametrize(("type_", "real", "values"), [("double", np.float64, DOUBLES), ("float", np.float32, SINGLES)])
@pytest.mark.parametrize("sign", ["+", "-", "*", "/"])
@given(data=st.data())
@examples(60, **SHARED)
def test_operations_on_floats(
    programs: Programs, type_: str, real: Any, values: st.SearchStrategy[float], sign: str, data: st.DataObject
) -> None:
    subject = programs.load(f"{type_} f({type_} a, {type_} b) {{ return a {sign} b; }}", find=FAULTS)
    a, b = data.draw(values), data.draw(values)
    assert kinds(subject, a, b) == of_floats(sign, real, a, b)


@pytest.mark.parametrize(("type_", "real", "ulp"), [("double", np.float64, 2.0**-52), ("float", np.float32, 2.0**-23)])
@given(a=SINGLES, b=SINGLES, steps=st.integers(-3, 3))
@examples(60, **SHARED)
def test_cancellation_leaves_an_ulp_or_nothing(
    programs: Programs, type_: str, real: Any, ulp: float, a: float, b: float, steps: int
) -> None:
    subject = programs.load(f"{type_} f({type_} a, {type_} b) {{ {type_} p = a * a; return p - b; }}", find=("cancel",))
    with np.errstate(all="ignore"):
        p = real(a) * real(a)
        near = p
        for _ in range(abs(steps)):
            near = np.nextafter(near, real(math.copysign(math.inf, steps)))
        for other in (real(b), near):
            result = p - other
            lost = all(np.isfinite([p, other])) and p != 0 and other != 0 and abs(float(result)) <= abs(float(p)) * ulp
            assert kinds(subject, a, float(other)) == ({"cancel"} if lost else set())


def test_what_is_given_has_all_its_digits(programs: Programs) -> None:
    whole = [
        "double f(double a, double b) { return a - b; }",
        "double f(double a) { double x = a; x = -x; return x - 1; }",
        "double f(int a, float b) { return a - (double) b; }",
        "#include <math.h>\ndouble f(double a, double b) { return fabs(a) - b; }",
    ]
    assert [programs.load(text, find=("cancel",)).sites for text in whole] == [[]] * 4
    rounded = programs.load("double f(double a, double b) { double x = a; if (b > 0) x = a * b; return x - b; }",
                            find=("cancel",))  # fmt: skip
    assert [site.form for site in rounded.sites] == ["branch", "cancel"]


@pytest.mark.parametrize("sign", ["+", "-", "*"])
@given(a=INTS, b=INTS, c=LONGS, d=LONGS)
@examples(60, **SHARED)
def test_overflows_of_integers(programs: Programs, sign: str, a: int, b: int, c: int, d: int) -> None:
    exact: Callable[[int, int], int] = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}[sign]
    subject = programs.load(f"int f(int a, int b) {{ return a {sign} b; }}", find=FAULTS)
    assert kinds(subject, a, b) == (set() if -(2**31) <= exact(a, b) < 2**31 else {"intoverflow"})
    subject = programs.load(f"long long f(long long a, long long b) {{ return a {sign} b; }}", find=FAULTS)
    assert kinds(subject, c, d) == (set() if -(2**63) <= exact(c, d) < 2**63 else {"intoverflow"})


def test_integers_wrap_although_the_compiler_says_that_they_do_not(programs: Programs) -> None:
    text = "int f(int a) { if (a + 1 < a) return 1; return 0; }"
    subject = programs.load(text, find=("intoverflow",))
    words = words_of(subject.signature, 2**31 - 1)
    run = subject.run(words)
    assert run.outcome is Termination.UNDEFINED
    assert 0 in run.covered
    assert wrapping("  %1 = add nuw nsw i32 %0, 1\n  %2 = sub nsw i64 0, %x") == (
        "  %1 = add nuw i32 %0, 1\n  %2 = sub i64 0, %x"
    )


@pytest.mark.parametrize("text", [
    "unsigned f(unsigned a, unsigned b) { return a + b * a - b; }", "short f(short a, short b) { return a + b; }",
    "int f(int a) { return (int)((unsigned) a + 1u); }", "int f(int a) { return a / 7 + 0; }",
])  # fmt: skip
def test_what_can_not_overflow(programs: Programs, text: str) -> None:
    subject = programs.load(text, find=("intoverflow",))
    outcomes = [subject.reach(branch.outcome).condition for branch in branches_of(subject.sites)]
    assert all(holds_never(Bitwuzla(), condition) for condition in outcomes)


@given(a=INTS, b=INTS)
@examples(40, **SHARED)
def test_divisions_of_integers(programs: Programs, a: int, b: int) -> None:
    for sign in "/%":
        subject = programs.load(f"int f(int a, int b) {{ return a {sign} b; }}", find=FAULTS)
        wanted = {"divzero"} if b == 0 else {"intoverflow"} if (a, b) == (-(2**31), -1) else set()
        if not wanted:  # the others end the run
            assert kinds(subject, a, b) == set()
        execution = subject.reach(0).condition if wanted == {"divzero"} else None
        if execution is not None:
            assert evaluate(execution, {"a": a & 0xFFFFFFFF, "b": b & 0xFFFFFFFF})


CASTS = {"signed char": (-(2**7), 2**7 - 1), "unsigned char": (0, 255), "short": (-(2**15), 2**15 - 1),
         "int": (-(2**31), 2**31 - 1), "unsigned": (0, 2**32 - 1), "long long": (-(2**63), 2**63 - 1),
         "unsigned long long": (0, 2**64 - 1)}  # fmt: skip


@pytest.mark.parametrize("source", ["double", "float"])
@pytest.mark.parametrize("target", CASTS)
@given(value=DOUBLES, above=st.booleans(), steps=st.integers(-3, 3))
@examples(30, **SHARED)
def test_casts(programs: Programs, source: str, target: str, value: float, above: bool, steps: int) -> None:
    subject = programs.load(f"{target} f({source} a) {{ return ({target}) a; }}", find=FAULTS)
    real = np.float64 if source == "double" else np.float32
    low, high = CASTS[target]
    with np.errstate(all="ignore"):
        near = real(high + 1 if above else low - 1 if low else low)
        for _ in range(abs(steps)):
            near = np.nextafter(near, real(math.copysign(math.inf, steps)))
        for given_value in (float(real(value)), float(near)):
            fits = math.isfinite(given_value) and low <= math.trunc(given_value) <= high
            assert kinds(subject, given_value) == (set() if fits else {"cast"})


def test_a_double_that_no_float_holds(programs: Programs) -> None:
    subject = programs.load("float f(double a) { return a; }", find=FAULTS)
    edge = float(np.float32(3.4028234663852886e38))
    assert [kinds(subject, a) for a in (edge, math.nextafter(edge, math.inf), 3.5e38, math.inf, math.nan)] == [
        set(), set(), {"overflow"}, set(), set()]  # fmt: skip


LIBRARY: list[tuple[str, tuple[float, ...], set[str]]] = [
    ("sqrt", (-1.0,), {"nan"}), ("sqrt", (-0.0,), set()), ("sqrt", (math.nan,), set()), ("log", (-1e-300,), {"nan"}),
    ("log", (0.0,), {"overflow"}), ("exp", (710.0,), {"overflow"}), ("exp", (math.inf,), set()),
    ("asin", (1.0000000000000002,), {"nan"}), ("acos", (-1.0,), set()), ("sin", (math.inf,), {"nan"}),
    ("log1p", (-1.5,), {"nan"}), ("acosh", (0.5,), {"nan"}), ("sqrtf", (-1.0,), {"nan"}),
    ("expf", (100.0,), {"overflow"}), ("pow", (-2.0, 0.5), {"nan"}), ("pow", (1e200, 2.0), {"overflow"}),
    ("fmod", (1.0, 0.0), {"nan"}),
    ("fmod", (math.inf, 2.0), {"nan"}), ("hypot", (1.7e308, 1.7e308), {"overflow"}),
    ("fma", (1e200, 1e200), {"overflow"}), ("atan2", (0.0, 0.0), set()),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "wanted"), LIBRARY)
def test_functions_of_the_library(
    programs: Programs, name: str, arguments: tuple[float, ...], wanted: set[str]
) -> None:
    type_ = "float" if name in ("sqrtf", "expf") else "double"
    parameters = f"{type_} a, {type_} b"
    given_names = "a, b, 1.0" if name == "fma" else "a, b"[: 3 * len(arguments) - 2]
    text = f"#include <math.h>\n{type_} f({parameters}) {{ return {name}({given_names}); }}"
    assert kinds(programs.load(text, find=FAULTS), *(*arguments, 0.0)[:2]) == wanted


@pytest.mark.parametrize(("call", "value", "wanted"), [
    ("std::acos(a)", 1.5, {"nan": "acos(1.5) = nan"}), ("std::sqrt(a)", -1.0, {"nan": "sqrt(-1.0) = nan"}),
    ("std::log10(a)", 0.0, {"overflow": "log10(0.0) = -inf"}), ("std::acos(a)", 1.0, {}),
    ("std::pow(a, 0.5f)", -2.0, {"nan": "pow(-2.0, 0.5) = nan"}), ("std::ldexp(a, 2)", 1.0, {}),
    ("std::exp(a)", 100.0, {"overflow": "exp(100.0) = inf"}),
    ("std::ldexp(a, 200)", 1.0, {"overflow": "ldexp(1.0, 200) = inf"}),
    ("std::fmod(a, 0.0f)", 1.0, {"nan": "fmod(1.0, 0.0) = nan"}), ("std::pow(a, 2)", -3.0, {}),
    ("std::sqrt((int)a)", -2.0, {"nan": "sqrt(-2) = nan"}), ("std::acos((int)a)", 2.0, {"nan": "acos(2) = nan"}),
    ("(float)std::pow(0.5f, (int)a) * 0", -2000.0, {"overflow": "pow(0.5, -2000) = inf", "nan": "inf * 0.0 = nan"}),
])  # fmt: skip
def test_overloads_of_the_cpp_library(programs: Programs, call: str, value: float, wanted: dict[str, str]) -> None:
    text = f'#include <cmath>\nextern "C" double f(float a) {{ return {call}; }}'
    found = having(programs.load(text, name=".cpp", find=FAULTS), value)
    assert {name.partition("@")[0]: told for name, told in found.items()} == wanted


@pytest.mark.parametrize("type_", ["int", "long", "long long"])
def test_absolute_values_of_the_cpp_library(programs: Programs, type_: str) -> None:
    text = f'#include <cstdlib>\nextern "C" {type_} f({type_} a) {{ return std::abs(a); }}'
    subject = programs.load(text, name=".cpp", find=FAULTS)
    lowest = -(2**31) if type_ == "int" else -(2**63)
    assert [*having(subject, lowest).values()] == [f"abs({lowest})"]
    assert kinds(subject, lowest + 1) == set()


@pytest.mark.parametrize(("callee", "shown"), [
    ("_ZSt4acosf", "acos({}) = {}"), ("_ZSt5log10f", "log10({}) = {}"),
    ("_ZNSt3__16__math4acosB9nie220108Ef", "acos({}) = {}"),
    ("_ZSt3absf", ""), ("_ZSt4acosSt7complexIfE", ""), ("_ZN3own4acosEf", ""),
])  # fmt: skip
def test_names_of_overloads(callee: str, shown: str) -> None:
    operations = Operations(lambda value: value, {}, set(), {callee}, set())
    found = {fault.shown.text for fault in operations.faults(f"  %2 = call float @{callee}(float %1)")}
    assert found == ({shown} if shown else set())


def test_functions_that_are_the_subjects_own_are_not_the_librarys(programs: Programs) -> None:
    text = "double sqrt(double x) { return x < 0 ? 0.0 / (x + 1) : x; }\ndouble f(double a) { return sqrt(a); }"
    assert [site.form for site in programs.load(text, find=("nan", "overflow")).sites] == []


BOUNDS = """
static int table[4];
struct s { int n; int rest[1]; int more[3]; };
int f(int i, int j) {
    double local[5] = {0};
    static int grid[2][3];
    struct s one = {0};
    int *behind = &table[i];
    int *far = table + j;
    local[i] = 1.0;
    return grid[i][j] + one.more[j] + *(local + j) + (behind - far) + local[2] + table[3];
}
"""


def test_indices(programs: Programs) -> None:
    subject = programs.load(BOUNDS, find=("bounds",))
    assert [branch.id for branch in branches_of(subject.sites)] == [
        "bounds@8:20", "bounds@10:5", "bounds@11:12", "bounds@11:12.2", "bounds@11:25", "bounds@11:39",
    ]  # fmt: skip
    assert having(subject, 1, 2) == {}
    assert having(subject, 1, 3) == {"bounds@11:12.2": "index 3 of 3 elements", "bounds@11:25": "index 3 of 3 elements"}
    assert set(having(subject, 4, 0)) == {"bounds@11:12"}  # &table[4] is an address
    assert having(subject, -1, 0)["bounds@8:20"] == "index -1 of 4 elements"
    text = "struct s { int n, rest[1]; };\nint f(int i) { static struct s one; return one.rest[i]; }"
    assert programs.load(text, find=FAULTS).sites == []  # it may be longer


def test_how_they_are_told(programs: Programs) -> None:
    text = """#include <math.h>
double f(double a, float b, int n, unsigned u) {
    int m = n + 1;
    double x = a * 1e300 - -a;
    return x / b + pow(a, 2.0) + (short) a + 100 / u + m;
}"""
    subject = programs.load(text, find=FAULTS)
    told = having(subject, 1e10, 0.0, 2**31 - 1, 7)
    assert told["intoverflow@3:15"] == "2147483647 + 1"
    assert told["overflow@4:18"] == "10000000000.0 * 1e+300 = inf"
    assert told["divzero@5:14"] == "inf / 0.0"
    assert told["cast@5:34"] == "(int16_t) 10000000000.0"
    texts = {branch.id: branch.site.condition for branch in branches_of(subject.sites)}
    assert texts["overflow@4:18"] == "a * 1e300"
    assert texts["overflow@5:20"] == "pow(a, 2.0)"
    assert texts["divzero@5:50"] == "100 / u"


MANY = """#include <math.h>
static int table[6];
int f(double x, double y, int n, int m) {
    int k = n * 3 - m;
    table[m & 3] = k;
    double z = x * y + n;
    if (z > 10.0) k += (int) (z - y);
    if (n > 3) k += table[n - 3];
    return k / (m + 1) + (short) (x / y) + table[k & 7];
}
"""
HARNESS = """
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
static sigjmp_buf home;
static void trap(int s) { siglongjmp(home, s == SIGILL || s == SIGTRAP ? 1 : 2); }
int main(void) {
    double x, y; int n, m;
    struct sigaction action = {0};
    action.sa_handler = trap;
    sigaction(SIGILL, &action, 0); sigaction(SIGTRAP, &action, 0); sigaction(SIGFPE, &action, 0);
    sigaction(SIGSEGV, &action, 0);
    while (scanf("%la %la %d %d", &x, &y, &n, &m) == 4) {
        for (int i = 0; i < 6; i++) table[i] = 0;
        int how = sigsetjmp(home, 1);
        if (how) { printf("%d\\n", how); continue; }
        volatile int r = f(x, y, n, m); (void) r;
        puts("0");
    }
}
"""
SANITIZERS = {"intoverflow": "signed-integer-overflow", "divzero": "integer-divide-by-zero,float-divide-by-zero",
              "cast": "float-cast-overflow", "bounds": "bounds"}  # fmt: skip


@pytest.mark.parametrize("kind", SANITIZERS)
def test_clangs_sanitizers_say_the_same(programs: Programs, tmp_path: Path, kind: str) -> None:
    generator = np.random.default_rng(7)
    rows = [(float(x), float(y), int(n), int(m)) for x, y, n, m in zip(
        generator.choice([0.0, 1.0, -3.5, 1e5, 1e10, 2147483647.5, 40000.0, 1e-3], 400),
        generator.choice([0.0, 1.0, -1.0, 0.25, 3.0, 1e-5, -2e9], 400),
        generator.choice([0, 1, 3, 5, 9, -4, 715827882, 715827883, -715827883, 2**31 - 1, -(2**31)], 400),
        generator.choice([0, -1, 1, 2, 3, 7, -2, 2**31 - 1, -(2**31)], 400), strict=True)]  # fmt: skip
    source, program = tmp_path / "m.c", tmp_path / "m"
    source.write_text(MANY + HARNESS)
    flags = [
        f"-fsanitize={SANITIZERS[kind]}",
        f"-fsanitize-trap={SANITIZERS[kind]}",
        "-fwrapv" * (kind != "intoverflow"),
    ]
    command = [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all", *filter(None, flags), "-O1", "-lm"]
    subprocess.run([*command, str(source), "-o", str(program)], check=True, capture_output=True)
    lines = "".join(f"{x.hex()} {y.hex()} {n} {m}\n" for x, y, n, m in rows)
    said = subprocess.run([str(program)], input=lines, capture_output=True, text=True, check=True).stdout.split()
    subject = programs.load(MANY, find=(kind,))
    subject.guard()
    ours = [str(int(kind in kinds(subject, *row))) for row in rows]
    assert 20 < ours.count("1") < 380
    # "2": it crashes, and what comes then only the instrumented function does not do; or the other way round, where
    # the compiler moves a division by zero behind the cast
    fine = [row[3] != -1 or kind != "cast" for row in rows]
    differ = [row for row, one, other, is_fine in zip(rows, ours, said, fine, strict=True)
              if one != other and other != "2" and is_fine]  # fmt: skip
    assert differ == []


READ = """#include <math.h>
int f(double x, float y, int n, long long k) {
    double p = x * x - y;
    int m = n * 7 + (int) p;
    if (k + n > 5) return m / (n - 3);
    return m + (unsigned char) (y / p);
}
"""


@given(x=DOUBLES, y=SINGLES, n=INTS, k=LONGS)
@examples(100, **SHARED)
def test_what_is_read_says_the_same(programs: Programs, x: float, y: float, n: int, k: int) -> None:
    """Proofs are sound only if every run that has a fault satisfies what is read of it."""
    subject = programs.load(READ, find=FAULTS)
    words = words_of(subject.signature, x, y, n, k)
    execution = subject.execute(words)
    inputs = subject.model.inputs(words)
    for branch in branches_of(subject.sites):
        reached = subject.reach(branch.outcome)
        if all(name in inputs for name in reached.inputs) and branch.outcome in execution.covered:
            assert evaluate(reached.condition, inputs), branch.id
    path = subject.along(words, execution)
    assert all(evaluate(step.constraint, inputs) for step in path.steps)


_MEANT = """
static const double huge = 1e300;
static const volatile double hidden = 1e300;
double gain = 1e300;
double f(double x, double y)
{
    if (x == 1.0) return huge * huge;
    if (x == 2.0) return hidden * hidden;
    if (x == 3.0) return y * 0x1p1023;
    if (x == 4.0) return gain * gain;
    return x * y;
}
"""


def test_an_overflow_on_purpose_is_marked(programs: Programs) -> None:
    subject = programs.load(_MEANT, find=("overflow",))
    meant = {site.line: site.is_meant for site in subject.sites if site.form == "overflow"}
    lines = {text.strip(): number for number, text in enumerate(_MEANT.splitlines(), 1)}
    told = {text: meant[number] for text, number in lines.items() if number in meant}
    assert told.pop("if (x == 1.0) return huge * huge;", True)  # the compiler may know the result
    assert told == {
        "if (x == 2.0) return hidden * hidden;": True, "if (x == 3.0) return y * 0x1p1023;": True,
        "if (x == 4.0) return gain * gain;": False, "return x * y;": False,
    }  # fmt: skip
