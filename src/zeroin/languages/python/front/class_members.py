"""A class as a target: the members that are used, and the callable that uses them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from types import FunctionType

from ....errors import TargetError
from ..values.object_uses import Steps, is_special
from .code import unwrapped, why_no_function

_MANY = 100
_MAKING = ("__new__", "__init__", "__post_init__")


@dataclass(frozen=True)
class Member:
    """A method, which is called, or a property, which is read.

    Attributes:
        name: the name in the class.
        inner: the user's own function, under any decorators.
        function: the callable that has the parameters; None for a property.
        bound: whether the first parameter is the object; not so for static methods and class methods.
    """

    name: str
    inner: FunctionType
    function: Callable[..., object] | None = None
    bound: bool = True


class Driver:
    """The callable that runs when the target is a class: it makes an object and uses it."""

    def __init__(self, cls: type) -> None:
        self._cls = cls
        self._tried = self._made = 0
        self._refusal = ""

    def __call__(self, steps: Steps, *arguments: object, **named: object) -> object:
        """Make an object, use it, and return the result of the last use; None if there are no uses.

        Exceptions of the class's code pass through.

        Args:
            steps: the uses; its ``watch`` is called.
            arguments, named: the arguments of the constructor.
        """
        self._tried += 1
        try:
            made, watch = self._cls(*arguments, **named), steps.watch
        except BaseException as error:
            self._refusal = type(error).__name__
            raise
        self._made += 1
        if watch is not None:
            watch(None)
        result = None
        for step in steps:
            result = step.on(made)
            if watch is not None:
                watch(result)
        return result

    @property
    def refusal(self) -> str:
        """The last exception's class name if the constructor raised in every one of 100 or more calls; else empty."""
        return self._refusal if self._tried >= _MANY and not self._made else ""


@dataclass(frozen=True)
class Members:
    """The members of a class that are used.

    Attributes:
        cls: the class.
        driver: the callable that makes and uses its objects.
        making: the class's own functions that make an object, such as ``__init__``; empty if there are none.
        used: the public methods and properties, its own before inherited ones.
        passed_over: the other members that users may expect, as text: ``name (reason)``.
    """

    cls: type
    driver: Driver
    making: tuple[FunctionType, ...]
    used: tuple[Member, ...]
    passed_over: tuple[str, ...]

    @property
    def functions(self) -> tuple[FunctionType, ...]:
        """The functions whose sites count as those of the class."""
        return (*self.making, *(member.inner for member in self.used))

    def remarks(self) -> list[str]:
        """Return remarks for the report about how objects were made so far; empty if there is nothing to say."""
        refusal = self.driver.refusal
        return [f"no object of {self.cls.__qualname__} could be made: its constructor raised {refusal} every time"] * (
            bool(refusal))  # fmt: skip


def members_of(cls: type, files: Collection[str], where: str) -> Members:
    """Return the members of a class that are used.

    Args:
        cls: the class.
        files: the paths of the files whose functions count as the class's own.
        where: the target, for messages.

    Raises:
        TargetError: objects can not be made, or these files define no member; the message gives the reason.
    """
    if issubclass(cls, Enum):
        raise TargetError(f"{where}: is an enumeration, whose members already exist; name one of its methods")
    if inspect.isabstract(cls) or getattr(cls, "_is_protocol", False):
        missing = ", ".join(sorted(getattr(cls, "__abstractmethods__", ()))) or "a protocol"
        raise TargetError(f"{where}: is an abstract class ({missing}), which has no objects; name a class "
                          "that implements it")  # fmt: skip
    found = [
        _member(cls, name, files) for name in dict.fromkeys(name for base in cls.__mro__[:-1] for name in vars(base))
    ]
    used = [member for member in found if isinstance(member, Member) and member.inner.__code__.co_filename in files]
    elsewhere: dict[str, list[str]] = {}
    for member in found:
        if isinstance(member, Member) and member not in used and not member.name.startswith("__"):
            elsewhere.setdefault(member.inner.__module__, []).append(member.name)
    inherited = (f"{', '.join(names)} (inherited from {module}: --include {module} covers that)"
                 for module, names in elsewhere.items())  # fmt: skip
    passed = [member for member in found if isinstance(member, str)]
    making = tuple(function for name in _MAKING for function in _written(cls, name)
                   if function.__code__.co_filename in files)  # fmt: skip
    if not making and not used:
        raise TargetError(f"{where}: is a class without a constructor and public methods of its own"
                          + f" that can be called; there is {', '.join(passed)}" * bool(passed))  # fmt: skip
    return Members(cls, Driver(cls), making, tuple(used), (*passed, *inherited))


def _member(cls: type, name: str, files: Collection[str]) -> Member | str | None:
    """Return the member of this name.

    A text ``name (reason)`` means that users may expect the member, but it is not used. None means that it does not
    count.
    """
    value = inspect.getattr_static(cls, name)
    special = name.startswith("__") and name.endswith("__")
    if name in _MAKING or (name.startswith("_") and not special) or isinstance(value, type):
        return None
    if isinstance(value, property | functools.cached_property):
        getter = value.fget if isinstance(value, property) else value.func
        inner = next(unwrapped(getter), None)
        return None if inner is None else Member(name, inner)
    inner = next(_written(cls, name), None)
    if inner is None:
        return None
    if special and not is_special(name):
        return f"{name} (a special method)" if inner.__code__.co_filename in files else None
    reason = why_no_function(inner)
    if reason and not (name == "__iter__" and reason == "a generator"):
        return f"{name} ({reason})"
    return Member(name, inner, getattr(cls, name), not isinstance(value, staticmethod | classmethod))


def _written(cls: type, name: str) -> Iterator[FunctionType]:
    """Yield the user's own function of that name, under any decorators, if there is one."""
    functions: Iterable[FunctionType] = unwrapped(inspect.getattr_static(cls, name, None))
    yield from list(functions)[:1]
