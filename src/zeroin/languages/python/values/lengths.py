"""How long sequences have to be: long enough for what the function compares with. And words beyond their length."""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..run.probes.syntax_tree import name_of
from .arrays import ArrayND
from .containers import Repeated, Str, Union
from .scalars import Product
from .shapes import Shape

_LEAST = 8  # items of one word each: two things that lie apart take five, and more to tell them from neighbours
_MOST = 33
_LONGEST = 257  # characters
_DIGITS = 8  # of a number that is compared as a text
_WRITERS = ("hex", "format", "str", "hexdigest")
_MOST_WORDS = 600  # of a sequence for which room is made


class Room(NamedTuple):
    """For how many items sequences have room, and for how many characters strings, in which these texts are tried."""

    items: int
    characters: int
    texts: tuple[str, ...] = ()


def room_for(functions: Iterable[ast.AST], texts: Sequence[str] = ()) -> Room:
    """One item more than the largest number, up to 32, that stands in a comparison, an index or a ``range``; for
    strings also what those in calls and comparisons take together, with as much as a checksum takes where a number is
    written to be compared, what lengths are compared with, up to 256, and the
    longest of the texts."""
    largest = longest = 0
    compared: set[str] = set()
    functions = list(functions)
    for function in functions:
        for node in ast.walk(function):
            if isinstance(node, ast.Compare | ast.Subscript) or _is_range(node):
                numbers = [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and type(n.value) is int]
                largest = max([largest, *(n for n in numbers if n < _MOST)])
                if any(isinstance(part, ast.Call) and name_of(part.func) == "len" for part in ast.walk(node)):
                    longest = max([longest, *(n + 1 for n in numbers if n < _LONGEST)])
            if isinstance(node, ast.Compare | ast.Call):
                parts = [*ast.iter_child_nodes(node)]
                compared |= {n.value for n in parts if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    digits = _DIGITS if any(map(_compares_digits, functions)) else 0
    characters = min(max(largest + 1, digits + sum(map(len, compared))), _MOST)
    return Room(largest + 1, max([characters, longest, *map(len, texts)]), tuple(texts))


def _compares_digits(function: ast.AST) -> bool:
    """Whether a text is compared that is made of a number: of a checksum."""
    inside = (node for outer in ast.walk(function) if isinstance(outer, ast.Compare) for node in ast.walk(outer))
    return any(isinstance(node, ast.FormattedValue) or
               (isinstance(node, ast.Call) and name_of(node.func) in _WRITERS) for node in inside)  # fmt: skip


def _is_range(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range"


def with_room(shape: Any, room: Room) -> Any:
    """The shape with room for so many items, or characters, in the outermost sequences, where their length is not
    bounded otherwise, and they do not take too many words; for eight items at least where each is one word."""
    if isinstance(shape, Repeated):
        items = max(room.items, _LEAST if shape.unit.arity == 1 else 0)
        wanted = room.characters if isinstance(shape, Str) else min(items, _MOST_WORDS // max(1, shape.unit.arity))
        return dataclasses.replace(shape, high=wanted) if shape.free and shape.high < wanted else shape
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(shape):
        value = getattr(shape, field.name)
        if isinstance(value, Shape):
            changes[field.name] = with_room(value, room)
        elif isinstance(value, tuple) and any(isinstance(part, Shape) for part in value):
            changes[field.name] = tuple(with_room(part, room) if isinstance(part, Shape) else part for part in value)
    changed = {name: value for name, value in changes.items() if value != getattr(shape, name)}
    return dataclasses.replace(shape, **changed) if changed else shape


def tidy(shape: Shape, words: tuple[int, ...]) -> tuple[int, ...]:
    """The words with those that do not matter (beyond a length, of an alternative not taken) made those of a plain
    value, so that they are good ones to go on from when they come to matter."""
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
