"""Terms mean what C means: the same operations, compiled by a C compiler."""

from __future__ import annotations

import ctypes
import math
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling import examples
from zeroin.objective.condition import Condition
from zeroin.term.core.build import RNE, RTZ, if_else
from zeroin.term.core.evaluate import evaluate, same, signed
from zeroin.term.core.nodes import Op, Term, constant, float_of_bits, make, variable
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, Sort, bits
from zeroin.term.core.undefined import bits_of

D, F, I8, I16, I32, I64 = FLOAT64, FLOAT32, bits(8), bits(16), bits(32), bits(64)
NIL = constant(D, 0.0)
_C = {D: "double", F: "float", I8: "int8_t", I16: "int16_t", I32: "int32_t", I64: "int64_t", BOOL: "int32_t"}
_CTYPES = {D: ctypes.c_double, F: ctypes.c_float, I8: ctypes.c_int8, I16: ctypes.c_int16, I32: ctypes.c_int32,
           I64: ctypes.c_int64, BOOL: ctypes.c_int32}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A term over a, b, c and the same in C."""

    name: str
    sorts: tuple[Sort, ...]
    term: Term
    code: str


def case(name: str, sorts: tuple[Sort, ...], build: Callable[..., Term], code: str) -> Case:
    return Case(name, sorts, build(*(variable(n, s) for n, s in zip("abc", sorts, strict=False))), code)


def fp(name: str, *args: Term, to: Sort | None = None) -> Term:
    return make(Op[name], RNE, *args, data=to)


def _casts() -> list[Case]:
    """Casts that need not fit, as the compilers of this machine make them."""
    if platform.machine() != "x86_64":
        return []
    made = []
    for source in (D, F):
        for width in (8, 16, 32, 64):
            for op, letter in ((Op.FP_TO_SIGNED, ""), (Op.FP_TO_UNSIGNED, "u")):
                name = f"{_C[source]}_to_{letter}int{width}"

                def build(a: Term, op: Op = op, width: int = width) -> Term:
                    return make(op, RTZ, a, data=bits(width))

                made.append(case(name, (source,), build, f"({letter}int{width}_t)a"))
    return made


CASES = [
    *_casts(),
    case("add", (D, D), lambda a, b: fp("FP_ADD", a, b), "a + b"),
    case("subtract", (D, D), lambda a, b: fp("FP_SUB", a, b), "a - b"),
    case("multiply", (D, D), lambda a, b: fp("FP_MUL", a, b), "a * b"),
    case("divide", (D, D), lambda a, b: fp("FP_DIV", a, b), "a / b"),
    case("add_singles", (F, F), lambda a, b: fp("FP_ADD", a, b), "a + b"),
    case("multiply_singles", (F, F), lambda a, b: fp("FP_MUL", a, b), "a * b"),
    case("divide_singles", (F, F), lambda a, b: fp("FP_DIV", a, b), "a / b"),
    case("polynomial", (D, D), lambda a, b: fp("FP_SUB", fp("FP_MUL", a, a), fp("FP_MUL", b, a)), "a * a - b * a"),
    case("root", (D,), lambda a: fp("FP_SQRT", a), "sqrt(a)"),
    case("root_of_single", (F,), lambda a: fp("FP_SQRT", a), "sqrtf(a)"),
    case("fused", (D, D, D), lambda a, b, c: fp("FP_FMA", a, b, c), "fma(a, b, c)"),
    case("fused_singles", (F, F, F), lambda a, b, c: fp("FP_FMA", a, b, c), "fmaf(a, b, c)"),
    case("nearest", (D,), lambda a: fp("FP_ROUND", a), "nearbyint(a)"),
    case("towards_zero", (D,), lambda a: make(Op.FP_ROUND, RTZ, a), "trunc(a)"),
    case("ieee_remainder", (D, D), lambda a, b: make(Op.FP_REM, a, b), "remainder(a, b)"),
    case("modulo", (D, D), lambda a, b: make(Op.MATH, a, b, data="fmod"), "fmod(a, b)"),
    case("power", (D, D), lambda a, b: make(Op.MATH, a, b, data="pow"), "pow(a, b)"),
    case("sine", (D,), lambda a: make(Op.MATH, a, data="sin"), "sin(a)"),
    case("minus", (D,), lambda a: make(Op.FP_NEG, a), "-a"),
    case("size", (D,), lambda a: make(Op.FP_ABS, a), "fabs(a)"),
    case("narrow", (D,), lambda a: fp("FP_TO_FP", a, to=F), "(float)a"),
    case("widen", (F,), lambda a: fp("FP_TO_FP", a, to=D), "(double)a"),
    case("from_int", (I64,), lambda a: fp("SIGNED_TO_FP", a, to=D), "(double)a"),
    case("from_int_to_single", (I64,), lambda a: fp("SIGNED_TO_FP", a, to=F), "(float)a"),
    case("from_unsigned", (I64,), lambda a: fp("UNSIGNED_TO_FP", a, to=D), "(double)(uint64_t)a"),
    case("to_int", (D,), lambda a: make(Op.FP_TO_SIGNED, RTZ, a, data=I32),
         "a > -2147483649.0 && a < 2147483648.0 ? (int32_t)a : INT32_MIN"),
    case("bits_of_computed_nan", (D,), lambda a: make(Op.FP_TO_BITS, fp("FP_DIV", fp("FP_MUL", a, NIL), NIL)),
         "isnan(a) ? bits_of(zero / zero) : bits_of(a * zero / zero)"),
    case("bits_of_sign", (D, D), lambda a, b: bits_of(make(Op.FP_NEG, make(Op.MATH, a, b, data="copysign"))),
         "bits_of(-copysign(a, b))"),
    case("bits_of_choice", (D, D), lambda a, b: bits_of(if_else(make(Op.FP_LT, a, b), make(Op.FP_ABS, a), b)),
         "bits_of(a < b ? fabs(a) : b)"),
    case("less", (D, D), lambda a, b: make(Op.FP_LT, a, b), "a < b"),
    case("at_most", (D, D), lambda a, b: make(Op.FP_LE, a, b), "a <= b"),
    case("equals", (D, D), lambda a, b: make(Op.FP_EQ, a, b), "a == b"),
    case("is_nan", (D,), lambda a: make(Op.FP_IS_NAN, a), "isnan(a) != 0"),
    case("is_inf", (D,), lambda a: make(Op.FP_IS_INF, a), "isinf(a) != 0"),
    case("is_normal", (D,), lambda a: make(Op.FP_IS_NORMAL, a), "isnormal(a) != 0"),
    case("high_word", (D,), lambda a: make(Op.BV_EXTRACT, make(Op.FP_TO_BITS, a), data=(63, 32)), "high(a)"),
    case("from_bits", (I64,), lambda a: make(Op.FP_FROM_BITS, a, data=D), "bits(a)"),
    case("integers", (I32, I32), lambda a, b: make(Op.BV_ADD, make(Op.BV_MUL, a, b), a),
         "(int32_t)((uint32_t)a * b + a)"),
    case("quotient", (I32, I32), lambda a, b: make(Op.BV_SDIV, a, b),
         "b == 0 ? (a < 0 ? 1 : -1) : b == -1 ? (int32_t)-(uint32_t)a : a / b"),
    case("rest", (I32, I32), lambda a, b: make(Op.BV_SREM, a, b), "b == 0 ? a : b == -1 ? 0 : a % b"),
    case("unsigned_quotient", (I64, I64), lambda a, b: make(Op.BV_UDIV, a, b),
         "b == 0 ? -1 : (int64_t)((uint64_t)a / (uint64_t)b)"),
    case("shift_left", (I32, I32), lambda a, b: make(Op.BV_SHL, a, b),
         "(uint32_t)b < 32 ? (int32_t)((uint32_t)a << b) : 0"),
    case("shift_right", (I32, I32), lambda a, b: make(Op.BV_ASHR, a, b), "(uint32_t)b < 32 ? a >> b : a < 0 ? -1 : 0"),
    case("unsigned_less", (I32, I32), lambda a, b: make(Op.BV_ULT, a, b), "(uint32_t)a < (uint32_t)b"),
    case("signed_less", (I32, I32), lambda a, b: make(Op.BV_SLT, a, b), "a < b"),
    case("choice", (D, D), lambda a, b: if_else(make(Op.FP_LT, a, b), a, fp("FP_MUL", b, b)), "a < b ? a : b * b"),
]  # fmt: skip

_HEAD = """
#include <stdint.h>
#include <math.h>
#include <string.h>
static int32_t high(double a) {
    uint64_t u;
    memcpy(&u, &a, 8);
    return (int32_t)(u >> 32);
}
static double bits(int64_t a) { double d; memcpy(&d, &a, 8); return d; }
static int64_t bits_of(double a) { int64_t u; memcpy(&u, &a, 8); return u; }
static volatile double zero;
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("c")
    functions = [
        f"{_C[c.term.sort]} zeroin_{c.name}({', '.join(f'{_C[s]} {n}' for n, s in zip('abc', c.sorts, strict=False))}) "
        f"{{ return {c.code}; }}"
        for c in CASES
    ]
    source, target = folder / "cases.c", folder / "cases.so"
    source.write_text(_HEAD + "\n".join(functions))
    flags = [
        "-O1",
        "-mcpu=baseline",
        "-shared",
        "-fPIC",
        "-ffp-contract=off",
        "-fno-builtin",
        "-fno-sanitize=all",
        "-lm",
    ]
    subprocess.run([sys.executable, "-m", "ziglang", "cc", *flags, "-o", target, source], check=True)
    return ctypes.CDLL(str(target))


_NANS = st.integers(1, (1 << 52) - 1).flatmap(lambda n: st.sampled_from([0x7FF << 52 | n, 0xFFF << 52 | n]))
_FLOATS = st.one_of(
    _NANS.map(lambda n: float_of_bits(D, n)),
    st.sampled_from([300.0, -1.0, 3e9, -3e9, 2.0**63, 2.0**64, -(2.0**63)]),
    st.floats(),
    st.sampled_from([0.0, -0.0, 1.0, -1.5, 2.5, math.inf, -math.inf, math.nan, 5e-324, 1.7e308, 2.0**31]),
)
_SINGLES = st.one_of(
    st.sampled_from([300.0, -1.0, 3e9, -3e9, 2.0**63, 2.0**64, -(2.0**63)]),
    st.floats(width=32),
    st.sampled_from([0.0, -0.0, 1.401298464324817e-45, 3.4028234663852886e38, math.nan]),
)


def _integers(width: int) -> st.SearchStrategy[int]:
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    return st.one_of(st.integers(low, high), st.integers(-70, 70), st.sampled_from([low, high, 0, 1, -1]))


_VALUES = {D: _FLOATS, F: _SINGLES, I32: _integers(32), I64: _integers(64)}


@pytest.mark.parametrize("c", CASES, ids=lambda c: c.name)
def test_terms_mean_what_c_means(library: Any, c: Case) -> None:
    called = getattr(library, f"zeroin_{c.name}")
    called.argtypes, called.restype = [_CTYPES[s] for s in c.sorts], _CTYPES[c.term.sort]
    condition = Condition([], values=[c.term]) if c.term.sort != BOOL else Condition([c.term])
    native = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)

    @examples(200)
    @given(st.tuples(*(_VALUES[s] for s in c.sorts)))
    def agree(values: tuple[Any, ...]) -> None:
        wanted = called(*values)
        typed = [v & ((1 << s.width) - 1) if s.is_bits else v for v, s in zip(values, c.sorts, strict=True)]
        model = dict(zip("abc", typed, strict=False))
        found = evaluate(c.term, model)
        shown = signed(found, c.term.sort.width) if c.term.sort.is_bits else found
        assert same(float(shown), float(wanted)) if c.term.sort.is_float else shown == wanted
        words = condition.words(model)
        cells = (ctypes.c_int64 * len(words))(*words)
        if c.term.sort == BOOL:
            assert (native(condition.address)(ctypes.addressof(cells)) == 0.0) is found
        elif c.term.sort.is_float:
            assert same(native(condition.value_addresses[0])(ctypes.addressof(cells)), float(wanted))

    agree()
