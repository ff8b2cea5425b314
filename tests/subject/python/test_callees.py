"""Functions that are called: what names stand for."""

from __future__ import annotations

import pytest

from subject.python.modules import Modules

TEXT = """
    import datetime
    import functools
    import math

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

        @staticmethod
        def leap(x):
            return 1 if x > 8.0 else 2

        def twice(self, x):
            return self.leap(x) + self.year()

    class Other:
        def leap(self, x):
            return 1 if x > 9.0 else 2

    def f(x: float):
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
        ("return unknown(x).leap(x)", {"f", "Day.leap", "Other.leap"}),
        ("return Day().twice(x)", {"f", "Day.twice", "Day.leap", "Day.year"}),
        ("return map(fv, [x])", {"f", "fv"}),
    ],
)
def test_what_is_called(modules: Modules, body: str, called: set[str]) -> None:
    subject = modules.load(TEXT.replace("{body}", body), "f", native=False)
    assert {one.described.name for one in subject._chosen} == called
