"""The typing rules of terms: which sorts an operation takes, and which sort its value has."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from .nodes import Op, Opaque, SortError, Term
from .sorts import BOOL, FLOAT64, INT, MACHINE_FLOATS, REAL, ROUNDING, STRING, Sort, bits, has_values

Rule = Callable[[tuple[Sort, ...], Any], Sort | None]  # None: the operation does not take arguments of these sorts


def sort_of(op: Op, args: tuple[Term, ...], data: object) -> Sort:
    """Return the sort of ``op(*args)``.

    Raises:
        SortError: the operation does not take these arguments.
    """
    sorts = tuple([a.sort for a in args])
    try:
        found = _known(op, sorts, data) if op is not Op.CALL else _call(sorts, data)
    except (AttributeError, IndexError, TypeError, ValueError):  # too few arguments, or data of another kind
        found = None
    if found is None:
        extra = "" if data is None else f" [{data.name if isinstance(data, Opaque) else data}]"
        raise SortError(f"{op.name}{extra} does not take ({', '.join(map(str, sorts))})")
    return found


@lru_cache(maxsize=4096)
def _known(op: Op, sorts: tuple[Sort, ...], data: object) -> Sort | None:
    """Return the sort of an operation's value; None if it does not take these arguments."""
    rule = _RULES.get(op)
    return rule(sorts, data) if rule is not None else None


def _all(sort: Sort, result: Sort) -> Rule:
    """Return the rule of an operation on any number of arguments of one sort, at least one."""
    return lambda s, _: result if s and all(x == sort for x in s) else None


def _fixed(*parameters: Sort, result: Sort) -> Rule:
    """Return the rule of an operation on arguments of exactly these sorts."""
    return lambda s, _: result if s == parameters else None


def _floats(count: int, rounds: bool, result: Sort | None = None) -> Rule:
    """Return the rule of an operation on ``count`` floats of one sort, with a rounding mode in front if it rounds."""

    def rule(s: tuple[Sort, ...], _: object) -> Sort | None:
        if rounds:
            if s[0] != ROUNDING:
                return None
            s = s[1:]
        fits = len(s) == count and _float(s[0]) and all(x == s[0] for x in s)
        return (result or s[0]) if fits else None

    return rule


def _vectors(count: int, result: Sort | None = None) -> Rule:
    """Return the rule of an operation on ``count`` bit vectors of one sort, which its value has by default."""
    return lambda s, _: (
        (result or s[0]) if len(s) == count and s[0].is_bits and all(x == s[0] for x in s) else None
    )  # fmt: skip


def _numbers(count: int, result: Sort | None = None) -> Rule:
    """Return the rule of an operation on ``count`` Ints or Reals. Without ``result``, its value has their sort."""
    return lambda s, _: (result or s[0]) if s in ((INT,) * count, (REAL,) * count) else None


def _ite(s: tuple[Sort, ...], _: object) -> Sort | None:
    return s[1] if len(s) == 3 and s[0] == BOOL and s[1] == s[2] else None


def _cast(accepts: Callable[[Sort], bool], to: Callable[[Sort], bool], rounds: bool) -> Rule:
    """Return the rule of a cast, whose data is the target sort.

    Args:
        accepts: whether a sort can be cast.
        to: whether a sort can be the target.
        rounds: whether there is a rounding mode in front.
    """

    def rule(s: tuple[Sort, ...], data: Sort) -> Sort | None:
        wanted = 2 if rounds else 1
        fits = len(s) == wanted and (not rounds or s[0] == ROUNDING) and accepts(s[-1]) and to(data)
        return data if fits else None

    return rule


def _is(sort: Sort) -> Callable[[Sort], bool]:
    return lambda s: s == sort


_float = has_values


def _bits(s: Sort) -> bool:
    return s.is_bits


def _from_bits(s: tuple[Sort, ...], data: Sort) -> Sort | None:
    return data if len(s) == 1 and s[0].is_bits and _float(data) and s[0].width == data.width else None


def _extract(s: tuple[Sort, ...], data: tuple[int, int]) -> Sort | None:
    high, low = data
    return bits(high - low + 1) if len(s) == 1 and s[0].is_bits and 0 <= low <= high < s[0].width else None


def _extend(s: tuple[Sort, ...], data: Sort) -> Sort | None:
    return data if len(s) == 1 and s[0].is_bits and data.is_bits and data.width >= s[0].width else None


def _exact(s: tuple[Sort, ...], _: object) -> Sort | None:
    """The rule of the comparison of a float with an Int or a Real."""
    return BOOL if len(s) == 2 and sorted((_float(x), x in (INT, REAL)) for x in s) == _BESIDE else None


_BESIDE = [(False, True), (True, False)]


def _math(s: tuple[Sort, ...], data: object) -> Sort | None:
    fits = data in MATH and len(s) == MATH[data] and s[0] in MACHINE_FLOATS and all(x == s[0] for x in s)
    return s[0] if fits else None


def _call(s: tuple[Sort, ...], data: object) -> Sort | None:
    return data.result if isinstance(data, Opaque) and s == data.parameters else None


def _select(s: tuple[Sort, ...], _: object) -> Sort | None:
    return s[0].parts[1] if len(s) == 2 and s[0].is_array and s[0].parts[0] == s[1] else None


def _store(s: tuple[Sort, ...], _: object) -> Sort | None:
    return s[0] if len(s) == 3 and s[0].is_array and s[0].parts == s[1:] else None


def _filled(s: tuple[Sort, ...], data: Sort) -> Sort | None:
    return data if data.is_array and s == (data.parts[1],) else None


# The functions of C's math library that terms have, with their number of arguments.
_UNARY = """sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p cbrt erf
erfc tgamma lgamma j0 j1 y0 y1 sqrt floor ceil trunc round rint fabs"""
MATH = dict.fromkeys(_UNARY.split(), 1)
MATH |= dict.fromkeys(("pow", "atan2", "hypot", "fmod", "remainder", "copysign", "fmin", "fmax", "nextafter"), 2)
# Functions with the same result in every library, to the last bit. fmin and fmax differ for zeros and signalling NaNs.
EXACT = {"sqrt", "floor", "ceil", "trunc", "round", "rint", "fabs", "fmod", "remainder", "copysign", "nextafter"}

_INTS = _fixed(INT, INT, result=INT)
_RULES: dict[Op, Rule] = {
    Op.NOT: _fixed(BOOL, result=BOOL), Op.AND: _all(BOOL, BOOL), Op.OR: _all(BOOL, BOOL), Op.ITE: _ite,
    Op.EQUAL: lambda s, _: BOOL if len(s) == 2 and s[0] == s[1] else None,
    Op.OPEN: lambda s, data: s[0] if len(s) == 1 and isinstance(data, str) else None,
    Op.FP_TO_FP: _cast(_float, _float, True), Op.SIGNED_TO_FP: _cast(_bits, _float, True),
    Op.UNSIGNED_TO_FP: _cast(_bits, _float, True), Op.INT_TO_FP: _cast(_is(INT), _float, True),
    Op.REAL_TO_FP: _cast(_is(REAL), _float, True), Op.FP_TO_SIGNED: _cast(_float, _bits, True),
    Op.FP_TO_UNSIGNED: _cast(_float, _bits, True), Op.FP_FROM_BITS: _from_bits,
    Op.FP_TO_BITS: lambda s, _: bits(s[0].width) if len(s) == 1 and _float(s[0]) else None,
    Op.FP_TO_REAL: _floats(1, False, REAL), Op.FP_TO_INT: _floats(1, False, INT),
    Op.INT_TO_REAL: _fixed(INT, result=REAL), Op.REAL_TO_INT: _fixed(REAL, result=INT),
    Op.BITS_TO_INT: _vectors(1, INT), Op.SIGNED_TO_INT: _vectors(1, INT),
    Op.INT_TO_BITS: _cast(_is(INT), _bits, False),
    Op.BV_CONCAT: lambda s, _: bits(s[0].width + s[1].width) if len(s) == 2 and s[0].is_bits and s[1].is_bits else None,
    Op.BV_EXTRACT: _extract, Op.BV_ZERO_EXTEND: _extend, Op.BV_SIGN_EXTEND: _extend,
    Op.ADD: _numbers(2), Op.SUB: _numbers(2), Op.MUL: _numbers(2), Op.NEG: _numbers(1), Op.ABS: _numbers(1),
    Op.LT: _numbers(2, BOOL), Op.LE: _numbers(2, BOOL), Op.DIVIDE: _fixed(REAL, REAL, result=REAL),
    Op.FLOOR_DIV: _INTS, Op.FLOOR_MOD: _INTS, Op.TRUNC_DIV: _INTS, Op.TRUNC_MOD: _INTS, Op.EUCLID_DIV: _INTS,
    Op.EUCLID_MOD: _INTS, Op.POWER: _INTS, Op.MATH: _math, Op.CALL: _call, Op.SELECT: _select, Op.STORE: _store,
    Op.FILLED: _filled, Op.STR_CONCAT: _fixed(STRING, STRING, result=STRING),
    Op.STR_LENGTH: _fixed(STRING, result=INT), Op.STR_AT: _fixed(STRING, INT, result=STRING),
    Op.STR_PREFIX: _fixed(STRING, STRING, result=BOOL), Op.STR_SUFFIX: _fixed(STRING, STRING, result=BOOL),
    Op.STR_CONTAINS: _fixed(STRING, STRING, result=BOOL), Op.STR_LT: _fixed(STRING, STRING, result=BOOL),
}  # fmt: skip
_RULES |= {op: _floats(2, False, BOOL) for op in (Op.FP_EQ, Op.FP_LT, Op.FP_LE)}
_RULES[Op.QUOTIENT] = _fixed(INT, INT, result=FLOAT64)
_RULES |= dict.fromkeys((Op.EXACT_EQ, Op.EXACT_LT, Op.EXACT_LE), _exact)
_RULES |= {op: _floats(1, False, BOOL) for op in Op if op.name.startswith("FP_IS_")}
_RULES |= {op: _floats(2, True) for op in (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV)}
_RULES |= {Op.FP_FMA: _floats(3, True), Op.FP_SQRT: _floats(1, True), Op.FP_ROUND: _floats(1, True)}
_RULES |= {op: _floats(2, False) for op in (Op.FP_REM, Op.FP_MIN, Op.FP_MAX)}
_RULES[Op.FP_FLOOR_DIV] = lambda s, _: s[0] if s in [(sort, sort) for sort in MACHINE_FLOATS] else None
_RULES |= {op: _floats(1, False) for op in (Op.FP_ABS, Op.FP_NEG)}
_RULES |= {op: _vectors(1) for op in (Op.BV_NOT, Op.BV_NEG)}
_RULES |= {op: _vectors(2, BOOL) for op in (Op.BV_ULT, Op.BV_ULE, Op.BV_SLT, Op.BV_SLE)}
_RULES |= {op: _vectors(2) for op in Op if op.name.startswith("BV_") and op not in _RULES}
