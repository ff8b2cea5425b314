"""The alternating variable method on ordered words.

For each word in turn, steps of 2**k for k from large to small, each repeated while it helps: one sweep finds the
nearest minimum along an axis of 2**64 points in about 200 evaluations, whatever its scale; and, unlike a search that
starts with steps of one, it does not see the plateaus that code which looks at the high half of a double makes.
When a whole sweep over all words does not help, the values worth trying are put into each word in turn, and a character
is inserted into a string or removed; when none of these helps either, it draws a new start. Of values that are equally
good one is drawn: such a step aside (a sideways move, Selman et al. 1992) leaves a plateau where two words have to
change and the first alone changes nothing, such as a list's length and then an item beyond its old end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..native.kernel import inlined, kernel
from ..subject.base import WordArray
from ..words import Kind
from .base import Domain, Door, NativeDomain, Random, evaluate, is_open, moved, random_below, sample

_CHAR, _LAST_FLOAT = int(Kind.CHAR), int(Kind.F32)
_LARGEST_POWER = 10**18  # of ten; a constant, as powers take Numba long to compile


def avm(door: Door, domain: Domain, x: WordArray, rng: Random) -> None:
    """Minimise from ``x``, then from new starts, until the door closes."""
    _alternate(door.native, domain.native, x, rng, domain.text_ends)


@kernel
def _alternate(door: int, domain: NativeDomain, x: WordArray, rng: Random, text_ends: Any) -> None:
    """``text_ends`` is None where there are no texts: that version is compiled without the code for them."""
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
                for i in range(n):  # all of them before the next sweeps, which take many more evaluations
                    value = _try_pool(door, domain, x, i, best, rng)
                    if text_ends is not None and value == best:
                        value = _edit(door, domain, x, i, text_ends[i], best, rng)
                    if value < best:
                        best, idle = value, 0
        sample(domain, x, rng)
        first = random_below(rng, n)  # a good value of the first word must not always be the first to go


@kernel
def _try_pool(door: int, domain: NativeDomain, x: WordArray, i: int, best: float, rng: Random) -> float:
    """Put the best of the pool's values into word i, unless what is there is better; of several that are equally good,
    what is there being one, draw one. The value reached."""
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
    """If word i is the length of a text, which ends before word ``end``: double one of its characters, insert one worth
    trying, or else remove one, where that is better; the value reached."""
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
    """Move ``x[at:end]`` one to the right or to the left; the word that this overwrites."""
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
    """Move word i down its axis; the value reached. Code that looks at an integer's decimal digits is rough at steps of
    powers of two: where these do not help, powers of ten may."""
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
    """Move word i by the step up, then down, each as often as that helps; the value reached."""
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
