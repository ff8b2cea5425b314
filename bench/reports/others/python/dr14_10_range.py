"""https://github.com/simon-r/dr14_t.meter/issues/10

The dynamic range of a piece is rounded to an integer, but it is infinite if the loudest fifth of the blocks is silent:
blocks=[0.0, 0.0, 0.0], peak=0.5.
"""

import math


def loudest(blocks: list[float]) -> float:
    part = sorted(blocks, reverse=True)[: max(1, len(blocks) // 5)]
    return math.sqrt(sum(x * x for x in part) / len(part))


def reported(blocks: list[float], peak: float) -> int:
    if not blocks:
        raise ValueError("no blocks")
    if not 1e-6 <= peak <= 1.0:
        raise ValueError("no such peak")
    for block in blocks:
        if not 0.0 <= block <= 1.0:
            raise ValueError("no such block")
    level = loudest(blocks) / peak
    decibels = -20.0 * math.log10(level) if level > 0.0 else math.inf
    return max(0, round(decibels))  # fault: OverflowError


def mended(blocks: list[float], peak: float) -> int:
    if not blocks:
        raise ValueError("no blocks")
    if not 1e-6 <= peak <= 1.0:
        raise ValueError("no such peak")
    for block in blocks:
        if not 0.0 <= block <= 1.0:
            raise ValueError("no such block")
    level = loudest(blocks) / peak
    if level < 1e-10:
        return 0
    return max(0, round(-20.0 * math.log10(level)))
