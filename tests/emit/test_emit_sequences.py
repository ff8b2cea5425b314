"""Emitted tests of calls in a row: they compile, and each call has the arguments and the result that it had here."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import clang
from c_tests import build, check, replay_of, run, warnings_in, with_replay
from zeroin.emit.files import write_test
from zeroin.emit.test_header import Batch
from zeroin.languages.c.emit.cases import Case
from zeroin.languages.c.emit.test_file import CTest
from zeroin.languages.c.front.call_sequence import SequenceSignature
from zeroin.subject.base import Words
from zeroin.suite.suite import Suite

MakeSuite = Callable[..., Suite]

# Of each type that is returned, and passed, in a way of its own.
SUMS = """\
#include <stdbool.h>
enum e { A, B = 7 };
struct small { double a; int b; };
struct large { double a, b, c; char d; };
bool of_bool(bool x) { static bool sum; sum ^= x; return sum; }
signed char of_char(signed char x) { static signed char sum; sum += x; return sum; }
unsigned short of_short(unsigned short x, unsigned long y) { static unsigned long sum; sum += x ^ y; return sum; }
long of_long(long x, int y) { static long sum; sum += x - y; return sum; }
float of_float(float x) { static float sum; sum += x; return sum; }
double of_double(char c, double x) { static double sum; sum += x + c; return sum; }
long double of_long_double(long double x) { static long double sum; sum += x; return sum; }
enum e of_enum(enum e x) { static int sum; sum += x; return sum % 2 ? B : A; }
struct small in_registers(struct small x) { static struct small sum; sum.a += x.a; sum.b += x.b; return sum; }
struct large in_memory(int y, struct large x) { static struct large sum; sum.a += x.c; sum.d += y; return sum; }
void of_pointers(struct small *x, double *out) { static int n; x->b += ++n; *out += x->a * n; }
int of_nothing(void) { static int n; return ++n; }
static int total;
static void add(int x) { total += x; }
void none(int x) { if (total < x) add(1); }
"""
FUNCTIONS = [line.partition("(")[0].split()[-1] for line in SUMS.splitlines() if " { static " in line]


def drawn(signature: SequenceSignature, rng: random.Random) -> Words:
    """Some calls with small numbers."""
    made = list[int]()
    for _ in range(rng.randint(2, 4)):
        for kind, (low, high) in zip(signature.each.kinds, signature.each.ranges(), strict=True):
            made.append(max(low, min(high, rng.randint(-9, 9) << 52 * kind.is_float)))
        made.append(rng.choice([1, 2, 3, 4]))
    return signature.words_for((), made)


def suites_of(make_suite: MakeSuite, rng: random.Random) -> list[Suite]:
    found = []
    for function in FUNCTIONS:
        empty = make_suite("sums.c", SUMS, function, [], calls=8)
        assert isinstance(empty.signature, SequenceSignature)
        inputs = [empty.signature.arguments(drawn(empty.signature, rng)) for _ in range(4)]
        found.append(dataclasses.replace(make_suite("sums.c", SUMS, function, inputs, calls=8), stateful=True))
    return found


def test_calls_in_a_test_do_what_they_did_here(make_suite: MakeSuite, tmp_path: Path) -> None:
    batch, folder = Batch(tuple(suites_of(make_suite, random.Random(3)))), tmp_path / "tests"
    test = write_test(CTest(), batch, folder)
    clang.build(["cc", "-fno-builtin", "-ffp-contract=off", "-o", "test", test.name, "-lm"], folder)
    assert run(folder / "test") == (0, [f"{4 * len(FUNCTIONS)} passed, 0 failed"])
    assert warnings_in(test) == []
    cases = [case for case in CTest()._cases(batch) if isinstance(case, Case)]
    assert all(case.alone for case in cases)


TOTAL = "int f(int x) { static int total; total += x; return total; }"


def test_what_each_call_returns_is_compared(make_suite: MakeSuite, tmp_path: Path) -> None:
    calls = [{"x": 3, "times": 5}, {"x": 1, "times": 1}, {"x": 2, "times": 2}]
    suite = make_suite("a.c", TOTAL, "f", [[calls]], calls=8)
    text = check(suite, tmp_path / "tests")
    body = text[text.index("static void test_f") :].partition("\n}\n")[0].split("\n", 2)[2]
    assert [line.strip() for line in body.splitlines()] == [
        "unsigned int turn;",
        "for (turn = 0; turn < 4; turn++)", "(void)f(3);", "ZEROIN_EQ_INT(f(3), 15);",
        "ZEROIN_EQ_INT(f(1), 16);",
        "(void)f(2);", "ZEROIN_EQ_INT(f(2), 20);",
    ]  # fmt: skip
    replay = replay_of(suite.inputs[0])
    for number in range(3):
        wrong = list[Any](replay.outputs[-1] or ())
        wrong[number] += 1
        changed = dataclasses.replace(replay, outputs=(*replay.outputs[:-1], tuple(wrong)))
        status, lines = run(build(with_replay(suite, 0, changed), tmp_path / f"wrong{number}"))
        assert (status, len(lines)) == (1, 2)


@pytest.mark.parametrize("kind", ["googletest", "unity", "cmocka"])
def test_in_the_words_of_frameworks(kind: str, make_suite: MakeSuite, tmp_path: Path) -> None:
    from zeroin.languages.plugins import EMITTERS

    made = make_suite("a.c", TOTAL, "f", [[[{"x": 3, "times": 1}, {"x": 1, "times": 9}]]], calls=8)
    suite = dataclasses.replace(made, stateful=True)
    text = EMITTERS[kind]().text(Batch((suite,)), tmp_path)
    lines = [line.strip() for line in text.splitlines()]
    at = lines.index("ZEROIN_EQ_INT(f(3), 3);")  # state is that of a process: each case has one of its own
    assert lines[at + 1 : at + 4] == ["for (turn = 0; turn < 8; turn++)", "(void)f(1);", "ZEROIN_EQ_INT(f(1), 12);"]


def test_a_crash_is_shown_with_the_calls_before_it(make_suite: MakeSuite, tmp_path: Path) -> None:
    text = "int f(int x) { static int n = 2; return x / --n; }"
    suite = make_suite("a.c", text, "f", [[[{"x": 4, "times": 1}]]], crashing=[[[{"x": 4, "times": 2}]]], calls=8)
    program = build(suite, tmp_path / "tests")
    assert run(program)[0] == 0
    crashing = next(c.name for c in CTest()._cases(Batch((suite,))) if isinstance(c, Case) and c.crash)
    assert run(program, crashing)[0] != 0


RAMP = """\
#include <stdexcept>
struct limits { double low, high; };
enum class mode { slow = 3, fast };
class ramp {
public:
    ramp(limits l, mode m, const double &first) : limits_(l), rate_(m == mode::fast ? 10 : 1), value_(first)
    {
        if (!(l.low < l.high)) throw std::invalid_argument("limits");
    }
    int step(double target, double &out)
    {
        if (target != target) throw std::domain_error("no target");
        value_ += target > value_ ? rate_ : -rate_;
        out = value_;
        return value_ > limits_.high;
    }
private:
    limits limits_;
    double rate_, value_;
};
"""
LIMITS = {"low": -1.0, "high": 15.0}


def test_an_object_and_calls_of_it(make_suite: MakeSuite, tmp_path: Path) -> None:
    calls = [{"target": 99.0, "out": [0.0], "times": 3}, {"target": -9.0, "out": [1.0], "times": 1}]
    nan = float("nan")
    suite = make_suite("ramp.cpp", RAMP, "ramp::step", [
        [LIMITS, 4, [2.0], calls], [LIMITS, 7, [2.0], calls[1:]], [{"low": 1.0, "high": 0.0}, 3, [2.0], calls],
        [LIMITS, 3, [2.0], [*calls, {"target": nan, "out": [1.0], "times": 1}]],
    ], calls=8)  # fmt: skip
    text = check(suite, tmp_path / "tests")
    assert "ramp ramp_(l, mode::fast, first);" in text
    assert "ramp ramp_(l, zeroin_any(7), first);" in text
    replay = replay_of(suite.inputs[0])
    *others, returned = replay.outputs
    assert returned == (1, 1)
    changed = dataclasses.replace(replay, outputs=(*others, (1, 0)))
    assert run(build(with_replay(suite, 0, changed), tmp_path / "wrong"))[0] == 1
    quiet = dataclasses.replace(replay_of(suite.inputs[2]), threw="std::domain_error")
    assert run(build(with_replay(suite, 2, quiet), tmp_path / "another"))[0] == 1
