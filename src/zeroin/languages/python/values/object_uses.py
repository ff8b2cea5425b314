"""Uses of an object one after another: what they do, and how their source reads."""

from __future__ import annotations

import dataclasses
import operator
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from .brackets import Brackets, Tree, prefixed

# What runs a special method: how many arguments it has (None: its own), what does it, and the text around them.
_Special = tuple[int | None, Callable[..., Any], str, str]
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
    """Whether something else than its name calls a method: ``len(x)``, ``x[0]``."""
    return method in _SPECIAL


def special_arguments(method: str) -> int | None:
    """How many arguments such a method is given; None: all that it has."""
    return _SPECIAL[method][0]


def object_name(cls: str) -> str:
    """What an object of a class is called: ``bounded_stack`` of ``BoundedStack``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.rpartition(".")[2]).lower()


def is_expression(use: str) -> bool:
    """Whether the source of a use has a value: ``del x[0]`` has none."""
    return not use.endswith((".__setitem__()", ".__delitem__()"))


class Step(NamedTuple):
    """One use of an object.

    Attributes:
        use: ``stack.push()`` for a method, special ones (``stack.__len__()``) too; ``stack.size`` for a property;
            ``set_debug()`` for a function of a module, which is the object then.
        items: the arguments, the last ``len(names)`` of them by name.
        names: see there.
    """

    use: str
    items: tuple[Any, ...] = ()
    names: tuple[str, ...] = ()

    def on(self, made: Any) -> Any:
        """Use the object; what comes of it. What its code raises passes through."""
        if not self.names:
            return _action(self.use)(made, *self.items)
        first = len(self.items) - len(self.names)
        named = dict(zip(self.names, self.items[first:], strict=True))
        return _action(self.use)(made, *self.items[:first], **named)


@cache
def _action(use: str) -> Callable[..., Any]:
    """What uses an object: called with it and the arguments."""
    method = use.rpartition(".")[2]
    if not method.endswith("()"):
        return operator.attrgetter(method)
    name = method[:-2]
    if name in _SPECIAL:
        return _SPECIAL[name][1]
    return lambda made, *items, **named: getattr(made, name)(*items, **named)


class Steps(list[Step]):
    """Uses of one object.

    Attributes:
        watch: is called with None as soon as there is an object, and then with what comes of each use.
    """

    watch: Callable[[Any], None] | None = None


def written(use: str, items: Sequence[Tree], names: Sequence[str], subject: str = "") -> Tree:
    """The source of one use of an object that is called ``subject``, or as ``use`` says.

    Args:
        use, names: see :class:`Step`.
        items: the source of the arguments.
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
