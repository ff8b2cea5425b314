"""Import paths of classes and functions: ``module:QualName``."""

from __future__ import annotations

import importlib
from typing import Any


def path_of(what: Any) -> str:
    """Return the import path of a class or a function. For a local one, :func:`object_at` can not follow it."""
    return f"{what.__module__}:{what.__qualname__}"


def object_at(path: str) -> Any:
    """Return the object at an import path. Its module is imported if needed; only modules of zeroin are.

    Raises:
        ValueError: the path does not lead into zeroin.
        ImportError, KeyError, TypeError: there is no such object. An inherited attribute of a class does not count.
    """
    module, _, name = path.partition(":")
    if not module.startswith("zeroin.") or module.endswith("__main__"):
        raise ValueError(f"{path} is not ours")
    found: object = importlib.import_module(module)  # waits if another thread is importing the module
    for part in name.split("."):
        found = vars(found)[part]
    return found
