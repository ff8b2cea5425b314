"""Make the mutants of Python functions, all from one rewritten copy of the syntax tree.

The copy has placeholder constants for operators and numbers. The code of a mutant has the original operators and
numbers in their places, except for the one that it changes::

    before   x * 2 < y
    after    "mutable:0"("mutable:1"(x, "mutable:2"), y)      # <, *, 2
"""

from __future__ import annotations

import ast
import copy
import math
import operator
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, TypeVar

from ....subject.mutants import Mutant
from ..front.syntax import defaults_of
from ..run.probes.rewrite import placeholder, read_placeholder
from ..run.probes.source import Function

N = TypeVar("N", bound=ast.AST)
_OURS = "__zeroin_kept_"
_Change = tuple[ast.AST, str, object]  # the changed node, the change as text, and the new operator or constant


def _not_in(one: object, others: Container[object]) -> bool:
    return one not in others


def _in(one: object, others: Container[object]) -> bool:
    return one in others


_Unary = Callable[[Any], object]
_Binary = Callable[[object, object], object]
_Comparison = Callable[[Any, Any], object]
# For each operator: its sign, its function, its function for augmented assignment, and its replacements.
_BINARY: dict[type[ast.operator], tuple[str, _Binary, _Binary, tuple[type, ...]]] = {
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
# The replacements of a comparison are those that no other mutant subsumes (Kaminski, Ammann & Offutt 2011).
_COMPARISONS: dict[type[ast.cmpop], tuple[str, _Comparison, tuple[type, ...]]] = {
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
_UNARY: dict[type[ast.unaryop], tuple[str, _Unary, _Unary]] = {
    ast.USub: ("-", operator.neg, operator.pos),
    ast.Invert: ("~", operator.invert, operator.pos),
    ast.Not: ("not", operator.not_, operator.truth),
}


@dataclass
class Mutable:
    """The places in some functions that mutants change. A place is a placeholder with a number, from 0.

    Attributes:
        mutants: the mutants; the number of each is its index plus 1.
        plain: the original operator (a function) or constant at each place.
        changed: for each mutant of a place, by its number, the place and the operator or constant that replaces the
            original.
        owners: for each mutant, in the order of their numbers, the index of its function.
        defaults: for each mutant of a parameter's default, by its number, the parameter's name and the new default.
    """

    mutants: list[Mutant] = field(default_factory=list)
    plain: list[Any] = field(default_factory=list)
    changed: dict[int, tuple[int, object]] = field(default_factory=dict)
    owners: list[int] = field(default_factory=list)
    defaults: dict[int, tuple[str, float]] = field(default_factory=dict)

    def code(self, code: CodeType, probe: Callable[[str, int, str], object], mutant: int = 0) -> CodeType:
        """Return the code of a mutant. The given code stays as it is.

        For a mutant of a parameter's default, it is the code of the original function.

        Args:
            code: the compiled code with placeholders.
            probe: makes the functions for the placeholders of probes, such as fuel.
            mutant: the number of the mutant; 0 for the original function.
        """
        place, instead = self.changed.get(mutant, (-1, None))
        return _filled(code, probe, lambda number: instead if number == place else self.plain[number])

    def infecting(self, code: CodeType, probe: Callable[[str, int, str], object], infected: set[int]) -> CodeType:
        """Return the code of the original function that also records which mutants a run infects.

        A mutant is infected if its operator has another result for the operands of the run. A run can not kill a mutant
        without this (the first two steps of reach, infect, propagate: Voas 1992).

        Args:
            code: the compiled code with placeholders.
            probe: makes the functions for the placeholders of probes, such as fuel.
            infected: the set to which each run adds the numbers of the mutants that it infects. An operator that raises
                an exception adds none.
        """
        others: dict[int, list[tuple[int, Any]]] = {}
        for number, (place, instead) in self.changed.items():
            if callable(self.plain[place]):
                others.setdefault(place, []).append((number, instead))
        return _filled(code, probe, lambda place: _watched(self.plain[place], others[place], infected)
                       if place in others else self.plain[place])  # fmt: skip

    @property
    def unwatched(self) -> set[int]:
        """The numbers of the mutants whose infection is not recorded, so that every run may infect them.

        These are mutants of constants that are no operands, and of defaults.
        """
        alone = {number for number, (place, _) in self.changed.items() if not callable(self.plain[place])}
        return alone | self.defaults.keys()


def _filled(code: CodeType, probe: Callable[[str, int, str], object], at: Callable[[int], object]) -> CodeType:
    """Return the code with placeholders replaced: ``at(place)`` for mutable places, ``probe(...)`` for the others."""

    def filled(constant: object) -> Any:
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


def _watched(plain: Callable[..., object], others: Sequence[tuple[int, Callable[..., object]]],
             infected: set[int]) -> Callable[..., object]:  # fmt: skip
    """Return an operator that also records the mutants whose operators have another result.

    If an operand is no number, text or None, all these mutants count as infected: evaluating an operator twice may have
    side effects, for instance on an iterator. If the operator raises an exception, it passes through, and no mutant is
    recorded.

    Args:
        plain: the operator.
        others: the mutants of the operator: (number, operator of the mutant).
        infected: the set of mutants' numbers to add to.
    """

    def watch(*operands: object) -> object:
        harmless = all(type(one) in _HARMLESS for one in operands)
        result = plain(*operands)
        for number, other in others:
            if number not in infected and not (harmless and _same(other, operands, result)):
                infected.add(number)
        return result

    return watch


def _same(function: Callable[..., Any], operands: Sequence[object], result: Any) -> bool:
    """Whether a function has this result, of the same class, for the operands; false if it raises an exception.

    0.0 differs from -0.0, and NaNs are the same.
    """
    try:
        value = function(*operands)
    except Exception:  # for instance a division by zero
        return False
    return type(value) is type(result) and (value == result or (value != value and result != result)) and (
        value != 0 or math.copysign(1.0, value) == math.copysign(1.0, result))  # fmt: skip


_HARMLESS = (int, float, bool, str, type(None))


def mutate(functions: Iterable[Function]) -> Mutable:
    """Rewrite the syntax trees of functions in place, so that one tree stands for all their mutants.

    The trees get placeholders for operators and numbers, and probes that count the steps of a run (its fuel).
    :meth:`Mutable.code` fills the placeholders in for one mutant.

    Args:
        functions: the functions. A mutant's owner is the index of its function among these.

    Returns:
        The places that mutants change, and the mutants; also those of numeric defaults of parameters.
    """
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
    """Rewrites one function in place, and adds its mutants to ``found``."""

    def __init__(self, function: Function, found: Mutable) -> None:
        self.function, self.found = function, found
        self._kept = 0
        self._inside = 0  # the number of enclosing comprehensions, lambdas and classes, where `:=` has another scope

    # ---- building ----

    def _place(self, node: ast.AST, plain: object, others: Sequence[_Change]) -> ast.expr:
        """Return a new placeholder for an operator or constant, and add the mutants that replace it.

        Args:
            node: the node whose position the placeholder gets.
            plain: the original operator (a function) or constant.
            others: the changes, one mutant each.
        """
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
        """Return a call of ``function``, at the position of the node."""
        return ast.copy_location(ast.Call(function, list(arguments), []), node)

    def fuel(self, node: ast.AST) -> ast.stmt:
        """Return a statement that counts one step of a run, at the position of the node."""
        return ast.copy_location(ast.Expr(self._call(node, ast.Constant(placeholder("fuel", -1)))), node)

    def statements(self, nodes: Sequence[ast.stmt]) -> list[ast.stmt]:
        """Rewrite the statements of a block; a statement may become several."""
        result: list[ast.stmt] = []
        for node in nodes:
            new = self.visit(node)
            result += new if isinstance(new, list) else [new]
        return result

    def defaults(self, arguments: ast.arguments) -> None:
        """Add the mutants of numeric defaults of parameters."""
        for parameter, default in defaults_of(arguments).items():
            if (value := _value(default)) is None:
                continue
            for new in _changed(value):
                line, column = self.function.source.place(default)
                mutants, change = self.found.mutants, f"{parameter} = {value} -> {new}"
                mutants.append(Mutant(len(mutants) + 1, self.function.name, self.function.source.file, line, column,
                                      change))  # fmt: skip
                self.found.defaults[len(mutants)] = parameter, new

    # ---- loops ----

    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        node.body.insert(0, self.fuel(node))
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        self.generic_visit(node)
        node.body.insert(0, self.fuel(node))
        return node

    # ---- nodes without mutants ----

    def _alone(self, node: N) -> N:
        """Return a node unchanged, as nothing inside is mutated."""
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
        """Rewrite the parts of a node inside which ``:=`` has another scope."""
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

    def _operands(self, plain: Callable[[object, object], object], left: ast.expr,
                  right: ast.expr, kept: bool = False) -> tuple[ast.expr, ast.expr, list[_Change]]:  # fmt: skip
        """Rewrite the operands of an operator.

        A number that is an operand gets no placeholder. Instead, the operator gets mutants that ignore the operand and
        use another number.

        Args:
            plain: the function of the operator.
            left: the left operand.
            right: the right operand.
            kept: whether the left operand is rewritten already.

        Returns:
            The new operands, and the changes of the operator.
        """
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
        """Rewrite ``x += y`` as ``x = iadd(x, y)``, unless the target contains a call, which would run twice."""
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
        """Rewrite ``a < b <= c`` as ``lt(a, t := b) and le(t, c)``."""
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
        """Return the expressions ``name := value`` and ``name``, with a new name."""
        self._kept += 1
        name = f"{_OURS}{self._kept}"
        return ast.NamedExpr(ast.Name(name, ast.Store()), value), ast.Name(name, ast.Load())

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Rewrite ``a and b`` as ``b if truth(t := a) else t``; with ``not_`` for ``truth`` it is ``a or b``."""
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
        """Return a placeholder for a number and add its mutants; the node itself if there are none."""
        others = [(node, f"{value} -> {other}", other) for other in _changed(value)]
        return self._place(node, value, others) if others else node


def _value(node: ast.expr) -> float | None:
    """Return the number that an expression writes, with its sign; None if it is no number."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand)
        return None if value is None or isinstance(node.operand, ast.UnaryOp) else -value
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return node.value
    return None


def _with_left(function: Callable[[object, object], object], value: float) -> Callable[[object, object], object]:
    """Return the operator with a fixed left operand; it ignores the one that it is called with."""
    return lambda _, right: function(value, right)


def _with_right(function: Callable[[object, object], object], value: float) -> Callable[[object, object], object]:
    """Return the operator with a fixed right operand; it ignores the one that it is called with."""
    return lambda left, _: function(left, value)


def _changed(value: float) -> Iterator[float]:
    """Yield the replacements of a number, without the number itself: for an int ``n + 1``, ``n - 1`` and ``-n``.

    For a float ``x``, they are ``x + 1``, ``-x``, 0 and ``1.5 * x``; there are none for NaN and infinities.
    """
    if isinstance(value, int):
        yield from dict.fromkeys(n for n in (value + 1, value - 1, -value) if n != value)
    elif math.isfinite(value):
        yield from dict.fromkeys(n for n in (value + 1.0, -value, 0.0, 1.5 * value) if n != value)
