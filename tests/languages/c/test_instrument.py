"""The sites of compiled functions: which there are, what they are called, and what a run decides at them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import Programs, words_of
from zeroin.distance import EQ, GT, LE, LT, NE_ORDERED, UNORDERED
from zeroin.languages.c.front.condition_text import condition_text
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import Termination, branches_of
from zeroin.subject.constant import Constant
from zeroin.words import Kind

Trace = list[tuple[str, bool]]


def conditions(subject: LlvmSubject) -> list[str]:
    return [site.condition for site in subject.sites]


def trace(subject: LlvmSubject, *values: Any) -> Trace:
    """The conditions that a run evaluates, and whether each holds."""
    execution = subject.execute(words_of(subject.signature, *values))
    assert execution.outcome is Termination.RETURNED
    assert not execution.truncated
    assert execution.covered == {2 * d.site + (not d.holds) for d in execution.decisions}
    return [(subject.sites[d.site].condition, d.holds) for d in execution.decisions]


def body(statements: str) -> str:
    return f"int f(int a, int b, int c)\n{{\n{statements}\n    return 0;\n}}\n"


# ---- the sites and what they are called ----


@pytest.mark.parametrize(
    ("statements", "expected", "form"),
    [
        ("if (a > 1) return 1;", ["a > 1"], "branch"),
        ("if (a > 1 && b < 2) return 1;", ["a > 1", "b < 2"], "branch"),
        ("if (a > 1 || b < 2) return 1;", ["a > 1", "b < 2"], "branch"),
        ("if (a > 1 || (b < 2 && a != b)) return 1;", ["a > 1", "b < 2", "a != b"], "branch"),
        ("if (!(a && b)) return 1;", ["a", "b"], "branch"),
        ("return a > 3 ? 7 : 9;", ["a > 3"], "select"),
        ("return a > 3 ? a : -a;", ["a > 3"], "branch"),
        ("return a == 1 ? b : a == 2 ? c : 5;", ["a == 1", "a == 2"], "branch"),
        ("while (a > 0) a--;", ["a > 0"], "branch"),
        ("do a--; while (a > 0);", ["a > 0"], "branch"),
        ("for (int i = 0; i < a; i++) b++;", ["i < a"], "branch"),
        ("for (;;) { if (a++ >= b) break; }", ["a++ >= b"], "branch"),
        ("if ((b = a * 2) == 6) return 1; else if (b) return 2;", ["(b = a * 2) == 6", "b"], "branch"),
        ("return (a > 0) == (b > 0) ? b : c;", ["(a > 0) == (b > 0)"], "branch"),
        ("if ((a - 1) * (b + 1)) return 1;", ["(a - 1) * (b + 1)"], "branch"),
        ("if (((a > 1))) return 1;", ["a > 1"], "branch"),
        ("if (a > 1 /* not && this */ && b) // or ( this\n return 1;", ["a > 1", "b"], "branch"),
        ("if (a == \")&&(\"[0] || b > '(') return 1;", ['a == ")&&("[0]', "b > '('"], "branch"),
        ('if (a == "//"[0] && b != \'"\') return 1;', ['a == "//"[0]', "b != '\"'"], "branch"),
        ("if (a\n    > 1\n  && b\n    < 2) return 1;", ["a > 1", "b < 2"], "branch"),
    ],
)
def test_conditions(programs: Programs, statements: str, expected: list[str], form: str) -> None:
    subject = programs.load(body(statements))
    assert conditions(subject) == expected
    assert subject.sites[0].form == form
    assert [s.number for s in subject.sites] == list(range(len(expected)))


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("int x = a && b; return x;", [("a", "branch"), ("b", "operand")]),
        ("int x = a > 1 || b > 1; return x;", [("a > 1", "branch"), ("b > 1", "operand")]),
        ("a += b && c > 1; return a;", [("b", "branch"), ("c > 1", "operand")]),
        ("while (a && b) a--;", [("a", "branch"), ("b", "operand")]),
        ("while (a && (b || c)) a--;", [("a", "branch"), ("b", "branch"), ("c", "operand")]),
        ("int x = a && (b || c); return x;", [("a", "branch"), ("b", "branch"), ("c", "operand")]),
        ("int x = (a || b) && c; return x;", [("a", "branch"), ("b", "branch"), ("c", "operand")]),
        ("return a > 1 && b > 1 && a != b;", [("a > 1", "branch"), ("b > 1", "branch"), ("a != b", "operand")]),
        ("int x[] = {a > 1 ? 2 : 3, b && c}; return x[0] + x[1];",
         [("a > 1", "select"), ("b", "branch"), ("c", "operand")]),
    ],
)  # fmt: skip
def test_operands_that_are_no_branches_in_the_ir(
    programs: Programs, statements: str, expected: list[tuple[str, str]]
) -> None:
    subject = programs.load(body(statements))
    assert [(s.condition, s.form) for s in subject.sites] == expected


@pytest.mark.parametrize(
    "statements",
    [
        "return a > 3;",
        "int x = !a; return x;",
        "while (1) { if (sizeof a == 4) break; }",
        "do a++; while (0);",
        "goto end; end: return a;",
    ],
)
def test_what_decides_nothing_is_no_site(programs: Programs, statements: str) -> None:
    assert programs.load(body(statements)).sites == []


def test_places(programs: Programs) -> None:
    text = "int f(int a, int b)\n{\n    if (a > 1\n        && b < 2)\n        return 1;\n\treturn a == b ? 3 : 4;\n}\n"
    subject = programs.load(text)
    places = [(s.condition, s.line, s.column) for s in subject.sites]
    assert places == [("a > 1", 3, 11), ("b < 2", 4, 14), ("a == b", 6, 11)]
    assert {s.file for s in subject.sites} == {str(programs.write(text))}
    assert {s.function for s in subject.sites} == {"f"}


def test_a_macro_shows_as_it_is_written(programs: Programs) -> None:
    text = "#define BIG(x) ((x) > 1000)\n" + body("if (BIG(a) && !BIG(b)) return 1;")
    assert conditions(programs.load(text)) == ["BIG(a)", "BIG(b)"]


def test_a_statement_in_a_macro_is_where_the_macro_is_used(programs: Programs) -> None:
    header = programs.write("#define CHECK \\\n    if (a > 5) return 9\n", "c.h")
    subject = programs.load(f'#include "{header}"\n' + body("CHECK;"))
    assert [(s.line, s.condition) for s in subject.sites] == [(4, "CHECK")]


def test_the_source_may_be_gone(programs: Programs) -> None:
    assert condition_text("/no/such/file.c", 3, 5) == ""
    path = str(programs.write("int x;\n"))
    assert (condition_text(path, 9, 1), condition_text(path, 1, 0)) == ("", "")


def test_long_conditions_are_cut(programs: Programs) -> None:
    long = " + ".join(["a"] * 40) + " > 1"
    (text,) = conditions(programs.load(body(f"if ({long}) return 1;")))
    assert text == long[:57] + "..."


def test_branches_of_sites(programs: Programs) -> None:
    subject = programs.load(
        body("if (a) return 1;\nswitch (b) { case 7: a = 2; break; case -8: a = 3; }\nif (c) return a;")
    )
    branches = [(b.id, b.label, b.outcome) for b in branches_of(subject.sites)]
    assert branches == [
        ("0T", "true", 0), ("0F", "false", 1), ("1C7", "case 7", 2), ("1C-8", "case -8", 4), ("1D", "default", 5),
        ("2T", "true", 6), ("2F", "false", 7),
    ]  # fmt: skip


def test_cases_have_the_names_of_enumerators(programs: Programs) -> None:
    text = (
        "enum mode { IDLE, RUN = 5 };\nenum other { IDLE_TOO };\n#define STOP 9\n"
        "int f(int m) {\n  switch (m) {\n  case IDLE: return 1; // case OLD:\n  case RUN: return 2;\n"
        "  case STOP: return 3;\n  case 7: return 4;\n  }\n  return m == IDLE_TOO;\n}\n"
        "enum mode first;\nenum other second;\n"
    )
    subject = programs.load(text)
    shown = {b.label: b.shown for b in branches_of(subject.sites) if b.site.form == "switch"}
    assert shown == {
        "case 0": "case IDLE", "case 5": "case RUN", "case 9": "case 9", "case 7": "case 7", "default": "default"
    }  # fmt: skip


def test_conditions_of_cxx_keep_their_scopes(tmp_path: Path) -> None:
    lines = ["if (!std::isfinite(x)) f();", "if (s.find(y) != std::string::npos) f();", "a = b ? ::g(x) > 1 : c::d;"]
    (tmp_path / "f.cpp").write_text("\n".join(lines) + "\n")
    path = str(tmp_path / "f.cpp")
    assert condition_text(path, 1, 6) == "std::isfinite(x)"
    assert condition_text(path, 2, 7) == "s.find(y) != std::string::npos"
    assert condition_text(path, 2, 15) == "s.find(y) != std::string::npos"
    assert condition_text(path, 3, 15) == "::g(x) > 1"


# ---- what is compared ----


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("int f(int a) { return a <= 3 ? a : 0; }", (-5,), (LE, -5, 3, True)),
        ("int f(char a) { return a < 3 ? a : 0; }", (-5,), (LT, -5, 3, True)),
        ("int f(unsigned char a) { return a < 200 ? a : 0; }", (250,), (LT, 250, 200, False)),
        ("int f(unsigned a) { return a > 3000000000u ? a : 0; }", (2**32 - 1,), (GT, 2**32 - 1, 3000000000, True)),
        ("int f(unsigned long long a) { return a > 1 ? a : 0; }", (2**64 - 1,), (GT, 2**63 - 1, 1 - 2**63, True)),
        ("int f(long a) { return a > 1 ? a : 0; }", (-(2**63),), (GT, -(2**63), 1, False)),
        ("int f(double a) { return a == 0.1 ? 1 : 0; }", (0.1,), (EQ, 0.1, 0.1, True)),
        ("int f(float a) { return a < 0.1f ? 1 : 0; }", (0.0,), (LT, 0.0, 0.10000000149011612, True)),
        ("int f(float a) { return a < 0.1 ? 1 : 0; }", (0.5,), (LT, 0.5, 0.1, False)),
        ("int f(double a) { return a != a ? 1 : 0; }", (2.0,), (UNORDERED | NE_ORDERED, 2.0, 2.0, False)),
        ("int f(_Bool a) { if (a) return 1; return 0; }", (True,), (NE_ORDERED, 1, 0, True)),
        ("int f(_Bool a, _Bool b) { if (a == b) return 1; return 0; }", (True, False), (EQ, 1, 0, False)),
        ("int f(double a) { if (a) return 1; return 0; }", (-0.0,), (UNORDERED | NE_ORDERED, -0.0, 0.0, False)),
        ("int f(int a) { if (!a) return 1; return 0; }", (4,), (NE_ORDERED, 4, 0, True)),
        ("int f(double a) { if (!(a > 5)) return 1; return 0; }", (4.0,), (GT, 4.0, 5.0, False)),
        ("int f(double a) { if ((a > 5) == 0) return 1; return 0; }", (4.0,), (LE | UNORDERED, 4.0, 5.0, True)),
        ("int f(double a) { if ((a > 5) != 0) return 1; return 0; }", (4.0,), (GT, 4.0, 5.0, False)),
        ("int f(double a) { if (__builtin_isnan(a)) return 1; return 0; }", (4.0,), (UNORDERED, 4.0, 4.0, False)),
        ("int f(float a) { if (__builtin_isnan(a)) return 1; return 0; }", (0.5,), (UNORDERED, 0.5, 0.5, False)),
        ("int f(double a) { if (__builtin_isfinite(a)) return 1; return 0; }", (-4.0,), (LT, 4.0, math.inf, True)),
        ("int f(float a) { if (!__builtin_isfinite(a)) return 1; return 0; }", (-0.5,), (LT, 0.5, math.inf, True)),
        ("int f(double a) { if (__builtin_isinf(a)) return 1; return 0; }", (-4.0,), (EQ, 4.0, math.inf, False)),
    ],
)  # fmt: skip
def test_operands(programs: Programs, text: str, values: tuple[Any, ...], expected: tuple[Any, ...]) -> None:
    subject = programs.load(text)
    (decision,) = subject.execute(words_of(subject.signature, *values)).decisions
    assert (decision.op, decision.left, decision.right, decision.holds) == expected


def test_isnan(programs: Programs) -> None:
    subject = programs.load("#include <math.h>\nint f(double a) { if (isnan(a)) return 1; return 0; }")
    assert conditions(subject) == ["isnan(a)"]
    for value in (math.nan, -math.nan, math.inf, 0.0):
        assert trace(subject, value) == [("isnan(a)", math.isnan(value))]


def test_tests_of_a_floats_class(programs: Programs) -> None:
    subject = programs.load(
        "#include <math.h>\nint f(float a) { if (isfinite(a)) return 1; return isnormal(a) ? 2 : 0; }"
    )
    for value in (math.nan, -math.nan, math.inf, -math.inf, 0.0, -2.5, 3.4e38):
        assert trace(subject, value)[0] == ("isfinite(a)", math.isfinite(value))


TEXTS = [b"", b"a", b"ab", b"abc", b"abd", b"aBc", b"b", b"ABC", b"\xffab", b"abcabca"]


@pytest.mark.parametrize(
    ("call", "length", "folded"),
    [("strcmp(s, t)", None, False), ("strncmp(s, t, 2)", 2, False), ("memcmp(s, t, n)", 3, False),
     ("strcasecmp(s, t)", None, True), ("strncasecmp(s, t, n)", 3, True)],
)  # fmt: skip
def test_strings_are_compared_by_how_much_of_them_is_alike(
    programs: Programs, call: str, length: int | None, folded: bool
) -> None:
    """The sign is the C library's; where more is alike, the difference is less."""
    text = f"int f(const signed char s[8], const signed char t[8], int n) {{ if ({call} < 0) return 1; return 0; }}"
    subject = programs.load("#include <string.h>\n#include <strings.h>\n" + text)

    def compared(one: bytes, other: bytes) -> int:
        signed = [[c - 256 if c > 127 else c for c in chars.ljust(8, b"\0")] for chars in (one, other)]
        (decision,) = subject.execute(words_of(subject.signature, *signed, 3)).decisions
        assert (decision.op, decision.right) == (LT, 0)
        assert decision.holds == (decision.left < 0)
        return int(decision.left)

    for one, other in itertools.product(TEXTS, TEXTS):
        a, b = (chars.ljust(8, b"\0")[:length] for chars in (one, other))
        a, b = (a.lower(), b.lower()) if folded else (a, b)
        difference = compared(one, other)
        assert (difference > 0) - (difference < 0) == (a > b) - (a < b)
    assert abs(compared(b"abd", b"bbd")) > abs(compared(b"abd", b"acd")) > abs(compared(b"abd", b"abd")) == 0
    assert abs(compared(b"bz", b"ab")) > abs(compared(b"bz", b"bb")) >= abs(compared(b"bd", b"bb"))


def test_a_function_of_the_subjects_own_is_no_comparison_of_strings(programs: Programs) -> None:
    own = "static int strcmp(const char *s, const char *t) { return s[0] + t[0]; }\n"
    subject = programs.load(
        own + "int f(const char s[2], const char t[2]) { if (strcmp(s, t) == 0) return 1; return 0; }"
    )
    (decision,) = subject.execute(words_of(subject.signature, [3, 0], [4, 0])).decisions
    assert (decision.op, decision.left, decision.right) == (EQ, 7, 0)


def test_pointers(programs: Programs) -> None:
    subject = programs.load("int f(int *a, int *b) { if (a == b) return 1; if (!a) return 2; return 3; }")
    assert trace(subject, [1], [1]) == [("a == b", False), ("a", True)]
    assert trace(subject, None, [1]) == [("a == b", False), ("a", False)]
    same = programs.load("int f(int *a) { int *b = a; if (a == b) return 1; return 3; }")
    assert trace(same, [1]) == [("a == b", True)]


def test_constants_compared_with(programs: Programs) -> None:
    subject = programs.load(
        "int f(double x, unsigned char c, long long n) { if (x < 0.5) return 1; if (n == -3) return 2;\n"
        "switch (c) { case 200: return 3; } return 0; }"
    )
    assert Constant(Kind.F64, 0x3FE0000000000000) in subject.constants
    assert Constant(Kind.I64, (1 << 64) - 3) in subject.constants
    assert Constant(Kind.I32, 200) in subject.constants


# ---- decisions against oracles written by hand ----

Oracle = Callable[..., Iterator[tuple[str, bool]]]


def and_or(a: int, b: int, c: int) -> Iterator[tuple[str, bool]]:
    yield "a > 1", a > 1
    if a > 1:
        return
    yield "b < 2", b < 2
    if b < 2:
        yield "a != c", a != c


def loop(a: int, b: int, c: int) -> Iterator[tuple[str, bool]]:
    i = 0
    while True:
        yield "i < a", i < a
        if not i < a:
            break
        yield "i % 2", i % 2 != 0
        if i % 2:
            yield "i == b", i == b
            if i == b:
                break
        i += 1
    while True:
        c -= 1
        yield "c > 5", c > 5
        if not c > 5:
            return


def while_and(a: int, b: int, c: int) -> Iterator[tuple[str, bool]]:
    while True:
        yield "a", a != 0
        if not a:
            return
        yield "b > c", b > c
        if not b > c:
            return
        a -= 1 if a > 0 else -1
        b -= 1


def value_of_and(a: int, b: int, c: int) -> Iterator[tuple[str, bool]]:
    yield "a", a != 0
    x = a != 0
    if a:
        yield "b < c", b < c
        x = b < c
    yield "x", x
    if x:
        yield "a == 3", a == 3


def ternaries(a: int, b: int, c: int) -> Iterator[tuple[str, bool]]:
    yield "a < b", a < b
    x = 1 if a < b else 2
    yield "a == c", a == c
    yield "x == 2", x == 2


def switching(a: int, b: int, c: int) -> Iterator[tuple[str, bool]]:
    for case in (1, -3, 10, 11):
        yield "a + 1", a + 1 == case
        if a + 1 == case:
            break
    if a + 1 in (-3, 10, 11) or a + 1 not in (1, -3, 10, 11):
        yield "b", b != 0


ORACLES: list[tuple[str, Oracle]] = [
    ("if (a > 1 || (b < 2 && a != c)) return 1;", and_or),
    ("for (int i = 0; i < a; i++) if (i % 2) { if (i == b) break; }\n do { c--; } while (c > 5);", loop),
    ("while (a && b > c) { a -= (a >> 31) | 1; b--; }", while_and),
    ("int x = a && b < c;\n if (x) { if (a == 3) return 1; }", value_of_and),
    ("int x = a < b ? 1 : 2;\n int y = a == c ? a : b;\n if (x == 2) return y;", ternaries),
    (
        "switch (a + 1) { case 1: return 5; case -3: a = 6; break; case 10: case 11: a = 7; default: a = 8; }\n"
        "if (b) return a;",
        switching,
    ),
]
SMALL = (-5, -4, -3, 0, 1, 2, 3, 9, 10)


@pytest.mark.parametrize(("statements", "oracle"), ORACLES, ids=[o.__name__ for _, o in ORACLES])
def test_decisions_are_what_the_oracle_says(programs: Programs, statements: str, oracle: Oracle) -> None:
    subject = programs.load(body(statements))
    for values in itertools.product(SMALL, SMALL, (-3, 0, 2, 8)):
        assert trace(subject, *values) == list(oracle(*values)), values


@pytest.mark.parametrize(("statements", "oracle"), ORACLES, ids=[o.__name__ for _, o in ORACLES])
@given(st.integers(-40, 40), st.integers(-40, 40), st.integers(-40, 40))
def test_decisions_of_drawn_inputs(programs: Programs, statements: str, oracle: Oracle, a: int, b: int, c: int) -> None:
    assert trace(programs.load(body(statements)), a, b, c) == list(oracle(a, b, c))


def test_every_step_follows_in_the_graph(programs: Programs) -> None:
    for statements, _ in ORACLES:
        subject = programs.load(body(statements))
        for values in itertools.product(SMALL, (0, 3), (-3, 8)):
            decisions = subject.execute(words_of(subject.signature, *values)).decisions
            assert decisions[0].site in subject.graph.first
            for one, two in itertools.pairwise(decisions):
                assert two.site in subject.graph.follows[2 * one.site + (not one.holds)]


# ---- switches ----


def test_a_switch_is_a_chain(programs: Programs) -> None:
    subject = programs.load(body("switch (a) { case 4: return 1; case 2: case 9: return 2; default: return 3; }"))
    assert [(s.condition, s.form, s.group, s.case, s.last) for s in subject.sites] == [
        ("a", "switch", 0, 4, False), ("a", "switch", 0, 2, False), ("a", "switch", 0, 9, True),
    ]  # fmt: skip
    assert [subject.run((a, 0, 0)).covered for a in (4, 2, 9, 5)] == [{0}, {1, 2}, {1, 3, 4}, {1, 3, 5}]
    (first, second) = subject.execute((2, 0, 0)).decisions
    assert (first.op, first.left, first.right, second.right) == (EQ, 2, 4, 2)


def test_switch_on_other_widths(programs: Programs) -> None:
    subject = programs.load("int f(unsigned char a) { switch (a) { case 200: return 1; case 3: return 2; } return 0; }")
    assert [subject.run((a,)).covered for a in (200, 3, 7)] == [{0}, {1, 2}, {1, 3}]
    wide = programs.load(
        "int f(unsigned long long a) { switch (a) { case 0xffffffffffffffff: return 1; case 5: return 2; } return 0; }"
    )
    assert [wide.run(words_of(wide.signature, a)).covered for a in (2**64 - 1, 5, 6)] == [{0}, {1, 2}, {1, 3}]


def test_groups_of_two_switches(programs: Programs) -> None:
    subject = programs.load(body("switch (a) { case 1: b = 2; }\nswitch (b) { case 2: return 1; case 3: return 2; }"))
    assert [s.group for s in subject.sites] == [0, 1, 1]
    assert [b.id for b in branches_of(subject.sites)] == ["0C1", "0D", "1C2", "1C3", "1D"]


# ---- C++ ----


def test_bool_operands(programs: Programs) -> None:
    text = "bool f(bool a, bool b, bool c)\n{\n    bool r = a && b;\n    bool s = r || !c;\n    return s;\n}\n"
    subject = programs.load(text, name=".cpp")
    assert conditions(subject) == ["a", "b", "r", "!c"]
    for a, b, c in itertools.product((False, True), repeat=3):
        expected = [("a", a), *([("b", b)] if a else []), ("r", a and b), *([("!c", not c)] if not (a and b) else [])]
        assert trace(subject, a, b, c) == expected


def test_the_compilers_own_switches_are_no_sites(programs: Programs) -> None:
    text = """
    struct Guard { int *p; Guard(int *q) : p(q) {} ~Guard() { *p += 1; } };
    int f(int x)
    {
        int n = 0;
        for (int i = 0; i < 3; i++) {
            Guard g(&n);
            if (i == x) return n;
            if (i == x - 5) continue;
            n++;
        }
        return -n;
    }
    """
    subject = programs.load(text, name=".cpp")
    assert conditions(subject) == ["i < 3", "i == x", "i == x - 5"]
