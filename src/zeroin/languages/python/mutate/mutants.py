"""Mutants of Python functions, all in one copy of the code: where an operator or a constant stands, a placeholder
stands instead of it, and code of a mutant has the changed one there::

    before   x * 2 < y
    after    "mutable:0"("mutable:1"(x, "mutable:2"), y)      # <, *, 2
"""

from __future__ import annotations

import ast
import copy
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, TypeVar

from ....subject.mutants import Mutant
from ..run.probes.rewrite import placeholder, read_placeholder
from ..run.probes.source import Function

N = TypeVar("N", bound=ast.AST)
_OURS = "__zeroin_kept_"
_Change = tuple[ast.AST, str, Any]  # where it stands, how it is told, and what stands there instead


def _not_in(one: Any, others: Any) -> bool:
    return one not in others


def _in(one: Any, others: Any) -> bool:
    return one in others


# Of each operator: how it is written, what it does, what it does in place, and what it may be instead.
_BINARY: dict[
    type[ast.operator], tuple[str, Callable[[Any, Any], Any], Callable[[Any, Any], Any], tuple[type, ...]]
] = {
    ast.Add: ("+", operator.add, operator.iadd, (ast.Sub, ast.Mult)),
    ast.Sub: ("-", operator.sub, operator.isub, (ast.Add, ast.Mult)),
    ast.Mult: ("*", operator.mul, operator.imul, (ast.Div, ast.Add)),
    ast.Div: ("/", operator.truediv, operator.itruediv, (ast.Mult, ast.FloorDiv)),
    ast.FloorDiv: ("//", operator.floordiv, operator.ifloordiv, (ast.Mult, ast.Div)),
    ast.Mod: ("%", operator.mod, operator.imod, (ast.Mult, ast.FloorDiv)),
    ast.Pow: ("**", operator.pow, operator.ipow, (ast.Mult,)),
    ast.LShift: ("<<", operator.lshift, operator.ilshift, (ast.RShift,)),
    ast.RShift: (">>", operator.rshift, operator.irshift, (ast.LShift,)),
    ast.BitAnd: ("&", operator.and_, operator.iand, (ast.BitOr, ast.BitXor)),
    ast.BitOr: ("|", operator.or_, operator.ior, (ast.BitAnd, ast.BitXor)),
    ast.BitXor: ("^", operator.xor, operator.ixor, (ast.BitAnd, ast.BitOr)),
}
# Those of comparisons are the ones that no other implies (Kaminski, Ammann & Offutt 2011).
_COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any], tuple[type, ...]]] = {
    ast.Lt: ("<", operator.lt, (ast.LtE, ast.NotEq, ast.GtE)),
    ast.LtE: ("<=", operator.le, (ast.Lt, ast.Eq, ast.Gt)),
    ast.Gt: (">", operator.gt, (ast.GtE, ast.NotEq, ast.LtE)),
    ast.GtE: (">=", operator.ge, (ast.Gt, ast.Eq, ast.Lt)),
    ast.Eq: ("==", operator.eq, (ast.NotEq,)),
    ast.NotEq: ("!=", operator.ne, (ast.Eq,)),
    ast.Is: ("is", operator.is_, (ast.IsNot,)),
    ast.IsNot: ("is not", operator.is_not, (ast.Is,)),
    ast.In: ("in", _in, (ast.NotIn,)),
    ast.NotIn: ("not in", _not_in, (ast.In,)),
}
_UNARY: dict[type[ast.unaryop], tuple[str, Callable[[Any], Any], Callable[[Any], Any]]] = {
    ast.USub: ("-", operator.neg, operator.pos),
    ast.Invert: ("~", operator.invert, operator.pos),
    ast.Not: ("not", operator.not_, operator.truth),
}


@dataclass
class Mutable:
    """What may be changed in some functions.

    Attributes:
        mutants: the changes.
        plain: what stands at each place.
        changed: for each mutant the place, and what stands there instead.
        owners: for each mutant, from number 1 on, the number of its function.
        defaults: for mutants of the defaults of parameters the name of the parameter, and another default.
    """

    mutants: list[Mutant] = field(default_factory=list)
    plain: list[Any] = field(default_factory=list)
    changed: dict[int, tuple[int, Any]] = field(default_factory=dict)
    owners: list[int] = field(default_factory=list)
    defaults: dict[int, tuple[str, float]] = field(default_factory=dict)

    def code(self, code: CodeType, probe: Callable[[str, int, str], Any], mutant: int = 0) -> CodeType:
        """The code of one mutant, or for 0 of the function as it is; ``probe`` makes what other placeholders stand
        for."""
        place, instead = self.changed.get(mutant, (-1, None))
        return _filled(code, probe, lambda number: instead if number == place else self.plain[number])

    def infecting(self, code: CodeType, probe: Callable[[str, int, str], Any], infected: set[int]) -> CodeType:
        """The code of the function as it is, which writes down those of the mutants whose operators would have made
        something else of their operands: no other one can do anything else than the function (the first two steps of
        reach, infect, propagate: Voas 1992)."""
        others: dict[int, list[tuple[int, Any]]] = {}
        for number, (place, instead) in self.changed.items():
            if callable(self.plain[place]):
                others.setdefault(place, []).append((number, instead))
        return _filled(code, probe, lambda place: _watched(self.plain[place], others[place], infected)
                       if place in others else self.plain[place])  # fmt: skip

    @property
    def unwatched(self) -> set[int]:
        """Mutants of constants that are no operands: whether they would do something else nobody knows."""
        alone = {number for number, (place, _) in self.changed.items() if not callable(self.plain[place])}
        return alone | self.defaults.keys()


def _filled(code: CodeType, probe: Callable[[str, int, str], Any], at: Callable[[int], Any]) -> CodeType:
    """The code with what stands at each place."""

    def filled(constant: Any) -> Any:
        if isinstance(constant, CodeType):
            return constant.replace(co_consts=tuple(map(filled, constant.co_consts)))
        if isinstance(constant, tuple | frozenset):
            return type(constant)(map(filled, constant))
        wanted = read_placeholder(constant)
        if wanted is None:
            return constant
        return at(wanted[1]) if wanted[0] == "mutable" else probe(*wanted)

    result: CodeType = filled(code)
    return result


def _watched(plain: Callable[..., Any], others: Sequence[tuple[int, Callable[..., Any]]],
             infected: set[int]) -> Callable[..., Any]:  # fmt: skip
    """An operator that writes down which others would have made something else. Of what is no number or text that is
    not tried: asked twice, an iterator is not the same."""

    def watch(*operands: Any) -> Any:
        harmless = all(type(one) in _HARMLESS for one in operands)
        result = plain(*operands)
        for number, other in others:
            if number not in infected and not (harmless and _same(other, operands, result)):
                infected.add(number)
        return result

    return watch


def _same(function: Callable[..., Any], operands: Sequence[Any], result: Any) -> bool:
    try:
        value = function(*operands)
    except Exception:  # any: it may be a class of the user's
        return False
    return type(value) is type(result) and (value == result or (value != value and result != result)) and (
        value != 0 or math.copysign(1.0, value) == math.copysign(1.0, result))  # fmt: skip


_HARMLESS = (int, float, bool, str, type(None))


def mutate(functions: Iterable[Function]) -> Mutable:
    """Put placeholders into the trees of these functions, in place, and fuel into their loops."""
    result = Mutable()
    for number, function in enumerate(functions):
        writer = _Writer(function, result)
        node = function.node
        if isinstance(node, ast.Lambda):
            node.body = writer.visit(node.body)
        else:
            at = int(ast.get_docstring(node, clean=False) is not None)
            node.body = [*node.body[:at], writer.fuel(node), *writer.statements(node.body[at:])]
            writer.defaults(node.args)
        ast.fix_missing_locations(node)
        result.owners += [number] * (len(result.mutants) - len(result.owners))
    return result


class _Writer(ast.NodeTransformer):
    """Rewrites one function."""

    def __init__(self, function: Function, found: Mutable) -> None:
        self.function, self.found = function, found
        self._kept = 0
        self._inside = 0  # comprehensions, lambdas and classes around: `:=` means something else there

    # ---- building ----

    def _place(self, node: ast.AST, plain: Any, others: Sequence[_Change]) -> ast.expr:
        """A placeholder, with what may stand there instead."""
        number = len(self.found.plain)
        self.found.plain.append(plain)
        for where, change, other in others:
            line, column = self.function.source.place(where)
            mutants = self.found.mutants
            mutants.append(
                Mutant(len(mutants) + 1, self.function.name, self.function.source.file, line, column, change)
            )
            self.found.changed[len(mutants)] = number, other
        return ast.copy_location(ast.Constant(placeholder("mutable", number)), node)

    def _call(self, node: ast.AST, function: ast.expr, *arguments: ast.expr) -> ast.Call:
        return ast.copy_location(ast.Call(function, list(arguments), []), node)

    def fuel(self, node: ast.AST) -> ast.stmt:
        return ast.copy_location(ast.Expr(self._call(node, ast.Constant(placeholder("fuel", -1)))), node)

    def statements(self, nodes: Sequence[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for node in nodes:
            new = self.visit(node)
            result += new if isinstance(new, list) else [new]
        return result

    def defaults(self, arguments: ast.arguments) -> None:
        """Mutants of the numbers that parameters are by default."""
        positional = [*arguments.posonlyargs, *arguments.args]
        last = positional[len(positional) - len(arguments.defaults) :]
        for parameter, default in zip([*last, *arguments.kwonlyargs], [*arguments.defaults, *arguments.kw_defaults],
                                      strict=True):  # fmt: skip
            if default is None or (value := _value(default)) is None:
                continue
            for new in _changed(value):
                line, column = self.function.source.place(default)
                mutants, change = self.found.mutants, f"{parameter.arg} = {value} -> {new}"
                mutants.append(Mutant(len(mutants) + 1, self.function.name, self.function.source.file, line, column,
                                      change))  # fmt: skip
                self.found.defaults[len(mutants)] = parameter.arg, new

    # ---- loops ----

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        node.body.insert(0, self.fuel(node))
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        self.generic_visit(node)
        node.body.insert(0, self.fuel(node))
        return node

    # ---- what is left alone ----

    def _alone(self, node: N) -> N:
        return node

    visit_JoinedStr = visit_Import = visit_ImportFrom = visit_MatchSingleton = _alone
    visit_Assert = _alone

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.value = self.visit(node.value) if node.value else None
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.body = [self.fuel(node), *self.statements(node.body)]
        return node

    def _inner(self, node: N) -> N:
        self._inside += 1
        self.generic_visit(node)
        self._inside -= 1
        return node

    visit_Lambda = visit_ClassDef = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _inner

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.MatchValue:
        if isinstance(node.value, ast.Constant):
            node.value = self.visit(node.value)
        return node

    # ---- operators ----

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        known = _BINARY.get(type(node.op))
        if known is None or (isinstance(node.left, ast.Constant | ast.JoinedStr) and _value(node.left) is None):
            node.left, node.right = self.visit(node.left), self.visit(node.right)
            return node
        sign, plain, _, others = known
        left, right, changes = self._operands(plain, node.left, node.right)
        changes += [(node, f"{sign} -> {_BINARY[one][0]}", _BINARY[one][1]) for one in others]
        return self._call(node, self._place(node, plain, changes), left, right)

    def _operands(self, plain: Callable[[Any, Any], Any], left: ast.expr,
                  right: ast.expr, kept: bool = False) -> tuple[ast.expr, ast.expr, list[_Change]]:  # fmt: skip
        """The operands of an operator, of which the left one may be ``kept`` and done, and what the operator is with
        another constant in place of one of them."""
        changes = list[_Change]()
        if (value := _value(left)) is not None:
            changes += [(left, f"{value} -> {new}", _with_left(plain, new)) for new in _changed(value)]
        elif not kept:
            left = self.visit(left)
        if (value := _value(right)) is not None:
            changes += [(right, f"{value} -> {new}", _with_right(plain, new)) for new in _changed(value)]
        else:
            right = self.visit(right)
        return left, right, changes

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """``x += y`` becomes ``x = iadd(x, y)``, where that finds ``x`` without a call."""
        known, twice = _BINARY.get(type(node.op)), copy.deepcopy(node.target)
        if known is None or any(isinstance(part, ast.Call | ast.NamedExpr) for part in ast.walk(node.target)):
            node.value = self.visit(node.value)
            return node
        for part in ast.walk(twice):
            if isinstance(getattr(part, "ctx", None), ast.Store):
                part.ctx = ast.Load()  # type: ignore[attr-defined]
        sign, _, plain, others = known
        _, value, changes = self._operands(plain, ast.Name("", ast.Load()), node.value)
        changes += [(node, f"{sign}= -> {_BINARY[one][0]}=", _BINARY[one][2]) for one in others]
        called = self._call(node, self._place(node, plain, changes), twice, value)
        return ast.copy_location(ast.Assign([node.target], called), node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """``a < b <= c`` becomes ``lt(a, t := b) and le(t, c)``."""
        if len(node.ops) > 1 and self._inside:
            self.generic_visit(node)
            return node
        parts = list[ast.expr]()
        left, kept = node.left, False
        for number, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            sign, plain, others = _COMPARISONS[type(op)]
            first, second, changes = self._operands(plain, left, right, kept)
            left, kept = right, False
            if number < len(node.ops) - 1 and _value(right) is None:
                (second, left), kept = self._keep(second), True
            changes += [(node, f"{sign} -> {_COMPARISONS[one][0]}", _COMPARISONS[one][1]) for one in others]
            parts.append(self._call(node, self._place(node, plain, changes), first, second))
        return parts[0] if len(parts) == 1 else ast.copy_location(ast.BoolOp(ast.And(), parts), node)

    def _keep(self, value: ast.expr) -> tuple[ast.expr, ast.expr]:
        """``name := value``, and ``name``."""
        self._kept += 1
        name = f"{_OURS}{self._kept}"
        return ast.NamedExpr(ast.Name(name, ast.Store()), value), ast.Name(name, ast.Load())

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """``a and b`` becomes ``b if truth(t := a) else t``, and with ``not_`` it is ``a or b``."""
        values = [self.visit(value) for value in node.values]
        if self._inside:
            node.values = values
            return node
        change, plain, other = ("and -> or", operator.truth, operator.not_)
        if isinstance(node.op, ast.Or):
            change, plain, other = ("or -> and", operator.not_, operator.truth)
        places = [self._place(node, plain, [(node, change, other)]) for _ in values[1:]]
        result: ast.expr = values.pop()
        for place, value in zip(reversed(places), reversed(values), strict=True):
            given, again = self._keep(value)
            result = ast.copy_location(ast.IfExp(self._call(node, place, given), result, again), node)
        return result

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if (value := _value(node)) is not None:
            return self._number(node, value)
        known = _UNARY.get(type(node.op))
        node.operand = self.visit(node.operand)
        if known is None:
            return node
        sign, plain, other = known
        return self._call(node, self._place(node, plain, [(node, f"{sign} -> ", other)]), node.operand)

    # ---- constants ----

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, bool):
            return self._place(node, node.value, [(node, f"{node.value} -> {not node.value}", not node.value)])
        value = _value(node)
        return node if value is None else self._number(node, value)

    def _number(self, node: ast.expr, value: float) -> ast.expr:
        others = [(node, f"{value} -> {other}", other) for other in _changed(value)]
        return self._place(node, value, others) if others else node


def _value(node: ast.expr) -> float | None:
    """The number that is written there; None if it is none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand)
        return None if value is None or isinstance(node.operand, ast.UnaryOp) else -value
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return node.value
    return None


def _with_left(function: Callable[[Any, Any], Any], value: float) -> Callable[[Any, Any], Any]:
    return lambda _, right: function(value, right)


def _with_right(function: Callable[[Any, Any], Any], value: float) -> Callable[[Any, Any], Any]:
    return lambda left, _: function(left, value)


def _changed(value: float) -> Iterator[float]:
    """What a constant may be instead: one more, one less or the negative; of a float also 0 and half as much again."""
    if isinstance(value, int):
        yield from dict.fromkeys(n for n in (value + 1, value - 1, -value) if n != value)
    elif math.isfinite(value):
        yield from dict.fromkeys(n for n in (value + 1.0, -value, 0.0, 1.5 * value) if n != value)
