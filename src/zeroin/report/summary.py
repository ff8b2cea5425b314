"""One line for each of several targets, and their totals."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..escaping import plain
from ..subject.base import words_for
from ..subject.language import Skipped
from ..suite.suite import COVERED, INFEASIBLE, UNDECIDED, Suite
from .found import kinds_of


def state_of(suite: Suite) -> str:
    """Return ``complete`` (all branches are decided), ``incomplete``, or ``not tested`` (no test compares anything)."""
    return "not tested" if not suite.is_tested else "incomplete" if suite.count(UNDECIDED) else "complete"


def line_of(suite: Suite, with_kinds: bool = False) -> str:
    """Return the result of a target in one line, as ``complete    6 of 6   t.c:f, 2 findings``.

    Args:
        suite: the result.
        with_kinds: say the kinds and lines of the findings instead of their number.
    """
    open_, every = suite.count(UNDECIDED), len(suite.branches)
    told = f": {kinds_of(suite)}" if with_kinds and any(not one.allowed for one in suite.findings) else ""
    count = f"{every - open_:>5} of {every:<5}"
    return f"{state_of(suite):<10} {count} {plain(suite.target.text)}{_findings([suite])}{told}"


def percent_of(suites: Sequence[Suite]) -> float:
    """Return the percentage of decided branches (covered or infeasible) of all targets; 100 without branches."""
    every = sum(len(suite.branches) for suite in suites)
    return 100.0 * (every - sum(suite.count(UNDECIDED) for suite in suites)) / every if every else 100.0


def floored(percent: float) -> str:
    """Return a percentage as text, rounded down to one decimal; so ``100`` means that nothing is missing."""
    return f"{math.floor(percent * 10) / 10:g}"


def _findings(suites: Sequence[Suite]) -> str:
    findings = [finding for suite in suites for finding in suite.findings]
    allowed = sum(finding.allowed for finding in findings)
    known = f" ({allowed} allowed)" if allowed else ""
    return f", {len(findings)} finding{'s' * (len(findings) != 1)}{known}" if findings else ""


def totals(suites: Sequence[Suite], skipped: Sequence[Skipped]) -> list[str]:
    """Return two lines with the numbers of functions and of branches."""
    branches = [branch for suite in suites for branch in suite.branches]
    what = words_for(branches)
    covered, infeasible, undecided = (
        sum(suite.count(kind) for suite in suites) for kind in (COVERED, INFEASIBLE, UNDECIDED)
    )
    proved = f", {infeasible} proved infeasible" if infeasible else ""
    tested = [suite for suite in suites if suite.is_tested]
    complete = sum(not suite.count(UNDECIDED) for suite in tested)
    untested = len(suites) - len(tested)
    others = f", {untested} not tested" * bool(untested) + f", {len(skipped)} skipped" * bool(skipped)
    decided = f" ({floored(percent_of(suites))} % decided)" if undecided else ""
    return [
        f"{len(suites)} function{'s' * (len(suites) != 1)}: {complete} complete, "
        f"{len(tested) - complete} incomplete{others}{_findings(suites)}.",
        f"{len(branches)} {what[len(branches) != 1]}: {covered} covered{proved}, {undecided} undecided{decided}.",
    ]
