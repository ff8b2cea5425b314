"""Insert probes into the syntax tree of a function. The program stays the same, but reports what conditions compare."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from .....distance import EQ, GE, GT, LE, LT, NE
from .fault_checks import IndexCheck, checks_before, letters_of
from .sites import SiteKey, further_key
from .source import FunctionNode
from .syntax_tree import irrefutable, is_short, literals_of, step_beside

SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.MatMult: "@",
}  # fmt: skip
N = TypeVar("N", bound=ast.AST)
OPS = {ast.Eq: EQ, ast.NotEq: NE, ast.Lt: LT, ast.LtE: LE, ast.Gt: GT, ast.GtE: GE}
WORDS = {ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}
_PREFIX = "\0zeroin:"
_OURS = "__zeroin_"  # the prefix of inserted variables
_SCOPES = ("locals", "vars", "dir")  # these list the variables of a function

# Predicates whose calls have a branch distance; for other calls in a condition only the truth of the result is known.
QUESTIONS = frozenset((
    "isnan", "isinf", "isfinite", "isclose", "is_integer", "startswith", "endswith", "isdigit", "isalpha", "isalnum",
    "isspace", "isupper", "islower", "isdecimal", "isnumeric", "isidentifier",
))  # fmt: skip


def placeholder(kind: str, site: int, detail: object = "") -> str:
    """Return the constant that represents a probe until the code is compiled."""
    return f"{_PREFIX}{kind}:{site}:{detail}"


def read_placeholder(constant: object) -> tuple[str, int, str] | None:
    """Return the kind, site and detail of a probe if the constant represents one; else None."""
    if not isinstance(constant, str) or not constant.startswith(_PREFIX):
        return None
    kind, site, detail = constant.removeprefix(_PREFIX).split(":", 2)
    return kind, int(site), detail


def operation_detail(node: ast.BinOp | ast.AugAssign) -> str:
    """Return the detail of the probe of an operation: its sign, ``=`` if it is in place, and its result checks."""
    return f"~{SIGNS[type(node.op)]}{'=' * isinstance(node, ast.AugAssign)} {letters_of(node)}"


def read_operation(detail: str) -> tuple[str, bool, str]:
    """Return the sign, whether the operation is in place, and the letters of its checks."""
    sign, letters = detail.removeprefix("~").split()[:2]
    return sign.removesuffix("="), sign.endswith("="), letters


class Rewriter(ast.NodeTransformer):
    """Inserts probes into functions, in place.

    A probe is a call of a placeholder constant. After compilation, ``front/code.py`` replaces the constant by a native
    function. So the rewriting adds no name to the module.

    Args:
        numbers: the number of each site, see :class:`zeroin.languages.python.run.probes.control_flow.Flow`.
        written: the variables to record at each site, for the look-ahead, see
            :class:`zeroin.languages.python.read.blocks.recorded_variables.Written`.
    """

    def __init__(self, numbers: Mapping[SiteKey, int], written: Mapping[int, Sequence[str]] | None = None) -> None:
        self.numbers, self._written = numbers, written or {}
        self._temporaries = 0
        self._inside = 0  # the number of enclosing comprehensions, lambdas and classes, where `:=` has another scope
        self._tries: list[list[int]] = []  # for each enclosing `try` body the sites of its handlers
        self._loops: list[int] = []  # for each enclosing loop the number of `try` bodies around it

    def function(self, node: FunctionNode) -> None:
        """Rewrite the body of one function in place. Defaults and decorators stay as they are."""
        if isinstance(node, ast.Lambda):
            self._inside += 1
            node.body = self.visit(node.body)
            self._inside -= 1
        else:
            node.body = self._statements(node.body)
            at = int(ast.get_docstring(node, clean=False) is not None)
            node.body.insert(at, self._statement(self._probe("fuel", -1, node.body[0]), node.body[0]))

    # ---- building ----

    def _probe(self, kind: str, site: int, where: ast.AST, *arguments: ast.expr, detail: object = "") -> ast.expr:
        """Return a call of a probe with these arguments, at the position of ``where``. ``site`` is -1 for no site."""
        callee = ast.Constant(placeholder(kind, site, detail))
        return _at(ast.Call(callee, list(arguments), []), where)

    def _statement(self, expression: ast.expr, where: ast.AST) -> ast.stmt:
        return _at(ast.Expr(expression), where)

    def _note(self, kind: str, site: int, where: ast.AST) -> ast.stmt:
        """Return a statement that calls a probe without arguments."""
        return self._statement(self._probe(kind, site, where), where)

    def _writing(self, site: int, last: ast.expr, left: ast.expr | None = None) -> ast.expr:
        """Wrap the operand of a condition that is evaluated last in a probe that then records the site's variables.

        Without such variables, return the operand itself.

        Args:
            site: the number of the site.
            last: the operand.
            left: the left operand of a comparison, which may be recorded, too; None if there is none.
        """
        values = [ast.Name(name, ast.Load()) if name.isidentifier() else copy.deepcopy(left)
                  for name in self._written.get(site, ())]  # fmt: skip
        return self._probe("writes", site, last, last, *(value for value in values if value)) if values else last

    def _written_before(self, node: ast.stmt, *sites: int) -> list[ast.stmt]:
        """Return statements that record the variables of sites; empty if there are none to record."""
        wanted = [site for site in sites if self._written.get(site)]
        return [self._statement(self._writing(site, ast.Constant(0)), node) for site in wanted]

    def _keep(self, value: ast.expr) -> tuple[ast.expr, ast.expr]:
        """Return the expressions ``name := value`` and ``name``, with a new name."""
        self._temporaries += 1
        name = f"{_OURS}{self._temporaries}"
        stored = ast.NamedExpr(ast.Name(name, ast.Store()), value)
        return _at(stored, value), _at(ast.Name(name, ast.Load()), value)

    def _statements(self, nodes: list[ast.stmt]) -> list[ast.stmt]:
        """Insert probes into statements. Return a new list, which may be longer."""
        result: list[ast.stmt] = []
        for node in nodes:
            new = self.visit(node)
            result += new if isinstance(new, list) else [new]
        return result

    # ---- conditions ----

    def test(self, node: ast.expr) -> ast.expr:
        """Insert probes into an expression that is a condition. Return the expression to put in its place.

        It may be the same node, changed.
        """
        if isinstance(node, ast.Compare):
            return self._compare(node, "compare")
        if isinstance(node, ast.BoolOp):
            node.values = [self.test(value) for value in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self.test(node.operand)
            return node
        if isinstance(node, ast.IfExp):
            node.test, node.body, node.orelse = self.test(node.test), self.test(node.body), self.test(node.orelse)
            return node
        if isinstance(node, ast.Constant):
            return node
        return self._truth(node, "truth")

    def _truth(self, node: ast.expr, kind: str) -> ast.expr:
        """Insert the probe of a condition that is no comparison. It returns the truth or, for ``value``, the value."""
        site = self.numbers[node, 0]
        if kind == "truth" and isinstance(node, ast.Call) and not self._inside and _asks(node):
            return self._question(node, site)
        return self._probe(kind, site, node, self._writing(site, self.visit(node)))

    def _question(self, node: ast.Call, site: int) -> ast.expr:
        """Rewrite ``isnan(x)`` as ``probe(isnan(t := x), None, t)``. For a method, the object replaces None."""
        shown: list[ast.expr] = []
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            node.func.value, loaded = self._keep(self.visit(node.func.value))
            shown.append(loaded)
        else:
            assert isinstance(node.func, ast.Name)
            name = node.func.id
            shown.append(_at(ast.Constant(None), node))
        for number, argument in enumerate(node.args):
            node.args[number], loaded = self._keep(self.visit(argument))
            shown.append(loaded)
        return self._probe("asks", site, node, self._writing(site, node), *shown, detail=name)

    def _compare(self, node: ast.Compare, kind: str) -> ast.expr:
        """Insert probes into a comparison. ``kind`` is ``result`` if its value is used, ``compare`` for a condition."""
        values = [self.visit(value) for value in [node.left, *node.comparators]]
        sites = [self.numbers[node, index] for index in range(len(node.ops))]
        if len(node.ops) == 1:
            return self._one(kind, node, 0, sites[0], values[0], values[1])
        if self._inside:
            return self._held(kind, node, sites, values)
        parts, left = [], values[0]
        for index, site in enumerate(sites):
            right, again = values[index + 1], values[index + 1]
            if index + 1 < len(sites):
                right, again = self._keep(right)
            parts.append(self._one(kind, node, index, site, left, right))
            left = again
        return _at(ast.BoolOp(ast.And(), parts), node)

    def _held(self, kind: str, node: ast.Compare, sites: list[int], values: list[ast.expr]) -> ast.expr:
        """Rewrite ``a < b < c`` without ``:=``: the first probe holds ``b``, and the next expression fetches it."""
        parts, left = [], values[0]
        for index, site in enumerate(sites):
            last = index + 1 == len(sites)
            parts.append(self._one(kind, node, index, site, left, values[index + 1], "" if last else "+"))
            left = self._probe("held", -1, node)
        return _at(ast.BoolOp(ast.And(), parts), node)

    def _one(self, kind: str, node: ast.Compare, index: int, site: int, left: ast.expr, right: ast.expr,
             hold: str = "") -> ast.expr:  # fmt: skip
        """Return the probe for a comparison of a chain. ``hold`` is ``+`` if it has to hold the right operand."""
        op = type(node.ops[index])
        right = self._writing(site, right, left)
        if op in OPS:
            first = self.numbers.get(further_key(node, index), -1)
            beside = f" {first} {step_beside(node, index)}" if first >= 0 else ""
            return self._probe(kind + hold, site, node, left, right, detail=f"{OPS[op]}{beside}")
        return self._probe("relates" + hold, site, node, left, right, detail=WORDS[op])

    # ---- expressions ----

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a node, and insert the probes of its checks for faults."""
        value = super().visit(node)
        for number, check in enumerate(checks_before(node)):
            site = self.numbers[further_key(node, number)]
            if isinstance(check, IndexCheck):
                sequence = _at(ast.Name(check.sequence, ast.Load()), value)
                value = self._probe("index", site, value, value, sequence)
            else:
                value = self._probe("check", site, value, value, detail=check.detail)
        return value

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return self._operation(node, node.left, node.right) if letters_of(node) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        if not letters_of(node):
            return self.generic_visit(node)
        assert isinstance(node.target, ast.Name)
        value = self._operation(node, _at(ast.Name(node.target.id, ast.Load()), node), self.visit(node.value))
        return _at(ast.Assign([node.target], value), node)

    def _operation(self, node: ast.BinOp | ast.AugAssign, left: ast.expr, right: ast.expr) -> ast.expr:
        """Return the probe that carries out an operation and checks its result."""
        first = self.numbers[further_key(node, len(checks_before(node)))]
        return self._probe("operate", first, node, left, right, detail=operation_detail(node))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        return self._compare(node, "result") if (node, 0) in self.numbers else self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Rewrite ``x or y``. Its value is that of an operand, so these probes return what they get."""
        *some, last = node.values
        node.values = [*(self._operand(value) for value in some), self.visit(last)]
        return node

    def _operand(self, node: ast.expr) -> ast.expr:
        """Insert probes into an operand of ``and`` or ``or`` that is a condition, and whose value may be the result."""
        if isinstance(node, ast.Compare):
            return self._compare(node, "result")
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.test(node)
        if isinstance(node, ast.BoolOp):
            node.values = [self._operand(value) for value in node.values]
            return node
        if isinstance(node, ast.IfExp):
            node.test, node.body, node.orelse = (
                self.test(node.test),
                self._operand(node.body),
                self._operand(node.orelse),
            )
            return node
        return node if isinstance(node, ast.Constant) else self._truth(node, "value")

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return self.test(node)
        node.operand = self.visit(node.operand)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node.test, node.body, node.orelse = self.test(node.test), self.visit(node.body), self.visit(node.orelse)
        return node

    def _visit_scope(self, node: ast.AST) -> object:
        self._inside += 1
        result = self.generic_visit(node)
        self._inside -= 1
        return result

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda = visit_ClassDef = _visit_scope

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _SCOPES and not (node.args or node.keywords):
            return self._probe("hides", -1, node, node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """Leave the annotation as it is: it is not part of the body."""
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.target, node.value = self.visit(node.target), self.visit(node.value) if node.value else None
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        node.ifs = [self.test(condition) for condition in node.ifs]
        if not is_short(node.iter):
            node.ifs.insert(0, _at(ast.UnaryOp(ast.Not(), self._probe("fuel", -1, node.target)), node.target))
        return node

    # ---- statements ----

    def visit_FunctionDef(self, node: ast.FunctionDef) -> object:
        return self._inner(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> object:
        return self._inner(node)

    def _inner(self, node: Any) -> object:
        """Rewrite a function inside a function."""
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        node.args = self.generic_visit(node.args)
        outer = (self._inside, self._tries, self._loops)
        self._inside, self._tries, self._loops = 0, [], []
        self.function(node)
        self._inside, self._tries, self._loops = outer
        return node

    def visit_If(self, node: ast.If) -> ast.If:
        node.test = self.test(node.test)
        node.body, node.orelse = self._statements(node.body), self._statements(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        node.test = self.test(node.test)
        node.msg = self.visit(node.msg) if node.msg else None
        return node

    def visit_While(self, node: ast.While) -> ast.While:
        first = node.body[0]
        node.test = self.test(node.test)
        node.body = [self._note("fuel", -1, first), *self._turn(node.body)]
        node.orelse = self._statements(node.orelse)
        return node

    def visit_For(self, node: ast.For) -> object:
        return self._for(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> object:
        return self._for(node)

    def _for(self, node: ast.For | ast.AsyncFor) -> object:
        site, first = self.numbers[node, 0], node.body[0]
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        if isinstance(node, ast.For):
            node.iter = self._probe("iterates", site, node.iter, node.iter)
        state = self._written_before(first, site)
        node.body = [*state, self._note("enters", site, first), *self._turn(node.body)]
        node.orelse = [*copy.deepcopy(state), self._note("leaves", site, node), *self._statements(node.orelse)]
        return node

    def _turn(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Insert probes into the body of a loop."""
        self._loops.append(len(self._tries))
        result = self._statements(statements)
        self._loops.pop()
        return result

    def visit_Return(self, node: ast.Return) -> object:
        if node.value is None or not self._tries:
            node.value = self.visit(node.value) if node.value else None
            return [*self._completed(0, node), node]
        self._temporaries += 1
        name = f"{_OURS}{self._temporaries}"
        keep = _at(ast.Assign([ast.Name(name, ast.Store())], self.visit(node.value)), node)
        node.value = _at(ast.Name(name, ast.Load()), node)
        return [keep, *self._completed(0, node), node]

    def visit_Break(self, node: ast.Break) -> object:
        return [*self._completed(self._loops[-1], node), node]

    def visit_Continue(self, node: ast.Continue) -> object:
        return [*self._completed(self._loops[-1], node), node]

    def _completed(self, depth: int, where: ast.stmt) -> list[ast.stmt]:
        """Return probes which report that the `try` bodies from index ``depth`` on end without an exception."""
        return [self._note("leaves", site, where) for sites in reversed(self._tries[depth:]) for site in sites]

    def visit_Try(self, node: ast.Try) -> object:
        return self._try(node)

    def visit_TryStar(self, node: ast.TryStar) -> object:
        return self._try(node)

    def _try(self, node: ast.Try | ast.TryStar) -> object:
        sites = [self.numbers[handler, 0] for handler in node.handlers]
        completed = [self._note("leaves", site, node) for site in sites]
        self._tries.append(sites)
        node.body = self._statements(node.body)
        self._tries.pop()
        for handler in node.handlers:
            note = self._note("enters", self.numbers[handler, 0], handler.body[0])
            handler.body = [note, *self._statements(handler.body)]
        node.orelse = [*completed, *self._statements(node.orelse)]
        node.finalbody = self._statements(node.finalbody)
        return node

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        """Insert a probe into the guard of each case, and a case after it that runs if the pattern does not match.

        The guard of the inserted case calls a probe that reports the subject and the pattern's literals. It is always
        false, so that the next case is tried.
        """
        self._temporaries += 1
        flag = f"{_OURS}{self._temporaries}"  # whether the last pattern matched, but its guard did not hold
        stored, loaded = self._keep(self.visit(node.subject))
        node.subject = stored
        cases: list[ast.match_case] = []
        for case in node.cases:
            guard = self.test(case.guard) if case.guard else None
            case.body = self._statements(case.body)
            if irrefutable(case.pattern):
                case.guard = guard
                cases.append(case)
                continue
            site, where = self.numbers[case, 0], case.pattern
            case.guard = self._probe("matches", site, where)
            matched: ast.expr = ast.Constant(False)
            if guard:
                matches = ast.NamedExpr(ast.Name(flag, ast.Store()), case.guard)
                case.guard = _at(ast.BoolOp(ast.And(), [matches, guard]), where)
                matched = ast.Name(flag, ast.Load())
            failed = self._probe("fails", site, where, _at(matched, where), loaded, *literals_of(where))
            if guard:
                failed = _at(ast.NamedExpr(ast.Name(flag, ast.Store()), failed), where)
            cases += [case, ast.match_case(_at(ast.MatchAs(), where), failed, [_at(ast.Pass(), where)])]
        node.cases = cases
        state = self._written_before(node, *(self.numbers.get((case, 0), -1) for case in cases))
        return [*state, _at(ast.Assign([ast.Name(flag, ast.Store())], ast.Constant(False)), node), node]


def _at(node: N, where: ast.AST) -> N:
    """Give a node and its new parts the position of another node, and return it."""
    return ast.fix_missing_locations(ast.copy_location(node, where))


def hide(scope: object) -> object:
    """Return the result of ``locals``, ``vars`` or ``dir`` without the inserted variables.

    They are removed from this dict or list itself. Any other object is returned as it is.
    """
    if isinstance(scope, dict | list):
        for name in [name for name in scope if isinstance(name, str) and _OURS in name]:
            if isinstance(scope, dict):
                del scope[name]
            else:
                scope.remove(name)
    return scope


def _asks(node: ast.Call) -> bool:
    """Whether a call is that of a predicate in ``QUESTIONS``, with positional arguments only."""
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in QUESTIONS and not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args)
