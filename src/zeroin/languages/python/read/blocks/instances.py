"""Objects of the user's classes as proofs see them: which attribute is what, and of which type."""

from __future__ import annotations

import ast
import inspect
from abc import ABC, ABCMeta
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Generic, Protocol

from .code import Code
from .values import BlockValue, Bound, Instance, Static, Unread

_TYPES: dict[object, type] = {one: one for one in (int, float, bool, str)} | {
    one.__name__: one for one in (int, float, bool, str)
}
_OF_INTS = (
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.FloorDiv,
    ast.Mod,
    ast.BitAnd,
    ast.BitOr,
    ast.BitXor,
    ast.LShift,
    ast.RShift,
)
_PLAIN_BASES = (object, ABC, Generic, Protocol)


@dataclass(frozen=True)
class Field:
    """An attribute that each object has for itself.

    Attributes:
        kind: its type, if its class says so; None if nobody knows.
    """

    kind: type | None


@dataclass(frozen=True)
class Getter:
    """A property.

    Attributes:
        function: computes it.
    """

    function: FunctionType


@cache
def is_simple(cls: type) -> bool:
    """Whether reading an attribute of an object runs no code but that of properties."""
    is_own = all(one in _PLAIN_BASES or type(one) in (type, ABCMeta) for one in cls.__mro__)
    has_base = any(one not in _PLAIN_BASES and one.__module__ == "builtins" for one in cls.__mro__)
    return is_own and not has_base and _is_inherited(cls, "__getattribute__") and not hasattr(cls, "__getattr__")


def _is_inherited(cls: type, name: str) -> bool:
    """Whether a class has a method as all objects have it."""
    return inspect.getattr_static(cls, name) is vars(object)[name]


def is_assigned_plainly(cls: type, name: str) -> bool:
    """Whether an assignment to an attribute only stores it."""
    found = inspect.getattr_static(cls, name, None)
    return _is_inherited(cls, "__setattr__") and not hasattr(type(found), "__set__")


def makes_plainly(cls: type) -> bool:
    """Whether a call of a class makes an object, and then calls ``__init__``, and nothing else."""
    return (
        type(cls) in (type, ABCMeta)
        and is_simple(cls)
        and cls.__module__ != "builtins"
        and _is_inherited(cls, "__new__")
    )


def is_generated(made: FunctionType) -> bool:
    """Whether a dataclass has generated an ``__init__`` that calls nothing of the user."""
    return made.__code__.co_filename == "<string>" and "__post_init__" not in made.__code__.co_names


def has_own(cls: type, *names: str) -> bool:
    """Whether a class defines one of these methods itself, or inherits it from a class that does."""
    return any(name in vars(one) for one in cls.__mro__[:-1] for name in names)


def lookup(value: Instance | Static, name: str, codes: Mapping[FunctionType, Code]) -> BlockValue | Field | Getter:
    """What an attribute of an object, or of a class, is; ``codes`` has the functions that are read.

    Raises:
        Unread: nobody knows.
    """
    cls = value.cls if isinstance(value, Instance) else value.value
    if not is_simple(cls):
        raise Unread(f"the attribute {name}")
    found = inspect.getattr_static(cls, name, None)
    if isinstance(found, classmethod) and isinstance(found.__func__, FunctionType):
        return Bound(found.__func__, Static(cls))
    if isinstance(found, staticmethod) and isinstance(found.__func__, FunctionType):
        return Static(found.__func__)
    if isinstance(found, FunctionType):
        return Bound(found, value) if isinstance(value, Instance) else Static(found)
    if isinstance(value, Instance):
        if isinstance(found, property) and isinstance(found.fget, FunctionType):
            return Getter(found.fget)
        if found is None or not hasattr(type(found), "__get__"):
            return Field(
                field_kind(cls, name, codes) or (type(found) if type(found) in (int, float, bool, str) else None)
            )
    elif type(found) in (int, float, bool, str):
        return Field(type(found))
    raise Unread(f"the attribute {name}")


def field_kind(cls: type, name: str, codes: Mapping[FunctionType, Code]) -> type | None:
    """The type of an attribute, from its annotation, or from the ``__init__`` that sets it; None if nobody knows."""
    for one in cls.__mro__[:-1]:
        said = vars(one).get("__annotations__", {}).get(name)
        if said is not None:
            return _TYPES.get(said)
        made = vars(one).get("__init__")
        if isinstance(made, FunctionType):
            return _set_in(codes[made].node, name) if made in codes else None
    return None


def _set_in(node: ast.AST | None, name: str) -> type | None:
    """The type of what an ``__init__`` sets an attribute to."""
    if not isinstance(node, ast.FunctionDef) or not node.args.args:
        return None
    own = node.args.args[0].arg
    annotated = {a.arg: _TYPES.get(a.annotation.id) for a in (*node.args.args, *node.args.kwonlyargs)
                 if isinstance(a.annotation, ast.Name)}  # fmt: skip
    stored = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    known = {name: kind for name, kind in annotated.items() if name not in stored}
    kinds = set[type | None]()
    for part in ast.walk(node):
        targets = part.targets if isinstance(part, ast.Assign) else [part.target] if isinstance(
            part, ast.AnnAssign | ast.AugAssign) else []  # fmt: skip
        for target in targets:
            if isinstance(target, ast.Attribute) and target.attr == name and ast.unparse(target.value) == own:
                if isinstance(part, ast.AnnAssign) and isinstance(part.annotation, ast.Name):
                    kinds.add(_TYPES.get(part.annotation.id))
                else:
                    kinds.add(_kind(part.value, known) if isinstance(part, ast.Assign) else None)
    return kinds.pop() if len(kinds) == 1 else None


def _kind(node: ast.expr, known: dict[str, type | None]) -> type | None:
    """The type of an expression."""
    match node:
        case ast.Name(id=name):
            return known.get(name)
        case ast.Constant(value=value):
            return _TYPES.get(type(value))
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _OF_INTS):
            return int if _kind(left, known) is _kind(right, known) is int else None
    return None
