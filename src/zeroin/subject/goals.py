"""The goals of a search: all branches of the subject, or those that the user named."""

from __future__ import annotations

from collections.abc import Sequence

from ..config import GoalOptions
from ..errors import OptionError
from .base import Branch, Decision, Site, branches_of
from .graph import Graph


def goals_of(sites: Sequence[Site], options: GoalOptions) -> list[Branch]:
    """Return the branches that a search has to cover: all, or those that the options select.

    A path is a single goal, with the number ``2 * len(sites)``, and so is a user's objective. A path takes precedence
    over an objective, this over boundaries, these over a line, and a line over named branches.

    Raises:
        OptionError: there is no such branch, or no code on such a line. The message names those that exist.
    """
    every = branches_of(list(sites))
    if options.path:
        last = sites[path_of(sites, options)[-1] >> 1]
        text = ", ".join(options.decisions)
        whole = Site(len(sites), last.function, last.file, last.line, last.column, text, "path")
        return [Branch("path", whole, 2 * len(sites), "followed")]
    if options.objective:
        name, first = options.objective.rpartition(":")[2], sites[0] if sites else None
        if first is None:
            raise OptionError(f"--objective {options.objective}: the function has no conditions to compute it from")
        whole = Site(len(sites), first.function, first.file, first.line, first.column, f"{name} == 0", "objective")
        return [Branch("objective", whole, 2 * len(sites), "reached")]
    if options.boundary:
        return [branch for branch in every if branch.site.form == "boundary"]
    if options.line:
        return _on_line(every, options.line)
    if not options.branches:
        return every
    return [_named(name, every, "--branch") for name in dict.fromkeys(options.branches)]


def _named(name: str, every: Sequence[Branch], option: str) -> Branch:
    """Return the branch with this name.

    Raises:
        OptionError: there is no such branch. The message names the option and some branches.
    """
    found = next((branch for branch in every if branch.id == name), None)
    if found is None:
        some = ", ".join([*(branch.id for branch in every[:8]), "..."][: len(every)])
        what = f"there are {some} (zeroin show lists them)" if every else "the function has none"
        raise OptionError(f"{option} {name}: no such branch; {what}")
    return found


def path_of(sites: Sequence[Site], options: GoalOptions) -> tuple[int, ...]:
    """Return the numbers of the branches of the path that the user named, in order; empty if there is none.

    A case of a switch also stands for the failed comparisons with the cases before it.

    Raises:
        OptionError: a part of the path is not the name of a branch.
    """
    every, found = branches_of(list(sites)), list[int]()
    for name in options.decisions:
        branch = _named(name, every, "--path")
        site, outcome = branch.site, branch.outcome
        before = [other for other in sites if other.group == site.group and other.number < site.number]
        found += [2 * other.number + 1 for other in before if site.form == "switch"]
        found.append(outcome)
    return tuple(found)


def check_path(path: Sequence[int], sites: Sequence[Site], graph: Graph) -> None:
    """Check that the control flow allows a path.

    Raises:
        OptionError: a branch can not come at its position. The message names those that can.
    """
    names = {branch.outcome: branch.id for branch in branches_of(list(sites))}
    allowed, before = graph.first, "at the start"
    for outcome in path:
        if outcome >> 1 not in allowed:
            places = [names[o] for site in sorted(allowed) for o in (2 * site, 2 * site + 1) if o in names]
            there = f"only {', '.join(places)} can follow" if places else "no condition follows"
            raise OptionError(f"--path: {before} {there}, not {names.get(outcome, 'that case')}")
        allowed, before = graph.follows[outcome], f"after {names.get(outcome, 'other cases')}"


def along_path(decisions: Sequence[Decision], path: Sequence[int]) -> int:
    """Return the number of branches of a path that a run takes before it leaves the path."""
    for number, outcome in enumerate(path):
        if number >= len(decisions) or 2 * decisions[number].site + (not decisions[number].holds) != outcome:
            return number
    return len(path)


def _on_line(every: Sequence[Branch], line: int) -> list[Branch]:
    """Return the goals of ``--line``.

    Raises:
        OptionError: no statement begins on the line. The message names the nearest lines with conditions.
    """
    found = [branch for branch in every if branch.site.form == "line"]
    if not found:
        near = sorted({branch.site.line for branch in every}, key=lambda other: abs(other - line))[:5]
        conditions = f"; its conditions are on lines {', '.join(map(str, sorted(near)))}" if near else ""
        raise OptionError(f"--line {line}: no statement of the function begins there{conditions}")
    return found
