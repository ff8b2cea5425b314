"""Random testing, as pure as it comes: every word uniform over its range, so that every bit pattern is as likely.

``--minimizer random`` is not that: each of its slices starts at a point that may be one of the subject's constants.
"""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path
from typing import Any

import numpy as np

from zeroin.config import Budget, Options
from zeroin.errors import WorkerDied
from zeroin.generate.domain import domain_of
from zeroin.generate.search import Search
from zeroin.minimize import warm_up
from zeroin.minimize.base import random_between
from zeroin.native.cells import ARITY, Phase
from zeroin.objective.coverage import CoverageObjective
from zeroin.subject.base import Target, branches_of
from zeroin.subject.llvm.language import C
from zeroin.suite.reduce import reduce
from zeroin.suite.suite import Input, Suite
from zeroin.worker.base import Link
from zeroin.worker.sandbox import Died, Sandbox

SLICE = 1_000_000
_NO_LIMIT = 10**15
_PURPOSE = 3


def cover_by_chance(target: Target, options: Options, sandbox: Sandbox) -> Suite:
    """Like :func:`zeroin.worker.parent.cover`, but by random testing, for as many seconds and any number of runs.

    Raises:
        WorkerDied: a run ended the process; no function of fdlibm does that.
    """
    started = time.perf_counter()
    unlimited = dataclasses.replace(options, budget=Budget(_NO_LIMIT, options.budget.seconds))
    result: tuple[Any, ...] = ()
    for message in sandbox.run("bench.fdlibm.chance:search", target.path, target.function, unlimited):
        if isinstance(message, Died):
            raise WorkerDied(f"{target.text}: the worker process died of random testing")
        if message is not None:
            result = message
    if not result:
        raise WorkerDied(f"{target.text}: the worker process ended without an answer")
    signature, sites, inputs, reason, evaluations, seconds, disagreements = result
    return Suite(
        target, signature, sites, branches_of(sites), inputs, [], options.seed, evaluations, seconds, reason,
        disagreements, total_seconds=time.perf_counter() - started,
    )  # fmt: skip


def search(link: Link, path: Path, function: str, options: Options) -> None:
    """Job: test at random, and send a suite of the inputs that first took a branch."""
    link.phase(Phase.LOADING)
    subject = C().unfenced(Target(function, path, function), options)
    branches = branches_of(subject.sites)
    link.memory[ARITY] = subject.signature.arity
    warm_up("random")
    subject.guard()
    state = Search(
        subject, branches, domain_of(subject.signature, ()), options.budget, options.seed, "random",
        memory=link.memory,
    )  # fmt: skip
    link.phase(Phase.SEARCHING)
    reason = _test(state)
    evaluations, seconds = state.evaluations, state.seconds
    link.phase(Phase.LOADING)  # replaying may load the plain function, which is silent work
    chosen = reduce(state.runs, (branch.outcome for branch in branches))
    inputs, disagreements = [], 0
    for run in (state.runs[number] for number in chosen):
        replay = subject.replay(run.words)
        if subject.same(replay, subject.observe(run.words)):
            inputs.append(Input(run.words, run.covered, replay))
        else:
            disagreements += 1
    link.send((subject.signature, subject.sites, inputs, reason, evaluations, seconds, disagreements))


def _test(state: Search) -> str:
    """Run until the time is up or nothing is missing. The objective leads nowhere: it only tells what is new."""
    objective = CoverageObjective(len(state.subject.sites), state.distance)
    while not (reason := state.stopped):
        objective.update(-1, state.covered, state.seen)
        state.minimize(objective.question, SLICE, _anywhere(state), _PURPOSE)
    return reason


def _anywhere(state: Search) -> Any:
    rng = state.stream(_PURPOSE + 1)
    return np.array([random_between(rng, low, high) for low, high in state.domain.ranges], dtype=np.int64)
