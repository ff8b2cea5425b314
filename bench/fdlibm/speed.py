"""How fast the search runs, compared with the plain function at -O2 in a native loop over the same words.

Each function is measured in a process of its own. A whole search brings the coverage objective to where searches spend
their time: most branches are taken, and few probes still ask for something. From there the minimizer makes 200,000
evaluations, once with a scribe between door and objective that writes down the words. Then the same evaluations
without the scribe, and the plain function over the written words, are timed in turn; the best time of each counts.
The speed of the whole search before that is reported, too.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from zeroin import native
from zeroin.config import Budget, Options
from zeroin.errors import WorkerDied, ZeroinError
from zeroin.generate.hybrid import generate
from zeroin.generate.pools import domain_of
from zeroin.generate.search import Search
from zeroin.minimize import Door, Stop, minimize, random_state, warm_up
from zeroin.minimize.base import sample
from zeroin.native import CELLS, callback, kernel
from zeroin.objective.coverage import CoverageObjective
from zeroin.subject.base import WordArray, branches_of
from zeroin.subject.llvm.engine import LlvmSubject
from zeroin.subject.sandbox import ARITY, LOADING, Died, Link, Sandbox
from zeroin.suite.suite import Target
from zeroin.suite.worker import load_llvm

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
_HEAD = 4
_OBJECTIVE, _ARITY, _COUNT, _LOG = -4, -3, -2, -1


@dataclass(frozen=True)
class Speed:
    """Of one function.

    Attributes:
        search: seconds for an evaluation by the minimizer, everything included.
        plain: seconds for a call of the plain function, on the same words.
        evaluations: how many were timed.
        missing: branches that the objective still asks for.
        whole: evaluations and seconds of the whole search.
    """

    function: str
    search: float
    plain: float
    evaluations: int
    missing: int
    whole: tuple[int, float]

    @property
    def ratio(self) -> float:
        """Evaluations a second, divided by calls a second."""
        return self.plain / self.search

    @property
    def whole_ratio(self) -> float:
        """The same for the whole search."""
        evaluations, seconds = self.whole
        return evaluations / seconds * self.plain


def median_ratio(speeds: Sequence[Speed]) -> float:
    """The figure of the benchmark."""
    return statistics.median(speed.ratio for speed in speeds)


def speeds(library: Library, entries: Sequence[Entry], told: Callable[[Speed], None]) -> tuple[list[Speed], list[str]]:
    """Measure one function after the other: the speeds, and a line for each that could not be measured."""
    measured, errors = [], []
    with Sandbox() as sandbox:
        for entry in entries:
            try:
                measured.append(_speed(library, entry, sandbox))
                told(measured[-1])
            except ZeroinError as error:
                errors.append(f"{entry.function}: {error}")
    return measured, errors


def _speed(library: Library, entry: Entry, sandbox: Sandbox) -> Speed:
    target = target_of(library, entry)
    options = options_of(target, entry, _SETTLE, 0)
    figures: tuple[Any, ...] = ()
    for message in sandbox.run("bench.fdlibm.speed:measure", target.path, target.function, options):
        if isinstance(message, Died):
            raise WorkerDied("the worker process died while its speed was measured")
        if message is not None:
            figures = message[1]
    if not figures:
        raise WorkerDied("the worker process ended without an answer")
    return Speed(entry.function, *figures)


# ---- in the worker process ----


@callback(types.float64(CELLS))
def _scribe(words: Any) -> Any:
    """Write the words down, then ask the objective. What it needs to know stands in front of the words."""
    log = native.cells_at(words[_LOG])
    arity = words[_ARITY]
    at = words[_COUNT] * arity
    for i in range(arity):
        log[at + i] = words[i]
    words[_COUNT] += 1
    return native.call_objective(words[_OBJECTIVE], native.address_of(words))


@kernel
def _call_all(address: int, log: Any, arity: int) -> None:
    """The native loop: the function on every row of words."""
    start = log.ctypes.data
    for i in range(len(log) // arity):
        native.call_void(address, start + 8 * arity * i)


def measure(link: Link, path: Path, function: str, options: Options) -> None:
    """Job: send seconds an evaluation, seconds a plain call, how many evaluations, missing branches, the search."""
    link.phase(LOADING)  # nothing here is a search that the parent should watch for silence
    subject = load_llvm(Target(function, path, function), options)
    link.memory[ARITY] = subject.signature.arity
    warm_up("avm")
    subject.guard()
    search = Search(subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants),
                    options.budget, options.seed, memory=link.memory)  # fmt: skip
    generate(search)
    whole = search.evaluations, search.seconds
    objective, log, taken = _recorded(subject, search)
    plain = subject.plain_address
    searching, calling = [], []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        _call_all(plain, log, subject.signature.arity)
        calling.append((time.perf_counter() - started) / taken)
        seconds, again = _evaluate(subject, search, objective, subject.objective_address)
        assert again == taken, "the same search evaluates the same words"
        searching.append(seconds / taken)
    link.send("speed", min(searching), min(calling), taken, search.missing.bit_count(), whole)


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
    memory[:_HEAD] = subject.objective_address, arity, 0, log.ctypes.data if log is not None else 0
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
