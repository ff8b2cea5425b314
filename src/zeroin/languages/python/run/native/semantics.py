"""Python's arithmetic for native code, where Numba's differs: errors of :mod:`math`, large integers, powers.

What can not be done (an integer beyond 64 bits, a complex power) ends the run as *unknown*: it counts as no input.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from .....distance import GT, LT
from .....native.kernel import caller, cells_at
from .....native.machine import load_libraries

_LIMIT, _EXACT = 2.0**62, 1 << 53
_int32: Any = np.int32


class Unknown(Exception):
    """The native run can not go on as CPython would."""


_given_up = np.zeros(1, dtype=np.int64)
_GIVEN_UP = int(_given_up.ctypes.data)


@register_jitable
def unknown() -> None:
    """End the run."""
    cells_at(_GIVEN_UP)[0] = 1
    raise Unknown


@register_jitable
def forget() -> Any:
    """Whether the last native run ended as unknown; from now on, none did."""
    before = cells_at(_GIVEN_UP)[0]
    cells_at(_GIVEN_UP)[0] = 0
    return before != 0


# ---- functions of the math module ----

# Functions of one float: whether an infinite result of a finite argument is an overflow, not out of the domain.
_OVERFLOWS = {
    **dict.fromkeys(("exp", "expm1", "cosh", "sinh"), True),
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "sin", "tan", "tanh", "sqrt", "log",
                     "log2", "log10", "log1p", "erf", "erfc"), False),
}  # fmt: skip


def as_float(x: Any) -> float:
    """``float(x)``, of a bool too."""
    raise TypeError("native only")


@overload(as_float, strict=False)
def _as_float(x: object) -> object:
    if isinstance(x, types.Boolean):
        return lambda x: float(np.int64(x))
    return (lambda x: float(x)) if isinstance(x, types.Integer | types.Float) else None


def _checked(function: Callable[[float], float], overflows: bool) -> Callable[..., object]:
    """``function`` with the errors that CPython raises (Modules/mathmodule.c, math_1)."""

    @register_jitable
    def run(x: Any) -> Any:
        value = as_float(x)
        result = function(value)
        if result != result and value == value:
            raise ValueError
        if abs(result) == np.inf and abs(value) != np.inf:
            if overflows:
                raise OverflowError
            raise ValueError
        return result

    return run


def _rounded(function: Callable[[float], float]) -> Callable[..., object]:
    def run(x: Any) -> Any:
        raise TypeError("native only")

    @overload(run, strict=False)
    def choose(x: object) -> object:
        if _integral(x):
            return lambda x: np.int64(x)

        def of_float(x: object) -> object:
            value = as_float(x)
            if value != value:
                raise ValueError
            if abs(value) == np.inf:
                raise OverflowError
            if abs(value) >= _LIMIT:
                unknown()
            return np.int64(function(value))

        return of_float if isinstance(x, types.Float) else None

    return run


@register_jitable
def _fmod(x: object, y: object) -> object:
    result = np.fmod(as_float(x), as_float(y))
    if result != result and as_float(x) == as_float(x) and as_float(y) == as_float(y):
        raise ValueError
    return result


@register_jitable
def _hypot(x: object, y: object) -> object:
    result = math.hypot(as_float(x), as_float(y))
    if abs(result) == np.inf and abs(as_float(x)) != np.inf and abs(as_float(y)) != np.inf:
        raise OverflowError
    return result


@register_jitable
def _ldexp(x: Any, n: Any) -> Any:
    exponent = min(max(np.int64(n), np.int64(-5000)), np.int64(5000))  # Numba's takes 32 bits
    result = math.ldexp(as_float(x), _int32(exponent))
    if abs(result) == np.inf and abs(as_float(x)) != np.inf:
        raise OverflowError
    return result


def _functions() -> dict[Any, tuple[Any, int]]:
    """What stands for a function, and how many arguments it must have."""
    found: dict[Any, Any] = {
        getattr(math, name): (_checked(getattr(math, name), flag), 1) for name, flag in _OVERFLOWS.items()
    }
    for known, function in ((math.floor, np.floor), (math.ceil, np.ceil), (math.trunc, np.trunc), (int, np.trunc),
                            (round, np.rint)):  # fmt: skip
        found[known] = (_rounded(function), 1)
    two = {math.fmod: _fmod, math.hypot: _hypot, math.ldexp: _ldexp, math.pow: _pow, pow: power}
    return found | {math.isqrt: (integer_root, 1)} | {known: (function, 2) for known, function in two.items()}


# ---- operators ----


def _with_overflow(name: str) -> Any:
    """Native: the operation on int64, and whether it went over."""

    @intrinsic
    def operation(typingctx: Any, a: Any, b: Any) -> Any:
        result = types.Tuple((types.int64, types.boolean))

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            wide = [
                context.cast(builder, arg, kind, types.int64) for arg, kind in zip(args, signature.args, strict=True)
            ]
            pair = getattr(builder, f"{name}_with_overflow")(*wide)
            over = builder.zext(builder.extract_value(pair, 1), ir.IntType(1))
            return context.make_tuple(builder, result, [builder.extract_value(pair, 0), over])

        return result(a, b), codegen

    return operation


_add, _subtract, _multiply = map(_with_overflow, ("sadd", "ssub", "smul"))


def _native_only(a: object, b: object) -> object:
    raise TypeError("native only")


def add(a: Any, b: Any) -> Any:
    """``a + b``."""
    return _native_only(a, b)


def subtract(a: Any, b: Any) -> Any:
    """``a - b``."""
    return _native_only(a, b)


def multiply(a: Any, b: Any) -> Any:
    """``a * b``."""
    return _native_only(a, b)


def shift(a: object, b: object) -> object:
    """``a << b``."""
    return _native_only(a, b)


def power(a: object, b: object) -> object:
    """``a ** b``."""
    return _native_only(a, b)


def divide(a: object, b: object) -> object:
    """``a / b``."""
    return _native_only(a, b)


def shift_right(a: object, b: object) -> object:
    """``a >> b``."""
    return _native_only(a, b)


def invert(a: Any) -> Any:
    """``~a``."""
    return _native_only(a, a)


def _integral(a: object) -> bool:
    return isinstance(a, types.Integer | types.Boolean)


def _real(a: object) -> bool:
    return isinstance(a, types.Float) or _integral(a)


def _integers(*values: object) -> bool:
    return all(map(_integral, values))


@register_jitable
def is_exact(a: Any) -> bool:
    """Whether a float equals this integer."""
    return -_EXACT <= a <= _EXACT or np.int64(np.float64(a)) == a


@register_jitable
def swapped(op: Any) -> Any:
    """The comparison of the operands the other way round."""
    return op & ~(LT | GT) | (GT if op & LT else 0) | (LT if op & GT else 0)


def exact(a: Any) -> None:
    """End the run if this is an integer that no float equals."""
    _native_only(a, a)


@overload(exact, strict=False)
def _exact(a: object) -> object:
    def run(a: Any) -> None:
        if not is_exact(a):
            unknown()

    return run if isinstance(a, types.Integer) else lambda a: None


def _overload_operator(function: Any, checked: Any, plain: Callable[[Any, Any], Any]) -> None:
    @overload(function, strict=False)
    def choose(a: Any, b: Any) -> Any:
        if not _integers(a, b):
            return plain

        def run(a: Any, b: Any) -> Any:
            result, over = checked(a, b)
            if over:
                unknown()
            return result

        return run


_overload_operator(add, _add, lambda a, b: a + b)
_overload_operator(subtract, _subtract, lambda a, b: a - b)
_overload_operator(multiply, _multiply, lambda a, b: a * b)


@overload(divide, strict=False)
def _divide(a: object, b: object) -> object:
    if not _integers(a, b):
        return lambda a, b: a / b

    def run(a: Any, b: Any) -> Any:
        exact(a)
        exact(b)
        return a / b

    return run


@overload(shift, strict=False)
def _shift(a: object, b: object) -> object:
    if not _integers(a, b):
        return None

    def run(a: Any, b: Any) -> Any:
        x, n = np.int64(a), np.int64(b)
        if n < 0:
            raise ValueError
        if x == 0:
            return x
        if n > 62 or abs(x) >> (62 - n) != 0:
            unknown()
        return x << n

    return run


@overload(shift_right, strict=False)
def _shift_right(a: object, b: object) -> object:
    if not _integers(a, b):
        return None

    def run(a: Any, b: Any) -> Any:
        if b < 0:
            raise ValueError
        return np.int64(a) >> min(np.int64(b), np.int64(63))

    return run


@overload(invert, strict=False)
def _invert(a: object) -> object:
    return (lambda a: -1 - np.int64(a)) if _integral(a) else None


@overload(power, strict=False)
def _power(a: object, b: object) -> object:
    if _integers(a, b):

        def whole(a: Any, b: Any) -> Any:
            if b < 0:
                unknown()  # a float
            result, base, left = np.int64(1), np.int64(a), np.int64(b)
            while left > 0:
                if left & 1:
                    result = multiply(result, base)
                left >>= 1
                if left > 0:
                    base = multiply(base, base)
            return result

        return whole
    if not (_real(a) and _real(b)):
        return None
    call, address = caller("float64(float64, float64)"), _address_of_pow()

    def real(a: object, b: object) -> object:
        x, y = as_float(a), as_float(b)
        result = call(
            address, (x, y)
        )  # by its address: LLVM would make x * x of pow(x, 2), which is not always the same
        if result != result and x == x and y == y:
            unknown()  # a complex number
        if abs(result) == np.inf and abs(x) != np.inf and abs(y) != np.inf:
            if x == 0.0:
                raise ZeroDivisionError
            raise OverflowError
        return result

    return real


def _address_of_pow() -> int:
    load_libraries()
    return ctypes.cast(ctypes.CDLL(None).pow, ctypes.c_void_p).value or 0


@register_jitable
def _pow(x: object, y: object) -> object:
    """``math.pow``: of floats, and never complex."""
    base, exponent = as_float(x), as_float(y)
    fraction = abs(exponent) != np.inf and exponent == exponent and exponent != np.floor(exponent)
    if base < 0.0 and abs(base) != np.inf and fraction:
        raise ValueError
    if base == 0.0 and exponent < 0.0 and exponent != -np.inf:
        raise ValueError
    return power(base, exponent)


def integer_root(n: object) -> object:
    """``math.isqrt``."""
    return _native_only(n, n)


@overload(integer_root, strict=False)
def _integer_root(n: object) -> object:
    if not _integers(n):
        return None

    def run(n: Any) -> Any:
        if n < 0:
            raise ValueError
        root = np.int64(math.sqrt(float(n)))  # off by one at most
        return root - 1 if root * root > n else root + np.int64((root + 1) * (root + 1) <= n)

    return run


FUNCTIONS = _functions()
