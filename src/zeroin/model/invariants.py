"""What may hold whenever a run comes to the beginning of a loop, of each variable that the loop changes alone.

These are guesses: :mod:`zeroin.solvers.invariants` finds out which of them hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..term.core.build import equal, negation
from ..term.core.evaluate import signed
from ..term.core.nodes import Op, Term, constant, make
from ..term.core.sorts import INT, Sort
from ..term.core.traversal import postorder, variables

_MOST_BOUNDS = 18  # of a variable, on each side
_COMPARISONS = frozenset((Op.EQUAL, Op.BV_ULT, Op.BV_ULE, Op.BV_SLT, Op.BV_SLE, Op.LT, Op.LE))


@dataclass(frozen=True)
class Way:
    """A way to the beginning of a loop.

    Attributes:
        guard: holds if a run takes it.
        values: that the loop's variables get on it.
    """

    guard: Term
    values: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Loop:
    """What is a variable because a loop changes it.

    Attributes:
        variables: the values at the beginning of a turn, bit vectors and Ints.
        entries: the ways from outside.
        turns: the ways back, over the variables of the turn that ends.
    """

    variables: tuple[Term, ...]
    entries: tuple[Way, ...]
    turns: tuple[Way, ...]

    @property
    def terms(self) -> Iterator[Term]:
        """All that the ways depend on."""
        for way in (*self.entries, *self.turns):
            yield way.guard
            yield from way.values


def guesses(loop: Loop) -> Iterator[list[Term]]:
    """What may hold of each of a loop's variables; of a kind, each follows from those before it."""
    parts = postorder(loop.terms)
    for at, own in enumerate(loop.variables):
        first = [way.values[at] for way in loop.entries]
        every = [*first, *(way.values[at] for way in loop.turns)]
        yield from ([negation(equal(own, constant(own.sort, n)))] for n in (0, 1, -1))
        if own.sort == INT:
            bounds = sorted(_bounds(own, first, every, parts))
            yield [make(Op.LE, own, constant(INT, n)) for n in bounds]
            yield [make(Op.LE, constant(INT, n), own) for n in reversed(bounds)]
            continue
        low = _low_bits(every, own.sort.width)
        for start in dict.fromkeys((0, *(one.data for one in first if one.is_constant))):
            yield [_ends(own, many, start) for many in low]
        bounds = _bounds(own, first, every, parts)
        upwards = sorted(bounds), sorted(bounds, key=lambda n: signed(n, own.sort.width))
        for op, ordered, least in zip((Op.BV_ULE, Op.BV_SLE), upwards, (0, 1 << (own.sort.width - 1)), strict=True):
            yield [make(op, own, constant(own.sort, n)) for n in ordered if constant(own.sort, n + 1).data != least]
            yield [make(op, constant(own.sort, n), own) for n in reversed(ordered) if n != least]


def is_whole(sort: Sort) -> bool:
    """Whether something is guessed of variables of the sort."""
    return sort.is_bits or sort == INT


def _ends(own: Term, many: int, start: int) -> Term:
    """The low bits are those of a number."""
    mask = (1 << many) - 1
    return equal(make(Op.BV_AND, own, constant(own.sort, mask)), constant(own.sort, start & mask))


def _low_bits(values: Iterable[Term], width: int) -> list[int]:
    """How many bits may stay what they are: as many as something is shifted by, or as are zero in a constant."""
    found = {1}
    for part in postorder(values):
        if part.is_constant and part.sort.is_bits and part.data:
            found.add((part.data & -part.data).bit_length() - 1)
        elif part.op is Op.BV_SHL and part.args[1].is_constant:
            found.add(part.args[1].data)
    return sorted((many for many in found if 0 < many < width), reverse=True)


def _bounds(own: Term, first: Sequence[Term], every: Sequence[Term], parts: Sequence[Term]) -> list[int]:
    """Constants that may bound a variable: that it begins with, or that it or what it comes from is compared with, or
    what that is compared with; each with its neighbours."""
    near = _with_arguments((own, *every, *variables(first)))
    compared = _beside(near, parts)
    further = _beside(_with_arguments(one for one in compared if not one.is_constant), parts)
    found: dict[int, None] = {}
    for one in (*postorder(first), *compared, *postorder(compared), *further, constant(own.sort, 0)):
        if one.is_constant and one.sort == own.sort:
            for number in (one.data, one.data - 1, one.data + 1):
                found[constant(own.sort, number).data] = None
    return list(found)[:_MOST_BOUNDS]


def _with_arguments(terms: Iterable[Term]) -> set[Term]:
    found = set(terms)
    return found | {arg for one in found if is_whole(one.sort) for arg in one.args if is_whole(arg.sort)}


def _beside(near: Collection[Term], parts: Iterable[Term]) -> list[Term]:
    """What is compared with one of these."""
    return [other for part in parts if part.op in _COMPARISONS
            for one, other in (part.args, part.args[::-1]) if one in near]  # fmt: skip
