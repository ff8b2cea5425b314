"""https://github.com/scipy/scipy/issues/10003

The density of the exponentially modified normal distribution replaces an overflowing exponential by the largest float,
multiplies it once more to infinity and then by a vanished error function: x=1.0, shape=0.01.
"""

import math
import sys


def reported(x: float, shape: float) -> float:
    if not math.isfinite(x):
        raise ValueError("x must be finite")
    if not 1e-6 <= shape <= 1e6:
        raise ValueError("the shape lies outside 1e-6 to 1e6")
    inverse = 1.0 / shape
    exponent = inverse * (0.5 * inverse - x)
    if exponent < 709.0:
        growth = math.exp(exponent)
    else:
        growth = sys.float_info.max
    tail = math.erfc((inverse - x) / math.sqrt(2.0))
    density = 0.5 * inverse * growth * tail  # fault: nan
    return density


def mended(x: float, shape: float) -> float:
    if not math.isfinite(x):
        raise ValueError("x must be finite")
    if not 1e-6 <= shape <= 1e6:
        raise ValueError("the shape lies outside 1e-6 to 1e6")
    inverse = 1.0 / shape
    t = (inverse - x) / math.sqrt(2.0)
    if t > 10.0:
        square = t * t
        series = 1.0 - 0.5 / square + 0.75 / (square * square) - 1.875 / (square * square * square)
        return 0.5 * inverse * math.exp(-0.5 * x * x) * series / (t * math.sqrt(math.pi))
    growth = math.exp(inverse * (0.5 * inverse - x))
    return 0.5 * inverse * growth * math.erfc(t)
