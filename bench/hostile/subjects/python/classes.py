"""Functions whose parameters are objects: of the standard library's classes, and of classes made here."""

import datetime
import enum
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Generic, NamedTuple, NewType, TypedDict, TypeVar

_Real = TypeVar("_Real", int, float)
_Meters = NewType("_Meters", float)


class _Color(enum.Enum):
    RED = 1
    GREEN = "g"
    BLUE = (0, 0, 1)
    CRIMSON = 1


class _Access(enum.Flag):
    READ = enum.auto()
    WRITE = enum.auto()
    RUN = enum.auto()


@dataclass
class _Point:
    x: float
    y: float = 0.0
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, order=True)
class _Version:
    major: int
    minor: int


@dataclass
class _Tree:
    value: int
    left: "_Tree | None" = None
    right: "_Tree | None" = None


@dataclass
class _Box(Generic[_Real]):
    content: _Real


class _Span(NamedTuple):
    start: int
    stop: int


class _Options(TypedDict, total=False):
    depth: int
    name: str


class _Account:
    def __init__(self, owner: str, balance: int) -> None:
        if balance < 0:
            raise ValueError("no account begins with debts")
        self.owner, self.balance = owner, balance


class _Shapeless:
    pass


# expects: nothing
def takes_enum(color: _Color, x: int) -> int:
    if color is _Color.RED and x > 100:
        return 1
    return 2 if color == _Color.BLUE else 0


# expects: nothing
def takes_flag(access: _Access) -> int:
    if access is _Access.WRITE:
        return 1
    return 2 if _Access.READ in access else 0


# expects: nothing
def takes_dataclass(point: _Point) -> int:
    if point.x > 100.0:
        return 1
    return 2 if len(point.names) > 2 else 0


# expects: nothing
def takes_frozen_dataclass(version: _Version) -> int:
    if version > _Version(3, 11):
        return 1
    return 2 if version.minor == 7 else 0


# expects: nothing
def takes_tree(tree: _Tree) -> int:
    if tree.left is not None and tree.left.value > 100:
        return 1
    return 2 if tree.right is None else 0


# expects: nothing
def takes_generic(box: _Box[int]) -> int:
    if box.content == 77123:
        return 1
    return 2 if box.content % 7 == 3 else 0


# expects: nothing
def takes_named_tuple(span: _Span) -> int:
    start, stop = span
    if start > stop:
        return 1
    return 2 if span.stop == 7 else 0


# expects: nothing
def takes_typed_dict(options: _Options) -> int:
    if "depth" not in options:
        return 1
    return 2 if options["depth"] > 100 else 0


# expects: nothing
def takes_object(account: _Account) -> int:
    if account.balance > 100:
        return 1
    return 2 if len(account.owner) > 3 else 0


# expects: nothing
def takes_objects(accounts: list[_Account]) -> int:
    if len(accounts) > 1:
        return 1
    return sum(account.balance > 100 for account in accounts)


# expects: nothing | undecided 1
def takes_empty_object(thing: _Shapeless, x: int) -> int:
    if isinstance(thing, _Shapeless) and x > 100:
        return 1
    return 0


# expects: nothing
def takes_either_object(thing: _Point | _Span | None) -> int:
    if isinstance(thing, _Span):
        return 1 if thing.start > 100 else 3
    return 2 if thing is None else 0


# expects: nothing
def takes_date(day: datetime.date) -> int:
    if day.year > 2100:
        return 1
    return 2 if day.month == 2 and day.day == 29 else day.weekday()


# expects: nothing
def takes_datetime(moment: datetime.datetime) -> int:
    if moment.hour > 12:
        return 1
    return 2 if moment.year < 1900 else 0


# expects: nothing
def takes_span_of_time(span: datetime.timedelta) -> int:
    if span > datetime.timedelta(days=100):
        return 1
    return 2 if span < datetime.timedelta(0) else 0


# expects: nothing
def takes_decimal(x: Decimal) -> int:
    if x.is_nan():
        return 3
    if x > 100:
        return 1
    return 2 if x == Decimal("0.5") else 0


# expects: nothing
def takes_fraction(x: Fraction) -> int:
    if x > 100:
        return 1
    return 2 if x.denominator == 7 else 0


# expects: nothing
def takes_variable(x: _Real, y: _Real) -> int:
    if x > 100:
        return 1
    return 2 if y == 7 else 0


# expects: nothing
def takes_new_type(length: _Meters) -> int:
    if length > 100.0:
        return 1
    return 2 if length == 7.0 else 0
