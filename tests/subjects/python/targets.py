"""Whatever a target may turn out to be."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

CONSTANT = 3
built_in = math.sin
smaller = lambda x: 1 if x < 3 else 0  # noqa: E731


def plain(x: float) -> int:
    if x > 3:
        return 1
    return 0


def without_parameters() -> int:
    return 1


def generator(n: int) -> Iterator[int]:
    yield n


async def coroutine(x: float) -> int:
    return 1 if x > 3 else 0


async def asynchronous_generator(x: float) -> AsyncIterator[float]:
    yield x


def rest(*xs):
    return 1 if len(xs) > 2 else 0


def typed_rest(*xs: float) -> int:
    return 1 if len(xs) > 2 else 0


def named(x: float, **options: int) -> int:
    return 1 if x > 3 else len(options)


def callback(f: Callable[[float], float], x: float) -> int:
    return 1 if f(x) > 3 else 0


def unknown_type(x: Missing) -> int:  # noqa: F821
    return 1 if x > 3 else 0


def unknown_type_with_default(x: Missing = 2) -> int:  # noqa: F821
    return 1 if x > 3 else 0


def unannotated(x, n):
    if x > 3.5:
        return 1
    return [1, 2][n]


def doubling(function: Callable[[float], int]) -> Callable[[float], int]:
    @functools.wraps(function)
    def call(x: float) -> int:
        return function(2 * x)

    return call


@doubling
def decorated(x: float) -> int:
    return 1 if x > 3 else 0


@functools.lru_cache
def remembered(x: float) -> int:
    return 1 if x > 3 else 0


def two(a: float, b: float) -> int:
    return 1 if a > b else 0


partial = functools.partial(two, 3.0)


class Scale:
    limit = 3

    def __init__(self, factor: float) -> None:
        self.factor = factor

    def __call__(self, x: float) -> int:
        return 1 if x > self.factor else 0

    def method(self, x: float) -> int:
        return 1 if x > self.factor else 0

    @staticmethod
    def static(x: float) -> int:
        return 1 if x > 3 else 0

    @classmethod
    def of_class(cls, x: float) -> int:
        return 1 if x > cls.limit else 0

    @property
    def large(self) -> bool:
        return self.factor > 3

    class Inner:
        def method(self, x: float) -> int:
            return 1 if x > 3 else 0


scale: Any = Scale(3.0)


@dataclasses.dataclass
class Point:
    x: float
    y: int = 2

    def method(self) -> int:
        return 1 if self.x > self.y else 0
