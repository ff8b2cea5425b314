"""What lies ahead of a condition of a run, on the way to a target (Baars et al. 2011, section III, row SE2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..term.core.build import FALSE, negation
from ..term.core.nodes import Op, Term
from ..term.core.simplify import Conjunctions
from ..term.core.sorts import BOOL


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
    taken = _Taken()
    found = [_Taking(path, taken.by(path)) for path in dict.fromkeys(paths)]
    while any(one.is_new for one in found):
        found.sort(key=lambda one: (one.path.dropped, len(one.path.conditions)))
        kept: list[_Taking] = []
        for one in found:
            others = kept if one.is_new else [other for other in kept if other.is_new]
            if all(other.bits & ~one.bits for other in others):  # else one of them is never further: it takes no more
                kept.append(one)
        found = [_shortened(one, kept, taken) for one in kept]
    return [one.path for one in found]


def are_never_further(ways: Iterable[PartialPath], others: Iterable[PartialPath]) -> bool:
    """Whether, whatever the state, one of these ways is as near as each of the others: it is an end of that, or it
    takes no more conditions than that has dropped."""
    ends: dict[tuple[Term, ...], int] = {}
    most = float("inf")
    for way in ways:
        ends[way.conditions] = min(way.dropped, ends.get(way.conditions, way.dropped))
        most = min(most, way.dropped + len(way.conditions))
    for other in others:
        if other.dropped < most:
            rests = (other.conditions[start:] for start in range(len(other.conditions) + 1))
            if not any(rest in ends and ends[rest] <= other.dropped for rest in rests):
                return False
    return True


@dataclass(eq=False)
class _Taking:
    """A path, and what it takes as a number, see :class:`_Taken`; whether it has been compared with others yet."""

    path: PartialPath
    bits: int
    is_new: bool = True


class _Taken:
    """What paths take, as numbers of a bit for each condition, and for each time that it is taken again."""

    def __init__(self) -> None:
        self._bits: dict[tuple[Term, int], int] = {}
        self._opposites: dict[int, tuple[Term, int]] = {}

    def by(self, path: PartialPath) -> int:
        bits = 0
        for condition in path.conditions:
            bit = self._bit(condition)
            times = 0
            while bits & bit:
                times += 1
                bit = self._bit(condition, times)
            bits |= bit
        return bits

    def opposite(self, bit: int) -> tuple[Term, int]:
        """The negation of a condition, and its first bit."""
        if bit not in self._opposites:
            condition = negation(next(condition for (condition, _), own in self._bits.items() if own == bit))
            self._opposites[bit] = condition, self._bit(condition)
        return self._opposites[bit]

    def _bit(self, condition: Term, times: int = 0) -> int:
        return self._bits.setdefault((condition, times), 1 << len(self._bits))


def _shortened(one: _Taking, kept: Sequence[_Taking], taken: _Taken) -> _Taking:
    """Without a condition that it need not take. Those with less dropped come first."""
    path = one.path
    for other in kept if one.is_new else [other for other in kept if other.is_new]:
        if other.path.dropped > path.dropped:
            break
        rest = other.bits & ~one.bits
        if rest and not rest & (rest - 1) and len(other.path.conditions) <= len(path.conditions):
            needless, bit = taken.opposite(rest)
            if one.bits & bit:
                left = PartialPath(tuple(taking for taking in path.conditions if taking is not needless), path.dropped)
                return _Taking(left, taken.by(left))
    return _Taking(path, one.bits, False)


def is_denied(condition: Term, by: Sequence[Term]) -> bool:
    """Whether one of these is its negation."""
    if condition.op is Op.NOT:
        return condition.args[0] in by
    return any(one.op is Op.NOT and one.args[0] is condition for one in by)


def solved(way: PartialPath, known: Conjunctions, paper: bool = False) -> PartialPath | None:
    """With what one condition says to be constant in its place, or as it stands; None if it is impossible."""
    fixed = {one for condition in way.conditions for one in _fixed(condition)}
    if not fixed or sum(not fixed.isdisjoint(known.variables(condition)) for condition in way.conditions) < 2:
        return way
    parts = known.simplified(way.conditions)
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
