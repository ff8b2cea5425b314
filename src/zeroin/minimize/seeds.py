"""Evaluations without a search: values worth trying, their combinations, powers of two, and changes of known inputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..native import kernel as native
from ..native.cells import LEFT
from ..native.kernel import kernel
from ..native.words import value_of_word, word_of_value
from ..subject.base import Termination, WordArray
from ..words import Kind
from .base import (
    NativeDomain,
    Random,
    drawn_word,
    ended_as,
    evaluate,
    is_open,
    moved,
    put_runs,
    random_below,
    random_between,
    random_unit,
    random_word,
    sample,
    way_to_draw,
)

_HUNG, _KILLED, _STACK, _MEMORY = map(
    int, (Termination.HUNG, Termination.KILLED, Termination.STACK, Termination.MEMORY)
)
_CHAR, _BYTE = int(Kind.CHAR), int(Kind.BYTE)
_LAST_FLOAT = int(Kind.F32)
_ORDERS = 60  # orders of magnitude of distances, by factors of 2
LETTERS = 4  # the most different characters of a drawn point with few
_ALIKE = 16  # consecutive points that are drawn in the same way


@kernel
def combinations(door: int, domain: NativeDomain, x: WordArray, rng: Random, first: int, limit: int) -> int:
    """Evaluate combinations of the pools' values until the door closes; return the number of the next one.

    If there are more than ``limit`` combinations, ``limit`` random ones are evaluated. Equally spaced ones would omit
    most values of words whose pool sizes have a common factor.

    Args:
        door: the door.
        domain: the pools. Words without a pool keep their value in ``x``, except those in runs of a random combination.
        x: memory for the input.
        rng: memory for the random state. It is set to the number of each combination.
        first: the number of the first combination to evaluate.
        limit: the number at which to stop; numbers count from 0 over all calls.
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
    """Step through the range of every word in ``steps`` steps, with random other words; return the next step.

    The result counts the steps of all words together; ``first`` is such a number, too.
    """
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
def draws(
    door: int, domain: NativeDomain, x: WordArray, rng: Random, known: Any, drawn: Any, ways: Any, letters: Any
) -> None:
    """Evaluate drawn points, and mutations of known points, in turn, until the door closes (havoc).

    A mutation sets one to four words of a known point to drawn values. Before that, it may swap two neighbouring words,
    or insert a drawn word between others. Several points in a row are drawn in the same way, because branch prediction
    then works. A quarter of the points with characters have only one to four different ones, all of them worth trying.

    Args:
        known: the known points, one in each row.
        drawn, ways: memory for the drawn point, and for how its words are drawn.
        letters: memory for four characters.
    """
    n, number, first = len(x), 0, _first_character(domain, len(x))
    some = 0
    while is_open(door):
        if number % _ALIKE == 0:
            some = 1 + random_below(rng, len(letters)) if first >= 0 and random_below(rng, 4) == 0 else 0
            for k in range(some):
                pool = domain.start[first + 1] - domain.start[first]
                at = max(random_below(rng, pool), random_below(rng, pool))  # the program's own come last
                letters[k] = domain.pool[domain.start[first] + at]
            for i in range(n):
                ways[i] = way_to_draw(domain, i, rng)
        number += 1
        for i in range(n):
            if some > 0 and (domain.kinds[i] == _CHAR or domain.kinds[i] == _BYTE):
                drawn[i] = min(max(letters[random_below(rng, some)], domain.low[i]), domain.high[i])
            else:
                drawn[i] = drawn_word(domain, drawn, i, ways[i], rng)
        if domain.runs[0] > 0 and random_below(rng, 2) == 0:
            put_runs(domain, drawn, rng)
        for i in range(n):
            x[i] = drawn[i]
        evaluate(door, x)
        if len(known) == 0 or n == 1:  # a point with one word would become the drawn point
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
def beside(door: int, domain: NativeDomain, x: WordArray, rng: Random, known: Any) -> None:
    """Evaluate points near known ones, and between two of them, until the door closes.

    Near a known point, at distances of all orders of magnitude, one word moves, or about half of the words do. Before
    that, a word may become equal to another one. Between two known points, each word is that of one of them, or drawn
    from the range between them.

    Args:
        known: the known points, at least one, each in a row.
    """
    n = len(x)
    while is_open(door):
        row = random_below(rng, len(known))
        for i in range(n):
            x[i] = known[row, i]
        if random_below(rng, 4) == 0:
            other = random_below(rng, len(known))
            for i in range(n):
                if random_below(rng, 3) > 0:
                    x[i] = _between(domain, x[i], known[other, i], i, rng)
            evaluate(door, x)
            continue
        if n > 1 and random_below(rng, 2) == 0:
            i, j = random_below(rng, n), random_below(rng, n)
            if domain.kinds[i] == domain.kinds[j]:
                x[i] = min(max(x[j], domain.low[i]), domain.high[i])
        exponent = random_below(rng, _ORDERS)
        if random_below(rng, 2) == 0:
            i = random_below(rng, n)
            x[i] = _apart(domain, x[i], i, exponent, rng)
        else:
            for i in range(n):
                if random_below(rng, 2) == 0:
                    x[i] = _apart(domain, x[i], i, exponent, rng)
        evaluate(door, x)


@kernel
def _between(domain: NativeDomain, one: Any, other: Any, i: Any, rng: Random) -> Any:
    """Return a word between two words of a variable, both included: for floats, half of the time between the values."""
    kind = domain.kinds[i]
    if kind <= _LAST_FLOAT and random_below(rng, 2) == 0:
        a, b, share = value_of_word(kind, one), value_of_word(kind, other), random_unit(rng)
        if abs(a) < np.inf and abs(b) < np.inf:
            return word_of_value(kind, (1.0 - share) * a + share * b, domain.low[i], domain.high[i])
    return random_between(rng, min(one, other), max(one, other))


@kernel
def _apart(domain: NativeDomain, word: Any, i: Any, exponent: Any, rng: Random) -> Any:
    """Return a word at a distance of an order of magnitude: for a float of ULP, or of the value; else of integers."""
    low, high, kind = domain.low[i], domain.high[i], domain.kinds[i]
    if kind <= _LAST_FLOAT and random_below(rng, 2) == 0:
        value, size = value_of_word(kind, word), 2.0 ** -float(exponent) * (1.0 + random_unit(rng))
        if abs(value) < np.inf:
            return word_of_value(kind, value - size if random_below(rng, 2) == 0 else value + size, low, high)
    if kind > _LAST_FLOAT:
        exponent = random_below(rng, exponent + 1)
    return moved(word, random_word(rng) >> np.int64(63 - exponent), low, high)


@kernel
def _first_character(domain: NativeDomain, n: int) -> int:
    """Return the first word that is a character and has values worth trying; -1 if there is none."""
    for i in range(n):
        is_character = domain.kinds[i] == _CHAR or domain.kinds[i] == _BYTE
        if is_character and domain.start[i + 1] > domain.start[i]:
            return i
    return -1


@kernel
def _shift(domain: NativeDomain, x: WordArray, i: int, j: int) -> None:
    """Move word i to the place of word j; the words between them move by one. It stops at a word of another kind."""
    step = 1 if i < j else -1
    while i != j and domain.kinds[i] == domain.kinds[i + step]:
        x[i], x[i + step] = (
            min(max(x[i + step], domain.low[i]), domain.high[i]),
            min(max(x[i], domain.low[i + step]), domain.high[i + step]),
        )
        i += step


@kernel
def every(door: int, domain: NativeDomain, x: WordArray, state: WordArray) -> None:
    """Evaluate all inputs of the domain, from number ``state[0]`` on, until the door closes or no input is left.

    ``state[0]`` becomes the number of the next input. ``state[1]`` grows by the number of runs that a limit of zeroin
    ended, whose behaviour is therefore unknown. ``state[0]`` must be less than the number of inputs.
    """
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
        if native.cells_at(door)[LEFT] == -left:  # the clock closed the door before the run
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
