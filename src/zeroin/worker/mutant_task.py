"""The task that runs mutants: find inputs that kill them, and choose the inputs to keep."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..generate.domain import domain_of
from ..native.cells import MUTANT, WORDS, Phase
from ..subject.base import Run, Words
from ..subject.mutants import Kills
from ..suite.strengthen import strengthen
from .messages import Strengthen, Strengthened

if TYPE_CHECKING:
    from ..config import Options
    from ..subject.subject import Subject
    from ..suite.simplify import Again
    from .base_process import Link

SECONDS_TO_COMPARE = 2.0  # for comparing the code of surviving mutants with the subject's
# The allowance counts runs, not time, so that the same seed gives the same suite under any load: about half a second.
_RUNS = {False: 300_000, True: 10_000}  # for fast and for slow subjects
_CALL = {False: 25, True: 1}  # the cost of a single call, in runs


def strengthen_suite(link: Link, subject: Subject, options: Options, wanted: frozenset[int], again: Again,
                     asked: Strengthen, lacking: Callable[[list[Run]], list[Run]]) -> None:  # fmt: skip
    """Find inputs that kill mutants; send each at once, and the chosen ones at the end.

    Without ``asked.choose``, only determine which mutants the inputs of ``asked.base`` kill.

    Args:
        link: the channel to the parent.
        subject: the subject.
        options: the options of the request.
        wanted: numbers of branches that must stay covered.
        again: runs the subject.
        asked: the request of the parent.
        lacking: returns further runs that use parts of the subject that none of the given runs uses.
    """
    link.phase(Phase.COMPILING)
    mutation = subject.mutation
    link.phase(Phase.THINKING)
    numbers = [mutant.number for mutant in mutation.mutants]
    note = link.memory[MUTANT : MUTANT + 1]
    slow, calls, begins = mutation.slow, 0, time.monotonic()

    def spent() -> float:
        of_time = (time.monotonic() - begins) / max(asked.seconds, 1e-9)
        return max((calls * _CALL[slow] + mutation.runs) / _RUNS[slow], of_time)

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
        found = [Kills(run, differing(run.words, numbers)) for run in asked.base]
    if asked.choose:
        found += [Kills(run, differing(run.words, numbers)) for run in lacking([one.run for one in found])]
    left = sorted(set(numbers).difference(*(one.mutants for one in found)))
    equivalent = mutation.equivalent(left, SECONDS_TO_COMPARE) if options.mutants else set[int]()
    link.send(Strengthened(found, list(mutation.mutants), frozenset(equivalent)))
