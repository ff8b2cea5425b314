"""What is known where ways come together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..term.core.build import if_else
from ..term.core.nodes import Term
from ..term.core.simplify import simpler
from .memory import MemoryValue, Object


@dataclass
class Memory:
    """What is known of objects: copies of them, with the cells that are known."""

    objects: dict[Object, Object] = field(default_factory=dict)

    def copy(self) -> Memory:
        return Memory({of: Object(o.name, o.size, {**o.cells}) for of, o in self.objects.items()})

    def of(self, target: Object) -> Object:
        """The copy of an object, of which nothing is known if there was none."""
        return self.objects.setdefault(target, Object(target.name, target.size))


def merged(ways: Sequence[tuple[Term, MemoryValue | None]]) -> MemoryValue | None:
    """What is one of several values, by what holds on the ways to each; None if that can not be said."""
    found = ways[-1][1]
    for way, value in reversed(ways[:-1]):
        if value is found or (value == found and not isinstance(value, Term)):
            continue
        if not isinstance(value, Term) or not isinstance(found, Term) or value.sort != found.sort:
            return None
        found = simpler(if_else(way, value, found))
    return found


def joined(ways: Sequence[tuple[Term, Memory]]) -> Memory:
    """What is known on all ways, each with what holds on it."""
    first = ways[0][1]
    if len(ways) == 1:
        return first.copy()
    made = Memory()
    for target in first.objects:
        if all(target in memory.objects for _, memory in ways):
            known = made.of(target)
            for at, (_, size) in first.objects[target].cells.items():
                cells = [(way, memory.objects[target].cells.get(at)) for way, memory in ways]
                same = [(way, cell[0]) for way, cell in cells if cell is not None and cell[1] == size]
                value = merged(same) if len(same) == len(cells) else None
                if value is not None:
                    known.cells[at] = value, size
    return made
