"""Convert type hints to shapes."""

from __future__ import annotations

import inspect
import math
import numbers
import re
import sys
import types
import typing
from collections import abc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import InitVar, replace
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Any

from ....errors import UnsupportedParameter
from ..values.arrays import Array1D, ArrayND
from ..values.callables import functions_of
from ..values.constrained import Checked
from ..values.containers import (
    Bytes,
    Dict,
    List,
    MissingShape,
    Object,
    Record,
    Repeated,
    Set,
    Str,
    Union,
    VarTuple,
    union_of,
)
from ..values.enumerations import enumeration
from ..values.scalars import (
    DTYPES,
    Choice,
    Complex,
    Date,
    Datetime,
    DecimalShape,
    FixedTuple,
    FractionShape,
    NoneShape,
    NumPyScalar,
    Timedelta,
)
from ..values.shapes import Bool, Float, Int, Ordered, Shape, path_of
from ..values.snapshots import snapshot
from ..values.zones import Time, Zone
from .annotated_metadata import constraints_in, multiple
from .subclasses import derived_from
from .type_hints import constructor, hints_of, text_of, why_not

_MOST_WORDS = 2000
LONGEST = 32  # items of a sequence whose type bounds its length
DEEPEST = 3  # levels of objects inside objects
SIDES = {1: 4, 2: 3, 3: 2}  # the greatest length of each side, by the number of dimensions
_PLAIN: dict[object, Shape] = {
    float: Float(), int: Int(), bool: Bool(), complex: Complex(), str: Str(), bytes: Bytes(),
    None: NoneShape(), type(None): NoneShape(), Any: Float(), object: Float(), typing.LiteralString: Str(),
    numbers.Number: Float(), numbers.Real: Float(), numbers.Integral: Int(), numbers.Rational: FractionShape(),
    numbers.Complex: Complex(), typing.SupportsFloat: Float(), typing.SupportsInt: Int(),
    typing.SupportsIndex: Int(), typing.SupportsAbs: Float(), typing.SupportsRound: Float(),
    Fraction: FractionShape(), Decimal: DecimalShape(), date: Date(), datetime: Datetime(), timedelta: Timedelta(),
    time: Time(), tzinfo: Zone(), timezone: Zone(),
}  # fmt: skip
_LISTS = {list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection, abc.Reversible, abc.Container}
_DICTS = {dict, abc.Mapping, abc.MutableMapping}
_SETS = {set, abc.Set, abc.MutableSet, frozenset}
_WRAPPERS = {typing.Final, typing.ClassVar, typing.Required, typing.NotRequired, getattr(typing, "ReadOnly", None)}
_ABSTRACT_DTYPES = {
    "generic": "float64", "number": "float64", "inexact": "float64", "floating": "float64", "integer": "int64",
    "signedinteger": "int64", "unsignedinteger": "uint64", "complexfloating": "complex128", "flexible": "void",
    "character": "str",
}  # fmt: skip
_BARE_TUPLES = (tuple, vars(typing)["Tuple"])


class TooDeep(UnsupportedParameter):
    """A type contains itself, or objects are nested too deep; another alternative of a union may still work."""


def shape_of(hint: object, where: str, guess: Callable[[type], Shape | None] = lambda cls: None,
             derived: bool = True) -> Shape:  # fmt: skip
    """Return the shape of a type hint.

    Args:
        hint: the evaluated type, not a string.
        where: whose type it is, for messages; with the parameter's name in quotes: ``f: parameter 'x'``.
        guess: returns the shape of a class whose constructor lacks types, or None if it can not; may raise TooDeep.
        derived: whether objects of subclasses are included. Those of a class inside another one never are.

    Raises:
        UnsupportedParameter: zeroin can not make values of the type, or they would need more than 2000 words; the
            message is one line. It is TooDeep if the type contains itself or is nested too deep.
    """
    reader = _Reader(where, hint, guess, derived)
    shape = reader.read(hint)
    if shape.arity > _MOST_WORDS:
        raise reader.refusal(hint, f"which takes {shape.arity} numbers to describe, more than {_MOST_WORDS}")
    return shape


def _length(size: object) -> int | None:
    """Return the length of a dimension if its type fixes it (``Literal[2]``), else None."""
    said = typing.get_args(size) if typing.get_origin(size) is typing.Literal else ()
    return said[0] if len(said) == 1 and type(said[0]) is int and said[0] > 0 else None


def _usual(size: object) -> int | None:
    """Return the length that the type of a dimension mentions, also if others are possible (``Literal[2] | int``).

    None if it mentions none.
    """
    return next((length for one in (size, *typing.get_args(size)) if (length := _length(one))), None)


class _Reader:
    """Reads one type hint; the arguments are those of :func:`shape_of`, ``top`` is the hint."""

    def __init__(self, where: str, top: object, guess: Callable[[type], Shape | None], derived: bool) -> None:
        self._where, self._top, self._guess, self._derived = where, top, guess, derived
        self._open: list[object] = []  # the classes and type aliases that contain the current hint
        self._fields: list[str] = []  # the constructor parameters that contain the current hint
        self._bound: dict[object, Shape] = {}  # the values of type variables

    def refusal(
        self, hint: object, why: str, kind: type[UnsupportedParameter] = UnsupportedParameter
    ) -> UnsupportedParameter:
        """Return, but do not raise, the error for a hint inside the top one.

        Args:
            hint: the hint that can not be made.
            why: the reason, as the end of a sentence: ``which is abstract``.
            kind: the class of the error.
        """
        name = (re.findall(r"'([^']+)'", self._where) or ["x"])[-1]
        inner = f"{self._fields[-1]}: " if self._fields else ""
        inside = f" ({inner}{text_of(hint)})" if hint is not self._top else ""
        return kind(
            f'{self._where} has type {text_of(self._top)}{inside}, {why}; give its type with --types "{name}: ..."'
        )

    def read(self, hint: object) -> Shape:
        """Return the shape of a hint.

        Raises:
            UnsupportedParameter: zeroin can not make values of the type.
        """
        with suppress(TypeError):  # not hashable
            if hint in _PLAIN:
                return _PLAIN[hint]
        if isinstance(hint, typing.TypeVar):
            return self._variable(hint)
        origin, args = typing.get_origin(hint) or hint, typing.get_args(hint)
        if hasattr(origin, "__supertype__"):
            return self.read(origin.__supertype__)
        if hasattr(origin, "__value__"):
            with self._inside(hint, origin, args):
                return self.read(origin.__value__)
        if isinstance(hint, InitVar):
            return self.read(hint.type)
        try:
            shape = self._special(hint, origin, args) or self._container(hint, origin, args)
            return shape or self._class(hint, origin, args)
        except ValueError as error:
            raise self.refusal(hint, f"but {error}") from None

    def _variable(self, variable: Any) -> Shape:
        """Return the shape of a type variable: its value, else its bound or first constraint, else float."""
        if variable in self._bound:
            return self._bound[variable]
        choices = [variable.__bound__, *variable.__constraints__]
        hint = next((choice for choice in choices if choice is not None), float)
        with self._inside(variable, variable, ()):
            return self.read(hint)

    @contextmanager
    def _inside(self, hint: object, what: object, args: tuple[object, ...]) -> Iterator[None]:
        """Enter a class or a type alias, with its type variables bound to ``args``.

        Raises:
            TooDeep: it is inside itself for the second time, or nested too deep.
        """
        if self._open.count(what) >= 2:
            raise self.refusal(hint, "which contains itself", TooDeep)
        if isinstance(what, type) and sum(isinstance(o, type) for o in self._open) >= DEEPEST:
            raise self.refusal(hint, f"where objects are nested more than {DEEPEST} deep", TooDeep)
        variables = getattr(what, "__type_params__", ()) or getattr(what, "__parameters__", ())
        before, self._bound = self._bound, {**self._bound, **dict(zip(variables, map(self.read, args), strict=False))}
        self._open.append(what)
        try:
            yield
        finally:
            self._open.pop()
            self._bound = before

    def _special(self, hint: object, origin: object, args: tuple[object, ...]) -> Shape | None:
        """Return the shape of an array, a NumPy scalar, or a form of ``typing`` such as Union; None for other hints.

        Raises:
            UnsupportedParameter, ValueError: values of the type can not be made.
        """
        numpy = sys.modules.get("numpy")
        if numpy and origin is numpy.ndarray:
            return self._array(hint, args)
        if numpy and isinstance(origin, type) and issubclass(origin, numpy.generic):
            dtype = _ABSTRACT_DTYPES.get(origin.__name__) or numpy.dtype(origin).name
            if dtype not in DTYPES:
                raise self.refusal(hint, f"and NumPy's {dtype} is not supported")
            return NumPyScalar(dtype)
        if origin is typing.Annotated and args[0] is types.SimpleNamespace:
            return self._namespace(args[1])
        if origin is typing.Annotated:
            return self._constrained(hint, self.read(args[0]), args[1:])
        if origin is typing.Union or origin is types.UnionType:
            return self._union(args)
        if origin is typing.Literal:
            return Choice(tuple(map(snapshot, args)))
        if origin in (abc.Callable, types.FunctionType):
            return functions_of(len(args[0]) if args and isinstance(args[0], list) else None, self._result(args))
        return self.read(args[0]) if args and origin in _WRAPPERS else None

    def _namespace(self, fields: Any) -> Shape:
        """Return the shape of a namespace with given attributes (:class:`.inference.uses.Fields`)."""
        shapes = tuple(self.read(hint) for _, hint in fields.types)
        return Object("types:SimpleNamespace", tuple(name for name, _ in fields.types), shapes, len(shapes), False)

    def _result(self, args: tuple[object, ...]) -> Shape | None:
        """Return the shape of the result of a ``Callable``; None if it is not given or can not be made."""
        if len(args) < 2 or args[1] in (Any, object, None, type(None)):
            return None
        with suppress(UnsupportedParameter):
            return self.read(args[1])
        return None

    def _array(self, hint: object, args: tuple[object, ...]) -> Shape:
        """Return the shape of a NumPy array, whose elements are float64 if the hint does not say.

        The array has one dimension if the hint does not say how many.
        """
        sizes = typing.get_args(args[0]) if args else ()
        dtype = typing.get_args(args[1]) if len(args) > 1 else ()
        item = self.read(dtype[0]) if dtype else Float()
        first = item.alternatives[0] if isinstance(item, Union) else item
        name = first.dtype if isinstance(first, NumPyScalar) else "float64"
        exact, known = tuple(map(_length, sizes)), tuple(map(_usual, sizes))
        if (len(sizes) < 2 and not any(known)) or Ellipsis in sizes:
            return Array1D(name)
        if len(sizes) not in SIDES:
            raise self.refusal(hint, f"and arrays of {len(sizes)} dimensions can not be generated")
        most = tuple(size or max(SIDES[len(sizes)], one or 0) for size, one in zip(exact, known, strict=True))
        if math.prod(most) > _MOST_WORDS:
            raise self.refusal(hint, f"and arrays of {math.prod(most)} elements can not be generated")
        return ArrayND(
            name, most, known if any(known) else (), tuple(size or 0 for size in exact) if any(exact) else ()
        )

    def _union(self, args: tuple[object, ...]) -> Shape:
        """Return the shape of the alternatives that can be made, None last.

        Raises:
            UnsupportedParameter: no alternative can be made, or None alone, unless the others are nested too deep.
        """
        shapes: list[Shape] = []
        refused: list[UnsupportedParameter] = []
        numpy_typing = sys.modules.get("numpy.typing")
        array_like = typing.get_args(numpy_typing.ArrayLike) if numpy_typing else ()
        if array_like and all(arg in args for arg in array_like):
            shapes.append(Array1D("float64"))
            args = tuple(arg for arg in args if arg not in array_like)
        for arg in sorted(args, key=lambda arg: arg is type(None)):
            try:
                shapes.append(self.read(arg))
            except UnsupportedParameter as error:
                refused.append(error)
        too_deep = all(isinstance(error, TooDeep) for error in refused)
        if not shapes or (shapes == [NoneShape()] and not too_deep):
            raise refused[0]
        return union_of(shapes)

    def _constrained(self, hint: object, shape: Shape, metadata: tuple[object, ...]) -> Shape:
        """Return the shape with the constraints in the metadata of ``Annotated``."""
        said = constraints_in(metadata)
        if bounds := said.bounds:
            shape = _each(shape, Ordered, lambda one: replace(one, bounds=bounds)) or self._refuse(hint, bounds)
        for step in said.steps:
            shape = _each(shape, Int | Float, partial(multiple, step)) or self._refuse(hint, f"multiples of {step}")
        low, high = said.lengths
        if low or high is not None:
            lengths = f"{low} to {high}"
            shape = _each(shape, Repeated, lambda one: _sized(one, low, high)) or self._refuse(hint, lengths)
        for predicate in said.predicates:
            shape = Checked(shape, predicate)
        return shape

    def _container(self, hint: object, origin: object, args: tuple[object, ...]) -> Shape | None:
        """Return the shape of a list, dict, set, tuple, or generic form of a plain type; None for other hints.

        A list or dict whose items are nested too deep is always empty.
        """
        if not isinstance(origin, type):
            return None
        try:
            if origin in _LISTS:
                return List(self.read(args[0] if args else float))
            if origin in _DICTS:
                key, value = args or (str, float)
                return Dict(self._hashable(key), self.read(value))
        except TooDeep:
            return List(NoneShape(), high=0) if origin in _LISTS else Dict(NoneShape(), NoneShape(), high=0)
        if origin in _SETS:
            return Set(self._hashable(args[0] if args else float), frozen=origin is frozenset)
        if origin is tuple:
            if hint in _BARE_TUPLES or args[1:] == (...,):
                return VarTuple(self.read(args[0] if args else float))
            if not any(getattr(arg, "__unpacked__", False) for arg in args):
                return FixedTuple(tuple(map(self.read, args)))
        return _PLAIN.get(origin)

    def _hashable(self, hint: object) -> Shape:
        """Return the shape of a hint whose values must be hashable.

        Raises:
            UnsupportedParameter: they are not, or they can not be made.
        """
        shape = self.read(hint)
        if not shape.hashable:
            raise self.refusal(hint, "which is not hashable")
        return shape

    def _class(self, hint: object, origin: object, args: tuple[object, ...]) -> Shape:
        """Return the shape of a class. At the top level, it includes subclasses.

        Raises:
            UnsupportedParameter: none of the classes can be made; the error is that of the class itself.
        """
        is_inside = any(isinstance(one, type) for one in self._open)
        if is_inside or not self._derived or not isinstance(origin, type) or issubclass(origin, Enum):
            return self._exactly(hint, origin, args)
        found, refused = list[Shape](), list[UnsupportedParameter]()
        for one in (origin, *derived_from(origin)):
            try:
                found.append(self._exactly(hint if one is origin else one, one, args if one is origin else ()))
            except UnsupportedParameter as error:
                refused.append(error)
        if not found:
            raise refused[0]
        return union_of(found)

    def _exactly(self, hint: object, origin: object, args: tuple[object, ...]) -> Shape:
        """Return the shape of a class without its subclasses."""
        why = why_not(origin)
        if why or not isinstance(origin, type):
            raise self.refusal(hint, why or "and zeroin does not know how to make one")
        if issubclass(origin, Enum):
            return enumeration(origin)
        with self._inside(hint, origin, args):
            if typing.is_typeddict(origin):
                return self._record(origin)
            try:
                return self._object(hint, origin)
            except TooDeep:
                raise
            except UnsupportedParameter:
                if (guessed := self._guess(origin)) is None:
                    raise
                return guessed

    def _record(self, cls: Any) -> Shape:
        """Return the shape of a TypedDict."""
        hints, failed = hints_of(cls, cls.__annotations__)
        shapes = []
        for name in cls.__annotations__:
            shape = self._field(cls, name, hints.get(name, failed.get(name)))
            optional = name in cls.__optional_keys__ or typing.get_origin(hints.get(name)) is typing.NotRequired
            shapes.append(Union((shape, MissingShape())) if optional else shape)
        return Record(cls.__qualname__, tuple(cls.__annotations__), tuple(shapes))

    def _object(self, hint: object, cls: Any) -> Shape:
        """Return the shape of a call of the class, without optional parameters that zeroin can not make.

        ``*args`` and ``**kwargs`` stay empty.

        Raises:
            UnsupportedParameter: a required parameter can not be made, or all parameters are left out.
        """
        parameters = list(inspect.signature(cls).parameters.values())
        source = cls if hasattr(cls, "_field_defaults") else constructor(cls)
        hints, failed = hints_of(source, [p.name for p in parameters])
        shapes: dict[str, Shape] = {}
        positional, left_out = 0, False
        for p in parameters:
            if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                continue
            try:
                shapes[p.name] = self._field(cls, p.name, hints.get(p.name, failed.get(p.name, p.annotation)))
                positional += not left_out and p.kind is not p.KEYWORD_ONLY
            except UnsupportedParameter:
                if p.default is p.empty:
                    raise
                left_out = True
        if parameters and not shapes:
            raise self.refusal(hint, "whose constructor has no parameters that zeroin can vary")
        own_hash = cls.__hash__ not in (None, object.__hash__)
        hashable = cls.__hash__ is not None and not (own_hash and not all(s.hashable for s in shapes.values()))
        names = tuple(shapes)
        return Object(path_of(cls), names, tuple(shapes.values()), len(names) - positional, hashable)

    def _field(self, cls: Any, name: str, hint: Any) -> Shape:
        """Return the shape of a constructor's parameter, or of a TypedDict's key; errors name it."""
        self._fields.append(f"{cls.__qualname__}.{name}")
        try:
            return self.read(hint)
        finally:
            self._fields.pop()

    def _refuse(self, hint: object, what: object) -> Shape:
        """Raise the error for a constraint ``what`` that does not fit the type."""
        raise self.refusal(hint, f"where the bounds ({what}) are not supported")


def _each(shape: Shape, kind: Any, change: Callable[[Any], Shape]) -> Shape | None:
    """Apply ``change`` to the shape, or to its alternatives, where it is of the kind.

    None if neither the shape nor an alternative is of the kind.
    """
    if isinstance(shape, Union):
        changed = [_each(one, kind, change) for one in shape.alternatives]
        together = tuple(new or old for new, old in zip(changed, shape.alternatives, strict=True))
        return Union(together) if any(changed) else None
    return change(shape) if isinstance(shape, kind) else None


def _sized(shape: Any, low: int, high: int | None) -> Shape:
    """Return the shape with bounds on its length; short where the bounds leave a choice.

    ``high`` is None if there is no upper bound.

    Raises:
        ValueError: ``low`` is above ``high``.
    """
    most = max(shape.high, min(low + shape.high, LONGEST)) if high is None else min(high, max(low, LONGEST))
    sized: Shape = replace(shape, low=low, high=max(most, low) if high is None else most, free=high is None)
    return sized
