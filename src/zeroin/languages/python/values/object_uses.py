"""Uses of an object in a row (method calls and properties): how they run, and their source."""

from __future__ import annotations

import dataclasses
import operator
import re
from collections.abc import Callable, Sequence
from functools import cache
from types import ModuleType
from typing import NamedTuple

from .brackets import Brackets, Tree, prefixed

# How a special method is called: number of arguments (None: as declared), function, text around the arguments.
_Special = tuple[int | None, Callable[..., object], str, str]
_SPECIAL: dict[str, _Special] = {
    "__call__": (None, lambda made, *items, **named: made(*items, **named), "{0}(", ")"),
    "__len__": (0, len, "len({0}", ")"),
    "__bool__": (0, bool, "bool({0}", ")"),
    "__str__": (0, str, "str({0}", ")"),
    "__repr__": (0, repr, "repr({0}", ")"),
    "__iter__": (0, list, "list({0}", ")"),
    "__next__": (0, next, "next({0}", ")"),
    "__contains__": (1, operator.contains, "", " in {0}"),
    "__getitem__": (1, operator.getitem, "{0}[", "]"),
    "__setitem__": (2, operator.setitem, "{0}[", "]"),
    "__delitem__": (1, operator.delitem, "del {0}[", "]"),
}


def is_special(method: str) -> bool:
    """Return whether syntax or a builtin calls the method, as in ``len(x)`` and ``x[0]``."""
    return method in _SPECIAL


def special_arguments(method: str) -> int | None:
    """Return the number of arguments of a special method, without the object; None if its declaration determines it.

    Raises:
        KeyError: the method is not special, see :func:`is_special`.
    """
    return _SPECIAL[method][0]


def object_name(cls: str) -> str:
    """Return the variable name for an object of the class with this name: ``bounded_stack`` for ``BoundedStack``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.rpartition(".")[2]).lower()


def is_expression(use: str) -> bool:
    """Return whether the source of a use is an expression: ``del x[0]`` and ``x[0] = 1`` are not."""
    return not use.endswith((".__setitem__()", ".__delitem__()"))


class Step(NamedTuple):
    """One use of an object.

    Attributes:
        use: ``stack.push()`` for a method, also a special one (``stack.__len__()``); ``stack.size`` for a property;
            ``set_debug()`` for a function of a module, where the module is the object; ``Class.method()`` for a class
            method in a module.
        items: the arguments, the last ``len(names)`` of them by name.
        names: the names of these last arguments.
    """

    use: str
    items: tuple[object, ...] = ()
    names: tuple[str, ...] = ()

    def on(self, made: object) -> object:
        """Use the object ``made`` and return the result. Exceptions of its code pass through."""
        if not self.names:
            return _action(self.use)(made, *self.items)
        first = len(self.items) - len(self.names)
        named = dict(zip(self.names, self.items[first:], strict=True))
        return _action(self.use)(made, *self.items[:first], **named)

    def in_module(self, module: ModuleType) -> object:
        """Call a function of a module, or of a class in it, as :meth:`on` does."""
        owner, _, _ = self.use.rpartition(".")
        return self.on(getattr(module, owner) if owner else module)


@cache
def _action(use: str) -> Callable[..., object]:
    """Return the function that carries out a use; it takes the object and the arguments."""
    method = use.rpartition(".")[2]
    if not method.endswith("()"):
        return operator.attrgetter(method)
    name = method[:-2]
    if name in _SPECIAL:
        return _SPECIAL[name][1]
    return lambda made, *items, **named: getattr(made, name)(*items, **named)


class Steps(list[Step]):
    """Uses of one object, in order.

    Attributes:
        watch: called with None once the object exists, then with the result of each use that returns. None: nothing is
            called.
    """

    watch: Callable[[object], None] | None = None


def written(use: str, items: Sequence[Tree], names: Sequence[str], subject: str = "") -> Tree:
    """Return the source of one use of an object.

    Args:
        use: see :class:`Step`.
        items: the source of the arguments; empty for a property.
        names: see :class:`Step`.
        subject: the name of the object; if empty, the name in ``use``.
    """
    own, _, method = use.rpartition(".")
    subject = subject or own
    dotted = f"{subject}.{method}" if subject else method
    if not dotted.endswith("()"):
        return dotted
    first, method = len(items) - len(names), method[:-2]
    named = (prefixed(f"{name}=", item) for name, item in zip(names, items[first:], strict=True))
    arguments = (*items[:first], *named)
    _, _, opening, closing = _SPECIAL.get(method, (None, None, "{1}(", ")"))
    made = Brackets(opening.format(subject, dotted[:-2]), arguments, closing.format(subject))
    if method == "__setitem__":
        key, value = arguments
        return prefixed(f"{dataclasses.replace(made, items=(key,))} = ", value)
    if method == "__contains__":
        return f"{arguments[0]}{made.closing}"
    return made if arguments else str(made)
