"""Sorts: the types of terms, as SMT-LIB calls them."""

from __future__ import annotations

from functools import cache


class Sort:
    """The type of a term. Equal sorts are the same object.

    Attributes:
        name: SMT-LIB's name of the sort.
        sizes: for a bit vector, its width; for a float, the bits of the exponent and of the significand, with the
            hidden bit; otherwise empty.
        parts: for an array, the sorts of index and element; otherwise empty.
        width: the number of bits of a bit vector or of a float; otherwise 0.
    """

    __slots__ = ("__weakref__", "is_array", "is_bits", "is_float", "name", "parts", "sizes", "width")

    name: str
    sizes: tuple[int, ...]
    parts: tuple[Sort, ...]
    is_bits: bool
    is_float: bool
    is_array: bool
    width: int

    def __new__(cls, name: str, sizes: tuple[int, ...] = (), parts: tuple[Sort, ...] = ()) -> Sort:
        found = _KNOWN.get((name, sizes, parts))
        if found is None:
            found = _KNOWN[name, sizes, parts] = super().__new__(cls)
            values = {"name": name, "sizes": sizes, "parts": parts, "width": sum(sizes)}
            kinds = {"is_bits": "BitVec", "is_float": "FloatingPoint", "is_array": "Array"}
            for attribute, value in (values | {kind: name == known for kind, known in kinds.items()}).items():
                object.__setattr__(found, attribute, value)
        return found

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a sort is what it is: {name} can not be set")

    def __reduce__(self) -> tuple[type[Sort], tuple[object, ...]]:
        return Sort, (self.name, self.sizes, self.parts)

    def __repr__(self) -> str:
        return f"Sort({self})"

    def __str__(self) -> str:
        inside = [*map(str, self.sizes), *map(str, self.parts)]
        marks = "_ " if self.sizes else ""
        return f"({marks}{self.name} {' '.join(inside)})" if inside else self.name


_KNOWN: dict[tuple[str, tuple[int, ...], tuple[Sort, ...]], Sort] = {}

BOOL = Sort("Bool")
INT = Sort("Int")  # mathematical, unbounded
REAL = Sort("Real")
STRING = Sort("String")
ROUNDING = Sort("RoundingMode")
FLOAT32 = Sort("FloatingPoint", (8, 24))
FLOAT64 = Sort("FloatingPoint", (11, 53))
MACHINE_FLOATS = (FLOAT32, FLOAT64)  # the floats that native code computes with


@cache
def bits(width: int) -> Sort:
    """Return the sort of bit vectors of a width, in bits."""
    return Sort("BitVec", (width,))


@cache
def float_sort(exponent: int, digits: int) -> Sort:
    """Return the sort of floats with these numbers of bits; ``digits`` counts the hidden bit."""
    return Sort("FloatingPoint", (exponent, digits))


def has_values(sort: Sort) -> bool:
    """Whether a sort is one of floats, all of which are Python floats: of at most 11 and 53 bits, and at least 2."""
    return sort.is_float and 2 <= sort.sizes[0] <= FLOAT64.sizes[0] and 2 <= sort.sizes[1] <= FLOAT64.sizes[1]


@cache
def array(index: Sort, element: Sort) -> Sort:
    """Return the sort of arrays: total maps from an index sort to an element sort."""
    return Sort("Array", parts=(index, element))
