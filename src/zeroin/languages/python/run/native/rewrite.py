"""Rewrites Python functions for Numba, so that they do what they do in CPython, and tell what they compare."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .....subject.base import WordArray
from ..probes.fault_checks import bits_of, checks_before, letters_of, read_check
from ..probes.rewrite import Rewriter
from ..probes.sites import SiteKey, further_key, read_comparison
from . import semantics
from .check import refuse, resolve

if TYPE_CHECKING:
    from ...read.blocks.recorded_variables import Written

_BINARY = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide", ast.LShift: "shift",
          ast.RShift: "shift_right", ast.Pow: "power"}  # fmt: skip
_ASKED = ("isnan", "isinf", "isfinite")
OPERATORS = (*_BINARY.values(), "invert")
# What Numba does as CPython does.
_PLAIN_MATH = {*_ASKED, "atan2", "copysign", "degrees", "fabs", "frexp", "gcd", "nextafter", "radians"}
_REFUSED = (str, repr, format, ascii, print, input, hash, id, locals, vars, dir, setattr, getattr, eval, exec)


_WITHOUT_EFFECT = {f"__zeroin_{name}" for name in OPERATORS}


class NativeRewriter(Rewriter):
    """Rewrites functions for Numba: probes are calls of names, and Python's own arithmetic is spelled out.

    Args:
        numbers: the sites.
        namespace: the module's variables.
        written: what is written down, if anything is.

    Attributes:
        names: the variables that the rewritten functions need besides the module's own.
        required: assertions that callers have to satisfy, see :func:`zeroin.languages.python.front.contracts.leading`.
    """

    def __init__(
        self, numbers: Mapping[SiteKey, int], namespace: Mapping[str, object], written: Written | None
    ) -> None:
        super().__init__(_Numbers(numbers), written.names if written else {})
        self._tables = written.tables if written else {}
        self._namespace = namespace
        self.names: dict[str, object] = {}
        self.required: list[ast.Assert] = []
        self._stops = 0

    def _helper(self, name: str, where: ast.AST, *arguments: ast.expr) -> ast.expr:
        callee = ast.Name(f"__zeroin_{name}", ast.Load())
        call = ast.Call(callee, [ast.Name("__zeroin_state", ast.Load()), *arguments], [])
        return ast.fix_missing_locations(ast.copy_location(call, where))

    def _probe(self, kind: str, site: int, where: ast.AST, *arguments: ast.expr, detail: object = "") -> ast.expr:
        if kind == "fuel":
            return self._helper("fuel", where)
        if kind == "iterates":
            return arguments[0]
        if kind == "writes":
            return self._writes(self._tables[site], where, *arguments)
        if site < 0:
            return self._without(kind, where, *arguments)
        number = ast.Constant(site)
        if kind in ("compare", "result"):
            op, first, whole = read_comparison(str(detail))
            compared = ast.Constant(op)
            if first < 0:
                return self._helper("compare", where, number, compared, *arguments)
            boundaries = ast.Constant(first), ast.Constant(whole)
            return self._helper("compare_beside", where, number, compared, *boundaries, *arguments)
        if kind == "check":
            op, size, limit = read_check(str(detail))
            return self._helper("check", where, number, ast.Constant(op), ast.Constant(size), ast.Constant(limit),
                                *arguments)  # fmt: skip
        if kind == "relates":
            word = {"is": ast.Is, "is not": ast.IsNot, "in": ast.In, "not in": ast.NotIn}[str(detail)]
            return self._helper("truth", where, number, ast.Compare(arguments[0], [word()], [arguments[1]]))
        return self._helper(kind, where, number, *arguments)

    def _writes(self, table: WordArray, where: ast.AST, last: ast.expr, *values: ast.expr) -> ast.expr:
        for how, address, value in zip(table[::2], table[1::2], values, strict=True):
            if how:
                last = self._helper(f"writes_{how}", where, ast.Constant(int(address)), last, value)
        return last

    def _without(self, kind: str, where: ast.AST, *arguments: ast.expr) -> ast.expr:
        """In a function without probes."""
        return self._helper("fuel", where) if kind in ("enters", "leaves") else arguments[0]

    def _one(self, kind: str, node: ast.Compare, index: int, site: int, left: ast.expr, right: ast.expr,
             hold: str = "") -> ast.expr:  # fmt: skip
        if hold:
            raise refuse(node, "a chain of comparisons in a comprehension or lambda")
        if site < 0:
            return ast.fix_missing_locations(ast.copy_location(ast.Compare(left, [node.ops[index]], [right]), node))
        return super()._one(kind, node, index, site, left, right)

    def _held(self, kind: str, node: ast.Compare, sites: list[int], values: list[ast.expr]) -> ast.expr:
        """A chain where ``:=`` is not allowed: names and constants are written twice."""
        if not all(isinstance(value, ast.Name | ast.Constant) for value in values[1:-1]):
            raise refuse(node, "a chain of comparisons in a comprehension or lambda")
        pairs = zip(values, copy.deepcopy(values[1:]), strict=False)
        parts = [self._one(kind, node, n, sites[n], left, right) for n, (left, right) in enumerate(pairs)]
        return ast.fix_missing_locations(ast.copy_location(ast.BoolOp(ast.And(), parts), node))

    def visit_GeneratorExp(self, node: Any) -> object:
        """Numba has no generators: over a tuple that is written there they are written out, others become lists."""
        self._visit_scope(node)
        first = node.generators[0]
        if (
            len(node.generators) > 1
            or first.ifs
            or not isinstance(first.iter, ast.Tuple | ast.List)
            or not isinstance(first.target, ast.Name)
            or not all(isinstance(item, ast.Name | ast.Constant) for item in first.iter.elts)  # evaluated once, all
        ):
            return ast.copy_location(ast.ListComp(node.elt, node.generators), node)
        items = [_with(node.elt, first.target, item) for item in first.iter.elts]
        return ast.copy_location(ast.Tuple(items, ast.Load()), node)

    def _any_or_all(self, node: ast.Call, known: object) -> ast.expr:
        """``any`` and ``all`` stop early: what comes after that is not evaluated here either."""
        given = self.visit(node.args[0])
        if isinstance(given, ast.Tuple):
            parts = [ast.Call(ast.Name("bool", ast.Load()), [part], []) for part in given.elts]
            operator: ast.boolop = ast.Or() if known is any else ast.And()
            whole: ast.expr = ast.BoolOp(operator, [*parts, ast.Constant(known is all)])
        else:
            self._stops += 1
            number, decides = ast.Constant(self._stops), ast.Constant(known is any)
            stops = ast.Call(ast.Name("__zeroin_stops", ast.Load()), [number, given.elt, decides], [])
            goes = ast.Call(ast.Name("__zeroin_goes", ast.Load()), [number], [])
            given.elt, last = ast.Constant(0), given.generators[-1]
            for generator in given.generators:
                generator.ifs.insert(0, goes)
            last.ifs.append(stops)
            begins = ast.Call(ast.Name("__zeroin_begins", ast.Load()), [number], [])
            whole = ast.Call(ast.Name("__zeroin_stopped", ast.Load()), [begins, given, decides], [])
        return ast.fix_missing_locations(ast.copy_location(whole, node))

    def _keep(self, value: ast.expr) -> tuple[ast.expr, ast.expr]:
        """Arithmetic without any other effect is rather evaluated twice than kept: see :meth:`visit_NamedExpr`."""
        calls = (n.func for n in ast.walk(value) if isinstance(n, ast.Call))
        if all(isinstance(function, ast.Name) and function.id in _WITHOUT_EFFECT for function in calls):
            return value, copy.deepcopy(value)
        stored, loaded = super()._keep(value)
        return self._settled(stored), loaded

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        node.value = self.visit(node.value)
        return self._settled(node)

    def _settled(self, node: ast.expr) -> ast.expr:
        """Numba can not type ``f(y := a + b)``; ``f(y := (a + b if state else 0))`` it can."""
        assert isinstance(node, ast.NamedExpr)
        state = ast.Name("__zeroin_state", ast.Load())
        node.value = ast.copy_location(ast.IfExp(state, node.value, ast.Constant(0)), node)
        return ast.fix_missing_locations(node)

    def _question(self, node: ast.Call, site: int) -> ast.expr:
        known = resolve(node.func, self._namespace)
        name = getattr(known, "__name__", "")
        if site >= 0 and name in _ASKED and getattr(known, "__module__", "") == "math" and len(node.args) == 1:
            return self._helper(name, node, ast.Constant(site), self.visit(node.args[0]))
        return self._probe("truth", site, node, self.visit(node))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        known, shown = resolve(node.func, self._namespace), ast.unparse(node.func)
        if (known is any or known is all) and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self._any_or_all(node, known)
        if known is reversed and len(node.args) == 1:
            backwards = ast.Slice(step=ast.UnaryOp(ast.USub(), ast.Constant(1)))
            turned = ast.Subscript(self.visit(node.args[0]), backwards, ast.Load())
            return ast.fix_missing_locations(ast.copy_location(turned, node))
        if known is zip:  # Numba knows no strict=False, which says nothing
            node.keywords = [k for k in node.keywords if not (isinstance(k.value, ast.Constant) and not k.value.value)]
        if known is float and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
            return ast.copy_location(ast.Constant(_float(node, node.args[0].value)), node)
        if known is isinstance and len(node.args) == 2:
            node.args[1] = _with_bool(node.args[1])
        home, name = getattr(known, "__module__", ""), getattr(known, "__name__", "")
        function, arity = semantics.FUNCTIONS.get(known, (None, 0)) if _hashable(known) else (None, 0)
        if known in _REFUSED or home in ("time", "numpy.random") or isinstance(_owner(known), random.Random):
            raise refuse(node, f"{shown} is called")
        if function is not None and (node.args or node.keywords):
            if len(node.args) != arity or node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
                raise refuse(node, f"{shown} is called, but not with {arity} argument{'s' * (arity > 1)}")
            node.func = ast.copy_location(ast.Name(f"__zeroin_{home}_{name}", ast.Load()), node.func)
            self.names[f"__zeroin_{home}_{name}"] = function
        elif home == "math" and name not in _PLAIN_MATH:
            raise refuse(node, f"{shown} is called")
        node.args = [self.visit(argument) for argument in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return node

    def _arithmetic(self, name: str, node: ast.AST, *operands: ast.expr) -> ast.expr:
        call = ast.Call(ast.Name(f"__zeroin_{name}", ast.Load()), list(operands), [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def _operation(self, node: ast.BinOp | ast.AugAssign, left: ast.expr, right: ast.expr) -> ast.expr:
        first = self.numbers[further_key(node, len(checks_before(node)))]
        name, checked = _BINARY[type(node.op)], bits_of(letters_of(node))
        if first < 0:
            return self._arithmetic(name, node, left, right)
        return self._helper(f"{name}_checked", node, ast.Constant(first), ast.Constant(checked), left, right)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if letters_of(node):
            return self._operation(node, node.left, node.right)
        name = _BINARY.get(type(node.op))
        return self._arithmetic(name, node, node.left, node.right) if name else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        result = super().visit_UnaryOp(node)
        if isinstance(node.op, ast.Invert):
            return self._arithmetic("invert", node, node.operand)
        return result

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        if letters_of(node):
            return Rewriter.visit_AugAssign(self, node)
        effects = any(isinstance(part, ast.Call | ast.NamedExpr) for part in ast.walk(node.target))
        if type(node.op) not in _BINARY or effects or not isinstance(node.target, ast.Name | ast.Subscript):
            return self.generic_visit(node)
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        for part in ast.walk(read):
            ast.copy_location(part, node.target)
        operation = self.visit(ast.copy_location(ast.BinOp(read, node.op, node.value), node))
        return ast.copy_location(ast.Assign([self.visit(node.target)], operation), node)

    def visit_Raise(self, node: ast.Raise) -> list[ast.stmt]:
        return self._raise("raises", node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        how = "raises" if node in self.required else "asserts"
        return ast.copy_location(ast.If(self.test(node.test), [ast.copy_location(ast.Pass(), node)],
                                        self._raise(how, node)), node)  # fmt: skip

    def _raise(self, how: str, node: ast.stmt) -> list[ast.stmt]:
        told, own = ast.Expr(self._helper(how, node)), ast.Raise(ast.Name("__zeroin_Own", ast.Load()), None)
        return [ast.fix_missing_locations(ast.copy_location(statement, node)) for statement in (told, own)]


class _Numbers(dict[SiteKey, int]):
    """Sites; of a function without probes -1."""

    def __missing__(self, key: object) -> int:
        return -1


def _with_bool(classes: ast.expr) -> ast.expr:
    """For Numba a bool is no int."""
    names = list(classes.elts) if isinstance(classes, ast.Tuple) else [classes]
    if any(isinstance(name, ast.Name) and name.id == "int" for name in names):
        names.append(ast.Name("bool", ast.Load()))
    return ast.fix_missing_locations(ast.copy_location(ast.Tuple(names, ast.Load()), classes))


def _owner(method: object) -> object:
    return getattr(method, "__self__", None)


def _hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _float(node: ast.AST, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise refuse(node, "float() of a value that is not a number") from None


def _with(expression: ast.expr, name: ast.expr, value: ast.expr) -> ast.expr:
    """A copy of the expression with another one in place of a name."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return copy.deepcopy(value) if isinstance(name, ast.Name) and node.id == name.id else node

    result: ast.expr = Put().visit(copy.deepcopy(expression))
    return result
