"""Structures and unions, by pointer and by value: where their numbers lie, how they are passed, what is left there."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from programs import Programs, run_alone, words_of
from zeroin import Budget, Options, cover
from zeroin.errors import OptionError, UnsupportedParameter
from zeroin.languages.c.front.layout import Array, Field, Scalar, Structure, cells
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import Termination, Words
from zeroin.words import Kind, bits_from_word, word_range

PID = """\
#include <stdbool.h>
enum mode { OFF, ON = 5 };
struct point { float x, y; };
struct pid { char tag; double kp; enum mode m; bool on; struct point last[2]; short h[3]; unsigned char end; };
double f(struct pid *c, double error)
{
    c->h[1] = 77;
    c->last[1].y += 1;
    if (c->m == ON && c->on && c->kp > error && c->end == 250) return c->tag;
    return c->last[0].x;
}
"""
VALUE: dict[str, Any] = {
    "tag": -3, "kp": 2.5, "m": 5, "on": True, "last": [{"x": 0.5, "y": 1.5}, {"x": -1.0, "y": 8.0}],
    "h": [1, -2, 3], "end": 250,
}  # fmt: skip


def random_words(subject: LlvmSubject, rng: random.Random) -> Words:
    """Words of ordinary numbers: no NaN, whose bits may change on the way."""

    def one(kind: Kind) -> int:
        if kind.is_float:
            number = rng.choice([0, 1 << 20, 3 << 40 if kind is Kind.F64 else 3 << 24])
            return rng.choice([-1, 1]) * rng.randrange(number + 1)
        low, high = word_range(kind)
        return rng.choice([low, high, rng.randint(low, high), max(low, -1), min(high, 1)])

    return tuple(map(one, subject.signature.kinds))


# ---- layout ----


def test_the_layout_is_that_of_the_debug_info(programs: Programs) -> None:
    parameter = programs.load(PID).signature.parameters[0]
    assert [(c.path, c.offset, c.kind) for c in parameter.cells] == [
        (".tag", 0, Kind.I8), (".kp", 8, Kind.F64), (".m", 16, Kind.U32), (".on", 20, Kind.BOOL),
        (".last[0].x", 24, Kind.F32), (".last[0].y", 28, Kind.F32), (".last[1].x", 32, Kind.F32),
        (".last[1].y", 36, Kind.F32), (".h[0]", 40, Kind.I16), (".h[1]", 42, Kind.I16), (".h[2]", 44, Kind.I16),
        (".end", 46, Kind.U8),
    ]  # fmt: skip
    assert parameter.layout.size == 48
    assert (parameter.type, parameter.is_pointer, parameter.is_output) == ("struct pid *", True, True)
    assert parameter.hints()[2] == (0, 5)
    assert parameter.names[4] == "c->last[0].x"


def test_values_are_written_as_the_source_would(programs: Programs) -> None:
    subject = programs.load(PID)
    words = words_of(subject.signature, VALUE, 1.0)
    assert subject.signature.arguments(words) == [VALUE, 1.0]
    shown = (
        "f({.tag = -3, .kp = 2.5, .m = 5, .on = True, .last = {{.x = 0.5, .y = 1.5}, {.x = -1.0, .y = 8.0}}, "
        ".h = {1, -2, 3}, .end = 250}, 1.0)"
    )
    assert subject.signature.show(words) == shown
    assert subject.signature.words_of(f"{VALUE}, 1.0") == words


def test_runs_see_the_fields_and_what_they_leave_is_seen(programs: Programs) -> None:
    subject = programs.load(PID)
    words = words_of(subject.signature, VALUE, 1.0)
    for replay in (subject.replay(words), subject.observe(words)):
        assert subject.signature.show_result(replay) == "= -3.0"
        after = {**VALUE, "last": [VALUE["last"][0], {"x": -1.0, "y": 9.0}], "h": [1, 77, 3]}
        parameter = subject.signature.parameters[0]
        expected = zip(parameter.kinds, parameter.words_of(after), strict=True)
        assert replay.outputs == (tuple(bits_from_word(kind, word) for kind, word in expected),)
    assert subject.signature.outputs(replay)["c"]["last"][1] == {"x": "-0x1p+0", "y": "0x1.2p+3"}


def test_what_may_not_change_is_no_output(programs: Programs) -> None:
    text = "struct s { int a; };\nint f(const struct s *p, struct s const *q) { return p->a > q->a; }"
    subject = programs.load(text)
    assert [p.is_output for p in subject.signature.parameters] == [False, False]


def test_a_structure_that_may_be_null(programs: Programs) -> None:
    subject = programs.load("struct s { char c; int a; };\nint f(struct s *p) { return p ? p->a : -1; }")
    (parameter,) = subject.signature.parameters
    assert (parameter.nullable, parameter.names) == (True, ("p == NULL", "p->c", "p->a"))
    null = words_of(subject.signature, None)
    assert subject.signature.show(null) == "f(NULL)"
    assert (subject.replay(null).result, subject.replay(null).outputs) == (2**32 - 1, (None,))
    assert subject.replay(words_of(subject.signature, {"c": 1, "a": 7})).result == 7


def test_padding_is_zero_in_every_run(programs: Programs) -> None:
    text = """
    struct s { char a; int b; short c; };
    int f(struct s *p, unsigned char with)
    {
        unsigned char *raw = (unsigned char *)p;
        int sum = raw[1] + raw[2] + raw[3] + raw[10] + raw[11];
        for (int i = 0; i < sizeof *p; i++) raw[i] = with;
        return sum;
    }"""
    subject = programs.load(text)
    for with_ in (255, 0, 255):
        words = words_of(subject.signature, {"a": -1, "b": -1, "c": -1}, with_)
        assert (subject.replay(words).result, subject.observe(words).result) == (0, 0)


def test_packed_and_aligned_structures(programs: Programs) -> None:
    text = """
    struct __attribute__((packed)) p { char a; double b; short c; };
    struct s { char a; _Alignas(32) int b; struct p c[2]; };
    double f(const struct s *s, struct p p) { return s->a + s->b + s->c[1].b + p.b + p.c; }"""
    subject = programs.load(text)
    layout = subject.signature.parameters[0].layout
    assert [c.offset for c in cells(layout)] == [0, 32, 36, 37, 45, 47, 48, 56]
    assert layout.size == 64
    one = {"a": 0, "b": 0.5, "c": 3}
    words = words_of(subject.signature, {"a": 1, "b": 2, "c": [one, {**one, "b": 0.25}]}, {"a": 9, "b": 8.0, "c": 16})
    assert subject.signature.show_result(subject.replay(words)) == "= 27.25"


def test_leaving_a_structure_is_a_crash(programs: Programs) -> None:
    path = programs.write("struct s { int a, b; };\nint f(struct s *p, int n) { return (&p->a)[n]; }")
    script = """
import sys
from pathlib import Path
from zeroin.languages.c.run.engine import LlvmSubject
subject = LlvmSubject(Path(sys.argv[1]), "f")
subject.guard()
print([subject.replay((1, 2, n)).outcome.name for n in (0, 1, 2, -1)])
"""
    assert run_alone(script, str(path)).strip() == "['RETURNED', 'RETURNED', 'SEGV', 'SEGV']"


# ---- by value ----

# Classes of the x86-64 ABI: INTEGER, SSE, both, in memory, and registers that run out.
BY_VALUE = [
    "struct s { char a; };",
    "struct s { char a[3]; };",
    "struct s { char a[5]; };",
    "struct s { short a; char b; };",
    "struct s { int a; };",
    "struct s { int a; char b; };",
    "struct s { long long a; };",
    "struct s { int a, b, c; };",
    "struct s { long long a; char b; };",
    "struct s { unsigned long long a, b; };",
    "struct s { char a[16]; };",
    "struct s { char a[17]; };",
    "struct s { float a; };",
    "struct s { float a, b; };",
    "struct s { float a, b, c; };",
    "struct s { float a[4]; };",
    "struct s { double a; };",
    "struct s { double a, b; };",
    "struct s { double a; float b; };",
    "struct s { float a; double b; };",
    "struct s { int a; double b; };",
    "struct s { double a; int b; };",
    "struct s { int a; float b; };",
    "struct s { float a; int b; double c; };",
    "struct s { _Bool a; double b; };",
    "struct s { struct { char a; struct { float b; } c; } d; short e[2]; };",
    "struct s { double a, b, c; };",
    "struct s { _Alignas(16) int a; };",
    "struct s { _Alignas(16) double a; char b; };",
    "struct __attribute__((packed)) s { char a; double b; };",
    "struct s { union { int i; float f; } a; double b; };",
    "union s { double a; long long b; };",
    "union s { float a; char b[6]; };",
]

PASSES = """
%s
typedef %s T;
static T last;
T f(char before, T one, double x, T two, float y, T three, long z, T four)
{
    T all[4] = {one, two, three, four};
    last = one;
    return all[(unsigned char)(before + (x > 0) + (y > 0) + (unsigned long)z) %% 4];
}
T *g(char before, const T *one, double x, const T *two, float y, const T *three, long z, const T *four)
{
    const T *all[4] = {one, two, three, four};
    return (T *)all[(unsigned char)(before + (x > 0) + (y > 0) + (unsigned long)z) %% 4];
}
"""


@pytest.mark.parametrize("text", BY_VALUE)
def test_a_structure_that_is_passed_and_returned(programs: Programs, text: str) -> None:
    name = re.search(r"(struct|union) (?:__attribute__\(\(packed\)\) )?s", text)
    assert name is not None
    subject = programs.load(PASSES % (text, f"{name[1]} s"))
    rng = random.Random(text)
    for _ in range(40):
        words = random_words(subject, rng)
        parts = {p.name: mine for p, mine in subject.signature.split(words)}
        before, x, y, z = (subject.signature.arguments(words)[n] for n in (0, 2, 4, 6))
        chosen = ("one", "two", "three", "four")[(before + (x > 0) + (y > 0) + z) % 256 % 4]
        layout = subject.signature.result
        assert layout is not None
        expected = tuple(bits_from_word(c.kind, w) for c, w in zip(cells(layout), parts[chosen], strict=True))
        for replay in (subject.replay(words), subject.observe(words)):
            assert replay.outcome is Termination.RETURNED
            assert subject.signature.result_bits(replay) == expected


def test_by_value_in_cxx(programs: Programs) -> None:
    text = """
    namespace geo { struct Point { double x, y; }; class Tag { public: int n; ~Tag() { n = 0; } }; }
    double f(geo::Point a, const geo::Point &b, geo::Tag t, geo::Tag &u) { u.n = 3; return a.x + b.y + t.n; }"""
    subject = programs.load(text, name=".cpp")
    a, b, t, u = subject.signature.parameters
    assert [p.layout.type for p in (a, b, t) if isinstance(p.layout, Structure)] == [
        "struct geo::Point", "struct geo::Point", "class geo::Tag",
    ]  # fmt: skip
    assert (a.is_pointer, b.is_pointer, b.is_output, t.is_pointer, u.is_output) == (False, True, False, False, True)
    words = words_of(subject.signature, {"x": 1.0, "y": 2.0}, {"x": 4.0, "y": 8.0}, {"n": 16}, {"n": 32})
    replay = subject.replay(words)
    assert subject.signature.show_result(replay) == "= 25.0"
    assert replay.outputs[1] == (3,)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("struct S { int a; S(int n) : a(n) {} };", "which has a constructor of its own"),
        ("class S { int a; public: int b; };", "whose field 'a' is private"),
        ("struct B { int a; }; struct S : B { int b; };", "which inherits from another one"),
        ("struct S { int a; virtual int g(); };", "which has virtual functions"),
        ("template <class T> struct V { T a; V() {} }; typedef V<double> S;", "which has a constructor of its own"),
    ],
)
def test_classes_that_are_refused(programs: Programs, text: str, reason: str) -> None:
    with pytest.raises(UnsupportedParameter, match=rf"^f: parameter 's' has type '[^']*', {reason}"):
        programs.load(f"{text}\nint f(S &s) {{ return sizeof s; }}", name=".cpp")


# ---- unions, anonymous members, arrays of structures ----


def test_a_union_is_its_largest_member(programs: Programs) -> None:
    text = """
    struct v { int tag; union { int i; double d; float f; }; union { short a; unsigned char b[2]; } last; };
    int f(struct v *v) { return v->tag == 1 ? v->i : v->d > 1.0; }"""
    layout = programs.load(text).signature.parameters[0].layout
    assert layout == Structure("struct v", 24, (
        Field("tag", 0, Scalar(Kind.I32)), Field("d", 8, Scalar(Kind.F64)),
        Field("last", 16, Structure("union (unnamed)", 2, (Field("a", 0, Scalar(Kind.I16)),), is_plain=False)),
    ), is_plain=False)  # fmt: skip


def test_arrays_of_structures(programs: Programs) -> None:
    text = "struct s { char c; int a; };\nint f(struct s *xs, int n) { int t = 0; while (n--) t += xs[n].a; return t; }"
    subject = programs.load(text, arrays=(ArraySpec("xs", 3, "n"),))
    xs, n = subject.signature.parameters
    assert isinstance(xs.layout, Array)
    assert (xs.layout.count, n.limit, xs.names[3]) == (3, 3, "xs[1].a")
    words = words_of(subject.signature, [{"c": 0, "a": k} for k in (1, 10, 100)], 2)
    assert subject.replay(words).result == subject.observe(words).result == 11
    assert subject.signature.show(words) == "f({{.c = 0, .a = 1}, {.c = 0, .a = 10}, {.c = 0, .a = 100}}, 2)"


@pytest.mark.parametrize("count", [64, 65, 4096])
def test_large_arrays(programs: Programs, count: int) -> None:
    text = f"""struct s {{ char c; short a[2]; }};
    int f(struct s xs[{count}], const int *p, int n) {{ return xs[n].a[1] + p[n]; }}"""
    subject = programs.load(text, arrays=(ArraySpec("p", count),))
    values = [{"c": k % 100, "a": [k % 1000, k]} for k in range(count)]
    words = words_of(subject.signature, values, [7 * k for k in range(count)], count - 1)
    assert subject.replay(words).result == subject.observe(words).result == 8 * (count - 1)
    assert subject.replay(words).outputs[0] == tuple(bits_from_word(k, w) for k, w in zip(
        subject.signature.parameters[0].kinds, words, strict=False))  # fmt: skip


def test_values_that_are_none(programs: Programs) -> None:
    signature = programs.load(PID).signature
    for wrong in ("{'tag': 1}, 1.0", "[1], 1.0", "None, 1.0", f"{ {**VALUE, 'h': [1, 2]} }, 1.0", "1, 1.0"):
        with pytest.raises(OptionError, match=r"^c: .* does not fit; it points to \{tag: any signed 8-bit"):
            signature.words_of(wrong)


MATRIX = """
struct filter { int n; double p[2][3]; struct { short v; } cells[2][2]; };
int f(const struct filter *k) { return k->p[1][0] > k->p[0][2] && k->cells[1][0].v == k->n; }
"""


def test_numbers_in_arrays_of_several_dimensions_have_their_names_in_c(programs: Programs, tmp_path: Path) -> None:
    signature = programs.load(MATRIX).signature
    (k,) = signature.parameters
    assert k.names == ("k->n", *(f"k->p[{i}][{j}]" for i in range(2) for j in range(3)),
                       *(f"k->cells[{i}][{j}].v" for i in range(2) for j in range(2)))  # fmt: skip
    value = {"n": 7, "p": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "cells": [{"v": n} for n in (1, 2, 7, 8)]}
    words = signature.words_of(repr(value))
    assert signature.arguments(words) == [value]
    shown = (
        "f({.n = 7, .p = {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}, .cells = {{{.v = 1}, {.v = 2}}, {{.v = 7}, {.v = 8}}}})"
    )
    assert signature.show(words) == shown
    path = tmp_path / "filter.c"
    path.write_text(MATRIX)
    suite = cover(f"{path}:f", Options(budget=Budget(100_000, 30.0), assume=("k->p[1][0] <= k->p[0][2]",)))
    assert [v.verdict for v in suite.verdicts if v.branch.id == "0T"] != ["covered"]
    assert any(v.verdict == "covered" for v in suite.verdicts)
