"""Pointers that may lead to the same memory: what is proved holds for every call that C allows."""

from __future__ import annotations

import pytest

from programs import Programs
from proofs import refuted
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.model.memory import Unreadable
from zeroin.solvers.smt import Bitwuzla
from zeroin.subject.base import branches_of

# What a function does, whether its pointers can be told to share memory, and which conditions never hold.
FUNCTIONS = {
    "compared": (
        "int f(int *p, int *q) { if (p == q) return 1; return 0; }",
        True, []),
    "references": (
        "int f(int &p, int &q) { if (&p == &q) return 1; return 0; }",
        True, []),
    "compared, restrict": (
        "int f(int *restrict p, int *restrict q) { return p == q ? 1 : 0; }",
        True, []),
    "of other types": (
        "int f(int *p, double *q) { if ((void *)p == (void *)q) return 1; return 0; }",
        True, []),
    "written": (
        "int f(int *p, int *q) { *p = 5; *q = 7; if (*p == 7) return 1; if (*p == 6) return 2; return 0; }",
        True, ["*p == 6"]),
    "told apart": (
        "int f(int *p, int *q) { if (p == q) return 0; *p = 5; *q = 7; if (*p == 7) return 1; return 2; }",
        True, ["*p == 7"]),
    "unsigned": (
        "int f(int *p, unsigned *q) { *p = 5; *q = 7; if (*p == 7) return 1; return 0; }",
        True, []),
    "qualified": (
        "int f(const int *p, int *q) { if (*p) return 0; *q = 7; if (*p == 7) return 1; return 2; }",
        True, []),
    "characters": (
        "int f(int *p, char *q) { *p = 5; *q = 7; if (*p == 7) return 1; return 0; }",
        True, []),
    "no type": (
        "int f(int *p, void *q) { *p = 5; *(char *)q = 7; if (*p == 7) return 1; return 0; }",
        True, []),
    "other types": (
        "int f(int *p, double *q) { *p = 5; *q = 7; if (*p != 5) return 1; return 0; }",
        False, ["*p != 5"]),
    "restrict": (
        "int f(int *restrict p, int *restrict q) { *p = 5; *q = 7; if (*p == 7) return 1; return 0; }",
        False, ["*p == 7"]),
    "read alone": (
        "int f(const int *p, int *q) { if (*p > 5 && *p < 5) return 1; return *q; }",
        False, ["*p < 5"]),
    "structures": (
        "struct V { double x, y; };\nint f(struct V *a, struct V *b) { a->x = 1; b->x = 2; if (a->x == 2) "
        "return 1; return 0; }",
        True, []),
    "a member": (
        "struct V { double x, y; };\nint f(struct V *a, double *b) { a->y = 1; *b = 2; if (a->y == 2) return "
        "1; return 0; }",
        True, []),
    "nested": (
        "struct V { double x, y; };\nstruct W { int n; struct V v; }; int f(struct W *a, struct V *b){ a->v.x "
        "= 1; b->x = 2; if (a->v.x == 2) return 1; return 0; }",
        True, []),
    "others": (
        "struct V { double x, y; };\nstruct W { double x; }; int f(struct W *a, struct V *b){ a->x = 1; b->x "
        "= 2; if (a->x == 2) return 1; return 0; }",
        False, ["a->x == 2"]),
    "a union": (
        "union U { double d; int i; }; int f(union U *a, int *b){ a->i = 1; *b = 2; if (a->i == 2) return 1; "
        "return 0; }",
        True, []),
    "further on": (
        "int f(int *p, int *q) { p[0] = p[1] = 1; *q = 2; if (p[1] == 2) return 1; if (p[0] == 3) return "
        "2;return 0; }",
        True, ["p[0] == 3"]),
    "in a call": (
        "static void put(int *a, int v) { *a = v; }int f(int *p, int *q) { put(p, 5); put(q, 7); if (*p == "
        "7) return 1; return 0; }",
        True, []),
    "copied": (
        "#include <string.h>\nint f(int *p, int *q) { int v = 7; *p = 5; memcpy(q, &v, sizeof v);if (*p == 7) "
        "return 1; return 0; }",
        True, []),
    "by an index": (
        "int f(int *p, int *q, int n) { *p = 5; q[n & 1] = 7; if (*p == 7) return 1; return 0; }",
        True, []),
    "the same value": (
        "int f(const int *p, const int *q){ if (p == q) { if (*p != *q) return 1; return 2; } return 0; }",
        True, ["*p != *q"]),
    "how they lie": (
        "int f(int *p, int *q) { if (p < q) return 1; if (p > q) return 2; return 0; }",
        True, []),
    "apart": (
        "int f(int *p, int *q) { if (q - p == 1) return 1; return 0; }",
        True, []),
    "a parameter set anew": (
        "int f(int *p, int *q) { p = q; *p = 3; if (*q == 3) return 1; return 0; }",
        True, ["*q == 3"]),
    "a variable": (
        "int limit = 10; int f(int *p) { *p = 3; if (limit == 3) return 1; return 0; }",
        False, []),
    "a static one": (
        "static int limit = 10; int f(int *p) { *p = 3; if (limit == 3) return 1; return 0; }",
        False, ["limit == 3"]),
    "a static one that others know": (
        "static int limit = 10; int *where(void) { return &limit; }int f(int *p) { *p = 3; if (limit == 3) "
        "return 1; return 0; }",
        False, []),
    "a variable of another type": (
        "double limit = 10; int f(int *p) { *p = 3; if (limit == 3) return 1; return 0; }",
        False, ["limit == 3"]),
    "a variable that is set": (
        "int seen; int f(int *p) { *p = 3; seen = 4; if (*p == 4) return 1; return 0; }",
        False, []),
    "a counter": (
        "static int n; int f(int *p) { if (*p < 0) return 0; n++; if (*p < 0) return 1; return 2; }",
        False, []),
}  # fmt: skip


def load(programs: Programs, name: str) -> LlvmSubject:
    return programs.load(FUNCTIONS[name][0], name=".cpp" if name == "references" else ".c", calls=1)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_proved_holds_wherever_pointers_lead(programs: Programs, name: str) -> None:
    _, shares, never = FUNCTIONS[name]
    subject = load(programs, name)
    found, _ = refuted(subject, Bitwuzla())
    conditions = [branch.site.condition for branch in branches_of(subject.sites) if branch.outcome in found]
    assert [c for c in conditions if c != "*p < 0"] == never
    assert bool(subject.signature.sharing.pairs) == shares


def test_a_counter_changes_nothing_that_is_pointed_to(programs: Programs) -> None:
    found, _ = refuted(load(programs, "a counter"), Bitwuzla())
    assert found == {2}  # nobody else has its address


UNTRIED = ("how they lie", "apart")  # arrays in which both lie may be of any length


@pytest.mark.parametrize("name", [name for name, (_, shares, _) in FUNCTIONS.items() if shares])
def test_runs_prove_nothing_of_ways_that_none_tries(programs: Programs, name: str) -> None:
    subject = load(programs, name)
    if name not in UNTRIED:
        assert subject.doubts() == ""
        assert any("or to that of" in why for why in subject.repeats())
        return
    assert subject.doubts() != ""
    with pytest.raises(Unreadable, match=r"may point to the same memory|addresses of objects|address as a number"):
        subject.repeats()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("const int limit = 10; int f(const int *p) { if (p == &limit) return 1; return 0; }", "addresses of objects"),
        ("int limit = 10; int f(char *p) { *p = 3; if (limit == 3) return 1; return 0; }", "p may point to"),
    ],
)
def test_runs_prove_nothing_where_a_pointer_may_lead_to_a_variable(programs: Programs, text: str, why: str) -> None:
    subject = programs.load(text, calls=1)
    assert subject.doubts() != ""
    with pytest.raises(Unreadable, match=why):
        subject.repeats()


def test_an_object_and_what_its_members_are_given(programs: Programs) -> None:
    text = """struct V { double x; V() : x(0) {} int set(double &other); };
    int V::set(double &other) { x = 5; other = 7; if (x == 7) return 1; return 0; }"""
    subject = programs.load(text, name=".cpp", function="V::set")
    with pytest.raises(Unreadable, match="this and other may point to the same memory"):
        subject.reach(0)


def test_what_is_taken_for_granted_does_not_say_that_they_are_apart(programs: Programs) -> None:
    assert load(programs, "written").reach(0).assumptions == ("p points to 1 elements", "q points to 1 elements")
    assert load(programs, "other types").reach(0).assumptions[0] == "p points to 1 elements of its own"
