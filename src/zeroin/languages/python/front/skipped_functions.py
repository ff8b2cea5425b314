"""The functions of a module that are left out when the whole module is covered, with the reasons."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ....subject.language import Skipped
from ..run.probes.syntax_tree import name_of
from .code import ModuleSource

_FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef
_PROPERTIES = ("property", "cached_property", "setter", "getter", "deleter")


def skipped_in(where: str, file: str, covered: Collection[str]) -> list[Skipped]:
    """Return each function and method of a file that is not covered, with the reason, in source order.

    Functions inside functions are not listed.

    Args:
        where: the file or module, for the names in the result.
        file: the path of the file.
        covered: the names of the functions that are covered: ``f``, ``Class.method``.

    Raises:
        TargetError: the file can not be read.
    """
    definitions = list(_definitions(ModuleSource.read(file).tree.body, ""))
    found: dict[str, str] = {}
    for name, node in definitions:
        if name not in covered:
            found[name] = _reason(node)  # if a name is defined several times, the last definition counts
    return [Skipped(f"{where}:{name}", reason) for name, reason in found.items()]


def _definitions(statements: list[ast.stmt], prefix: str) -> Iterator[tuple[str, _FunctionDef]]:
    """Yield the functions and methods that statements define, with their names; ``prefix`` is put in front."""
    for node in statements:
        if isinstance(node, _FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _definitions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If | ast.Try | ast.With):
            for part in ast.iter_child_nodes(node):
                inside = part.body if isinstance(part, ast.ExceptHandler) else [part]
                yield from _definitions([s for s in inside if isinstance(s, ast.stmt)], prefix)


def _reason(node: _FunctionDef) -> str:
    """Return why a function is not covered."""
    decorators = {name_of(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list}
    yields = any(isinstance(part, ast.Yield | ast.YieldFrom) for part in _own(node))
    if isinstance(node, ast.AsyncFunctionDef):
        return "an asynchronous generator" if yields else "a coroutine"
    if yields:
        return "a generator"
    if decorators & set(_PROPERTIES):
        return "a property"
    if "overload" in decorators:
        return "an overload without a body"
    if node.name.startswith("__") and node.name.endswith("__"):
        return "a special method: covered if it is named"
    return "replaced or removed during the import"


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a function, without those of inner functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _FunctionDef | ast.Lambda):
            yield child
            yield from _own(child)
