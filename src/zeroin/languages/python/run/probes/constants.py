"""The dictionary of numbers: constants in the code under test, which are good values to start a search with."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from .....subject.constant import Constant
from .....words import Kind
from .source import FunctionNode

_MOST = 32  # entries of a table that are used


def constants_of(functions: Iterable[FunctionNode], known: Mapping[str, object]) -> list[Constant]:
    """Return the numbers and characters in functions, and in the module's variables that the functions name.

    A variable may be a number, a string or a small table of them. A negated number is included with and without its
    sign. Documentation and truth values are left out. The result is sorted and has each constant once.

    Args:
        functions: the nodes of the functions.
        known: the variables of their module.
    """
    found: set[Constant] = set()
    for function in functions:
        documentation = ast.get_docstring(function, clean=False) if not isinstance(function, ast.Lambda) else None
        for node in ast.walk(function):
            if isinstance(node, ast.Name):
                found |= {constant for value in _plain(known.get(node.id)) for constant in _in(value)}
                continue
            value = getattr(node, "value", None)
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
                value = getattr(node.operand, "value", None)
                value = -value if isinstance(value, int | float) else None
            if value != documentation:
                found |= _in(value)
    return sorted(found)


def _plain(value: object, depth: int = 2) -> Iterator[object]:
    """Yield the entries of a table, and of the tables in it; anything else is yielded itself, whatever it is.

    A table is a dict (its first 32 keys and values), or a sequence or set of at most 64 entries. Tables nest twice at
    most.
    """
    if isinstance(value, dict):
        value = (*islice(value, _MOST), *islice(value.values(), _MOST))
    if isinstance(value, tuple | list | set | frozenset) and depth and len(value) <= 2 * _MOST:
        for part in value:
            yield from _plain(part, depth - 1)
    else:
        yield value


def _in(value: object) -> set[Constant]:
    """Return the constant of a number, or those of a string's characters; none for a bool or another value."""
    if isinstance(value, bool):
        return set()
    if isinstance(value, str):
        return {Constant(Kind.CHAR, ord(character)) for character in value}
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        return {Constant.of_integer(value)}
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 1 << 1023):
        return {Constant.of_float(value)}
    return set()
