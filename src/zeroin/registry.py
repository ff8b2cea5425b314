"""Names whose modules are imported when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late(path: str) -> Callable[[], Any]:
    """A member of a registry, a dictionary: makes an object of the class that ``module:name`` says; the module is
    imported when the first one is made."""

    def make() -> Any:
        module, _, name = path.partition(":")
        return getattr(import_module(module), name)()

    return make


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose names stand in modules below it: ``module``, or ``module:other name``."""

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, other = homes[name].partition(":")
        return getattr(import_module(f"{package}.{module}"), other or name)

    return find
