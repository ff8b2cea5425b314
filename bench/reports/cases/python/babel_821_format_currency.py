"""https://github.com/python-babel/babel/issues/821

A large amount has more digits than the default decimal context allows, and
rounding it to cents fails:
reported(decimal.Decimal("9347242149381274732472348728748723473278472843.12"), 2, "EUR").
"""

import decimal


def reported(amount: decimal.Decimal, places: int, symbol: str) -> str:
    if not amount.is_finite():
        raise ValueError("no amount")
    if places < 0 or places > 6:
        raise ValueError("no such number of places")
    unit = decimal.Decimal((0, (1,), -places))
    rounded = amount.copy_abs().quantize(unit)  # fault: decimal.InvalidOperation
    sign = "-" if amount.is_signed() and not rounded.is_zero() else ""
    if symbol == "":
        return f"{sign}{rounded:,f}"
    return f"{sign}{symbol} {rounded:,f}"


def mended(amount: decimal.Decimal, places: int, symbol: str) -> str:
    if not amount.is_finite():
        raise ValueError("no amount")
    if places < 0 or places > 6:
        raise ValueError("no such number of places")
    unit = decimal.Decimal((0, (1,), -places))
    size = decimal.Decimal(0) if amount.is_zero() else amount.copy_abs()
    if size.adjusted() > 60:
        raise ValueError("no bank has so much")
    wide = decimal.Context(prec=80, rounding=decimal.ROUND_HALF_EVEN)
    rounded = size.quantize(unit, context=wide)
    sign = "-" if amount.is_signed() and not rounded.is_zero() else ""
    if symbol == "":
        return f"{sign}{rounded:,f}"
    return f"{sign}{symbol} {rounded:,f}"
