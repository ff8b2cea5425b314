"""What runs in the worker process: load the subject, search, choose and simplify the inputs, replay them."""

from __future__ import annotations

import dataclasses
import os
import resource
from pathlib import Path
from typing import Any

from ..config import Options
from ..generate import hybrid
from ..generate.pools import domain_of
from ..generate.search import Run, Search
from ..minimize import warm_up
from ..subject.base import Outcome, Replay, Words, branches_of
from ..subject.llvm.engine import LlvmOptions, LlvmSubject
from ..subject.llvm.signature import ArraySpec
from ..subject.sandbox import ARITY, BEAT, FINISHING, LOADING, SEARCHING, WORDS, Link
from .simplify import simplify
from .suite import Resume, minimise

MOST_ABNORMAL = 20  # runs that crash or hang and are reported, for one target


def load(path: Path, function: str, options: Options) -> LlvmSubject:
    """Load and instrument a C, C++ or LLVM IR function in this process."""
    arrays = tuple(ArraySpec.parse(text) for text in options.arrays)
    return LlvmSubject(path, function, LlvmOptions(options.cc, options.others, options.callees, arrays,
                                                   options.fuel, options.memory))  # fmt: skip


def describe(link: Link, path: Path, function: str, options: Options) -> None:
    """Job: say what would be tested."""
    link.phase(LOADING)
    subject = load(path, function, options)
    link.send("loaded", subject.signature, subject.sites, subject.language)


def list_functions(link: Link, path: Path, options: Options) -> None:
    """Job: the functions that a file defines."""
    from ..subject.llvm.compile import compile_all
    from ..subject.llvm.engine import functions_of

    link.phase(LOADING)
    link.send("functions", functions_of(path, compile_all([path], options.cc)))


def cover(link: Link, path: Path, function: str, options: Options, resume: Resume) -> None:
    """Job: the whole work on one target. Sends ``loaded``, ``found`` as it goes, ``searched``, and ``suite``."""
    link.phase(LOADING)
    subject = load(path, function, options)
    branches = branches_of(subject.sites)
    link.send("loaded", subject.signature, subject.sites, subject.language)
    _limit_memory(options.memory)
    link.memory[ARITY] = subject.signature.arity
    if branches:
        warm_up(options.minimizer)
    subject.guard()
    search = Search(
        subject, branches, domain_of(subject.signature, subject.constants), options.budget,
        options.seed + 1_000_003 * resume.lives, options.minimizer, options.distance,
        lambda run: link.send("found", run, search.evaluations, search.seconds),
        link.memory, list(resume.runs), (resume.evaluations, resume.seconds),
    )  # fmt: skip
    for words in resume.lethal:
        search.offer_lethal((words, Outcome.KILLED, subject.covers_in_child(words)))
    if not branches:
        search.offer(
            (0,) * subject.signature.arity if not search.domain.pools else tuple(p[0] for p in search.domain.pools)
        )
    link.phase(SEARCHING)
    reason = "the worker process kept dying" if resume.final else hybrid.generate(search, options.engine)
    link.send("searched", reason, search.evaluations, search.seconds, search.reached)
    link.phase(FINISHING)
    wanted = frozenset(b.outcome for b in branches)
    link.send("suite", *_finish(link, subject, search.runs, wanted, bool(branches)), subject.stateful)


def _finish(
    link: Link, subject: LlvmSubject, runs: list[Run], wanted: frozenset[int], has_branches: bool
) -> tuple[Any, ...]:
    """Choose, simplify, and replay: (inputs with their replays, abnormal runs, disagreements)."""

    def show(words: Words) -> None:
        link.memory[WORDS : WORDS + len(words)] = words
        link.memory[BEAT] += 1

    def covers(words: Words) -> tuple[Outcome, frozenset[int]]:
        show(words)
        return subject.covers(words)

    chosen = [runs[n] for n in minimise(runs, wanted)] if has_branches else runs[:1]
    simple = simplify(subject.signature, chosen, wanted, covers)
    simple = [simple[n] for n in minimise(simple, wanted)] if has_branches else simple
    ended = {(run[1], run[2]): run for run in reversed(runs) if run[1] is not Outcome.RETURNED}
    abnormal = list(reversed(ended.values()))[:MOST_ABNORMAL]
    disagreements: list[Words] = []
    kept: list[tuple[Run, Replay]] = []
    for run in [*simple, *(r for r in abnormal if r not in simple)]:
        show(run[0])
        if run[1] is Outcome.KILLED:
            kept.append((run, Replay(Outcome.KILLED)))
            continue
        observed, replay = subject.observe(run[0]), subject.replay(run[0])
        if same(observed, replay, subject):
            kept.append((run, replay))
        else:
            disagreements.append(run[0])
    return kept, disagreements


def same(one: Replay, other: Replay, subject: LlvmSubject) -> bool:
    """Whether two runs ended alike, bit for bit; one NaN is as good as another."""
    if one.outcome is not other.outcome:
        return False
    if one.outcome is not Outcome.RETURNED:
        return True
    return dataclasses.astuple(subject.canonical(one)) == dataclasses.astuple(subject.canonical(other))


def _limit_memory(limit: int) -> None:
    """A ceiling for the whole process, well above what the subject may allocate by itself."""
    used = 0
    statm = Path("/proc/self/statm")
    if statm.exists():
        used = int(statm.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + 2 * limit + (1 << 30)
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
