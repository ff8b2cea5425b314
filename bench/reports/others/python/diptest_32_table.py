"""https://github.com/RUrlus/diptest/pull/32

A sample that is larger than those of a table takes the number of its rows as its last row: count=100000, dip=0.01.
"""

import bisect

SIZES = (4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 40000, 72000)
CRITICAL = (0.187, 0.171, 0.157, 0.149, 0.141, 0.136, 0.130, 0.110, 0.097, 0.081, 0.064, 0.047, 0.033, 0.022, 0.0155,
            0.011, 0.0069, 0.0049, 0.0035, 0.0025, 0.0018)  # fmt: skip


def reported(count: int, dip: float) -> float:
    if count < 4:
        raise ValueError("at least four values are needed")
    if not 0.0 <= dip <= 0.25:
        raise ValueError("the dip lies outside 0 to 0.25")
    above = bisect.bisect_right(SIZES, count)
    below = above - 1
    if count > SIZES[-1]:
        above = below = len(SIZES)
    elif above == len(SIZES):
        above = below
    low = CRITICAL[below] * SIZES[below] ** 0.5  # fault: IndexError
    high = CRITICAL[above] * SIZES[above] ** 0.5
    part = (count - SIZES[below]) / (SIZES[above] - SIZES[below]) if above > below else 0.0
    return dip * count**0.5 / (low + part * (high - low))


def mended(count: int, dip: float) -> float:
    if count < 4:
        raise ValueError("at least four values are needed")
    if count > 10**15:
        raise ValueError("too many values")
    if not 0.0 <= dip <= 0.25:
        raise ValueError("the dip lies outside 0 to 0.25")
    above = min(bisect.bisect_right(SIZES, count), len(SIZES) - 1)
    below = above - 1 if count < SIZES[-1] else above
    low = CRITICAL[below] * SIZES[below] ** 0.5
    high = CRITICAL[above] * SIZES[above] ** 0.5
    part = (count - SIZES[below]) / (SIZES[above] - SIZES[below]) if above > below else 0.0
    return dip * count**0.5 / (low + part * (high - low))
