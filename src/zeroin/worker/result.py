"""Results of all tasks on one target: build the suite, and the state that the next search process starts from."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..generate.schedule import schedule_of
from ..suite.suite import Input, Resume, Suite
from .findings import (
    distinct_runs,
    ends_expected,
    keeps_state,
    of_deaths,
    of_faults,
    of_runs,
    of_undefined,
    only_undefined,
    why_over,
    wrong_types_note,
)
from .replays import MOST_DEADLY

if TYPE_CHECKING:
    from ..subject.base import Run, Words
    from .cover_target import CoverTarget

_NOT_RUN = "there was no time to run the plain function with it"


def suite_of(found: CoverTarget) -> Suite:
    """Return the suite. Call it when all tasks are done."""
    live, replays = found.live, found.replays
    assert live.signature is not None
    inputs = [Input(run.words, run.covered, replay, _NOT_RUN * replay.is_missing) for run, replay in replays.kept]
    notes = list(dict.fromkeys(remark for behaved in found.behaved for remark in behaved.remarks))
    if found.journal is not None and found.journal.trouble:
        notes.append(f"what was found could not be kept for --resume: {found.journal.trouble}")
    if found.trace is not None and found.trace.trouble:
        notes.append(f"the trace is not complete: {found.trace.trouble}")
    notes += [f"{live.signature.show(words)} was dropped: the plain function and the instrumented one differ"
              for words in replays.disagreements]  # fmt: skip
    goals = live.branches or []
    faults = [goal for goal in goals if goal.is_fault]
    for run, _ in found.lethal.values():
        note_faults(found, run)
    notes += [told] if (told := wrong_types_note(live.signature, inputs)) else []
    of_each = () if told else of_runs(inputs, found.explained, ends_expected(found.target, found.options))
    findings = [*of_each, *of_undefined(replays.undefined, found.explained), *of_deaths(replays.deadly, inputs),
                *of_faults(faults, found.faulty, found.explained)]  # fmt: skip
    over = why_over(found.reason, found.goals - found.proofs.keys(), found.faulty, replays.kept, bool(found.proofs),
                    bool(replays.disagreements), bool(replays.undefined))  # fmt: skip
    return Suite(
        found.target, live.signature, live.sites, [goal for goal in goals if not goal.is_fault], inputs, findings,
        found.options.seed, found.evaluations, found.seconds, over, len(replays.disagreements),
        [*notes, *dict.fromkeys(found.notes)], keeps_state(found.behaved),
        found.reached or frozenset(o >> 1 for run in found.runs for o in run.covered), found.events,
        time.perf_counter() - live.started, found.behaved[0].engine if found.behaved else "native",
        str(schedule_of(found.options)), found.options, found.proofs, faults, found.strengthening.noticed(inputs),
        found.doubted, only_undefined(found.runs, replays.undefined, replays.disagreements),
    )  # fmt: skip


def note_faults(found: CoverTarget, run: Run) -> None:
    """Record the faults of a run that no earlier run has."""
    for goal in found.live.branches or ():
        if goal.is_fault and goal.outcome in run.covered:
            found.faulty.setdefault(goal.outcome, run)


def resume_of(found: CoverTarget, lives: int, seeds: tuple[int, int], known: Iterable[Words], wary: bool) -> Resume:
    """Return the state that the next search process starts from.

    Args:
        found: the results so far.
        lives: see :class:`Resume`, as for the following arguments.
        seeds: the place at which the ``seeds`` strategy continues.
        known: inputs to run first.
        wary: whether solvers have to run in processes of their own.
    """
    ended = [run for run, _ in found.lethal.values()]
    lethal = tuple(dict.fromkeys([*distinct_runs(ended, MOST_DEADLY), *ended[-MOST_DEADLY:]]))
    narrow = any(died.silent for _, died in found.lethal.values())
    left = tuple(words for words in known if words not in found.lethal)
    return Resume(tuple(found.runs), found.evaluations, found.seconds, lives, lethal, narrow, seeds, left,
                  tuple(found.proofs.items()), wary, len(found.lethal) + found.spoiled, found.doubts)  # fmt: skip
