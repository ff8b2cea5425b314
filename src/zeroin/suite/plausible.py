"""How plausible the values of an input are: whether a person would write them in a test.

This is the only definition of *plausible*. Simplification minimises its cost, findings are ranked by it, names of tests
mention what is extreme by it, and ``bench.values`` measures by it.

| value | plausible | extreme |
| --- | --- | --- |
| number | 0, or a size from 1e-3 to 1e6, with at most 5 significant digits | a size above 1e6 or below 1e-9 |
| ``Decimal`` | the same, and at most cents | the same |
| ``date``, ``datetime`` | from 1990 to 2030, whole seconds | before 1900 or after 2099 |
| ``timedelta`` | whole seconds, at most 366 days | more than 36,600 days |
| ``time``, time zone | whole seconds; whole quarters of an hour | |
| member of an enumeration | a value with a name | any other value |
| text | printable, at most 32 characters, not the same four times in a row, [1]_ | more than 32 characters |
| bytes | at most 32, no byte except 0 four times in a row | more than 32 |
| bool, ``None``, choice from a list, function | always | |

.. [1] A digit may be there four times in a row. Of a text with more than three characters, at least half are letters,
   digits and blanks.

Infinities and NaN are less plausible than extreme numbers; -0.0 is odd. Integers of 8 bits are always plausible.

The parent process imports this, so it imports little.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import date, timedelta
from enum import IntEnum

from ..subject.base import Signature, Words
from ..subject.values import Role, Value
from ..words import LARGE, ORDINARY, OWN_WORDS, Kind, Number, decode, encode, nearest, readable

_LEAST, _TINY = 1e-3, 1e-9  # the least size of a plausible float, and of one that is not extreme
_DIGITS = 5  # significant digits of a plausible number
LONGEST_TEXT = 32  # characters of a plausible text
_YEARS, _CENTURY = range(1990, 2031), range(1900, 2100)
_SECOND, _DAY, _MINUTES = 1_000_000, 86_400_000_000, 15  # in microseconds, and minutes of a plausible time zone
_LONG_SPAN = 366 * _DAY
_RUN = re.compile(r"([^0-9])\1{3,}", re.S)
_RUN_OF_BYTES = re.compile(r"([^\0])\1{3,}", re.S)
_EPOCH = date(2000, 1, 1)
PLAIN = (0, 1, -1, 2, -2, 3, 0.5, -0.5, 4, 5, 10, 100)  # the numbers that are simplest to read
_LEVEL = 1000.0  # how much a level weighs beside the effort to read a value


class Level(IntEnum):
    """How far a value is from a plausible one."""

    PLAUSIBLE = 0
    ODD = 1  # of moderate size, but nobody would choose it
    EXTREME = 2
    NOT_FINITE = 3


# ---- inputs ----


def level_of(signature: Signature, words: Words) -> Level:
    """Return the level of the least plausible value of an input."""
    return max((level(value, words) for value in given(signature, words)), default=Level.PLAUSIBLE)


def cost_of(signature: Signature, words: Words) -> float:
    """Return the sum of the costs of an input's values."""
    return sum(cost(value, words) for value in given(signature, words))


def given(signature: Signature, words: Words) -> list[Value]:
    """Return the values of an input that a call gives: all but default values."""
    usual = signature.usual(words)
    return [value for value in signature.values_in(words) if value.start not in usual]


def is_finite(signature: Signature, words: Words) -> bool:
    """Return whether no number of an input is infinite or a NaN."""
    return level_of(signature, words) < Level.NOT_FINITE


def is_ordinary(signature: Signature, words: Words) -> bool:
    """Return whether no number of an input is extreme, infinite or a NaN. A text may be extreme."""
    return all(level(value, words) < Level.EXTREME for value in _numbers(signature, words))


def is_moderate(signature: Signature, words: Words) -> bool:
    """Return whether no number of an input is larger than 1e6, infinite or a NaN. It may be tiny."""
    return all(abs(_number(value.kind, words[value.start])) <= ORDINARY for value in _numbers(signature, words))


def _numbers(signature: Signature, words: Words) -> Iterator[Value]:
    return (one for one in given(signature, words) if one.role in (Role.NUMBER, Role.DECIMAL) and one.kind in LARGE)


def extremes(signature: Signature, words: Words) -> list[tuple[str, str]]:
    """Return the parameters with extreme values, each with a word for its most extreme one: ``("x", "huge")``."""
    found, names = list[tuple[str, str]](), _names(signature)
    if len(words) != len(names):  # a replay without its input
        return []
    by_name = dict[str, list[Value]]()
    for value in given(signature, words):
        by_name.setdefault(names[min(value.start, len(names) - 1)], []).append(value)
    for name, values in by_name.items():
        worst = max(values, key=lambda value: level(value, words))
        if name and level(worst, words) >= Level.EXTREME:
            found.append((name, extremity(worst, words)))
    return found


def _names(signature: Signature) -> list[str]:
    """Return, for each word of an input, the name of its parameter."""
    return [parameter.name for parameter in signature.parameters for _ in range(parameter.arity)]


# ---- one value ----


def level(value: Value, words: Words) -> Level:
    """Return the level of a value; ``words`` are those of the whole input."""
    if value.role in (Role.CHOICE, Role.SIZE):
        return Level.PLAUSIBLE
    if value.role is Role.TEXT:
        return _level_of_text(value.text(words), value.kind is Kind.U8)
    return level_of_word(value, words[value.start])


def level_of_word(value: Value, word: int) -> Level:
    """Return the level that a value of one word would have with this word."""
    role = value.role
    if role in (Role.CHOICE, Role.SIZE):
        return Level.PLAUSIBLE
    if role is Role.MEMBER:
        return Level.PLAUSIBLE if word in value.members else Level.EXTREME
    if role in (Role.DATE, Role.MOMENT):
        return _level_of_day(word // (_DAY if role is Role.MOMENT else 1), role is Role.DATE or not word % _SECOND)
    if role is Role.DURATION:
        size = Level.PLAUSIBLE if abs(word) <= _LONG_SPAN else Level.ODD if abs(word) <= 100 * _LONG_SPAN else None
        return Level.EXTREME if size is None else max(size, Level(word % _SECOND != 0))
    if role is Role.TIME:
        return Level(word % _SECOND != 0)
    if role is Role.ZONE:
        return Level(word % _MINUTES != 0)
    return _level_of_number(value.kind, word, role is Role.DECIMAL)


def _level_of_number(kind: Kind, word: int, is_decimal: bool) -> Level:
    if kind.bits == 8 or kind is Kind.CHAR:
        return Level.PLAUSIBLE
    number = _number(kind, word)
    size = abs(number)
    if size != size or size == math.inf:
        return Level.NOT_FINITE
    if size > ORDINARY or (0 < size < _TINY):
        return Level.EXTREME
    if size == 0:
        return Level(str(number).startswith("-"))
    if size < _LEAST or _significant(kind, word) > _DIGITS:
        return Level.ODD
    return Level(is_decimal and readable(kind, word).partition(".")[2][2:] != "")


def _number(kind: Kind, word: int) -> Number:
    """Return the number that a word encodes; of a float without a Python type, the nearest double."""
    return nearest(kind, word) if kind in OWN_WORDS else decode(kind, word)


def _significant(kind: Kind, word: int) -> int:
    """Return how many significant digits a finite number has in its shortest form."""
    text = readable(Kind.F64, encode(Kind.F64, nearest(kind, word))) if kind in OWN_WORDS else readable(kind, word)
    return len(text.partition("e")[0].replace(".", "").strip("-0"))


def _level_of_day(day: int, is_whole: bool) -> Level:
    year = (_EPOCH + timedelta(day)).year
    if year in _YEARS:
        return Level.PLAUSIBLE if is_whole else Level.ODD
    return Level.ODD if year in _CENTURY else Level.EXTREME


def _level_of_text(text: str, is_bytes: bool) -> Level:
    if len(text) > LONGEST_TEXT:
        return Level.EXTREME
    if is_bytes:
        return Level(_RUN_OF_BYTES.search(text) is not None)
    known = sum(character.isalnum() or character == " " for character in text)
    usual = len(text) <= 3 or 2 * known >= len(text)
    printable = all(character.isprintable() or character in "\n\t" for character in text)
    return Level(not (usual and printable and not _RUN.search(text)))


def extremity(value: Value, words: Words) -> str:
    """Return a word for an extreme value: ``nan``, ``infinite``, ``huge``, ``tiny``, ``denormal``, ``long``, ...

    The result has no meaning for other values.
    """
    role, word = value.role, words[value.start] if value.stop > value.start else 0
    if role is Role.TEXT or role is Role.DURATION:
        return "long"
    if role is Role.MEMBER:
        return "unnamed"
    if role in (Role.DATE, Role.MOMENT):
        return "early" if word < 0 else "late"
    number = _number(value.kind, word)
    if number != number or abs(number) == math.inf:
        return "nan" if number != number else "infinite"
    if abs(number) > ORDINARY:
        return "huge"
    least = {Kind.F64: 2.2250738585072014e-308, Kind.F32: 1.1754943508222875e-38}.get(value.kind, 0.0)
    return "denormal" if abs(number) < least else "tiny"


# ---- what it costs to read a value ----


def cost(value: Value, words: Words) -> float:
    """Return how far a value is from a plausible one, and how hard it is to read: the lower, the better."""
    if value.role is Role.TEXT:
        return cost_of_text(value, value.text(words))
    return cost_of_word(value, words[value.start])


def cost_of_word(value: Value, word: int) -> float:
    """Return the cost that a value of one word would have with this word."""
    return _LEVEL * level_of_word(value, word) + _effort(value, word)


def cost_of_text(value: Value, text: str) -> float:
    """Return the cost of a text that stands in place of this value."""
    is_bytes = value.kind is Kind.U8
    runs = sum(len(found[0]) for found in re.finditer(r"([^0-9\0])\1\1+", text))
    read = sum(map(_effort_of_byte if is_bytes else _effort_of_character, text))
    return _LEVEL * _level_of_text(text, is_bytes) + 2.0 * len(text) + read + runs


def _effort_of_character(character: str) -> float:
    if character.isascii():
        if character.isalnum():
            return 0.0 if character.islower() else 0.1 if character.isdigit() else 0.3
        return 0.0 if character == " " else 1.0 if character.isprintable() else 4.0
    return 2.0 if character.isprintable() else 8.0


def _effort_of_byte(character: str) -> float:
    return 0.0 if character in "\0a" else 0.5


def _effort(value: Value, word: int) -> float:
    role, kind = value.role, value.kind
    if role in (Role.CHOICE, Role.SIZE):
        return 0.1 * word
    if role is Role.MEMBER and word in value.members:
        return 0.1 * value.members.index(word)
    if role in (Role.DATE, Role.MOMENT):
        return (
            _effort_of_day(word) if role is Role.DATE else _effort_of_day(word // _DAY) + _effort_of_time(word % _DAY)
        )
    if role in (Role.TIME, Role.DURATION):
        return _effort_of_time(word % _DAY) + min(20.0, 0.5 * abs(word // _DAY))
    if role is Role.ZONE:
        return 0.0 if not word else 1.0 + 0.01 * abs(word // 60) + (word % 60 != 0)
    return effort_of_number(kind, word)


def _effort_of_day(day: int) -> float:
    if not day:
        return 0.0
    at = _EPOCH + timedelta(day)
    return 1.0 + 0.05 * abs(at.year - _EPOCH.year) + (at.month != 1) + (at.day != 1) + 0.01 * (at.month + at.day)


def _effort_of_time(moment: int) -> float:
    """Return the cost of a time of day in microseconds: each unit that is not 0 is one more to read."""
    units = (moment // 3_600_000_000, moment // 60_000_000 % 60, moment // _SECOND % 60, moment % _SECOND)
    return sum(1.0 + 0.01 * min(unit, 100) for unit in units if unit)


def effort_of_number(kind: Kind, word: int) -> float:
    """Return how hard a number is to read: its characters, with surcharges for signs, exponents and odd values."""
    if kind in OWN_WORDS:
        return effort_of_number(Kind.F64, encode(Kind.F64, nearest(kind, word)))
    text = readable(kind, word)
    if kind is Kind.BYTE:
        return 0.0 if word == 0 else 1.0 if word == ord("a") else 1.5 if 48 <= word < 127 and chr(word).isalnum() else (
            2.0 if 32 <= word < 127 else 4.0)  # fmt: skip
    if kind is Kind.CHAR:
        return 0.0 if text == "'a'" else (0.5 if text[1:-1].isalnum() else 1.0) + len(text) - 3
    value = decode(kind, word)
    if isinstance(value, float) and not math.isfinite(value):
        return 10.0 if math.isinf(value) else 11.0
    digits = text.lower().removeprefix("-").removesuffix(".0")
    plain = value in PLAIN
    zeros = len(digits) - len(digits.rstrip("0")) if digits.isdigit() else 0  # 12000 reads better than 12345
    effort = len(digits) - 0.5 * zeros + 0.5 * text.startswith("-") + 0.25 * ("." in digits) + 2.0 * ("e" in digits)
    if kind.is_float and value and not _LEAST <= abs(value) <= ORDINARY:
        is_power = digits.partition("e")[0].strip("0.") == "1"
        effort += abs(round(math.log10(abs(value)))) + 1.5 * (not is_power)  # 1e-6 before 1e-300, 1e200 before 9e199
    return (0.0 if value == 0 and not text.startswith("-") else 0.5 + 0.1 * effort) if plain else 1.0 + effort
