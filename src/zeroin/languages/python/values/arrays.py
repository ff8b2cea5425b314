"""Shapes of NumPy arrays."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ....subject.bounds import Bounds
from ....subject.values import Role, Value, numbers
from ....words import Kind
from .containers import Repeated
from .scalars import DTYPES, Primitive, numpy_name
from .shapes import Make, Range, Shape, counter, no_words, reader

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

_ANY = 2  # the length to try for a free dimension, if another dimension has a usual length


class _Elements:
    """The common part of arrays: elements of one dtype."""

    dtype: str
    bounds: Bounds
    hashable = False

    @property
    def builds(self) -> type[NDArray[numpy.generic]]:
        import numpy

        return numpy.ndarray

    @cached_property
    def unit(self) -> Shape:
        """The shape of an element."""
        return Primitive(DTYPES[self.dtype], bounds=self.bounds)


@dataclass(frozen=True)
class Array1D(_Elements, Repeated):
    """A NumPy array with one dimension.

    Attributes:
        dtype: a key of :data:`zeroin.languages.python.values.scalars.DTYPES`.
        bounds: the bounds of the elements; empty: there are none.
    """

    dtype: str
    bounds: Bounds = field(default=Bounds(), kw_only=True)

    @property
    def type(self) -> str:
        return f"npt.NDArray[{numpy_name(self.dtype)}]"

    def build(self, words: Sequence[int], make: Make) -> object:
        import numpy

        return numpy.array(self.items(words, make), dtype=self.dtype)

    def in_order(self, value: NDArray[numpy.generic]) -> list[object]:
        return list(value.tolist())

    def encode(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, self.builds) or getattr(value, "ndim", 0) != 1 or value.dtype.name != self.dtype:
            raise no_words(value, self.type)
        return super().encode(value)


@dataclass(frozen=True)
class ArrayND(_Elements, Shape):
    """A NumPy array with several dimensions: a word for each length, then words for the largest number of elements.

    The elements are in row-major order, without gaps; words beyond their number are ignored.

    Args:
        dtype: as of :class:`Array1D`.
        most: the greatest length of each dimension.
        usual: the length to try first, for each dimension; None if there is none. Empty: no dimension has one.
        least: the least length of each dimension. Empty: it is 0 for all.
        bounds: the bounds of the elements; empty: there are none.
    """

    dtype: str
    most: tuple[int, ...]
    usual: tuple[int | None, ...] = ()
    least: tuple[int, ...] = ()
    bounds: Bounds = field(default=Bounds(), kw_only=True)

    @property
    def type(self) -> str:
        sizes = [
            "int" if not size else f"Literal[{size}]" if low == high else f"Literal[{size}] | int"
            for size, (low, high) in zip(self.usual or (None,) * len(self.most), self._lengths, strict=True)
        ]
        return f"np.ndarray[tuple[{', '.join(sizes)}], np.dtype[{numpy_name(self.dtype)}]]"

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        return (*map(counter, self.most), *self.unit.kinds * math.prod(self.most))

    @property
    def _lengths(self) -> list[Range]:
        """The least and the greatest length of each dimension."""
        return list(zip(self.least or (0,) * len(self.most), self.most, strict=True))

    def ranges(self) -> list[Range]:
        return [*self._lengths, *self.unit.ranges() * math.prod(self.most)]

    def hints(self) -> list[tuple[int, ...]]:
        lengths = (tuple(n for n in dict.fromkeys((1, 2, high, 0)) if low <= n <= high) for low, high in self._lengths)
        return [*lengths, *self.unit.hints() * math.prod(self.most)]

    def usual_lengths(self) -> tuple[int, ...]:
        """Return the lengths of an array of the usual shape; empty if there is no usual shape.

        A dimension without a usual length gets 2, or its greatest length if that is less.
        """
        return tuple(size or min(_ANY, most) for size, most in zip(self.usual, self.most, strict=False))

    def used(self, words: Sequence[int]) -> int:
        """Return how many words determine the value: the lengths, and the elements within them."""
        dimensions = len(self.most)
        return dimensions + math.prod(words[:dimensions])

    def values_in(self, words: Sequence[int], at: int) -> Iterator[Value]:
        dimensions = len(self.most)
        yield from (Value(Role.SIZE, kind, at + n, at + n + 1) for n, kind in enumerate(self.kinds[:dimensions]))
        yield from numbers(self.kinds[dimensions : self.used(words)], at + dimensions)

    def build(self, words: Sequence[int], make: Make) -> NDArray[numpy.generic]:
        import numpy

        dimensions, read = len(self.most), reader(DTYPES[self.dtype])
        elements = [read(word) for word in words[dimensions : self.used(words)]]
        return numpy.array(elements, dtype=self.dtype).reshape(words[:dimensions])

    def encode(self, value: Any) -> tuple[int, ...]:
        fits = isinstance(value, self.builds) and value.ndim == len(self.most) and value.dtype.name == self.dtype
        if not fits or any(
            not low <= size <= high for size, (low, high) in zip(value.shape, self._lengths, strict=True)
        ):
            raise no_words(value, self.type)
        elements = [word for item in value.ravel().tolist() for word in self.unit.encode(item)]
        return (*value.shape, *elements, *self.unit.plain() * (math.prod(self.most) - len(elements)))
