"""Types of the C++ library that parameters have, and that an adapter makes of an array or a string."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Container:
    """How a source writes such a type.

    Attributes:
        type: ``std::vector<double>``, without qualifiers.
        element: of its elements, without qualifiers; of a string, ``char``.
        is_view: it does not own its elements, which have to be somewhere else.
        changes: the elements may be changed by it.
        count: of the elements, if the type says how many there are; else 0.
        is_output: the function may change the caller's, which is compared as a text.
        is_string: of characters, with what ends them.
    """

    type: str
    element: str
    is_view: bool = False
    changes: bool = False
    count: int = 0
    is_output: bool = False
    is_string: bool = False


def length_of(name: str) -> str:
    """What the parameter is called that says how many elements a container has."""
    return f"len({name})"
