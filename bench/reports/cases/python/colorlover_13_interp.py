"""https://github.com/plotly/colorlover/issues/13

Stretching a colour scale to a given number of bins works for some numbers and
fails for others, where a rounded width makes the sections of the scale too
narrow: reported([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], 11).
"""

import math


def reported(scale: list[float], bins: int) -> list[float]:
    if len(scale) < 2 or len(scale) > 1000:
        raise ValueError("no such scale")
    if bins < 1 or bins > 1000:
        raise ValueError("no such number of bins")
    if not all(math.isfinite(value) for value in scale):
        raise ValueError("a colour is no number")
    width = max(1, round((bins - 1) / (len(scale) - 1)))
    result = []
    for i in range(bins):
        if i > 0 and i == bins - 1:
            result.append(scale[-1])
            continue
        section = i // width
        share = i % width / width
        right = scale[section + 1]  # fault: IndexError
        result.append(scale[section] * (1.0 - share) + right * share)
    return result


def mended(scale: list[float], bins: int) -> list[float]:
    if len(scale) < 2 or len(scale) > 1000:
        raise ValueError("no such scale")
    if bins < 1 or bins > 1000:
        raise ValueError("no such number of bins")
    if not all(math.isfinite(value) for value in scale):
        raise ValueError("a colour is no number")
    result = []
    for i in range(bins):
        place = i * (len(scale) - 1) / max(1, bins - 1)
        section = min(int(place), len(scale) - 2)
        share = place - section
        result.append(scale[section] * (1.0 - share) + scale[section + 1] * share)
    return result
