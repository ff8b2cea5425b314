"""A mutant of compiled code does what the source would do with that change, and ends nobody."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from programs import Programs, run_alone, words_of
from zeroin.languages.c.run.engine import LlvmSubject

DOUBLES = [
    (2.0, 3.0),
    (9.0, 4.0),
    (0.0, 0.0),
    (-1.5, 7.0),
    (1e300, 1e300),
    (1.0, 1.0),
    (-0.0, 4.0),
    (float("nan"), 1.0),
]
INTEGERS = [(2, 3), (0, 0), (-7, 3), (2**31 - 1, 1), (5, 0), (12, 31), (1, 1), (-8, -2), (4, 4)]

CHANGES = [
    # parameters, expression, change, what it is then
    ("double", "x + y", "+ -> -", "x - y"),
    ("double", "x + y", "+ -> *", "x * y"),
    ("double", "x - y", "- -> +", "x + y"),
    ("double", "x * y", "* -> /", "x / y"),
    ("double", "x / y", "/ -> *", "x * y"),
    ("double", "-x", "- -> +", "+x"),
    ("double", "x < y", "< -> <=", "x <= y"),
    ("double", "x < y", "< -> !=", "x != y"),
    ("double", "x < y", "< -> >=", "x >= y"),
    ("double", "x >= y", ">= -> ==", "x == y"),
    ("double", "x != y", "!= -> ==", "x == y"),
    ("double", "x + 2.5", "2.5 -> 3.5", "x + 3.5"),
    ("double", "x + 2.5", "2.5 -> -2.5", "x - 2.5"),
    ("double", "x * 2.5", "2.5 -> 0.0", "x * 0.0"),
    ("double", "x * 2.5", "2.5 -> 3.75", "x * 3.75"),
    ("double", "x > 1 ? 4.0 : y", "4.0 -> 5.0", "x > 1 ? 5.0 : y"),
    ("double", "sqrt(4.0) + x", "4.0 -> 5.0", "sqrt(5.0) + x"),
    ("double", "x < 1 && y < 2", "condition -> true", "1 && y < 2"),
    ("int", "x + y", "+ -> *", "(int)((unsigned)x * (unsigned)y)"),
    ("int", "x * y", "* -> /", "y && (y != -1) ? x / y : 77"),
    ("int", "y > 0 ? x / y : 0", "/ -> %", "y > 0 ? x % y : 0"),
    ("int", "y > 0 ? x % y : 0", "% -> *", "y > 0 ? (int)((unsigned)x * (unsigned)y) : 0"),
    ("int", "x & y", "& -> |", "x | y"),
    ("int", "x ^ y", "^ -> &", "x & y"),
    ("int", "~x", "~ -> ", "x"),
    ("int", "!x", "! -> ", "!!x"),
    ("int", "x >> 1", ">> -> <<", "(int)((unsigned)x << 1)"),
    ("int", "(unsigned)x << (y & 7)", "<< -> >>", "(unsigned)x >> (y & 7)"),
    ("int", "x < 5", "5 -> 6", "x < 6"),
    ("int", "x < 5", "5 -> 4", "x < 4"),
    ("int", "(unsigned)x < (unsigned)y", "< -> >=", "(unsigned)x >= (unsigned)y"),
]  # fmt: skip


def text_of(type_: str, expression: str) -> str:
    return f"#include <math.h>\nstatic int unused;\n{type_} f({type_} x, {type_} y)\n{{ return {expression}; }}\n"


@pytest.mark.parametrize(("type_", "expression", "change", "changed"), CHANGES)
def test_a_mutant_does_what_the_source_with_that_change_does(type_: str, expression: str, change: str, changed: str,
                                                             programs: Programs) -> None:  # fmt: skip
    subject, other = (programs.load(text_of(type_, one)) for one in (expression, changed))
    (mutant, *_) = [one for one in subject.mutation.mutants if one.change == change]
    assert (mutant.line, mutant.function) == (4, "f")
    seen = set()
    for values in DOUBLES if type_ == "double" else INTEGERS:
        if "77" in changed and values[1] in (0, -1):
            continue  # a crash; see below
        words = words_of(subject.signature, *values)
        differs = not subject.same(subject.replay(words), other.replay(words))
        assert noticed(subject, words, mutant.number) == differs, values
        seen.add(differs)
    assert True in seen


def noticed(subject: LlvmSubject, words: Any, *numbers: int) -> bool:
    note = np.zeros(1, dtype=np.int64)
    return any(subject.mutation.differing(words, numbers, note))


def test_the_subject_as_it_is_shows_nothing_else(programs: Programs) -> None:
    subject = programs.load(text_of("double", "x < y ? x / y : sqrt(x) * 3.0"))
    for values in itertools.product((0.0, 1.5, -2.0, float("nan"), float("inf")), repeat=2):
        assert not noticed(subject, words_of(subject.signature, *values), 0)


OUTPUTS = """
struct pair { int whole; double part; };
struct pair f(double x, double *out, int counts[3])
{
    struct pair p = {(int)x, x - (int)x};
    *out = x * 2.0;
    counts[1] = counts[0] + 5;
    return p;
}
"""


@pytest.mark.parametrize("change", ["- -> +", "* -> /", "2.0 -> 3.0", "+ -> -", "5 -> 6", "[1] -> [2]"])
def test_what_pointers_and_structures_hold_is_compared(change: str, programs: Programs) -> None:
    subject = programs.load(OUTPUTS, arrays=())
    number = next(one.number for one in subject.mutation.mutants if one.change == change)
    words = words_of(subject.signature, 2.5, [0.0], [1, 2, 3])
    assert noticed(subject, words, number)


TABLES = """
double f(unsigned n)
{
    static const double rates[] = {0.25, 8.0, 3.5};
    static const unsigned char steps[2][2] = {{1, 2}, {3, 4}};
    return n < 3 ? rates[n] : steps[1][n & 1];
}
"""


def test_numbers_in_tables_are_constants_like_others(programs: Programs) -> None:
    subject = programs.load(TABLES)
    by_change = {one.change: one for one in subject.mutation.mutants}
    eight, quarter = by_change["8.0 -> 9.0"], by_change["0.25 -> 0.0"]
    assert (eight.line, quarter.line) == (4, 4)
    for n in range(6):
        words = words_of(subject.signature, n)
        assert noticed(subject, words, eight.number) == (n == 1)
        assert noticed(subject, words, quarter.number) == (n == 0)
    assert {constant.bits for constant in subject.mutation.constants} >= {0x4020000000000000}


ENDLESS = """
int f(int n)
{
    int steps = 0;
    if (n < 0 || n > 50) return -1;
    while (n > 0) { n = n - 1; steps = steps + 1; }
    return steps;
}
"""


def test_a_mutant_that_never_returns_is_noticed_and_does_not_keep_us(programs: Programs) -> None:
    subject = programs.load(ENDLESS)
    words = words_of(subject.signature, 20)
    numbers = [one.number for one in subject.mutation.mutants]
    endless = [one.number for one in subject.mutation.mutants if one.line == 6 and one.change == "- -> +"]
    assert noticed(subject, words, *endless)
    before = subject.mutation.runs
    noticed(subject, words, *numbers)
    assert subject.mutation.runs == before + len(numbers) + 1
    assert not noticed(subject, words_of(subject.signature, 0), *endless)  # and the next run is as ever


CRASHING = """
#include <stdlib.h>
int f(int x, int y, int *p)
{
    if (y != 0 && x == 3) return x / y;
    if (x == 4) return p[0 + 0];
    if (x == 5) { if (y == 9) abort(); return 1; }
    return x * y;
}
"""


CHECK = """
import sys
import numpy as np
from pathlib import Path
from zeroin.languages.c.run.engine import LlvmSubject
subject, note = LlvmSubject(Path(sys.argv[1]), "f"), np.zeros(1, dtype=np.int64)
subject.guard()
subject.prepare_replay()
for change, line, values in (("!= -> ==", 5, "3, 0, [7]"), ("* -> /", 8, "1, 0, [7]"), ("== -> !=", 7, "5, 1, [7]"),
                             ("== -> !=", 7, "1, 1, [7]")):
    number = next(m.number for m in subject.mutation.mutants if (m.change, m.line) == (change, line))
    print(*subject.mutation.differing(subject.signature.words_of(values), [number], note), note[0])
"""


def test_mutants_that_crash_are_noticed(programs: Programs) -> None:
    assert run_alone(CHECK, str(programs.write(CRASHING))) == "1 0\n1 0\n1 0\n0 0\n"


SMASHING = """
int f(int n)
{
    long t[4] = {n, n + 1, n + 2, n + 3};
    t[n & 3] = 0;
    return (int)(t[0] + t[1] + t[2] + t[3]);
}
"""
SMASH = """
import os, signal, sys
import numpy as np
from pathlib import Path
from zeroin.languages.c.run.engine import LlvmSubject
subject, note = LlvmSubject(Path(sys.argv[1]), "f"), np.zeros(1, dtype=np.int64)
subject.guard()
subject.prepare_replay()
numbers = [one.number for one in subject.mutation.mutants]
ends = []
for n in range(4, 20):
    child = os.fork()
    if not child:
        signal.alarm(30)
        subject.mutation.differing(subject.signature.words_of(str(n)), numbers, note)
        os._exit(0)
    ends.append(os.WTERMSIG(os.waitpid(child, 0)[1]))
print(signal.SIGALRM in ends, {0, signal.SIGSEGV} == {*ends})
"""


def test_a_mutant_that_writes_over_the_stack_ends_its_process_at_most(programs: Programs) -> None:
    """``t[n | 3] = 0`` sets what the caller has in its registers to zero, such as how many mutants have been run."""
    assert run_alone(SMASH, str(programs.write(SMASHING)), timeout=600) == "False True\n"


def test_what_the_compiler_makes_the_same_code_of_is_equivalent(programs: Programs) -> None:
    subject = programs.load("unsigned f(unsigned x, unsigned y) { if (x > 0) return y / 3; return y * 4; }")
    by_change = {one.change: one.number for one in subject.mutation.mutants}
    found = subject.mutation.equivalent(sorted(by_change.values()), 30.0)
    assert by_change["> -> !="] in found
    assert {by_change["> -> >="], by_change["/ -> *"], by_change["* -> +"]}.isdisjoint(found)
    assert not subject.mutation.equivalent(sorted(by_change.values()), 0.0)
