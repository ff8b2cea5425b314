"""IEEE 754 arithmetic in every rounding mode: the reference for all other implementations of float operations.

To nearest even, basic operations on the machine's floats use its own arithmetic. All other results are computed
exactly, with fractions, and rounded once. Operands and results are Python floats that the ``sort`` has
(:func:`.sorts.has_values`).
"""

from __future__ import annotations

import math
from fractions import Fraction

from .nodes import Rounding, bits_of_float, float_of_bits
from .sorts import FLOAT32, FLOAT64, MACHINE_FLOATS, Sort

RNE, RNA, RTP, RTN, RTZ = Rounding


def narrow(sort: Sort, value: float) -> float:
    """Return a double rounded to nearest even in the sort."""
    if sort == FLOAT64 or not math.isfinite(value):
        return value
    if sort == FLOAT32:
        return float_of_bits(sort, bits_of_float(sort, value))
    return round_float(sort, Fraction(value), RNE, math.copysign(1, value) < 0)


def _on_machine(sort: Sort, mode: Rounding, *operands: float) -> bool:
    """Whether the machine computes with these operands as the sort and the mode want it, but for a last rounding.

    For a sort that the machine does not have, it would round twice.
    """
    return (mode is RNE and sort in MACHINE_FLOATS) or not all(map(math.isfinite, operands))


def round_integer(value: Fraction, mode: Rounding) -> int:
    """Return an exact number rounded to an integer."""
    low = math.floor(value)
    rest = value - low
    if rest == 0 or mode is RTN:
        return low
    if mode is RTP:
        return low + 1
    if mode is RTZ:
        return low + (value < 0)
    if rest == Fraction(1, 2):
        return low + (low % 2 if mode is RNE else value > 0)
    return low + (rest > Fraction(1, 2))


def round_float(sort: Sort, value: Fraction, mode: Rounding, negative_zero: bool = False) -> float:
    """Return an exact number rounded to a float sort.

    Args:
        sort: the float sort.
        value: the exact number.
        mode: the rounding mode.
        negative_zero: whether the result is -0.0 if ``value`` is exactly 0. A nonzero number that rounds to zero keeps
            its own sign.
    """
    if value == 0:
        return -0.0 if negative_zero else 0.0
    exponent_bits, precision = sort.sizes
    top = (1 << (exponent_bits - 1)) - 1
    exponent = max(_exponent(abs(value)), 1 - top)
    unit = Fraction(2) ** (exponent - precision + 1)
    steps = round_integer(value / unit, mode)
    result = steps * unit
    if abs(result) >= Fraction(2) ** (top + 1):
        return _overflow(sort, value > 0, mode)
    return math.copysign(float(result), 1.0 if value > 0 else -1.0)


def _exponent(size: Fraction) -> int:
    """Return the exponent of the greatest power of two that is at most a positive number."""
    guess = size.numerator.bit_length() - size.denominator.bit_length()
    return guess if Fraction(2) ** guess <= size else guess - 1


def _overflow(sort: Sort, positive: bool, mode: Rounding) -> float:
    """Return the result for a number beyond all finite floats: an infinity, or the largest float in some modes."""
    precision, top = sort.sizes[1], (1 << (sort.sizes[0] - 1)) - 1
    largest = float((2 - Fraction(2) ** (1 - precision)) * Fraction(2) ** top)
    stays = mode is RTZ or mode is (RTN if positive else RTP)
    size = largest if stays else math.inf
    return size if positive else -size


def add(sort: Sort, mode: Rounding, a: float, b: float) -> float:
    """Return ``a + b``, rounded once."""
    if _on_machine(sort, mode, a, b):
        return narrow(sort, a + b)
    if a == 0 == b:
        both_negative = math.copysign(1, a) < 0 and math.copysign(1, b) < 0
        same = math.copysign(1, a) == math.copysign(1, b)
        return -0.0 if both_negative or (not same and mode is RTN) else 0.0
    return round_float(sort, Fraction(a) + Fraction(b), mode, mode is RTN)


def subtract(sort: Sort, mode: Rounding, a: float, b: float) -> float:
    """Return ``a - b``, rounded once."""
    return add(sort, mode, a, -b)


def multiply(sort: Sort, mode: Rounding, a: float, b: float) -> float:
    """Return ``a * b``, rounded once."""
    if _on_machine(sort, mode, a, b):
        return narrow(sort, a * b)
    return round_float(sort, Fraction(a) * Fraction(b), mode, math.copysign(1, a) != math.copysign(1, b))


def divide(sort: Sort, mode: Rounding, a: float, b: float) -> float:
    """Return ``a / b``, rounded once: NaN or an infinity if b is 0."""
    negative = math.copysign(1, a) != math.copysign(1, b)
    if b == 0:
        if a == 0 or a != a:
            return math.nan
        return -math.inf if negative else math.inf
    if _on_machine(sort, mode, a, b):
        return narrow(sort, a / b)
    return round_float(sort, Fraction(a) / Fraction(b), mode, negative)


def fused(sort: Sort, mode: Rounding, a: float, b: float, c: float) -> float:
    """Return ``a * b + c``, rounded once."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact:
        return round_float(sort, exact, mode)
    product_negative = math.copysign(1, a) != math.copysign(1, b)
    if Fraction(c) == 0 and product_negative == (math.copysign(1, c) < 0):
        return -0.0 if product_negative else 0.0
    return -0.0 if mode is RTN else 0.0


def square_root(sort: Sort, mode: Rounding, a: float) -> float:
    """Return the square root, rounded once; NaN for negative numbers."""
    if not a > 0 or a == math.inf:
        return a if a == 0 or a > 0 else math.nan
    if _on_machine(sort, mode, a):
        return narrow(sort, math.sqrt(a))
    exact = Fraction(a)
    shift = 2 * (sort.sizes[1] + 40)
    scaled = exact * Fraction(4) ** (shift - _exponent(exact) // 2)
    root = math.isqrt(math.floor(scaled))
    below = Fraction(root) / Fraction(2) ** (shift - _exponent(exact) // 2)
    if root * root != scaled:  # all points between the two neighbours round to the same float: take one of them
        below += Fraction(1, 2) / Fraction(2) ** (shift - _exponent(exact) // 2)
    return round_float(sort, below, mode)


def round_integral(sort: Sort, mode: Rounding, a: float) -> float:
    """Return a float rounded to an integral value. NaN, infinities and zeros stay as they are.

    In a sort with a small exponent, the integer may be beyond all floats. Then it is rounded in the same mode.
    """
    if not math.isfinite(a) or a == 0:
        return a
    return round_float(sort, Fraction(round_integer(Fraction(a), mode)), mode, a < 0)


def remainder(sort: Sort, a: float, b: float) -> float:
    """Return IEEE's remainder: ``a - n * b`` with the integer n nearest to ``a / b``."""
    if a != a or b != b or math.isinf(a) or b == 0:
        return math.nan
    return math.remainder(a, b)


def floor_divide(sort: Sort, a: float, b: float) -> float:
    """Return ``a // b`` as CPython computes it. It is not always the floor of the exact quotient; NaN if b is 0."""
    if b == 0 or not math.isfinite(a) or b != b:
        return math.nan
    rest = math.fmod(a, b)
    quotient = narrow(sort, narrow(sort, a - rest) / b)
    if rest and (b < 0) != (rest < 0):
        quotient = narrow(sort, quotient - 1.0)
    if quotient == 0:
        return math.copysign(0.0, a / b)
    if math.isinf(quotient):
        return quotient
    below = math.floor(quotient)
    return float(below + (quotient - below > 0.5))


def convert(sort: Sort, mode: Rounding, a: float) -> float:
    """Return a float of another sort rounded to this sort."""
    if mode is RNE or not math.isfinite(a):
        return narrow(sort, a)
    return round_float(sort, Fraction(a), mode, math.copysign(1, a) < 0)


def from_number(sort: Sort, mode: Rounding, value: int | Fraction) -> float:
    """Return an exact number rounded to a float sort; 0.0 for 0."""
    return round_float(sort, Fraction(value), mode)


def to_integer(mode: Rounding, a: float) -> int | None:
    """Return a float rounded to an integer; None for NaN and infinities."""
    return round_integer(Fraction(a), mode) if math.isfinite(a) else None
