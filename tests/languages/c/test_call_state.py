"""What is proved of the state that variables keep between calls."""

from __future__ import annotations

import random

import pytest

from programs import Programs
from proofs import refuted
from zeroin.languages.c.front.call_sequence import SequenceSignature
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.solvers.smt import Bitwuzla
from zeroin.words import Kind, encode

COUNTER = """
static signed char level; static unsigned short odd = 1; int shown = 4;
static void raise(int v) { if (v > 2 && level < 6) level += 2; }
void lower(int v) { if (v == 9) level = 0; odd += 2; }
int f(int n) {
    raise(n);
    if (level > 6) return 1;
    if (level == 3) return 2;
    if (level == 6) return 3;
    if (!(odd & 1)) return 4;
    if (shown == 5) return 5;
    if (n == 7) shown = shown == 4 ? 6 : 4;
    return 0;
}
"""
POINTED = """
int g = 3; static short table[3] = {1, 2, 3};
int f(int *p, short *q, int n) {
    *p = n & 3;
    g = g == 3 ? 2 : 3;
    if (*p > 3) return 1;
    if (g > 3) return 2;
    table[n & 1] = 5;
    *q = 9;
    if (table[2] != 3) return 3;
    if (table[0] == 9) return 4;
    return *p == g;
}
"""


def named(subject: LlvmSubject, outcomes: set[int]) -> set[str]:
    return {f"{subject.sites[n // 2].condition} {'TF'[n % 2]}" for n in outcomes}


@pytest.mark.parametrize(
    ("text", "never"),
    [
        (COUNTER, {"level > 6 T", "level == 3 T", "odd & 1 F", "shown == 5 T"}),
        (POINTED, {"*p > 3 T", "g > 3 T", "table[2] != 3 T", "table[0] == 9 T"}),
    ],
    ids=["counter", "pointed"],
)
def test_what_no_sequence_of_calls_takes_is_refuted(programs: Programs, text: str, never: set[str]) -> None:
    subject = programs.load(text, callees=True)
    assert named(subject, refuted(subject, Bitwuzla())[0]) >= never


def test_a_variable_that_others_can_set_is_taken_as_theirs_only_with_an_assumption(programs: Programs) -> None:
    assert "no other code sets shown" in programs.load(COUNTER).reach(0).assumptions
    own = programs.load(COUNTER.replace("int shown", "static int shown"))
    assert own.reach(0).assumptions == ()


@pytest.mark.parametrize(
    "change",
    [
        "void other(int v) { level = v; }",
        "signed char *leak(void) { return &level; }",
        "extern void outside(void); int calls(int v) { level = 9; outside(); level = 0; return v; }",
        "#include <setjmp.h>\nstatic jmp_buf end; void leaves(int v) { level = 9; longjmp(end, 1); }",
        "__attribute__((constructor)) static void begins(void) { level = 1; }",
        "static void called(int v) { level = v; } void (*const calls[])(int) = {called};",
        "#include <string.h>\nvoid fills(int v) { memset(&level, v, 1); }",
    ],
)
def test_whatever_else_changes_a_variable_counts(programs: Programs, change: str) -> None:
    subject = programs.load(COUNTER + change)
    found = named(subject, refuted(subject, Bitwuzla())[0])
    assert not found & {"level > 6 T", "level == 3 T"}


@pytest.mark.parametrize("text", [COUNTER, POINTED], ids=["counter", "pointed"])
def test_what_sequences_of_calls_take_is_not_refuted(programs: Programs, text: str) -> None:
    subject = programs.load(text, callees=True, calls=8)
    assert isinstance(subject.signature, SequenceSignature)
    never = refuted(subject, Bitwuzla())[0]
    rng, taken = random.Random(7), set[int]()
    ranges, kinds = subject.signature.ranges(), subject.signature.kinds
    for _ in range(3000):
        words = [min(max(encode(kind, rng.randint(0, 1 if kind is Kind.BOOL else 9)), low), high)
                 for kind, (low, high) in zip(kinds, ranges, strict=True)]  # fmt: skip
        words[0] = min(max(encode(kinds[0], rng.randint(1, 8)), ranges[0][0]), ranges[0][1])
        taken |= subject.run(subject.tidy(tuple(words))).covered
    assert len(taken) >= 6
    assert not taken & never
