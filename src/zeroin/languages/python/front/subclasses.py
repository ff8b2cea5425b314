"""Find the user's subclasses of a class: their objects are accepted wherever its own are."""

from __future__ import annotations

import inspect
import sys
import sysconfig
from pathlib import Path

from ..values.shapes import path_of
from ..values.snapshots import named

_MOST = 8
_OF_OTHERS = ("site-packages", "dist-packages")


def derived_from(cls: type) -> list[type]:
    """Return up to 8 concrete subclasses of a class, the nearest first, also indirect ones.

    They are loaded classes that can be found by their names, and are in the package of ``cls`` or not installed. A
    class of the standard library has none here.
    """
    if cls.__module__.partition(".")[0] in sys.stdlib_module_names:
        return []
    found = list[type]()
    level: list[type[object]] = [cls]
    while level:
        level = [*dict.fromkeys(one for base in level for one in type.__subclasses__(base))]
        found += [one for one in level if one not in found and _is_of_user(one, cls) and not inspect.isabstract(one)]
    return [one for one in found if named(path_of(one)) is one][:_MOST]


def _is_of_user(one: type, cls: type) -> bool:
    """Whether a class is in the same package as ``cls``, or is not installed."""
    package = one.__module__.partition(".")[0]
    if package == cls.__module__.partition(".")[0]:
        return True
    file = getattr(sys.modules.get(one.__module__), "__file__", None)
    if not isinstance(file, str) or package == __name__.partition(".")[0]:
        return False
    return not Path(file).is_relative_to(sysconfig.get_path("stdlib")) and not set(_OF_OTHERS) & set(Path(file).parts)
