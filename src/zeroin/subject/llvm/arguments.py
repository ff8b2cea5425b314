"""Arguments as Python writes them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...errors import OptionError
from ...words import encode
from .layout import resized

if TYPE_CHECKING:
    from .parameters import CParameter


def literals(values: str) -> list[Any]:
    """The values in a text like ``1.5, [1, 2], {'x': nan}``.

    Raises:
        OptionError: it is none.
    """
    try:
        given: list[Any] = ast.literal_eval(_Numbers().visit(ast.parse(f"[{values}]", mode="eval")))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise OptionError(
            f"{values!r}: write the arguments as in Python: 1.5, [1, 2], {{'x': 0.5}}, 'text', None"
        ) from error
    return given


class _Numbers(ast.NodeTransformer):
    """Has the names that floats go by stand for them."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(float(node.id)) if node.id in ("nan", "inf") else node


def words_within(parameter: CParameter, given: Mapping[str, Any]) -> list[int]:
    """The words of a given value; an array has as many elements as others say."""
    extent, value = parameter.extent, given[parameter.name]
    if extent is None or not isinstance(value, list):
        return parameter.words_of(value)
    counts = {name: given[name] for name in extent.counts}
    if all(isinstance(number, int) for number in counts.values()) and len(value) != extent.elements(counts):
        said = ", ".join(f"{name} = {number}" for name, number in counts.items())
        raise OptionError(f"{parameter.name}: {len(value)} are given, and {said} makes {extent.elements(counts)}")
    long = replace(parameter, layout=resized(parameter.layout, len(value)), extent=None)
    words, own = long.words_of(value), parameter.kinds
    zeros = [encode(kind, 0) for kind in (*own, *long.kinds[len(own) :])]
    if words[len(own) :] != zeros[len(own) : len(words)]:
        raise OptionError(f"{parameter.name}: elements behind the first {parameter.length} can only be 0")
    return [*words[: len(own)], *zeros[len(words) : len(own)]]
