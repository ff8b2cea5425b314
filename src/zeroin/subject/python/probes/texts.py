"""The texts that functions mention: good values of strings as wholes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from .patterns import matching
from .source import FunctionNode
from .tree import name_of

_MOST = 500
_LONGEST = 48  # characters; longer ones are messages
_OF_A_TABLE = 256  # entries of a table
_READERS = ("int", "float", "complex", "Decimal", "Fraction")  # of numbers from texts
_SHOWING = ("print", "warn", "warning", "error", "info", "debug")
_MATCHERS = ("compile", "match", "search", "fullmatch", "findall", "finditer", "split")


def texts_of(functions: Iterable[FunctionNode], known: Mapping[str, object]) -> list[str]:
    """The strings in the functions, other than documentation and messages; those in the module's variables that they
    name, also in tables there; what matches their regular expressions; and their numbers where they read numbers from
    texts.

    Args:
        functions: their nodes.
        known: the variables of their module.
    """
    found: dict[str, None] = {}
    for function in functions:
        found |= dict.fromkeys(_in_function(function, known))
    return [text for text in found if len(text) <= _LONGEST][:_MOST]


def _in_function(function: FunctionNode, known: Mapping[str, object]) -> Iterator[str]:
    nodes = list(_telling(function))
    yield from (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    for name in dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name)):
        yield from _in_value(known.get(name))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    for call in calls:
        if name_of(call.func) in _MATCHERS and call.args and isinstance(call.args[0], ast.Constant):
            yield from matching(call.args[0].value)
    if any(name_of(call.func) in _READERS for call in calls):
        numbers = (node.value for node in nodes if isinstance(node, ast.Constant))
        yield from (str(value) for value in numbers if type(value) in (int, float))


def _telling(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes inside, without documentation and what is only shown."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Raise | ast.JoinedStr | ast.Assert):
            if isinstance(child, ast.Assert):
                yield from (child.test, *_telling(child.test))
            continue
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, ast.Call) and name_of(child.func) in (
            "print",
            "warn",
            "warning",
            "error",
            "info",
            "debug",
        ):
            continue
        yield child
        yield from _telling(child)


def _in_value(value: object, depth: int = 3) -> Iterator[str]:
    """A text, those of a table, or what a regular expression matches."""
    if type(value) is str:
        yield value
    elif isinstance(value, re.Pattern):
        yield from matching(value.pattern)
    elif isinstance(value, dict) and type(value) is dict:
        yield from _in_value(tuple(value), depth)
        yield from _in_value(tuple(value.values()), depth - 1)
    elif isinstance(value, tuple | list | set | frozenset) and type(value).__module__ == "builtins" and depth > 0:
        for part in islice(value, _OF_A_TABLE):
            yield from _in_value(part, depth - 1)
