"""Container types of the C++ library as parameters; an adapter makes them from an array or a string."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Container:
    """A container type.

    Attributes:
        type: the type in the source, without qualifiers: ``std::vector<double>``.
        element: type of the elements, without qualifiers; ``char`` for a string.
        is_view: whether it refers to elements that it does not own (``std::span``).
        changes: whether the elements can be changed through a view.
        count: number of elements if the type fixes it (``std::array``); else 0.
        is_output: whether the function may change the caller's container, which is then compared as printed text.
        is_string: whether it is a string type, made from a C string.
    """

    type: str
    element: str
    is_view: bool = False
    changes: bool = False
    count: int = 0
    is_output: bool = False
    is_string: bool = False


def length_of(name: str) -> str:
    """Return the name of the parameter that gives a container's number of elements: ``len(xs)``."""
    return f"len({name})"
