"""https://github.com/yassinemaaroufi/MibianLib/issues/11

The price of an option divides by its volatility until the last day, which is zero on that day: days=0.
"""

import math


def normal(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def verify(price: float, strike: float, rate: float, days: int, volatility: float) -> None:
    if not (0.01 <= price <= 1e6 and 0.01 <= strike <= 1e6):
        raise ValueError("no such price")
    if not (-0.1 <= rate <= 1.0 and 0.001 <= volatility <= 5.0):
        raise ValueError("no such rate or volatility")
    if not 0 <= days <= 36500:
        raise ValueError("no such number of days")


def reported(price: float, strike: float, rate: float, days: int, volatility: float) -> float:
    verify(price, strike, rate, days, volatility)
    years = days / 365.0
    spread = volatility * math.sqrt(years)
    d1 = (math.log(price / strike) + (rate + volatility * volatility / 2.0) * years) / spread  # fault: ZeroDivisionError
    d2 = d1 - spread
    return price * normal(d1) - strike * math.exp(-rate * years) * normal(d2)


def mended(price: float, strike: float, rate: float, days: int, volatility: float) -> float:
    verify(price, strike, rate, days, volatility)
    if days == 0:
        return max(0.0, price - strike)
    years = days / 365.0
    spread = volatility * math.sqrt(years)
    d1 = (math.log(price / strike) + (rate + volatility * volatility / 2.0) * years) / spread
    d2 = d1 - spread
    return price * normal(d1) - strike * math.exp(-rate * years) * normal(d2)
