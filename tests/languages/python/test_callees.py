"""Functions that are called: what names stand for."""

from __future__ import annotations

import pytest

from languages.python.modules import Modules

TEXT = """
    import datetime
    import functools
    import math
    import typing

    def fv(x):
        return 1 if x > 1.0 else 2

    def format(x):
        return 1 if x > 2.0 else 2

    def sqrt(x):
        return 1 if x > 3.0 else 2

    def table_entry(x):
        return 1 if x > 4.0 else 2

    TABLE = {"a": table_entry}

    def noted(function):
        @functools.wraps(function)
        def wrapper(x):
            return function(x)
        return wrapper

    @noted
    def decorated(x):
        return 1 if x > 5.0 else 2

    class Day:
        def year(self):
            return 1 if id(self) > 6 else 2

        @property
        def month(self):
            return 1 if id(self) > 7 else 2

        def __gt__(self, other):
            return 1 if id(self) == 10 else 2

        @staticmethod
        def leap(x):
            return 1 if x > 8.0 else 2

        @classmethod
        def first(cls, x):
            return 1 if cls > x else 2

        def twice(self, x):
            return self.leap(x) + self.year()

    class Other:
        def leap(self, x):
            return 1 if x > 9.0 else 2

    class Late(Other):
        def leap(self, x):
            return 1 if x > 15.0 else 2

    class Leaps(typing.Protocol):
        def leap(self, x): ...

    class Size:
        def __neg__(self):
            return 1 if id(self) > 16 else 2

    class Length:
        def __init__(self, x):
            self.x = x

        def __add__(self, other):
            return Length(self.x + other.x) if self.x > 10.0 else -self

        def __neg__(self):
            return 1 if self.x > 11.0 else 2

        def __radd__(self, other):
            return 1 if self.x > 12.0 else 2

        def __lt__(self, other):
            return 1 if self.x > 13.0 else 2

        def __len__(self):
            return 1 if self.x > 14.0 else 2

    def f(x: float, a: Length | None = None, b: "Length" = None, c: typing.Optional[Length] = None,
          many: list[Length] = (), other: Other | None = None, either: Day | set[int] = (), any: Day | typing.Any = 0,
          leaps: Leaps | None = None, items: set[int] = (), number: Length | Size = 0,
          kind: type[Other] = Other):
        {body}
"""


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("return fv(x)", {"f", "fv"}),
        ("fv = abs; return fv(x)", {"f"}),
        ("return (lambda fv: fv(x))(abs)", {"f"}),
        ("return '{}'.format(x)", {"f"}),
        ("return math.sqrt(x)", {"f"}),
        ("return sqrt(x)", {"f", "sqrt"}),
        ("return TABLE['a'](x)", {"f", "table_entry"}),
        ("return decorated(x)", {"f", "decorated", "noted.<locals>.wrapper"}),
        ("return datetime.date.fromordinal(5).year", {"f"}),
        ("return unknown(x).year()", {"f", "Day.year"}),
        ("return unknown(x).month", {"f", "Day.month"}),
        ("return Day.leap(x)", {"f", "Day.leap"}),
        ("return Day.first(x)", {"f", "Day.first"}),
        ("return Day() > x", {"f", "Day.__gt__"}),
        ("return unknown(x).leap(x)", {"f", "Day.leap", "Other.leap", "Late.leap", "Leaps.leap"}),
        ("return any.leap(x)", {"f", "Day.leap", "Other.leap", "Late.leap", "Leaps.leap"}),
        ("return leaps.leap(x)", {"f", "Day.leap", "Other.leap", "Late.leap", "Leaps.leap"}),
        ("return other.leap(x)", {"f", "Other.leap", "Late.leap"}),
        ("return Late().leap(x)", {"f", "Other.leap", "Late.leap"}),
        ("return either.leap(x)", {"f", "Day.leap"}),
        ("items = items | {x} | items; return items.leap(x)", {"f"}),
        (
            "items = items | unknown(x); return items.leap(x)",
            {"f", "Day.leap", "Other.leap", "Late.leap", "Leaps.leap"},
        ),
        ("d = [x] + [x]; d = {}; return d.leap(x)", {"f"}),
        ("d = Other() if x else Late(); return d.leap(x)", {"f", "Day.leap", "Other.leap", "Late.leap", "Leaps.leap"}),
        ("d = Other(); d = Day(); return d.leap(x)", {"f", "Day.leap", "Other.leap", "Late.leap"}),
        ("for d in many: pass; return d.leap(x)", {"f", "Day.leap", "Other.leap", "Late.leap", "Leaps.leap"}),
        ("return (lambda other: other.leap(x))(x)", {"f", "Day.leap", "Other.leap", "Late.leap", "Leaps.leap"}),
        (
            "try: pass\n        except ValueError as other: return other.leap(x)",
            {"f", "Day.leap", "Other.leap", "Late.leap", "Leaps.leap"},
        ),
        ("return kind.leap(x)", {"f", "Day.leap", "Other.leap", "Late.leap", "Leaps.leap"}),
        ("return -number", {"f", "Length.__neg__", "Size.__neg__"}),
        ("return number + b", {"f", "Length.__add__", "Length.__neg__", "Length.__radd__"}),
        ("return many.leap(x) + a.leap(x) + x.leap(x)", {"f"}),
        ("other = x; return other.leap(x)", {"f", "Other.leap", "Late.leap"}),
        ("return Day().twice(x)", {"f", "Day.twice", "Day.leap", "Day.year"}),
        ("return map(fv, [x])", {"f", "fv"}),
        ("return a + b", {"f", "Length.__add__", "Length.__neg__"}),
        ("return x + b", {"f", "Length.__radd__"}),
        ("return x + x", {"f"}),
        ("return -c", {"f", "Length.__neg__"}),
        ("return -many", {"f"}),
        ("return b > a", {"f", "Length.__lt__"}),
        ("return b if b else a", {"f", "Length.__len__"}),
        ("d = Length(x); d += b; return d", {"f", "Length.__add__", "Length.__neg__"}),
        ("d = Length(x); return -d", {"f", "Length.__neg__"}),
        ("a = x; return -a", {"f", "Length.__neg__"}),  # it may, for all that is known without an order
        ("return len(b)", {"f", "Length.__len__"}),
    ],
)
def test_what_is_called(modules: Modules, body: str, called: set[str]) -> None:
    subject = modules.load(TEXT.replace("{body}", body), "f", native=False)
    assert {one.described.name for one in subject._chosen} == called
