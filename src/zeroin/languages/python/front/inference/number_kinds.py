"""Further types that a parameter accepts, such as ``True`` for int and an int for float (PEP 484).

A search tries them only if the code can tell the difference.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from ...run.probes.syntax_tree import name_of
from ...values.arrays import Array1D, ArrayND
from ...values.containers import Dict, List, Object, Set, SharedShape, Union, VarTuple, union_of
from ...values.scalars import Complex, Datetime, FixedTuple, NoneShape
from ...values.shapes import Bool, Float, Int, PythonParameter, Shape
from ...values.zones import AwareDatetime

_EXACT = 1 << 53  # beyond this, floats do not represent all integers
_ASKING = ("isinstance", "issubclass")
_OF_INTS = frozenset(("bit_length", "bit_count", "numerator", "denominator", "is_integer", "as_integer_ratio"))
_WHOLE = frozenset(("int", "bool", "Integral", "Rational"))


class Kinds(NamedTuple):
    """Differences between values that the code can notice.

    Attributes:
        bools: whether a number is a bool.
        ints: whether a number is an int, or has a value that only an int can have.
        same: whether two values are the same object. It can, too, where it changes an attribute.
    """

    bools: bool = False
    ints: bool = False
    same: bool = False


def kinds_asked(functions: Iterable[ast.AST], known: Mapping[str, object]) -> Kinds:
    """Return the differences that the code of functions can notice.

    An ``isinstance`` check of unknown classes counts as one that can notice bools and ints.

    Args:
        functions: the syntax nodes of the functions.
        known: the global variables of the functions.
    """
    functions = list(functions)
    of_ints = {id(part) for function in functions for compared in _comparisons_of_ints(function) for part in compared}
    bools = ints = same = False
    for node in (node for function in functions for node in ast.walk(function)):
        if isinstance(node, ast.Call) and name_of(node.func) in _ASKING and len(node.args) == 2:
            asked = _classes(node.args[1], known)
            bools |= not asked or "bool" in asked
            ints |= not asked or (bool(asked & _WHOLE) is not bool(asked & {"float"}))
        elif _is_class_of(node) or (isinstance(node, ast.Name) and node.id not in _ASKING and _asks(known, node.id)):
            bools = ints = True
        elif isinstance(node, ast.Attribute):
            ints |= node.attr in _OF_INTS
            same |= not isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
            asked_for = [{left, right} for op, left, right in zip(node.ops, operands, operands[1:], strict=False)
                         if isinstance(op, ast.Is | ast.IsNot)]  # fmt: skip
            two = any(not any(isinstance(one, ast.Constant) for one in pair) for pair in asked_for)
            bools |= two or any(any(map(_is_truth, pair)) for pair in asked_for)
            same |= two
        elif isinstance(node, ast.MatchSingleton):
            bools |= isinstance(node.value, bool)
        elif isinstance(node, ast.MatchClass):
            bools, ints = bools or name_of(node.cls) == "bool", ints or name_of(node.cls) in _WHOLE
        ints |= id(node) not in of_ints and _is_beyond(node)
        same |= isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "id"
    return Kinds(bools, ints, same)


def _comparisons_of_ints(function: ast.AST) -> Iterator[list[ast.AST]]:
    """Yield the nodes of each comparison whose variables are all parameters annotated as int."""
    annotated = {node.arg for node in ast.walk(function)
                 if isinstance(node, ast.arg) and node.annotation and name_of(node.annotation) == "int"}  # fmt: skip
    for node in ast.walk(function):
        if isinstance(node, ast.Compare):
            parts = list(ast.walk(node))
            called = {id(part.func) for part in parts if isinstance(part, ast.Call)}
            if all(part.id in annotated for part in parts if isinstance(part, ast.Name) and id(part) not in called):
                yield parts


def _asks(known: Mapping[str, object], name: str) -> bool:
    """Whether a global name is another one of ``isinstance``, ``issubclass`` or ``type``."""
    return name != "type" and any(known.get(name) is one for one in (isinstance, issubclass, type))


def _is_class_of(node: ast.AST) -> bool:
    """Whether the node is ``type(x)`` or ``x.__class__``."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type"
    return is_call or (isinstance(node, ast.Attribute) and node.attr == "__class__")


def _classes(node: ast.expr, known: Mapping[str, object]) -> set[str]:
    """Return the names of the classes in an ``isinstance`` check; empty if they are not known."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        parts = [node.left, node.right]
    found = set[str]()
    for part in parts:
        if isinstance(part, ast.Tuple | ast.BinOp):
            inner = _classes(part, known)
            if not inner:
                return set()
            found |= inner
            continue
        name = name_of(part)
        value = known.get(name) if isinstance(part, ast.Name) else None
        several = value if isinstance(value, tuple) else (value,) if isinstance(value, type) else ()
        if not several and not name:
            return set()
        found |= {getattr(one, "__name__", "") for one in several} or {name}
    return found


def _is_truth(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def _is_beyond(node: ast.AST) -> bool:
    """Whether a constant is an int that a float may not represent exactly: ``2**53 + 1``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow | ast.LShift):
        least = 53 if isinstance(node.op, ast.LShift) else 16
        return isinstance(node.right, ast.Constant) and isinstance(node.right.value, int) and node.right.value >= least
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and abs(node.value) > _EXACT


def with_kinds(shape: Shape, kinds: Kinds) -> Shape:
    """Return the shape, widened by further kinds of numbers that its type accepts and the code can tell apart.

    Items of lists and tuples are widened, too; those of other containers are not.
    """
    if isinstance(shape, Union):
        return union_of(with_kinds(one, kinds) for one in shape.alternatives)
    if type(shape) is FixedTuple:
        return FixedTuple(tuple(with_kinds(one, kinds) for one in shape.elements))
    if isinstance(shape, List | VarTuple):
        return replace(shape, element=with_kinds(shape.element, kinds))
    found = [shape]
    with suppress(ValueError):  # no number of this kind is within the bounds
        if type(shape) is Complex and kinds.ints:
            found += [Float(), Int()]
        if type(shape) is Float and kinds.ints:
            found.append(Int(bounds=shape.bounds, also=(_EXACT + 1,)))
        if type(shape) in (Float, Int, Complex) and kinds.bools:
            found.append(Bool(bounds=getattr(shape, "bounds", Bool().bounds)))
    return union_of(found)


def with_zones(shape: Shape) -> Shape:
    """Return the shape, widened by datetimes with a time zone if it or an alternative is a datetime."""
    alternatives = shape.alternatives if isinstance(shape, Union) else (shape,)
    return union_of((*alternatives, AwareDatetime())) if Datetime() in alternatives else shape


def with_ints(shape: Shape) -> Shape:
    """Return the shape, widened by ints if it or an alternative is a float without bounds."""
    alternatives = shape.alternatives if isinstance(shape, Union) else (shape,)
    return union_of((*alternatives, Int())) if Float() in alternatives else shape


def with_arrays(shape: Shape) -> Shape:
    """Return the shape, widened by arrays with one dimension of the numbers that it accepts: floats, else ints.

    It stays as it is if it has arrays already, or neither floats nor ints without bounds.
    """
    alternatives = shape.alternatives if isinstance(shape, Union) else (shape,)
    if any(isinstance(one, Array1D | ArrayND) for one in alternatives):
        return shape
    made = [Array1D(dtype) for number, dtype in ((Float(), "float64"), (Int(), "int64")) if number in alternatives]
    return union_of((*alternatives, *made[:1]))


def with_same(parameters: Sequence[PythonParameter]) -> list[PythonParameter]:
    """Return the parameters so that those of the same mutable type may be the same object.

    Such a parameter may be the same as the first one of its type.
    """
    found = list[PythonParameter]()
    for number, one in enumerate(parameters):
        before = next((n for n in range(number) if parameters[n].shape == one.shape), None)
        if before is not None and not one.spread and _has_identity(one.shape):
            same = SharedShape(before, parameters[before].name)
            one = replace(one, shape=union_of((one.shape, same)))
        found.append(one)
    return found


def _has_identity(shape: Shape) -> bool:
    """Whether all values are mutable objects, so that the identity of two of them matters."""
    if isinstance(shape, Union):
        return all(map(_has_identity, shape.alternatives))
    return isinstance(shape, List | Dict | Object | Array1D | ArrayND) or (isinstance(shape, Set) and not shape.frozen)


def or_none(shape: Shape) -> Shape:
    """Return the shape, widened by None."""
    if isinstance(shape, Union):
        return shape if NoneShape() in shape.alternatives else Union((NoneShape(), *shape.alternatives))
    return shape if shape == NoneShape() else Union((NoneShape(), shape))
