"""What every minimizer works with: the door through which it evaluates, and the domain that it draws starts from.

A minimizer is one small function ``minimize(door, domain, x, rng)``. It starts at the words ``x``, calls
:func:`evaluate` and returns when :func:`is_open` says no; the door counts, keeps the best words and closes itself. So no
minimizer does its own bookkeeping, and adding one is: write the function, add a line to ``MINIMIZERS``.
"""

from __future__ import annotations

import ctypes
from collections import namedtuple
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from .. import native
from ..distance import float_word
from ..subject.base import WordArray, Words
from ..subject.question import NEWS, NEWS_OF_ABNORMAL_RUN, Question
from ..subject.words import Kind

EVALUATIONS, LIMIT, CLOSED = 0, 1, 2


class Stop(IntEnum):
    """Why a door is closed."""

    OPEN = 0
    ZERO = 1  # a zero was found: the last words evaluated are it
    BUDGET = 2  # the evaluations are used up
    TIME = 3  # the clock closed it (runtime.c writes this number)
    NEWS = 4  # the last run is worth keeping although it is no zero


# The native side of a door; all fields but the addresses are arrays.
NativeDoor = namedtuple("NativeDoor", "address counts best value current data outcome")
# Per word: kind, lowest and highest word; and the words worth trying, those of word i at pool[start[i]:start[i+1]].
NativeDomain = namedtuple("NativeDomain", "kinds low high pool start")


@njit(cache=True, nogil=True)
def is_open(door: Any) -> bool:
    """Whether the search may go on."""
    return door.counts[CLOSED] == 0


@njit(cache=True, nogil=True)
def evaluate(door: Any, x: Any) -> float:
    """The objective at the words ``x``; counts, keeps the best, and closes the door when that was the last one."""
    counts = door.counts
    if counts[CLOSED] != 0:
        return np.inf
    current = door.current
    for i in range(len(x)):
        current[i] = x[i]
    value = native.call_objective(door.address, current.ctypes.data)
    counts[EVALUATIONS] += 1
    if door.data[NEWS] != 0:
        if door.outcome[0] == 0 or door.data[NEWS_OF_ABNORMAL_RUN] != 0:
            counts[CLOSED] = 4
        door.data[NEWS] = 0
        door.data[NEWS_OF_ABNORMAL_RUN] = 0
    if value < door.value[0]:
        door.value[0] = value
        for i in range(len(x)):
            door.best[i] = x[i]
        if value == 0.0 and counts[CLOSED] == 0:
            counts[CLOSED] = 1
    if counts[EVALUATIONS] >= counts[LIMIT] and counts[CLOSED] == 0:
        counts[CLOSED] = 2
    return value


@dataclass(frozen=True)
class Minimum:
    """What a minimizer reached.

    Attributes:
        words: the best words, or the last ones when the reason is ``NEWS``.
        value: the objective there.
        evaluations: how many it took.
        reason: why it stopped.
    """

    words: Words
    value: float
    evaluations: int
    reason: Stop


class Door:
    """The one way to an objective.

    Args:
        address: of ``double objective(const int64_t *words)``.
        arity: how many words.
        question: what the objective asks; its data tells when a run is news. None for an objective of its own.
        outcome_address: where the outcome of the last run stands (0: every run returns).
        current: memory for the words being evaluated; shared with the parent so that it outlives this process.
    """

    def __init__(self, address: int, arity: int, question: Question | None = None, outcome_address: int = 0,
                 current: WordArray | None = None) -> None:  # fmt: skip
        data = question.data if question is not None else np.zeros(2, dtype=np.int64)
        outcome = np.zeros(1, dtype=np.int64) if not outcome_address else _view(outcome_address)
        self.counts = np.zeros(3, dtype=np.int64)
        self.counts[CLOSED] = Stop.BUDGET
        memory = current if current is not None else np.zeros(max(1, arity), dtype=np.int64)
        best = np.zeros(max(1, arity), dtype=np.int64)
        self.arity = arity
        self.native = NativeDoor(address, self.counts, best, np.full(1, np.inf), memory, data, outcome)

    @property
    def stop_address(self) -> int:
        """Where a clock writes ``Stop.TIME``."""
        return int(self.counts.ctypes.data) + 8 * CLOSED

    def open(self, evaluations: int) -> None:
        """Allow so many evaluations from now on, and forget the best so far. A door that the clock closed stays shut."""
        if self.counts[CLOSED] != Stop.TIME:
            self.counts[CLOSED] = Stop.OPEN if evaluations > 0 else Stop.BUDGET
        self.counts[EVALUATIONS], self.counts[LIMIT] = 0, evaluations
        self.native.value[0] = np.inf

    def evaluate(self, words: Words) -> float:
        """One evaluation from Python."""
        return float(evaluate(self.native, np.array(words, dtype=np.int64)))

    def result(self) -> Minimum:
        """What has been reached since the door was opened."""
        reason = Stop(int(self.counts[CLOSED]))
        source = self.native.current if reason is Stop.NEWS else self.native.best
        words = tuple(int(w) for w in source[: self.arity])
        return Minimum(words, float(self.native.value[0]), int(self.counts[EVALUATIONS]), reason)


def _view(address: int) -> WordArray:
    return np.ctypeslib.as_array((ctypes.c_int64 * 1).from_address(address))


@dataclass(frozen=True)
class Domain:
    """Where starting points come from: the range of every word, and per word a pool of values worth trying."""

    kinds: tuple[Kind, ...]
    ranges: tuple[tuple[int, int], ...]
    pools: tuple[tuple[int, ...], ...]

    @property
    def native(self) -> NativeDomain:
        starts = np.cumsum([0, *(len(p) for p in self.pools)]).astype(np.int64)
        flat = np.array([w for p in self.pools for w in p] or [0], dtype=np.int64)
        columns = [np.array(c, dtype=np.int64) for c in (self.kinds, [r[0] for r in self.ranges], [r[1] for r in self.ranges])]
        return NativeDomain(*columns, flat, starts)


def random_state(seeds: Sequence[int]) -> npt.NDArray[np.uint64]:
    """The state of a native random stream, from numbers that identify it."""
    return np.random.SeedSequence(seeds).generate_state(1, np.uint64)


@njit(cache=True, nogil=True)
def random_word(rng: Any) -> int:
    """The next 64 bits of the stream (SplitMix64)."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    z = rng[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(z ^ (z >> np.uint64(31)))


@njit(cache=True, nogil=True)
def random_below(rng: Any, n: int) -> int:
    """A number from 0 to n - 1."""
    return np.int64((np.uint64(random_word(rng)) >> np.uint64(1)) % np.uint64(n))


@njit(cache=True, nogil=True)
def random_unit(rng: Any) -> float:
    """A double in [0, 1)."""
    return float(np.uint64(random_word(rng)) >> np.uint64(11)) * 2.0**-53


@njit(cache=True, nogil=True)
def random_between(rng: Any, low: int, high: int) -> int:
    """A word from low to high, both inclusive."""
    span = np.uint64(high) - np.uint64(low)
    if span == np.uint64(0xFFFFFFFFFFFFFFFF):
        return random_word(rng)
    return np.int64(np.uint64(low) + np.uint64(random_word(rng)) % (span + np.uint64(1)))


@njit(cache=True, nogil=True)
def moved(word: int, step: int, low: int, high: int) -> int:
    """``word + step``, stopped at the ends of the range."""
    if step >= 0:
        return high if np.uint64(high) - np.uint64(word) < np.uint64(step) else word + step
    return low if np.uint64(word) - np.uint64(low) < np.uint64(-step) else word + step


@njit(cache=True, nogil=True)
def word_of_value(kind: int, value: float, low: int, high: int) -> int:
    """The word nearest to a double."""
    if kind == 0:
        return float_word(value)
    if kind == 1:
        bits = np.int64(np.float32(value).view(np.int32))
        line = bits ^ ((bits >> np.int64(63)) & np.int64(0x7FFFFFFF))
        return np.int64(np.int32(line - np.int64((1 << 23) - 1)))
    if value != value:
        return np.int64(0)
    shifted = value - 2.0**63 if kind == 9 else value
    if shifted <= float(low):
        return low
    if shifted >= float(high):
        return high
    return np.int64(shifted)


@njit(cache=True, nogil=True)
def value_of_word(kind: int, word: int) -> float:
    """The double of a word; a 64-bit integer is rounded."""
    if kind == 0:
        line = word + np.int64((1 << 52) - 1)
        return np.int64(line ^ ((line >> np.int64(63)) & np.int64(0x7FFFFFFFFFFFFFFF))).view(np.float64)
    if kind == 1:
        low = np.int32(word + np.int64((1 << 23) - 1))
        return float(np.int32(low ^ ((low >> np.int32(31)) & np.int32(0x7FFFFFFF))).view(np.float32))
    if kind == 9:
        return float(np.uint64(word) ^ np.uint64(1 << 63))
    return float(word)


@njit(cache=True, nogil=True)
def sample(domain: Any, x: Any, rng: Any) -> None:
    """Draw a starting point: each word uniform, from its pool, near one of its pool, small, or equal to another word."""
    n = len(x)
    for i in range(n):
        low, high, kind = domain.low[i], domain.high[i], domain.kinds[i]
        count = domain.start[i + 1] - domain.start[i]
        choice = random_below(rng, 16)
        if choice < 3 or (count == 0 and choice < 10):
            x[i] = random_between(rng, low, high)
        elif choice < 8:
            x[i] = domain.pool[domain.start[i] + random_below(rng, count)]
        elif choice < 10:
            near = domain.pool[domain.start[i] + random_below(rng, count)]
            step = random_word(rng) >> np.int64(random_below(rng, 63))
            x[i] = moved(near, step, low, high)
        elif choice < 14 or i == 0:
            scale = 2.0 ** float(random_below(rng, 24) - 12) if kind <= 1 else 2.0 ** float(random_below(rng, 12))
            value = (2.0 * random_unit(rng) - 1.0) * scale
            x[i] = min(max(word_of_value(kind, value, low, high), low), high)
        else:
            j = random_below(rng, i)
            x[i] = min(max(x[j], low), high) if domain.kinds[j] == kind else random_between(rng, low, high)
