"""Results of all tasks on one target: build the suite, and the state that the next search process starts from."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ..generate.resume import Resume
from ..generate.schedule import schedule_of
from ..generate.stopped import Stopped
from ..languages.registry import LANGUAGES
from ..suite.suite import Finding, Input, Suite
from .findings import (
    distinct_runs,
    ends_expected,
    keeps_state,
    of_deaths,
    of_faults,
    of_runs,
    of_undefined,
    only_undefined,
    plainest_first,
    why_over,
    wrong_types_note,
)
from .replays import MOST_DEADLY

if TYPE_CHECKING:
    from ..subject.base import Run, Target, Words
    from .cover_target import CoverTarget

_NOT_RUN = "there was no time to run the plain function with it"


def suite_of(done: CoverTarget) -> Suite:
    """Return the suite. Call it when all tasks are done. The faults of lethal runs are recorded in ``done``."""
    live, replays, found, spent = done.live, done.replays, done.found, done.spent
    assert live.signature is not None
    goals = live.branches or []
    usual, language = done.request.seeks_faults, LANGUAGES[done.target.language]
    faults = [] if usual else done.faults
    evaluations, seconds = spent.for_branches or (spent.evaluations, spent.seconds)
    shown = {goal.outcome for goal in (*goals, *faults)}
    for run, _ in done.deaths.lethal.values():
        note_faults(done, run)
    needed = {run.words: run.needed for run in found.best}
    inputs = [Input(run.words, run.covered, replay, _NOT_RUN * replay.is_missing, needed.get(run.words, ()))
              for run, replay in replays.kept]  # fmt: skip
    wrong_types = wrong_types_note(live.signature, inputs)
    findings = [*of_undefined(replays.undefined, found.explained, usual), *of_deaths(replays.deadly, inputs),
                *of_faults(done.faults, found.faulty, found.explained, usual, language)]  # fmt: skip
    if not wrong_types:
        expected = ends_expected(done.target, done.options)
        findings = [*of_runs(inputs, found.explained, done.faults, expected, usual), *findings]
    return Suite(
        target=done.target, signature=live.signature, options=done.request, inputs=inputs,
        findings=plainest_first(_located(findings, done.target), live.signature),
        mutants=done.strengthening.killed(inputs), disagreements=len(replays.disagreements),
        stateful=keeps_state(found.behaved), notes=_notes(done, wrong_types),
        samples=found.samples,
        # Goals:
        sites=live.sites, branches=[goal for goal in goals if not goal.is_fault],
        faults=faults,
        # Effort:
        seed=done.options.seed, evaluations=evaluations, seconds=seconds,
        total_seconds=time.perf_counter() - live.started, stopped=_why_stopped(done),
        strategy=str(schedule_of(done.options)), engine=found.behaved[0].engine if found.behaved else "native",
        events=found.events,
        # Evidence:
        reached=found.reached or frozenset(outcome >> 1 for run in found.runs for outcome in run.covered),
        proofs={outcome: proof for outcome, proof in found.proofs.items() if outcome in shown}, doubted=found.doubted,
        faulty=frozenset(found.faulty), undefined=only_undefined(found.runs, replays.undefined, replays.disagreements),
    )  # fmt: skip


def _located(findings: Iterable[Finding], target: Target) -> Iterator[Finding]:
    """Yield the findings; a file that has only the name of the target's file becomes its path."""
    for finding in findings:
        is_own = finding.file == target.path.name
        yield replace(finding, file=str(target.path)) if is_own else finding


def _why_stopped(done: CoverTarget) -> Stopped:
    """Return why the search stopped, corrected by the replays (:func:`why_over`)."""
    replays, proofs = done.replays, done.found.proofs
    proved = not proofs.keys().isdisjoint(branch.outcome for branch in done.live.branches or ())
    return why_over(done.spent.reason, done.goals - proofs.keys(), done.found.faulty, replays.kept, proved,
                    bool(replays.disagreements), bool(replays.undefined))  # fmt: skip


def _notes(done: CoverTarget, wrong_types: str) -> list[str]:
    """Return the remarks for the user."""
    notes = list(dict.fromkeys(remark for behaved in done.found.behaved for remark in behaved.remarks))
    if done.journal is not None and done.journal.trouble:
        notes.append(f"the inputs could not be saved for --resume: {done.journal.trouble}")
    if done.trace is not None and done.trace.trouble:
        notes.append(f"the trace is not complete: {done.trace.trouble}")
    show = done.live.known_signature.show
    notes += [f"{show(words)} was dropped: the plain function and the instrumented one differ"
              for words in done.replays.disagreements]  # fmt: skip
    notes += [f"{show(words)} was dropped: it returns, but makes more loop iterations and calls than a run of the "
              "search may (--fuel)" for words in dict.fromkeys(done.replays.long)]  # fmt: skip
    notes += [wrong_types] if wrong_types else []
    return [*notes, *dict.fromkeys(done.found.notes)]


def note_faults(done: CoverTarget, run: Run) -> None:
    """Record, in ``done``, the faults of a run that no earlier run has."""
    for goal in done.faults:
        if goal.outcome in run.covered:
            done.found.faulty.setdefault(goal.outcome, run)


def resume_of(done: CoverTarget, lives: int, seeds: tuple[int, int], known: Iterable[Words], wary: bool) -> Resume:
    """Return the state that the next search process starts from.

    Args:
        done: the results so far.
        lives: see :class:`Resume`, as for the following arguments.
        seeds: the place at which the ``seeds`` strategy continues.
        known: inputs to run first. Lethal ones are left out.
        wary: whether solvers have to run in processes of their own.
    """
    ended = [run for run, _ in done.deaths.lethal.values()]
    lethal = tuple(dict.fromkeys([*distinct_runs(ended, MOST_DEADLY), *ended[-MOST_DEADLY:]]))
    narrow = any(died.silent for _, died in done.deaths.lethal.values())
    left = tuple(words for words in known if words not in done.deaths.lethal)
    deaths = len(done.deaths.lethal) + done.deaths.spoiled
    return Resume(tuple(done.found.runs), done.spent.evaluations, done.spent.seconds, lives, lethal, narrow, seeds,
                  left, tuple(done.found.proofs.items()), wary, deaths, done.doubts,
                  done.fault_search)  # fmt: skip
