"""What a function's syntax tree says of it as a whole."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ...front.syntax import SCOPES, defaults_of, evaluated_outside, own_parts
from ...run.probes.source import FunctionNode

_DESCRIPTORS = ("property", "classmethod", "staticmethod")  # the function itself stays as it is written


def why_unread(node: FunctionNode) -> str:
    """Why nothing of a function is read."""
    if isinstance(node, ast.AsyncFunctionDef):
        return "a coroutine"
    name = "a lambda" if isinstance(node, ast.Lambda) else node.name
    if isinstance(node, ast.FunctionDef) and not all(map(_is_descriptor, node.decorator_list)):
        return f"{name} is decorated"
    if node.args.vararg or node.args.kwarg:
        return f"{name} takes * or **"
    declared = {name for part in own_parts(node) if isinstance(part, ast.Nonlocal) for name in part.names}
    if names := declared & _bound_otherwise(node):
        return f"{name} does not only assign to {min(names)} of the function around"
    for part in own_parts(node):
        if isinstance(part, ast.YieldFrom | ast.Await) or (
            isinstance(part, ast.Yield) and not isinstance(node, ast.FunctionDef)
        ):
            return f"{name} has a {type(part).__name__.lower()}"
    return ""


def is_generator(node: FunctionNode) -> bool:
    """Whether a call of a function makes a generator."""
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for part in own_parts(node))


def _bound_otherwise(node: FunctionNode) -> set[str]:
    """The names that are bound by something else than an assignment or the head of a loop, or deleted."""
    found = set[str]()
    for part in own_parts(node):
        match part:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() | ast.MatchMapping() | ast.alias():
                found |= stored_in(part)
            case ast.Name(id=name, ctx=ast.Del()):
                found.add(name)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                found |= stored_in(part)
    return found


def _is_descriptor(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id in _DESCRIPTORS


def captured_names(node: FunctionNode) -> frozenset[str]:
    """The names that functions inside of it look up or assign to."""
    inside = (part for scope in own_parts(node) if isinstance(scope, SCOPES) for part in ast.walk(scope))
    return frozenset(part.id for part in inside if isinstance(part, ast.Name))


def shared_names(node: FunctionNode) -> frozenset[str]:
    """The variables that functions inside of it assign to."""
    inside = (part for scope in own_parts(node) if isinstance(scope, SCOPES) for part in ast.walk(scope))
    lazily = [part for part in own_parts(node) if isinstance(part, ast.GeneratorExp)]
    return frozenset(name for part in inside if isinstance(part, ast.Nonlocal) for name in part.names) | stored_in(
        *lazily)  # fmt: skip


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def local_names(node: FunctionNode) -> set[str]:
    """The parameters, and the names that are assigned to."""
    arguments = node.args
    names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    found = names.union(*map(_stored, [node.body] if isinstance(node, ast.Lambda) else node.body))
    return found.difference(*(part.names for part in own_parts(node) if isinstance(part, ast.Global | ast.Nonlocal)))


def _stored(node: ast.AST) -> set[str]:
    """The names that a part of a function assigns to, and not a function or comprehension inside."""
    if isinstance(node, _COMPREHENSIONS):
        return {part.target.id for part in _without_lambdas(node) if isinstance(part, ast.NamedExpr)}
    if isinstance(node, SCOPES):
        own = set() if isinstance(node, ast.Lambda) else {node.name}
        return own.union(*map(_stored, evaluated_outside(node)))
    found = set[str]().union(*map(_stored, ast.iter_child_nodes(node)))
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        found.add(node.id)
    elif isinstance(node, ast.alias):
        found.add((node.asname or node.name).partition(".")[0])
    elif isinstance(node, ast.MatchAs | ast.MatchStar | ast.ExceptHandler) and node.name:
        found.add(node.name)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        found.add(node.rest)
    return found


def _without_lambdas(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a comprehension that are evaluated in the function."""
    yield node
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, ast.Lambda):
            yield from _without_lambdas(part)


def stored_in(*nodes: ast.AST) -> frozenset[str]:
    """The variables of the function that these parts of it assign to."""
    return frozenset[str]().union(*map(_stored, nodes))


def changed_globally(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """The names that functions declare ``global``: what they stand for changes."""
    return frozenset(name for node in nodes for part in ast.walk(node) if isinstance(part, ast.Global)
                     for name in part.names)  # fmt: skip


def forgotten_in(node: ast.AST) -> frozenset[str]:
    """The variables that have no value any more after what they were for: the exceptions of handlers."""
    return frozenset(n.name for n in ast.walk(node) if isinstance(n, ast.ExceptHandler) and n.name)


def jumps_out(node: ast.AST) -> bool:
    """Whether control may go from inside a statement to another place than after it."""
    return any(isinstance(part, ast.Break | ast.Continue) for part in ast.walk(node))


def literal_defaults(arguments: ast.arguments) -> frozenset[str]:
    """The parameters whose defaults are constants, negative ones too."""
    plain = {name: value.operand if isinstance(value, ast.UnaryOp) else value
             for name, value in defaults_of(arguments).items()}  # fmt: skip
    return frozenset(name for name, value in plain.items() if isinstance(value, ast.Constant))
