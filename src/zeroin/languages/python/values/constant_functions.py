"""Functions that ignore their arguments, such as ``lambda *_: 0.5``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any


def returning(make: Callable[[], object]) -> Callable[..., Any]:
    """Return a function that takes any positional arguments, ignores them, and returns ``make()``.

    Each call makes a new value, as the body of a lambda does. Exceptions of ``make`` pass through.
    """

    def function(*_: object) -> object:
        return make()

    return function


RAISING = returning(partial(int, ""))  # raises ValueError; the message is the same in all versions of Python


def is_returning(value: object) -> bool:
    """Return whether ``value`` is a function made by :func:`returning`."""
    return isinstance(value, FunctionType) and value.__code__ is CODE


CODE = returning(list).__code__
