"""Functions that are called in every way there is: by name, by position, with defaults, with no types told; and some
that can not be called, as nobody can make their arguments."""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Protocol, TextIO


class _Measured(Protocol):
    def measure(self) -> float: ...


# expects: nothing
def takes_many(*xs: int) -> int:
    if len(xs) > 2:
        return 1
    return 2 if sum(xs) > 100 else 0


# expects: nothing
def takes_one_and_many(first: int, *rest: float, last: bool = False) -> int:
    if last:
        return 1
    return 2 if len(rest) > 1 and first > 100 else 0


# expects: nothing
def takes_by_name(*, low: int, high: int) -> int:
    if low > high:
        return 1
    return 2 if high - low == 77 else 0


# expects: nothing
def takes_by_place(x: int, y: int, /) -> int:
    if x > 100:
        return 1
    return 2 if y % 7 == 3 else 0


# expects: nothing
def takes_mixed(x: int, /, y: int, *, z: int = 5) -> int:
    if x > y:
        return 1
    return 2 if z == 6 else 0


# expects: nothing
def has_no_limit(x: float, limit: float | None = None) -> float:
    if limit is not None and x > limit:
        return limit
    return 2.0 if x > 100.0 else 0.0


# expects: nothing
def has_untyped_default(x: int, limit=None) -> int:
    if limit is None:
        return 1
    return 2 if x > 100 else 0


# expects: nothing
def has_telling_defaults(x=1, word="abc", ratio=0.5) -> int:
    if word == "":
        return 1
    if ratio > 100.0:
        return 3
    return 2 if x > 100 else 0


# expects: nothing
def is_untyped(x, y):
    if x > 100:
        return 1
    return 2 if x + y == 7 else 0


# expects: exception ZeroDivisionError
def divides_untyped(x, y):
    if y == 0:
        return x / y
    return 2 if x > 100 else 0


# expects: nothing
def is_untyped_and_indexes(xs, n):
    if n > 100:
        return 1
    return 2 if len(xs) > 1 else 0


# expects: nothing | options --types "n: int, xs: list[int]"
def is_told(n, xs):
    if n % 7 == 3:
        return len(xs) > 2
    return n.bit_length() > 5


# expects: nothing | undecided 1
def takes_options(x: int, **options: int) -> int:
    if options:
        return 1
    return 2 if x > 100 else 0


# expects: nothing
def is_typed_by_text(x: "int", xs: "list[float]") -> "int":
    if x > 100:
        return 1
    return 2 if len(xs) > 1 else 0


# expects: nothing
def keeps_default(x: int, key: Callable[[int], int] = abs) -> int:
    if key(x) > 100:
        return 1
    return 2 if x < 0 else 0


# expects: nothing
def takes_function(x: int, key: Callable[[int], int]) -> int:
    if key(x) > 100:
        return 1
    return 0


# expects: refused
def takes_iterator(numbers: Iterator[int]) -> int:
    if next(numbers, 0) > 100:
        return 1
    return 0


# expects: refused
def takes_class(kind: type[int]) -> int:
    if kind is bool:
        return 1
    return 0


# expects: refused
def takes_file(stream: TextIO) -> int:
    if stream.read(1) == "x":
        return 1
    return 0


# expects: refused
def takes_module(module: ModuleType) -> int:
    if module.__name__ == "math":
        return 1
    return 0


# expects: refused
def takes_protocol(thing: _Measured) -> int:
    if thing.measure() > 100.0:
        return 1
    return 0


# expects: refused
def takes_range(span: range) -> int:
    if len(span) > 100:
        return 1
    return 0


# expects: refused
def takes_unknown(thing: "NobodyKnows") -> int:  # noqa: F821
    if thing:
        return 1
    return 0
