"""https://github.com/rsalmei/alive-progress/issues/165

When the work goes faster than the coarse clock ticks, no time has passed, the
rate is taken as zero and the time left divides by it: reported(5, 100, 0.01).
"""


def reported(done: int, total: int, elapsed: float) -> float:
    if total < 1 or total > 10**12:
        raise ValueError("no such total")
    if not 0.0 <= elapsed <= 1e9:
        raise ValueError("no such time")
    if done < 1:
        return -1.0
    if done >= total:
        return 0.0
    ticks = int(elapsed * 64.0)
    rate = done / (ticks / 64.0) if ticks > 0 else 0.0
    return (total - done) / rate  # fault: ZeroDivisionError


def mended(done: int, total: int, elapsed: float) -> float:
    if total < 1 or total > 10**12:
        raise ValueError("no such total")
    if not 0.0 <= elapsed <= 1e9:
        raise ValueError("no such time")
    if done < 1:
        return -1.0
    if done >= total:
        return 0.0
    ticks = int(elapsed * 64.0)
    if ticks == 0:
        return -1.0
    return (total - done) * (ticks / 64.0) / done
