"""Lazy imports: names whose modules are imported on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_factory(path: str) -> Callable[[], Any]:
    """Return a factory for a class; the first call imports the class's module. Each call makes a new object.

    Args:
        path: the import path of the class, ``module:name``. The factory makes the object without arguments.
    """

    def make() -> object:
        module, _, name = path.partition(":")
        return getattr(import_module(module), name)()

    return make


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return a ``__getattr__`` for a package that imports its names from its modules on first use.

    Args:
        package: the package's name.
        homes: for each name, the module below the package that defines it, or ``module:other name`` if the name
            there is another one. The result raises AttributeError for other names.
    """

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, other = homes[name].partition(":")
        return getattr(import_module(f"{package}.{module}"), other or name)

    return find
