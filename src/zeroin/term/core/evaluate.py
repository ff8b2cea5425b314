"""The evaluation of terms in Python: the reference meaning of every operation.

Values are bool, int (unsigned for a bit vector), float (also for the single-precision sort), Fraction, str, Rounding
and :class:`Map`.
"""

from __future__ import annotations

import ctypes
import math
import operator
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from ...errors import ZeroinError
from . import rounding
from .nodes import Op, Opaque, Rounding, Term, bits_of_float, computed_nan, float_of_bits, own_bits
from .sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, ROUNDING, STRING, Sort


class NoValue(ZeroinError):
    """A term can not be evaluated: a variable has no value, a power is too large, or an opaque function failed."""


@dataclass(frozen=True)
class Map:
    """The value of an array. Compare two of them with :func:`same`, as their items may have another order.

    Attributes:
        default: the element at all indices that are not in ``items``.
        items: pairs of an index and its element.
    """

    default: object
    items: tuple[tuple[object, object], ...] = ()

    def at(self, index: object) -> object:
        """Return the element at an index."""
        return next((value for key, value in self.items if same(key, index)), self.default)

    def with_item(self, index: object, value: object) -> Map:
        """Return a copy with another element at an index."""
        rest = tuple(item for item in self.items if not same(item[0], index))
        return Map(self.default, rest if same(value, self.default) else (*rest, (index, value)))


def same(a: object, b: Any) -> bool:
    """Return whether two values are identical: NaN equals NaN, -0.0 is not 0.0."""
    if isinstance(a, float):
        return bits_of_float(FLOAT64, a) == bits_of_float(FLOAT64, b)
    if isinstance(a, Map):
        keys = [key for key, _ in (*a.items, *b.items)]
        return same(a.default, b.default) and all(same(a.at(key), b.at(key)) for key in keys)
    return bool(a == b)


def default(sort: Sort) -> object:
    """Return a value of a sort, for a variable whose value does not matter: 0, False, "", or an array of these."""
    if sort.is_float:
        return 0.0
    if sort.is_array:
        return Map(default(sort.parts[1]))
    values = {BOOL: False, INT: 0, REAL: Fraction(0), STRING: "", ROUNDING: Rounding.RNE}
    return values.get(sort, 0)


def evaluate(term: Term, model: Mapping[str, object], memo: dict[Term, object] | None = None) -> Any:
    """Return the value of a term.

    Args:
        term: any term.
        model: the values of the variables by name.
        memo: values of terms that are known already, for the same ``model``; the new ones are added.

    Raises:
        NoValue: a variable has no value, a power is too large, or an opaque function failed.
    """
    known = {} if memo is None else memo
    stack = [term]  # the loop of fold(), written out here because fold() takes twice as long
    while stack:
        part = stack[-1]
        waiting = [a for a in part.args if a not in known]
        if waiting:
            stack += waiting
        else:
            stack.pop()
            if part not in known:
                known[part] = _value(part, [known[a] for a in part.args], model)
    return known[term]


def first_false(order: Iterable[Term], conditions: Collection[Term], model: Mapping[str, object],
                values: dict[Term, object]) -> Term | None:  # fmt: skip
    """Return the first condition that does not hold; None if all hold.

    Args:
        order: the conditions and all terms below them; arguments come before the terms that use them.
        conditions: terms of sort Bool.
        model: the values of the variables by name.
        values: receives the value of each term up to the returned condition.

    Raises:
        NoValue: a variable has no value, a power is too large, or an opaque function failed.
    """
    for term in order:
        values[term] = value = _value(term, [values[a] for a in term.args], model)
        if value is not True and term in conditions:
            return term
    return None


def _value(term: Term, args: list[object], model: Mapping[str, object]) -> object:
    """Return the value of a term, given those of its arguments.

    Raises:
        NoValue: see :func:`evaluate`.
    """
    if term.op is Op.CONSTANT:
        return term.value
    if term.op is Op.VARIABLE:
        if term.data not in model:
            raise NoValue(f"the variable {term.data} has no value")
        return model[term.data]
    return MEANING[term.op](term, *args)


# ---- floats ----


def _pattern(t: Term, value: float) -> int:
    """Return the bits of a float. A NaN has its own bits in a variable, and those of a computed NaN otherwise."""
    (a,) = t.args
    return own_bits(a.sort, value) if value == value or a.op is Op.VARIABLE else computed_nan(a.sort)


def _is_normal(t: Term, a: float) -> bool:
    return math.isfinite(a) and abs(a) >= 2.0 ** (2 - (1 << (t.args[0].sort.sizes[0] - 1)))


def _minimum(t: Term, a: float, b: float) -> float:
    return b if a != a or b < a else a


def _maximum(t: Term, a: float, b: float) -> float:
    return b if a != a or b > a else a


def machine_cast(t: Term) -> tuple[int, int, int]:
    """Return how C on x86-64 (without AVX-512) casts a float to an integer: through an integer of 32 or of 64 bits.

    Args:
        t: the cast, ``FP_TO_SIGNED`` or ``FP_TO_UNSIGNED``.

    Returns:
        The width of that integer in bits; its least value, which is the result for all floats that do not fit; and
        the first value above its range. For a cast to 64 unsigned bits, the range ends at 2**64.
    """
    width, is_signed = t.sort.width, t.op is Op.FP_TO_SIGNED
    wide = 32 if width < 32 + is_signed else max(64, width)
    return wide, -(1 << (wide - 1)), 1 << (wide if wide == width and not is_signed else wide - 1)


def _to_integer(t: Term, mode: Rounding, a: float) -> int:
    """Return a float cast to an unsigned or signed integer, as a bit vector; see :func:`machine_cast`."""
    value, (_, low, high) = rounding.to_integer(mode, a), machine_cast(t)
    return (value if value is not None and low <= value < high else low) & _mask(t)


# ---- bit vectors ----


def _mask(term: Term) -> int:
    """Return the bit vector of the term's sort with all bits set."""
    return (1 << term.sort.width) - 1


def signed(value: int, width: int) -> int:
    """Return the value of an unsigned bit vector when it is read as signed. The width is in bits."""
    return value - (1 << width) if value >> (width - 1) else value


def _s(term: Term, n: int, value: int) -> int:
    """Return the value of argument ``n``, a bit vector, when it is read as signed."""
    return signed(value, term.args[n].sort.width)


def _wrapping(operation: Callable[..., int]) -> Callable[..., int]:
    """Return the meaning of an operation whose result is taken modulo ``2**width``."""
    return lambda t, *args: operation(*args) & _mask(t)


def _sdiv(t: Term, a: int, b: int) -> int:
    x, y = _s(t, 0, a), _s(t, 1, b)
    if y == 0:
        return (1 if x < 0 else -1) & _mask(t)
    return _truncated(x, y) & _mask(t)


def _srem(t: Term, a: int, b: int) -> int:
    x, y = _s(t, 0, a), _s(t, 1, b)
    return a if y == 0 else (x - y * _truncated(x, y)) & _mask(t)


def _smod(t: Term, a: int, b: int) -> int:
    y = _s(t, 1, b)
    return a if y == 0 else (_s(t, 0, a) % y) & _mask(t)


def _truncated(x: int, y: int) -> int:
    """Return the quotient, rounded towards zero."""
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _ashr(t: Term, a: int, b: int) -> int:
    return (_s(t, 0, a) >> min(b, t.sort.width)) & _mask(t)


# ---- integers ----

_LARGEST = 1 << 20  # the most bits of a power


def _euclid(a: int, b: int) -> tuple[int, int]:
    """Return the quotient and the remainder as in SMT-LIB; 0 and the dividend for a division by zero."""
    if b == 0:
        return 0, a
    rest = a % abs(b)
    return (a - rest) // b, rest


def _power(t: Term, a: int, b: int) -> int:
    """Return the power of two Ints; 0 for a negative exponent.

    Raises:
        NoValue: the result has too many bits.
    """
    if abs(a) > 1 and b > 0 and a.bit_length() * b > _LARGEST:
        raise NoValue(f"a power is too large: of about {a.bit_length() * b} bits")
    return 0 if b < 0 else a**b


def _quotient(t: Term, a: int, b: int) -> float:
    """Return the quotient of two Ints as a float, rounded once; NaN for a division by zero."""
    if b == 0:
        return math.nan
    return rounding.round_float(t.sort, Fraction(a, b), Rounding.RNE, negative_zero=b < 0)


# ---- functions ----


@cache
def libm(name: str, count: int, single: bool) -> Any:
    """Return a function of C's math library as a ctypes function: the same one that native code calls.

    Args:
        name: the name of the variant for double.
        count: the number of arguments.
        single: whether to return the variant for float.

    Returns:
        The function. The same object is returned for equal arguments.
    """
    function = getattr(ctypes.CDLL("libm.so.6" if _glibc() else None), name + ("f" if single else ""))
    kind = ctypes.c_float if single else ctypes.c_double
    function.restype, function.argtypes = kind, [kind] * count
    return function


@cache
def _glibc() -> bool:
    try:
        ctypes.CDLL("libm.so.6")
    except OSError:
        return False
    return True


def _math(t: Term, *args: float) -> float:
    return float(libm(t.data, len(args), t.sort == FLOAT32)(*args))


def _c_type(sort: Sort) -> Any:
    """Return the ctypes type of a sort. An Int has 64 bits."""
    if sort.is_float:
        return ctypes.c_float if sort == FLOAT32 else ctypes.c_double
    if not sort.is_bits:
        return ctypes.c_bool if sort == BOOL else ctypes.c_int64
    wide = (ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32, ctypes.c_uint64)
    return next(kind for kind in wide if ctypes.sizeof(kind) * 8 >= sort.width)


def _called(t: Term, *args: Any) -> object:
    """Return the result of a call of an opaque function.

    Raises:
        NoValue: the function raised an exception, has no code, or is native and an Int needs more than 64 bits.
    """
    opaque: Opaque = t.data
    if opaque.address is not None:
        if any(s == INT and not -(1 << 63) <= a < 1 << 63 for s, a in zip(opaque.parameters, args, strict=True)):
            raise NoValue(f"{opaque.name} takes integers of 64 bits")
        found = ctypes.CFUNCTYPE(_c_type(t.sort), *map(_c_type, opaque.parameters))(opaque.address)(*args)
        return found & _mask(t) if t.sort.is_bits else found
    if opaque.function is None:
        raise NoValue(f"{opaque.name} has neither an address nor a Python function")
    try:
        return _of_sort(t.sort, opaque.function(*args))
    except Exception as error:
        raise NoValue(f"{opaque.name} raised {type(error).__name__}: {error}") from error


def _of_sort(sort: Sort, value: Any) -> object:
    """Return the result of a callable as a value of the sort."""
    if sort.is_float:
        return rounding.narrow(sort, float(value))
    if sort.is_bits:
        return operator.index(value) & ((1 << sort.width) - 1)
    if sort == INT:
        return operator.index(value)
    return bool(value) if sort == BOOL else value


MEANING: dict[Op, Callable[..., Any]] = {
    Op.NOT: lambda t, a: not a,
    Op.AND: lambda t, *args: all(args),
    Op.OR: lambda t, *args: any(args),
    Op.ITE: lambda t, c, a, b: a if c else b,
    Op.EQUAL: lambda t, a, b: same(a, b),
    Op.OPEN: lambda t, a: a,
    Op.FP_EQ: lambda t, a, b: a == b,
    Op.FP_LT: lambda t, a, b: a < b,
    Op.FP_LE: lambda t, a, b: a <= b,
    Op.FP_IS_NAN: lambda t, a: a != a,
    Op.FP_IS_INF: lambda t, a: math.isinf(a),
    Op.FP_IS_ZERO: lambda t, a: a == 0,
    Op.FP_IS_NORMAL: _is_normal,
    Op.FP_IS_SUBNORMAL: lambda t, a: a != 0 and math.isfinite(a) and not _is_normal(t, a),
    Op.FP_IS_NEGATIVE: lambda t, a: a == a and math.copysign(1, a) < 0,
    Op.FP_IS_POSITIVE: lambda t, a: a == a and math.copysign(1, a) > 0,
    Op.FP_ADD: lambda t, m, a, b: rounding.add(t.sort, m, a, b),
    Op.FP_SUB: lambda t, m, a, b: rounding.subtract(t.sort, m, a, b),
    Op.FP_MUL: lambda t, m, a, b: rounding.multiply(t.sort, m, a, b),
    Op.FP_DIV: lambda t, m, a, b: rounding.divide(t.sort, m, a, b),
    Op.FP_FMA: lambda t, m, a, b, c: rounding.fused(t.sort, m, a, b, c),
    Op.FP_SQRT: lambda t, m, a: rounding.square_root(t.sort, m, a),
    Op.FP_ROUND: lambda t, m, a: rounding.round_integral(t.sort, m, a),
    Op.FP_REM: lambda t, a, b: rounding.remainder(t.sort, a, b),
    Op.FP_MIN: _minimum,
    Op.FP_MAX: _maximum,
    Op.FP_ABS: lambda t, a: abs(a),
    Op.FP_NEG: lambda t, a: -a,
    Op.FP_TO_FP: lambda t, m, a: rounding.convert(t.sort, m, a),
    Op.SIGNED_TO_FP: lambda t, m, a: rounding.from_number(t.sort, m, _s(t, 1, a)),
    Op.UNSIGNED_TO_FP: lambda t, m, a: rounding.from_number(t.sort, m, a),
    Op.INT_TO_FP: lambda t, m, a: rounding.from_number(t.sort, m, a),
    Op.REAL_TO_FP: lambda t, m, a: rounding.from_number(t.sort, m, a),
    Op.FP_TO_SIGNED: _to_integer,
    Op.FP_TO_UNSIGNED: _to_integer,
    Op.FP_FROM_BITS: lambda t, a: float_of_bits(t.sort, a),
    Op.FP_TO_BITS: _pattern,
    Op.FP_TO_REAL: lambda t, a: Fraction(a) if math.isfinite(a) else Fraction(0),
    Op.FP_TO_INT: lambda t, a: int(a) if math.isfinite(a) else 0,
    Op.INT_TO_REAL: lambda t, a: Fraction(a),
    Op.REAL_TO_INT: lambda t, a: math.floor(a),
    Op.BITS_TO_INT: lambda t, a: a,
    Op.SIGNED_TO_INT: lambda t, a: _s(t, 0, a),
    Op.INT_TO_BITS: lambda t, a: a & _mask(t),
    Op.BV_NOT: _wrapping(lambda a: ~a),
    Op.BV_NEG: _wrapping(lambda a: -a),
    Op.BV_AND: lambda t, a, b: a & b,
    Op.BV_OR: lambda t, a, b: a | b,
    Op.BV_XOR: lambda t, a, b: a ^ b,
    Op.BV_ADD: _wrapping(lambda a, b: a + b),
    Op.BV_SUB: _wrapping(lambda a, b: a - b),
    Op.BV_MUL: _wrapping(lambda a, b: a * b),
    Op.BV_UDIV: lambda t, a, b: a // b if b else _mask(t),
    Op.BV_UREM: lambda t, a, b: a % b if b else a,
    Op.BV_SDIV: _sdiv,
    Op.BV_SREM: _srem,
    Op.BV_SMOD: _smod,
    Op.BV_SHL: lambda t, a, b: (a << b) & _mask(t) if b < t.sort.width else 0,
    Op.BV_LSHR: lambda t, a, b: a >> b if b < t.sort.width else 0,
    Op.BV_ASHR: _ashr,
    Op.BV_CONCAT: lambda t, a, b: a << t.args[1].sort.width | b,
    Op.BV_EXTRACT: lambda t, a: a >> t.data[1] & _mask(t),
    Op.BV_ZERO_EXTEND: lambda t, a: a,
    Op.BV_SIGN_EXTEND: lambda t, a: _s(t, 0, a) & _mask(t),
    Op.BV_ULT: lambda t, a, b: a < b,
    Op.BV_ULE: lambda t, a, b: a <= b,
    Op.BV_SLT: lambda t, a, b: _s(t, 0, a) < _s(t, 1, b),
    Op.BV_SLE: lambda t, a, b: _s(t, 0, a) <= _s(t, 1, b),
    Op.ADD: lambda t, a, b: a + b,
    Op.SUB: lambda t, a, b: a - b,
    Op.MUL: lambda t, a, b: a * b,
    Op.NEG: lambda t, a: -a,
    Op.ABS: lambda t, a: abs(a),
    Op.DIVIDE: lambda t, a, b: Fraction(a) / b if b else Fraction(0),
    Op.FLOOR_DIV: lambda t, a, b: a // b if b else 0,
    Op.FLOOR_MOD: lambda t, a, b: a % b if b else a,
    Op.TRUNC_DIV: lambda t, a, b: _truncated(a, b) if b else 0,
    Op.TRUNC_MOD: lambda t, a, b: a - b * _truncated(a, b) if b else a,
    Op.EUCLID_DIV: lambda t, a, b: _euclid(a, b)[0],
    Op.EUCLID_MOD: lambda t, a, b: _euclid(a, b)[1],
    Op.POWER: _power,
    Op.LT: lambda t, a, b: a < b,
    Op.LE: lambda t, a, b: a <= b,
    Op.EXACT_EQ: lambda t, a, b: a == b,
    Op.EXACT_LT: lambda t, a, b: a < b,
    Op.EXACT_LE: lambda t, a, b: a <= b,
    Op.FP_FLOOR_DIV: lambda t, a, b: rounding.floor_divide(t.sort, a, b),
    Op.QUOTIENT: _quotient,
    Op.MATH: _math,
    Op.CALL: _called,
    Op.SELECT: lambda t, a, i: a.at(i),
    Op.STORE: lambda t, a, i, v: a.with_item(i, v),
    Op.FILLED: lambda t, a: Map(a),
    Op.STR_CONCAT: lambda t, a, b: a + b,
    Op.STR_LENGTH: lambda t, a: len(a),
    Op.STR_AT: lambda t, a, i: a[i : i + 1] if i >= 0 else "",
    Op.STR_PREFIX: lambda t, a, b: b.startswith(a),
    Op.STR_SUFFIX: lambda t, a, b: b.endswith(a),
    Op.STR_CONTAINS: lambda t, a, b: b in a,
    Op.STR_LT: lambda t, a, b: a < b,
}
