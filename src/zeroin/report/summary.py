"""A table with one line for each of several targets."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..escaping import plain
from ..subject.base import words_for
from ..subject.language import Skipped
from ..suite.suite import COVERED, INFEASIBLE, UNDECIDED, Suite


def table(suites: Sequence[Suite], skipped: Sequence[Skipped], brief: bool = False) -> str:
    """Return one line for each target, and the totals, without a line end after the last line.

    Targets are ordered: complete (all branches decided), incomplete, not tested (no test compares anything), skipped.

    Args:
        suites: the results of all targets.
        skipped: functions, files and modules that are no targets, with reasons.
        brief: return the totals only.
    """
    tested = [suite for suite in suites if suite.is_tested]
    complete = [suite for suite in tested if not suite.count(UNDECIDED)]
    incomplete = [suite for suite in tested if suite.count(UNDECIDED)]
    totals = _totals(suites, len(complete), len(incomplete), len(skipped))
    if brief:
        return "\n".join(totals)
    of = max((len(str(len(suite.branches))) for suite in suites), default=0)
    width = 2 * of + 4
    lines = [_line(suite, "complete", of) for suite in complete]
    lines += [_line(suite, "incomplete", of) for suite in incomplete]
    lines += [_line(suite, "not tested", of) for suite in suites if not suite.is_tested]
    lines += [f"skipped     {'':{width}}  {plain(text)} ({plain(' '.join(why.split()))})" for text, why in skipped]
    return "\n".join([*lines, "", *totals])


def percent_of(suites: Sequence[Suite]) -> float:
    """Return the percentage of decided branches (covered or infeasible) of all targets; 100 without branches."""
    every = sum(len(suite.branches) for suite in suites)
    return 100.0 * (every - sum(suite.count(UNDECIDED) for suite in suites)) / every if every else 100.0


def floored(percent: float) -> str:
    """Return a percentage as text, rounded down to one decimal; so ``100`` means that nothing is missing."""
    return f"{math.floor(percent * 10) / 10:g}"


def _line(suite: Suite, state: str, width: int) -> str:
    decided, every = len(suite.branches) - suite.count(UNDECIDED), len(suite.branches)
    return f"{state:<10}  {decided:>{width}} of {every:>{width}}  {plain(suite.target.text)}{_findings([suite])}"


def _findings(suites: Sequence[Suite]) -> str:
    findings = [finding for suite in suites for finding in suite.findings]
    allowed = sum(finding.allowed for finding in findings)
    known = f" ({allowed} allowed)" if allowed else ""
    return f", {len(findings)} finding{'s' * (len(findings) != 1)}{known}" if findings else ""


def _totals(suites: Sequence[Suite], complete: int, incomplete: int, skipped: int) -> list[str]:
    branches = [branch for suite in suites for branch in suite.branches]
    what = words_for(branches)
    covered, infeasible, undecided = (
        sum(suite.count(kind) for suite in suites) for kind in (COVERED, INFEASIBLE, UNDECIDED)
    )
    proved = f", {infeasible} proved infeasible" if infeasible else ""
    untested = len(suites) - complete - incomplete
    others = f", {untested} not tested" * bool(untested) + f", {skipped} skipped" * bool(skipped)
    decided = f" ({floored(percent_of(suites))} % decided)" if undecided else ""
    return [
        f"{len(suites)} function{'s' * (len(suites) != 1)}: {complete} complete, "
        f"{incomplete} incomplete{others}{_findings(suites)}.",
        f"{len(branches)} {what[len(branches) != 1]}: {covered} covered{proved}, {undecided} undecided{decided}.",
    ]
