"""Which exceptions operations, functions and methods of Python's own raise, where their arguments have fitting types.

One entry an operation, function or method. A result is a tuple of classes, empty if it raises nothing; None: unknown.
That there is not enough memory is no exception here.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence

Kinds = tuple[type[BaseException], ...]
Kind = type | None  # the class of a value; None if nobody knows
_NUMBERS = frozenset((int, bool, float))
_WHOLE = frozenset((int, bool))
_KEYS = frozenset((int, bool, float, str, bytes, type(None)))  # classes of values that have a hash
_ITERABLE = frozenset((str, bytes, list, tuple, dict, set, frozenset))
_ANY: tuple[frozenset[Kind] | None, ...] = (None,)  # one argument of any class
_KEY, _INDEX, _MANY, _STR = (_KEYS,), (_WHOLE,), (_ITERABLE,), (frozenset((str,)),)
_Entry = tuple[tuple[frozenset[object] | None, ...], Kinds]  # the classes of the arguments, and what is raised then

_NOTHING: tuple[_Entry, ...] = (((), ()),)  # no argument, and nothing is raised
_OF_SETS: tuple[_Entry, ...] = (((frozenset((set, frozenset)),), ()),)
_SEEN = ("isalnum isalpha isascii isdigit islower isspace istitle isupper isdecimal isidentifier isnumeric isprintable "
         "capitalize lower swapcase title upper casefold strip lstrip rstrip split rsplit splitlines")  # fmt: skip
_OF_INTS: Mapping[str, tuple[_Entry, ...]] = dict.fromkeys(("bit_length", "bit_count"), _NOTHING)

# By class and name; several entries are for different numbers of arguments.
_METHODS: Mapping[type, Mapping[str, tuple[_Entry, ...]]] = {
    list: {
        **dict.fromkeys(("clear", "reverse", "copy"), _NOTHING), "append": ((_ANY, ()),), "count": ((_ANY, ()),),
        "index": ((_ANY, (ValueError,)),), "remove": ((_ANY, (ValueError,)),), "extend": ((_MANY, ()),),
        "insert": (((_WHOLE, None), (OverflowError,)),),
        "pop": (((), (IndexError,)), (_INDEX, (IndexError, OverflowError))),
    },
    tuple: {"count": ((_ANY, ()),), "index": ((_ANY, (ValueError,)),)},
    dict: {
        **dict.fromkeys(("keys", "values", "items", "copy", "clear"), _NOTHING),
        **dict.fromkeys(("get", "setdefault"), ((_KEY, ()), ((_KEYS, None), ()))),
        "pop": ((_KEY, (KeyError,)), ((_KEYS, None), ())), "popitem": (((), (KeyError,)),),
        "update": (*_NOTHING, ((frozenset((dict,)),), ())),
    },
    set: {
        **dict.fromkeys(("clear", "copy"), _NOTHING), "add": ((_KEY, ()),), "discard": ((_KEY, ()),),
        "remove": ((_KEY, (KeyError,)),), "pop": (((), (KeyError,)),),
        **dict.fromkeys(("isdisjoint", "issubset", "issuperset", "union", "intersection", "difference",
                         "symmetric_difference", "update"), _OF_SETS),
    },
    str: {
        **dict.fromkeys(_SEEN.split(), _NOTHING),
        **dict.fromkeys(("startswith", "endswith", "find", "rfind", "count", "removeprefix", "removesuffix"),
                        ((_STR, ()),)),
        **dict.fromkeys(("index", "rindex", "partition", "rpartition"), ((_STR, (ValueError,)),)),
    },
    int: _OF_INTS, bool: _OF_INTS, float: {"is_integer": _NOTHING, "hex": _NOTHING},
}  # fmt: skip
_CALM: Mapping[Callable[..., object], frozenset[object]] = {  # functions of one argument; none raises for these
    builtins.len: _ITERABLE, builtins.list: _ITERABLE, builtins.tuple: _ITERABLE, builtins.bool: _KEYS | _ITERABLE,
    builtins.any: _ITERABLE, builtins.all: _ITERABLE, builtins.abs: _NUMBERS, builtins.float: frozenset((float, bool)),
    builtins.int: _WHOLE, builtins.id: _KEYS | _ITERABLE, builtins.callable: _KEYS | _ITERABLE,
}  # fmt: skip


def of_method(kind: type, name: str, arguments: Sequence[Kind], item: Kind) -> Kinds | None:
    """Return what a call of a method with positional arguments raises.

    Args:
        kind: the class of the object, exactly.
        name: of the method.
        arguments: the classes of the arguments.
        item: the class of the object's items.
    """
    if kind is list and name == "sort" and not arguments:
        return () if are_ordered(item, item) else None
    for wanted, raised in _METHODS.get(kind, {}).get(name, ()):
        if _fit(wanted, arguments):
            return raised
    return None


def of_function(function: Callable[..., object], arguments: Sequence[Kind], item: Kind) -> Kinds | None:
    """Return what a call of a function with positional arguments raises.

    Args:
        function: of Python's own.
        arguments: the classes of the arguments.
        item: the class of the items of the first one.
    """
    if len(arguments) != 1:
        return None
    (kind,) = arguments
    if function in _CALM:
        return () if kind in _CALM[function] else None
    if kind not in _ITERABLE:
        return None
    if function is builtins.sum:
        return () if item in _NUMBERS else None
    if function is builtins.sorted:
        return () if are_ordered(item, item) else None
    if function in (builtins.min, builtins.max):
        return (ValueError,) if are_ordered(item, item) else None
    return () if function in (builtins.set, builtins.frozenset) and item in _KEYS else None


def of_binary(sign: str, kinds: Sequence[Kind]) -> Kinds | None:
    """Return what an operator raises for two values of these classes."""
    one, other = kinds
    if sign == "+" and one is other and one in (str, bytes, list, tuple):
        return ()
    if sign in ("&", "|", "^") and ({one, other} <= _WHOLE or (one is other and one in (set, frozenset))):
        return ()
    if sign == "-" and one is other and one in (set, frozenset):
        return ()
    return (ValueError,) if sign == ">>" and {one, other} <= _WHOLE else None


def of_change(container: Kind, index: Kind, deletes: bool) -> Kinds | None:
    """Return what setting, or deleting, an item raises."""
    if container is list and index in _WHOLE:
        return (IndexError,)
    if container is not dict or index not in _KEYS:
        return None
    return (KeyError,) if deletes else ()


def are_ordered(one: Kind, other: Kind) -> bool:
    """Whether ``<`` of two values of these classes raises nothing."""
    return {one, other} <= _NUMBERS or (one is other and one in (str, bytes, set, frozenset))


def have_hashes(kinds: Sequence[Kind]) -> bool:
    """Whether all values of these classes have a hash."""
    return _KEYS.issuperset(kinds)


def _fit(wanted: Sequence[frozenset[object] | None], given: Sequence[Kind]) -> bool:
    return len(wanted) == len(given) and all(
        one is None or other in one for one, other in zip(wanted, given, strict=True)
    )
