"""A helper process that compiles and caches kernels for processes that may not write to the cache.

Such processes run code under test, which could forge their requests. Therefore a request can only name kernels of
zeroin.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from .. import cache
from ..paths import object_at, path_of
from ..sandbox.helper import Helper

RARE = "_zeroin_rare"  # marks the names of functions that are called rarely (``kernel.rare``)
_NUMBER = re.compile("u?int(?:8|16|32|64)|float(?:32|64)|boolean|cells|none|void")
_SIGNATURE = re.compile(rf"(?:{_NUMBER.pattern})\((?:(?:{_NUMBER.pattern})(?:, ?(?!\)))?)*\)")
_MOST_DIMENSIONS = 8

_helper: Helper | None = None


def start() -> None:
    """Start the helper process, if kernels can be cached. Call this before code under test is loaded.

    It is forked from this process, and serves this process and its children.
    """
    global _helper
    if cache.kernels() is not None:
        _helper = Helper(_serve)


@contextmanager
def asked(function: Callable[..., object], forms: object) -> Iterator[None]:
    """Have the helper process compile a kernel that is missing from a read-only cache, within this context.

    Without a helper process, nothing changes.

    Args:
        function: the function of the kernel or callback.
        forms: the forms of its arguments (:data:`.kernel.Form`); for a callback, its signature.
    """
    if _helper is None:
        yield
        return
    name = path_of(function).replace(RARE, "")
    request = json.dumps([name, forms], default=path_of).encode()
    with cache.made_by(partial(_helper.ask, request)):
        yield


def _serve(request: bytes) -> object:
    """In the helper: compile what a request names. Code under test may have forged the request.

    Raises:
        ValueError: the request does not name a kernel or callback of zeroin.
    """
    from .kernel import Callback, Kernel

    name, forms = json.loads(request)
    found = object_at(name)
    if isinstance(forms, str):
        if not _SIGNATURE.fullmatch(forms):  # must be checked, since it is evaluated as Python code
            raise ValueError(f"{forms} is no signature")
        return Callback(forms, getattr(found, "py_func", getattr(found, "_function", found))).address
    return found._entry(tuple(map(_form, forms))) if isinstance(found, Kernel) else None


def _form(written: Any) -> Any:
    """Return a form (:data:`.kernel.Form`) from JSON, where the import path stands for a class.

    Raises:
        ValueError: it is not a form.
    """
    if isinstance(written, str):
        if not _NUMBER.fullmatch(written):
            raise ValueError(f"{written} is no form")
        return written
    first, *rest = written
    if _NUMBER.fullmatch(first):
        (dimensions,) = rest
        if type(dimensions) is not int or not 0 <= dimensions <= _MOST_DIMENSIONS:
            raise ValueError(f"there are no arrays of {dimensions} dimensions")
        return first, dimensions
    kind = object_at(first)
    if not (isinstance(kind, type) and hasattr(kind, "_fields")):
        raise ValueError(f"{first} is no class of arguments")
    return (kind, *map(_form, rest))
