"""What all minimizers share: the door, through which they evaluate the objective, and the domain of the inputs.

A minimizer is a function ``minimize(door, domain, x, rng)``. It starts at the words ``x``, calls :func:`evaluate`, and
returns when :func:`is_open` is false. The door counts the evaluations, keeps the best words and closes itself, so a
minimizer needs no bookkeeping. To add one, write the function and add a line to ``MINIMIZERS`` (``registry.py``).

Inputs are *ordered words*: 64-bit integers in the order of the values that they encode (:mod:`zeroin.words`).
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..native import kernel as native
from ..native.cells import (
    ADDRESS,
    BEST_WORDS,
    CLOSED,
    DATA,
    DOOR_CELLS,
    LAST_WORDS,
    LEFT,
    NEWS,
    NEWS_OF_ABNORMAL_RUN,
    OUTCOME,
    VALUE,
    Stop,
)
from ..native.kernel import inlined, kernel, rare
from ..native.words import value_of_word, word_of_small, word_of_value
from ..subject.base import WordArray, Words
from ..subject.search_problem import SearchProblem
from ..words import Kind

Random: TypeAlias = npt.NDArray[np.uint64]  # the state of a random stream
Floats: TypeAlias = npt.NDArray[np.float64]

_ZERO_FOUND, _NEWS_FOUND = int(Stop.ZERO), int(Stop.NEWS)
_INFINITY = 0x7FF0000000000000  # the bits of inf
_LAST_FLOAT = int(Kind.F32)
_LARGEST, _LARGEST_FLOAT = float(np.finfo(np.float64).max), float(np.finfo(np.float32).max)


class NativeDomain(namedtuple("NativeDomain", "kinds low high pool start runs")):
    """A :class:`Domain` as arrays, for native code.

    Attributes:
        kinds, low, high: for each word, its kind, and its lowest and highest value.
        pool, start: the values worth trying. Those of word i are ``pool[start[i]:start[i+1]]``.
        runs: the runs, which are consecutive words with values worth trying together, such as strings. The first cell
            is the number of runs. Then each run has four cells: its first word, its number of words, its number of
            choices, and the index in ``runs`` where the choices begin.
    """

    only_indexed = True  # see native/kernel.py, Form


@inlined
def is_open(door: int) -> bool:
    """Return whether the search may go on."""
    return native.cells_at(door)[LEFT] > 0


@inlined
def evaluate(door: int, x: WordArray) -> float:
    """Return the objective at the words ``x``, or infinity if the door is closed.

    It counts the evaluation, keeps the best words, and closes the door when the search has to stop.
    """
    cells = native.cells_at(door)
    if cells[LEFT] <= 0:
        return np.inf
    value = native.call_objective(cells[ADDRESS], native.data_of(x))
    cells[LEFT] -= 1
    if native.cells_at(cells[DATA])[NEWS] != 0:
        _take_news(door, x)
    # The bit patterns of nonnegative floats have the order of the floats.
    if np.float64(value).view(np.int64) < cells[VALUE]:
        _take_best(door, x, value)
    return value


@inlined
def ended_as(door: int) -> Any:
    """Return the :class:`~zeroin.subject.base.Termination` of the last run."""
    return native.cells_at(native.cells_at(door)[OUTCOME])[0]


@inlined
def spend(door: int) -> bool:
    """Count an evaluation of another function than the objective, such as a part of it.

    Return False if the door is closed. Then the caller must not make the evaluation.
    """
    cells = native.cells_at(door)
    if cells[LEFT] <= 0:
        return False
    cells[LEFT] -= 1
    return True


@rare
def _take_news(door: int, x: WordArray) -> None:
    """Close the door because of news, if the run returned or ended abnormally in a new way."""
    cells = native.cells_at(door)
    data = native.cells_at(cells[DATA])
    if native.cells_at(cells[OUTCOME])[0] == 0 or data[NEWS_OF_ABNORMAL_RUN] != 0:
        _close(door, _NEWS_FOUND)
        last = native.cells_at(cells[LAST_WORDS])
        for i in range(len(x)):
            last[i] = x[i]
    data[NEWS] = 0
    data[NEWS_OF_ABNORMAL_RUN] = 0


@rare
def _take_best(door: int, x: WordArray, value: float) -> None:
    """Store the best words and value so far. A zero closes the door."""
    cells = native.cells_at(door)
    cells[VALUE] = np.float64(value).view(np.int64)
    best = native.cells_at(cells[BEST_WORDS])
    for i in range(len(x)):
        best[i] = x[i]
    if value == 0.0 and cells[CLOSED] == 0:
        _close(door, _ZERO_FOUND)


@kernel
def _close(door: int, reason: int) -> None:
    """Close the door. The number of evaluations that were left stays in the cell, as a negative number."""
    cells = native.cells_at(door)
    cells[LEFT] = -abs(cells[LEFT])
    cells[CLOSED] = reason


@dataclass(frozen=True)
class Minimum:
    """The result of a minimizer.

    Attributes:
        words: the best words. If the reason is ``NEWS``: the last words.
        value: the best value of the objective. If it is infinite, there was no finite value, and ``words`` has no
            meaning unless the reason is ``NEWS``.
        evaluations: the number of evaluations.
        reason: the reason why the door closed. ``OPEN`` if the minimizer gave up before.
    """

    words: Words
    value: float
    evaluations: int
    reason: Stop


class Door:
    """The object that every evaluation of a search passes through. It counts the evaluations and stops them.

    Args:
        address: the address of ``double objective(const int64_t *words)``.
        arity: the number of words.
        question: the search problem of the objective; its data tell whether a run is news. None for an objective
            without a subject.
        outcome_address: the address of the last run's termination, an int64. 0: every run returns.
        current: memory for the words that :meth:`evaluate` runs. If shared with the parent process, it outlives this
            process.
        cells: memory for the cells of the door. It may be shared, too.

    Attributes:
        arity: the number of words.
        limits: the least and the largest values of the words: :meth:`evaluate` clips words to them. None: it does not.
    """

    def __init__(self, address: int, arity: int, question: SearchProblem | None = None, outcome_address: int = 0,
                 current: WordArray | None = None, cells: WordArray | None = None) -> None:  # fmt: skip
        self.arity = arity
        self.cells = cells if cells is not None else np.zeros(DOOR_CELLS, dtype=np.int64)
        self._data = question.data if question is not None else np.zeros(2, dtype=np.int64)
        self._outcome = np.zeros(1, dtype=np.int64)
        self._current = current if current is not None else np.zeros(max(1, arity), dtype=np.int64)
        self._best, self._last = np.zeros((2, max(1, arity)), dtype=np.int64)
        self.cells[ADDRESS:] = (
            address, self._data.ctypes.data, outcome_address or self._outcome.ctypes.data,
            self._last.ctypes.data, self._best.ctypes.data, _INFINITY,
        )  # fmt: skip
        self._allowed = 0
        self.limits: tuple[WordArray, WordArray] | None = None
        self._evaluate: Callable[[], float] | None = None

    @property
    def native(self) -> int:
        """The address of the door's cells, which minimizers take. It is valid as long as this object exists."""
        return int(self.cells.ctypes.data)

    def open(self, evaluations: int) -> None:
        """Open the door for a number of evaluations, and forget the best words so far."""
        self._allowed = evaluations
        self.cells[LEFT], self.cells[CLOSED], self.cells[VALUE] = evaluations, Stop.OPEN, _INFINITY

    def evaluate(self, words: Words) -> float:
        """Evaluate the objective from Python, as the function :func:`evaluate` does: infinity if the door is closed."""
        self._current[: self.arity] = words
        if self.limits is not None:
            own = self._current[: self.arity]
            np.minimum(np.maximum(own, self.limits[0], out=own), self.limits[1], out=own)
        self._evaluate = self._evaluate or evaluate.prepared(self.native, self._current)  # type: ignore[attr-defined]
        return float(self._evaluate())

    def result(self) -> Minimum:
        """Return the result since the door was opened."""
        left = int(self.cells[LEFT])
        reason = Stop(int(self.cells[CLOSED]))
        if reason is Stop.OPEN and left <= 0:
            reason = Stop.BUDGET
        source = self._last if reason is Stop.NEWS else self._best
        words = tuple(int(w) for w in source[: self.arity])
        value = float(self.cells[VALUE : VALUE + 1].view(np.float64)[0])
        return Minimum(words, value, self._allowed - abs(left), reason)


@dataclass(frozen=True)
class Domain:
    """The possible inputs, and those that are worth trying.

    Attributes:
        kinds: for each word, its kind.
        ranges: for each word, its lowest and highest value.
        pools: for each word, the values worth trying; empty if there are none.
        runs: for consecutive words (such as a string), the index of the first one and the choices worth trying
            together, at least one.
    """

    kinds: tuple[Kind, ...]
    ranges: tuple[tuple[int, int], ...]
    pools: tuple[tuple[int, ...], ...]
    runs: tuple[tuple[int, tuple[Words, ...]], ...] = ()

    @cached_property
    def plain(self) -> Domain:
        """The same ranges without values worth trying."""
        return Domain(self.kinds, self.ranges, ((),) * len(self.kinds))

    @cached_property
    def text_ends(self) -> WordArray | None:
        """For each word that is the length of a text, the index of the word after its characters; for other words 0.

        None if there are no texts.
        """
        if Kind.CHAR not in self.kinds:
            return None
        ends = np.zeros(len(self.kinds), dtype=np.int64)
        end = len(self.kinds)
        for i in reversed(range(len(self.kinds))):
            if self.kinds[i] is not Kind.CHAR:
                ends[i] = end if end > i + 1 else 0
                end = i
        return ends

    @cached_property
    def native(self) -> NativeDomain:
        """The domain as arrays."""
        starts = np.cumsum([0, *(len(p) for p in self.pools)]).astype(np.int64)
        flat = np.array([w for p in self.pools for w in p] or [0], dtype=np.int64)
        columns = [
            np.array(c, dtype=np.int64) for c in (self.kinds, [r[0] for r in self.ranges], [r[1] for r in self.ranges])
        ]
        return NativeDomain(columns[0], columns[1], columns[2], flat, starts, self._flat_runs())

    def _flat_runs(self) -> WordArray:
        """Return the runs in the form of :attr:`NativeDomain.runs`."""
        at, head, choices = 1 + 4 * len(self.runs), list[int](), list[int]()
        for first, several in self.runs:
            head += [first, len(several[0]), len(several), at + len(choices)]
            choices += [word for words in several for word in words]
        return np.array([len(self.runs), *head, *choices], dtype=np.int64)


def random_state(seeds: Sequence[int]) -> Random:
    """Return the initial state of a native random stream that is identified by these numbers."""
    return np.random.SeedSequence(seeds).generate_state(1, np.uint64).astype(np.uint64)


@inlined
def random_word(rng: Random) -> Any:
    """Return the next 64 bits of the stream (SplitMix64)."""
    rng[0] += np.uint64(0x9E3779B97F4A7C15)
    z = rng[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(z ^ (z >> np.uint64(31)))


@inlined
def random_below(rng: Random, n: Any) -> Any:
    """Return a random number from 0 to n - 1, for n up to 2**32."""
    return np.int64((np.uint64(random_word(rng)) >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))


@kernel
def random_unit(rng: Random) -> float:
    """Return a random double in [0, 1)."""
    return float(np.uint64(random_word(rng)) >> np.uint64(11)) * 2.0**-53


@kernel
def normal(rng: Random) -> float:
    """Return a number from the standard normal distribution (Box-Muller method)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - random_unit(rng)))
    return radius * math.cos(2.0 * math.pi * random_unit(rng))


@kernel
def random_between(rng: Random, low: Any, high: Any) -> Any:
    """Return a random word from low to high, both inclusive."""
    span = np.uint64(high) - np.uint64(low)
    if span == np.uint64(0xFFFFFFFFFFFFFFFF):
        return random_word(rng)
    return np.int64(np.uint64(low) + np.uint64(random_word(rng)) % (span + np.uint64(1)))


@kernel
def uniform(domain: NativeDomain, i: Any, rng: Random) -> Any:
    """Return a word for variable i so that all its values (if a float, its finite ones) are equally likely."""
    kind, low, high = domain.kinds[i], domain.low[i], domain.high[i]
    if kind > _LAST_FLOAT:
        return random_between(rng, low, high)
    least, most = bounds(domain, i)
    share = random_unit(rng)
    return word_of_value(kind, (1.0 - share) * least + share * most, low, high)


@inlined
def bounds(domain: NativeDomain, i: object) -> Any:
    """Return the least and the greatest value of variable i, finite ones if it is a float."""
    kind = domain.kinds[i]
    largest = _LARGEST_FLOAT if kind == _LAST_FLOAT else _LARGEST
    least, most = value_of_word(kind, domain.low[i]), value_of_word(kind, domain.high[i])
    return max(least, -largest) if least == least else -largest, min(most, largest) if most == most else largest


@inlined
def moved(word: Any, step: Any, low: Any, high: Any) -> Any:
    """Return ``word + step``, limited to the range that contains the word. Nothing overflows."""
    if step >= 0:
        return high if np.uint64(high) - np.uint64(word) < np.uint64(step) else word + step
    return low if np.uint64(word) - np.uint64(low) < np.uint64(-step) else word + step


_UNIFORM, _WORTH_TRYING, _NEAR_ONE, _SMALL, _AS_ANOTHER = range(5)
ALL_BITS, SMALL = _UNIFORM, _SMALL  # ways to draw a start, for sample_all


@kernel
def sample(domain: NativeDomain, x: WordArray, rng: Random) -> None:
    """Set ``x`` to a drawn start. Each word is uniform, from its pool or near it, small, or equal to an earlier word.

    If there are values worth trying for several words together, half of the starts get some of these.
    """
    for i in range(len(x)):
        x[i] = drawn_word(domain, x, i, way_to_draw(domain, i, rng), rng)
    if domain.runs[0] > 0 and random_below(rng, 2) == 0:
        put_runs(domain, x, rng)


@kernel
def sample_all(domain: NativeDomain, x: WordArray, way: Any, rng: Random) -> None:
    """Set ``x`` to a start whose words are all drawn in one way: ``ALL_BITS`` (uniform words), or ``SMALL`` values."""
    for i in range(len(x)):
        x[i] = drawn_word(domain, x, i, way, rng)


@kernel
def put_runs(domain: NativeDomain, x: WordArray, rng: Random) -> None:
    """Set about half of the runs to one of their choices."""
    for run in range(domain.runs[0]):
        if random_below(rng, 2) == 0:
            head = 1 + 4 * run
            first, size, count = domain.runs[head], domain.runs[head + 1], domain.runs[head + 2]
            at = domain.runs[head + 3]
            at += size * random_below(rng, count)
            for i in range(size):
                x[first + i] = domain.runs[at + i]


@inlined
def way_to_draw(domain: NativeDomain, i: Any, rng: Random) -> Any:
    """Return one of the ways to draw word i, at random."""
    choice, no_pool = random_below(rng, 16), domain.start[i + 1] == domain.start[i]
    if choice < 3 or (no_pool and choice < 10):
        return _UNIFORM
    if choice < 8:
        return _WORTH_TRYING
    if choice < 10:
        return _NEAR_ONE
    return _SMALL if choice < 14 or i == 0 else _AS_ANOTHER


@inlined
def drawn_word(domain: NativeDomain, x: WordArray, i: Any, way: Any, rng: Random) -> Any:
    """Return a value for word i, drawn in the given way. The words before it are already set.

    It is inlined because passing the domain takes longer than drawing a word.
    """
    low, high, kind = domain.low[i], domain.high[i], domain.kinds[i]
    if way in (_WORTH_TRYING, _NEAR_ONE):
        at = domain.pool[domain.start[i] + random_below(rng, domain.start[i + 1] - domain.start[i])]
        if way == _WORTH_TRYING:
            return at
        return moved(at, random_word(rng) >> np.int64(random_below(rng, 63)), low, high)
    if way == _SMALL:
        exponent = random_below(rng, 24) - 12 if kind <= 1 else random_below(rng, 12)
        value = (2.0 * random_unit(rng) - 1.0) * np.int64((1023 + exponent) << np.int64(52)).view(np.float64)
        return min(max(word_of_small(kind, value), low), high)
    if way == _AS_ANOTHER:
        j = random_below(rng, i)
        if domain.kinds[j] == kind:
            return min(max(x[j], low), high)
    return random_between(rng, low, high)
