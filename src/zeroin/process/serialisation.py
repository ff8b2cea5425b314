"""Messages as data: encode them as JSON, and decode only a closed set of types.

A message from a worker may have been written by the code under test. So it is never unpickled. It is JSON, and each
field is checked against its declared type.

A value that JSON can not express is a list that begins with a tag. For example, ``["t", 1, 2]`` is the tuple ``(1,
2)``. ``["r", "zeroin.subject.base:Run", ...]`` is a dataclass with the values of its fields.

Decoding creates only these types: terms, some types of the standard library, and dataclasses, named tuples,
enumerations and errors that zeroin defines. Of zeroin's classes, only errors run their constructors.
"""

from __future__ import annotations

import enum
import importlib
import json
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path, PurePath
from typing import Any, TypeAlias, TypeVar

from ..errors import ZeroinError
from ..paths import object_at, path_of
from .declared_types import check_of, field_types

_PACKAGE = __name__.partition(".")[0]
_REBUILT = ("zeroin.term.core.nodes:_restored", "zeroin.term.core.sorts:Sort", "zeroin.model.path:_restored")
_LARGEST = 1 << 63  # larger integers are hexadecimal: int() limits the number of decimal digits
# Types of the standard library: the arguments that make an equal object.
_LIBRARY: dict[str, Callable[[Any], list[object]]] = {
    "fractions:Fraction": lambda one: [one.numerator, one.denominator],
    "decimal:Decimal": lambda one: [str(one)],
    "datetime:timedelta": lambda one: [one.days, one.seconds, one.microseconds],
    "datetime:date": lambda one: [one.year, one.month, one.day],
    "datetime:time": lambda one: [one.hour, one.minute, one.second, one.microsecond],
    "datetime:datetime": lambda one: [one.year, one.month, one.day, one.hour, one.minute, one.second, one.microsecond],
}

Message = TypeVar("Message")
Json: TypeAlias = "list[Json] | str | int | bool | None"  # what is written: no fractions, and no objects


class NotSerialisable(ZeroinError):
    """A value that can not be encoded: its class is none of the supported ones."""


class Malformed(Exception):
    """The received text is no message of an accepted type."""


def encode(message: object) -> bytes:
    """Return a message as JSON.

    Raises:
        NotSerialisable: a part of the message can not be encoded.
    """
    return json.dumps(_written(message), separators=(",", ":"), allow_nan=False).encode()


def decode(text: bytes, kinds: tuple[type[Message], ...]) -> Message:
    """Return the message that a JSON text encodes. Every field has its declared type.

    Args:
        text: the JSON text.
        kinds: the accepted types of messages.

    Raises:
        Malformed: the text is no message of these types.
    """
    try:
        message = _read(json.loads(text, parse_float=_refuse, parse_constant=_refuse))
    except Malformed:
        raise
    except Exception as error:  # forged values may raise anything
        raise Malformed(f"{type(error).__name__}: {error}") from error
    if not isinstance(message, kinds):
        raise Malformed(f"a {type(message).__name__} is not expected")
    return message


def _refuse(text: str) -> object:
    """Refuse a number that :func:`encode` never writes: a decimal fraction, or a constant such as ``NaN``.

    Raises:
        Malformed: always.
    """
    raise Malformed(f"{text} is no value of ours")


# ---- writing ----


def _written(value: object) -> Json:
    """Return the value as JSON's types: lists, strings, numbers, booleans and None.

    Raises:
        NotSerialisable: a part of the value can not be encoded.
    """
    write = _WRITERS.get(type(value))
    return write(value) if write is not None else _written_otherwise(value)


def _same(value: Json) -> Json:
    return value


def _integer(value: int) -> Json:
    """Encode an int; one of more than 64 bits becomes hexadecimal text."""
    return value if -_LARGEST <= value < _LARGEST else ["i", hex(value)]


def _float(value: float) -> list[Json]:
    """Encode a float by its bits, so that NaNs and negative zeros stay as they are."""
    return ["f", struct.pack(">d", value).hex()]


def _several(tag: str) -> Callable[[Iterable[object]], Json]:
    """Return a function that encodes a container: the tag, then its encoded items."""
    return lambda values: [tag, *map(_written, values)]


_WRITERS: dict[type, Callable[[Any], Json]] = {
    type(None): _same, bool: _same, str: _same, int: _integer, float: _float,
    complex: lambda value: ["c", _float(value.real)[1], _float(value.imag)[1]],
    bytes: lambda value: ["b", value.hex()],
    tuple: _several("t"), list: _several("l"), set: _several("s"), frozenset: _several("z"),
    dict: lambda value: ["d", *(_written(part) for pair in value.items() for part in pair)],
}  # fmt: skip


def _written_otherwise(value: object) -> Json:
    """Encode a value whose class is not in ``_WRITERS``.

    Raises:
        NotSerialisable: the class is not supported.
    """
    kind: Any = type(value)
    name = path_of(kind)
    if name in _LIBRARY:
        return ["o", name, *map(_written, _LIBRARY[name](value))]
    if isinstance(value, PurePath):
        return ["p", str(value)]
    if not name.startswith(_PACKAGE + "."):
        return _written_as_pythons(value)
    if isinstance(value, enum.Enum):
        return ["e", name, value.name]
    if isinstance(value, ZeroinError):
        made = value.__reduce__()
        return ["x", name, *map(_written, made[1] if isinstance(made, tuple) else ())]
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return ["n", name, *map(_written, value)]
    if _defines(kind, "__reduce__"):
        made = value.__reduce__()
        assert isinstance(made, tuple)
        return ["m!", path_of(made[0]), *map(_written, made[1])]
    if is_dataclass(kind):
        return ["r", name, *(_written(one) for one in _state(value))]
    return _written_as_pythons(value)


def _written_as_pythons(value: object) -> Json:
    """Encode an instance of a foreign class as the plain Python value that it extends, or that NumPy converts it to.

    Raises:
        NotSerialisable: it extends neither ``int``, ``float`` nor ``str``.
    """
    kind = type(value)
    if kind.__module__ == "numpy" and hasattr(value, "item"):
        return _written(value.item())
    for plain in (int, float, str):
        if isinstance(value, plain):
            return _WRITERS[plain](plain(value))
    raise NotSerialisable(f"{kind.__module__}.{kind.__qualname__}: a value of this class can not be sent")


def _state(value: Any) -> list[object]:
    """Return the values of a dataclass's fields, in order."""
    kind: Any = type(value)
    names = _field_names(kind)
    if not _defines(kind, "__getstate__"):
        return [getattr(value, name) for name in names]
    state = value.__getstate__()
    return [state[name] for name in names]


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields, in order."""
    return tuple(one.name for one in fields(kind))


@cache
def _defines(kind: type, method: str) -> bool:
    """Return whether a class or a base of it, other than a builtin, defines the method."""
    return any(method in vars(base) for base in kind.__mro__ if base.__module__ != "builtins")


# ---- reading ----


def _read(plain: object) -> object:
    """Return the value that decoded JSON stands for.

    Raises:
        Malformed: it stands for no value of an accepted type. Forged lists may raise anything else, too.
    """
    if not isinstance(plain, list):
        if isinstance(plain, dict):
            raise Malformed("an object of JSON is no value of ours")
        return plain
    return _READERS[plain[0]](plain)


def _all(plain: list[object]) -> Iterator[object]:
    """Return an iterator over the decoded items behind the tag."""
    return map(_read, plain[1:])


def _read_float(digits: str) -> float:
    value: float = struct.unpack(">d", bytes.fromhex(digits))[0]
    return value


def _read_dict(plain: list[object]) -> dict[object, object]:
    parts = [*_all(plain)]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _read_of_library(plain: list[Any]) -> object:
    """Make an object of a type in ``_LIBRARY``.

    Raises:
        Malformed: the type is not there.
    """
    module, _, name = plain[1].partition(":")
    if plain[1] not in _LIBRARY:
        raise Malformed(f"{plain[1]} is not called")
    return getattr(importlib.import_module(module), name)(*map(_read, plain[2:]))


@cache
def _ours(name: str) -> Any:
    """Return the object that zeroin defines under this name.

    Raises:
        Malformed: the object is defined under another name.
        ValueError, ImportError, KeyError: see :func:`zeroin.paths.object_at`.
    """
    found = object_at(name)
    if path_of(found) != name:
        raise Malformed(f"{name} is defined elsewhere")
    return found


def _read_enumeration(plain: list[Any]) -> object:
    """Return the member of an enumeration of zeroin.

    Raises:
        Malformed: the class is no enumeration. For an unknown member, it raises KeyError.
    """
    kind = _ours(plain[1])
    if not (isinstance(kind, type) and issubclass(kind, enum.Enum)):
        raise Malformed(f"{plain[1]} is no enumeration")
    return kind[plain[2]]


def _read_named_tuple(plain: list[object]) -> object:
    """Make a named tuple of zeroin, without its constructor.

    Raises:
        Malformed: the class is no named tuple, or an item has another type than declared.
    """
    kind, parts = _ours(plain[1]), [*map(_read, plain[2:])]
    if not (isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")):
        raise Malformed(f"{plain[1]} is no named tuple")
    _check(kind, kind._fields, parts)
    return tuple.__new__(kind, parts)


def _read_record(plain: list[object]) -> object:
    """Make a dataclass of zeroin, without its constructor and ``__post_init__``.

    Raises:
        Malformed: the class is no dataclass, or a field has another type than declared.
    """
    kind, parts = _ours(plain[1]), [*map(_read, plain[2:])]
    if not (isinstance(kind, type) and is_dataclass(kind)):
        raise Malformed(f"{plain[1]} is no dataclass")
    names = _field_names(kind)
    _check(kind, names, parts)
    made = object.__new__(kind)
    for name, part in zip(names, parts, strict=True):
        object.__setattr__(made, name, part)
    return made


def _check(kind: type, names: tuple[str, ...], parts: list[object]) -> None:
    """Check that each part has the type that the class declares for its field.

    Raises:
        Malformed: a part has another type, or their number is wrong.
    """
    if len(names) != len(parts):
        raise Malformed(f"{kind.__name__} has {len(names)} fields, not {len(parts)}")
    for name, check, part in zip(names, _checks(kind), parts, strict=True):
        if not check(part):
            raise Malformed(f"{kind.__name__}.{name} can not be a {type(part).__name__}")


@cache
def _checks(kind: type) -> tuple[Callable[[object], bool], ...]:
    """Return a predicate for each field of a class, in order."""
    return tuple(check_of(declared) for declared in field_types(kind))


def _read_error(plain: list[object]) -> ZeroinError:
    """Make an error of zeroin, with its constructor.

    Raises:
        Malformed: the class is no such error, or an argument is neither a text nor a list.
    """
    kind, parts = _ours(plain[1]), [*map(_read, plain[2:])]
    if not (isinstance(kind, type) and issubclass(kind, ZeroinError)):
        raise Malformed(f"{plain[1]} is no error of ours")
    if not all(isinstance(part, str | list) for part in parts):
        raise Malformed(f"{plain[1]} takes texts")
    return kind(*parts)


def _read_rebuilt(plain: list[object]) -> object:
    """Rebuild terms, sorts and path conditions with their own functions. The sorts of terms are not checked.

    Raises:
        Malformed: it names another function.
    """
    if plain[1] not in _REBUILT:
        raise Malformed(f"{plain[1]} is not called")
    return _ours(plain[1])(*map(_read, plain[2:]))


_READERS: dict[str, Callable[[list[Any]], object]] = {
    "i": lambda plain: int(plain[1], 16),
    "f": lambda plain: _read_float(plain[1]),
    "c": lambda plain: complex(_read_float(plain[1]), _read_float(plain[2])),
    "b": lambda plain: bytes.fromhex(plain[1]),
    "t": lambda plain: tuple(_all(plain)),
    "l": lambda plain: [*_all(plain)],
    "s": lambda plain: {*_all(plain)},
    "z": lambda plain: frozenset(_all(plain)),
    "d": _read_dict,
    "o": _read_of_library,
    "p": lambda plain: Path(plain[1]),
    "e": _read_enumeration,
    "n": _read_named_tuple,
    "r": _read_record,
    "x": _read_error,
    "m!": _read_rebuilt,
}  # fmt: skip
