"""Shapes of times of day, time zones, and datetimes with a time zone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, timezone
from typing import Any

from ....subject.values import Role
from ....words import Kind
from .scalars import Datetime, Product
from .shapes import Make, Ordered, Shape, no_words

_MINUTES = 24 * 60
_DAY = 86_400_000_000  # microseconds
_WIDEST = timedelta(minutes=_MINUTES)


@dataclass(frozen=True)
class Time(Ordered):
    """A time of day without a time zone; the word counts microseconds from midnight."""

    role, kind, builds, type = Role.TIME, Kind.I64, time, "time"
    line = 0, _DAY - 1
    landmarks = tuple(minutes * 60_000_000 for minutes in (0, 1, 60, 360, 720, 1439))

    def value_at(self, word: int) -> time:
        return (datetime.min + timedelta(microseconds=word)).time()

    def word_of(self, value: time) -> int:
        if value.tzinfo is not None:
            raise no_words(value, self.type)
        seconds = (value.hour * 60 + value.minute) * 60 + value.second
        return int(seconds * 1_000_000 + value.microsecond)


@dataclass(frozen=True)
class Zone(Ordered):
    """A time zone with a fixed offset from UTC, of less than 24 hours; the word counts minutes."""

    role, kind, builds, type = Role.ZONE, Kind.I32, timezone, "timezone"
    line = 1 - _MINUTES, _MINUTES - 1
    landmarks = (0, 60, -60, 330, -300, 720)

    def value_at(self, word: int) -> timezone:
        return timezone(timedelta(minutes=word))

    def word_of(self, value: timezone) -> int:
        return int(value.utcoffset(None) // timedelta(minutes=1))


@dataclass(frozen=True)
class AwareDatetime(Product):
    """A datetime with a time zone of a fixed offset.

    It is at least a day away from ``datetime.min`` and ``datetime.max``, so that its time in UTC exists.
    """

    builds = datetime

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return Datetime(), Zone()

    @property
    def type(self) -> str:
        return "datetime"

    def of(self, items: Sequence[Any], make: Make) -> datetime:
        moment: datetime = min(max(items[0], datetime.min + _WIDEST), datetime.max - _WIDEST)
        return moment.replace(tzinfo=items[1])

    def encode(self, value: object) -> tuple[int, ...]:
        if type(value) is not datetime or type(value.tzinfo) is not timezone:
            raise no_words(value, "datetime with a time zone")
        return self.encode_items((value.replace(tzinfo=None), value.tzinfo))
