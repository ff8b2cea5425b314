"""The process that compiles, and keeps, kernels which are first needed in a process that may not write. What that one
asks for may be written by code under test: it can name kernels of ours, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from .. import cache
from ..paths import found_at, path_of
from ..sandbox.helper import Helper

RARE = "_zeroin_rare"  # in the name of a function
_NUMBER = re.compile("u?int(?:8|16|32|64)|float(?:32|64)|boolean|cells|none|void")
_SIGNATURE = re.compile(rf"(?:{_NUMBER.pattern})\((?:(?:{_NUMBER.pattern})(?:, ?(?!\)))?)*\)")
_MOST_DIMENSIONS = 8

_helper: Helper | None = None


def start() -> None:
    """Start the process, where kernels can be kept."""
    global _helper
    if cache.kernels() is not None:
        _helper = Helper(_serve)


@contextmanager
def asked(function: Callable[..., Any], forms: Any) -> Iterator[None]:
    """Within, a kernel (or callback) for these forms of arguments that is not kept is compiled by the process."""
    if _helper is None:
        yield
        return
    name = path_of(function).replace(RARE, "")
    request = json.dumps([name, forms], default=path_of).encode()
    with cache.made_by(partial(_helper.ask, request)):
        yield


def _serve(request: bytes) -> object:
    """In the helper: what is asked for may have been written by code under test. It can name what is ours."""
    from .kernel import Callback, Kernel

    name, forms = json.loads(request)
    found = found_at(name)
    if isinstance(forms, str):
        if not _SIGNATURE.fullmatch(forms):  # Numba evaluates it
            raise ValueError(f"{forms} is no signature")
        return Callback(forms, getattr(found, "_function", found)).address
    return found._entry(tuple(map(_form, forms))) if isinstance(found, Kernel) else None


def _form(written: Any) -> Any:
    """A form (:data:`.kernel.Form`), from JSON, where a class is its name."""
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
    kind = found_at(first)
    if not (isinstance(kind, type) and hasattr(kind, "_fields")):
        raise ValueError(f"{first} is no class of arguments")
    return (kind, *map(_form, rest))
