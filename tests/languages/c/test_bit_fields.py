"""Bit-fields in structures: read, written, searched, proved and tested as any other number."""

from __future__ import annotations

import ctypes
import random
from pathlib import Path
from typing import Any

import pytest

import c_tests
from programs import Programs, check_paths
from zeroin import Budget, Options, cover
from zeroin.errors import OptionError
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.solvers.base import Query, Unsat
from zeroin.solvers.smt import Bitwuzla
from zeroin.subject.base import branches_of

PROGRAM = """
#include <stdbool.h>
enum color { RED, GREEN, BLUE };
struct flags {
    unsigned a : 3; int b : 5; unsigned long c : 40; bool d : 1; unsigned : 0;
    short e; unsigned f : 12; enum color g : 2; signed char whole; int h : 32; unsigned : 5; unsigned i : 1;
};
struct outer { char before; struct flags inner; struct { unsigned x : 7, y : 25; }; };
struct small { unsigned a : 4, b : 9; int c : 3; };

long f(struct flags *p, int n)
{
    long r = p->a + 10 * p->b + 1000 * (long)(p->c & 0xffff) + 100000000 * p->d + p->e + p->f + p->g + p->h + p->i;
    if (p->b == -7 && p->a == 5) r += 1;
    if (p->c == 0x9123456789 && p->g == BLUE) r += 2;
    if (p->d && p->i) r += 4;
    if (p->a > 7) r += 8;   /* never */
    if (p->b < -16) r += 16;   /* never */
    p->a = n; p->b = n >> 3; p->c += n; p->d = !p->d; p->f ^= n; p->g = GREEN; p->h -= n > 0;
    return r;
}
int g(const struct outer *o, struct small s, const struct small *several)
{
    if (o->x == 77 && o->y == 12345678 && o->inner.b == -16) return 1;
    if (s.a == 9 && s.b == 300 && s.c == -2) return 2;
    if (several->a + s.a == 30) return 3;
    return o->inner.d + s.c;
}
"""
FIELDS = ["a", "b", "c", "d", "e", "f", "g", "whole", "h", "i"]

# Setters and getters, for the comparison with another compiler run.
SET = "".join(f"case {n}: p->{name} = v; break; " for n, name in enumerate(FIELDS))
GET = "".join(f"case {n}: return p->{name}; " for n, name in enumerate(FIELDS))
PROGRAM += f"void set(struct flags *p, int n, long v) {{ switch (n) {{ {SET} }} }}\n"
PROGRAM += f"long get(struct flags *p, int n) {{ switch (n) {{ {GET} }} return 0; }}\n"


def drawn(rng: random.Random) -> dict[str, Any]:
    ranges = {"a": (0, 7), "b": (-16, 15), "c": (0, 2**40 - 1), "d": (0, 1), "e": (-(2**15), 2**15 - 1),
              "f": (0, 4095), "g": (0, 3), "whole": (-128, 127), "h": (-(2**31), 2**31 - 1), "i": (0, 1)}  # fmt: skip
    return {name: rng.choice((low, high, rng.randint(low, high))) for name, (low, high) in ranges.items()}


@pytest.fixture
def subject(programs: Programs) -> LlvmSubject:
    return programs.load(PROGRAM)


def test_the_compiler_reads_and_writes_what_was_meant(programs: Programs, subject: LlvmSubject) -> None:
    """The same calls of the library that another compiler run made, which know nothing of layouts."""
    library = ctypes.CDLL(str(programs.shared_library(PROGRAM)))
    library.f.restype = ctypes.c_long
    library.set.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_long]
    library.get.restype = ctypes.c_long
    rng = random.Random(1)
    for _ in range(200):
        values, n = drawn(rng), rng.choice((0, 1, -1, rng.randint(-(2**31), 2**31 - 1)))
        memory = ctypes.create_string_buffer(64)
        for number, name in enumerate(FIELDS):
            library.set(memory, number, values[name])
        expected = library.f(memory, n)
        after = {name: library.get(memory, number) for number, name in enumerate(FIELDS)}
        words = subject.words_of(f"{values}, {n}")
        replay = subject.replay(words)
        assert subject.signature.exact_result(replay) == str(expected)
        left = subject.signature.outputs(replay)["p"]
        assert {name: int(left[name]) for name in FIELDS} == after
        assert subject.signature.arguments(words) == [values, n]


@pytest.mark.parametrize("values", [
    {"a": 8}, {"a": -1}, {"b": 16}, {"b": -17}, {"c": 2**40}, {"d": 2}, {"f": 4096}, {"i": 2},
])  # fmt: skip
def test_values_that_do_not_fit(values: dict[str, int], subject: LlvmSubject) -> None:
    zeros = dict.fromkeys(FIELDS, 0)
    subject.words_of(f"{zeros}, 0")
    with pytest.raises(
        OptionError, match=r"does not fit; it points to \{a: any unsigned 3-bit integer, b: any signed 5"
    ):
        subject.words_of(f"{zeros | values}, 0")


def test_paths_are_those_of_the_runs(subject: LlvmSubject) -> None:
    rng = random.Random(2)
    several = [drawn(rng) for _ in range(6)]
    several += [values | {"b": -7, "a": 5, "c": 0x9123456789, "g": 2, "d": 1, "i": 1} for values in several[:2]]
    inputs = [subject.words_of(f"{values}, 3") for values in several]
    assert check_paths(subject, inputs) >= 3


def test_proofs_know_the_widths(subject: LlvmSubject) -> None:
    refuted = set()
    for branch in branches_of(subject.sites):
        found = subject.reach(branch.outcome)
        if isinstance(Bitwuzla().solve(Query((found.condition,)), Budget(100, 20.0)), Unsat):
            refuted.add(f"{branch.site.condition} {branch.label}")
    assert refuted == {"p->a > 7 true", "p->b < -16 true"}


@pytest.mark.parametrize(("function", "suffix"), [("f", ".c"), ("g", ".c"), ("g", ".cpp")])
def test_all_branches_are_covered_and_tested(function: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"flags{suffix}"
    text = PROGRAM.partition("void set(")[0]
    path.write_text(text)
    suite = cover(f"{path}:{function}", Options(budget=Budget(3_000_000, 60.0)))
    missing = {f"{v.branch.site.condition} {v.branch.label}" for v in suite.verdicts if v.verdict != "covered"}
    assert missing == ({"p->a > 7 true", "p->b < -16 true"} if function == "f" else set())
    status, said = c_tests.run(c_tests.build(suite, tmp_path / "tests"))
    assert status == 0, said


def test_bit_fields_of_one_byte_are_all_shown(programs: Programs) -> None:
    text = "struct b { unsigned lo : 4, hi : 4; int k; };\nint f(struct b s) { return s.lo + s.hi + s.k; }"
    subject = programs.load(text)
    words = subject.words_of("{'lo': 3, 'hi': 9, 'k': 2}")
    assert subject.signature.show(words) == "f({.lo = 3, .hi = 9, .k = 2})"
    assert subject.signature.arguments(words) == [{"lo": 3, "hi": 9, "k": 2}]
    assert subject.replay(words).result == 14


def test_a_bool_may_have_more_bits_in_cxx(programs: Programs) -> None:
    subject = programs.load("struct a { bool b : 8; int n; };\nint f(a x) { return x.b ? x.n : 7; }", "f", ".cpp")
    assert subject.signature.parameters[0].ranges()[0] == (0, 1)
    assert subject.replay(subject.words_of("{'b': True, 'n': 5}")).result == 5
