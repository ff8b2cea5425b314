"""Functions of Python's own that consume an iterator, written in Python: for proofs, which execute them."""

from __future__ import annotations

import ast
import builtins
from functools import cache
from itertools import count

from ...run.probes.source import Function, Source
from .code import Code
from .lowering import Lowering

# By name and number of arguments. The parameters are positional, or have the names that calls use.
_TEXTS = {
    (builtins.sum, 1): """
def sum(items):
    total = 0
    for item in items:
        total = total + item
    return total
""",
    (builtins.sum, 2): """
def sum(items, start):
    for item in items:
        start = start + item
    return start
""",
    (builtins.list, 1): """
def list(items):
    return [item for item in items]
""",
    (builtins.min, 1): """
def min(items):
    found = None
    for item in items:
        if found is None or item < found:
            found = item
    if found is None:
        raise ValueError
    return found
""",
    (builtins.max, 1): """
def max(items):
    found = None
    for item in items:
        if found is None or item > found:
            found = item
    if found is None:
        raise ValueError
    return found
""",
    (builtins.min, 2): """
def min(items, default):
    found = None
    for item in items:
        if found is None or item < found:
            found = item
    return default if found is None else found
""",
    (builtins.max, 2): """
def max(items, default):
    found = None
    for item in items:
        if found is None or item > found:
            found = item
    return default if found is None else found
""",
    (builtins.any, 1): """
def any(items):
    for item in items:
        if item:
            return True
    return False
""",
    (builtins.all, 1): """
def all(items):
    for item in items:
        if not item:
            return False
    return True
""",
    (builtins.next, 1): """
def next(items):
    for item in items:
        return item
    raise StopIteration
""",
    (builtins.next, 2): """
def next(items, default):
    for item in items:
        return item
    return default
""",
    ("in", 2): """
def contains(items, wanted):
    for item in items:
        if item == wanted:
            return True
    return False
""",
}
_PLACES = count(-1, -1)


def has_code(function: object, arguments: int) -> bool:
    """Return whether there is code for a call with so many arguments, the first of which is an iterator.

    Args:
        function: the function, or ``"in"``.
        arguments: the number of arguments.
    """
    return any(function is known and arguments == number for known, number in _TEXTS)


@cache
def code_of(function: object, arguments: int) -> Code:
    """Return the code; arguments as of :func:`has_code`, which must be true."""
    text = next(one for (known, number), one in _TEXTS.items() if function is known and arguments == number)
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.FunctionDef)
    return Lowering(Function(node.name, node, Source("", text)), {}, _PLACES).code
