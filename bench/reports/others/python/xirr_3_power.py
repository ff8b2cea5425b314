"""https://github.com/peliot/XIRR-and-XNPV/issues/3

The search for a rate of return steps below -1, and the power of a negative number fails: flows=[(0, -9000.0),
(31, 305.38), (62, 305.38), (91, 305.38), (122, 305.38), (152, 305.38), (183, 305.38), (213, 305.38), (244, 133.04)].
"""

import math


def present_value(flows: list[tuple[int, float]], rate: float) -> float:
    return sum(amount / math.pow(1.0 + rate, days / 365.0) for days, amount in flows)  # fault: ValueError


def verify(flows: list[tuple[int, float]]) -> None:
    if len(flows) < 2 or flows[0][0] != 0:
        raise ValueError("at least two flows are needed, the first on day 0")
    for days, amount in flows:
        if not 0 <= days <= 10000:
            raise ValueError("no such day")
        if not abs(amount) <= 1e9:
            raise ValueError("no such amount")


def reported(flows: list[tuple[int, float]], guess: float) -> float:
    verify(flows)
    if not -0.9 <= guess <= 10.0:
        raise ValueError("no such guess")
    before, now = guess, guess * 1.0001 + 0.0001
    at_before, at_now = present_value(flows, before), present_value(flows, now)
    for _ in range(50):
        if at_now == at_before:
            break
        following = now - at_now * (now - before) / (at_now - at_before)
        if abs(following - now) < 1e-8:
            return following
        before, at_before = now, at_now
        now, at_now = following, present_value(flows, following)
    return now


def mended(flows: list[tuple[int, float]], guess: float) -> float:
    verify(flows)
    if not -0.9 <= guess <= 10.0:
        raise ValueError("no such guess")
    low, high = -0.99, 1000.0
    falls = present_value(flows, low) >= present_value(flows, high)
    for _ in range(100):
        middle = (low + high) / 2.0
        if (present_value(flows, middle) > 0.0) == falls:
            low = middle
        else:
            high = middle
    return low
