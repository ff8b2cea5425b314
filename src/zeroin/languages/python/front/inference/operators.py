"""The special methods that operators, statements and builtin functions call."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_BINARY = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.MatMult: "matmul", ast.Div: "truediv", ast.Mod: "mod",
           ast.FloorDiv: "floordiv", ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and",
           ast.BitOr: "or", ast.BitXor: "xor"}  # fmt: skip
_UNARY = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__"}
_COMPARED = {ast.Lt: ("lt", "gt"), ast.LtE: ("le", "ge"), ast.Gt: ("gt", "lt"), ast.GtE: ("ge", "le"),
             ast.Eq: ("eq", "eq"), ast.NotEq: ("ne", "ne")}  # fmt: skip
_SUBSCRIPTS = {ast.Load: "__getitem__", ast.Store: "__setitem__", ast.Del: "__delitem__"}
_BUILTINS = {"abs": ("abs",), "len": ("len",), "bool": ("bool", "len"), "str": ("str", "repr"), "repr": ("repr",),
             "hash": ("hash",), "iter": ("iter",), "next": ("next",), "int": ("int",), "float": ("float",),
             "round": ("round",), "complex": ("complex",), "reversed": ("reversed",)}  # fmt: skip

Use = tuple[ast.expr, str]  # (the operand, the name of a method that is called on it)


def uses_of(node: ast.AST) -> Iterator[list[Use]]:
    """Yield, for each operation of a node, the methods that it may call; Python calls the first that exists.

    Operations of nodes inside are not included. A node without operations yields nothing.
    """
    match node:
        case ast.BinOp(left, op, right):
            name = _BINARY[type(op)]
            yield [(left, f"__{name}__"), (right, f"__r{name}__")]
        case ast.AugAssign(target, op, value):
            name = _BINARY[type(op)]
            yield [(target, f"__i{name}__"), (target, f"__{name}__"), (value, f"__r{name}__")]
        case ast.UnaryOp(op, operand):
            yield [(operand, _UNARY[type(op)])] if type(op) in _UNARY else _truth(operand)
        case ast.Compare(left, ops, others):
            for first, how, second in zip([left, *others], ops, others, strict=False):
                if isinstance(how, ast.In | ast.NotIn):
                    yield [(second, "__contains__"), (second, "__iter__"), (second, "__getitem__")]
                elif type(how) in _COMPARED:
                    name, mirrored = _COMPARED[type(how)]
                    instead = [(first, "__eq__")] if isinstance(how, ast.NotEq) else []
                    yield [(first, f"__{name}__"), *instead, (second, f"__{mirrored}__")]
        case ast.BoolOp(values=values):
            yield from map(_truth, values)
        case ast.If(test) | ast.While(test) | ast.IfExp(test) | ast.Assert(test):
            yield _truth(test)
        case ast.Subscript(value, ctx=ctx):
            yield [(value, _SUBSCRIPTS[type(ctx)])]
        case ast.For(iter=several) | ast.comprehension(iter=several):
            yield [(several, "__iter__"), (several, "__getitem__")]
        case ast.With(items=items):
            for item in items:
                yield [(item.context_expr, "__enter__")]
                yield [(item.context_expr, "__exit__")]
        case ast.Call(ast.Name(name), [first, *_]) if name in _BUILTINS:
            yield [(first, f"__{one}__") for one in _BUILTINS[name]]
        case ast.Call(function):
            yield [(function, "__call__")]


def _truth(node: ast.expr) -> list[Use]:
    return [(node, "__bool__"), (node, "__len__")]
