"""https://github.com/grantjenks/python-runstats/pull/13

The statistics of two samples are joined by dividing by the number of all values, of which there are none if nothing
was pushed yet: reported(0, 0.0, 0.0, 0, 0.0, 0.0).
"""


def verify(count: int, mean: float, spread: float) -> None:
    if not 0 <= count <= 10**12:
        raise ValueError("no such number of values")
    if not abs(mean) <= 1e100:
        raise ValueError("no such mean")
    if not 0.0 <= spread <= 1e200:
        raise ValueError("no such spread")


def reported(
    count: int, mean: float, spread: float, count2: int, mean2: float, spread2: float
) -> tuple[int, float, float]:
    verify(count, mean, spread)
    verify(count2, mean2, spread2)
    total = count + count2
    delta = mean2 - mean
    joined = (count * mean + count2 * mean2) / total  # fault: ZeroDivisionError
    return total, joined, spread + spread2 + delta * delta * count * count2 / total


def mended(
    count: int, mean: float, spread: float, count2: int, mean2: float, spread2: float
) -> tuple[int, float, float]:
    verify(count, mean, spread)
    verify(count2, mean2, spread2)
    total = count + count2
    if total == 0:
        return 0, 0.0, 0.0
    delta = mean2 - mean
    joined = (count * mean + count2 * mean2) / total
    return total, joined, spread + spread2 + delta * delta * count * count2 / total
