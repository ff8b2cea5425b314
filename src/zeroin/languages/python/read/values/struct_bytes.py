"""Bytes that ``struct`` makes of numbers, and the numbers that it makes of bytes: how Python gets at a float's bits."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from .....term.core.build import RNE, conjunction, negation
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.simplify import simpler, simplify_above
from .....term.core.sorts import FLOAT32, FLOAT64, INT, bits
from .....term.core.undefined import bits_of
from .....term.expression.typed import DOUBLE, WHOLE, Typed
from .numbers import Carried, carry, is_carried, is_number, number_of, plain
from .recording import Recording

if TYPE_CHECKING:
    from .calls import Caller

_WIDTHS = {code: 8 * struct.calcsize(f"={code}") for code in "bBhHiIlLqQfd"}
_FLOATS = {"f": FLOAT32, "d": FLOAT64}
Byte = tuple[Term, int]  # a bit vector, and the lowest of the eight bits that are meant


class CarriedBytes(Carried, bytes):
    """Bytes, and what each is a part of."""

    plain_type = bytes
    places: tuple[Byte, ...]

    @classmethod
    def of(cls, recording: Recording, value: bytes, places: Sequence[Byte]) -> bytes:
        """The plain ones where nothing is followed, or all are constants."""
        if not recording.live or all(term.is_constant for term, _ in places):
            return value
        made = cls(value)
        made.recording, made.places = recording, tuple(places)
        return made

    def settled(self, why: str) -> bytes:
        for term in dict.fromkeys(term for term, _ in self.places):
            self.recording.pin(term, why)
        return self.unsettled()

    def unsettled(self) -> bytes:
        return bytes.__add__(self, b"")

    def __getitem__(self, index: Any) -> Any:
        value = bytes.__getitem__(self, index)
        if isinstance(index, slice):
            return CarriedBytes.of(self.recording, value, self.places[index])
        return carry(self.recording, value, _number([self.places[index]], False))

    def __iter__(self) -> Iterator[int]:
        return (self[number] for number in range(len(self)))

    def __add__(self, other: object) -> bytes:
        if not isinstance(other, bytes):
            return NotImplemented
        return CarriedBytes.of(self.recording, self.unsettled() + _plain(other), (*self.places, *_places(other)))

    def __radd__(self, other: bytes) -> object:
        return CarriedBytes.of(self.recording, other + self.unsettled(), (*_places(other), *self.places))

    def __eq__(self, other: object) -> bool:
        return self.settled("bytes are compared") == other

    def __hash__(self) -> int:
        return hash(self.settled("bytes are looked up by their hash"))


def _plain(value: bytes) -> bytes:
    return value.unsettled() if isinstance(value, CarriedBytes) else value


def _places(value: bytes) -> tuple[Byte, ...]:
    if isinstance(value, CarriedBytes):
        return value.places
    return tuple((constant(bits(8), byte), 0) for byte in value)


def _joined(places: Sequence[Byte]) -> Term:
    """The bit vector of bytes, the highest first."""
    joined: Term | None = None
    for _, group in groupby(enumerate(places), key=lambda pair: (pair[1][0], pair[1][1] + 8 * pair[0])):
        run = [place for _, place in group]
        term, low = run[-1]
        high = run[0][1] + 7
        whole = (high, low) == (term.sort.width - 1, 0)
        part = term if whole else simpler(make(Op.BV_EXTRACT, term, data=(high, low)))
        joined = part if joined is None else simpler(make(Op.BV_CONCAT, joined, part))
    assert joined is not None
    return joined


def _number(highest_first: Sequence[Byte], signed: bool) -> Typed:
    joined = _joined(highest_first)
    return Typed(simplify_above(make(Op.SIGNED_TO_INT if signed else Op.BITS_TO_INT, joined), joined), WHOLE)


# ---- formats ----


def _read(form: object) -> tuple[str, bool] | None:
    """The codes of a format, each as often as it is meant, and whether the lowest byte comes first; None if it has
    others than those of numbers, or gaps."""
    text = form.decode("ascii", "replace") if isinstance(form, bytes) else form
    if not isinstance(text, str) or is_carried(text):
        return None
    order, rest = (text[0], text[1:]) if text[:1] in tuple("@=<>!") else ("@", text)
    codes, count = "", ""
    for character in rest:
        if character.isdigit():
            count += character
        elif character in _WIDTHS:
            codes += character * min(int(count or 1), 1024)
            count = ""
        elif not character.isspace():
            return None
    size = sum(_WIDTHS[code] for code in codes) // 8
    try:
        fits = bool(codes) and struct.calcsize(text) == size
    except struct.error:
        return None
    little = struct.pack("=H", 1)[0] == 1 if order in "@=" else order == "<"
    return (codes, little) if fits else None


def packed(caller: Caller, place: int, form: str | bytes, values: Sequence[Any]) -> bytes | None:
    """``struct.pack``; None if its meaning is not known."""
    recording, read = caller.recording, _read(form)
    if read is None or len(read[0]) != len(values) or not all(map(is_number, values)):
        return None
    codes, little = read
    places = list[Byte]()
    bare = [plain(value) for value in values]
    for code, value in zip(codes, values, strict=True):
        if isinstance(value, float) is not (code in _FLOATS):
            return None  # it raises an exception, or an int is made a float
        pattern, fits = _of_float(value, code) if code in _FLOATS else _of_int(value, code)
        if not recording.holds(fits, "struct.pack may raise an exception", place):
            return struct.pack(form, *bare)
        own = [(pattern, low) for low in range(0, pattern.sort.width, 8)]
        places += own if little else own[::-1]
    return CarriedBytes.of(recording, struct.pack(form, *bare), places)


def _of_float(value: float, code: str) -> tuple[Term, Term]:
    """The bits, and whether it fits."""
    term = number_of(value).term
    if code == "d":
        return bits_of(term), conjunction([])
    short = simplify_above(make(Op.FP_TO_FP, RNE, term, data=FLOAT32), term)
    infinite = [simplify_above(make(Op.FP_IS_INF, each), term) for each in (short, term)]
    return bits_of(short), negation(conjunction([infinite[0], negation(infinite[1])]))


def _of_int(value: int, code: str) -> tuple[Term, Term]:
    term, width = number_of(value).term, _WIDTHS[code]
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if code.islower() else (0, (1 << width) - 1)
    within = [make(Op.LE, constant(INT, low), term), make(Op.LE, term, constant(INT, high))]
    pattern = make(Op.INT_TO_BITS, term, data=bits(width))
    return simplify_above(pattern, term), simplify_above(conjunction(within), term)


def unpacked(caller: Caller, form: str | bytes, buffer: object) -> tuple[float, ...] | None:
    """``struct.unpack``; None if its meaning is not known."""
    read = _read(form)
    if read is None or not isinstance(buffer, CarriedBytes):
        return None
    codes, little = read
    found, at = [], 0
    for code, value in zip(codes, struct.unpack(form, buffer.unsettled()), strict=True):
        own = buffer.places[at : at + _WIDTHS[code] // 8]
        at += len(own)
        own = own[::-1] if little else own
        typed = _float(own, code) if code in _FLOATS else _number(own, code.islower())
        found.append(carry(caller.recording, value, typed))
    return tuple(found)


def _float(highest_first: Sequence[Byte], code: str) -> Typed:
    joined = _joined(highest_first)
    term = simplify_above(make(Op.FP_FROM_BITS, joined, data=_FLOATS[code]), joined)
    return Typed(term if code == "d" else simplify_above(make(Op.FP_TO_FP, RNE, term, data=FLOAT64), term), DOUBLE)


# ---- calls ----

KNOWN = frozenset({struct.pack, struct.unpack, int.from_bytes})


def call(caller: Caller, place: int, own: object, name: str, arguments: tuple[Any, ...],
         named: Mapping[str, Any]) -> object:  # fmt: skip
    """What ``struct.pack``, ``unpack``, such a method of a format, or ``int.from_bytes`` gives back; None if it is not
    known."""
    if name == "from_bytes":
        return _from_bytes(*arguments, **named) if arguments and isinstance(arguments[0], CarriedBytes) else None
    given = (own.format, *arguments) if isinstance(own, struct.Struct) else arguments
    if named or not any(map(is_carried, given)):
        return None
    if name == "pack":
        return packed(caller, place, given[0], given[1:])
    return unpacked(caller, *given) if name == "unpack" and len(given) == 2 else None


def _from_bytes(value: CarriedBytes, byteorder: Literal["little", "big"] = "big", *, signed: bool = False) -> float:
    places = value.places[::-1] if byteorder == "little" else value.places
    return carry(value.recording, int.from_bytes(value.unsettled(), byteorder, signed=signed), _number(places, signed))
