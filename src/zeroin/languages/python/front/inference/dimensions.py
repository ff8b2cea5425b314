"""Infer the dimensions of NumPy arrays: how many there are, and their lengths."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .uses import ArrayShape, Evidence

_MOST = 3  # dimensions


def compared(of: Callable[[ast.AST], Evidence | None], one: ast.AST, other: ast.AST) -> None:
    """Record the evidence in ``x.ndim == 2``, ``x.shape != (2, 2)`` and ``x.shape[1] == 3``.

    Args:
        of: returns the evidence about an expression; None if it is no parameter.
        one: an operand of the comparison.
        other: the other operand.
    """
    if isinstance(one, ast.Attribute) and (evidence := of(one.value)) is not None:
        value = _literal(other)
        evidence.asks_for_shape |= one.attr in ("ndim", "shape", "size")
        if one.attr == "ndim" and isinstance(value, int) and 1 <= value <= _MOST:
            evidence.dimensions |= {1, max(2, value)}  # and one that the code may reject
        elif one.attr == "shape" and isinstance(value, tuple) and 1 <= len(value) <= _MOST:
            evidence.shapes.add(tuple(size if type(size) is int and size > 0 else None for size in value))
    elif (
        isinstance(one, ast.Subscript)
        and isinstance(one.value, ast.Attribute)
        and one.value.attr == "shape"
        and (evidence := of(one.value.value)) is not None
    ):
        evidence.asks_for_shape = True
        evidence.shapes |= _with_side(_literal(one.slice), _literal(other))


def _with_side(at: object, size: object) -> set[ArrayShape]:
    """Return the shapes of few dimensions whose side ``at`` has this length; empty if a number is not valid."""
    if not isinstance(at, int) or not isinstance(size, int) or size <= 0:
        return set()
    counts = (1, 2) if at == -1 else (at + 1,) if 0 <= at < _MOST else ()
    return {tuple(size if n == at % count else None for n in range(count)) for count in counts}


def multiplied(evidence: Evidence | None) -> None:
    """Record that the value is an operand of ``@``: if it is an array, it is a vector or a matrix."""
    if evidence is not None:
        evidence.dimensions |= {1, 2}


def _literal(node: ast.AST) -> object:
    """Return the value of a literal; None for other expressions."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None
