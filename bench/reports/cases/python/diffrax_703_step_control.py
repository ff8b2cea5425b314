"""https://github.com/patrick-kidger/diffrax/issues/703

A step control accepts every step that is not longer than the smallest allowed one, but measures the step as a
difference of two times, which rounds to slightly more than 0.2, and so refuses the same step for ever:
start=967.1378944377053, stop=970.0, rate=10.0.
"""

SMALLEST = 0.2


def reported(start: float, stop: float, rate: float) -> int:
    if not (abs(start) <= 1e6 and abs(stop) <= 1e6 and stop - start <= 1000.0):
        raise ValueError("the times are too far apart or no numbers")
    if not 0.0 <= rate <= 1e6:
        raise ValueError("the rate is negative, too large or no number")
    time, step, count = start, 1.0, 0
    while time < stop:  # fault: hang
        end = min(time + step, stop)
        taken = end - time
        if rate * taken <= 1.0 or taken <= SMALLEST:
            time = end
            count += 1
            if rate * taken <= 0.25:
                step = min(1.0, 2.0 * step)
        else:
            step = max(0.5 * step, SMALLEST)
    return count


def mended(start: float, stop: float, rate: float) -> int:
    if not (abs(start) <= 1e6 and abs(stop) <= 1e6 and stop - start <= 1000.0):
        raise ValueError("the times are too far apart or no numbers")
    if not 0.0 <= rate <= 1e6:
        raise ValueError("the rate is negative, too large or no number")
    time, step, count = start, 1.0, 0
    while time < stop:
        end = min(time + step, stop)
        taken = end - time
        if rate * taken <= 1.0 or step <= SMALLEST:
            time = end
            count += 1
            if rate * taken <= 0.25:
                step = min(1.0, 2.0 * step)
        else:
            step = max(0.5 * step, SMALLEST)
    return count
