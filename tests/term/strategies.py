"""Random terms and models over everything that native code computes."""

from __future__ import annotations

import ctypes
import math
import random
from functools import cache
from typing import Any

from hypothesis import strategies as st

from zeroin.term.core.nodes import Op, Opaque, Rounding, Term, bits_of_float, constant, float_of_bits, make, variable
from zeroin.term.core.rounding import narrow
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, ROUNDING, Sort, bits
from zeroin.term.core.typing_rules import MATH, sort_of

WIDTHS = (1, 7, 8, 16, 32, 33, 64)
VECTORS = tuple(bits(w) for w in WIDTHS)
FLOATS = (FLOAT32, FLOAT64)
SORTS = (BOOL, INT, *FLOATS, *VECTORS)
Signature = tuple[Op, tuple[Sort, ...], Any]  # with the data

_SPECIAL = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.0, 0.1, 1e-10, 5e-324, -5e-324, 1e-320,
            2.2250738585072014e-308, 2.0**-126, 2.0**-149, -(2.0**-130), 1e10, 127.5, 128.0, -128.5, 255.5, 2.0**31,
            -(2.0**31) - 1, 2.0**32, 2.0**33, 2.0**53 + 2, 2.0**63, -(2.0**63), 2.0**64, 1e19, 3.4028234663852886e38,
            1e39, 1.7976931348623157e308, -1.7976931348623157e308, math.inf, -math.inf, math.nan]  # fmt: skip
_INTEGERS = [0, 1, -1, 2, -2, 3, -3, 5, 7, -7, 10, 100, -1000, 1 << 24, (1 << 53) + 1, 1 << 61, -(1 << 61)]

# Functions behind addresses, and callables.
_small = ctypes.CFUNCTYPE(ctypes.c_uint8, ctypes.c_uint8, ctypes.c_bool)(lambda a, b: a + 1 & 255 if b else a)
_odd = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_uint64)(lambda a: a & 1 == 1)
_half = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(lambda a: a >> 1)
_single = ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_float, ctypes.c_uint16)(lambda a, b: a if b < 9 else -a)


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _picky(a: float, n: int) -> int:
    if n == 3 or a != a:
        raise ValueError("not this")
    return n * 1000003


OPAQUE = (
    Opaque("small", (bits(8), BOOL), bits(8), address=_address(_small)),
    Opaque("odd", (bits(64),), BOOL, address=_address(_odd)),
    Opaque("half", (INT,), INT, address=_address(_half)),
    Opaque("single", (FLOAT32, bits(16)), FLOAT32, address=_address(_single)),
    Opaque("hypot", (FLOAT64, FLOAT64), FLOAT64, address=_address(ctypes.CDLL("libm.so.6").hypot)),
    Opaque("third", (FLOAT32, BOOL), FLOAT32, function=lambda a, b: a / 3 if b else a),
    Opaque("cut", (bits(33), bits(7)), bits(7), function=lambda a, b: a + 5 * b),
    Opaque("wide", (INT, bits(64)), INT, function=lambda a, b: a * b),
    Opaque("less", (FLOAT64, INT), BOOL, function=lambda a, n: a < n),
    Opaque("picky", (FLOAT64, INT), INT, function=_picky),
)


@cache
def signatures() -> tuple[Signature, ...]:
    """Every operation that native code computes exactly, with arguments of every sort of :data:`SORTS` in turn."""
    found: list[Signature] = [(Op.NOT, (BOOL,), None)]
    found += [(op, (BOOL,) * n, None) for op in (Op.AND, Op.OR) for n in (1, 2, 3)]
    found += [(Op.ITE, (BOOL, s, s), None) for s in SORTS] + [(Op.EQUAL, (s, s), None) for s in SORTS]
    found += [(Op.OPEN, (s,), "a whim") for s in SORTS]
    for s in FLOATS:
        found += [
            (op, (s, s), None)
            for op in (Op.FP_EQ, Op.FP_LT, Op.FP_LE, Op.FP_REM, Op.FP_FLOOR_DIV, Op.FP_MIN, Op.FP_MAX)
        ]
        found += [(op, (s,), None) for op in Op if op.name.startswith("FP_IS_")]
        found += [(op, (s,), None) for op in (Op.FP_ABS, Op.FP_NEG, Op.FP_TO_BITS, Op.FP_TO_INT)]
        found += [(op, (ROUNDING, s, s), None) for op in (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV)]
        found += [(op, (ROUNDING, s), None) for op in (Op.FP_SQRT, Op.FP_ROUND)]
        found += [(Op.FP_FMA, (ROUNDING, s, s, s), None), (Op.INT_TO_FP, (ROUNDING, INT), s)]
        found += [(Op.FP_TO_FP, (ROUNDING, other), s) for other in FLOATS]
        found += [(op, (ROUNDING, v), s) for op in (Op.SIGNED_TO_FP, Op.UNSIGNED_TO_FP) for v in VECTORS]
        found += [(op, (ROUNDING, s), v) for op in (Op.FP_TO_SIGNED, Op.FP_TO_UNSIGNED) for v in VECTORS]
        found += [(Op.FP_FROM_BITS, (bits(s.width),), s)]
        found += [(Op.MATH, (s,) * count, name) for name, count in MATH.items()]
    two = [op for op in Op if op.name.startswith("BV_")][2:]
    two = [op for op in two if op not in (Op.BV_CONCAT, Op.BV_EXTRACT, Op.BV_ZERO_EXTEND, Op.BV_SIGN_EXTEND)]
    for v in VECTORS:
        found += [(op, (v,), None) for op in (Op.BV_NOT, Op.BV_NEG, Op.BITS_TO_INT, Op.SIGNED_TO_INT)]
        found += [(op, (v, v), None) for op in two] + [(Op.INT_TO_BITS, (INT,), v)]
        found += [(op, (v,), w) for op in (Op.BV_ZERO_EXTEND, Op.BV_SIGN_EXTEND) for w in VECTORS if w.width >= v.width]
        found += [(Op.BV_CONCAT, (v, w), None) for w in VECTORS if v.width + w.width in (*WIDTHS, 2, 15, 40)]
        found += [(Op.BV_EXTRACT, (v,), (v.width - 1, low)) for low in (0, v.width // 2)]
        found += [(Op.BV_EXTRACT, (v,), (w.width - 1, 0)) for w in VECTORS if w.width < v.width]
    found += [(op, pair, None) for op in EXACT for f in FLOATS for pair in ((INT, f), (f, INT))]
    found += [(op, (INT, INT), None) for op in (Op.POWER, Op.QUOTIENT)]
    found += [(op, (INT, INT), None) for op in _TWO_INTS] + [(op, (INT,), None) for op in (Op.NEG, Op.ABS)]
    return (*found, *((Op.CALL, f.parameters, f) for f in OPAQUE))


EXACT = (Op.EXACT_EQ, Op.EXACT_LT, Op.EXACT_LE)
_TWO_INTS = (Op.ADD, Op.SUB, Op.MUL, Op.LT, Op.LE, Op.FLOOR_DIV, Op.FLOOR_MOD, Op.TRUNC_DIV, Op.TRUNC_MOD,
             Op.EUCLID_DIV, Op.EUCLID_MOD)  # fmt: skip
# These have no native meaning, or only an approximate one.
OTHER = {Op.VARIABLE, Op.CONSTANT, Op.FP_TO_REAL, Op.REAL_TO_FP, Op.INT_TO_REAL, Op.REAL_TO_INT, Op.DIVIDE,
         Op.SELECT, Op.STORE, Op.FILLED} | {op for op in Op if op.name.startswith("STR_")}  # fmt: skip


def names_of(sort: Sort) -> list[Term]:
    """The variables of a sort."""
    return [variable(f"{letter}_{sort.name}{sort.width or ''}", sort) for letter in "abc"]


VARIABLES = [v for s in SORTS for v in names_of(s)]


def result_of(signature: Signature) -> Sort:
    op, parameters, data = signature
    return sort_of(op, tuple(variable("_", s) for s in parameters), data)


@cache
def _making() -> dict[Sort, list[Signature]]:
    found: dict[Sort, list[Signature]] = {s: [] for s in SORTS}
    for signature in signatures():
        found.setdefault(result_of(signature), []).append(signature)
    return found


@cache
def special(sort: Sort) -> list[Any]:
    """Values of a sort at which something happens."""
    if sort.is_float:
        nan, sign = bits_of_float(sort, math.nan), 1 << (sort.width - 1)
        return [narrow(sort, x) for x in _SPECIAL] + [float_of_bits(sort, n) for n in (nan | sign, nan | sign | 5)]
    if sort.is_bits:
        w = sort.width
        return sorted(
            {n & ((1 << w) - 1) for n in (0, 1, 2, 3, w - 1, w, w + 1, -1, -2, 1 << (w - 1), (1 << (w - 1)) - 1)}
        )
    return [False, True] if sort == BOOL else _INTEGERS if sort == INT else list(Rounding)


def values(sort: Sort) -> st.SearchStrategy[Any]:
    """Any value of a sort, special ones often; of Int small ones."""
    often = st.sampled_from(special(sort))
    if sort.is_float:
        return st.one_of(often, st.floats(width=sort.width), st.floats(-100, 100, width=sort.width))  # type: ignore[arg-type]
    if sort.is_bits:
        return st.one_of(often, st.integers(0, (1 << sort.width) - 1))
    return st.one_of(often, st.integers(-1000, 1000)) if sort == INT else often


def models() -> st.SearchStrategy[dict[str, Any]]:
    """Values for all :data:`VARIABLES`."""
    return st.fixed_dictionaries({v.data: values(v.sort) for v in VARIABLES})


def some_models(count: int, seed: int = 0) -> list[dict[str, Any]]:
    """Models of special values, the same in every run."""
    rng = random.Random(seed)
    return [{v.data: rng.choice(special(v.sort)) for v in VARIABLES} for _ in range(count)]


@st.composite
def terms(draw: Any, sort: Sort, depth: int = 3) -> Term:
    """A term of a sort."""
    if sort == ROUNDING:
        return constant(ROUNDING, draw(st.sampled_from([Rounding.RNE] * 5 + list(Rounding))))
    choice = draw(st.integers(0, 5))
    if depth == 0 or choice == 0 or not _making()[sort]:
        if choice % 2:
            return constant(sort, draw(values(sort)))
        return draw(st.sampled_from(names_of(sort)))
    options = _making()[sort]
    op = draw(st.sampled_from(sorted({o.name for o, _, _ in options})))  # by name first: else MATH is most of them
    _, parameters, data = draw(st.sampled_from([s for s in options if s[0].name == op]))
    return make(Op[op], *(draw(terms(p, depth - 1)) for p in parameters), data=data)
