"""Registries are dictionaries: name -> what makes the member."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def late(path: str) -> Callable[[], Any]:
    """Makes an object of the class that ``module:name`` says; the module is imported when the first one is made."""

    def make() -> Any:
        module, _, name = path.partition(":")
        return getattr(import_module(module), name)()

    return make
