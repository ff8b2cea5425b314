"""What a proof takes for granted of variables of modules, and of defaults: that they are what they are now."""

from __future__ import annotations

import builtins
import math
import sys
from collections.abc import Callable, Mapping
from functools import cached_property
from types import BuiltinFunctionType, FunctionType, ModuleType

from ...front.attribute_values import PLAIN
from ...front.changed_variables import Changes, shown_value
from .instances import field_kind
from .values import Unread

_CODE = (type, FunctionType, BuiltinFunctionType, ModuleType)


class Premises:
    """Collects them.

    Args:
        changes: what the user's code may change: of that, nothing is taken for granted.

    Attributes:
        said: in words.
    """

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self.said: dict[str, None] = {}
        self._changing: dict[tuple[int, str], ModuleType | None] = {}
        self._types: dict[tuple[type | ModuleType, str, bool], type | None] = {}

    def variable(self, namespace: Mapping[str, object], name: str, value: object, shown: str) -> None:
        """A variable of a module is read; its only definition, as a function or class, needs no words.

        Args:
            namespace: the variables of the module.
            shown: how the code names it.

        Raises:
            Unread: the user's code may change it.
        """
        if who := self._changes.who(namespace, name):
            raise Unread(f"{shown} may be changed by {who}")
        if name not in namespace and (who := self._changes.who(vars(builtins), name)):
            raise Unread(f"{shown} may be changed by {who}")
        if name not in namespace and name != "__debug__":
            return  # one of Python's own
        if isinstance(value, _CODE):
            if not self._changes.is_of_user(namespace) or self._changes.is_bound_once(namespace, name):
                return
        elif namespace is vars(math):
            return
        self.said[f"{shown} is {shown_value(value)}"] = None

    def changing(self, namespace: Mapping[str, object], name: str) -> ModuleType | None:
        """The module whose number or text only assignments in its functions change; None if none do, or others may."""
        key = id(namespace), name
        if key not in self._changing:
            module = sys.modules.get(str(namespace.get("__name__")))
            is_its = module is not None and vars(module) is namespace and type(namespace.get(name)) in PLAIN
            self._changing[key] = module if is_its and self._changes.sets_plainly(namespace, name) else None
        return self._changing[key]

    def functions(self, namespace: Mapping[str, object], name: str) -> list[FunctionType]:
        """Return the functions that a variable of a module may stand for; empty if it may be something else."""
        return self._changes.functions(namespace, name)

    def table(self, namespace: Mapping[str, object], name: str, value: object) -> bool:
        """A list, dict or set of a module is looked at; whether nobody changes it."""
        is_constant = self._changes.is_only_read(namespace, name)
        if is_constant:
            self.said[f"{name} is {shown_value(value)}"] = None
        return is_constant

    def attribute(self, cls: type, name: str) -> None:
        """A method or property of a class is looked up.

        Raises:
            Unread: the user's code may change it.
        """
        if who := self._changes.who_class(cls, name):
            raise Unread(f"{cls.__name__}.{name} may be changed by {who}")

    def may_change(self, cls: type) -> Callable[[str], bool]:
        """Whether the user's code may change an attribute of a class."""
        return lambda name: bool(self._changes.who_class(cls, name))

    @cached_property
    def is_redirected(self) -> bool:
        """Whether the user's code may put something of its own in the place of the standard output."""
        return self._changes.names("redirect_stdout") or bool(self._changes.who(vars(sys), "stdout"))

    def changes_class(self, cls: type) -> bool:
        """Whether the user's code may make objects of a class ones of another class."""
        return self._changes.changes_class(cls)

    def changes_members(self, cls: type) -> bool:
        """Whether the user's code may change the members of an enumeration."""
        return self._changes.changes_members(cls)

    def attribute_type(self, cls: type | ModuleType, name: str, later: bool) -> type | None:
        """The type of an attribute or variable; arguments and result as of :func:`.instances.field_kind`."""
        key = cls, name, later
        if key not in self._types:
            self._types[key] = field_kind(cls, name, self._changes.values(cls, name), later)
        return self._types[key]

    def code(self, function: FunctionType) -> None:
        """A function is read.

        Raises:
            Unread: the user's code may change its defaults or code.
        """
        if who := self._changes.who_defaults(function):
            raise Unread(f"the code of {function.__name__} may be changed by {who}")

    def default(self, function: FunctionType, name: str, value: object, is_literal: bool) -> None:
        """A parameter gets its default; one that is written down in the function's head needs no words.

        Raises:
            Unread: the user's code may change it.
        """
        if who := self._changes.who_defaults(function):
            raise Unread(f"the defaults of {function.__name__} may be changed by {who}")
        if not is_literal:
            self.said[f"the default of {name} in {function.__name__} is {shown_value(value)}"] = None
