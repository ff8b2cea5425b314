"""What lies ahead of a condition of a run, on the way to a target (Baars et al. 2011, section III, row SE2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

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

    @cached_property
    def times(self) -> Counter[Term]:
        """How often it takes each."""
        return Counter(self.conditions)

    def is_never_further(self, other: PartialPath) -> bool:
        """Whether in no state this one is further than the other one, which takes all that this one does."""
        short = len(self.conditions) <= len(other.conditions)
        return short and self.dropped <= other.dropped and self.times <= other.times


def nearest(paths: Iterable[PartialPath]) -> list[PartialPath]:
    """As few and as short paths, the nearest of which is in each state as far as the nearest of these.

    Where one path takes ``c``, and what else it takes another one takes together with ``not c``, that need not take
    ``not c``: if it does not hold, the first one is nearer.
    """
    found = list(dict.fromkeys(paths))
    changed = True
    while changed:
        found.sort(key=lambda one: (one.dropped, len(one.conditions)))
        kept: list[PartialPath] = []
        for path in found:
            if not any(one.is_never_further(path) for one in kept):
                kept.append(path)
        found = [_shortened(path, kept) for path in kept]
        changed = found != kept
    return found


def _shortened(path: PartialPath, others: Sequence[PartialPath]) -> PartialPath:
    """Without a condition that it need not take."""
    own = path.times
    for other in others:
        if other is path or other.dropped > path.dropped or len(other.conditions) > len(path.conditions):
            continue
        rest = [condition for condition, times in other.times.items() if times > own[condition]]
        if len(rest) == 1 and other.times[rest[0]] == own[rest[0]] + 1:
            needless = negation(*rest)
            if needless in own:
                return PartialPath(tuple(one for one in path.conditions if one is not needless), path.dropped)
    return path


def solved(way: PartialPath, paper: bool = False) -> PartialPath | None:
    """With what one condition says to be constant in its place, or as it stands; None if it is impossible."""
    fixed = {one for condition in way.conditions for one in _fixed(condition)}
    if not fixed or sum(not fixed.isdisjoint(variables([condition])) for condition in way.conditions) < 2:
        return way
    solved = simplify_all(way.conditions)
    if solved == [FALSE]:
        return None
    return way if paper else PartialPath(tuple(solved), way.dropped)


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
