"""https://github.com/elastic/elastic-transport-python/issues/111

The doubling of the waiting time is done before the limit is applied, and after
1025 failures in a row the power of two is too large for a float:
reported(1025, 1.0, 30.0).
"""


def reported(failures: int, first: float, limit: float) -> float:
    if not 0.001 <= first <= 3600.0:
        raise ValueError("no such first waiting time")
    if not first <= limit <= 1e6:
        raise ValueError("no such limit")
    if failures > 1000000:
        raise ValueError("gave up long ago")
    if failures < 1:
        return 0.0
    wait = first * 2 ** (failures - 1)  # fault: OverflowError
    return min(wait, limit)


def mended(failures: int, first: float, limit: float) -> float:
    if not 0.001 <= first <= 3600.0:
        raise ValueError("no such first waiting time")
    if not first <= limit <= 1e6:
        raise ValueError("no such limit")
    if failures < 1:
        return 0.0
    doublings = min(failures - 1, 60)
    wait = first * 2**doublings
    return min(wait, limit)
