"""Mark the operations of a module's tree that may fail, so that their faults become goals of a search.

Most checks are of an operand: the divisor, the argument of ``math.acos``. They find what raises an exception before it
does. Operations on floats that become infinite, NaN or inexact raise nothing. So these get checks of the result.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterator, Mapping

from ....distance import EQ, LE, LT
from ..run.probes.fault_checks import DOMAINS, NOT_BELOW, AnyCheck, Check, IndexCheck, ResultCheck, add_check
from .syntax import bound_by

_SILENT = ast.Add | ast.Sub | ast.Mult | ast.Div | ast.Pow
_DIVISIONS = ast.Div | ast.FloorDiv | ast.Mod
_SHIFTS = ast.LShift | ast.RShift
_TO_INTEGERS = ("int", "round")
_BUILTINS = (*_TO_INTEGERS, "divmod")


def mark_faults(tree: ast.Module, kinds: Collection[str]) -> None:
    """Add the checks of these kinds of faults to the operands and results of a tree.

    Args:
        tree: the tree. Its structure stays as it is.
        kinds: members of :data:`zeroin.config.FAULTS`.
    """
    names = _known_names(tree)
    for node in ast.walk(tree):
        for checked, check in _checks(node, names):
            if check.kind in kinds:
                add_check(checked, check)


def _checks(node: ast.AST, names: Mapping[str, str]) -> Iterator[tuple[ast.AST, AnyCheck]]:
    """Yield expressions, each with a check that it gets, for one node of the tree."""
    match node:
        case ast.BinOp(op=op, right=right) | ast.AugAssign(op=op, value=right):
            yield from _of_operands(node, op, right)
            if isinstance(op, _SILENT) and _has_result(node):
                yield from ((node, ResultCheck(kind, node)) for kind in _kinds_of(node, op))
        case ast.Call(func=function, args=[first, *rest], keywords=[]) if not isinstance(first, ast.Starred):
            yield from _of_call(node, _called(function, names), first, rest)
        case ast.Subscript(value=ast.Name(id=name), slice=index, ctx=ast.Load()) if not isinstance(
            index, ast.Slice | ast.Tuple | ast.Starred
        ):
            yield index, IndexCheck(name, node)


def _has_result(node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether the result of an operation can be checked, and is not a constant."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.target, ast.Name)
    return not (isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant))


def _kinds_of(node: ast.BinOp | ast.AugAssign, op: ast.operator) -> Iterator[str]:
    """Yield the kinds of faults that the result of an operation on floats may have.

    Digits are lost by cancellation only if an operand may have been rounded. Variables may; constants are exact.
    """
    yield from ("overflow", "nan")
    operands = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
    if isinstance(op, ast.Add | ast.Sub) and any(isinstance(one, ast.BinOp | ast.Call) for one in operands):
        yield "cancel"
    yield "precision"


def _of_operands(node: ast.AST, op: ast.operator, right: ast.expr) -> Iterator[tuple[ast.expr, Check]]:
    """Yield the checks of the right operand of a binary operator; none for a constant with which it never fails."""
    constant = right.value if isinstance(right, ast.Constant) else None
    if isinstance(op, _DIVISIONS) and constant in (None, 0) and not isinstance(constant, str):
        yield right, Check("divzero", EQ, 0.0, False, node)
    elif isinstance(op, _SHIFTS) and constant is None:
        yield right, Check("shift", LT, 0.0, False, node)


def _of_call(node: ast.AST, name: str, first: ast.expr, rest: list[ast.expr]) -> Iterator[tuple[ast.expr, Check]]:
    """Yield the checks of the arguments of a known function."""
    if name in _TO_INTEGERS and not rest:
        yield first, Check("cast", NOT_BELOW, math.inf, True, node)
    elif name.startswith("math.") and (plain := name.removeprefix("math.")) in DOMAINS:
        kind, op, limit, size = DOMAINS[plain]
        yield first, Check(kind, op, limit, size, node)
        if plain == "log" and rest:
            yield rest[0], Check("domain", LE, 0.0, False, node)
            yield rest[0], Check("divzero", EQ, 1.0, False, node)
    elif name in ("math.fmod", "math.remainder", "divmod") and rest:
        yield rest[0], Check("divzero", EQ, 0.0, False, node)


def _called(function: ast.expr, names: Mapping[str, str]) -> str:
    """Return the name of a function as ``math.sqrt`` or ``int``; empty if it is not known."""
    if isinstance(function, ast.Name):
        return names.get(function.id, "")
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return f"math.{function.attr}" if names.get(function.value.id) == "math" else ""
    return ""


def _known_names(tree: ast.Module) -> dict[str, str]:
    """Return what names of the module stand for: ``math``, ``math.sqrt``, or a built-in function as ``int``.

    A name that the module also binds to something else, anywhere, is left out.
    """
    found, nodes = {name: name for name in _BUILTINS}, list(ast.walk(tree))
    imports = set[ast.AST]()
    for node in nodes:
        if isinstance(node, ast.Import):
            imports |= (plain := {one for one in node.names if one.name == "math"})
            found |= {one.asname or one.name: "math" for one in plain}
        elif isinstance(node, ast.ImportFrom) and node.module == "math" and not node.level:
            imports |= {*node.names}
            found |= {one.asname or one.name: f"math.{one.name}" for one in node.names}
    bound = bound_by(node for node in nodes if node not in imports) | {n.arg for n in nodes if isinstance(n, ast.arg)}
    return {name: meaning for name, meaning in found.items() if name not in bound}
