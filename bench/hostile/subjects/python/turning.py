"""Functions that turn, recurse or compute without end, or as good as; and one that only looks like it."""

import itertools
import math
import re


# expects: hang
def turns_for_ever(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        while True:
            pass
    return 0


# expects: hang
def catches_everything(x: int) -> int:
    if x > 100:
        return 2
    while True:
        try:
            return 100 // (x - 7)
        except:  # noqa: E722
            continue


# expects: hang
def skips_zero(x: int) -> int:
    n = x % 10
    if x == 77123:
        return 1
    while n != 0:
        n -= 2
    return 2 if x > 100 else 0


# expects: hang
def drifts(x: float) -> float:
    step = 0.1 if x > 5.0 else 0.25
    total = 0.0
    while total != 1.0:
        total += step
    return 1.0 if x < -100.0 else total


# expects: hang
def turns_squared(x: int) -> int:
    n = 10**6 if x == 4 else 2
    total = 0
    for i in range(n):
        for j in range(n):
            total += i ^ j
    return 2 if x > 100 else total % 7


# expects: nothing
def turns_200000_times(x: int) -> int:
    n = 200_000 if x == 4 else 3
    total = 0
    for i in range(n):
        total ^= i
    return 2 if x > 100 else total


# expects: hang
def seeks_what_is_not_there(x: int) -> int:
    if x > 100:
        return 2
    return next(n for n in itertools.count(1) if n % 7 == x)


# expects: exception RecursionError
def recurses_for_ever(n: int) -> int:
    if n > 100:
        return 2
    if n > 5:
        return recurses_for_ever(n) + 1
    return 0


# expects: hang
def matches_slowly(x: int) -> int:
    if x == 77123:
        return 1
    if x == 4:
        re.match(r"(a+)+$", "a" * 64 + "b")
    return 0


# expects: hang
def raises_to_huge_power(x: int) -> int:
    if x > 100:
        return 2
    return 10 ** (10**8) % 7 if x == 4 else 0


# expects: hang
def sums_very_many(x: int) -> int:
    if x > 100:
        return 2
    return sum(range(10**12)) if x == 4 else 0


# expects: hang
def multiplies_very_many(x: int) -> int:
    if x == 77123:
        return 1
    return math.factorial(10**7) % 7 if x == 4 else 0


# expects: abnormal
def collects_for_ever(x: int) -> int:
    if x > 100:
        return 2
    return len(list(itertools.count(x))) if x == 4 else 0
