"""The report as text for a terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..escaping import plain
from ..subject.base import Signature, Site, Termination, branches_of, words_for
from ..subject.language import Skipped
from ..suite.suite import COVERED, FOUND, INFEASIBLE, UNDECIDED, Input, Suite, Verdict
from . import Report
from .found import because, findings_of, help_for, undecided_of
from .style import Style
from .summary import line_of, totals

_LONGEST_RESULT = 200  # characters

if TYPE_CHECKING:
    from ..worker.messages import Followed


@dataclass(frozen=True)
class TextReport(Report):
    """The report as text: the whole result of a single target, or one line for each of several.

    Findings, undecided branches and totals follow the lines of several targets.

    Attributes:
        style: the colours.
        verbose: whether to say how the search went, too.
    """

    style: Style = field(default_factory=Style)
    verbose: bool = False
    suffix = ".txt"

    def text(self, suites: Sequence[Suite], skipped: Sequence[Skipped] = ()) -> str:
        if len(suites) == 1 and not skipped:
            return self.whole(suites[0])
        return "".join([*(f"{line_of(suite)}\n" for suite in suites), self.closing(suites, suites, skipped)])

    def whole(self, suite: Suite) -> str:
        """Return all of a target's result: branches, inputs, findings and a summary."""
        style = self.style
        parts = [style.bold(suite.signature.prototype) + style.faint(f"  {suite.target.where}")]
        parts += [style.faint(assumed)] if (assumed := _assumed(suite.signature)) else []
        if suite.branches:
            parts += ["", *_table(suite, suite.verdicts, style)]
        if suite.faults:
            parts += ["", *_table(suite, suite.fault_verdicts, style)]
        parts += ["", *inputs] if (inputs := _input_table(suite)) else []
        parts += ["", *findings_of([suite], style)]
        parts += [style.bad(f"branch {branch.id} was proved infeasible, and an input takes it: please report this")
                  for branch in suite.refuted]  # fmt: skip
        parts += [style.faint(f"not counted: {told}") for told in suite.uncounted]
        parts += [style.faint(f"note: {note}") for note in suite.notes if self.verbose or not _is_of_engine(note)]
        parts += [style.open(told) for told in untested(suite)]
        parts += _summary(suite)
        parts += [style.open(told) for told in help_for([suite])]
        if self.verbose:
            parts += _engine(suite)
        return "\n".join(parts) + "\n"

    def closing(self, suites: Sequence[Suite], listed: Sequence[Suite], skipped: Sequence[Skipped]) -> str:
        """Return the end of a report on several targets: findings, undecided branches, what was skipped, and totals.

        Args:
            suites: the results of all targets.
            listed: those of which one line was printed. All but the totals is theirs.
            skipped: functions, files and modules that are no targets, with reasons.
        """
        style = self.style
        findings, undecided = findings_of(listed, style), undecided_of(listed, style)
        notes = dict.fromkeys(
            note for suite in listed for note in suite.notes if self.verbose or not _is_of_engine(note)
        )
        parts = [findings, undecided, [style.faint(f"note: {note}") for note in notes],
                 [f"skipped  {plain(text)} ({plain(' '.join(why.split()))})" for text, why in skipped],
                 [*totals(suites, skipped), *(style.open(told) for told in help_for(listed))]]  # fmt: skip
        return "".join("\n" + "".join(f"{line}\n" for line in part) for part in parts if part)


def untested(suite: Suite) -> list[str]:
    """Return one line with a warning if no test of the function compares anything; otherwise an empty list."""
    if suite.is_tested:
        return []
    what = (
        f"its result, {plain(suite.signature.result_type)},"
        if suite.signature.result_type not in ("", "void")
        else "it"
    )
    can_not = "can not be compared" if what != "it" else "returns nothing and changes no argument"
    return [f"Not tested: {what} {can_not}, so its tests only see that it returns."]


def _is_of_engine(note: str) -> bool:
    """Return whether a note only says what an engine did, which is of no use without knowing the engine."""
    return note.startswith("explored: ")


def _assumed(signature: Signature) -> str:
    """Return the preconditions as one line; empty if there are none."""
    return f"assuming {', '.join(signature.assumed)}" if signature.assumed else ""


def _summary(suite: Suite) -> list[str]:
    """Return the last lines: numbers of branches, inputs, evaluations and faults."""
    if not suite.branches and suite.options.boundary:
        return ["No comparisons: there are no boundaries."]
    if not suite.branches:
        return ["No branches." if suite.findings else "No branches: any input covers it.", *_faults(suite)]
    covered, undecided = suite.count(COVERED), suite.count(UNDECIDED)
    infeasible, count = suite.count(INFEASIBLE), len(suite.branches)
    proved = f", {infeasible} proved infeasible" if infeasible else ""
    what = words_for(suite.branches)
    rate = suite.evaluations / suite.seconds / 1e6 if suite.seconds > 0 else 0.0
    return [
        f"{count} {what[count != 1]}: {covered} covered by {_used(suite)}{proved}, {undecided} undecided.  "
        f"{suite.seconds:.2f} s of search, {suite.evaluations:,} evaluations ({rate:.1f} M/s)",
        *_faults(suite),
    ]


def _engine(suite: Suite) -> list[str]:
    """Return what ran the function, how it was searched, and why the search stopped."""
    return [
        *([plain(f"Engine: {suite.engine}.")] if suite.signature.several_engines else []),
        plain(f"Searched by {suite.strategy}. Stopped because {because(suite.stopped)}."),
    ]


_ENDS = {"precondition": ("fails a precondition", "fail preconditions"), "exception": ("raises", "raise"),
         "assertion": ("fails an assertion", "fail assertions"),
         "crash": ("crashes", "crash"), "hang": ("does not return", "do not return"),
         "forbidden": ("was stopped", "were stopped")}  # fmt: skip


def _used(suite: Suite) -> str:
    """Return the numbers of inputs by termination, as ``9 inputs, 1 that raises and 2 that crash``.

    The first number is that of inputs that return.
    """
    kinds = {finding.input: finding.kind for finding in suite.findings}
    ends = Counter(kinds.get(number) or _kind(kept) for number, kept in enumerate(suite.inputs)
                   if kept.outcome is not Termination.RETURNED)  # fmt: skip
    returned = len(suite.inputs) - ends.total()
    parts = [f"{returned} input{'s' * (returned != 1)}"]
    parts += [f"{ends[kind]} that {words[ends[kind] != 1]}" for kind, words in _ENDS.items() if ends[kind]]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _kind(kept: Input) -> str:
    """Return how an abnormal input ends: a finding's kind, or ``precondition`` for a failed check of arguments."""
    failed = kept.outcome is Termination.ASSERTED and kept.replay.uncounted
    return "precondition" if failed else kept.outcome.finding


def _faults(suite: Suite) -> list[str]:
    """Return one line about faults of operations; an empty list if none were looked for."""
    if not suite.options.find:
        return []
    if not suite.faults:
        return ["No operation can have these faults."]
    count = Counter(verdict.verdict for verdict in suite.fault_verdicts)
    places = len({fault.site.place for fault in suite.faults})
    what = f"{len(suite.faults)} fault{'s' * (len(suite.faults) != 1)} of {places} operation{'s' * (places != 1)}"
    return [f"{what}: {count[FOUND]} found, {count[INFEASIBLE]} proved impossible, {count[UNDECIDED]} undecided."]


def _table(suite: Suite, verdicts: Sequence[Verdict], style: Style) -> list[str]:
    """Return one line per site: its line number, its condition, and the verdict on each branch.

    The boundaries of a comparison share a line, and so do the faults of an operation.
    """
    of_site: dict[Site, list[Verdict]] = {}
    first: dict[object, Site] = {}
    for verdict in sorted(verdicts, key=lambda verdict: verdict.branch.outcome):
        site = verdict.branch.site
        if site.form == "boundary" or verdict.branch.is_fault:
            operation = site.group if site.form == "boundary" else (site.function, site.place)
            site = first.setdefault(operation, site)
        of_site.setdefault(site, []).append(verdict)
    entries = [(site, plain(site.condition if site.form != "switch" else f"switch {site.condition}"), of_site[site])
               for site in sorted(of_site, key=in_source_order(of_site))]  # fmt: skip
    width = min(max((len(text) for _, text, _ in entries), default=0), 48)
    several = len({site.function for site in suite.sites}) > 1
    lines, function = [], ""
    for site, text, verdicts in entries:
        if several and site.function != function:
            function = site.function
            lines.append(style.faint(f"      in {site.within}"))
        cells = "  ".join(_cell(v, style) for v in verdicts)
        lines.append(f"{site.line or '?':>5} | {_shorten(text, width):<{width}} | {cells}".rstrip())
    return lines


def in_source_order(sites: Iterable[Site]) -> Callable[[Site], tuple[str, int, str, int, int, int]]:
    """Return a key that sorts sites by file, by the first lines of their functions, and by their places."""
    first = dict[str, int]()
    for site in sites:
        first[site.function] = min(site.line, first.get(site.function, site.line))
    return lambda site: (site.file, first[site.function], site.function, site.line, site.column, site.number)


def _shorten(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."


_SHORT = {"true": "T", "false": "F", "equal": "=", "above": "+", "below": "-"}


def _cell(verdict: Verdict, style: Style) -> str:
    label = _SHORT.get(verdict.branch.label, verdict.branch.shown)
    if verdict.branch.is_fault:
        return _fault_cell(verdict, style)
    if verdict.verdict == COVERED:
        return f"{label} #{verdict.input}".ljust(5)
    text = f"{label} {verdict.verdict} ({verdict.why})"
    return style.faint(text) if verdict.verdict == INFEASIBLE else style.open(text)


def _fault_cell(verdict: Verdict, style: Style) -> str:
    if verdict.verdict == FOUND:
        return style.bad(f"{verdict.branch.label} found")
    if verdict.verdict == INFEASIBLE:
        return style.faint(f"no {verdict.branch.label}")
    return style.open(f"{verdict.branch.label}? ({verdict.why})")


def _short(text: str) -> str:
    """Return a result, cut to what a reader takes in. The JSON report has all of it."""
    return text if len(text) <= _LONGEST_RESULT else f"{text[: _LONGEST_RESULT - 3]}..."


def _input_table(suite: Suite) -> list[str]:
    """Return a line for each input, but not for those that stand at a finding, and end abnormally there."""
    lines = []
    width = len(str(len(suite.inputs) - 1))
    told = {suite.number_of(finding) for finding in suite.findings}
    for number, kept in enumerate(suite.inputs):
        if number in told and kept.outcome is not Termination.RETURNED:
            continue
        shown = f"{suite.signature.show(kept.words)} {_short(suite.signature.show_result(kept.replay))}".rstrip()
        left = [f"{name} = {_short(value)}"
                for name, value in suite.signature.show_left(kept.words, kept.replay).items()]  # fmt: skip
        mark = "" if suite.compares(kept) else "  (nothing is compared)"
        lines.append(plain(f"  #{number:<{width}} {shown}" + f", leaving {', '.join(left)}" * bool(left) + mark))
    return lines


_MOST_STEPS = 400  # decisions printed


def render_path(followed: Followed, values: str) -> str:
    """Return the output of ``zeroin show --path``: the path condition in the order of the run.

    At most 400 decisions are listed. The last line has no line end.

    Args:
        followed: the run and its path condition.
        values: the arguments as the user wrote them.
    """
    path, lines = followed.path, [f"path of {followed.signature.name}({values})", ""]
    for number in range(min(len(path.steps), _MOST_STEPS) + 1):
        here = [a for a in path.asides if a.before == number and not a.constraint.is_constant]
        lines += [f"      | {aside.why:<44}   | {aside.constraint!r}" for aside in here]
        if number < min(len(path.steps), _MOST_STEPS):
            step = path.steps[number]
            site = followed.sites[step.site]
            lines.append(f"{site.line or '?':>5} | {site.condition:<44} {'FT'[step.holds]} | {step.constraint!r}")
    if len(path.steps) > _MOST_STEPS:
        lines.append(f"      | and {len(path.steps) - _MOST_STEPS:,} more decisions")
    how = f"up to here: {path.ended}" if path.ended else "to the end"
    lines += ["", f"{len(path.steps)} decisions, followed {how}"]
    if followed.outcome is not Termination.RETURNED:
        lines.append(f"the run {followed.outcome.word}")
    pinned = sum(aside.pins for aside in path.asides)
    if pinned:
        lines.append(f"{pinned} of the conditions hold for this run only: other inputs may take the path, too")
    return "\n".join(map(plain, lines))


def render_signature(signature: Signature, sites: Sequence[Site], path: str, style: Style | None = None) -> str:
    """Return the output of ``zeroin show``: prototype, parameters and their values, sites and branches.

    The last line has no line end.

    Args:
        signature: the signature of the target.
        sites: its conditions with probes.
        path: the file or module.
        style: the colours; None: no colours.
    """
    style = style or Style()
    lines = [style.bold(signature.prototype) + style.faint(f"  {path}"), ""]
    for parameter in signature.given:
        lines.append(plain(f"  {parameter.name:<12} {parameter.type:<18} {parameter.driven}"))
    lines += [plain(f"  {assumed}")] if (assumed := _assumed(signature)) else []
    lines += [plain(f"  note: {note}") for note in signature.notes]
    branches = branches_of(list(sites))
    if not sites:
        return "\n".join([*lines, "", "no branches"])
    lines.append("")
    by_site: dict[int, list[str]] = {}
    for branch in branches:
        by_site.setdefault(branch.site.number, []).append(branch.id)
    for site in sorted(sites, key=in_source_order(sites)):
        text = f"switch {site.condition}" if site.form == "switch" else site.condition
        lines.append(f"{site.line or '?':>5} | {plain(text):<48} | {'  '.join(by_site.get(site.number, []))}")
    groups = len({re.sub(r"[TFD]$|C-?\d+$", "", b.id) for b in branches})
    named = f"{len(branches)} branches ({branches[0].id}, ...: for --branch)"
    lines += ["", f"{groups} sites, {named}, {signature.arity} words of input"]
    return "\n".join(lines)
