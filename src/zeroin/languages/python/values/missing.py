"""What stands for a value that is not there: a key of a dict, an argument that is not given; and for an argument that
another one is, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MISSING = object()


@dataclass(frozen=True)
class SharedArgument:
    """The object that another argument is, too.

    Attributes:
        at: the number of that argument.
        name: of its parameter.
    """

    at: int
    name: str


def with_shared(values: Sequence[Any]) -> list[Any]:
    """The arguments of a call, with the objects themselves where they are shared."""
    return [values[value.at] if type(value) is SharedArgument else value for value in values]
