"""Objects of the user's classes as proofs see them: which attribute is what, and of which type."""

from __future__ import annotations

import ast
import inspect
from abc import ABC, ABCMeta
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import FunctionType, MemberDescriptorType
from typing import Generic, Protocol

from .code import Code
from .scope import own_parts
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
_OF_FLOATS = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_MADE_PLAINLY = {
    ArithmeticError, AssertionError, AttributeError, BaseException, BufferError, EOFError, Exception,
    FloatingPointError, IndexError, KeyError, KeyboardInterrupt, LookupError, MemoryError, NameError,
    NotImplementedError, OverflowError, RecursionError, ReferenceError, RuntimeError, RuntimeWarning, StopIteration,
    SystemExit, TypeError, UserWarning, ValueError, Warning, ZeroDivisionError,
}  # fmt: skip
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
    has_dict = bool(getattr(cls, "__dictoffset__", 0))
    return has_dict and not any(hasattr(type(found), one) for one in ("__set__", "__delete__"))


def makes_plainly(cls: type) -> bool:
    """Whether a call of a class makes an object, and then calls ``__init__``, and nothing else."""
    return (
        type(cls) in (type, ABCMeta)
        and is_simple(cls)
        and cls.__module__ != "builtins"
        and not inspect.isabstract(cls)
        and _is_inherited(cls, "__new__")
    )


def generated_fields(cls: type, made: FunctionType) -> list[str] | None:
    """The fields that the parameters of an ``__init__`` set that a dataclass has generated, in order.

    None if it is another one, or may call code of the user.
    """
    if not is_dataclass(cls) or made.__code__.co_filename != "<string>" or "__post_init__" in made.__code__.co_names:
        return None
    is_frozen = vars(cls)["__dataclass_params__"].frozen if "__dataclass_params__" in vars(cls) else False
    stores_plainly = is_frozen or _is_inherited(cls, "__setattr__")
    all_fields = fields(cls)
    if not stores_plainly or any(one.default_factory is not MISSING for one in all_fields):
        return None
    if not all(is_assigned_plainly(cls, one.name) for one in all_fields):
        return None
    return [one.name for one in all_fields if one.init and not one.kw_only]


def returns_values(node: ast.AST | None) -> bool:
    """Whether a function may return something else than None."""
    return not isinstance(node, ast.FunctionDef) or any(
        isinstance(part, ast.Return) and part.value is not None for part in own_parts(node)
    )


def raises_exactly(cls: type) -> bool:
    """Whether ``raise cls(...)``, without keywords, runs no code of the user, and raises an exception of this class."""
    own = [one for one in cls.__mro__[:-1] if one.__module__ != "builtins"]
    last = next((one for one in cls.__mro__ if one.__module__ == "builtins"), None)
    made = any(name in vars(one) for one in own for name in ("__init__", "__new__", "__init_subclass__"))
    return type(cls) is type and last in _MADE_PLAINLY and not made


def has_own(cls: type, *names: str) -> bool:
    """Whether a class defines one of these methods itself, or inherits it from a class that does."""
    return any(name in vars(one) for one in cls.__mro__[:-1] for name in names)


def lookup(value: Instance | Static, name: str, codes: Mapping[FunctionType, Code],
           strictly: bool) -> BlockValue | Field | Getter:  # fmt: skip
    """What an attribute of an object, or of a class, is.

    Args:
        value: the object or class.
        name: of the attribute.
        codes: of the functions that are read.
        strictly: as of :func:`field_kind`.

    Raises:
        Unread: nobody knows.
    """
    cls = value.cls if isinstance(value, Instance) else value.value
    if not is_simple(cls) or name.startswith("__"):
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
            return Field(field_kind(cls, name, codes, strictly))
    elif type(found) in (int, float, bool, str):
        return Field(field_kind(cls, name, codes, strictly))
    raise Unread(f"the attribute {name}")


def field_kind(cls: type, name: str, codes: Mapping[FunctionType, Code], strictly: bool) -> type | None:
    """The type of an attribute, as its annotation says, or as all functions set it that are read.

    None if nobody knows, or some code sets it to a constant of another type, or deletes it.

    Args:
        strictly: whether the type must be known of all that functions set it to; else one is enough, if no other is
            known to be different.
    """
    declared = next((_TYPES.get(said) for one in cls.__mro__[:-1]
                     if (said := vars(one).get("__annotations__", {}).get(name)) is not None), None)  # fmt: skip
    values = [value for code in codes.values() for value in _assigned(code.node, name)]
    default = inspect.getattr_static(cls, name, _ABSENT)
    has_default = default is not _ABSENT and type(default) is not MemberDescriptorType
    if declared is not None:
        others = {type(value.node.value) for value in values if isinstance(value.node, ast.Constant)}
        is_other = bool(others - {declared}) or any(value.node is None for value in values)
        return None if is_other or (has_default and type(default) is not declared) else declared
    guesses = {value.kind(None) for value in values} | ({type(default)} if has_default else set())
    guess = next((one for one in guesses if one in _TYPES), None)
    fits = {guess} if strictly else {guess, None}
    is_sure = {value.kind(guess) for value in values} <= fits and (not has_default or type(default) is guess)
    return guess if is_sure else None


_ABSENT = object()


@dataclass(frozen=True)
class _Value:
    """What some code sets an attribute to.

    Attributes:
        name: of the attribute.
        node: the expression; None if there is none.
        known: the types of the parameters that are never assigned to, as annotations say them.
    """

    name: str
    node: ast.expr | None
    known: Mapping[str, type | None]

    def kind(self, own: type | None) -> type | None:
        """Its type, where attributes of this name are of type ``own``; None if nobody knows."""
        return None if self.node is None else self._kind(self.node, own)

    def _kind(self, node: ast.expr, own: type | None) -> type | None:
        match node:
            case ast.Name(id=name):
                return self.known.get(name)
            case ast.Attribute(attr=self.name):
                return own
            case ast.Constant(value=value):
                return _TYPES.get(type(value))
            case ast.BinOp(left=left, op=op, right=right):
                kinds = {self._kind(left, own), self._kind(right, own)}
                if kinds == {int} and isinstance(op, _OF_INTS):
                    return int
                is_real = float in kinds and kinds <= {int, float} and isinstance(op, _OF_FLOATS)
                return float if is_real else None
        return None


def _assigned(node: ast.AST | None, name: str) -> Iterator[_Value]:
    """What a function sets attributes of this name to; a deletion counts, too."""
    if not isinstance(node, ast.FunctionDef):
        return
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    stored = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    known = {one.arg: _TYPES.get(one.annotation.id) for one in arguments
             if isinstance(one.annotation, ast.Name) and one.arg not in stored}  # fmt: skip
    plain = dict[ast.AST, ast.expr | None]()
    for part in ast.walk(node):
        match part:
            case ast.Assign(targets=targets, value=value):
                plain |= dict.fromkeys(targets, value)
            case ast.AnnAssign(target=target, annotation=said, value=value):
                plain[target] = value if value is None or not isinstance(said, ast.Name) else _example(said.id)
            case ast.AugAssign(target=target, op=op, value=value):
                plain[target] = ast.BinOp(target, op, value)
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and part.attr == name and not isinstance(part.ctx, ast.Load):
            yield _Value(name, plain.get(part), known)


def _example(kind: str) -> ast.expr | None:
    """A value of an annotated type."""
    of = _TYPES.get(kind)
    return None if of is None else ast.Constant(of())
