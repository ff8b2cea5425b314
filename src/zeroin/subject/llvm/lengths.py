"""How many elements the code itself says that an array has: by the constant indices that it uses."""

from __future__ import annotations

import re
from collections import Counter

from .ir import Function, bare

_STORED = re.compile(r"^\s+store (?:volatile )?ptr (%\S+?), ptr (%\S+?)(?:,|$)")
_LOADED = re.compile(r"^\s+(%\S+) = load ptr, ptr (%\S+?)(?:,|$)")
_INDEXED = re.compile(r"^\s+%\S+ = getelementptr (?:(?:inbounds|nuw|nusw) )*(.+), ptr (%\S+?), i\d+ (-?\d+)(?:,|$)")
_SIZES = {"double": 8, "float": 4, "ptr": 8, "i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8}


def bytes_used(function: Function) -> dict[int, tuple[int, int]]:
    """What constant indices of its pointer parameters say of these: ``y[2]`` that there are three elements.

    Returns:
        For each parameter of the IR function that is indexed so: the bytes up to the end of the furthest element whose
        size is known, and the number of elements of another type (a structure).
    """
    lines = [line for block in function.blocks for line in block.lines]
    stores = [match.groups() for line in lines if (match := _STORED.match(line))]
    often = Counter(slot for _, slot in stores)
    position = {f"%{name}": number for number, name in enumerate(function.parameters)}
    slots = {slot: position[value] for value, slot in stores if value in position and often[slot] == 1}
    loaded = {match[1]: slots[match[2]] for line in lines if (match := _LOADED.match(line)) and match[2] in slots}
    found: dict[int, tuple[int, int]] = {}
    for line in lines:
        match = _INDEXED.match(line)
        if match is None or match[2] not in loaded or int(match[3]) < 0:
            continue
        there = loaded[match[2]]
        size, others = found.get(there, (0, 0))
        known, count = _size(match[1]), int(match[3]) + 1
        found[there] = (max(size, count * known), others) if known else (size, max(others, count))
    return found


def _size(type_: str) -> int:
    """In bytes; 0 if the name does not say it."""
    array = re.fullmatch(r"\[(\d+) x (.*)\]", type_)
    return int(array[1]) * _size(array[2]) if array else _SIZES.get(bare(type_), 0)
