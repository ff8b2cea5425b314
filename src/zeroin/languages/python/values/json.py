"""Snapshots of Python values as JSON."""

from __future__ import annotations

from ....words import Kind, encode
from ....words import exact as exact_word
from .snapshots import SEQUENCES, Snapshot, ordered


def exact(value: Snapshot) -> object:
    """Return the value as JSON without loss.

    Floats are C99 hexadecimal and integers decimal, both as strings. Sequences and sets (sorted) are lists. Other
    values, also None, booleans and strings, are their Python source.
    """
    if value.form == "float":
        return exact_word(Kind.F64, encode(Kind.F64, value.data))
    if value.form == "int":
        return str(value.data)
    if value.form == "scalar":
        return exact(value.items[0])
    if value.form in SEQUENCES:
        return [exact(item) for item in ordered(value)]
    return value.source


def plain(value: Snapshot) -> object:
    """Return the value as readable JSON: numbers (also NaN and infinities), strings, booleans, None, lists and dicts.

    Sets become sorted lists. Other values, and keys of dicts that are not strings, become their text. If two keys have
    the same text, one entry is lost.
    """
    if value.form in ("none", "bool", "int", "float", "str"):
        return value.data
    if value.form == "scalar":
        return plain(value.items[0])
    if value.form in SEQUENCES:
        return [plain(item) for item in ordered(value)]
    if value.form == "dict":
        keys = (key.data if key.form == "str" else key.text for key in value.items[::2])
        return dict(zip(keys, map(plain, value.items[1::2]), strict=True))
    return value.text
