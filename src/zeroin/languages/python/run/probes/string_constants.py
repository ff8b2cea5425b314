"""The texts that functions mention: good values of strings as wholes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from random import Random

from .regular_expressions import matching
from .source import FunctionNode
from .syntax_tree import name_of

_MOST = 500
_LONGEST = 48  # characters; longer ones are messages
_OF_A_TABLE = 256  # entries of a table
_OF_A_RECORD = 6  # different numbers in it
_COLUMNS = (2, 3, 6, 32)
_MOST_COLUMNS = 24
_CUT = "12345"  # a number of which each part is one, too
_MIXED = 4
_READERS = ("int", "float", "complex", "Decimal", "Fraction")  # of numbers from texts
_SHOWING = ("print", "warn", "warning", "error", "info", "debug")
_MATCHERS = ("compile", "match", "search", "fullmatch", "findall", "finditer", "split")


def texts_of(functions: Iterable[FunctionNode], known: Mapping[str, object]) -> list[str]:
    """The strings in the functions, other than documentation and messages; those in the module's variables that they
    name, also in tables there; what matches their regular expressions; their numbers where they read numbers from
    texts; and where they split texts, numbers one after another.

    Args:
        functions: their nodes.
        known: the variables of their module.
    """
    functions = list(functions)
    found: dict[str, None] = {}
    separators: dict[str, None] = {}
    for function in functions:
        found |= dict.fromkeys(_in_function(function, known))
        separators |= dict.fromkeys(_separators(function))
    short = [text for text in found if len(text) <= _LONGEST]
    columns, is_cut = _columns(functions)
    records = [record for separator in separators for record in _records(short, separator, columns, is_cut)]
    return [*records, *short][:_MOST]


def _columns(functions: Iterable[FunctionNode]) -> tuple[int, bool]:
    """How many columns the largest index in the code asks for, and whether it cuts texts at certain places."""
    most, is_cut = 0, False
    for node in (node for function in functions for node in ast.walk(function) if isinstance(node, ast.Subscript)):
        is_cut |= isinstance(node.slice, ast.Slice)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else 0
        most = max(most, index + 1 if type(index) is int and index < _MOST_COLUMNS else 0)
    return most, is_cut


def _separators(function: FunctionNode) -> Iterator[str]:
    """What texts are split at."""
    for call in _telling(function):
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr in ("split", "rsplit")
        ):
            given = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
            if not call.args or given is None:
                yield " "
            elif isinstance(given, str):
                yield given


def _records(texts: Sequence[str], separator: str, columns: int, is_cut: bool) -> Iterator[str]:
    """Numbers one after another, as many as a table may have columns: the same, and mixed. First those that code
    mentions, which often stand for what is missing; where texts are cut, also one that can be."""
    numbers = [*[text for text in texts if _is_number(text)][:_OF_A_RECORD], "1", "0.5"]
    random = Random(0)
    if is_cut and columns:
        yield separator.join([_CUT] * columns)
    for count in dict.fromkeys((*_COLUMNS, *[columns] * (columns > 1))):
        for number in numbers:
            yield separator.join([number] * count)
        for _ in range(_MIXED):
            yield separator.join(random.choices(numbers, k=count))


def _is_number(text: str) -> bool:
    with suppress(ValueError):
        float(text)
        return True
    return False


def _in_function(function: FunctionNode, known: Mapping[str, object]) -> Iterator[str]:
    nodes = list(_telling(function))
    yield from (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    for name in dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name)):
        yield from _in_value(known.get(name))
    for name in dict.fromkeys(node.attr for node in nodes if isinstance(node, ast.Attribute) and _is_own(node.value)):
        for owner in known.values():
            if isinstance(owner, type) and owner.__module__ == known.get("__name__"):
                yield from _in_value(vars(owner).get(name))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    for call in calls:
        if name_of(call.func) in _MATCHERS and call.args and isinstance(call.args[0], ast.Constant):
            yield from matching(call.args[0].value)
    if any(name_of(call.func) in _READERS for call in calls):
        numbers = (node.value for node in nodes if isinstance(node, ast.Constant))
        yield from (str(value) for value in numbers if type(value) in (int, float))


def _is_own(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def _telling(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes inside, without documentation and what is only shown."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Raise | ast.JoinedStr | ast.Assert):
            if isinstance(child, ast.Assert):
                yield from (child.test, *_telling(child.test))
            continue
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, ast.Call) and name_of(child.func) in _SHOWING:
            continue
        yield child
        yield from _telling(child)


def _in_value(value: object, depth: int = 3) -> Iterator[str]:
    """A text, those of a table, or what a regular expression matches."""
    if type(value) is str:
        yield value
    elif isinstance(value, re.Pattern):
        yield from matching(value.pattern, value.flags & ~re.DEBUG)
    elif isinstance(value, dict) and type(value) is dict:
        yield from _in_value(tuple(value), depth)
        yield from _in_value(tuple(value.values()), depth - 1)
    elif isinstance(value, tuple | list | set | frozenset) and type(value).__module__ == "builtins" and depth > 0:
        for part in islice(value, _OF_A_TABLE):
            yield from _in_value(part, depth - 1)
