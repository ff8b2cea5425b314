"""https://github.com/m-lundberg/simple-pid/issues/5

A controller that is called twice within one tick of the clock divides by the time that passed: now=1.0, before=1.0,
shortest=0.0.
"""


def reported(error: float, change: float, now: float, before: float, shortest: float, last: float) -> float:
    if not (abs(error) <= 1e6 and abs(change) <= 1e6 and abs(last) <= 100.0):
        raise ValueError("no such measurement")
    if not (0.0 <= before <= now <= 1e10):
        raise ValueError("the clock goes backwards")
    if not 0.0 <= shortest <= 3600.0:
        raise ValueError("no such time between samples")
    passed = now - before
    if shortest > 0.0 and passed < shortest:
        return last
    output = 2.0 * error - 0.05 * change / passed  # fault: ZeroDivisionError
    return max(-100.0, min(100.0, output))


def mended(error: float, change: float, now: float, before: float, shortest: float, last: float) -> float:
    if not (abs(error) <= 1e6 and abs(change) <= 1e6 and abs(last) <= 100.0):
        raise ValueError("no such measurement")
    if not (0.0 <= before <= now <= 1e10):
        raise ValueError("the clock goes backwards")
    if not 0.0 <= shortest <= 3600.0:
        raise ValueError("no such time between samples")
    passed = max(now - before, 1e-16)
    if shortest > 0.0 and passed < shortest:
        return last
    output = 2.0 * error - 0.05 * change / passed
    return max(-100.0, min(100.0, output))
