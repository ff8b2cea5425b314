"""Methods of all kinds, decorated functions, and functions that can not be called and be done."""

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator, Iterator
from typing import overload


def _passes_on(function):
    @functools.wraps(function)
    def wrapper(*values, **named):
        return function(*values, **named)

    return wrapper


def _twice(factor):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*values):
            return function(*values) * factor

        return wrapper

    return decorate


class _Counted:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function

    def __call__(self, *values):
        return self.function(*values)


class _Shape:
    def grow(self, n: int) -> int:
        return n + 1 if n > 100 else 0


class _Money(_Shape):
    rate = 2

    def __init__(self, cents: int) -> None:
        self.cents = cents

    # expects: nothing
    def __add__(self, other: int) -> int:
        if self.cents > 100:
            return 1
        return 2 if other % 7 == 3 else 0

    # expects: nothing
    def __call__(self, n: int) -> int:
        if n == self.cents:
            return 1
        return 2 if n > 100 else 0

    # expects: nothing
    def grow(self, n: int) -> int:
        if n == 77123:
            return 1
        return super().grow(n)

    # expects: nothing
    def spend(self, n: int) -> int:
        if n > self.cents:
            raise ValueError("too little")
        self.cents -= n
        return self.cents if self.cents > 100 else 0

    # expects: nothing
    @staticmethod
    def area(width: int, height: int) -> int:
        if width > 100:
            return 1
        return 2 if width * height == 77 else 0

    # expects: nothing
    @classmethod
    def convert(cls, n: int) -> int:
        if n > 100:
            return n % 7 * cls.rate
        return 1 if cls(n).cents == 77 else 0

    # expects: refused
    @property
    def dollars(self) -> int:
        return self.cents // 100 if self.cents > 100 else 0

    class _Inner:
        # expects: nothing
        def inside(self, x: int) -> int:
            if x > 100:
                return 2
            return 1 if x == 77 else 0


# expects: nothing
def uses_property(money: _Money) -> int:
    if money.dollars == 7:
        return 1
    return 2 if money.cents > 100_000 else 0


# expects: nothing
@_passes_on
def is_wrapped(x: int) -> int:
    if x > 100:
        return 2
    return 1 if x == 77 else 0


# expects: nothing
@_twice(2)
@_passes_on
def is_wrapped_twice(x: int) -> int:
    if x > 100:
        return 2
    return 1 if x % 7 == 3 else 0


# expects: nothing | undecided 1
@_Counted
def is_wrapped_by_object(x: int) -> int:
    if x > 100:
        return 2
    return 1 if x == 77123 else 0


@overload
def has_overloads(x: int) -> int: ...
@overload
def has_overloads(x: str) -> str: ...


# expects: nothing
def has_overloads(x: int | str) -> int | str:
    if isinstance(x, str):
        return "long" if len(x) > 3 else ""
    return 2 if x > 100 else 0


# expects: refused
async def waits(x: int) -> int:
    if x > 100:
        await asyncio.sleep(0)
        return 2
    return 0


# expects: refused
def yields(x: int) -> Iterator[int]:
    if x > 100:
        yield 2
    yield from range(3)


# expects: refused
async def yields_later(x: int) -> AsyncIterator[int]:
    if x > 100:
        yield 2
    yield 0


# expects: refused
@contextlib.contextmanager
def is_context(x: int) -> Iterator[int]:
    yield 2 if x > 100 else 0


async def _waits_and_adds(x):
    await asyncio.sleep(0)
    return x % 7 if x > 100 else -1


# expects: nothing
def runs_coroutine(x: int) -> int:
    if x > 100:
        return asyncio.run(_waits_and_adds(x))
    return asyncio.run(_waits_and_adds(x)) if x == 4 else 0


def _numbers(limit):
    for number in range(limit):
        if number % 2 == 1:
            yield number


# expects: nothing
def uses_generator(x: int) -> int:
    if x > 100:
        return 2
    return sum(_numbers(x % 5))
