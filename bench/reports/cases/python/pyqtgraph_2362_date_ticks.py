"""https://github.com/pyqtgraph/pyqtgraph/issues/2362

The step from one tick of a date axis to the next goes through milliseconds, and
64.1 * 1000 is a little less than 64100, so that the next tick is the same one
again: reported(64.0, 65.0, 0.1) never returns.
"""

import math


def _next_tick(value: float, step: float) -> float:
    size = step * 1000.0
    return (value * 1000.0 // size + 1.0) * size / 1000.0


def reported(start: float, stop: float, step: float) -> int:
    if not (math.isfinite(start) and math.isfinite(stop)):
        raise ValueError("the range must be finite")
    if abs(start) > 1e9 or abs(stop) > 1e9:
        raise ValueError("the range leaves the calendar")
    if not 0.001 <= step <= 1e6:
        raise ValueError("no such spacing")
    if (stop - start) / step > 1000.0:
        raise ValueError("too many ticks")
    count = 0
    tick = _next_tick(start, step)
    while tick <= stop:  # fault: hang
        count += 1
        tick = _next_tick(tick, step)
    return count


def mended(start: float, stop: float, step: float) -> int:
    if not (math.isfinite(start) and math.isfinite(stop)):
        raise ValueError("the range must be finite")
    if abs(start) > 1e9 or abs(stop) > 1e9:
        raise ValueError("the range leaves the calendar")
    if not 0.001 <= step <= 1e6:
        raise ValueError("no such spacing")
    if (stop - start) / step > 1000.0:
        raise ValueError("too many ticks")
    before = math.floor(start / step)
    last = math.floor(stop / step)
    if last <= before:
        return 0
    return last - before
