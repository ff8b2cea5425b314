"""What the methods of str do to texts that carry terms, and the conversions between texts and numbers."""

from __future__ import annotations

from collections.abc import Callable

from .....term.core.build import FALSE, TRUE, conjunction, disjunction, equal, if_else
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.simplify import simplify
from .....term.core.sorts import INT
from .....term.expression.typed import TRUTH, WHOLE, Typed
from .numbers import Carried, CarriedBool, CarriedInt, carry, number_of, plain
from .opaque import pure, question
from .texts import CarriedStr, DerivedStr, chars_of, joined, matches_at, origin_of, plain_text, recording_of, view

_MOST_DIGITS = 18  # of a number that is followed digit by digit
_ASCII: dict[str, tuple[str, ...]] = {
    "isdigit": ("09",), "isdecimal": ("09",), "isnumeric": ("09",), "isalpha": ("az", "AZ"),
    "isalnum": ("09", "az", "AZ"), "isspace": ("\t\r", "\x1c "), "isascii": ("\0\x7f",),
}  # fmt: skip


def _between(char: Term, low: str, high: str) -> Term:
    return conjunction([make(Op.LE, constant(INT, ord(low)), char), make(Op.LE, char, constant(INT, ord(high)))])


def _is(name: str, char: Term) -> Term:
    """What the method says of a text of one character."""
    ascii_ = disjunction(_between(char, ends[0], ends[1]) for ends in _ASCII[name])
    other = question(name, getattr(str, name), [char])
    return simplify(if_else(make(Op.LT, char, constant(INT, 128)), ascii_, other))


def _asked(name: str) -> Callable[..., object]:
    method = getattr(str, name)

    def ask(text: str, place: int) -> object:
        chars, recording = chars_of(text), recording_of(text)
        if name in _ASCII:
            found = conjunction(_is(name, char) for char in chars) if chars or name == "isascii" else FALSE
        else:
            found = question(name, method, chars) if chars else (TRUE if method("") else FALSE)
        return carry(recording, method(plain_text(text)), Typed(found, TRUTH))

    return ask


def _starts(text: str, place: int, prefix: object) -> object:
    return _affixed(text, prefix, str.startswith, lambda size, part: 0)


def _ends(text: str, place: int, suffix: object) -> object:
    chars_of(text)
    return _affixed(text, suffix, str.endswith, lambda size, part: size - part)


def _affixed(text: str, given: object, method: Callable[..., bool], start: Callable[[int, int], int]) -> object:
    choices = given if isinstance(given, tuple) else (given,)
    parts = [chars_of(choice) for choice in choices]
    chars, length = view(text)
    places = [(start(len(chars), len(part)), part) for part in parts]
    found = disjunction(matches_at(chars, length, at, part) for at, part in places if at >= 0)
    answer = any(method(plain_text(text), plain_text(choice)) for choice in choices)
    return carry(recording_of(text, *choices), answer, Typed(simplify(found), TRUTH))


def _cased(name: str, low: str, high: str, step: int) -> Callable[..., object]:
    method = getattr(str, name)

    def change(text: str, place: int) -> object:
        recording, chars = recording_of(text), chars_of(text)
        for char in chars:
            if not recording.holds(simplify(make(Op.LT, char, constant(INT, 128))), "a character is ASCII", place):
                return DerivedStr.of(recording, method(plain_text(text)), origin_of(text))
        moved = [if_else(_between(c, low, high), make(Op.ADD, c, constant(INT, step)), c) for c in chars]
        return CarriedStr.of(recording, method(plain_text(text)), [simplify(char) for char in moved])

    return change


def _belongs(char: Term, among: str | None) -> Term:
    """Whether a character is one of those that are stripped, or split at."""
    if among is None:
        return _is("isspace", char)
    return simplify(disjunction(equal(char, constant(INT, ord(one))) for one in among))


def _stripped(from_left: bool, from_right: bool) -> Callable[..., object]:
    def strip(text: str, place: int, among: str | None = None) -> object:
        recording, chars = recording_of(text), chars_of(text)
        among = among.settled("the characters to strip are taken from the run") if isinstance(among, Carried) else among
        low, high = 0, len(chars)
        while from_left and low < high and recording.holds(_belongs(chars[low], among), "a character to strip", place):
            low += 1
        while (
            from_right
            and low < high
            and recording.holds(_belongs(chars[high - 1], among), "a character to strip", place)
        ):
            high -= 1
        return CarriedStr.of(recording, plain_text(text)[low:high], chars[low:high])

    return strip


def _places(text: str, part: str, place: int) -> list[int]:
    """Where a part stands in a text, without overlaps."""
    recording, chars, wanted = recording_of(text, part), chars_of(text), chars_of(part)
    length, found, at = constant(INT, len(chars)), list[int](), 0
    while at + len(wanted) <= len(chars):
        here = recording.holds(matches_at(chars, length, at, wanted), "a part is within its string", place)
        found += [at] if here else []
        at += max(1, len(wanted)) if here else 1
    return found


def _found(text: str, place: int, part: str, from_right: bool = False) -> int:
    chars = chars_of(text)
    wanted, length = chars_of(part), constant(INT, len(chars))
    recording, starts = recording_of(text, part), range(len(chars) - len(wanted) + 1)
    for at in reversed(starts) if from_right else starts:
        if recording.holds(matches_at(chars, length, at, wanted), "a part is within its string", place):
            return at
    return -1


def _found_last(text: str, place: int, part: str) -> int:
    return _found(text, place, part, from_right=True)


def _index(text: str, place: int, part: str, from_right: bool = False) -> int:
    at = _found(text, place, part, from_right)
    if at < 0:
        raise ValueError("substring not found")
    return at


def _index_last(text: str, place: int, part: str) -> int:
    return _index(text, place, part, from_right=True)


def _partitioned(from_right: bool) -> Callable[..., object]:
    def partition(text: str, place: int, sep: str) -> tuple[str, str, str]:
        if not chars_of(sep):
            raise ValueError("empty separator")
        at = _found(text, place, sep, from_right)
        if at < 0:
            return ("", "", text) if from_right else (text, "", "")
        return _part(text, 0, at), sep, _part(text, at + len(sep), len(text))

    return partition


def _part(text: str, start: int, end: int) -> str:
    """Of a text that may carry no terms."""
    if not isinstance(text, CarriedStr):
        return plain_text(text)[start:end]
    return CarriedStr.of(text.recording, plain_text(text)[start:end], text.settle()[start:end])


def _without_prefix(text: str, place: int, prefix: str) -> object:
    return _part(text, len(prefix), len(text)) if _has(text, place, _starts, prefix) else text


def _without_suffix(text: str, place: int, suffix: str) -> object:
    return _part(text, 0, len(text) - len(suffix)) if _has(text, place, _ends, suffix) else text


def _has(text: str, place: int, asked: Callable[..., object], affix: str) -> bool:
    found = asked(text, place, affix)
    if isinstance(found, CarriedBool):
        found.recording.choose(found.term, plain(found), "a prefix or suffix of a string", place)
    return bool(plain(found))


def _count(text: str, place: int, part: str) -> int:
    return len(_places(text, part, place)) if chars_of(part) else len(chars_of(text)) + 1


def _split(text: str, place: int, sep: str | None = None) -> list[str]:
    recording, chars, whole = recording_of(text, sep), chars_of(text), plain_text(text)
    if sep is not None and not chars_of(sep):
        raise ValueError("empty separator")
    if sep is not None:
        starts = _places(text, sep, place)
        ends = [*starts, len(chars)]
        begins = [0, *(at + len(sep) for at in starts)]
    else:
        spaces = [recording.holds(_belongs(char, None), "whitespace in a string", place) for char in chars]
        begins = [n for n, space in enumerate(spaces) if not space and (n == 0 or spaces[n - 1])]
        ends = [next((m for m in range(n, len(spaces)) if spaces[m]), len(spaces)) for n in begins]
    return [CarriedStr.of(recording, whole[a:b], chars[a:b]) for a, b in zip(begins, ends, strict=True)]


def _replaced(text: str, place: int, old: str, new: str) -> str:
    if not chars_of(old):
        return DerivedStr.of(recording_of(text, old, new), plain_text(text).replace(plain_text(old), plain_text(new)),
                             [*origin_of(text), *origin_of(new)])  # fmt: skip
    parts = _split(text, place, old)
    return joined(recording_of(text, old, new), [x for part in parts for x in (new, part)][1:])


def to_int(text: str, place: int) -> object:
    """``int(text)``."""
    recording, chars, whole = recording_of(text), chars_of(text), plain_text(text)
    sign = next((sign for sign in "+-" if chars and recording.holds(
        simplify(equal(chars[0], constant(INT, ord(sign)))), "the sign of a number", place)), "")  # fmt: skip
    digits = chars[len(sign) :]
    are_digits = 0 < len(digits) <= _MOST_DIGITS and all(
        recording.holds(simplify(_between(char, "0", "9")), "a character is a digit", place) for char in digits
    )
    if not are_digits:
        return pure(recording, place, int, chars, [whole], is_text=True)
    value: Term = constant(INT, 0)
    for char in digits:
        digit = make(Op.SUB, char, constant(INT, ord("0")))
        value = make(Op.ADD, make(Op.MUL, value, constant(INT, 10)), digit)
    value = make(Op.NEG, value) if sign == "-" else value
    return carry(recording, int(whole), Typed(simplify(value), WHOLE))


def to_float(text: str, place: int) -> object:
    """``float(text)``."""
    return pure(recording_of(text), place, float, chars_of(text), [plain_text(text)], is_text=True)


def to_code(text: str, place: int) -> object:
    """``ord(text)``."""
    chars = chars_of(text)
    return carry(recording_of(text), ord(plain_text(text)), Typed(chars[0], WHOLE))


def of_code(number: CarriedInt, place: int) -> str:
    """``chr(number)``."""
    term, code = number_of(number).term, plain(number)
    within = conjunction([make(Op.LE, constant(INT, 0), term), make(Op.LE, term, constant(INT, 0x10FFFF))])
    number.recording.choose(within, 0 <= code <= 0x10FFFF, "chr may raise an exception", place)
    return CarriedStr.of(number.recording, chr(code), [term])


METHODS: dict[str, Callable[..., object]] = {
    **{name: _asked(name) for name in (*_ASCII, "isupper", "islower", "istitle", "isidentifier", "isprintable")},
    "startswith": _starts, "endswith": _ends, "upper": _cased("upper", "a", "z", -32),
    "lower": _cased("lower", "A", "Z", 32), "casefold": _cased("casefold", "A", "Z", 32),
    "strip": _stripped(True, True), "lstrip": _stripped(True, False), "rstrip": _stripped(False, True),
    "find": _found, "index": _index, "rfind": _found_last, "rindex": _index_last, "count": _count, "split": _split,
    "replace": _replaced, "partition": _partitioned(False), "rpartition": _partitioned(True),
    "removeprefix": _without_prefix, "removesuffix": _without_suffix,
}  # fmt: skip
