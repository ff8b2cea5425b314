"""What lies ahead of a condition of a run, on the way to a target (Baars et al. 2011, section III, row SE2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..term.build import FALSE, negation
from ..term.nodes import Op, Term
from ..term.smaller import simplify_all
from ..term.sorts import BOOL
from ..term.traversal import variables


@dataclass(frozen=True)
class PartialPath:
    """One way to the target.

    Attributes:
        conditions: that it takes, over the state where it begins.
        dropped: how many it takes beside these: its approximation level.
    """

    conditions: tuple[Term, ...]
    dropped: int = 0


def nearest(paths: Iterable[PartialPath]) -> list[PartialPath]:
    """As few and as short paths, the nearest of which is in each state as far as the nearest of these.

    Where one path takes ``c``, and what else it takes another one takes together with ``not c``, that need not take
    ``not c``: if it does not hold, the first one is nearer.
    """
    found = list(dict.fromkeys(paths))
    taken = _Taken()
    changed = True
    while changed:
        found.sort(key=lambda one: (one.dropped, len(one.conditions)))
        kept: list[tuple[PartialPath, int]] = []
        for path in found:
            rest = ~taken.by(path)
            if all(others & rest for _, others in kept):  # else one of them is never further: it takes no more
                kept.append((path, ~rest))
        found = [_shortened(path, own, kept, taken) for path, own in kept]
        changed = any(path is not before for path, (before, _) in zip(found, kept, strict=True))
    return found


class _Taken:
    """What paths take, as numbers of a bit for each condition, and for each time that it is taken again."""

    def __init__(self) -> None:
        self._places: dict[tuple[Term, int], int] = {}
        self.conditions: list[Term] = []  # of the bits

    def by(self, path: PartialPath) -> int:
        bits = 0
        for condition in path.conditions:
            times = 0
            while bits & (bit := self._bit(condition, times)):
                times += 1
            bits |= bit
        return bits

    def _bit(self, condition: Term, times: int) -> int:
        place = self._places.setdefault((condition, times), len(self.conditions))
        if place == len(self.conditions):
            self.conditions.append(condition)
        return 1 << place


def _shortened(path: PartialPath, own: int, others: Sequence[tuple[PartialPath, int]], taken: _Taken) -> PartialPath:
    """Without a condition that it need not take. The others have less dropped first."""
    for other, bits in others:
        if other.dropped > path.dropped:
            break
        rest = bits & ~own
        if rest and not rest & (rest - 1) and len(other.conditions) <= len(path.conditions):
            needless = negation(taken.conditions[rest.bit_length() - 1])
            if needless in path.conditions:
                return PartialPath(tuple(one for one in path.conditions if one is not needless), path.dropped)
    return path


def is_denied(condition: Term, by: Sequence[Term]) -> bool:
    """Whether one of these is its negation."""
    if condition.op is Op.NOT:
        return condition.args[0] in by
    return any(one.op is Op.NOT and one.args[0] is condition for one in by)


def solved(way: PartialPath, memo: dict[Term, Term], paper: bool = False) -> PartialPath | None:
    """With what one condition says to be constant in its place, or as it stands; None if it is impossible. ``memo``: as
    of :func:`zeroin.term.smaller.simplify_all`."""
    fixed = {one for condition in way.conditions for one in _fixed(condition)}
    if not fixed or sum(not fixed.isdisjoint(variables([condition])) for condition in way.conditions) < 2:
        return way
    parts = simplify_all(way.conditions, memo)
    if parts == [FALSE]:
        return None
    return way if paper else PartialPath(tuple(parts), way.dropped)


def _fixed(condition: Term) -> list[Term]:
    """The variable that it says to be a constant, if there is one."""
    if condition.op is Op.EQUAL and any(one.is_constant for one in condition.args):
        return [one for one in condition.args if one.op is Op.VARIABLE]
    return [one for one in (condition, *condition.args) if one.op is Op.VARIABLE and one.sort == BOOL]


@dataclass(frozen=True)
class Ahead:
    """All ways from a condition to the target.

    Attributes:
        paths: the ways, without those that no state takes.
        rejected: how many these are.
        whole: nothing that a way takes is not known. Then what runs evaluate only after this condition has no shorter
            way of its own: what they have taken until then is free, and what they have not, they do not come by
            again. (It may have a way that no state takes from here on, and that tells nothing.)
    """

    paths: tuple[PartialPath, ...]
    rejected: int = 0
    whole: bool = False


def next_steps(site: int, levels: Mapping[int, int], between: Callable[[int, int], Ahead | None]) -> list[PartialPath]:
    """The ways to those outcomes of a site itself that a target depends on, as far from there as their levels say."""
    found = []
    for outcome in (2 * site, 2 * site + 1):
        known = between(site, outcome) if outcome in levels else None
        ways = known.paths if known is not None else ()
        found += [PartialPath(way.conditions, way.dropped + levels[outcome]) for way in ways]
    return found
