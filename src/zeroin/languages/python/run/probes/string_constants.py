"""The dictionary of texts: strings in the code under test, which are good values of string parameters."""

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

_MOST = 500  # texts in the dictionary
_LONGEST = 48  # characters; longer strings are messages
_OF_A_TABLE = 256  # entries of a table that are used
_OF_A_RECORD = 6  # different numbers of the code that records are made of
_COLUMNS = (2, 3, 6, 32)
_MOST_COLUMNS = 24
_CUT = "12345"  # a number whose slices are numbers, too
_MIXED = 4  # records of mixed numbers for each number of columns
_READERS = ("int", "float", "complex", "Decimal", "Fraction")  # they parse numbers from texts
_SHOWING = ("print", "warn", "warning", "error", "info", "debug")  # their arguments are messages
_MATCHERS = ("compile", "match", "search", "fullmatch", "findall", "finditer", "split")


def texts_of(functions: Iterable[FunctionNode], known: Mapping[str, object]) -> list[str]:
    """Return the texts that are worth trying as values of string parameters.

    They come from strings in the functions, except documentation and messages, and from the module's variables and
    tables that the functions name. Texts that match the functions' regular expressions are made. If the functions
    parse numbers from texts, their numbers are included. If they split texts, so are records: numbers joined by a
    separator.

    The result has at most 500 texts, records first. Texts of more than 48 characters are left out, except records.

    Args:
        functions: the nodes of the functions.
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
    """Return how many columns the largest constant index in the code needs, and whether the code uses slices.

    An index of 24 or more does not count. Without any, the number is 0.
    """
    most, is_cut = 0, False
    for node in (node for function in functions for node in ast.walk(function) if isinstance(node, ast.Subscript)):
        is_cut |= isinstance(node.slice, ast.Slice)
        index = node.slice.value if isinstance(node.slice, ast.Constant) else 0
        most = max(most, index + 1 if type(index) is int and index < _MOST_COLUMNS else 0)
    return most, is_cut


def _separators(function: FunctionNode) -> Iterator[str]:
    """Yield the separators at which a function splits texts; a blank if it splits at white space. They may repeat."""
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
    """Yield records: numbers joined by a separator.

    Records have 2, 3, 6 and 32 numbers, and also ``columns`` of them if that is more than 1. A record repeats one
    number, or mixes several. Numbers in the code come first, as they often encode missing values.

    Args:
        texts: the texts in the code, among them its numbers.
        separator: the text between two numbers.
        columns: how many columns the largest index in the code needs; 0 if there is none.
        is_cut: whether the code slices texts. Then, if ``columns`` is known, the first record repeats 12345.
    """
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
    """Yield the texts for one function, as :func:`texts_of` describes them, except records. Texts may repeat."""
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
    """Yield the nodes inside a node, except documentation and messages."""
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
    """Yield a text, the texts of a table, or texts that a compiled regular expression matches; nothing for others.

    Tables nest ``depth`` times at most. Of each sequence or set, the first 256 items count.
    """
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
