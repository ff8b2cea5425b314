"""How fast the search runs, compared with the plain function at -O2 in a native loop over the same words.

Each function is measured in a process of its own. A whole search brings the coverage objective to where searches spend
their time: most branches are taken, and the probes ask for those that are left (for all of them: nothing is given up).
From there the minimizer makes 200,000 evaluations, once with a scribe between door and objective that writes down the
words. Then the same evaluations without the scribe, and the plain function over the written words, are timed in turn;
the best time of each counts.

The whole search before that, of the default strategy without exploration and proofs, is reported, too. It is made once
more with a scribe that writes down a sixteenth of its words, 4096 in a row at a time, and the plain function is timed
over these: processors foretell the branches of points that were drawn worse than those of a minimizer's steps.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from zeroin import Budget, CTarget, Door, LlvmSubject, Options, Worker, ZeroinError, domain_of, random_state
from zeroin.errors import WorkerDied
from zeroin.generate.schedule import SEARCH_ALONE, generate
from zeroin.generate.search import Search, SearchServices
from zeroin.languages.c.language import C
from zeroin.minimize import Stop, minimize, warm_up
from zeroin.minimize.base import sample
from zeroin.native import kernel as native
from zeroin.native.cells import ARITY, Phase
from zeroin.native.kernel import CELLS, callback, inlined, kernel
from zeroin.objective.coverage import CoverageObjective
from zeroin.subject.base import WordArray, branches_of
from zeroin.worker.base_process import Link
from zeroin.worker.messages import FROM_A_WORKER
from zeroin.worker.worker import Died

from .campaign import options_of, target_of
from .sources import Library
from .subjects import Entry

EVALUATIONS = 200_000
ROUNDS = 7
LONG_ENOUGH = 0.1  # seconds of a whole search for which its evaluations a second say something
_SETTLE = Budget(seconds=1.0)
_TRIES = 50
_ALL_THE_FUEL = 1 << 10
# The scribe finds these cells in front of the words that it is given.
_HEAD = 5
_OBJECTIVE, _ARITY, _COUNT, _LOG, _ROOM = -5, -4, -3, -2, -1
_IN_A_ROW, _OF = 4096, 16  # of so many times as many words, those in a row are written down
_ROOM_FOR_SAMPLE = 2_000_000


@dataclass(frozen=True)
class Speed:
    """Of one function.

    Attributes:
        search: seconds for an evaluation by the minimizer, everything included.
        plain: seconds for a call of the plain function, on the same words.
        evaluations: how many were timed.
        missing: branches that the objective still asks for.
        whole: seconds for an evaluation of the whole search, everything included.
        whole_plain: seconds for a call of the plain function, on a sample of its words.
        seconds: of the whole search.
    """

    function: str
    search: float
    plain: float
    evaluations: int
    missing: int
    whole: float
    whole_plain: float
    seconds: float

    @property
    def ratio(self) -> float:
        """Evaluations a second, divided by calls a second."""
        return self.plain / self.search

    @property
    def whole_ratio(self) -> float:
        """The same for the whole search."""
        return self.whole_plain / self.whole


def median_ratio(speeds: Sequence[Speed]) -> float:
    """The figure of the benchmark."""
    return statistics.median(speed.ratio for speed in speeds)


def speeds(library: Library, entries: Sequence[Entry], told: Callable[[Speed], None]) -> tuple[list[Speed], list[str]]:
    """Measure one function after the other: the speeds, and a line for each that could not be measured."""
    measured, errors = [], []
    with Worker(accepted=(*FROM_A_WORKER, tuple)) as sandbox:
        for entry in entries:
            try:
                measured.append(_speed(library, entry, sandbox))
                told(measured[-1])
            except ZeroinError as error:
                errors.append(f"{entry.function}: {error}")
    return measured, errors


def _speed(library: Library, entry: Entry, sandbox: Worker) -> Speed:
    target = target_of(library, entry)
    options = options_of(target, entry, _SETTLE, 0)
    figures: tuple[Any, ...] = ()
    for message in sandbox.run("bench.fdlibm.speed:measure", target.path, target.function, options):
        if isinstance(message, Died):
            raise WorkerDied("the worker process died while its speed was measured")
        if message is not None:
            figures = message
    if not figures:
        raise WorkerDied("the worker process ended without an answer")
    return Speed(entry.function, *figures)


# ---- in the worker process ----


@callback(types.float64(CELLS))
def _scribe(words: Any) -> Any:
    """Write the words down, then ask the objective. What it needs to know stands in front of the words."""
    if words[_COUNT] < words[_ROOM]:
        _write(words, words[_COUNT])
    words[_COUNT] += 1
    return native.call_objective(words[_OBJECTIVE], native.address_of(words))


@callback(types.float64(CELLS))
def _sampling_scribe(words: Any) -> Any:
    """The same for some of the words."""
    rows, place = words[_COUNT] // (_IN_A_ROW * _OF), words[_COUNT] % (_IN_A_ROW * _OF)
    if place < _IN_A_ROW and rows * _IN_A_ROW + place < words[_ROOM]:
        _write(words, rows * _IN_A_ROW + place)
    words[_COUNT] += 1
    return native.call_objective(words[_OBJECTIVE], native.address_of(words))


@inlined
def _write(words: Any, row: Any) -> None:
    log, arity = native.cells_at(words[_LOG]), words[_ARITY]
    for i in range(arity):
        log[row * arity + i] = words[i]


@kernel
def _call_all(address: int, log: Any, arity: int) -> None:
    """The native loop: the function on every row of words."""
    start = log.ctypes.data
    for i in range(len(log) // arity):
        native.call_void(address, start + 8 * arity * i)


class _Watched:
    """A subject whose evaluations a scribe sees."""

    def __init__(self, subject: LlvmSubject, head: WordArray) -> None:
        self._subject, self._head = subject, head

    def __getattr__(self, name: str) -> Any:
        return getattr(self._subject, name)

    def install(self, *question: Any) -> int:
        self._head[_HEAD + _OBJECTIVE] = self._subject.install(*question)
        return int(_sampling_scribe.address)


def measure(link: Link, path: Path, function: str, options: Options) -> None:
    """Job: send seconds an evaluation, seconds a plain call, how many evaluations, missing branches, the search."""
    link.phase(Phase.LOADING)  # nothing here is a search that the parent should watch for silence
    subject = C().subject(CTarget(function, path, function), options, None)
    link.memory[ARITY] = subject.signature.arity
    warm_up("avm")
    subject.guard()
    search = _search(subject, options, link)
    generate(search, SEARCH_ALONE)
    seconds, evaluations = search.seconds, search.evaluations
    whole = seconds / evaluations, _plain_seconds(subject, _sample(subject, options, link)), seconds
    search.given_up = search.in_vain = 0
    objective, log, taken = _recorded(subject, search)
    searching, calling = [], []
    for _ in range(ROUNDS):
        calling.append(_plain_seconds(subject, log, rounds=1))
        seconds, again = _evaluate(subject, search, objective, subject.objective_address)
        assert again == taken, "the same search evaluates the same words"
        searching.append(seconds / taken)
    link.send((min(searching), min(calling), taken, search.missing.bit_count(), *whole))


def _search(subject: Any, options: Options, link: Link) -> Search:
    return Search(subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants),
                  options.budget, options.seed, services=SearchServices(memory=link.memory))  # fmt: skip


def _sample(subject: LlvmSubject, options: Options, link: Link) -> WordArray:
    """Make the whole search once more: some of its words."""
    arity = subject.signature.arity
    log, memory = np.zeros(_ROOM_FOR_SAMPLE * arity, dtype=np.int64), np.zeros(_HEAD + arity, dtype=np.int64)
    memory[:_HEAD] = 0, arity, 0, log.ctypes.data, _ROOM_FOR_SAMPLE
    search = _search(_Watched(subject, memory), options, link)
    search.x = memory[_HEAD:]
    generate(search, SEARCH_ALONE)
    rows, place = divmod(int(memory[_HEAD + _COUNT]), _IN_A_ROW * _OF)
    return log[: min(rows * _IN_A_ROW + min(place, _IN_A_ROW), _ROOM_FOR_SAMPLE) * arity]


def _plain_seconds(subject: LlvmSubject, log: WordArray, rounds: int = ROUNDS) -> float:
    """Seconds for a call of the plain function, on each of the words in turn, in the best round."""
    plain, arity, best = subject.plain_address, subject.signature.arity, math.inf
    for _ in range(rounds):
        started = time.perf_counter()
        _call_all(plain, log, arity)
        best = min(best, time.perf_counter() - started)
    return best / (len(log) // arity)


def _recorded(subject: LlvmSubject, search: Search) -> tuple[CoverageObjective, WordArray, int]:
    """An objective with which the evaluations meet no news, the words that they meet, and how many."""
    objective = CoverageObjective(len(subject.sites))
    log = np.zeros(EVALUATIONS * subject.signature.arity, dtype=np.int64)
    for _ in range(_TRIES):
        objective.update(search.saturated, search.covered, search.seen)
        _, taken = _evaluate(subject, search, objective, _scribe.address, log)
        if taken == EVALUATIONS:
            break
    return objective, log[: taken * subject.signature.arity], taken


def _evaluate(subject: LlvmSubject, search: Search, objective: CoverageObjective, address: int,
              log: WordArray | None = None) -> tuple[float, int]:  # fmt: skip
    """Minimise from always the same start, with the same random numbers: seconds and evaluations."""
    arity = subject.signature.arity
    memory = np.zeros(_HEAD + arity, dtype=np.int64)
    memory[:_HEAD] = subject.objective_address, arity, 0, log.ctypes.data if log is not None else 0, EVALUATIONS
    start = memory[_HEAD:]
    rng = random_state([1, 2])
    sample(search.domain.native, start, rng)
    subject.install(objective.question, _ALL_THE_FUEL)  # as the plain function has
    door = Door(address, arity, objective.question, subject.outcome_address)
    door.open(EVALUATIONS)
    started = time.perf_counter()
    result = minimize("avm", door, search.domain, start, rng)
    seconds = time.perf_counter() - started
    if result.reason in (Stop.NEWS, Stop.ZERO):
        search.offer(result.words)
    return seconds, result.evaluations
