"""How a function's code uses its pointer parameters, as evidence for lengths of arrays and for strings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ..llvm_ir.ir import Function, bare

_STORED = re.compile(r"^\s+store (?:volatile )?ptr (%\S+?), ptr (%\S+?)(?:,|$)")
_LOADED = re.compile(r"^\s+(%\S+) = load ptr, ptr (%\S+?)(?:,|$)")
_INDEXED = re.compile(r"^\s+%\S+ = getelementptr (?:(?:inbounds|nuw|nusw) )*(.+), ptr (%\S+?), i\d+ (-?\d+)(?:,|$)")
_NAME = re.compile(r"%[-\w$.]+")
_CALLED = re.compile(r" (?:call|invoke) [^@]*@(\"[^\"]+\"|[-\w$.]+)\(")
# Uses that ways_of_use ignores: an element at a constant index, a comparison with NULL, the load of the pointer itself.
_AT_ONCE = (_INDEXED, _LOADED, re.compile(r"^\s+(?:%\S+ = load|store)(?: volatile)? i\d+\b"),
            re.compile(r" icmp (?:eq|ne) ptr \S+, null"))  # fmt: skip
_SIZES = {"double": 8, "float": 4, "ptr": 8, "i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "x86_fp80": 16, "half": 2}


def bytes_used(function: Function) -> dict[int, tuple[int, int]]:
    """Measure how far the code uses pointer parameters with constant indices: ``y[2]`` needs three elements.

    Returns:
        For each position of such a parameter in the IR function, a pair. First the bytes up to the end of the furthest
        element of known size; then the number of elements of unknown size (structures).
    """
    loaded, _ = _loaded(function)
    found: dict[int, tuple[int, int]] = {}
    for line in _lines(function):
        match = _INDEXED.match(line)
        if match is None or match[2] not in loaded or int(match[3]) < 0:
            continue
        there = loaded[match[2]]
        size, others = found.get(there, (0, 0))
        known, count = size_of(match[1]), int(match[3]) + 1
        found[there] = (max(size, count * known), others) if known else (size, max(others, count))
    return found


def ways_of_use(function: Function) -> dict[int, set[str]]:
    """Find uses of pointer parameters other than elements at constant indices.

    Returns:
        For each position of such a parameter in the IR function, the names of the functions that it is passed to. The
        empty name stands for any other use, such as pointer arithmetic. A parameter without such uses has no key.
    """
    loaded, moving = _loaded(function)
    found: dict[int, set[str]] = {number: {""} for number in moving}
    for line in _lines(function):
        for value in set(_NAME.findall(line)) & loaded.keys():
            call = _CALLED.search(line)
            if call or not any(use.search(line) for use in _AT_ONCE):
                found.setdefault(loaded[value], set()).add(bare(call[1]) if call else "")
    return found


def _lines(function: Function) -> Iterator[str]:
    """Yield the instructions of a function."""
    return (line for block in function.blocks for line in block.lines)


def _loaded(function: Function) -> tuple[dict[str, int], set[int]]:
    """Trace the pointer parameters of a function that was compiled at -O0.

    Returns:
        The IR values that equal an unchanged pointer parameter, with its position, and the positions of pointer
        parameters that the code assigns to.
    """
    stores = [match.groups() for line in _lines(function) if (match := _STORED.match(line))]
    often = Counter(slot for _, slot in stores)
    position = {f"%{name}": number for number, name in enumerate(function.parameters)}
    slots = {slot: position[value] for value, slot in stores if value in position}
    kept = {slot for slot in slots if often[slot] == 1}
    loads = (match for line in _lines(function) if (match := _LOADED.match(line)))
    return {m[1]: slots[m[2]] for m in loads if m[2] in kept}, {slots[slot] for slot in slots.keys() - kept}


def size_of(type_: str) -> int:
    """Return the size of an IR type in bytes; 0 if it is unknown (a structure)."""
    array = re.fullmatch(r"\[(\d+) x (.*)\]", type_)
    return int(array[1]) * size_of(array[2]) if array else _SIZES.get(bare(type_), 0)
