"""No search at all: try the values worth trying, all combinations where they are few, every power of two, and
neighbours of what is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..native import kernel as native
from ..native.cells import LEFT
from ..native.kernel import kernel
from ..subject.base import Termination, WordArray
from .base import (
    NativeDomain,
    Random,
    drawn_word,
    ended_as,
    evaluate,
    is_open,
    put_runs,
    random_below,
    sample,
    way_to_draw,
)

_HUNG, _KILLED, _STACK, _MEMORY = map(
    int, (Termination.HUNG, Termination.KILLED, Termination.STACK, Termination.MEMORY)
)
_ALIKE = 16  # points that are drawn in the same way, one after the other


@kernel
def combinations(door: int, domain: NativeDomain, x: WordArray, rng: Random, first: int, limit: int) -> int:
    """Evaluate combinations ``first, first + 1, ...`` of the pools' words; the number of the next one to try.

    There are ``total`` combinations of all words; when that is more than ``limit``, so many drawn ones are tried. Every
    so-manieth of them would leave out most values of words whose pools' sizes have a factor in common.
    """
    n = len(x)
    total = 1.0
    for i in range(n):
        total *= max(1, domain.start[i + 1] - domain.start[i])
    number = first
    while is_open(door) and number < min(total, limit):
        rest = np.int64(number)
        rng[0] = np.uint64(number)
        for i in range(n):
            count = max(1, domain.start[i + 1] - domain.start[i])
            if domain.start[i + 1] > domain.start[i]:
                chosen = rest % count if total <= limit else random_below(rng, count)
                x[i] = domain.pool[domain.start[i] + chosen]
            rest //= count
        if domain.runs[0] > 0 and total > limit:
            put_runs(domain, x, rng)
        evaluate(door, x)
        number += 1
    return number


@kernel
def binades(door: int, domain: NativeDomain, x: WordArray, rng: Random, first: int, steps: int) -> int:
    """For every word, step through its range in so many steps, the others drawn anew; the number of the next step."""
    n = len(x)
    number = first
    while is_open(door) and number < steps * n:
        i = number // steps
        sample(domain, x, rng)
        span = np.uint64(domain.high[i]) - np.uint64(domain.low[i])
        step = span // np.uint64(steps) + np.uint64(1)
        offset = np.uint64(number % steps) * step
        if offset <= span:
            x[i] = np.int64(
                np.uint64(domain.low[i]) + offset + np.uint64(random_below(rng, 2)) * (step >> np.uint64(1))
            )
            if x[i] < domain.low[i] or x[i] > domain.high[i]:
                x[i] = domain.high[i]
            evaluate(door, x)
        number += 1
    return number


@kernel
def draws(door: int, domain: NativeDomain, x: WordArray, rng: Random, known: Any, drawn: Any, ways: Any) -> None:
    """Evaluate drawn points until the door closes, and after each one of the known ones (a row each) into which one to
    four of its words are put; before that, two neighbouring words may be exchanged, or one put in between others.
    Several in a row are drawn in the same way: a processor foretells no other."""
    n, number = len(x), 0
    while is_open(door):
        if number % _ALIKE == 0:
            for i in range(n):
                ways[i] = way_to_draw(domain, i, rng)
        number += 1
        for i in range(n):
            drawn[i] = drawn_word(domain, drawn, i, ways[i], rng)
        if domain.runs[0] > 0 and random_below(rng, 2) == 0:
            put_runs(domain, drawn, rng)
        for i in range(n):
            x[i] = drawn[i]
        evaluate(door, x)
        if len(known) == 0 or n == 1:  # with its one word put into another, a point is the same
            continue
        row = random_below(rng, len(known))
        for i in range(n):
            x[i] = known[row, i]
        count = 1 + random_below(rng, 4)
        if random_below(rng, 4) == 0:
            i = random_below(rng, n)
            if random_below(rng, 2) == 0:
                _shift(domain, x, i, min(i + 1, n - 1))
            else:
                x[i] = drawn[i]
                count -= 1
                _shift(domain, x, i, random_below(rng, n))
        for _ in range(count):
            i = random_below(rng, n)
            x[i] = drawn[i]
        evaluate(door, x)


@kernel
def _shift(domain: NativeDomain, x: WordArray, i: int, j: int) -> None:
    """Take word i out and put it in where word j is, as far as the words between are of its kind: those move up."""
    step = 1 if i < j else -1
    while i != j and domain.kinds[i] == domain.kinds[i + step]:
        x[i], x[i + step] = (
            min(max(x[i + step], domain.low[i]), domain.high[i]),
            min(max(x[i], domain.low[i + step]), domain.high[i + step]),
        )
        i += step


@kernel
def every(door: int, domain: NativeDomain, x: WordArray, state: WordArray) -> None:
    """Evaluate all inputs there are, from the one numbered ``state[0]`` on, until the door closes: ``state[0]`` becomes
    the number of the next one, ``state[1]`` grows by the runs that limits of ours have ended, so that nobody knows what
    they would have done."""
    n = len(x)
    rest, more = state[0], True
    for i in range(n):
        count = domain.high[i] - domain.low[i] + 1
        x[i] = domain.low[i] + rest % count
        rest //= count
    while more:
        left = native.cells_at(door)[LEFT]
        if left <= 0:
            break
        evaluate(door, x)
        if native.cells_at(door)[LEFT] == -left:  # the clock was faster: nothing has run
            break
        state[0] += 1
        outcome = ended_as(door)
        if outcome in (_HUNG, _KILLED, _STACK, _MEMORY):
            state[1] += 1
        more = False
        for i in range(n):
            if x[i] < domain.high[i]:
                x[i] += 1
                more = True
                break
            x[i] = domain.low[i]
