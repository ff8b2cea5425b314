"""Which sites follow which when functions call each other (``callees``)."""

from __future__ import annotations

import itertools

import pytest

from programs import Programs
from zeroin.languages.c.llvm_ir.control_flow import Call, read_call
from zeroin.languages.c.run.engine import LlvmSubject


def name_of(subject: LlvmSubject, outcome: int) -> str:
    """``x > 1 T`` for the first outcome of the site with that condition."""
    return f"{subject.sites[outcome >> 1].condition} {'FT'[outcome % 2 == 0]}"


def follows(subject: LlvmSubject) -> dict[str, list[str]]:
    conditions = [site.condition for site in subject.sites]
    return {name_of(subject, o): [conditions[s] for s in sites] for o, sites in subject.graph.follows.items()}


def descends(subject: LlvmSubject, condition: str) -> dict[str, set[str]]:
    """The conditions among the descendants of both outcomes of a condition."""
    result = {}
    for outcome, below in enumerate(subject.graph.descendants):
        if subject.sites[outcome >> 1].condition == condition:
            result["FT"[outcome % 2 == 0]] = {s.condition for s in subject.sites if below >> 2 * s.number & 3}
    return result


CALLED_LAST = """
static int g(int a) { if (a > 0) return 1; return 2; }
int f(int x) { int r = 0; if (x > 5) r = 1; if (x > 7) r++; return g(r); }
"""


def test_what_stands_before_a_call_does_not_follow_it(programs: Programs) -> None:
    subject = programs.load(CALLED_LAST, callees=True)
    assert subject.graph.first == (0,)
    assert follows(subject) == {
        "x > 5 T": ["x > 7"], "x > 5 F": ["x > 7"], "x > 7 T": ["a > 0"], "x > 7 F": ["a > 0"],
        "a > 0 T": [], "a > 0 F": [],
    }  # fmt: skip


def test_a_call_splits_its_block(programs: Programs) -> None:
    """Two calls and two conditional expressions in one block without a branch."""
    text = """
    static int g(int a) { return a > 0 ? 1 : 2; }
    static int nothing(int a) { return a + 1; }
    int f(int x) { int r = (x > 5) + nothing(g(x)); r += (x > 7) && x < 9; return g(r); }
    """
    subject = programs.load(text, callees=True)
    steps = follows(subject)
    assert subject.sites[subject.graph.first[0]].condition == "a > 0"
    assert steps["a > 0 T"] == steps["a > 0 F"] == ["x > 7"]
    assert steps["x < 9 T"] == steps["x < 9 F"] == ["a > 0"]
    assert steps["x > 7 F"] == ["a > 0"]


EARLY_AND_LATE = """
static int g(int a) { if (a > 0) return 1; return 2; }
int f(int x) { int r = g(x); if (x > 5) { if (x > 7) r = 3; } if (x > 9) r = 5; return g(r); }
"""


def test_a_late_call_does_not_lead_back_to_what_follows_an_early_one(programs: Programs) -> None:
    subject = programs.load(EARLY_AND_LATE, callees=True)
    assert descends(subject, "x > 9") == {"T": {"a > 0"}, "F": {"a > 0"}}
    assert descends(subject, "x > 5")["F"] == {"a > 0", "x > 9"}
    assert descends(subject, "a > 0") == {k: {"x > 5", "x > 7", "x > 9", "a > 0"} for k in "TF"}
    middle = next(s.number for s in subject.sites if s.condition == "x > 7")
    levels = subject.graph.levels(2 * middle)
    assert {name_of(subject, o): n for o, n in levels.items()} == {"x > 7 T": 0, "x > 5 T": 1}


def test_a_function_that_never_returns(programs: Programs) -> None:
    text = """
    #include <stdlib.h>
    static void leave(int a) { if (a > 3) exit(1); for (;;) if (a++ == 8) exit(2); }
    int f(int x) { if (x > 5) { leave(x); if (x > 7) return 2; } return x < 0 ? 1 : 0; }
    """
    subject = programs.load(text, callees=True)
    assert descends(subject, "x > 5") == {"T": {"a > 3", "a++ == 8"}, "F": {"x < 0"}}
    assert descends(subject, "a > 3") == {"T": set(), "F": {"a++ == 8"}}


def test_recursion(programs: Programs) -> None:
    text = """
    static int down(int n) { if (n > 3) { int r = down(n - 1); if (r > n) return 1; } return 0; }
    int f(int x) { if (x < 2) return 7; return down(x); }
    """
    subject = programs.load(text, callees=True)
    assert follows(subject) == {
        "x < 2 T": [], "x < 2 F": ["n > 3"], "n > 3 T": ["n > 3"], "n > 3 F": ["r > n"],
        "r > n T": ["r > n"], "r > n F": ["r > n"],
    }  # fmt: skip


POINTED = """
typedef int (*step)(int);
static int one(int a) { return a > 1 ? 1 : 2; }
static int two(int a) { return a > 2 ? 1 : 2; }
static int three(int a) { return a > 3 ? 1 : 2; }
"""


@pytest.mark.parametrize(
    "body",
    [
        "static step table[] = {one, two};\nint f(int x) { int r = table[x & 1](x); return r > 8 ? three(r) : 0; }",
        "int f(int x) { step s = x & 1 ? one : two; int r = s(x); return r > 8 ? three(r) : 0; }",
        "static int apply(step s, int a) { return s(a); }\n"
        "int f(int x) { int r = apply(one, x) + apply(two, x); return r > 8 ? three(r) : 0; }",
        "int other(step, int);\n"
        "int f(int x) { int r = other(one, x) + other(two, x); return r > 8 ? three(r) : 0; }",
    ],
    ids=["table", "variable", "argument", "callback"],
)  # fmt: skip
def test_a_call_through_a_pointer_may_run_what_is_pointed_to(programs: Programs, body: str) -> None:
    others = (programs.write("int other(int (*step)(int), int a) { return step(a); }", "other.c"),)
    subject = programs.load(POINTED + body, callees=True, others=others)
    below = descends(subject, "r > 8")
    assert below == {"T": {"a > 3"}, "F": set()}
    assert {"a > 3", "r > 8"} <= descends(subject, "a > 1")["T"]
    assert {"a > 3", "r > 8"} <= descends(subject, "a > 2")["F"]
    first = {subject.sites[s].condition for s in subject.graph.first}
    assert {"a > 1", "a > 2"} <= first.union(*(descends(subject, condition)["T"] for condition in first))


def test_an_exception_leads_to_its_handler(programs: Programs) -> None:
    text = """
    static int g(int a) { if (a > 3) throw 1; return a; }
    static int h(int a) { int r = g(a); if (r > 2) return 1; return r; }
    extern "C" int f(int x) { try { if (h(x) > 1) return 2; } catch (int) { if (x > 9) return 3; } return 0; }
    """
    subject = programs.load(text, name=".cpp", callees=True)
    assert descends(subject, "a > 3") == {"T": {"x > 9"}, "F": {"r > 2", "h(x) > 1"}}
    assert descends(subject, "r > 2")["T"] == {"h(x) > 1"}


def test_runs_take_steps_of_the_graph(programs: Programs) -> None:
    text = """
    static int g(int a) { if (a > 0) return 1; return 2; }
    static int odd(int n);
    static int even(int n) { return n == 0 ? g(n) : odd(n - 1); }
    static int odd(int n) { if (n == 0) return g(n + 1) - 1; return even(n - 1); }
    static int plain(int n) { return n * n; }
    int f(int x, int y)
    {
        int r = g(x);
        for (int i = 0; i < (y & 3); i++) if (g(i - 1) + plain(x) == 2) r += even(y & 3);
        switch (g(r)) { case 1: return odd(x & 3); case 7: return 0; }
        return x > y && g(y) == 1;
    }
    """
    subject = programs.load(text, callees=True)
    for x, y in itertools.product(range(-3, 6), range(-3, 6)):
        decisions = subject.execute((x, y)).decisions
        assert decisions[0].site in subject.graph.first
        for one, two in itertools.pairwise(decisions):
            assert two.site in subject.graph.follows[2 * one.site + (not one.holds)]


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("  %4 = call double @g(double noundef %3) #2, !dbg !5", Call("g", frozenset(), False)),
        ("  call void @sort(ptr noundef %3, ptr @less)", Call("sort", frozenset({"less"}), True)),
        ("  %9 = tail call i32 (ptr, ...) @printf(ptr @.str, i32 1)", Call("printf", frozenset({".str"}), True)),
        ("  %4 = call noundef i32 %7(i32 noundef %3)", Call(None, frozenset(), False)),
        ("  %1 = invoke dereferenceable(8) ptr @_Zg(i32 1) to label %2 unwind label %3",
         Call("_Zg", frozenset(), False)),
        ('  call %struct.pair @"odd name"(i32 1)', Call("odd name", frozenset(), False)),
        ("  call void @llvm.memcpy.p0.p0.i64(ptr %1, ptr %2, i64 8, i1 false)", None),
        ("  store ptr @g, ptr %2, align 8", None),
    ],
)  # fmt: skip
def test_reading_calls(line: str, call: Call | None) -> None:
    assert read_call(line) == call
