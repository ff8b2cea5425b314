"""No search at all: try the values worth trying, all combinations where they are few, and every power of two."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..native import kernel
from .base import evaluate, is_open, random_below, sample


@kernel
def combinations(door: Any, domain: Any, x: Any, first: int, limit: int) -> int:
    """Evaluate combinations ``first, first + 1, ...`` of the pools' words; the number of the next one to try.

    There are ``total`` combinations of all words; when that is more than ``limit``, so many drawn ones are tried. Every
    so-manieth of them would leave out most values of words whose pools' sizes have a factor in common.
    """
    n = len(x)
    total = 1.0
    for i in range(n):
        total *= max(1, domain.start[i + 1] - domain.start[i])
    stream = np.zeros(1, dtype=np.uint64)
    number = first
    while is_open(door) and number < min(total, limit):
        rest = np.int64(number)
        stream[0] = np.uint64(number)
        for i in range(n):
            count = max(1, domain.start[i + 1] - domain.start[i])
            if domain.start[i + 1] > domain.start[i]:
                chosen = rest % count if total <= limit else random_below(stream, count)
                x[i] = domain.pool[domain.start[i] + chosen]
            rest //= count
        evaluate(door, x)
        number += 1
    return number


@kernel
def binades(door: Any, domain: Any, x: Any, rng: Any, first: int) -> int:
    """For every word, step through its range in 4096 steps, the others drawn anew; the number of the next step."""
    n = len(x)
    number = first
    while is_open(door) and number < 4096 * n:
        i = number // 4096
        sample(domain, x, rng)
        span = np.uint64(domain.high[i]) - np.uint64(domain.low[i])
        step = span // np.uint64(4096) + np.uint64(1)
        offset = np.uint64(number % 4096) * step
        if offset <= span:
            x[i] = np.int64(
                np.uint64(domain.low[i]) + offset + np.uint64(random_below(rng, 2)) * (step >> np.uint64(1))
            )
            if x[i] < domain.low[i] or x[i] > domain.high[i]:
                x[i] = domain.high[i]
            evaluate(door, x)
        number += 1
    return number
