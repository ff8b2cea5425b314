"""Paths of classes and functions: ``module:QualName``."""

from __future__ import annotations

import importlib
from typing import Any


def path_of(what: Any) -> str:
    """The path of a class or a function."""
    return f"{what.__module__}:{what.__qualname__}"


def found_at(path: str) -> Any:
    """What a module of zeroin has at a path; no other module is looked into.

    Raises:
        ValueError: it is no path of zeroin's.
        ImportError, KeyError: there is nothing.
    """
    module, _, name = path.partition(":")
    if not module.startswith("zeroin.") or module.endswith("__main__"):
        raise ValueError(f"{path} is not ours")
    found: Any = importlib.import_module(module)  # it waits for a thread that is importing it
    for part in name.split("."):
        found = vars(found)[part]
    return found
