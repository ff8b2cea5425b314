"""Guessed types: which type hints leave the type open, and which types are tried besides the first guess."""

from __future__ import annotations

import inspect
import numbers
import typing
from collections import abc
from collections.abc import Iterable
from typing import Any

from ...values.containers import Str, Union, union_of
from ...values.scalars import NoneShape
from ...values.shapes import Bool, Float, Int, Shape

MOST = 2  # further guesses: the first adds plain types, the second all types
_OPEN = (Any, object, numbers.Number, numbers.Real, numbers.Complex, numbers.Rational, numbers.Integral,
         typing.SupportsFloat, typing.SupportsInt, typing.SupportsIndex, typing.SupportsAbs, typing.SupportsRound,
         inspect.Parameter.empty)  # fmt: skip
_CONTAINERS = (list, tuple, dict, set, frozenset, abc.Sequence, abc.Iterable, abc.Collection, abc.Mapping,
               abc.MutableSequence, abc.MutableMapping, abc.Set)  # fmt: skip


def says_all(hint: object) -> bool:
    """Whether a type hint determines the types of all values; ``Any``, a protocol or a bare ``list`` does not."""
    if isinstance(hint, typing.TypeVar):
        choices = [one for one in (hint.__bound__, *hint.__constraints__) if one is not None]
        return bool(choices) and all(map(says_all, choices))
    if any(hint is one for one in (*_OPEN, *_CONTAINERS)):
        return False
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Literal, abc.Callable):
        return True
    if origin is typing.Annotated:
        return says_all(parts[0])
    return all(says_all(part) for part in parts if part is not Ellipsis)


def guess_of(number: int, shape: Shape, others: Iterable[Shape], has_texts: bool) -> Shape:
    """Return the shape of a guess, which includes all earlier guesses.

    Args:
        number: the number of the guess; 0 is the first, 1 adds plain types, 2 and more add all types.
        shape: the first guess.
        others: the shapes that the last guess adds.
        has_texts: whether the code compares texts.
    """
    if not number:
        return shape
    plain: tuple[Shape, ...] = (Str(),) if has_texts else (Float(), Int(), Bool())
    found = [shape, *plain] if number < MOST else [shape, *plain, *others, Float(), Int(), Bool(), Str(), NoneShape()]
    own = shape.alternatives if isinstance(shape, Union) else (shape,)
    return union_of([shape, *(one for one in found[1:] if all(one.type != known.type for known in own))])
