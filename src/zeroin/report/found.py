"""Findings and undecided branches of one or more targets as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..escaping import plain
from ..generate.stopped import Stopped
from ..subject.base import words_for
from ..suite.suite import UNDECIDED, Finding, Suite, plainness
from .style import Style

_MOST_NAMED = 3  # functions that a finding or hint names
_MOST_FINDINGS = 40  # lines for the findings of several targets
_MOST_UNDECIDED = 20  # undecided branches listed for several targets


@dataclass
class Group:
    """Findings of the same cause, from several targets.

    Attributes:
        shown: the finding that is printed, and its suite.
        others: the names of the other targets that have it.
        more: how many further inputs show it.
        places: how many other lines have findings of the same kind and message, if these are left out.
    """

    shown: tuple[Suite, Finding]
    others: list[str] = field(default_factory=list)
    more: int = 0
    places: int = 0

    @property
    def message(self) -> str:
        """The message of the finding in one line, without its place."""
        finding = self.shown[1]
        said = finding.message
        if finding.line:
            place = f" ({Path(finding.file).name}:{finding.line})"
            said = said.removeprefix(f"line {finding.line}: ").removesuffix(place)
        return " ".join(said.split())

    @property
    def does(self) -> str:
        """What the call does, to stand behind it: `` raises ValueError: x`` or ``: overflow: x * x``."""
        said = self.message
        return f" raises {said.removeprefix('raised: ')}" if said.startswith("raised: ") else f": {said}"

    @property
    def also(self) -> list[str]:
        """Who else has it: how many further inputs and places, and which targets."""
        more = [f"{self.more} more input{'s' * (self.more > 1)}"] if self.more else []
        more += [f"{self.places} more place{'s' * (self.places > 1)}"] if self.places else []
        return more + ([f"also of {_named(self.others)}"] if self.others else [])


def findings_of(suites: Sequence[Suite], style: Style) -> list[str]:
    """Return one line for each cause of findings, allowed ones included (:func:`groups_of`).

    Those of a single suite have the numbers of their inputs. If there are more than 40 for several targets, those of
    the same kind and message share a line; if that does not suffice, the last line counts the rest.
    """
    groups = groups_of(suites)
    if len(suites) <= 1:
        return [_line(group, style, True) for group in groups]
    if len(groups) > _MOST_FINDINGS:
        groups = _merged(groups)
    lines = [_line(group, style, False) for group in groups]
    left = len(lines) - _MOST_FINDINGS + 1
    return lines if left <= 1 else [*lines[:-left], f"and {left} more findings; --json FILE has all of them"]


def groups_of(suites: Sequence[Suite]) -> list[Group]:
    """Return the findings of suites by their causes, allowed ones included.

    A finding of several targets is shown for the one with the plainest input. Groups of several suites are sorted:
    ordinary inputs first. Those of a single suite stay in its order.
    """
    alike = dict[object, list[tuple[Suite, Finding]]]()
    for suite in suites:
        for number, finding in enumerate(suite.findings):
            key = finding.cause or (suite.target.text, number)
            alike.setdefault((finding.file, key, finding.allowed), []).append((suite, finding))
    groups = [_group(several) for several in alike.values()]
    return sorted(groups, key=_order) if len(suites) > 1 else groups


def _order(group: Group) -> tuple[bool, bool]:
    return plainness(group.shown[0].signature, group.shown[1])[:2]


def _merged(groups: Sequence[Group]) -> list[Group]:
    """Return one group for each kind and message, with the first of them as the one that is shown."""
    alike = dict[object, list[Group]]()
    for group in groups:
        finding = group.shown[1]
        alike.setdefault((finding.kind, finding.allowed, group.message), []).append(group)
    merged = list[Group]()
    for first, *rest in alike.values():
        own = first.shown[0].target.function
        names = dict.fromkeys(name for one in (first, *rest) for name in (one.shown[0].target.function, *one.others))
        more = sum(one.more + (one is not first) for one in (first, *rest))
        merged.append(Group(first.shown, [name for name in names if name != own], more, len(rest)))
    return merged


def _group(several: Sequence[tuple[Suite, Finding]]) -> Group:
    best = min(several, key=lambda one: plainness(one[0].signature, one[1]))
    names = dict.fromkeys(suite.target.function for suite, _ in several if suite is not best[0])
    return Group(best, list(names), sum(finding.more for _, finding in several))


def _line(group: Group, style: Style, numbered: bool) -> str:
    """Return a group as ``exception  stats.py:7: #3 mean([]) raises ZeroDivisionError: division by zero``."""
    suite, finding = group.shown
    kind = style.faint(f"{finding.kind} (allowed)") if finding.allowed else style.bad(finding.kind)
    place = f"{Path(finding.file).name}:{finding.line}: " if finding.line else ""
    told = f" ({'; '.join(group.also)})" if group.also else ""
    number = suite.number_of(finding) if numbered else None
    at = "" if number is None else f"#{number} "
    return f"{kind}  {place}{at}{plain(suite.signature.show(finding.words))}{plain(group.does)}{plain(told)}"


def _named(names: Sequence[str]) -> str:
    """Return names as ``f, g, h and 2 more``."""
    left = len(names) - _MOST_NAMED
    return ", ".join(names) if left <= 1 else f"{', '.join(names[:_MOST_NAMED])} and {left} more"


def kinds_of(suite: Suite) -> str:
    """Return the findings of a suite as ``crash t.c:4, exception t.py:7 and 2 more``; allowed ones are left out."""
    told = dict.fromkeys(
        f"{one.kind} {Path(one.file).name}:{one.line}" if one.line else one.kind
        for one in suite.findings
        if not one.allowed
    )
    return _named([plain(one) for one in told])


def undecided_of(suites: Sequence[Suite], style: Style) -> list[str]:
    """Return a line for each undecided branch: its place, its condition and the reason.

    At most 20 branches are listed; the last line counts the others.
    """
    lines = [
        style.open(f"{Path(branch.site.file or suite.target.where).name}:{branch.site.line or '?'}: "
                   f"{branch.site.condition} {branch.shown}, of {suite.target.function}: {verdict.why}")
        for suite in suites
        for verdict in suite.verdicts
        if verdict.verdict == UNDECIDED
        for branch in [verdict.branch]
    ]  # fmt: skip
    left = len(lines) - _MOST_UNDECIDED
    return lines if left <= 1 else [*lines[:_MOST_UNDECIDED], f"and {left} more undecided; --json FILE has all of them"]


# Reasons to stop that leave branches undecided, and what would help. For all other reasons, each branch has its own.
_HELP = {
    Stopped.TIME: "; a larger --budget may decide more",
    Stopped.EVALUATIONS: "; a larger --evals may decide more",
    Stopped.INTERRUPTED: "; --resume goes on",
    Stopped.TRIED: "",
    Stopped.MISTAKE: "",
    Stopped.DYING: "",
}


def help_for(suites: Iterable[Suite]) -> list[str]:
    """Return a line for each reason why searches stopped before all branches were decided, with what would help."""
    reasons = dict[Stopped, list[Suite]]()
    for suite in suites:
        if suite.count(UNDECIDED) and suite.stopped in _HELP:
            reasons.setdefault(Stopped(suite.stopped), []).append(suite)
    lines = []
    for reason, several in reasons.items():
        open_ = sum(suite.count(UNDECIDED) for suite in several)
        what = words_for([branch for suite in several for branch in suite.branches])[open_ != 1]
        whose = f" of {_named([suite.target.function for suite in several])}" if len(several) > 1 else ""
        can_resume = any(suite.options.found is not None for suite in several)
        helps = _HELP[reason] if reason is not Stopped.INTERRUPTED or can_resume else ""
        lines.append(plain(f"{open_} {what}{whose} undecided: {because(reason)}{helps}."))
    return lines


def because(reason: str) -> str:
    """Return why a search stopped, as the end of a sentence."""
    return "it was interrupted" if reason == Stopped.INTERRUPTED else str(reason)
