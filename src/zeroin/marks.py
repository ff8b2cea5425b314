"""The decorators ``@zeroin.prefer`` and ``@zeroin.defer``, which guide explorations (Xie et al. 2009, section 7).

The decorators return the Python function itself, with a mark.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

_MARK = "__zeroin_priority__"

F = TypeVar("F", bound=Callable[..., object])


def prefer(function: F) -> F:
    """Mark a function: explorations flip the decisions in it before others, like ``--prefer`` on the command line.

    The mark is an attribute of the function. It does not count for functions that it calls. One choice of eight is left
    to the others, so that none waits for ever. Marks add up: ``prefer`` and ``defer`` on one function cancel out.

    Returns:
        The same function.
    """
    return _marked(function, 1)


def defer(function: F) -> F:
    """Mark a function: explorations flip the decisions in it after others, like ``--defer`` on the command line.

    For details, see :func:`prefer`.

    Returns:
        The same function.
    """
    return _marked(function, -1)


def priority_of(function: Callable[..., object]) -> int:
    """Return the priority of a function: plus 1 for each ``prefer``, minus 1 for each ``defer``, 0 without marks.

    Explorations flip decisions with a higher priority first.
    """
    return int(getattr(function, _MARK, 0))


def _marked(function: F, step: int) -> F:
    setattr(function, _MARK, priority_of(function) + step)
    return function
