"""What C leaves open, and what flags change: no proof rests on what one machine, or one compiler, makes of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from programs import Programs, words_of
from proofs import holds_never
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.model.memory import Unreadable
from zeroin.solvers.smt import Bitwuzla


def refuted(subject: LlvmSubject, condition: str) -> set[bool]:
    """The outcomes of a condition of which is proved that no input takes them."""
    (site,) = (site.number for site in subject.sites if site.condition == condition)
    return {holds for holds in (True, False)
            if holds_never(Bitwuzla(), subject.reach(2 * site + (not holds)).condition)}  # fmt: skip


def repeats(subject: LlvmSubject) -> str:
    """Why that all inputs were run would prove nothing; empty if it would prove something."""
    try:
        subject.repeats()
    except Unreadable as error:
        return str(error)
    return ""


UNIONS = """
#include <stdbool.h>
#include <stdint.h>
enum e { A, B };
union b { bool b; uint8_t c; };
int truth(union b u) { return u.c == 7; }
struct w { int k; union { bool b; uint8_t c; }; };
int inside(struct w w) { return w.k == 3 && w.c == 7; }
union q { struct { char c; int x; } s; uint8_t raw[8]; };
int gaps(union q *q) { return q->raw[2] == 7; }
union r { bool b[4]; enum e e; };
int member(union r r) { return r.e == 7; }
union p { struct { bool a; int x; } s; uint8_t raw; };
int parts(union p *p) { return p->raw == 7; }
struct o { short k; union p p[2]; };
int deep(struct o *o) { return o->p[1].raw == 7; }
union f { float f; uint32_t u; };
int number(union f f) { return f.u == 7; }
"""


@pytest.mark.parametrize(
    ("function", "value", "no", "name"),
    [("truth", {"c": 7}, {"c": 1}, "u.c"), ("inside", {"k": 3, "c": 7}, {"k": 3, "c": 0}, "w.c"),
     ("gaps", {"raw": [0, 0, 7, 0, 0, 0, 0, 0]}, {"raw": [7] * 2 + [0] * 6}, "q->raw[2]"),
     ("member", {"e": 7}, {"e": 1}, "r.e"), ("number", {"f": 1e-44}, {"f": 1.0}, "f.f")],
)  # fmt: skip
def test_a_union_is_given_as_the_member_that_can_say_all(programs: Programs, function: str, value: dict[str, Any],
                                                         no: dict[str, Any], name: str) -> None:  # fmt: skip
    subject = programs.load(UNIONS, function)
    of = subject.signature
    assert name in of.parameters[0].names
    assert [subject.replay(words_of(of, given)).result for given in (value, no)] == [1, 0]
    assert repeats(subject) == ""


@pytest.mark.parametrize("function", ["parts", "deep"])
def test_nothing_is_proved_of_a_union_that_no_member_says_all_of(programs: Programs, function: str) -> None:
    subject = programs.load(UNIONS, function)
    assert re.match(r"no member of a union in . has all values", subject.doubts())
    assert repeats(subject) == subject.doubts()
    with pytest.raises(Unreadable, match=r"no member of a union in"):
        subject.reach(0)


UNSET = {
    "a local": ("int f(unsigned char x) { int k; if (x > 5) k = 3; if (k == 3) return 1; return 0; }", "k == 3"),
    "a float": ("int f(unsigned char x) { double d; if (x & 1) d = 2; return d > 1 ? 1 : 0; }", "d > 1"),
    "in a loop": ("""int f(unsigned char n) { int s = 0; for (int i = 0; i < n; i++) { int q; if (i == 3) q = 3;
        if (q == 3) s++; q = 3; } return s; }""", "q == 3"),
    "a member": ("""struct s { int a, b; }; int f(unsigned char x) { struct s s; s.a = x; if (x > 5) s.b = 3;
        if (s.b == 3) return 1; return s.a; }""", "s.b == 3"),
    "an element": ("""int f(unsigned char x) { int a[4]; a[x & 3] = 3; if (a[2] == 3) return 1; return 0; }""",
                   "a[2] == 3"),
    "behind a pointer": ("""static void g(int *p, int x) { if (x > 5) *p = 3; }
        int f(unsigned char x) { int k; g(&k, x); if (k == 3) return 1; return 0; }""", "k == 3"),
    "a part of an array": ("""#include <string.h>
        int f(unsigned char x) { char a[5]; memset(a, x, 3); a[4] = 1; if (a[x & 3] == 3) return 1; return 0; }""",
                           "a[x & 3] == 3"),
    "an array that is read first": ("""#include <string.h>
        int f(unsigned char x) { char a[4]; int k = a[x & 1]; memset(a, 1, 4); if (k == 3) return 1;
        return a[x & 3]; }""",
                                    "k == 3"),
    "padding": ("""#include <string.h>
        struct s { char c; int x; }; int f(char c) { struct s a, b; a.c = b.c = c; a.x = b.x = 1;
        if (memcmp(&a, &b, sizeof a) == 0) return 1; return 0; }""", "memcmp(&a, &b, sizeof a) == 0"),
    "a part of a union": ("""union u { char c; int i; }; int f(char c) { union u u; u.c = c; if (u.i < 256) return 1;
        return 0; }""", "u.i < 256"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNSET)
def test_what_was_never_set_may_be_anything(programs: Programs, name: str) -> None:
    text, condition = UNSET[name]
    subject = programs.load(text, callees=True)
    assert refuted(subject, condition) == set()
    assert repeats(subject) == "f may use an uninitialised variable"


SET = {
    "at once": "int f(unsigned char x) { int k = 3; if (x > 5) k = 4; if (k == 5) return 1; return 0; }",
    "on all ways": "int f(unsigned char x) { int k; if (x > 5) k = 3; else k = 4; if (k == 5) return 1; return 0; }",
    "in a loop": """int f(unsigned char x) { int i, k; for (i = 0; i < 4; i++) { k = i & 1; if (k == 5) return 1; }
        return 0; }""",
    "all of an array": """#include <string.h>
        int f(unsigned char x) { char a[5]; memset(a, x, 3); a[3] = 1; a[4] = 0; int k = a[x & 3];
        if (k == 500) return 1; return 0; }""",
    "member by member": """struct s { int a; double b; };
        int f(unsigned char x) { struct s s, *k = &s; s.a = x; s.b = 1;
        if (s.b == 5) return 1; return k->a; }""",
}  # fmt: skip


@pytest.mark.parametrize("name", SET)
def test_what_is_set_before_it_is_used_is_known(programs: Programs, name: str) -> None:
    subject = programs.load(SET[name])
    condition = {"member by member": "s.b == 5", "all of an array": "k == 500"}.get(name, "k == 5")
    assert refuted(subject, condition) == {True}
    assert repeats(subject) == ""


def test_variables_of_ir_without_marks_are_not_set(programs: Programs) -> None:
    text = """
define i32 @f(i8 %x) {
  %k = alloca i32, align 4
  %big = icmp ugt i8 %x, 5
  br i1 %big, label %set, label %on
set:
  store i32 3, ptr %k, align 4
  br label %on
on:
  %now = load i32, ptr %k, align 4
  %is = icmp eq i32 %now, 3
  %r = select i1 %is, i32 1, i32 0
  ret i32 %r
}
"""
    subject = programs.load(text, "f", ".ll")
    assert refuted(subject, "icmp eq i32 %now, 3") == set()
    assert repeats(subject) == "f may use an uninitialised variable"


def test_a_variable_that_flags_have_set_is_set(programs: Programs) -> None:
    text = UNSET["a local"][0]
    zeroed = programs.load(text, cc=("-ftrivial-auto-var-init=zero",))
    assert zeroed.replay((0,)).result == 0
    assert refuted(programs.load(text.replace("k == 3", "k == 4"), cc=("-ftrivial-auto-var-init=zero",)),
                   "k == 4") == {True}  # fmt: skip
    assert repeats(zeroed) == ""


def test_the_padding_of_arguments_may_be_anything(programs: Programs) -> None:
    text = """#include <string.h>
    struct s { char c; int x; }; int f(struct s *p, struct s *q) { unsigned char b[8]; memcpy(b, p, 8);
    if (b[2] == 7) return 1; return q->x; }
    int g(struct s p) { unsigned char b[8]; memcpy(b, &p, 8); if (b[2] == 7) return 1; return 0; }"""
    assert refuted(programs.load(text), "b[2] == 7") == set()
    assert refuted(programs.load(text, "g"), "b[2] == 7") == set()


# ---- flags ----

CANCELS = "int f(short n) { double d = n * 0.1, e = d - d; if (e != 0) return 1; return 0; }"
FUSED = "int f(double x, double y) { double p = x * y; if (x * y - p > 1.0) return 1; return 0; }"


@pytest.mark.parametrize("flag", [
    "-ffast-math", "-Ofast", "-ffp-contract=fast", "-ffinite-math-only", "-fno-signed-zeros",
    "-fassociative-math -fno-signed-zeros -fno-trapping-math", "-freciprocal-math",
])  # fmt: skip
def test_what_flags_let_floats_be_is_no_premise(programs: Programs, flag: str) -> None:
    """Without the flag, ``d - d`` is 0, as ``d`` is finite."""
    assert refuted(programs.load(CANCELS), "e != 0") == {True}
    subject = programs.load(CANCELS, cc=tuple(flag.split()))
    assert refuted(subject, "e != 0") == set()
    assert "the compiler's flags" in repeats(subject)
    path = subject.along((0,), subject.execute((0,)))
    assert not holds_never(Bitwuzla(), *path.constraints()[:-1], path.steps[-1].condition)


def test_a_product_may_be_fused_with_a_sum_where_flags_allow_it(programs: Programs) -> None:
    plain, free = programs.load(FUSED.replace("> 1.0", "< 0.0")), programs.load(FUSED, cc=("-ffp-contract=on",))
    assert refuted(plain, "x * y - p < 0.0") == {True}
    assert refuted(free, "x * y - p > 1.0") == set()


@pytest.mark.parametrize("flag", ["-fdenormal-fp-math=preserve-sign", "-mdaz-ftz"])
def test_nothing_is_proved_where_subnormal_numbers_may_be_zero(programs: Programs, flag: str) -> None:
    subject = programs.load(CANCELS, cc=(flag,))
    with pytest.raises(Unreadable, match="subnormal"):
        subject.reach(0)
    assert repeats(subject) == subject.doubts() == "the compiler's flags let subnormal numbers be 0"


def test_where_rounding_may_be_another_one_a_proof_says_what_it_assumes(programs: Programs) -> None:
    subject = programs.load(CANCELS, cc=("-frounding-math",))
    assert "floats are rounded to nearest" in subject.repeats()
    assert "floats are rounded to nearest" in subject.reach(0).assumptions


@pytest.mark.parametrize(("flags", "text", "condition", "never"), [
    ("-funsigned-char", "int f(char c) { if (c < 0) return 1; return 0; }", "c < 0", {True}),
    ("", "int f(char c) { if (c < 0) return 1; return 0; }", "c < 0", set()),
    ("-fshort-enums", "enum e { A, B }; int f(enum e e) { if (e > 255) return 1; return 0; }", "e > 255", {True}),
    ("", "enum e { A, B }; int f(enum e e) { if (e > 255) return 1; return 0; }", "e > 255", set()),
    ("-mlong-double-64", "int f(long double d) { if (d * 0 > 1) return 1; return 0; }", "d * 0 > 1", {True}),
    ("-fno-wrapv", "int f(int x) { if (x + 1 < x) return 1; return 0; }", "x + 1 < x", set()),
    ("-ftrapv", "int f(int x) { if (x > 3 && x < 2) return 1; return x + 1; }", "x < 2", {True}),
])  # fmt: skip
def test_flags_say_what_types_are(programs: Programs, flags: str, text: str, condition: str, never: set[bool]) -> None:
    assert refuted(programs.load(text, cc=tuple(flags.split())), condition) == never
