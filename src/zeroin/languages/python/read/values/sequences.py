"""Ranges and lists whose length depends on the inputs, and loops over them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import TYPE_CHECKING, Self, TypeAlias

from .....term.core.build import FALSE, TRUE, conjunction
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.simplify import simplify, simplify_above
from .....term.core.sorts import INT
from .....term.expression.typed import WHOLE, Typed
from . import raw_bytes
from .numbers import Carried, CarriedInt, carry, is_number, number_of, plain
from .operations import comparison_of
from .raw_bytes import CarriedRaw
from .recording import Recording
from .texts import CarriedStr, characters

if TYPE_CHECKING:
    from .probes import Probes

Turn: TypeAlias = "tuple[bool, Term, object]"  # whether there is one more item, the condition for that, and the item


class CarriedList(Carried, list[object]):
    """A list of an input: its length is a term until something other than its items is asked for."""

    plain_type = list
    length: Term

    @classmethod
    def of(cls, recording: Recording, items: Iterable[object], length: Term) -> CarriedList:
        """One with so many items."""
        made = cls(items)
        made.recording, made.length = recording, length
        return made

    def settle(self) -> None:
        """From here on its length has to be what it was in the run."""
        if not self.length.is_constant:
            self.recording.counted(self.length, "the length of a list", self.recording.place)
            self.length = constant(INT, list.__len__(self))

    def settled(self, why: str) -> Self:
        self.settle()
        return self

    def unsettled(self) -> Self:
        return self

    def turns(self) -> Iterator[Turn]:
        """What a loop over it does."""
        number = 0
        while True:
            holds = number < list.__len__(self)
            within = simplify(make(Op.LT, constant(INT, number), self.length))
            yield holds, within, list.__getitem__(self, number) if holds else None
            number += 1

    def item(self, index: int) -> object:
        """``self[index]`` of an int from 0."""
        within = make(Op.LT, constant(INT, index), self.length)
        self.recording.choose(simplify(within), index < list.__len__(self), "an index is within its list",
                              self.recording.place)  # fmt: skip
        return list.__getitem__(self, index)


def _settling(name: str) -> Callable[..., object]:
    method = getattr(list, name)

    @functools.wraps(method)
    def call(self: CarriedList, *arguments: object, **named: object) -> object:
        self.settle()
        result = method(self, *arguments, **named)
        if self.length.is_constant:  # whatever the method has done to it
            self.length = constant(INT, list.__len__(self))
        return result

    return call


for _name in ("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "index", "count", "copy",
              "__add__", "__mul__", "__rmul__", "__iadd__", "__imul__", "__getitem__", "__setitem__", "__delitem__",
              "__contains__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__iter__", "__len__",
              "__reversed__", "__repr__"):  # fmt: skip
    setattr(CarriedList, _name, _settling(_name))
setattr(CarriedList, "__hash__", None)  # noqa: B010


def settled_length(recording: Recording, items: Iterable[object]) -> list[object]:
    """The items of a list, whose length from here on has to be what it was in the run."""
    if isinstance(items, CarriedList):
        items.settle()
    return list(items)


def length_of(items: Sized) -> Term:
    """The length of a sequence, as a term."""
    if isinstance(items, CarriedList):
        return items.length
    return constant(INT, len(items))


class CarriedRange:
    """``range`` of numbers that carry terms.

    Raises:
        ValueError: the step is 0.
    """

    def __init__(self, recording: Recording, start: float, stop: float, step: float) -> None:
        self.recording, self._start, self._stop, self._step = recording, start, stop, step
        self.plain = range(plain(start), plain(stop), plain(step))
        if isinstance(step, CarriedInt):
            recording.choose(comparison_of("<", step, 0), plain(step) < 0, "the sign of a range's step",
                             recording.place)  # fmt: skip

    def __len__(self) -> int:
        return len(self.pinned())

    def pinned(self) -> range:
        """The plain range, which from here on has to be what it was in the run."""
        for part in (self._start, self._stop, self._step):
            if isinstance(part, CarriedInt):
                part.settled("a range is taken from the run")
        return self.plain

    def _at(self, number: int) -> Typed:
        start, step = (number_of(part).term for part in (self._start, self._step))
        at = make(Op.ADD, start, make(Op.MUL, constant(INT, number), step))
        return Typed(simplify_above(at, start, step), WHOLE)

    def turns(self) -> Iterator[Turn]:
        """What a loop over it does."""
        stop, number = number_of(self._stop).term, 0
        while True:
            at = self._at(number)
            ends = (at.term, stop) if self.plain.step > 0 else (stop, at.term)
            now = self.plain.start + number * self.plain.step
            holds = now < self.plain.stop if self.plain.step > 0 else now > self.plain.stop
            item = carry(self.recording, now, at) if holds else None
            yield holds, simplify_above(make(Op.LT, *ends), at.term, stop), item
            number += 1

    def __iter__(self) -> Iterator[object]:
        return items_of(self, self.recording, self.recording.place)

    def __reversed__(self) -> Iterator[object]:
        return reversed(self.pinned())

    def __getitem__(self, index: int) -> int:
        return self.pinned()[index]

    def __contains__(self, value: object) -> bool:
        return value in self.pinned()

    def length(self) -> Term:
        """How many numbers there are, as a term; only of a range that counts by 1."""
        start, stop = number_of(self._start).term, number_of(self._stop).term
        many, none = make(Op.SUB, stop, start), constant(INT, 0)
        return simplify_above(make(Op.ITE, make(Op.LT, start, stop), many, none), start, stop)

    @property
    def counts_by_one(self) -> bool:
        return self._step is None or (type(self._step) is int and self._step == 1)

    def contains(self, value: object) -> tuple[bool, Term]:
        """Whether a number is in it, and the condition for that."""
        if not self.counts_by_one or not is_number(value) or isinstance(value, float):
            bare = value.settled("a range is looked into") if isinstance(value, Carried) else value
            holds = bare in self.pinned()
            return holds, TRUE if holds else FALSE
        term, start, stop = (number_of(part).term for part in (value, self._start, self._stop))
        within = conjunction([make(Op.LE, start, term), make(Op.LT, term, stop)])
        return plain(value) in self.plain, simplify_above(within, term, start, stop)


def turns_of(iterable: Iterable[object]) -> Iterator[Turn]:
    """What a loop over something does."""
    if isinstance(iterable, CarriedList | CarriedRange):
        return iterable.turns()
    if isinstance(iterable, CarriedRaw):
        return raw_bytes.turns(iterable)
    return characters(iterable) if isinstance(iterable, CarriedStr) else _plain_turns(iterable)


def _plain_turns(iterable: Iterable[object]) -> Iterator[Turn]:
    for item in iterable:
        yield True, TRUE, item
    yield False, FALSE, None


def items_of(iterable: Iterable[object], recording: Recording, place: int) -> Iterator[object]:
    """The items, where how many there are is no decision at a site."""
    for holds, condition, item in turns_of(iterable):
        recording.choose(condition, holds, "the number of iterations", place)
        if not holds:
            return
        yield item


class Loop:
    """The items of a loop whose turns are decisions at a site."""

    def __init__(self, probes: Probes, site: int, iterable: Iterable[object]) -> None:
        self._probes, self._site = probes, site
        if not isinstance(iterable, CarriedList | CarriedRange | CarriedStr | CarriedRaw):
            iterable = iter(iterable)
        self._turns = turns_of(iterable)

    def __iter__(self) -> Loop:
        return self

    def __next__(self) -> object:
        holds, condition, item = next(self._turns)
        self._probes.decide(self._site, condition, holds)
        if not holds:
            raise StopIteration
        return item
