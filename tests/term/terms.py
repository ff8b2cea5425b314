"""Hypothesis strategies: terms over a few variables of every simple sort, and models of these."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from hypothesis import strategies as st

from zeroin.term.core.nodes import Op, Rounding, Term, bits_of_float, constant, float_of_bits, make, variable
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, ROUNDING, Sort, bits

BITS = tuple(map(bits, (8, 32, 64)))
SORTS = (BOOL, INT, REAL, FLOAT32, FLOAT64, *BITS)
VARIABLES = {
    sort: (variable(f"a{i}", sort), variable(f"b{i}", sort)) for i, sort in enumerate((*SORTS, ROUNDING), start=1)
}
_FRACTIONS = st.fractions(-100, 100, max_denominator=64)
_VALUES = {BOOL: st.booleans(), INT: st.integers(-100, 100), REAL: _FRACTIONS, ROUNDING: st.sampled_from(Rounding)}
_SPECIAL = (0.0, -0.0, 0.5, 1.5, 2.5, -1.5, -2.5, 127.5, 255.5, -0.3, -128.5, 2.0**31, -(2.0**31), 2.0**63, 1e-40)


def values(sort: Sort) -> st.SearchStrategy[Any]:
    """Values of a sort, the strange ones often."""
    if sort.is_bits:
        top = (1 << sort.width) - 1
        return st.one_of(st.sampled_from((0, 1, top, top >> 1, top // 2 + 1)), st.integers(0, top))
    if sort.is_float:
        special = _SPECIAL if sort == FLOAT64 else tuple(constant(sort, v).value for v in _SPECIAL)
        nans = st.integers(1, 7).map(lambda n: float_of_bits(sort, bits_of_float(sort, float("-inf")) + n))
        return st.one_of(st.sampled_from(special), nans, st.floats(width=32 if sort == FLOAT32 else 64))
    return _VALUES[sort]


def models() -> st.SearchStrategy[dict[str, Any]]:
    """A value for every variable."""
    return st.fixed_dictionaries({v.data: values(sort) for sort, pair in VARIABLES.items() for v in pair})


@st.composite
def terms(draw: st.DrawFn, sort: Sort | None = None, depth: int = 3, numbers: bool = True) -> Term:
    """A term of a sort, or of any; on request without Int and Real, which Bitwuzla does not know."""
    wanted = sort or draw(st.sampled_from([s for s in SORTS if numbers or s not in (INT, REAL)]))
    if depth == 0 or draw(st.integers(0, 5)) == 0 or wanted == ROUNDING:
        leaves = st.one_of(st.sampled_from(VARIABLES[wanted]), values(wanted).map(lambda v: constant(wanted, v)))
        return draw(leaves)
    possible = [o for o in operations(wanted) if numbers or not {INT, REAL} & set(o[1])]
    op, parameters, data = draw(st.sampled_from(possible))
    args = [draw(terms(parameter, depth - 1, numbers)) for parameter in parameters]
    if op is Op.POWER:
        args[1] = constant(INT, draw(st.integers(-1, 5)))
    return make(op, *args, data=data)


Operation = tuple[Op, tuple[Sort, ...], Any]


@cache
def operations(sort: Sort) -> list[Operation]:
    """What makes a value of a sort."""
    found: list[Operation] = [(Op.ITE, (BOOL, sort, sort), None), (Op.OPEN, (sort,), "a whim")]
    if sort.is_float:
        found += _float_operations(sort)
    elif sort.is_bits:
        found += _bit_operations(sort)
    elif sort == BOOL:
        found += _conditions()
    else:
        found += [(op, (sort, sort), None) for op in (Op.ADD, Op.SUB, Op.MUL)]
        found += [(op, (sort,), None) for op in (Op.NEG, Op.ABS)]
    if sort == INT:
        divisions = (Op.FLOOR_DIV, Op.FLOOR_MOD, Op.TRUNC_DIV, Op.TRUNC_MOD, Op.EUCLID_DIV, Op.EUCLID_MOD, Op.POWER)
        found += [(op, (INT, INT), None) for op in divisions]
        found += [(Op.REAL_TO_INT, (REAL,), None), *((Op.FP_TO_INT, (f,), None) for f in (FLOAT32, FLOAT64))]
        found += [(op, (b,), None) for op in (Op.BITS_TO_INT, Op.SIGNED_TO_INT) for b in BITS]
    if sort == REAL:
        found += [(Op.DIVIDE, (REAL, REAL), None), (Op.INT_TO_REAL, (INT,), None)]
        found += [(Op.FP_TO_REAL, (f,), None) for f in (FLOAT32, FLOAT64)]
    return found


def _float_operations(sort: Sort) -> list[Operation]:
    same = BITS[1] if sort == FLOAT32 else BITS[2]
    found: list[Operation] = [(Op.FP_FROM_BITS, (same,), sort), (Op.FP_FMA, (ROUNDING, sort, sort, sort), None)]
    found += [(op, (ROUNDING, sort, sort), None) for op in (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV)]
    found += [(op, (ROUNDING, sort), None) for op in (Op.FP_SQRT, Op.FP_ROUND)]
    found += [(op, (sort, sort), None) for op in (Op.FP_MIN, Op.FP_MAX)]
    found += [(op, (sort,), None) for op in (Op.FP_ABS, Op.FP_NEG)]
    found += [(Op.FP_TO_FP, (ROUNDING, source), sort) for source in (FLOAT32, FLOAT64)]
    found += [(op, (ROUNDING, b), sort) for op in (Op.SIGNED_TO_FP, Op.UNSIGNED_TO_FP) for b in BITS]
    found += [(Op.INT_TO_FP, (ROUNDING, INT), sort), (Op.REAL_TO_FP, (ROUNDING, REAL), sort)]
    found += [(Op.FP_FLOOR_DIV, (sort, sort), None), (Op.MATH, (sort, sort), "fmod")] + (
        [(Op.QUOTIENT, (INT, INT), None)] if sort == FLOAT64 else []
    )
    return found + [(Op.MATH, (sort,), name) for name in ("sqrt", "floor", "ceil", "trunc", "rint", "round", "fabs")]


def _bit_operations(sort: Sort) -> list[Operation]:
    shaped = (Op.BV_CONCAT, Op.BV_EXTRACT, Op.BV_ZERO_EXTEND, Op.BV_SIGN_EXTEND)
    tests = (Op.BV_ULT, Op.BV_ULE, Op.BV_SLT, Op.BV_SLE)
    unary = (Op.BV_NOT, Op.BV_NEG)
    plain = [op for op in Op if op.name.startswith("BV_") and op not in (*shaped, *tests, *unary)]
    found: list[Operation] = [(op, (sort, sort), None) for op in plain] + [(op, (sort,), None) for op in unary]
    found += [(op, (ROUNDING, f), sort) for op in (Op.FP_TO_SIGNED, Op.FP_TO_UNSIGNED) for f in (FLOAT32, FLOAT64)]
    found += [(op, (b,), sort) for op in shaped[2:] for b in BITS if b.width <= sort.width]
    found += [(Op.FP_TO_BITS, (f,), None) for f in (FLOAT32, FLOAT64) if f.width == sort.width]
    found += [(Op.BV_EXTRACT, (b,), (sort.width - 1 + 3, 3)) for b in BITS if b.width > sort.width + 3]
    found += [(Op.BV_CONCAT, (BITS[1], BITS[1]), None)] if sort == BITS[2] else []
    return [*found, (Op.INT_TO_BITS, (INT,), sort)]


def _conditions() -> list[Operation]:
    found: list[Operation] = [(Op.NOT, (BOOL,), None), (Op.AND, (BOOL, BOOL, BOOL), None), (Op.OR, (BOOL, BOOL), None)]
    found += [(Op.EQUAL, (sort, sort), None) for sort in (*SORTS, ROUNDING)]
    for sort in (FLOAT32, FLOAT64):
        found += [(op, (sort, sort), None) for op in (Op.FP_EQ, Op.FP_LT, Op.FP_LE)]
        found += [(op, (sort,), None) for op in Op if op.name.startswith("FP_IS_")]
        found += [(op, pair, None) for op in (Op.EXACT_EQ, Op.EXACT_LT, Op.EXACT_LE)
                  for number in (INT, REAL) for pair in ((number, sort), (sort, number))]  # fmt: skip
    found += [(op, (sort, sort), None) for sort in (INT, REAL) for op in (Op.LT, Op.LE)]
    return found + [(op, (b, b), None) for b in BITS for op in (Op.BV_ULT, Op.BV_ULE, Op.BV_SLT, Op.BV_SLE)]


def literal(sort: Sort, value: Any) -> Term:
    """A value as a term."""
    return constant(sort, Fraction(value) if sort == REAL else value)
