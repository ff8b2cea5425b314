"""Emitted tests of functions that take and return structures: they compile, pass, and notice every changed number."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from c_tests import build, check, replay_of, run, with_replay
from programs import Programs
from zeroin.emit.test_header import Batch
from zeroin.languages.c.emit.test_file import CTest
from zeroin.languages.c.front.compile import compile_all
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.c.options import LlvmOptions
from zeroin.report.json import JsonReport
from zeroin.suite.suite import Suite

MakeSuite = Callable[..., Suite]

C = """\
#include <stdbool.h>
enum mode { OFF, ON = 5 };
typedef struct { double x, y; } point;
struct s {
    char tag; enum mode m; bool on; point p[2]; unsigned char name[3];
    union { int i; double d; } u;
    union { float g; struct { short low, high; }; };
};
typedef struct { float a; long b; } *pointer;
double f(struct s *one, const point *two, point three, struct s four, pointer five, struct s *null)
{
    if (one->on) { one->p[1].y = three.x; one->u.d = 2; one->name[2]++; one->g = 0.5f; }
    if (null) null->tag = 9;
    five->b--;
    return two->x + four.p[0].x;
}
struct s give(struct s s, point p)
{
    if (s.on) s.p[1] = p;
    return s;
}
point small(point *ps, int n)
{
    ps[0].x = n > 1 ? ps[1].x : 7;
    return ps[0];
}
int crash(struct s *s, int n) { return s->name[n]; }
"""
POINT = {"x": 0.5, "y": -0.0}
S = {"tag": -1, "m": 5, "on": True, "p": [POINT, {"x": math.nan, "y": math.inf}], "name": [1, 2, 255],
     "u": {"d": 1e300}, "g": 0.1}  # fmt: skip


def test_structures_are_written_as_in_the_source(make_suite: MakeSuite, tmp_path: Path) -> None:
    null = {**S, "tag": 0}
    suite = make_suite("a.c", C, "f", [
        [S, POINT, {"x": 4.0, "y": 0.0}, S, {"a": 1.5, "b": -(2**63)}, null],
        [{**S, "on": False}, POINT, POINT, S, {"a": 1.5, "b": 3}, None],
    ])  # fmt: skip
    text = check(suite, tmp_path / "tests")
    assert re.search(
        r" struct s one = \{\.tag = -1, \.m = ON, \.on = 1, \.p = \{\{\.x = 0\.5, \.y = -0\.0\}, "
        r".*\.name = \{1, 2, 255\}, \.u = \{\.d = 1e300\}, \.g = 0\.1f\};",
        re.sub(r"\s+", " ", text),
    )
    assert "f(&one, &two, three, four, &five, (void *)0), " in text


def test_each_changed_number_is_noticed(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("a.c", C, "f", [[S, POINT, {"x": 4.0, "y": 0.0}, S, {"a": 1.5, "b": 7}, None]])
    replay = replay_of(suite.inputs[0])
    one, two, five, null = replay.outputs
    assert one is not None
    assert five is not None
    changed = dataclasses.replace(
        replay, outputs=(tuple(bits ^ 1 for bits in one), two, tuple(b ^ 1 for b in five), null)
    )
    status, lines = run(build(with_replay(suite, 0, changed), tmp_path / "tests"))
    assert status == 1
    assert [re.sub(r".*: (.*) = .*", r"\1", line) for line in lines[:-1]] == [
        "one.tag", "one.m", "one.on", "one.p[0].x", "one.p[0].y", "one.p[1].y",
        "one.name[i] (0)", "one.name[i] (1)", "one.name[i] (2)", "one.u.d", "one.g", "five.a", "five.b",
    ]  # fmt: skip


def test_results_that_are_structures(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("a.c", C, "give", [[S, POINT], [{**S, "on": False}, POINT]])
    text = check(suite, tmp_path / "tests")
    assert "struct s returned = give(s, p);" in text
    replay = replay_of(suite.inputs[0])
    assert isinstance(replay.result, tuple)
    wrong = dataclasses.replace(replay, result=(*replay.result[:1], 0, *replay.result[2:]))
    status, lines = run(build(with_replay(suite, 0, wrong), tmp_path / "tests"))
    assert (status, lines[0].rpartition(": ")[2]) == (1, "returned.m = 5, expected 0")


def test_arrays_of_structures(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("a.c", C, "small", [[[POINT, {"x": 3.0, "y": 1.0}], 2], [[POINT, POINT], 0]],
                       options=LlvmOptions(arrays=(ArraySpec("ps", 2, "n"),)))  # fmt: skip
    text = check(suite, tmp_path / "tests")
    assert "point ps[2] = {{.x = 0.5, .y = -0.0}, {.x = 3.0, .y = 1.0}};" in text
    assert "point returned = small(ps, 2);\n    ZEROIN_EQ_DOUBLE(returned.x, 3.0);\n" in text
    assert "    ZEROIN_EQ_DOUBLE(ps[1].x, 3.0);\n" in text


def test_a_crash_is_one_in_the_test_too(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("a.c", C, "crash", [[S, 0]], crashing=[[S, 5_000]])
    program = build(suite, tmp_path / "tests")
    assert run(program) == (0, ["1 passed, 0 failed, 1 disabled"])
    assert run(program, "test_crash_crashes_s_nan")[0] < 0


CXX = """\
namespace geo {
enum class axis : unsigned char { x, y };
struct point { double x, y; };
struct segment { point from, to; axis along; bool on[2]; };
class tag { public: int n; };
template <class T> struct pair { T first; T second; };
union number { int i; double d; };
static point mirror(point p, const segment &s, segment *t, axis a, tag g, pair<float> q, number u)
{
    if (t) { t->along = a; t->from.x = g.n + q.second + u.d; }
    return a == s.along ? point{p.y, p.x} : p;
}
geo::point use() { return mirror({}, {}, nullptr, axis::x, {}, {}, {}); }
}
"""


def test_cxx(make_suite: MakeSuite, tmp_path: Path) -> None:
    point = {"x": 1.0, "y": 2.0}
    segment = {"from": point, "to": point, "along": 1, "on": [True, False]}
    suite = make_suite("a.cpp", CXX, "mirror", [
        [point, segment, segment, 1, {"n": 3}, {"first": 1.0, "second": 2.0}, {"d": 0.5}],
        [point, segment, None, 0, {"n": 3}, {"first": 1.0, "second": math.nan}, {"d": 0.5}],
    ])  # fmt: skip
    text = check(suite, tmp_path / "tests")
    assert "struct geo::segment s = {{1.0, 2.0}, {1.0, 2.0}, geo::axis::y, {true, false}};" in text
    assert "struct geo::point returned = geo::mirror(p, s, &t, geo::axis::y, " in text


def test_ir(make_suite: MakeSuite, tmp_path: Path, programs: Programs) -> None:
    text = compile_all([programs.write(C)])[0]
    one = make_suite("a.ll", text, "give", [[S, POINT], [{**S, "on": False}, POINT]])
    check(one, tmp_path / "one")
    two = make_suite("a.ll", text, "f", [[S, POINT, POINT, S, {"a": 1.5, "b": 3}, None]])
    check(two, tmp_path / "two")


def test_json(make_suite: MakeSuite) -> None:
    suite = make_suite("a.c", C, "give", [[S, POINT]])
    (target,) = json.loads(JsonReport().text([suite]))["targets"]
    (given,) = target["inputs"]
    assert given["args"][0]["p"] == [POINT, {"x": "nan", "y": "inf"}]
    assert given["exact"][1] == {"x": "0x1p-1", "y": "-0x0p+0"}
    assert given["result"]["p"][1] == {"x": "0x1p-1", "y": "-0x0p+0"}


@pytest.mark.parametrize("flags", [("-std=c90",), ("-std=c99", "-Wpedantic"), ("-m64",)])
def test_dialects(make_suite: MakeSuite, tmp_path: Path, flags: tuple[str, ...]) -> None:
    text = "struct s { int a; float b[2]; };\nint f(struct s *s, struct s t) { s->a = t.a; return s->b[1] > t.b[0]; }"
    value = {"a": 1, "b": [0.1, 0.2]}
    check(make_suite("a.c", text, "f", [[value, value]], cc=flags), tmp_path / "tests")


def test_file_names(make_suite: MakeSuite) -> None:
    assert CTest().file_name(Batch((make_suite("a.c", C, "give", [[S, POINT]]),))) == "test_a_give.c"


def test_long_arrays_of_structures_are_compared_field_by_field(make_suite: MakeSuite, tmp_path: Path) -> None:
    text = "struct q { double x; short h[2]; };\nint f(struct q *qs) { qs[1].x += 1; return 3; }\n"
    suite = make_suite("a.c", text, "f", [[[{"x": 0.5, "h": [n, -n]} for n in range(4096)]]],
                       options=LlvmOptions(arrays=(ArraySpec("qs", 4096),)))  # fmt: skip
    written = check(suite, tmp_path / "tests")
    assert written.count("ZEROIN_EACH(") == 3  # a loop for each number
    replay = replay_of(suite.inputs[0])
    (after,) = replay.outputs
    assert after is not None
    wrong = list(after)
    for number in (3, 3 * 7 + 2, 3 * 4095 + 1):
        wrong[number] ^= 1
    changed = dataclasses.replace(replay, outputs=(tuple(wrong),))
    status, lines = run(build(with_replay(suite, 0, changed), tmp_path / "tests"))
    assert status == 1
    assert [line.rpartition(": ")[2].partition(",")[0] for line in lines[:-1]] == [
        "qs[i].x (1) = 1.5", "qs[i].h[0] (4095) = 4095", "qs[i].h[1] (7) = -7"]  # fmt: skip


SEVERAL = """\
struct cell { int v; double w; };
typedef short row[3];
struct m {
    int few[2][2]; double many[3][4]; struct cell cells[2][2]; row rows[2]; char names[2][4]; float cube[2][2][3];
};
int f(struct m *one, struct m *several, struct m three)
{
    one->few[1][0]++; one->many[2][1] += three.many[1][3]; one->cells[1][0].v = three.rows[1][2];
    one->names[1][3] = 'x'; one->cube[1][0][2] = several[1].cube[0][1][1]; several[0].cells[0][1].w += 1.0;
    return 3;
}
struct m give(struct m s) { s.cube[1][1][0] = 5; s.cells[1][1].v = 7; return s; }
"""
DIMENSIONS = {"few": [1, 2, 3, 4], "many": [n + 0.5 for n in range(12)],
              "cells": [{"v": n, "w": -n / 4} for n in range(4)], "rows": list(range(6)),
              "names": [97, 98, 99, 100, 101, 102, 103, 104], "cube": [n / 2 for n in range(12)]}  # fmt: skip


@pytest.mark.parametrize("file", ["a.c", "a.cpp"])
def test_arrays_of_several_dimensions(make_suite: MakeSuite, tmp_path: Path, file: str) -> None:
    options = LlvmOptions(arrays=(ArraySpec("several", 2),))
    suite = make_suite(file, SEVERAL, "f", [[DIMENSIONS, [DIMENSIONS, DIMENSIONS], DIMENSIONS]], options=options)
    text = check(suite, tmp_path / "tests")
    assert "{{1, 2}, {3, 4}}" in re.sub(r"\s+", " ", text)
    replay = replay_of(suite.inputs[0])
    one, several, *others = replay.outputs
    assert one is not None
    changed = dataclasses.replace(replay, outputs=(tuple(bits ^ 1 for bits in one), several, *others))
    status, lines = run(build(with_replay(suite, 0, changed), tmp_path / "changed"))
    assert (status, len(lines) - 1) == (1, len(one))


def test_a_result_with_arrays_of_several_dimensions(make_suite: MakeSuite, tmp_path: Path) -> None:
    text = check(make_suite("a.c", SEVERAL, "give", [[DIMENSIONS]]), tmp_path / "tests")
    assert "returned.cube[i / 6][i / 3 % 2][i % 3]" in text
    assert "returned.cells[1][0].w" in text
