"""Arguments as Python writes them."""

from __future__ import annotations

import ast
from typing import Any

from ...errors import OptionError


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
