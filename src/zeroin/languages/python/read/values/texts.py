"""Texts that carry terms: a term for each character, and one for the length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .....term.core.build import FALSE, TRUE, conjunction, disjunction, equal, negation
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.simplify import simplify
from .....term.core.sorts import INT
from .numbers import Carried, CarriedBool, CarriedFloat, CarriedInt, Scalar
from .recording import Recording


class CarriedStr(Carried, str):
    """A text of an input, or a part of one.

    Attributes:
        chars: code points, as terms; those beyond the length mean nothing.
        length: how many there are, a term.
    """

    plain_type = str
    chars: tuple[Term, ...]
    length: Term

    @classmethod
    def of(cls, recording: Recording, text: str, chars: Sequence[Term], length: Term | None = None) -> str:
        """One of these characters; a plain text if they are known, or nothing is followed any more."""
        known = length is None or length.is_constant
        if not recording.live or (known and all(char.is_constant for char in chars)):
            return text
        made = cls(text)
        made.recording, made.chars = recording, tuple(chars)
        made.length = constant(INT, len(text)) if length is None else length
        return made

    def settle(self) -> tuple[Term, ...]:
        """From here on its length has to be what it was in the run; its characters."""
        size = str.__len__(self)
        if not self.length.is_constant:
            self.recording.counted(self.length, "the length of a string", self.recording.place)
            self.length, self.chars = constant(INT, size), self.chars[:size]
        return self.chars

    def settled(self, why: str) -> str:
        for char in self.settle():
            self.recording.pin(char, why)
        return plain_text(self)

    def unsettled(self) -> str:
        return plain_text(self)

    def __hash__(self) -> int:
        return hash(self.settled("a string is looked up by its hash"))


class DerivedStr(Carried, str):
    """A text that was made of values that carry terms, and is not followed unless something depends on it.

    Attributes:
        origin: what it was made of.
    """

    plain_type = str
    origin: tuple[Carried, ...]

    @classmethod
    def of(cls, recording: Recording, text: str, origin: Sequence[Carried]) -> str:
        """One that was made of these values."""
        if not recording.live or not origin:
            return plain_text(text)
        made = cls(text)
        made.recording, made.origin = recording, tuple(origin)
        return made

    def settled(self, why: str) -> str:
        for part in self.origin:
            part.settled(why)
        self.origin = ()
        return plain_text(self)

    def unsettled(self) -> str:
        return plain_text(self)

    def __hash__(self) -> int:
        return hash(self.settled("a string is looked up by its hash"))


Text = CarriedStr | DerivedStr


def plain_text(text: str) -> str:
    """A text without its terms."""
    return str.__str__(text)


def origin_of(text: str) -> tuple[Carried, ...]:
    """What a text depends on."""
    return text.origin if isinstance(text, DerivedStr) else (text,) if isinstance(text, CarriedStr) else ()


def chars_of(text: str) -> tuple[Term, ...]:
    """The characters of a text, whose length from here on has to be what it was in the run."""
    if isinstance(text, CarriedStr):
        return text.settle()
    if isinstance(text, DerivedStr):
        text = text.settled("a string that was made from it is used")
    return tuple(constant(INT, ord(char)) for char in text)


def view(text: str) -> tuple[tuple[Term, ...], Term]:
    """The characters that may be there, and the length."""
    if isinstance(text, CarriedStr):
        return text.chars, text.length
    chars = chars_of(text)
    return chars, constant(INT, len(chars))


def recording_of(*values: object) -> Recording:
    """The one that values belong to, one of which carries terms."""
    return next(value.recording for value in values if isinstance(value, Carried))


# ---- comparisons ----


def comparison_of(sign: str, a: str, b: str) -> Term:
    """``a sign b``, as a term."""
    if sign in (">", ">="):
        return comparison_of("<" if sign == ">" else "<=", b, a)
    if sign in ("==", "!="):
        same = _equality(a, b)
        return same if sign == "==" else negation(same)
    x, y = chars_of(a), chars_of(b)
    found = TRUE if (len(x) < len(y) if sign == "<" else len(x) <= len(y)) else FALSE
    for one, other in reversed(list(zip(x, y, strict=False))):
        found = disjunction([make(Op.LT, one, other), conjunction([equal(one, other), found])])
    return simplify(found)


def _equality(a: str, b: str) -> Term:
    (x, many), (y, other_many) = view(a), view(b)
    parts = [equal(many, other_many)]
    for number, (one, other) in enumerate(zip(x, y, strict=False)):
        outside = make(Op.LE, many, constant(INT, number))
        if many.is_constant or other_many.is_constant:
            size = many if many.is_constant else other_many
            outside = TRUE if size.data <= number else FALSE
        parts.append(disjunction([outside, equal(one, other)]))
    return simplify(conjunction(parts))


def matches_at(chars: Sequence[Term], length: Term, at: int, part: Sequence[Term]) -> Term:
    """Whether a part stands there."""
    if at + len(part) > len(chars):
        return FALSE
    fits = make(Op.LE, constant(INT, at + len(part)), length)
    return simplify(conjunction([fits, *map(equal, chars[at : at + len(part)], part)]))


def containment_of(a: str, b: str) -> Term:
    """``a in b``, as a term."""
    part, (chars, length) = chars_of(a), view(b)
    return disjunction(matches_at(chars, length, at, part) for at in range(len(chars) - len(part) + 1))


# ---- parts ----


def characters(text: CarriedStr) -> Iterator[tuple[bool, Term, Any]]:
    """What a loop over a text does; see :func:`.sequences.turns_of`."""
    size, number = str.__len__(text), 0
    while True:
        holds = number < size
        within = simplify(make(Op.LT, constant(INT, number), text.length))
        yield holds, within, _one(text, number) if holds else None
        number += 1


def _one(text: CarriedStr, number: int) -> str:
    return CarriedStr.of(text.recording, plain_text(text)[number], [text.chars[number]])


def item(text: CarriedStr, index: int | slice, place: int) -> str:
    """``text[index]``, of a plain int or slice."""
    if isinstance(index, int) and index >= 0:
        within = simplify(make(Op.LT, constant(INT, index), text.length))
        text.recording.choose(within, index < str.__len__(text), "an index is within its string", place)
        plain_text(text)[index]
        return _one(text, index)
    chars, found = text.settle(), plain_text(text)[index]
    return CarriedStr.of(text.recording, found, chars[index] if isinstance(index, slice) else [chars[index]])


def joined(recording: Recording, parts: Sequence[str]) -> str:
    """The parts, one after the other."""
    text = "".join(map(plain_text, parts))
    if any(isinstance(part, DerivedStr) for part in parts):
        return DerivedStr.of(recording, text, [one for part in parts for one in origin_of(part)])
    return CarriedStr.of(recording, text, [char for part in parts for char in chars_of(part)])


def repeated(text: CarriedStr, times: int) -> str:
    """``text * times``."""
    return CarriedStr.of(text.recording, plain_text(text) * times, text.settle() * times)


# ---- the operators of the texts themselves, for code that is not rewritten ----


def _relation(sign: str, name: str) -> Callable[[Text, object], object]:
    method = getattr(str, name)

    def compare(self: Text, other: object) -> object:
        if not isinstance(other, str):
            return NotImplemented
        holds, recording = method(plain_text(self), plain_text(other)), self.recording
        if recording.live:
            condition = comparison_of(sign, self, other)
            if not recording.note_pattern(condition, holds):
                recording.choose(condition, holds, "a comparison without a probe", recording.place)
        return holds

    return compare


def _settling(name: str) -> Callable[..., object]:
    method = getattr(str, name)
    return lambda self, *arguments: method(self.settled("a string is used in unreadable code"), *arguments)


def _iterated(self: CarriedStr) -> Iterator[str]:
    for number in range(len(self.settle())):
        yield _one(self, number)


for _class in (CarriedStr, DerivedStr):
    for _sign, _name in (("==", "__eq__"), ("!=", "__ne__"), ("<", "__lt__"), ("<=", "__le__"), (">", "__gt__"),
                         (">=", "__ge__")):  # fmt: skip
        setattr(_class, _name, _relation(_sign, _name))
    for _name in ("__contains__", "__getitem__", "__mul__", "__rmul__", "__mod__"):
        setattr(_class, _name, _settling(_name))
for _name in ("__iter__", "__len__"):
    setattr(DerivedStr, _name, _settling(_name))
setattr(CarriedStr, "__iter__", _iterated)  # noqa: B010


def _shown(self: Scalar, spec: str = "") -> str:
    return DerivedStr.of(self.recording, format(self.unsettled(), spec), [self])


for _number in (CarriedFloat, CarriedInt, CarriedBool):
    for _name in ("__str__", "__repr__", "__format__"):
        setattr(_number, _name, _shown)
