"""Bytes of an input that carry terms. They are followed as the text with the same code points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .....term.core.build import FALSE, conjunction, disjunction, equal
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.simplify import simplify
from .....term.core.sorts import INT, bits
from .....term.expression.typed import WHOLE, Typed
from . import texts
from .numbers import Carried, CarriedInt, carry, number_of, plain
from .recording import Recording
from .struct_bytes import CarriedBytes
from .text_methods import METHODS
from .texts import CarriedStr, plain_text

# Methods that do to bytes what they do to the text.
_ALIKE = ("startswith", "endswith", "find", "rfind", "index", "rindex", "count", "split", "replace", "partition",
          "rpartition", "removeprefix", "removesuffix")  # fmt: skip


class CarriedRaw(Carried, bytes):
    """Bytes of an input, or a part of them.

    Attributes:
        text: the text of their numbers as code points.
    """

    plain_type = bytes
    text: CarriedStr

    @classmethod
    def of(cls, text: str) -> bytes:
        """The bytes of a text; plain ones if it carries no terms."""
        if not isinstance(text, CarriedStr):
            return (text.settled("bytes are made of it") if isinstance(text, Carried) else text).encode("latin-1")
        made = cls(plain_text(text).encode("latin-1"))
        made.recording, made.text = text.recording, text
        return made

    def settled(self, why: str) -> bytes:
        return self.text.settled(why).encode("latin-1")

    def unsettled(self) -> bytes:
        return bytes.__add__(self, b"")

    def __hash__(self) -> int:
        return hash(self.settled("bytes are looked up by their hash"))

    def with_bits(self) -> bytes:
        """The same for ``struct``: each byte is a bit vector."""
        chars = self.text.settle()
        eight = [(simplify(make(Op.INT_TO_BITS, char, data=bits(8))), 0) for char in chars]
        return CarriedBytes.of(self.recording, self.unsettled(), eight)


def as_text(value: Any) -> str:
    """The text of bytes."""
    return value.text if isinstance(value, CarriedRaw) else value.decode("latin-1")


def are_followed(*values: object) -> bool:
    """Whether all are bytes, of which some are followed."""
    return all(type(one) in (bytes, CarriedRaw) for one in values) and any(
        isinstance(one, CarriedRaw) for one in values
    )


def length(value: CarriedRaw) -> Term:
    """How many there are."""
    return value.text.length


def item(value: CarriedRaw, index: int | slice, place: int) -> object:
    """``value[index]``, of a plain int or slice."""
    found = texts.item(value.text, index, place)
    return CarriedRaw.of(found) if isinstance(index, slice) else _number(value.recording, found)


def _number(recording: Recording, char: str) -> float:
    """The number of a text of one character."""
    (term,) = texts.chars_of(char)
    return carry(recording, ord(plain_text(char)), Typed(term, WHOLE))


def turns(value: CarriedRaw) -> Iterator[tuple[bool, Term, float | None]]:
    """What a loop over bytes does; see :func:`.sequences.turns_of`."""
    for holds, within, char in texts.characters(value.text):
        yield holds, within, _number(value.recording, char) if holds else None


def contained(a: Any, b: bytes) -> tuple[bool, Term] | None:
    """Whether bytes contain a number or bytes, and the condition for that; None if they can not contain it."""
    if type(a) in (bytes, CarriedRaw):
        return plain_bytes(a) in plain_bytes(b), texts.containment_of(as_text(a), as_text(b))
    if type(a) not in (int, CarriedInt) or not 0 <= plain(a) < 256:
        return None
    term = number_of(a).term
    if isinstance(a, CarriedInt):
        is_byte = conjunction([make(Op.LE, constant(INT, 0), term), make(Op.LT, term, constant(INT, 256))])
        a.recording.choose(is_byte, True, "a number is a byte", a.recording.place)
    chars, many = texts.view(as_text(b))
    found = [
        conjunction([make(Op.LT, constant(INT, number), many), equal(char, term)]) for number, char in enumerate(chars)
    ]
    return plain(a) in plain_bytes(b), simplify(disjunction(found)) if found else FALSE


def plain_bytes(value: bytes) -> bytes:
    """Bytes without their terms."""
    return value.unsettled() if isinstance(value, CarriedRaw) else value


def joined(recording: Recording, a: object, b: object) -> bytes:
    """``a + b``."""
    return CarriedRaw.of(texts.joined(recording, [as_text(a), as_text(b)]))


def method(place: int, own: bytes, name: str, arguments: tuple[object, ...]) -> object:
    """What a method gives back; NotImplemented if it is not followed.

    Args:
        place: where it is called.
        own: the bytes whose method it is.
        name: of the method.
        arguments: of the call.
    """
    parts = [part for one in arguments for part in (one if isinstance(one, tuple) else (one,))]
    if name not in _ALIKE or not arguments or len(arguments) > 2 or not are_followed(own, *parts):
        return NotImplemented
    if len(arguments) != 1 + (name == "replace"):
        return NotImplemented
    given = [tuple(map(as_text, one)) if isinstance(one, tuple) else as_text(one) for one in arguments]
    found = METHODS[name](as_text(own), place, *given)
    if isinstance(found, list | tuple):
        return type(found)(map(CarriedRaw.of, found))
    return CarriedRaw.of(found) if isinstance(found, str) else found


# ---- the operators of the bytes themselves, for code that is not rewritten ----


def _relation(sign: str, name: str) -> Callable[[CarriedRaw, object], object]:
    compare = getattr(bytes, name)

    def related(self: CarriedRaw, other: Any) -> object:
        if type(other) not in (bytes, CarriedRaw):
            return compare(self.settled("bytes are compared with another value"), other)
        holds = compare(plain_bytes(self), plain_bytes(other))
        condition = texts.comparison_of(sign, self.text, as_text(other))
        self.recording.choose(condition, holds, "a comparison without a probe", self.recording.place)
        return holds

    return related


def _settling(name: str) -> Callable[..., object]:
    own = getattr(bytes, name)
    return lambda self, *arguments: own(self.settled("bytes are used in unreadable code"), *arguments)


for _sign, _name in (("==", "__eq__"), ("!=", "__ne__"), ("<", "__lt__"), ("<=", "__le__"), (">", "__gt__"),
                     (">=", "__ge__")):  # fmt: skip
    setattr(CarriedRaw, _name, _relation(_sign, _name))
for _name in ("__contains__", "__getitem__", "__iter__", "__len__", "__add__", "__mul__", "__rmul__", "__mod__"):
    setattr(CarriedRaw, _name, _settling(_name))
