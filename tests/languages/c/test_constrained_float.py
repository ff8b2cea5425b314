"""Code that may watch floating point computes what plain code computes; it is read and searched like that."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from programs import Programs
from zeroin.config import Budget
from zeroin.languages.c.llvm_ir.constrained_float import plain
from zeroin.solvers.base import Query, Unsat
from zeroin.solvers.smt import Bitwuzla
from zeroin.subject.constant import Constant
from zeroin.term.core.evaluate import evaluate
from zeroin.words import Kind

STRICT = 'metadata !"fpexcept.strict"'
DYNAMIC = f'metadata !"round.dynamic", {STRICT}'
TEXT = """#include <fenv.h>
int f(float x, double z) {
    #pragma STDC FENV_ACCESS ON
    double twice = (double)x * 2.0, sum = twice + z;
    if ((float)sum == 0.1f) return 1;
    if ((int)twice > 7 && -z < 3.5 / x) return 2;
    if (sum - twice != sum - twice + 0.0) return 3;
    return fegetround() == FE_TONEAREST ? (int)sum : 4;
}
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (f"fadd.f64(double %1, double 2.0e+00, {DYNAMIC}) #6, !dbg !3", "fadd double %1, 2.0e+00, !dbg !3"),
        (f"fdiv.f32(float %1, float %x, {DYNAMIC})", "fdiv float %1, %x"),
        (f"fcmps.f32(float %1, float %2, metadata !\"olt\", {STRICT}) #6", "fcmp olt float %1, %2"),
        (f"fpext.f64.f32(float %1, {STRICT}) #6", "fpext float %1 to double"),
        (f"fptrunc.f32.f64(double %1, {DYNAMIC}) #6", "fptrunc double %1 to float"),
        (f"sitofp.f64.i32(i32 %1, {DYNAMIC}) #6", "sitofp i32 %1 to double"),
    ],
)  # fmt: skip
def test_instructions(call: str, expected: str) -> None:
    type_ = {"fcmp": "i1", "fptr": "float", "fdiv": "float"}.get(call[:4], "double")
    assert plain(f"  %4 = call {type_} @llvm.experimental.constrained.{call}") == f"  %4 = {expected}"


@pytest.mark.parametrize(
    "call",
    [
        f'double @llvm.experimental.constrained.fadd.f64(double %1, double %2, metadata !"round.upward", {STRICT})',
        f"double @llvm.experimental.constrained.sqrt.f64(double %1, {DYNAMIC})",
        f"<2 x double> @llvm.experimental.constrained.fadd.v2f64(<2 x double> %1, <2 x double> %2, {DYNAMIC})",
    ],
)
def test_what_is_no_such_instruction_stays(call: str) -> None:
    assert plain(f"%4 = call {call}") == f"%4 = call {call}"


def test_what_is_read_is_what_runs(programs: Programs) -> None:
    subject = programs.load(TEXT)
    for values, count in (("0.05, 0.0", 1), ("4.5, -2.0", 5), ("0.0, 0.0", 4), ("-1.0, inf", 4)):
        words = subject.words_of(values)
        path = subject.along(words, subject.execute(words, 20))
        assert not path.ended
        assert len(path.steps) == count
        assert all(evaluate(step.condition, path.inputs) == step.holds for step in path.steps)


def test_rounding_is_to_nearest(programs: Programs) -> None:
    subject = programs.load(TEXT)
    reached = subject.reach(2 * (len(subject.sites) - 1) + 1)
    assert isinstance(Bitwuzla().solve(Query((reached.condition,)), Budget(10_000, 20.0)), Unsat)


def test_what_is_compared_with_is_worth_trying(programs: Programs) -> None:
    assert (
        Constant(Kind.F64, int.from_bytes(struct.pack("<d", np.float32(0.1)), "little"))
        in programs.load(TEXT).constants
    )
