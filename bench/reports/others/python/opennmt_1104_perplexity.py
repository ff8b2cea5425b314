"""https://github.com/OpenNMT/OpenNMT-py/issues/1104

The perplexity of a translation is the exponential of its mean score, which is out of range for a translation that the
model thinks impossible: scores=[-200000.0], words=1.
"""

import math


def reported(scores: list[float], words: int) -> float:
    if words < 0:
        raise ValueError("the number of words is negative")
    total = 0.0
    for score in scores:
        if not -1e9 <= score <= 0.0:
            raise ValueError("a score is no logarithm of a probability")
        total += score
    if words == 0:
        return 1.0
    return math.exp(-total / words)  # fault: OverflowError


def mended(scores: list[float], words: int) -> float:
    if words < 0:
        raise ValueError("the number of words is negative")
    total = 0.0
    for score in scores:
        if not -1e9 <= score <= 0.0:
            raise ValueError("a score is no logarithm of a probability")
        total += score
    if words == 0:
        return 1.0
    mean = total / min(words, 10**9)
    if mean < -700.0:
        return math.inf
    return math.exp(-mean)
