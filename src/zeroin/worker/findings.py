"""Findings, made from the messages of worker processes: one for each kind of failure, or place of it."""

from __future__ import annotations

import re
import signal
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import PurePath

from ..config import InputOptions
from ..errors import WorkerDied
from ..generate.stopped import Stopped
from ..languages.registry import LANGUAGES
from ..subject.base import Branch, Replay, Run, Signature, Target, Termination, Words
from ..subject.language import Language
from ..suite.suite import Finding, Input, plainness
from .messages import Behaved, Explained
from .worker import Died


def of_runs(inputs: Sequence[Input], explained: Mapping[int, Explained], faults: Sequence[Branch] = (),
            expected: Collection[Termination] = (), usual: bool = False) -> Iterator[Finding]:  # fmt: skip
    """Yield a finding for each distinct abnormal run; runs are equal if they end alike and take the same branches.

    Expected terminations, and violations of the function's contract by its caller, are no findings. A run that ended
    its process is left out (see :func:`of_deaths`). So is a run that ends at a fault that the user named, because the
    fault is a finding of its own. An exception that was not confirmed is left out, too: it may be no finding at all.

    Args:
        inputs: the kept inputs.
        explained: for each fault, by number, the repeated run.
        faults: the faults that were looked for.
        expected: terminations that are no findings.
        usual: whether the user named no faults.
    """
    faulty = [(outcome, told.run.outcome) for outcome, told in explained.items()
              if told.run.outcome not in (Termination.RETURNED, Termination.RAISED)]  # fmt: skip
    sites = {fault.outcome: fault.site for fault in faults}
    seen = set()
    for number, kept in enumerate(inputs):
        if kept.outcome in (Termination.RETURNED, Termination.KILLED, *expected) or kept.replay.uncounted:
            continue
        if kept.replay.is_missing and kept.outcome is Termination.RAISED:
            continue
        ends_at = [outcome for outcome, ended in faulty if outcome in kept.covered and ended is kept.outcome]
        if ends_at and not usual:
            continue
        message = kept.replay.ending
        key = (kept.outcome, message, kept.covered)
        if key not in seen:
            seen.add(key)
            file, line = _split(kept.replay.place)
            if ends_at and not line:
                file, line = sites[ends_at[0]].file, sites[ends_at[0]].line
            yield Finding(kept.outcome.finding, kept.words, message, number, (), False, file, line)


def _split(place: str) -> tuple[str, int]:
    """Return the file and the line of ``file:line``; an empty text and 0 if it is no such text."""
    file, _, line = place.rpartition(":")
    return (file, int(line)) if line.isdigit() else ("", 0)


def plainest_first(findings: Iterable[Finding], signature: Signature) -> list[Finding]:
    """Return one finding for each cause: the one with the plainest input. Findings with ordinary inputs come first.

    A finding without a known cause is one of its own.
    """
    alike = dict[object, list[Finding]]()
    for finding in findings:
        alike.setdefault(finding.cause or finding, []).append(finding)

    found = list[Finding]()
    for several in alike.values():
        best = min(several, key=lambda one: plainness(signature, one))
        others = [one.input for one in several if one is not best and one.input is not None]
        found.append(replace(best, others=tuple(others), more=len({one.words for one in several}) - 1))
    return sorted(found, key=lambda one: plainness(signature, one)[:2])


def of_undefined(undefined: Sequence[tuple[Run, Replay]], explained: Mapping[int, Explained],
                 usual: bool = False) -> Iterator[Finding]:  # fmt: skip
    """Yield a finding for each kind of undefined behaviour. Faults that the user named are left out.

    Args:
        undefined: runs with undefined behaviour, each with its replay.
        explained: for each fault, by number, the repeated run.
        usual: whether the user named no faults.
    """
    faulty = (
        set()
        if usual
        else {outcome for outcome, told in explained.items() if told.run.outcome is Termination.UNDEFINED}
    )
    seen = set()
    for run, replay in undefined:
        if replay.detail not in seen and not faulty & run.covered:
            seen.add(replay.detail)
            yield Finding(replay.outcome.finding, run.words, replay.ending, None, (), False, *_in(replay.detail))


def _in(detail: str) -> tuple[str, int]:
    """Return the file and line at the end of a message, as in ``1 << 40 (a.c:3)``; an empty text and 0 without them."""
    found = re.search(r"\((\S+):(\d+)\)$", detail)
    return (found[1], int(found[2])) if found else ("", 0)


def only_undefined(runs: Iterable[Run], undefined: Iterable[tuple[Run, Replay]],
                   disagreements: Sequence[Words]) -> frozenset[int]:  # fmt: skip
    """Return the numbers of the branches that runs with undefined behaviour take.

    Args:
        runs: all runs of the search.
        undefined: runs in whose replay undefined behaviour was observed.
        disagreements: inputs for which the instrumented and the plain function differ. Their cause is unknown, so their
            runs are left out.
    """
    found = [run for run in runs if run.outcome is Termination.UNDEFINED and run.words not in disagreements]
    return frozenset[int]().union(*(run.covered for run in (*found, *(run for run, _ in undefined))))


def ends_expected(target: Target, options: InputOptions) -> list[Termination]:
    """Return the terminations that the user expects (``--expect``), which are no findings.

    Names of exceptions, and names that the target's language does not have, are left out.
    """
    ends = LANGUAGES[target.language].ends
    return [ends[name] for name in options.expect if name in ends]


_OF_TYPES = ("builtins:TypeError", "builtins:AttributeError")


def wrong_types_note(signature: Signature, inputs: Sequence[Input]) -> str:
    """Return a note that the guessed types are wrong, if every run ended with an error of types; else an empty text."""
    if (
        not signature.guessed
        or not inputs
        or any(getattr(kept.replay, "raised", "") not in _OF_TYPES for kept in inputs)
    ):
        return ""
    return (f"every run ends with a type error ({inputs[0].replay.ending.removeprefix('raised: ')}), so the guessed "
            f'types are wrong; give the types with --types "{signature.guessed}"')  # fmt: skip


def of_deaths(deadly: Mapping[Words, Died], inputs: Sequence[Input]) -> Iterator[Finding]:
    """Yield a finding for each input that ended a process of its own.

    Args:
        deadly: the inputs, and how their processes died.
        inputs: the kept inputs.
    """
    for words, died in deadly.items():
        outcome = Termination.HUNG if died.silent else Termination.KILLED
        message = "did not return, and had to be killed" if died.silent else f"{outcome.message} ({cause_of(died)})"
        number = next((n for n, kept in enumerate(inputs) if kept.words == words), None)
        yield Finding(outcome.finding, words, message, number)


def of_faults(faults: Sequence[Branch], having: Mapping[int, Run], explained: Mapping[int, Explained],
              usual: bool, language: Language) -> Iterator[Finding]:  # fmt: skip
    """Yield a finding for each place where an operation goes wrong, even if its code was compiled several times.

    Args:
        faults: the faults that were looked for.
        having: for each fault found, by number, a run with it.
        explained: for each fault, by number, the repeated run. It is missing if the run ended its process.
        usual: whether the user named no faults. Then an infinity or a NaN is a finding only if an ordinary input makes
            it a result, and the source does not mean it. Other faults are undefined behaviour, or the crash that they
            cause.
        language: the language of the code. Where its faults raise exceptions, these are findings of their own, unless
            the code handles them.
    """
    places: dict[object, list[Branch]] = {}
    for fault in faults:
        spoils = fault.outcome in explained and explained[fault.outcome].spoils
        if usual and fault.site.is_silent and (fault.site.is_meant or not spoils):
            continue
        if fault.outcome in having and (fault.site.is_silent or not language.raises_faults):
            places.setdefault((fault.label, fault.site.place), []).append(fault)
    for several in places.values():
        first, site = several[0].outcome, several[0].site
        run = having[first]
        told = explained[first].text if first in explained else ""
        what = f"{told} ({site.condition})" if told else site.condition
        if usual and not site.is_silent:
            outcome = explained[first].run.outcome if first in explained else run.outcome
            crashes = outcome not in (Termination.RETURNED, Termination.UNDEFINED)
            where = f" ({PurePath(site.file).name}:{site.line})" if site.line else ""
            words = (
                f"undefined behaviour: {language.undefined.get(site.form, site.form)}: {told or site.condition}{where}"
            )
            yield Finding(outcome.finding if crashes else Termination.UNDEFINED.finding, run.words,
                          outcome.message if crashes else words, None, (), False, site.file, site.line)  # fmt: skip
            continue
        end = "" if run.returned or run.outcome is Termination.UNDEFINED else f"; the run {run.outcome.word}"
        line = f"line {site.line}: " if site.line else ""
        yield Finding(site.form, run.words, f"{line}{what}{end}", None, tuple(several), False, site.file, site.line)


def keeps_state(behaved: Sequence[Behaved]) -> bool:
    """Return whether the kept inputs change variables that outlive a call.

    If no process ran exactly the kept inputs, return whether any run changed such variables.
    """
    return any(one.stateful for one in [one for one in behaved if one.shown] or behaved)


def distinct_runs(runs: Iterable[Run], most: int) -> list[Run]:
    """Return at most ``most`` runs with distinct sets of branches: the last run of each of the first sets."""
    return list({run.covered: run for run in runs}.values())[:most]


def not_loaded(what: str, died: Died) -> WorkerDied:
    """Return the error for a target whose loading ended a process."""
    if died.silent:
        return WorkerDied(f"{what}: loading it does not end; fix the code that runs on load, or raise --load-timeout")
    return WorkerDied(f"{what}: the worker process died while loading it ({cause_of(died)})")


def cause_of(died: Died) -> str:
    """Return the cause of a process's death as text for the user."""
    if died.failed:
        return f"it changes what Python itself needs: {_last_line(died.failed)}"
    if died.cut:
        return "it closes, or writes to, files that it has not opened"
    if died.signal:
        try:
            return signal.Signals(died.signal).name
        except ValueError:  # a real-time signal has no name
            return f"signal {died.signal}"
    return f"exit status {died.status}"


def after_runs(traceback: str) -> str:
    """Return a note about an exception in zeroin's own code, raised in a process that had run the function."""
    places = [line.strip() for line in traceback.splitlines() if line.strip().startswith("File ")]
    where = " ".join((*places[-1:], _last_line(traceback)))
    return (f"internal error of zeroin after runs of the function ({where}): please report this, unless the function "
            "changes Python itself")  # fmt: skip


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]


def why_over(reason: Stopped | None, goals: Set[int], faulty: Mapping[int, Run], kept: Sequence[tuple[Run, Replay]],
             proved: bool, disagreed: bool, undefined: bool) -> Stopped:  # fmt: skip
    """Return why the search stopped, corrected by the replays.

    A replayed run may return where the search's run had too little fuel. Runs that the plain function does not confirm
    are dropped.

    Args:
        reason: the reason that the search gave; None if it was interrupted. Only reasons that say that every branch is
            covered or decided are corrected.
        goals: numbers of the branches without a proof of infeasibility.
        faulty: runs with faults of operations, by number of the fault.
        kept: the replayed runs.
        proved: whether some branch was proved infeasible.
        disagreed: whether some run was dropped.
        undefined: whether some run has undefined behaviour.
    """
    if reason not in (Stopped.COVERED, Stopped.DECIDED, Stopped.ABNORMALLY_COVERED):
        return reason or Stopped.INTERRUPTED
    found = {outcome for outcome, run in faulty.items() if run.returned}
    fine = (run.covered for run, replay in kept if replay.outcome is Termination.RETURNED or replay.uncounted)
    if goals <= found.union(*fine):
        return Stopped.DECIDED if proved else Stopped.COVERED
    if goals <= faulty.keys() | set[int]().union(*(run.covered for run, _ in kept)):
        return reason
    if disagreed:
        return Stopped.DISAGREED
    return Stopped.UNDEFINED if undefined else Stopped.TRIED  # the search counted a branch that no kept run covers
