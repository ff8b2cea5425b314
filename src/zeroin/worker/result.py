"""The suite that is made of what the tasks on one target said."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..generate.schedule import schedule_of
from ..suite.suite import Input, Suite
from .findings import (
    ends_expected,
    keeps_state,
    misfit,
    of_deaths,
    of_faults,
    of_runs,
    of_undefined,
    only_undefined,
    why_over,
)

if TYPE_CHECKING:
    from .covering import Covering


def suite_of(found: Covering) -> Suite:
    """When all tasks are done."""
    live = found.live
    assert live.signature is not None
    inputs = [Input(run.words, run.covered, replay) for run, replay in found.kept]
    notes = list(dict.fromkeys(remark for behaved in found.behaved for remark in behaved.remarks))
    if found.journal is not None and found.journal.trouble:
        notes.append(f"what was found could not be kept for --resume: {found.journal.trouble}")
    notes += [f"{live.signature.show(words)} was dropped: the plain function and the instrumented one differ"
              for words in found.disagreements]  # fmt: skip
    goals = live.branches or []
    faults = [goal for goal in goals if goal.is_fault]
    for run, _ in found.lethal.values():
        found.note_faults(run)
    notes += [told] if (told := misfit(live.signature, inputs)) else []
    of_each = () if told else of_runs(inputs, found.explained, ends_expected(found.target, found.options))
    findings = [*of_each, *of_undefined(found.undefined, found.explained), *of_deaths(found.deadly, inputs),
                *of_faults(faults, found.faulty, found.explained)]  # fmt: skip
    over = why_over(found.reason, found.goals - found.proofs.keys(), found.faulty, found.kept, bool(found.proofs),
                    bool(found.disagreements), bool(found.undefined))  # fmt: skip
    return Suite(
        found.target, live.signature, live.sites, [goal for goal in goals if not goal.is_fault], inputs, findings,
        found.options.seed, found.evaluations, found.seconds, over, len(found.disagreements),
        [*notes, *dict.fromkeys(found.notes)], keeps_state(found.behaved),
        found.reached or frozenset(o >> 1 for run in found.runs for o in run.covered), found.events,
        time.perf_counter() - live.started, found.behaved[0].engine if found.behaved else "native",
        str(schedule_of(found.options)), found.options, found.proofs, faults, found.strengthening.noticed(inputs),
        found.doubted, only_undefined(found.runs, found.undefined, found.disagreements),
    )  # fmt: skip
