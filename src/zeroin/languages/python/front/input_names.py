"""The numbers in the inputs of a Python function, by the names that preconditions use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....subject.bounds import Bounds
from ....subject.input_names import InputNames, Leaf, Presence
from ....term.core.build import conjunction
from ....term.core.nodes import Op, Term, constant, make
from ....term.core.sorts import INT
from ....term.expression.typed import TYPES, WHOLE
from ....words import Kind
from ..read.values.inputs import Inputs
from ..values.arrays import Array1D
from ..values.constrained import Checked
from ..values.containers import Bytes, List, Object, Record, Str, Union, VarTuple
from ..values.narrowing import bounded, finite, named, steps
from ..values.scalars import FixedTuple, NumPyScalar, Primitive
from ..values.shapes import Bool, Float, Int, Shape
from .signature import PythonSignature

_TYPES = {Kind.F64: TYPES["float"], Kind.F32: TYPES["float32"], Kind.BOOL: TYPES["bool"], Kind.U64: TYPES["u64"],
          Kind.INT: WHOLE}  # fmt: skip


class PythonNames(InputNames):
    """The numbers in the inputs of a Python function, by name.

    For a class under test, only arguments of the constructor have named numbers.

    Args:
        signature: the signature to begin with, which is not changed: ``signature`` is replaced by narrowed copies.
    """

    def __init__(self, signature: PythonSignature) -> None:
        self.signature: PythonSignature = signature

    @property
    def bounded(self) -> list[str]:
        return [name for p in self.signature.parameters for name in named(p.shape, p.name)]

    def bound(self, name: str, bounds: Bounds) -> None:
        self._change([p.shape if name not in named(p.shape, p.name) else bounded(p.shape, p.name, name, bounds)
                      for p in self.signature.parameters])  # fmt: skip

    def keep_finite(self) -> None:
        self._change([finite(p.shape) for p in self.signature.parameters])

    def _change(self, shapes: Sequence[Shape]) -> None:
        """Give the parameters new shapes. If a shape has another number of words, its values to try are dropped."""
        parameters = self.signature.parameters
        changed = (p if p.shape == shape else replace(p, shape=shape, tries=p.tries if shape.arity == p.arity else ())
                   for p, shape in zip(parameters, shapes, strict=True))  # fmt: skip
        self.signature = replace(self.signature, parameters=tuple(changed))

    def leaves(self) -> list[Leaf]:
        found, terms = list[Leaf](), list(Inputs(self.signature.parameters).terms())
        word = 0
        for p in self.signature.parameters:
            found += _Leaves(terms).of(p.shape, p.name, p.name, (), word, ())
            word += p.arity
        return found

    def given(self) -> list[Term]:
        """Return an empty list: path conditions already contain the ranges of the inputs."""
        return []


class _Leaves:
    """Lists the numbers inside values.

    Args:
        terms: the variables of path conditions, one for each word.
    """

    def __init__(self, terms: Sequence[Term]) -> None:
        self._terms = terms

    def of(self, shape: Shape, name: str, group: str, index: tuple[int, ...], word: int,
           there: tuple[Presence, ...]) -> Iterator[Leaf]:  # fmt: skip
        """Yield the numbers of one value, and its lengths such as ``len(xs)``, in the order of their words.

        Items up to the greatest length, and all alternatives of a union, are yielded with their conditions. Of a
        ``str``, only the length is. Other shapes, such as sets, dicts and complex numbers, yield nothing.

        Args:
            shape: the shape of the value.
            name: its name, with indices: ``xs[0].v``.
            group: its name without indices: ``xs.v``.
            index: the indices in the name.
            word: the index of its first word among all words of the input.
            there: the conditions under which the value is present; empty: always.
        """
        if isinstance(shape, Float | Int | Bool | NumPyScalar | Primitive):
            yield self._number(shape.kind, name, group, index, word, there)
        elif isinstance(shape, Checked):
            yield from self.of(shape.shape, name, group, index, word, there)
        elif isinstance(shape, Union):
            at = word + 1
            for number, one in enumerate(shape.alternatives):
                yield from self.of(one, name, group, index, at, (*there, self._present(word, number, number)))
                at += one.arity
        elif isinstance(shape, Object | Record | FixedTuple):
            for step, part in steps(shape):
                yield from self.of(part, name + step, group + step, index, word, there)
                word += part.arity
        elif isinstance(shape, List | VarTuple | Array1D | Str | Bytes):
            length = self._length(word)
            yield Leaf(f"len({name})", f"len({group})", index, word, Kind.U32, WHOLE, there, length)
            for n in range(0 if isinstance(shape, Str) else shape.high):
                here = (*there, self._present(word, n + 1, shape.high))
                yield from self.of(
                    shape.unit, f"{name}[{n}]", group, (*index, n), word + 1 + n * shape.unit.arity, here
                )

    def _number(self, kind: Kind, name: str, group: str, index: tuple[int, ...], word: int,
                there: tuple[Presence, ...]) -> Leaf:  # fmt: skip
        """Return one number; its ``model`` is None if path conditions have no variable of its type for it."""
        type_ = _TYPES.get(kind, TYPES["i64"])
        term = self._terms[word]
        model = term if term.sort == type_.sort and (kind is not Kind.INT or " word " not in term.data) else None
        return Leaf(name, group, index, word, kind, type_, there, model)

    def _length(self, word: int) -> Term | None:
        """Return the variable of a length or tag word in path conditions; None if they have no variable for it."""
        term = self._terms[word]
        return term if term.sort == INT and " word " not in term.data else None

    def _present(self, word: int, low: int, high: int) -> Presence:
        """Return the condition that the value of a length or tag word is from ``low`` to ``high``, both inclusive."""
        counted = self._length(word)
        if counted is None:
            return Presence(word, low, high, None)
        ends = make(Op.LE, constant(INT, low), counted), make(Op.LE, counted, constant(INT, high))
        return Presence(word, low, high, conjunction(ends))
