"""Parse arguments of C functions in Python notation, as users write them; write declarations in C notation."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ....errors import OptionError
from ....words import encode
from .layout import resized

if TYPE_CHECKING:
    from .parameters import CParameter


def literals(values: str) -> list[Any]:
    """Return the Python values in a text such as ``1.5, [1, 2], {'x': nan}``; an empty list for an empty text.

    Raises:
        OptionError: the text is no list of Python literals.
    """
    try:
        given: list[Any] = ast.literal_eval(_Numbers().visit(ast.parse(f"[{values}]", mode="eval")))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise OptionError(
            f"{values!r}: write the arguments as in Python: 1.5, [1, 2], {{'x': 0.5}}, 'text', None"
        ) from error
    return given


class _Numbers(ast.NodeTransformer):
    """Replace the names ``nan`` and ``inf`` by the floats."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(float(node.id)) if node.id in ("nan", "inf") else node


def words_within(parameter: CParameter, given: Mapping[str, Any]) -> list[int]:
    """Return a parameter's words for a given value; an array's length must match the arguments that give it.

    An array may have more elements than words. These elements must be 0.

    Args:
        parameter: the parameter.
        given: the values of all arguments, by name.

    Raises:
        OptionError: the value does not fit the parameter, has the wrong length, or has an element without a word that
            is not 0.
    """
    extent, value = parameter.extent, given[parameter.name]
    if extent is None or not isinstance(value, list):
        return parameter.words_of(value)
    counts = {name: given[name] for name in extent.names}
    counted = extent.elements(counts) if all(isinstance(number, int) for number in counts.values()) else len(value)
    if len(value) != counted:
        said = ", ".join(f"{name} = {given[name]}" for name in extent.counts)
        raise OptionError(f"{parameter.name}: it has {len(value)} elements, but {said} means {counted}")
    long = replace(parameter, layout=resized(parameter.layout, len(value)), extent=None)
    words, own = long.words_of(value), parameter.kinds
    zeros = [encode(kind, 0) for kind in (*own, *long.kinds[len(own) :])]
    if words[len(own) :] != zeros[len(own) : len(words)]:
        raise OptionError(f"{parameter.name}: elements after the first {parameter.length} must be 0")
    return [*words[: len(own)], *zeros[len(words) : len(own)]]


def declared(type_: str, name: str) -> str:
    """Return a C declaration, such as ``int *p``, ``double (*f)(double)``."""
    if "(*)" in type_:
        return type_.replace("(*)", f"(*{name})", 1)
    return type_ + name if type_.endswith(("*", "&")) else f"{type_} {name}"


def without_names(values: str, shown: Sequence[str]) -> tuple[str, dict[str, tuple[str, int]]]:
    """Replace the arguments that name other arguments, such as ``a`` or ``a + 1``, by ``{}``.

    Args:
        values: the arguments in Python notation.
        shown: names of the parameters, in order.

    Returns:
        The arguments as a format string, and a dict: for each replaced parameter, the name that stood there, and the
        offset in elements. Arguments that are no Python are returned unchanged, with an empty dict.
    """
    try:
        tree = ast.parse(f"[{values}]", mode="eval").body
    except SyntaxError:
        return values, {}
    said, parts = dict[str, tuple[str, int]](), list[str]()
    for number, node in enumerate(tree.elts if isinstance(tree, ast.List) else ()):
        found = _named(node) if number < len(shown) else None
        if found is not None:
            said[shown[number]] = found
        parts.append(ast.unparse(node).replace("{", "{{").replace("}", "}}") if found is None else "{}")
    return ", ".join(parts), said


def _named(node: ast.expr) -> tuple[str, int] | None:
    """Return the name and the offset of an argument like ``a``, ``a + 1`` or ``a - 1``; None for other arguments."""
    if isinstance(node, ast.Name) and node.id not in ("nan", "inf"):
        return node.id, 0
    match node:
        case ast.BinOp(left=ast.Name(id=name), op=ast.Add(), right=ast.Constant(value=int(count))):
            return name, count
        case ast.BinOp(left=ast.Name(id=name), op=ast.Sub(), right=ast.Constant(value=int(count))):
            return name, -count
    return None
