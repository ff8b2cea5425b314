"""Mutants, in the worker's process: which inputs notice them, and which inputs to keep because of that."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..generate.domain import domain_of
from ..native.cells import MUTANT, WORDS, Phase
from ..subject.base import Run, Words
from ..subject.mutants import Noticing
from ..suite.strengthen import strengthen
from .messages import Strengthen, Strengthened

if TYPE_CHECKING:
    from ..config import Options
    from ..subject.subject import Subject
    from ..suite.simplify import Again
    from .base_process import Link

SECONDS_TO_COMPARE = 2.0  # code of mutants that no input notices
# What it may take is counted in runs, so that the same seed makes the same suite under any load: about half a second.
_RUNS = {False: 300_000, True: 10_000}  # of native code, and of slow subjects
_CALL = {False: 25, True: 1}  # how many runs it takes as long as to make one alone


def strengthen_suite(link: Link, subject: Subject, options: Options, wanted: frozenset[int], again: Again,
                     asked: Strengthen, lacking: Callable[[list[Run]], list[Run]]) -> None:  # fmt: skip
    """Find inputs that notice mutants, told as they are found, and choose. See :class:`Strengthen`; ``lacking`` says
    runs that do what none of these does."""
    link.phase(Phase.COMPILING)
    mutation = subject.mutation
    link.phase(Phase.THINKING)
    numbers = [mutant.number for mutant in mutation.mutants]
    note = link.memory[MUTANT : MUTANT + 1]
    slow, calls, ends = mutation.slow, 0, time.monotonic() + asked.seconds

    def spent() -> float:
        return (calls * _CALL[slow] + mutation.runs) / _RUNS[slow] if time.monotonic() < ends else math.inf

    def run(words: Words) -> Run:
        nonlocal calls
        calls += 1
        return again(words)

    def differing(words: Words, several: Sequence[int]) -> frozenset[int]:
        nonlocal calls
        calls += 1
        running = [number for number in several if number not in asked.deadly]
        link.memory[WORDS : WORDS + len(words)] = words
        link.beat()
        link.phase(Phase.FINISHING)
        differs = mutation.differing(words, running, note)
        link.phase(Phase.THINKING)
        ended = (number for number in several if asked.deadly.get(number) == words)
        return frozenset([*ended, *(number for number, one in zip(running, differs, strict=True) if one)])

    if asked.choose:
        domain = domain_of(subject.signature, subject.constants)
        constants = [*subject.constants, *mutation.constants]
        found = strengthen(subject.signature, domain.pools, asked.base, asked.others, wanted, numbers, constants, run,
                           differing, spent, options.seed, link.send)  # fmt: skip
    else:
        found = [Noticing(run, differing(run.words, numbers)) for run in asked.base]
    if asked.choose:
        found += [Noticing(run, differing(run.words, numbers)) for run in lacking([one.run for one in found])]
    left = sorted(set(numbers).difference(*(one.mutants for one in found)))
    superfluous = mutation.superfluous(left, SECONDS_TO_COMPARE) if options.mutants else set[int]()
    link.send(Strengthened(found, list(mutation.mutants), frozenset(superfluous)))
