"""What functions and methods of Python's own make of texts and containers: the type of the result, and no more.

One entry a function or method. A result is a type, or one of these:

- NATURAL: an int that is not negative
- ITEM: one of the items
- SAME: another value of the same type
- VIEW: the keys, values or items of a dict
- None: unknown
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import Any

ITEM, SAME, NATURAL, VIEW = "item", "same", "natural", "view"
Result = Any  # a type, one of these words, or None

# Methods that change nothing.
_OF_TEXTS: dict[str, Result] = {
    **dict.fromkeys(("startswith", "endswith", "isalnum", "isalpha", "isascii", "isdigit", "islower", "isspace"), bool),
    **dict.fromkeys(("istitle", "isupper", "isdecimal", "isidentifier", "isnumeric", "isprintable"), bool),
    **dict.fromkeys(("find", "rfind"), int), **dict.fromkeys(("count", "index", "rindex"), NATURAL),
    **dict.fromkeys(("capitalize", "center", "expandtabs", "ljust", "lower", "lstrip", "replace", "rjust"), SAME),
    **dict.fromkeys(("rstrip", "strip", "swapcase", "title", "upper", "zfill", "removeprefix"), SAME),
    **dict.fromkeys(("removesuffix", "casefold", "join", "translate"), SAME),
    **dict.fromkeys(("split", "rsplit", "splitlines"), list), **dict.fromkeys(("partition", "rpartition"), tuple),
}  # fmt: skip
PURE: Mapping[type, Mapping[str, Result]] = {
    str: {**_OF_TEXTS, "encode": bytes, "format": str},
    bytes: {**_OF_TEXTS, "decode": str, "hex": str},
    list: {"count": NATURAL, "index": NATURAL, "copy": list},
    tuple: {"count": NATURAL, "index": NATURAL},
    dict: {"get": None, "keys": VIEW, "values": VIEW, "items": VIEW, "copy": dict},
    set: dict.fromkeys(("isdisjoint", "issubset", "issuperset"), bool)
    | dict.fromkeys(("union", "intersection", "difference", "symmetric_difference", "copy"), set),
    frozenset: dict.fromkeys(("isdisjoint", "issubset", "issuperset"), bool),
    int: {"bit_length": NATURAL, "bit_count": NATURAL, "is_integer": bool, "conjugate": int},
    bool: {"bit_length": NATURAL, "bit_count": NATURAL},
    float: {"is_integer": bool, "hex": str},
}
# Methods that change what they are called on.
CHANGING: Mapping[type, Mapping[str, Result]] = {
    list: {"append": type(None), "extend": type(None), "insert": type(None), "remove": type(None), "clear": type(None),
           "reverse": type(None), "sort": type(None), "pop": ITEM},
    dict: {"clear": type(None), "update": type(None), "setdefault": None, "pop": None, "popitem": tuple},
    set: dict.fromkeys(("add", "discard", "remove", "clear", "update"), type(None)) | {"pop": ITEM},
}  # fmt: skip
# Which arguments of these methods become items, or keys and values; the others of CHANGING but those that only remove
# may add anything.
ADDED: Mapping[str, tuple[int, ...]] = {"append": (0,), "insert": (1,), "add": (0,), "setdefault": (0, 1)}
REMOVING = frozenset(("pop", "popitem", "remove", "discard", "clear", "reverse", "sort"))
# Methods of containers that compare or hash items.
COMPARING = frozenset(("count", "index", "remove", "sort", "get", "setdefault", "pop", "update", "add", "discard",
                       "isdisjoint", "issubset", "issuperset", "union", "intersection", "difference",
                       "symmetric_difference"))  # fmt: skip
FUNCTIONS: Mapping[Callable[..., object], Result] = {
    builtins.sum: None, builtins.any: bool, builtins.all: bool, builtins.sorted: list, builtins.list: list,
    builtins.tuple: tuple, builtins.set: set, builtins.frozenset: frozenset, builtins.dict: dict, builtins.str: str,
    builtins.repr: str, builtins.ascii: str, builtins.hex: str, builtins.oct: str, builtins.bin: str, builtins.chr: str,
    builtins.bytes: bytes, builtins.ord: NATURAL, builtins.hash: int, builtins.id: NATURAL, builtins.format: str,
    builtins.int: int, builtins.float: float, builtins.bool: bool, builtins.callable: bool, builtins.abs: None,
    builtins.round: None, builtins.min: ITEM, builtins.max: ITEM, builtins.zip: None, builtins.enumerate: None,
    builtins.reversed: None, builtins.range: None, builtins.divmod: tuple, builtins.pow: None,
    builtins.print: type(None), builtins.isinstance: bool, builtins.issubclass: bool, builtins.len: NATURAL,
    builtins.next: ITEM, builtins.iter: None,
}  # fmt: skip
