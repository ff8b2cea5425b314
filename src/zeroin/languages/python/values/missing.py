"""Placeholders in the arguments of a call: for a value that is left out, and for an object that occurs twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MISSING = object()


@dataclass(frozen=True)
class SharedArgument:
    """Placeholder for the same object as another argument.

    Attributes:
        at: the index of that argument, from 0. It must not be a placeholder itself.
        name: the name of its parameter.
    """

    at: int
    name: str


def with_shared(values: Sequence[object]) -> list[Any]:
    """Return a new list of arguments, with each :class:`SharedArgument` replaced by the object it refers to."""
    return [values[value.at] if type(value) is SharedArgument else value for value in values]
