"""https://github.com/NiltonVolpato/python-progressbar/issues/64

The percentage of nothing is NaN, and can not be shown as an integer: done=0.0, total=0.0.
"""

import math


def reported(done: float, total: float) -> str:
    if not 0.0 <= total <= 1e15:
        raise ValueError("no such total")
    if not 0.0 <= done <= total:
        raise ValueError("more is done than there is")
    share = done / total if total > 0.0 else math.nan
    if share >= 1.0:
        return "100%"
    return f"{int(share * 100.0):3d}%"  # fault: ValueError


def mended(done: float, total: float) -> str:
    if not 0.0 <= total <= 1e15:
        raise ValueError("no such total")
    if not 0.0 <= done <= total:
        raise ValueError("more is done than there is")
    if total == 0.0:
        return "100%"
    share = done / total
    if share >= 1.0:
        return "100%"
    return f"{int(share * 100.0):3d}%"
