"""Parse the arguments of a call from text, into ordered words (``values/shapes.py``)."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import Any

from ....errors import OptionError
from ....subject.base import Words
from .signature import PythonSignature

_NAMES = {"inf": math.inf, "nan": math.nan, "math": math}


def words_of(text: str, signature: PythonSignature, names: Mapping[str, object]) -> Words:
    """Return the words of an input: the arguments of a call, without calls of setters.

    The text is not evaluated as code, but classes in it are called, and functions named ``fromhex`` and ``array``.

    Args:
        text: the arguments in order, such as ``1.5, [1, 2], None``; keyword parameters are given by position, too.
            All must be given, also those with a default. An empty text means no arguments.
        signature: the signature of the function.
        names: the variables of the module: its classes can be called, its enumeration members written ``Color.RED``.

    Raises:
        OptionError: the text is no valid list of arguments; the message gives the reason. No text is valid for a class,
            as a call sequence can not be written.
    """
    try:
        elements = ast.parse(f"({text},)" if text.strip() else "()", mode="eval").body
        assert isinstance(elements, ast.Tuple)
        values = [_value(element, {**_NAMES, **names}) for element in elements.elts]
    except (SyntaxError, ValueError, TypeError, ArithmeticError, LookupError, AttributeError, MemoryError) as error:
        raise OptionError(f"--path {text!r}: the arguments can not be read: {error}") from None
    own = signature.alone.parameters
    if len(values) != len(own):
        wanted = ", ".join(f"{p.name}: {p.type}" for p in own)
        raise OptionError(f"--path: {signature.name} takes {len(own)} arguments ({wanted}), "
                          f"not {len(values)}")  # fmt: skip
    words: list[int] = []
    for parameter, value in zip(own, values, strict=True):
        try:
            words += parameter.shape.encode(value)
        except ValueError as error:
            raise OptionError(f"--path: {parameter.name}: {error}") from None
    return (*words, *(word for p in signature.parameters[len(own) :] for word in p.shape.plain()))


_SIGNS: dict[type[ast.AST], Any] = {ast.USub: lambda x: -x, ast.UAdd: lambda x: +x, ast.Add: lambda x, y: x + y,
                                    ast.Sub: lambda x, y: x - y, ast.Pow: lambda x, y: x**y,
                                    ast.Mult: lambda x, y: x * y, ast.Div: lambda x, y: x / y}  # fmt: skip


def _value(node: ast.expr, names: Mapping[str, object]) -> Any:
    """Return the value of an expression.

    Raises:
        ValueError: the expression is of an unsupported form.
        Exception: whatever an operator, an attribute or a class in it raises.
    """
    match node:
        case ast.Constant():
            return node.value
        case ast.UnaryOp() if type(node.op) in _SIGNS:
            return _SIGNS[type(node.op)](_value(node.operand, names))
        case ast.BinOp() if type(node.op) in _SIGNS:
            return _SIGNS[type(node.op)](_value(node.left, names), _value(node.right, names))
        case ast.Tuple():
            return tuple(_value(element, names) for element in node.elts)
        case ast.List():
            return [_value(element, names) for element in node.elts]
        case ast.Set():
            return {_value(element, names) for element in node.elts}
        case ast.Dict():
            pairs = [(key, value) for key, value in zip(node.keys, node.values, strict=True) if key is not None]
            return {_value(key, names): _value(value, names) for key, value in pairs}
        case ast.Name() if node.id in names:
            return names[node.id]
        case ast.Attribute():
            return getattr(_value(node.value, names), node.attr)
        case ast.Call() if isinstance(_value(node.func, names), type) or _is_constructor(node):
            named = {keyword.arg: _value(keyword.value, names) for keyword in node.keywords if keyword.arg}
            return _value(node.func, names)(*(_value(argument, names) for argument in node.args), **named)
    raise ValueError(f"{ast.unparse(node)} is not a value: write numbers, strings, lists and the like")


def _is_constructor(node: ast.Call) -> bool:
    """Whether the call is an allowed function, such as ``float.fromhex("0x1p-3")``."""
    return isinstance(node.func, ast.Attribute) and node.func.attr in ("fromhex", "array")
