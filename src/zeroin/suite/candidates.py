"""Simpler values to try in place of a value, by the cost of :mod:`zeroin.suite.plausible`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Set
from datetime import date, timedelta
from functools import cache
from itertools import islice

from ..subject.values import Role, Value
from ..words import OWN_WORDS, Kind, decode, encode, nearest, value_range, word_near
from .plausible import PLAIN, cost_of_text, cost_of_word

_LARGEST_EXACT = 2**53
_NEUTRAL, _AGAIN = 2.5, 1.0  # extra cost of 0, 1 and -1, and of a value that another word has
_LADDER = tuple(s * 10.0**e for e in range(6, -4, -1) for s in (1.0, -1.0))  # plausible numbers of every size
_SMALLER = (1e-6, 1e-9, 1e-12, 1e-30, 1e-100, 1e-300, 1e-308)
_LARGER = (1e7, 1e9, 1e12, 1e16, 1e20, 1e30, 1e100, 1e200, 1e300)
_LARGEST_COUNT = 10_000  # an int of Python is often the length of something that the code makes
_TEXTS = ("", "a", "1", "0", "ab", "abc", "12", "1.5", "x", "text", "hello", "two words")
_WORDS = "lorem ipsum dolor sit amet "
_MOST_TEXTS = 80  # texts to try at once
_EPOCH = date(2000, 1, 1)
_DAY, _HOUR, _MINUTE, _SECOND = 86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000
_SPANS = (0, _SECOND, _MINUTE, _HOUR, 12 * _HOUR, *(days * _DAY for days in (1, 2, 7, 30, 100, 365)))
_FEW_CHOICES = 8


def simpler_words(value: Value, word: int, limits: tuple[int, int], others: Set[int] | None) -> list[int]:
    """Return words within the limits with a lower cost than this one, the lowest first.

    Args:
        value: a value of one word.
        word: its word.
        limits: the lowest and the highest word, both inclusive.
        others: the input's other words, which should differ from this one; None if that does not matter.
    """
    now = _total(value, word, others)
    if now == 0.0:
        return []
    low, high = limits
    seen: dict[int, float] = {}
    for candidate in _candidates(value, word):
        if low <= candidate <= high and candidate not in seen and candidate != word:
            total = _total(value, candidate, others)
            if total < now:
                seen[candidate] = total
    return sorted(seen, key=lambda one: (seen[one], abs(one - word)))


def _total(value: Value, word: int, others: Set[int] | None) -> float:
    """Return the cost of a word, with that of a number that may hide mutants.

    For 0, 1 and -1, or two equal numbers, different operators give the same result.
    """
    found = cost_of_word(value, word)
    if others is None or value.role is not Role.NUMBER or value.kind in (Kind.BYTE, Kind.CHAR, *OWN_WORDS):
        return found
    return found + _NEUTRAL * (decode(value.kind, word) in (0, 1, -1)) + _AGAIN * (word in others)


def _candidates(value: Value, word: int) -> Iterator[int]:
    """Yield words of values that may be simpler, in no order; some repeatedly, some out of range."""
    match value.role:
        case Role.CHOICE | Role.SIZE:
            yield from range(min(word, _FEW_CHOICES))
            yield from (word // 2, word - 1)
        case Role.MEMBER:
            yield from value.members
            yield from _of_number(value.kind, word)
        case Role.DATE:
            yield from _days(word)
        case Role.MOMENT:
            day, time = divmod(word, _DAY)
            yield from (other * _DAY + time for other in _days(day))
            yield from (other * _DAY for other in (day, *_days(day)))
            yield from (day * _DAY + other for other in _times(time))
        case Role.TIME | Role.DURATION:
            yield from (span * sign for span in _SPANS for sign in (1, -1))
            yield from _times(word)
            yield from (word // _DAY * _DAY, -(-word // _DAY) * _DAY, -word)
        case Role.ZONE:
            yield from (0, 60, -60, word // 60 * 60, -(-word // 60) * 60, word // 30 * 30, word // 15 * 15)
        case _:
            yield from _of_number(value.kind, word)


# ---- numbers ----


def _of_number(kind: Kind, word: int) -> Iterator[int]:
    if kind in OWN_WORDS:
        yield from (word_near(kind, one) for one in _floats(nearest(kind, word)))
    elif kind is Kind.BYTE:
        yield from b"\0aA0 bxz1.-"
    elif kind is Kind.CHAR:
        yield from map(ord, "aA0 bxz1.-")
    elif kind.is_float:
        yield from (encode(kind, one) for one in _floats(float(decode(kind, word))))
    else:
        low, high = value_range(kind)
        most = _LARGEST_COUNT if kind is Kind.INT else high
        yield from (encode(kind, one) for one in _integers(int(decode(kind, word)), most) if low <= one <= high)


def _floats(value: float) -> Iterator[float]:
    """Yield floats near the given one, and well-known ones."""
    yield from map(float, PLAIN)
    if not math.isfinite(value):
        yield from (float(one) for one in _LADDER)
        yield from (1e300, math.copysign(math.inf, value)) if math.isnan(value) else (math.copysign(1e300, value),)
        yield math.nan
        return
    yield from (-value, math.copysign(math.inf, value))
    size = abs(value)
    if not 1e-3 <= size <= 1e6 and size:
        yield from _LADDER
        yield from (math.copysign(one, value) for one in (_SMALLER if size < 1.0 else _LARGER))
    if size < _LARGEST_EXACT:
        yield from (float(math.floor(value)), float(math.ceil(value)), math.trunc(value * 2) / 2)
    if size:
        exponent = math.frexp(value)[1]
        yield from (math.copysign(math.ldexp(1.0, min(exponent - d, 1023)), value) for d in (0, 1))
        for digits in range(17):
            for direction in (0, 1, -1):
                yield from _rounded(value, digits, direction)


def _rounded(value: float, digits: int, direction: int) -> Iterator[float]:
    """Yield the value rounded to so many digits after the first, plus ``direction`` units of the last digit.

    Nothing is yielded if the result is infinite.
    """
    mantissa, _, exponent = f"{value:.{digits}e}".partition("e")
    if direction:
        scaled = int(mantissa.replace(".", "")) + direction
        text = f"{scaled}e{int(exponent) - digits}"
    else:
        text = f"{mantissa}e{exponent}"
    result = float(text)
    if math.isfinite(result):
        yield result


def _integers(value: int, most: int) -> Iterator[int]:
    """Yield integers near the given one, and well-known ones up to the size ``most``."""
    yield from (int(one) for one in PLAIN if one == int(one))
    yield -value
    if abs(value) > 1_000_000:
        yield from (int(one) for one in _LADDER if 1 <= abs(one) <= most)
        exponent = abs(value).bit_length() - 1
        yield from (sign * ((1 << exponent + up) + less) for sign in (1, -1) for up in (0, 1) for less in (0, -1))
    for digits in range(1, 20):
        step = 10**digits
        if step > abs(value) * 10:
            return
        yield from (value // step * step, -(-value // step) * step)


# ---- dates and times ----


@cache
def _days(day: int) -> tuple[int, ...]:
    """Return days since 2000-01-01 that are easier to read than this one and have something in common with it."""
    at = _EPOCH + timedelta(day)
    found = [_EPOCH]
    for year in (2000, 2001, 2024, 1990, 2030, at.year):
        for month in (1, at.month):
            for number in (1, at.day, 28):
                try:
                    found.append(date(year, month, number))
                except ValueError:  # such as 29 February
                    continue
    weekday = [_EPOCH + timedelta((at - _EPOCH).days % 7)]
    return tuple((one - _EPOCH).days for one in [*found, *weekday])


def _times(moment: int) -> Iterator[int]:
    """Yield times in microseconds with fewer units than this one: rounded down and up to a unit, or one unit alone."""
    yield from (0, 12 * _HOUR)
    for unit in (_HOUR, _MINUTE, _SECOND, 1000):
        yield from (moment // unit * unit, -(-moment // unit) * unit)


# ---- texts ----


def simpler_texts(value: Value, text: str) -> list[str]:
    """Return texts that may stand in place of this one and have a lower cost, the lowest first."""
    now = cost_of_text(value, text)
    seen: dict[str, float] = {}
    for candidate in _texts(text, value.kind):
        if value.least <= len(candidate) <= value.most and candidate not in seen:
            if value.size is None and "\0" in candidate:
                continue
            total = cost_of_text(value, candidate)
            if total < now:
                seen[candidate] = total
    return list(islice(sorted(seen, key=lambda one: seen[one]), _MOST_TEXTS))


def _texts(text: str, kind: Kind) -> Iterator[str]:
    """Yield texts near the given one, and well-known ones."""
    yield from _TEXTS
    length = len(text)
    size = length // 2
    while size >= 1:  # without a part of it
        for start in range(0, length, size):
            yield text[:start] + text[start + size :]
        size //= 2
    yield from (text[:1], text[-1:])
    yield _in_words(text)
    yield re.sub(r"(.)\1\1+", lambda found: found[1] * 2, text, flags=re.S)
    yield "".join(letter if letter.isprintable() and letter.isascii() else "a" for letter in text)
    yield text.lower()
    for at, letter in enumerate(islice(text, 40)):
        yield from (text[:at] + other + text[at + 1 :] for other in ("a", "1", " ") if other != letter)
    if kind is Kind.U8:
        yield "\0" * length


def _in_words(text: str) -> str:
    """Return the text with words in place of characters that are repeated, of the same length."""
    return re.sub(r"([^0-9])\1{3,}", lambda found: words_of_length(len(found[0])), text, flags=re.S)


def words_of_length(length: int) -> str:
    """Return a text of words with so many characters, which does not end with a blank."""
    text = (_WORDS * (length // len(_WORDS) + 1))[:length]
    return f"{text[:-1]}s" if text.endswith(" ") else text
