"""Floats of other widths than the machine's: their bits, their arithmetic, and scripts that use them."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import z3

from zeroin.term.core.evaluate import evaluate, same
from zeroin.term.core.nodes import (
    Op,
    Rounding,
    SortError,
    Term,
    constant,
    float_constant,
    float_of_bits,
    make,
    own_bits,
    variable,
)  # fmt: skip
from zeroin.term.core.simplify import simplify
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, ROUNDING, Sort, bits, float_sort
from zeroin.term.smt.commands import UnsupportedTheory
from zeroin.term.smt.reader import read

FLOAT16 = float_sort(5, 11)
SMALL = [float_sort(*sizes) for sizes in ((2, 3), (2, 6), (3, 5), (4, 4), (5, 3), (7, 3))]
OTHERS = [*SMALL, FLOAT16, float_sort(8, 8), float_sort(3, 24), float_sort(11, 20), float_sort(8, 53)]
EACH = pytest.mark.parametrize("sort", OTHERS, ids=str)
_OF_ONE = [Op.FP_SQRT, Op.FP_ROUND, Op.FP_ABS, Op.FP_NEG]
_OF_TWO = [Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_REM]
_TESTS = [Op.FP_IS_NAN, Op.FP_IS_INF, Op.FP_IS_ZERO, Op.FP_IS_NORMAL, Op.FP_IS_SUBNORMAL, Op.FP_IS_NEGATIVE,
          Op.FP_IS_POSITIVE]  # fmt: skip
_WITHOUT_MODE = (Op.FP_ABS, Op.FP_NEG, Op.FP_REM)


def patterns(sort: Sort, draw: random.Random, most: int) -> list[int]:
    """All bit patterns of a sort if there are few; else random ones, and those near zero, one and infinity."""
    whole = 1 << sort.width
    if whole <= most:
        return list(range(whole))
    half = whole >> 1
    edges = [0, 1, 2, bits_of(sort, 1.0), bits_of(sort, math.inf) - 1, bits_of(sort, math.inf), half - 1]
    return [*edges, *(edge | half for edge in edges), *(draw.randrange(whole) for _ in range(most - 14))]


def bits_of(sort: Sort, value: float) -> int:
    return int(constant(sort, value).data)


@EACH
def test_bits_are_those_of_the_value(sort: Sort) -> None:
    for pattern in patterns(sort, random.Random(0), 1 << 16):
        value = float_of_bits(sort, pattern)
        assert own_bits(sort, value) == pattern
        if value == value:
            assert float_constant(sort, pattern) is constant(sort, value)
        else:
            assert float_constant(sort, pattern) is constant(sort, math.nan)


@EACH
def test_larger_bits_are_larger_numbers(sort: Sort) -> None:
    infinity = bits_of(sort, math.inf)
    if infinity < 1 << 16:
        numbers = [float_of_bits(sort, n) for n in range(infinity + 1)]
        assert numbers[0] == 0.0
        assert all(a < b for a, b in pairwise(numbers))
        assert numbers[-1] == math.inf
        for a, b in pairwise(numbers[:-1][:200]):
            assert constant(sort, a + (b - a) * 0.25).value == a
            assert constant(sort, a + (b - a) * 0.75).value == b


@pytest.mark.filterwarnings("ignore:.*encountered.*:RuntimeWarning")
def test_arithmetic_of_half_precision_is_that_of_numpy() -> None:
    draw = random.Random(1)
    operations = {Op.FP_ADD: np.add, Op.FP_SUB: np.subtract, Op.FP_MUL: np.multiply, Op.FP_DIV: np.divide}
    mode = constant(ROUNDING, Rounding.RNE)
    some = patterns(FLOAT16, draw, 600)
    for op, ufunc in operations.items():
        for _ in range(3000):
            a, b = (float_of_bits(FLOAT16, draw.choice(some)) for _ in range(2))
            found = evaluate(make(op, mode, constant(FLOAT16, a), constant(FLOAT16, b)), {})
            assert same(found, float(ufunc(np.float16(a), np.float16(b)))), (op, a, b)
    for pattern in some:
        a = float_of_bits(FLOAT16, pattern)
        found = evaluate(make(Op.FP_SQRT, mode, constant(FLOAT16, a)), {})
        assert same(found, float(np.sqrt(np.float16(a)))), a


def z3_value(value: Any, sort: Sort) -> Any:
    """A float as z3 has it."""
    text = bin(value.data)[2:].zfill(sort.width)
    return z3.simplify(z3.fpBVToFP(z3.BitVecVal(int(text, 2), sort.width), z3.FPSort(*sort.sizes)))


_MODES = {Rounding.RNE: z3.RNE, Rounding.RNA: z3.RNA, Rounding.RTP: z3.RTP, Rounding.RTN: z3.RTN, Rounding.RTZ: z3.RTZ}
_THEIRS = {
    Op.FP_ADD: z3.fpAdd, Op.FP_SUB: z3.fpSub, Op.FP_MUL: z3.fpMul, Op.FP_DIV: z3.fpDiv, Op.FP_REM: z3.fpRem,
    Op.FP_SQRT: z3.fpSqrt, Op.FP_ROUND: z3.fpRoundToIntegral, Op.FP_ABS: z3.fpAbs, Op.FP_NEG: z3.fpNeg,
    Op.FP_IS_NAN: z3.fpIsNaN, Op.FP_IS_INF: z3.fpIsInf, Op.FP_IS_ZERO: z3.fpIsZero, Op.FP_IS_NORMAL: z3.fpIsNormal,
    Op.FP_IS_SUBNORMAL: z3.fpIsSubnormal, Op.FP_IS_NEGATIVE: z3.fpIsNegative, Op.FP_IS_POSITIVE: z3.fpIsPositive,
    Op.FP_LT: z3.fpLT, Op.FP_LE: z3.fpLEQ, Op.FP_EQ: z3.fpEQ, Op.FP_FMA: z3.fpFMA,
}  # fmt: skip


@EACH
def test_operations_have_the_values_of_z3(sort: Sort) -> None:
    draw = random.Random(str(sort))
    some = patterns(sort, draw, 256)
    for op, theirs in _THEIRS.items():
        count = 3 if op is Op.FP_FMA else 1 if op in (*_OF_ONE, *_TESTS) else 2
        for _ in range(60):
            args = [float_constant(sort, draw.choice(some)) for _ in range(count)]
            has_mode = op in (*_OF_ONE, *_OF_TWO, Op.FP_FMA) and op not in _WITHOUT_MODE
            mode = draw.choice(list(Rounding))
            term = make(op, *([constant(ROUNDING, mode)] if has_mode else []), *args)
            other = theirs(*([_MODES[mode]()] if has_mode else []), *(z3_value(a, sort) for a in args))
            check(term, other, sort)


def check(term: Term, other: Any, sort: Sort) -> None:
    """A term has the value of a z3 expression."""
    value = evaluate(term, {})
    if term.sort == BOOL:
        assert z3.is_true(z3.simplify(other)) == value, term
    else:
        assert z3.is_true(z3.simplify(other == z3_value(constant(term.sort, value), term.sort))), (term, value)


@EACH
def test_casts_have_the_values_of_z3(sort: Sort) -> None:
    draw = random.Random(str(sort))
    for _ in range(80):
        mode = draw.choice(list(Rounding))
        ours, theirs = constant(ROUNDING, mode), _MODES[mode]()
        for source in (FLOAT64, FLOAT32, FLOAT16, sort):
            a = float_constant(source, draw.choice(patterns(source, draw, 30)))
            for target in (sort, FLOAT32):
                check(make(Op.FP_TO_FP, ours, a, data=target),
                      z3.fpFPToFP(theirs, z3_value(a, source), z3.FPSort(*target.sizes)), target)  # fmt: skip
        number = draw.choice((draw.randrange(256), draw.randrange(8)))
        check(make(Op.SIGNED_TO_FP, ours, constant(bits(8), number), data=sort),
              z3.fpSignedToFP(theirs, z3.BitVecVal(number, 8), z3.FPSort(*sort.sizes)), sort)  # fmt: skip
        check(make(Op.UNSIGNED_TO_FP, ours, constant(bits(8), number), data=sort),
              z3.fpUnsignedToFP(theirs, z3.BitVecVal(number, 8), z3.FPSort(*sort.sizes)), sort)  # fmt: skip


def test_a_whole_number_may_not_stay_whole() -> None:
    """The greatest float of this sort is 3.9375."""
    x, towards_zero = variable("x", bits(8)), constant(ROUNDING, Rounding.RTZ)
    cast = make(Op.SIGNED_TO_FP, towards_zero, x, data=SMALL[1])
    rounded = make(Op.FP_ROUND, towards_zero, cast)
    assert (evaluate(cast, {"x": 7}), evaluate(rounded, {"x": 7})) == (3.9375, 3.0)
    assert evaluate(simplify(rounded), {"x": 7}) == 3.0


def test_functions_of_c_are_only_for_floats_of_c() -> None:
    x = constant(FLOAT16, 1.0)
    for op, data in ((Op.MATH, "fmod"), (Op.FP_FLOOR_DIV, None)):
        with pytest.raises(SortError):
            make(op, x, x, data=data)


@pytest.mark.parametrize("sizes", [(15, 113), (11, 54), (12, 53)])
def test_floats_beyond_double_are_named(sizes: tuple[int, int]) -> None:
    text = f"(declare-const x (_ FloatingPoint {sizes[0]} {sizes[1]}))(assert (fp.isNaN x))"
    with pytest.raises(UnsupportedTheory, match=r"at most 11 bits of exponent and 53 of significand"):
        read(text)
