"""Copies and settings of memory (``memcpy``, ``memmove``, ``memset``) for all runs at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ....model.memory import MemoryValue, Object, Pointer, Unreadable, copy, store
from ....model.merging import Memory
from ....term.core.nodes import Term, constant
from ....term.core.sorts import bits

_COPIES, _SETS = ("memcpy", "memmove"), ("memset",)
_LARGEST = 4096  # bytes that are followed


def moved(name: str, arguments: Sequence[MemoryValue | None], memory: Memory, constants: Collection[Object]) -> bool:
    """Carry out a call that copies or sets memory, if all that it changes is known.

    Args:
        name: the name of the called function.
        arguments: the values of its arguments.
        memory: the known contents of memory, which are changed. If the new contents can not be expressed, nothing is
            known any more.
        constants: objects that nobody changes. Their own cells are their contents.

    Returns:
        Whether the call was carried out. If not, ``memory`` is unchanged.
    """
    plain = name.split(".")[1] if name.startswith("llvm.mem") else name
    if plain not in (*_COPIES, *_SETS):
        return False
    to, what, size, *volatile = arguments
    count, at = _number(size), _number(to.offset) if isinstance(to, Pointer) else None
    if not isinstance(to, Pointer) or to.to is None or count is None or at is None or any(map(_number, volatile)):
        return False
    if not 0 <= at <= to.to.size - count or count > _LARGEST:
        return False
    made = Object("moved memory", count)
    try:
        _fill(made, plain, what, memory, constants)
        target = memory.of(to.to)
        for offset, (_, width) in list(target.cells.items()):
            if offset < at + count and at < offset + width:
                del target.cells[offset]
        copy(target, at, made, 0, count)
    except Unreadable:
        memory.objects.clear()
    return True


def _fill(made: Object, plain: str, what: MemoryValue | None, memory: Memory, constants: Collection[Object]) -> None:
    """Store the known ones of the copied or set bytes in ``made``; the others stay unknown.

    Raises:
        Unreadable: the source is out of bounds, or contains a part of an address.
    """
    if plain in _SETS:
        byte = _number(what)
        if byte is not None:
            for offset in range(made.size):
                store(made, offset, 1, constant(bits(8), byte & 255))
    elif isinstance(what, Pointer) and what.to is not None and (start := _number(what.offset)) is not None:
        source = what.to if what.to in constants else memory.of(what.to)
        copy(made, 0, source, start, made.size)


def _number(value: MemoryValue | None) -> int | None:
    """Return the number that a value is; None if it is not a constant."""
    return int(value.data) if isinstance(value, Term) and value.is_constant else None
