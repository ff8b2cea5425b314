"""Partial paths: the conditions that lie ahead of a run, from a site to a target (Baars et al. 2011, section III)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..term.core.build import FALSE, negation
from ..term.core.nodes import Op, Term
from ..term.core.simplify import Conjunctions
from ..term.core.sorts import BOOL


@dataclass(frozen=True)
class PartialPath:
    """One way from a site to the target.

    Attributes:
        conditions: the known conditions that have to hold on the way, in its order, as Bool terms over the state where
            it begins. One may occur several times.
        dropped: the number of further conditions, which are not known: the way's approximation level.
    """

    conditions: tuple[Term, ...]
    dropped: int = 0


def nearest(paths: Iterable[PartialPath]) -> list[PartialPath]:
    """Simplify a set of partial paths. In each state, the distance of the nearest path stays the same.

    A path that is never the nearest one is left out. A condition is left out by this rule: path A has the condition
    ``c``, and path B has ``not c`` and all other conditions of A. Then B does not need ``not c``, because A is nearer
    wherever ``not c`` is false.

    Args:
        paths: the paths; repetitions are left out.

    Returns:
        The remaining paths: fewest dropped conditions first, and of those with equally many, fewest conditions first.
    """
    taken = _Taken()
    found = [_Taking(path, taken.by(path)) for path in dict.fromkeys(paths)]
    while any(one.is_new for one in found):
        found.sort(key=lambda one: (one.path.dropped, len(one.path.conditions)))
        kept: list[_Taking] = []
        for one in found:
            others = kept if one.is_new else [other for other in kept if other.is_new]
            if all(other.bits & ~one.bits for other in others):  # otherwise another path's conditions are a subset
                kept.append(one)
        found = [_shortened(one, kept, taken) for one in kept]
    return [one.path for one in found]


def are_never_further(ways: Iterable[PartialPath], others: Iterable[PartialPath]) -> bool:
    """Whether for each of the other ways, one of these is at most as far in every state. False if it is not certain.

    This is so if its conditions are the last ones of the other way, and it has dropped no more. It is also so if the
    number of all its conditions is at most the number that the other way has dropped. Without other ways, it is True.
    """
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
    """A path, its conditions as a bit set (see :class:`_Taken`), and whether it is still to be compared with others."""

    path: PartialPath
    bits: int
    is_new: bool = True


class _Taken:
    """The conditions of paths as bit sets, with one bit for each condition and each of its repetitions."""

    def __init__(self) -> None:
        self._bits: dict[tuple[Term, int], int] = {}
        self._opposites: dict[int, tuple[Term, int]] = {}

    def by(self, path: PartialPath) -> int:
        """Return the conditions of a path as a bit set."""
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
        """Return the negation of a bit's condition, and the first bit of that, which is added if it is new."""
        if bit not in self._opposites:
            condition = negation(next(condition for (condition, _), own in self._bits.items() if own == bit))
            self._opposites[bit] = condition, self._bit(condition)
        return self._opposites[bit]

    def _bit(self, condition: Term, times: int = 0) -> int:
        return self._bits.setdefault((condition, times), 1 << len(self._bits))


def _shortened(one: _Taking, kept: Sequence[_Taking], taken: _Taken) -> _Taking:
    """Return the path without one condition that it does not need; if it needs all, itself as no longer new.

    Args:
        one: the path.
        kept: all paths, sorted by the number of dropped conditions.
        taken: the bit sets.
    """
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
    """Whether one of these terms is the negation of the condition."""
    if condition.op is Op.NOT:
        return condition.args[0] in by
    return any(one.op is Op.NOT and one.args[0] is condition for one in by)


def solved(way: PartialPath, known: Conjunctions, paper: bool = False) -> PartialPath | None:
    """Simplify a way: a variable that one condition fixes to a constant is replaced in the others.

    Args:
        way: the way.
        known: the simplifier of conjunctions.
        paper: only check whether the way is possible, and return it unchanged, as in the paper.

    Returns:
        The way, with its conditions simplified or as it is; None if simplification shows that no state satisfies its
        conditions.
    """
    fixed = {one for condition in way.conditions for one in _fixed(condition)}
    if not fixed or sum(not fixed.isdisjoint(known.variables(condition)) for condition in way.conditions) < 2:
        return way
    parts = known.simplified(way.conditions)
    if parts == [FALSE]:
        return None
    return way if paper else PartialPath(tuple(parts), way.dropped)


def _fixed(condition: Term) -> list[Term]:
    """Return the variables that a condition fixes to a constant."""
    if condition.op is Op.EQUAL and any(one.is_constant for one in condition.args):
        return [one for one in condition.args if one.op is Op.VARIABLE]
    return [one for one in (condition, *condition.args) if one.op is Op.VARIABLE and one.sort == BOOL]


@dataclass(frozen=True)
class Ahead:
    """All ways from a site to the target.

    Attributes:
        paths: the ways, without impossible ones.
        rejected: the number of impossible ways, which no state can take.
        whole: whether all conditions on all ways are known. Then a site that runs reach only after this one has no
            shorter way. Conditions that a run has met before that site cost nothing here, and a run does not come back
            to a condition that it has failed. (That site may have a way that is impossible from here; it does not
            matter.)
    """

    paths: tuple[PartialPath, ...]
    rejected: int = 0
    whole: bool = False


def next_steps(site: int, levels: Mapping[int, int], between: Callable[[int, int], Ahead | None]) -> list[PartialPath]:
    """Return the ways from a site to its own branches, plus the branches' approach levels as dropped conditions.

    Args:
        site: the number of the site.
        levels: the approach level of each branch that the target depends on. Other branches are left out.
        between: returns the ways from a site to a branch; None if none are known.
    """
    found = []
    for outcome in (2 * site, 2 * site + 1):
        known = between(site, outcome) if outcome in levels else None
        ways = known.paths if known is not None else ()
        found += [PartialPath(way.conditions, way.dropped + levels[outcome]) for way in ways]
    return found
