"""Merging of symbolic states where ways through the program meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..term.core.build import FALSE, TRUE, if_else
from ..term.core.nodes import Term
from ..term.core.simplify import simpler
from .memory import MemoryValue, Object, Pointer


@dataclass
class Memory:
    """The known contents of memory on one way.

    Attributes:
        objects: for each object a copy of it, whose cells are those that are known here.
    """

    objects: dict[Object, Object] = field(default_factory=dict)

    def copy(self) -> Memory:
        """Return an independent copy."""
        return Memory({of: Object(o.name, o.size, {**o.cells}) for of, o in self.objects.items()})

    def of(self, target: Object) -> Object:
        """Return the copy of an object, for reading and changing. If there is none yet, add one without known cells."""
        return self.objects.setdefault(target, Object(target.name, target.size))


def merged(ways: Sequence[tuple[Term, MemoryValue | None]]) -> MemoryValue | None:
    """Merge the values of several ways into an if-then-else term.

    Args:
        ways: for each way, at least one, the condition under which it is taken, and the value on it; None: unknown. The
            first condition that holds counts; if none does, the last way.

    Returns:
        The merged value; None if it is unknown or the values can not be merged, such as pointers to two objects.
    """
    found = ways[-1][1]
    for way, value in reversed(ways[:-1]):
        if way is FALSE or value is found or (value == found and not isinstance(value, Term)):
            continue
        if way is TRUE:
            found = value
            continue
        if isinstance(value, Pointer) and isinstance(found, Pointer) and value.to is found.to:
            found = Pointer(found.to, simpler(if_else(way, value.offset, found.offset)))
            continue
        if not isinstance(value, Term) or not isinstance(found, Term) or value.sort != found.sort:
            return None
        found = simpler(if_else(way, value, found))
    return found


def joined(ways: Sequence[tuple[Term, Memory]]) -> Memory:
    """Merge the memories of several ways into a new one. A cell stays known if it is known on all ways.

    Args:
        ways: for each way, at least one, the condition under which it is taken, and the memory on it.
    """
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
