"""The types of terms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Sort:
    """A type.

    Attributes:
        name: as SMT-LIB calls it.
        sizes: of a bit vector its width; of a float the bits of exponent and significand, the hidden bit counted.
        parts: of an array the sorts of index and element.
    """

    name: str
    sizes: tuple[int, ...] = ()
    parts: tuple[Sort, ...] = ()

    def __str__(self) -> str:
        inside = [*map(str, self.sizes), *map(str, self.parts)]
        marks = "_ " if self.sizes else ""
        return f"({marks}{self.name} {' '.join(inside)})" if inside else self.name

    @property
    def is_bits(self) -> bool:
        return self.name == "BitVec"

    @property
    def is_float(self) -> bool:
        return self.name == "FloatingPoint"

    @property
    def is_array(self) -> bool:
        return self.name == "Array"

    @property
    def width(self) -> int:
        """Bits of a bit vector or of a float."""
        return sum(self.sizes)


BOOL = Sort("Bool")
INT = Sort("Int")  # mathematical
REAL = Sort("Real")
STRING = Sort("String")
ROUNDING = Sort("RoundingMode")
FLOAT32 = Sort("FloatingPoint", (8, 24))
FLOAT64 = Sort("FloatingPoint", (11, 53))


@cache
def bits(width: int) -> Sort:
    """Bit vectors of a width."""
    return Sort("BitVec", (width,))


@cache
def array(index: Sort, element: Sort) -> Sort:
    """Total maps from one sort to another."""
    return Sort("Array", parts=(index, element))
