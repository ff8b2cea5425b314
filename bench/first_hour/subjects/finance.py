"""Cash flows, bonds, loans and options."""

import datetime
import math
from collections.abc import Sequence
from enum import Enum


class DayCount(Enum):
    ACT_360 = "act/360"
    ACT_365 = "act/365"
    THIRTY_360 = "30/360"


def npv(rate: float, cashflows: Sequence[float]) -> float:
    return sum(cash / (1.0 + rate) ** i for i, cash in enumerate(cashflows))


def irr(cashflows: list[float], tolerance: float = 1e-9) -> float:
    """Internal rate of return, by bisection between -99 % and 1000 %.

    Raises:
        ValueError: the flows have no change of sign, or the rate is outside.
    """
    if not any(cash > 0 for cash in cashflows) or not any(cash < 0 for cash in cashflows):
        raise ValueError("cash flows must have both signs")
    low, high = -0.99, 10.0
    at_low = npv(low, cashflows)
    if at_low * npv(high, cashflows) > 0:
        raise ValueError("no rate in the range")
    for _ in range(200):
        middle = (low + high) / 2
        at_middle = npv(middle, cashflows)
        if at_low * at_middle <= 0:
            high = middle
        else:
            low, at_low = middle, at_middle
        if high - low < tolerance:
            break
    return (low + high) / 2


def bond_price(face: float, coupon_rate: float, yield_rate: float, years: int, frequency: int = 2) -> float:
    """Price of a bond on a coupon date.

    Args:
        face: what is repaid, positive.
        coupon_rate: per year, 0.05 for 5 %.
        yield_rate: per year, above -frequency.
        years: to maturity, at least 0.
        frequency: coupons per year: 1, 2, 4 or 12.
    """
    if face <= 0:
        raise ValueError("face must be positive")
    if years < 0 or years > 100:
        raise ValueError("years must be in 0..100")
    if frequency not in (1, 2, 4, 12):
        raise ValueError("frequency must be 1, 2, 4 or 12")
    periods = years * frequency
    coupon = face * coupon_rate / frequency
    rate = yield_rate / frequency
    if rate <= -1:
        raise ValueError("yield too low")
    if rate == 0:
        return face + coupon * periods
    discount = (1 + rate) ** -periods
    return coupon * (1 - discount) / rate + face * discount


def year_fraction(start: datetime.date, end: datetime.date, convention: DayCount) -> float:
    """Part of a year between two dates, negative where `end` is before `start`."""
    if end < start:
        return -year_fraction(end, start, convention)
    if convention is DayCount.ACT_360:
        return (end - start).days / 360
    if convention is DayCount.ACT_365:
        return (end - start).days / 365
    first, last = start.day, end.day
    if first == 31:
        first = 30
    if last == 31 and first == 30:
        last = 30
    return ((end.year - start.year) * 360 + (end.month - start.month) * 30 + (last - first)) / 360


def amortisation(principal: float, annual_rate: float, months: int, extra: float = 0.0) -> list[tuple[float, float]]:
    """Interest and repayment of each month, until nothing is owed.

    Raises:
        ValueError: an argument is negative, or there is no month.
    """
    if principal < 0 or annual_rate < 0 or extra < 0:
        raise ValueError("amounts and rate must not be negative")
    if not 1 <= months <= 600:
        raise ValueError("months must be in 1..600")
    rate = annual_rate / 12
    if rate > 0:
        payment = principal * rate / (1 - (1 + rate) ** -months)
    else:
        payment = principal / months
    rows = []
    balance = principal
    while balance > 0.005 and len(rows) < months:
        interest = balance * rate
        repaid = min(payment + extra - interest, balance)
        balance -= repaid
        rows.append((interest, repaid))
    return rows


def black_scholes(
    spot: float, strike: float, years: float, rate: float, volatility: float, kind: str = "call"
) -> float:
    """Price of a European option; `kind` is "call" or "put"."""
    if kind not in ("call", "put"):
        raise ValueError(f"unknown kind: {kind}")
    if spot <= 0 or strike <= 0:
        raise ValueError("prices must be positive")
    if years < 0 or volatility < 0:
        raise ValueError("time and volatility must not be negative")
    discounted = strike * math.exp(-rate * years)
    spread = volatility * math.sqrt(years)
    if spread == 0:
        call = max(spot - discounted, 0.0)
    else:
        d1 = (math.log(spot / discounted) + spread * spread / 2) / spread
        call = spot * normal_cdf(d1) - discounted * normal_cdf(d1 - spread)
    if kind == "put":
        return call - spot + discounted
    return call


def normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))
