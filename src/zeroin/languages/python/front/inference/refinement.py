"""Refine vague type hints by the code: ``list``, ``tuple``, ``Callable``, and arrays of unknown dimensions."""

from __future__ import annotations

import sys
import typing
from collections import abc
from collections.abc import Mapping
from functools import reduce
from operator import or_
from types import SimpleNamespace, UnionType
from typing import Any

from .uses import Evidence

_UNIONS = (typing.Union, UnionType)
_SEQUENCES = (list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection)


def refined(hint: object, seen: Evidence | None, namespace: Mapping[str, object]) -> Any:
    """Return the hint, or a more exact one that the code suggests, such as ``list[int]`` for ``list``.

    Args:
        hint: the evaluated hint.
        seen: the evidence about the parameter; None if there is none.
        namespace: the variables of the function's module.
    """
    if seen is None or hint is None:
        return hint
    if typing.get_origin(hint) in _UNIONS:
        either: Any = typing.Union
        return either[tuple(refined(one, seen, namespace) for one in typing.get_args(hint))]
    if not _is_bare(hint):
        return hint
    is_array = _is_array(typing.get_origin(hint) or hint)
    read = seen.whole.arrays() if is_array else seen.hint(namespace)
    choices = typing.get_args(read) if typing.get_origin(read) in _UNIONS else (read,)
    finer = [one for one in (_finer(hint, choice) for choice in choices) if one is not None]
    if is_array and finer:  # a union over the possible numbers of dimensions
        return reduce(or_, finer)
    return finer[0] if finer else hint


def _is_bare(hint: object) -> bool:
    """Whether the hint does not say what is inside."""
    origin, args = typing.get_origin(hint) or hint, typing.get_args(hint)
    if hint is SimpleNamespace:
        return True
    if origin is abc.Callable:
        return not args or args == (Ellipsis, Any)
    if _is_array(origin):
        sizes = typing.get_args(args[0]) if args else ()
        return not sizes or Ellipsis in sizes
    return (origin in _SEQUENCES or origin is tuple) and args in ((), (Any,), (Any, Ellipsis))


def _finer(hint: Any, read: object) -> object:
    """Return the inferred type if it is of the hint's kind, as a type of this kind; else None."""
    origin, args = typing.get_origin(hint) or hint, typing.get_args(hint)
    kind, inside = typing.get_origin(read), typing.get_args(read)
    if not inside:
        return None
    if hint is SimpleNamespace:
        return read if inside[0] is SimpleNamespace else None
    if origin is abc.Callable:
        return read if kind is abc.Callable else None
    if _is_array(origin):
        return origin[inside[0], args[1]] if _is_array(kind) and len(args) > 1 else read if _is_array(kind) else None
    if origin is tuple:
        many = tuple.__class_getitem__((inside[0], ...))
        return read if kind is tuple else many if kind is list else None
    return read if kind is list else None


def _is_array(origin: object) -> bool:
    """Whether a type is NumPy's array, if NumPy is loaded."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and origin is numpy.ndarray
