"""Which values the code of a file assigns to attributes and global variables, as far as their types can be told."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from .syntax import SCOPES, bound_in, defaults_of, evaluated_outside, global_names, outer_name

PLAIN = (int, float, bool, str)
_NAMED = {one.__name__: one for one in PLAIN}
_OF_INTS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift,
            ast.RShift)  # fmt: skip
_OF_FLOATS = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class _Other:
    """The type of a value that is surely not of the type in question, such as a list."""


@dataclass(frozen=True)
class AttributeValue:
    """A value that some code assigns to an attribute, or a function to a global variable.

    Attributes:
        name: of the attribute, as it is called outside of classes.
        written: the attribute as the code writes it.
        owner: the expression of the object; empty for a variable.
        node: the expression of the value; None if there is none, as for the target of a loop or a deletion.
        said: its type, as the annotation of the assignment says it; None without one.
        known: the types of the parameters of the function around that are never assigned to, as annotations say them.
        constructs: whether the function around is an ``__init__``.
        deletes: whether the attribute is deleted.
    """

    name: str
    written: str
    owner: str
    node: ast.expr | None
    said: type | None
    known: Mapping[str, type]
    constructs: bool
    deletes: bool = False

    def kind(self, own: type | None, trusting: bool) -> type | None:
        """Return the type of the value; None if it can not be told.

        Args:
            own: the type of the attribute of this object.
            trusting: whether annotations tell types.
        """
        if self.node is None:
            return None
        found = self._kind(self.node, own, trusting)
        return self.said if found is None and trusting else found

    def _kind(self, node: ast.expr, own: type | None, trusting: bool) -> type | None:
        match node:
            case ast.Name(id=self.written) if not self.owner:
                return own
            case ast.Name(id=name):
                return self.known.get(name) if trusting else None
            case ast.Attribute(attr=self.written, value=owner) if ast.dump(owner) == self.owner:
                return own
            case ast.Constant(value=value):
                return type(value)
            case ast.Call(func=ast.Name(id=name)) if name in _NAMED:
                return None if _NAMED[name] is own else _Other  # the name may stand for something else
            case ast.JoinedStr():
                return str
            case ast.List() | ast.ListComp() | ast.Dict() | ast.DictComp() | ast.Set() | ast.SetComp() | ast.Tuple():
                return _Other
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                kind = self._kind(operand, own, trusting)
                return kind if kind in (int, float) else None
            case ast.BinOp(left=left, op=op, right=right):
                kinds = {self._kind(left, own, trusting), self._kind(right, own, trusting)}
                if kinds == {int} and isinstance(op, _OF_INTS):
                    return int
                return float if float in kinds and kinds <= {int, float} and isinstance(op, _OF_FLOATS) else None
        return None


def type_named(annotation: object) -> type | None:
    """Return int, float, bool or str, if an annotation says that; it may be the type, its name, or an expression."""
    if isinstance(annotation, ast.Name):
        annotation = annotation.id
    elif isinstance(annotation, ast.Constant):
        annotation = annotation.value
    return next(
        (one for one in PLAIN if annotation is one), _NAMED.get(annotation) if isinstance(annotation, str) else None
    )


def values_in(tree: ast.AST) -> dict[str, list[AttributeValue]]:
    """Return what the code of a file assigns to attributes, and functions to global variables, by their names."""
    found: dict[str, list[AttributeValue]] = {}
    for value in _assigned(tree, _Around("", "", {}), not _NAMED.keys() & bound_in(tree)):
        found.setdefault(value.name, []).append(value)
    return found


@dataclass(frozen=True)
class _Around:
    """What is around a part of the code.

    Attributes:
        cls: the name of the class; empty outside.
        function: the name of the function; empty outside.
        known: the types of its parameters.
        globals: the names that it declares ``global``.
    """

    cls: str
    function: str
    known: Mapping[str, type]
    globals: Collection[str] = ()


def _assigned(node: ast.AST, around: _Around, named: bool) -> Iterator[AttributeValue]:
    """Yield what a node assigns, with all nodes in it.

    Args:
        node: the node.
        around: the class and the function around it.
        named: whether ``int``, ``float`` and so on are the built-in types; else annotations tell no type.
    """
    inside, parts = around, ast.iter_child_nodes(node)
    if isinstance(node, SCOPES):
        for part in evaluated_outside(node):
            yield from _assigned(part, around, named)
        parts = iter(node.body if isinstance(node.body, list) else [node.body])
    if isinstance(node, _FUNCTION):
        known = _parameters(node) if named else {}
        inside = _Around(around.cls, getattr(node, "name", ""), known, global_names(node))
    elif isinstance(node, ast.ClassDef):
        inside = _Around(node.name, "", {})
    targets = dict(_targets(node))
    said = type_named(node.annotation) if isinstance(node, ast.AnnAssign) and named else None
    for part in parts:
        yield from _assigned(part, inside, named)
    for target, value in targets.items():
        if isinstance(target, ast.Attribute):
            name, constructs = outer_name(target.attr, around.cls), around.function == "__init__"
            deletes = isinstance(node, ast.Delete)
            of = ast.dump(target.value)
            yield AttributeValue(name, target.attr, of, value, said, around.known, constructs, deletes)
        elif isinstance(target, ast.Name) and target.id in around.globals:
            yield AttributeValue(target.id, target.id, "", value, None, around.known, False)


def _targets(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yield what a node assigns to, or deletes, and the value, if it is that of one target."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _parts(target, value)
        case ast.AnnAssign(target=target, value=value):
            if value is not None:
                yield target, value
        case ast.NamedExpr(target=target, value=value):
            yield target, value
        case ast.AugAssign(target=target, op=op, value=value):
            yield target, ast.BinOp(target, op, value)
        case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
            yield from _parts(target, None)
        case ast.withitem(optional_vars=ast.expr() as target):
            yield from _parts(target, None)
        case ast.Delete(targets=targets):
            for target in targets:
                yield from _parts(target, None)


def _parts(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yield the single targets in a target; those in a tuple get values that can not be told."""
    if isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            yield from _parts(part, None)
    elif isinstance(target, ast.Starred):
        yield from _parts(target.value, None)
    else:
        yield target, value


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> dict[str, type]:
    """Return the types of the parameters that are never assigned to, as annotations and defaults say them."""
    arguments, defaults = node.args, defaults_of(node.args)
    stored = set[str]().union(*map(bound_in, node.body if isinstance(node.body, list) else [node.body]))
    found = dict[str, type]()
    for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        kind, default = type_named(one.annotation), defaults.get(one.arg)
        fits = default is None or (isinstance(default, ast.Constant) and type(default.value) is kind)
        if kind is not None and fits and one.arg not in stored:
            found[one.arg] = kind
    return found
