"""The alternating variable method on ordered words.

A sweep moves one word by steps of ``2**k``, from large to small k, and repeats each step while it helps. It finds the
nearest minimum on an axis of 2**64 points in about 200 evaluations, whatever the scale. A search that begins with steps
of 1 would stop at plateaus, such as those of code that inspects the high half of a double.

When sweeps of all words do not help, the method tries the values worth trying for each word, and inserts or removes a
character of each string. When this does not help either, it draws a new start.

Among equally good values, one is drawn. Such a sideways move (Selman et al. 1992) leaves a plateau on which two words
have to change. An example is a list's length and the item beyond its old end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..native.kernel import inlined, kernel
from ..subject.base import WordArray
from ..words import Kind
from .base import Domain, Door, NativeDomain, Random, evaluate, is_open, moved, random_below, sample

_CHAR, _LAST_FLOAT = int(Kind.CHAR), int(Kind.F32)
_LARGEST_POWER = 10**18  # a power of ten; a constant, because Numba compiles powers slowly


def avm(door: Door, domain: Domain, x: WordArray, rng: Random) -> None:
    """Minimise from ``x``, then from new starts, until the door closes."""
    _alternate(door.native, domain.native, x, rng, domain.text_ends)


@kernel
def _alternate(door: int, domain: NativeDomain, x: WordArray, rng: Random, text_ends: Any) -> None:
    """Run the main loop. ``text_ends`` is None if there are no texts; then its code is not compiled."""
    n = len(x)
    first = 0
    while is_open(door):
        best = evaluate(door, x)
        idle = 0
        while idle < n and is_open(door):
            value = _sweep(door, domain, x, first, best)
            idle = 0 if value < best else idle + 1
            best = value
            first = (first + 1) % n
            if idle == n and is_open(door):
                for i in range(n):  # for all words, before sweeps that cost many more evaluations
                    value = _try_pool(door, domain, x, i, best, rng)
                    if text_ends is not None and value == best:
                        value = _edit(door, domain, x, i, text_ends[i], best, rng)
                    if value < best:
                        best, idle = value, 0
        sample(domain, x, rng)
        first = random_below(rng, n)  # else a good value of the first word would always be lost first


@kernel
def _try_pool(door: int, domain: NativeDomain, x: WordArray, i: int, best: float, rng: Random) -> float:
    """Set word i to the best value of its pool, unless its own value is better; return the objective reached.

    Among equally good values, including its own, one is drawn.
    """
    here, alike = x[i], 1
    for n in range(domain.start[i], domain.start[i + 1]):
        if not is_open(door):
            break
        x[i] = domain.pool[n]
        value = evaluate(door, x)
        if value < best:
            best, here, alike = value, x[i], 1
        elif value == best:
            alike += 1
            if random_below(rng, alike) == 0:
                here = x[i]
    x[i] = here
    return best


@kernel
def _edit(door: int, domain: NativeDomain, x: WordArray, i: int, end: int, best: float, rng: Random) -> float:
    """Change one character of a text if that helps; return the objective reached.

    Double a character, insert one worth trying, or else remove one.

    Args:
        i: the index of the word that is the length of the text, if ``end`` is not 0.
        end: the index of the word after the text. 0: the word is not the length of a text.
    """
    if end == 0:
        return best
    if x[i] < domain.high[i]:
        x[i] += 1
        for at in range(i + 1, min(i + 1 + x[i], end)):
            lost = _shift(x, at, end, 1)
            value = evaluate(door, x)
            if value >= best:
                value = _try_pool(door, domain, x, at, best, rng)
            if value < best:
                return value
            _shift(x, at, end, -1)
            x[end - 1] = lost
        x[i] -= 1
    if x[i] > domain.low[i]:
        x[i] -= 1
        for at in range(i + 1, min(i + 2 + x[i], end)):
            lost = _shift(x, at, end, -1)
            value = evaluate(door, x)
            if value < best:
                return value
            _shift(x, at, end, 1)
            x[at] = lost
        x[i] += 1
    return best


@kernel
def _shift(x: WordArray, at: int, end: int, by: int) -> Any:
    """Move ``x[at:end]`` by one to the right or to the left; return the word that is overwritten."""
    if by > 0:
        lost = x[end - 1]
        for n in range(end - 1, at, -1):
            x[n] = x[n - 1]
    else:
        lost = x[at]
        for n in range(at, end - 1):
            x[n] = x[n + 1]
    return lost


@kernel
def _sweep(door: int, domain: NativeDomain, x: WordArray, i: int, best: float) -> float:
    """Move word i along its axis while that helps; return the objective reached.

    Code that inspects decimal digits of an integer is rough at steps of powers of two. If these do not help, powers of
    ten are tried.
    """
    span = np.uint64(domain.high[i]) - np.uint64(domain.low[i])
    k = 0
    while k < 62 and (span >> np.uint64(k + 1)) != 0:
        k += 1
    value = best
    while k >= 0:
        value = _step(door, domain, x, i, np.int64(1) << np.int64(k), value)
        k -= 1
    if value == best and domain.kinds[i] > _LAST_FLOAT and domain.kinds[i] != _CHAR:
        power = _LARGEST_POWER
        while power >= 10:
            if np.uint64(power) <= span:
                value = _step(door, domain, x, i, power, value)
            power //= 10
    return value


@inlined
def _step(door: int, domain: NativeDomain, x: WordArray, i: int, step: Any, best: float) -> float:
    """Move word i by the step, up and then down, each as often as it helps; return the objective reached."""
    here, low, high = x[i], domain.low[i], domain.high[i]
    for direction in (1, -1):
        while is_open(door):
            there = moved(here, step * direction, low, high)
            if there == here:
                break
            x[i] = there
            value = evaluate(door, x)
            if value < best:
                best, here = value, there
            else:
                x[i] = here
                break
    return best
