"""Exceptions that users expect (``--expect ValueError``): a run that raises them is no finding."""

from __future__ import annotations

import builtins
import difflib
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module

from ....errors import OptionError


def expected_in(names: Sequence[str], namespace: Mapping[str, object], where: str,
                shared: Collection[str]) -> tuple[tuple[type[BaseException], ...], tuple[str, ...]]:  # fmt: skip
    """Return the classes of expected exceptions, and remarks about ignored names.

    Args:
        names: exceptions of the module or of Python (``ValueError``), or with a module:
            ``package.module.Error``. The module is imported if the name is unknown otherwise.
        namespace: the variables of the module.
        where: the name of the module, for messages.
        shared: names that options give for several targets. Such a name is ignored, with a remark, if it is unknown
            here.

    Raises:
        OptionError: a name is unknown and not in ``shared``, or it is no exception class.
    """
    found, ignored = list[type[BaseException]](), list[str]()
    for name in names:
        known = _named(name, namespace)
        if isinstance(known, type) and issubclass(known, BaseException):
            found.append(known)
            continue
        if known is None and name in shared:
            ignored.append(f"--expect {name} is ignored: {where} has no such exception")
            continue
        if known is not None:
            raise OptionError(f"--expect {name}: is not an exception class")
        exceptions = [one for one, value in {**vars(builtins), **namespace}.items()
                      if isinstance(value, type) and issubclass(value, BaseException)]  # fmt: skip
        near = difflib.get_close_matches(name, exceptions, 1, 0.8)
        there = f"; there is {near[0]}" if near else "; write it as package.module.Error"
        raise OptionError(f"--expect {name}: neither Python nor {where} has such an exception{there}")
    return tuple(found), tuple(ignored)


def _named(name: str, namespace: Mapping[str, object]) -> object:
    """Return the object that a name refers to; None if there is none, or its module can not be imported."""
    first, *rest = name.split(".")
    value = namespace.get(first, getattr(builtins, first, None))
    for step in rest if value is not None else ():
        value = getattr(value, step, None)
    if value is not None or not rest:
        return value
    module, _, own = name.rpartition(".")
    try:
        return getattr(import_module(module), own, None)
    except Exception:  # there is no such module, or it can not be imported
        return None
