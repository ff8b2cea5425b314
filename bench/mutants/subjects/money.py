"""Salaries, rates, investments."""


def net_salary(gross: float, children: int = 0) -> float:
    """What is left of a year's salary."""
    if gross < 0 or children < 0:
        raise ValueError("must not be negative")
    allowance = 10000 + 4000 * min(children, 4)
    taxable = max(gross - allowance, 0.0)
    if taxable <= 30000:
        tax = 0.15 * taxable
    else:
        tax = 4500 + 0.35 * (taxable - 30000)
    insurance = 0.1 * min(gross, 60000)
    return gross - tax - insurance


def effective_rate(nominal: float, periods: int) -> float:
    """Rate per year with so many compoundings; none means continuous, by the first terms of the series."""
    if periods < 0:
        raise ValueError("periods must not be negative")
    if periods == 0:
        return nominal + nominal**2 / 2 + nominal**3 / 6
    return (1 + nominal / periods) ** periods - 1


def payback(cost: float, cashflows: list[float]) -> float:
    """Years until the cost has come back, with a part of a year; -1 for never."""
    if cost <= 0:
        return 0.0
    left = cost
    for year, cash in enumerate(cashflows):
        if cash >= left:
            return year + left / cash
        left -= cash
    return -1.0
