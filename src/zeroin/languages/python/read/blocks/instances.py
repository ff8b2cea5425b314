"""Objects of the user's classes as proofs see them: which attribute is what, and of which type."""

from __future__ import annotations

import ast
import builtins
import inspect
from abc import ABC, ABCMeta
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import Generic, Protocol

from ...front.attribute_values import PLAIN, AttributeValue, type_named
from ...front.syntax import own_parts
from .values import BlockValue, Bound, Instance, Static, Unread

_OF_SYSTEM = tuple(one for one in vars(builtins).values() if isinstance(one, type) and issubclass(one, OSError))
_MADE_PLAINLY = {
    *_OF_SYSTEM, ArithmeticError, AssertionError, AttributeError, BaseException, BufferError, DeprecationWarning,
    EOFError, Exception, FloatingPointError, FutureWarning, ImportError, IndexError, KeyError, KeyboardInterrupt,
    LookupError, MemoryError, ModuleNotFoundError, NameError, NotImplementedError, OverflowError, RecursionError,
    ReferenceError, RuntimeError, RuntimeWarning, SystemError, SystemExit, TypeError, UnboundLocalError, UnicodeError,
    UserWarning, ValueError, Warning, ZeroDivisionError,
}  # fmt: skip
_WITH_KEYWORDS = (ImportError, NameError, AttributeError)
_PLAIN_BASES = (object, ABC, Generic, Protocol)


@dataclass(frozen=True)
class Field:
    """An attribute that each object has for itself, or one of a class that is a number or text."""


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
    has_getters = not _is_inherited(cls, "__getattribute__") or hasattr(cls, "__getattr__")
    return is_own and not has_base and not has_getters and not has_own(cls, "__class__")


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
    """The parameters of an ``__init__`` that a dataclass has generated, which are named as the fields that they set.

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
    return list(made.__code__.co_varnames[1 : made.__code__.co_argcount])


def returns_values(node: ast.AST | None) -> bool:
    """Whether a function may return something else than None."""
    return not isinstance(node, ast.FunctionDef) or any(
        isinstance(part, ast.Return) and part.value is not None for part in own_parts(node)
    )


def raised_by(cls: type, has_keywords: bool, count: int) -> tuple[type, ...]:
    """The classes of what ``raise cls(...)`` raises; empty if nobody knows, or the user's code runs.

    ``OSError(2, "gone")`` is a ``FileNotFoundError``, and so on. With three arguments, the third is looked at.

    Args:
        count: of the arguments by position.
    """
    own = [one for one in cls.__mro__[:-1] if one.__module__ != "builtins"]
    last = next((one for one in cls.__mro__ if one.__module__ == "builtins"), None)
    made = any(name in vars(one) for one in own for name in ("__init__", "__new__", "__init_subclass__"))
    looks = cls in (OSError, BlockingIOError) and count > 2
    if type(cls) is not type or last not in _MADE_PLAINLY or made or looks:
        return ()
    kinds = tuple(dict.fromkeys(_OF_SYSTEM)) if cls is OSError else (cls,)
    return (*(kinds if issubclass(cls, _WITH_KEYWORDS) else ()), TypeError) if has_keywords else kinds


def has_own(cls: type, *names: str) -> bool:
    """Whether a class defines one of these methods itself, or inherits it from a class that does."""
    return any(name in vars(one) for one in cls.__mro__[:-1] for name in names)


def lookup(value: Instance | Static, name: str) -> BlockValue | Field | Getter:
    """What an attribute of an object, or of a class, is.

    Raises:
        Unread: nobody knows.
    """
    cls = value.cls if isinstance(value, Instance) else value.value
    found = inspect.getattr_static(cls, name, None)
    is_generated = (
        is_dataclass(cls) and any(one.name == name for one in fields(cls)) and hasattr(type(found), "__get__")
    )
    if not is_simple(cls) or name.startswith("__") or is_generated:
        raise Unread(f"the attribute {name}")
    if type(found) is classmethod and isinstance(found.__func__, FunctionType):
        return Bound(found.__func__, Static(cls))
    if type(found) is staticmethod and isinstance(found.__func__, FunctionType):
        return Static(found.__func__)
    if isinstance(found, FunctionType):
        return Bound(found, value) if isinstance(value, Instance) else Static(found)
    if isinstance(value, Instance):
        if type(found) is property and isinstance(found.fget, FunctionType):
            return Getter(found.fget)
        if found is None or not hasattr(type(found), "__get__"):
            return Field()
    elif type(found) in PLAIN:
        return Field()
    raise Unread(f"the attribute {name}")


def field_kind(cls: type | ModuleType, name: str, values: Sequence[AttributeValue] | None, later: bool) -> type | None:
    """The type of an attribute, as its annotation says, or as constructors set it.

    None if nobody knows, or some code sets it to a value of another type.

    Args:
        cls: the class of the objects, or a module.
        name: of the attribute, or variable.
        values: what code sets it to; None if nobody knows.
        later: whether code that is not read may have set it since the function was called: annotations of what that
            code is given are not believed then.
    """
    if values is None:
        return None
    values = [one for one in values if not one.deletes]
    owners = cls.__mro__[:-1] if isinstance(cls, type) else [cls]
    said = (vars(one).get("__annotations__", {}).get(name) for one in owners)
    annotations = [one for one in said if one is not None]
    default = inspect.getattr_static(cls, name, _ABSENT)
    of_default = set() if default is _ABSENT or type(default) is MemberDescriptorType else {type(default)}
    first = [value.kind(None, True) for value in values if value.constructs]
    kind = (
        type_named(annotations[0])
        if annotations
        else next((one for one in (*of_default, *first) if one in PLAIN), None)
    )
    found = of_default | ({value.kind(kind, True) for value in values} - ({None} if annotations else set()))
    if later:
        found |= {value.kind(kind, False) for value in values if not value.constructs}
    return kind if found <= {kind} else None


_ABSENT = object()
