"""What the source of a Python function says to explorations: ``@zeroin.prefer`` and ``@zeroin.defer`` (Xie et al. 2009,
section 7). The decorators return the function itself, with a mark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_MARK = "__zeroin_priority__"

F = TypeVar("F", bound=Callable[..., Any])


def prefer(function: F) -> F:
    """Decorator: explorations flip the decisions of this function first, as ``--prefer`` says of the command line."""
    return _marked(function, 1)


def defer(function: F) -> F:
    """Decorator: explorations flip the decisions of this function last, as ``--defer`` says of the command line."""
    return _marked(function, -1)


def priority_of(function: Callable[..., Any]) -> int:
    """What the decorators of a function add up to; 0 if it has none."""
    return int(getattr(function, _MARK, 0))


def _marked(function: F, step: int) -> F:
    setattr(function, _MARK, priority_of(function) + step)
    return function
