"""The function at a line of a source file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...lines import name_at

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def function_at(source: str, line: int, where: str) -> str:
    """Return the name of the function or method whose definition has a line: ``f`` or ``Class.method``.

    Decorators belong to a definition. A line of a function inside of another one belongs to the outer one. A line of a
    class outside of its methods names the class.

    Args:
        source: the text of the module; it compiles.
        line: the line, from 1.
        where: the file or module, for the message.

    Raises:
        TargetError: the line is in no function; the message names the nearest one.
    """
    return name_at(list(_spans(ast.parse(source).body, "")), line, where)


def _spans(body: list[ast.stmt], within: str) -> Iterator[tuple[str, int, int]]:
    """Yield the name, the first and the last line of each class and function; inner ones follow outer ones."""
    for statement in body:
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            first = min([statement.lineno, *(one.lineno for one in statement.decorator_list)])
            name = within + statement.name
            yield name, first, statement.end_lineno or first
            if isinstance(statement, ast.ClassDef):
                yield from _spans(statement.body, f"{name}.")
        else:  # such as `if TYPE_CHECKING:`, `try:`
            for part in ("body", "orelse", "finalbody"):
                yield from _spans(getattr(statement, part, []), within)
            for handler in getattr(statement, "handlers", []):
                yield from _spans(handler.body, within)
