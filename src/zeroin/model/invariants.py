"""Candidates for loop invariants: what may hold of a single variable whenever a turn of a loop begins.

These are guesses. :mod:`zeroin.solvers.invariants` finds out which of them hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..term.core.build import equal, negation
from ..term.core.evaluate import signed
from ..term.core.nodes import Op, Term, constant, make
from ..term.core.sorts import INT, Sort
from ..term.core.traversal import postorder, variables

_MOST_BOUNDS = 18  # the most constants that are tried as bounds of a variable
_COMPARISONS = frozenset((Op.EQUAL, Op.BV_ULT, Op.BV_ULE, Op.BV_SLT, Op.BV_SLE, Op.LT, Op.LE))


@dataclass(frozen=True)
class Way:
    """A way to the beginning of a loop, from outside or from the end of a turn.

    Attributes:
        guard: a Bool that holds if a run takes the way.
        values: the values of the loop's variables after the way, in the order of the variables.
    """

    guard: Term
    values: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop, with term variables for the values that it changes.

    Attributes:
        variables: the values at the beginning of a turn, as variables of bit vector and Int sorts.
        entries: the ways into the loop.
        turns: the ways back to the beginning, as terms over the variables of the turn that ends.
        has_few_values: whether each variable may have a few values only, which are then worth collecting.
    """

    variables: tuple[Term, ...]
    entries: tuple[Way, ...]
    turns: tuple[Way, ...]
    has_few_values: bool = False

    @property
    def terms(self) -> Iterator[Term]:
        """The guards and values of all ways, as a new iterator."""
        for way in (*self.entries, *self.turns):
            yield way.guard
            yield from way.values


def guesses(loop: Loop) -> Iterator[list[Term]]:
    """Yield the guesses for a loop, as lists of one kind for one variable. A list may be empty.

    Each guess is a Bool over that variable. In a list, each guess implies the next one: the strongest comes first.
    """
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
    """Whether there are guesses for variables of this sort: bit vectors and Ints."""
    return sort.is_bits or sort == INT


def _ends(own: Term, many: int, start: int) -> Term:
    """Return the guess that the variable's lowest ``many`` bits are those of the number ``start``."""
    mask = (1 << many) - 1
    return equal(make(Op.BV_AND, own, constant(own.sort, mask)), constant(own.sort, start & mask))


def _low_bits(values: Iterable[Term], width: int) -> list[int]:
    """Return numbers of low bits that may stay constant, the largest first.

    These are 1, the amounts of constant left shifts, and the numbers of trailing zeros of constants. All are smaller
    than the width.
    """
    found = {1}
    for part in postorder(values):
        if part.is_constant and part.sort.is_bits and part.data:
            found.add((part.data & -part.data).bit_length() - 1)
        elif part.op is Op.BV_SHL and part.args[1].is_constant:
            found.add(part.args[1].data)
    return sorted((many for many in found if 0 < many < width), reverse=True)


def _bounds(own: Term, first: Sequence[Term], every: Sequence[Term], parts: Sequence[Term]) -> list[int]:
    """Return constants that may bound a variable, each with its neighbours: at most 18, unsigned for bit vectors.

    These are constants in its initial values, and in the terms that it, its values or their arguments are compared
    with, also in two steps.
    """
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
    """Return the terms that are compared with one of these."""
    return [other for part in parts if part.op in _COMPARISONS
            for one, other in (part.args, part.args[::-1]) if one in near]  # fmt: skip
