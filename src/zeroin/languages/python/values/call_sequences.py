"""Shapes of call sequences on an object of a class under test: a single use, and several uses in a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .containers import Homogeneous, Union
from .object_uses import Step, Steps
from .scalars import NoneShape, Product
from .shapes import Make, Shape, no_words

_LONGEST, _MOST_CALLS, _MOST_WORDS = 8, 16, 1000


@dataclass(frozen=True)
class Use(Product):
    """One use of an object: a method call with its arguments, or the reading of a property.

    Args:
        use: the method or property, see :class:`zeroin.languages.python.values.object_uses.Step`.
        names: the names of all arguments, in order; empty for a property.
        arguments: the shapes of the arguments, as many as ``names``.
        keywords: the number of arguments, counted from the last, that are passed by name.
        spread: the index, from 0, of the argument for ``*args``; None if there is none.
    """

    use: str
    names: tuple[str, ...] = ()
    arguments: tuple[Shape, ...] = ()
    keywords: int = 0
    spread: int | None = None

    builds = Step

    @property
    def hashable(self) -> bool:
        return all(shape.hashable for shape in self.arguments)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return self.arguments

    @property
    def type(self) -> str:
        """The call with its parameter types: ``push(x: int)``; for a property, its name."""
        method = self.use.rpartition(".")[2]
        shown = ", ".join(f"{name}: {shape.type}" for name, shape in zip(self.names, self.arguments, strict=True))
        return f"{method[:-2]}({shown})" if method.endswith("()") else method

    @cached_property
    def _by_name(self) -> tuple[str, ...]:
        """The names of the arguments that are passed by name."""
        return self.names[len(self.names) - self.keywords :]

    def of(self, items: Sequence[Any], make: Make) -> Step:
        given = list(items)
        if self.spread is not None:
            given[self.spread : self.spread + 1] = given[self.spread]
        return Step(self.use, tuple(given), self._by_name)

    def encode(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, Step) or (value.use, value.names) != (self.use, self._by_name):
            raise no_words(value, self.type)
        items = list(value.items)
        if self.spread is not None:
            end = self.spread + 1 + len(items) - len(self.arguments)
            items[self.spread : end] = [tuple(items[self.spread : end])]
        if len(items) != len(self.arguments):
            raise no_words(value, self.type)
        return self.encode_items(items)


@dataclass(frozen=True)
class ObjectUses(Homogeneous):
    """Uses of one object in a row, in any order; ``element`` is a union of :class:`Use`.

    If the object has no uses, ``element`` is the shape of None, and the only value is an empty sequence.
    """

    builds, hashable = Steps, False

    @property
    def type(self) -> str:
        return f"list[{self.element.type}]"

    @property
    def types(self) -> list[str]:
        """The text of each possible use, in order: ``pop()``, ``push(x: int)``. Empty if there are none."""
        return [shape.type for shape in self.element.alternatives] if isinstance(self.element, Union) else []

    def build(self, words: Sequence[int], make: Make) -> Steps:
        return Steps(self.items(words, make))

    def shorter(self, words: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the words with one use removed, the last use first; nothing for an empty sequence.

        ``words`` are those of one value of this shape.
        """
        step = self.unit.arity
        for number in reversed(range(words[0])):
            at = 1 + number * step
            yield (words[0] - 1, *words[1:at], *words[at + step :], *self.unit.plain())

    def unused(self, several: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
        """Yield, for each kind of use that none of the given sequences contains, a sequence of this use alone.

        Its arguments are plain values. Each sequence is given and yielded as the words of one value of this shape.
        """
        step, plain = self.unit.arity, self.unit.plain()
        used = {words[at] for words in several for at in range(1, 1 + words[0] * step, step)}
        for number in range(len(self.types)):
            if number not in used:
                yield (1, number, *plain[1:], *plain * (self.high - 1))


def uses_of(alternatives: Sequence[Use], room: int) -> ObjectUses:
    """Return the shape of all sequences of the given uses.

    Sequences have at most 8 uses, or more (up to 16) where ``room`` says so, and fewer if they would have over 1000
    words, but one use is always possible. Without ``alternatives``, there is only the empty sequence.

    Args:
        alternatives: the possible uses, in any order.
        room: how many items lists need, from :func:`zeroin.languages.python.values.lengths.lengths_for`.
    """
    if not alternatives:
        return ObjectUses(NoneShape(), high=0, free=False)
    element = Union(tuple(sorted(alternatives, key=lambda use: use.arity)))
    wanted = min(max(_LONGEST, room), _MOST_CALLS)
    return ObjectUses(element, high=max(1, min(wanted, _MOST_WORDS // element.arity)), free=False)
