"""How long sequences must be for the comparisons in the code under test, and the unused words beyond their length.

A shape has ordered words for the greatest length of a sequence (``containers.py``): it must be chosen beforehand.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ....subject.constant import most_apart
from ..run.probes.syntax_tree import name_of
from .arrays import ArrayND
from .containers import Repeated, Str, Union
from .scalars import Product
from .shapes import Shape

_LEAST = 8  # items of one word each: two patterns that do not touch need five or more
_MOST = 33
_LONGEST = 257  # characters
_BETWEEN = 8  # characters between several texts that are compared
_DIGITS = 8  # of a number that is compared as a text, such as a checksum
_WRITERS = ("hex", "format", "str", "hexdigest")
_GROWTH = 4  # the factor by which a sequence is made longer
_MOST_WORDS = 600  # of a sequence that is made longer


class Lengths(NamedTuple):
    """How long sequences must be, from :func:`lengths_for`.

    Attributes:
        items: the number of items of sequences, at least 1.
        characters: the number of characters of strings.
        texts: texts to try as strings.
        own: the number of items or characters of some parameters, by name.
    """

    items: int
    characters: int
    texts: tuple[str, ...] = ()
    own: tuple[tuple[str, int], ...] = ()

    def of(self, name: str) -> Lengths:
        """Return the lengths for a parameter."""
        own = dict(self.own).get(name)
        return self if own is None else self._replace(items=own, characters=own)


def lengths_for(functions: Iterable[ast.AST], texts: Sequence[str] = ()) -> Lengths:
    """Return the lengths that the code of the given functions needs.

    Items: one more than the largest number, up to 32, in a comparison, an index or a call of ``range``, or than
    :func:`zeroin.subject.constant.most_apart`.

    Characters: the largest of four numbers. The first is the number of items. The second is the total length of the
    texts in comparisons and calls, plus 8 for what lies between several of them, plus 8 if a number is compared as text
    (a checksum); at most 33. The third is one
    more than a number, up to 256, in an expression with ``len``. The last is the length of the longest of ``texts``.

    Args:
        functions: the syntax nodes of the functions.
        texts: texts to try as strings; they become :attr:`Lengths.texts`.
    """
    largest = longest = 0
    compared: set[str] = set()
    numbers_of: dict[str, set[int]] = {}
    functions = list(functions)
    for function in functions:
        for node in ast.walk(function):
            if isinstance(node, ast.Compare | ast.Subscript) or _is_range(node):
                numbers = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and type(n.value) is int]
                largest = max([largest, *(n for n in numbers if n < _MOST)])
                if any(isinstance(part, ast.Call) and name_of(part.func) == "len" for part in ast.walk(node)):
                    longest = max([longest, *(n + 1 for n in numbers if n < _LONGEST)])
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
                own = (n.value for n in node.comparators if isinstance(n, ast.Constant) and type(n.value) is int)
                numbers_of.setdefault(node.left.id, set()).update(own)
            if isinstance(node, ast.Compare | ast.Call):
                parts = [*ast.iter_child_nodes(node)]
                compared |= {n.value for n in parts if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    largest = max(largest, most_apart(numbers_of.values()))
    between = _BETWEEN if len(compared) > 1 else 0
    digits = _DIGITS if any(map(_compares_digits, functions)) else 0
    characters = min(max(largest + 1, digits + between + sum(map(len, compared))), _MOST)
    return Lengths(largest + 1, max([characters, longest, *map(len, texts)]), tuple(texts))


def _compares_digits(function: ast.AST) -> bool:
    """Whether the function compares a text that is made from a number, such as a checksum."""
    inside = (node for outer in ast.walk(function) if isinstance(outer, ast.Compare) for node in ast.walk(outer))
    return any(isinstance(node, ast.FormattedValue) or
               (isinstance(node, ast.Call) and name_of(node.func) in _WRITERS) for node in inside)  # fmt: skip


def _is_range(node: ast.AST) -> bool:
    """Whether the node is a call of ``range``."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def with_room(shape: Any, room: Lengths) -> Any:
    """Return the shape with longer outermost sequences, if only zeroin's own choice limits their length.

    Strings get ``room.characters`` characters. Other sequences get ``room.items`` items, at least 8 if an item has one
    word, and at most 600 words. Longer sequences stay as they are. If nothing changes, the shape itself is returned.
    """
    if isinstance(shape, Repeated):
        items = max(room.items, _LEAST if shape.unit.arity == 1 else 0)
        wanted = room.characters if isinstance(shape, Str) else min(items, _MOST_WORDS // max(1, shape.unit.arity))
        return dataclasses.replace(shape, high=wanted) if shape.free and shape.high < wanted else shape
    changes: dict[str, object] = {}
    for field in dataclasses.fields(shape):
        value = getattr(shape, field.name)
        if isinstance(value, Shape):
            changes[field.name] = with_room(value, room)
        elif isinstance(value, tuple) and any(isinstance(part, Shape) for part in value):
            changes[field.name] = tuple(with_room(part, room) if isinstance(part, Shape) else part for part in value)
    changed = {name: value for name, value in changes.items() if value != getattr(shape, name)}
    return dataclasses.replace(shape, **changed) if changed else shape


def longer(shape: Shape) -> tuple[int, int] | None:
    """Return the next larger length of a sequence, and the largest one that it may get.

    None if it is no sequence, or its length may not grow.
    """
    if not isinstance(shape, Repeated) or not shape.free:
        return None
    most = _MOST_WORDS // max(1, shape.unit.arity)
    return (min(_GROWTH * shape.high, most), most) if most > shape.high else None


def tidy(shape: Shape, words: tuple[int, ...]) -> tuple[int, ...]:
    """Return the words with all unused ones set to plain values: those beyond a length, or of other alternatives.

    So a search that makes a sequence longer continues from a simple value. In a text that is not empty, the last
    character is repeated instead.
    """
    if isinstance(shape, Repeated):
        unit, end = shape.unit, 1 + words[0] * shape.unit.arity
        items = [tidy(unit, words[at : at + unit.arity]) for at in range(1, end, unit.arity)]
        beyond = items[-1] if items and isinstance(shape, Str) else unit.plain()
        return (words[0], *(w for part in items for w in part), *tuple(beyond) * (shape.high - words[0]))
    if isinstance(shape, ArrayND):
        used = shape.used(words)
        return (*words[:used], *shape.unit.plain() * (shape.arity - used))
    if isinstance(shape, Union):
        result, at = [words[0]], 1
        for number, alternative in enumerate(shape.alternatives):
            mine = words[at : at + alternative.arity]
            result += tidy(alternative, mine) if number == words[0] else alternative.plain()
            at += alternative.arity
        return tuple(result)
    if isinstance(shape, Product):
        result, at = [], 0
        for part in shape.shapes:
            result += tidy(part, words[at : at + part.arity])
            at += part.arity
        return tuple(result)
    return words
