"""A twin of a Python module that writes down every decision: an instrumentation of our own, which shares nothing with
zeroin's.

Every place that may be a site of zeroin's has a number: a test, an operand of ``and``, ``or`` and ``not``, each part of
a comparison, a ``for``, an ``except`` and a ``case``. The twin computes what the module computes, and appends
``2 * number`` to the trace where the condition holds, ``2 * number + 1`` where it does not.
"""

from __future__ import annotations

import ast
import operator
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .anything import Anything

Key = tuple[int, str]  # the line, counted from 1, and the text of the condition
Decision = tuple[Key, bool]

_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not, ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip
_NAMES = "_truth_test", "_truth_chain", "_truth_turns", "_truth_try", "_truth_enters", "_truth_case", "_truth_passed"


@dataclass(frozen=True)
class Place:
    """Where a condition stands, and what it reads like."""

    line: int
    text: str

    @property
    def key(self) -> Key:
        return self.line, self.text


class Twin:
    """The instrumented module, which can be made anew.

    Attributes:
        places: by number.
        trace: the decisions of the runs since it was cleared; it is limited, so that no run fills the memory.
    """

    most = 20_000  # decisions

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        tree = _Instrument(text)
        self._code = compile(tree.tree, f"<twin of {name}>", "exec")
        self.places = tree.places
        self.operators = tree.operators
        self.trace: list[int] = []

    def fresh(self) -> types.ModuleType:
        """The module as it is after import; what was written down of the import is thrown away."""
        module = types.ModuleType(self.name)
        probes = (self._test, self._chain, self._turns, self._try, self._enters, self._case, self._passed)
        vars(module).update(zip(_NAMES, probes, strict=True), Anything=Anything)
        sys.modules[self.name] = module  # dataclasses look for the module of a class
        exec(self._code, vars(module))
        self.trace.clear()
        return module

    def decisions(self) -> list[Decision]:
        """The trace, decision by decision."""
        return [(self.places[number // 2].key, number % 2 == 0) for number in self.trace]

    def _note(self, number: int, holds: bool) -> None:
        if len(self.trace) >= self.most:
            raise RuntimeError("a run of a program takes too many decisions")
        self.trace.append(2 * number + (not holds))

    def _test(self, number: int, value: Any) -> Any:
        self._note(number, bool(value))
        return value

    def _chain(self, first: int, *operands: Callable[[], Any]) -> Any:
        """``a < b <= c``: what is right of a comparison that does not hold is not evaluated."""
        left, value = operands[0](), None
        for index, other in enumerate(operands[1:]):
            right = other()
            value = self.operators[first + index](left, right)
            self._note(first + index, bool(value))
            if not value:
                break
            left = right
        return value

    def _turns(self, number: int, iterable: Any) -> Iterator[Any]:
        for item in iter(iterable):
            self._note(number, True)
            yield item
        self._note(number, False)

    def _try(self, *numbers: int) -> _Body:
        return _Body(self, numbers)

    def _enters(self, number: int) -> None:
        self._note(number, True)

    def _case(self, number: int, guard: Callable[[], Any] | None, matched: list[int]) -> bool:
        """Of a case whose pattern matches: whether it is taken."""
        self._note(number, True)
        matched.append(number)
        return guard is None or bool(guard())

    def _passed(self, number: int, matched: list[int]) -> bool:
        """Behind a case: its pattern did not match, or else its guard did not hold. Never taken."""
        if number not in matched:
            self._note(number, False)
        return False


class _Body:
    """Around the body of a ``try``: notes for every handler that the body ends without an exception."""

    def __init__(self, twin: Twin, numbers: tuple[int, ...]) -> None:
        self._twin, self._numbers = twin, numbers

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for number in self._numbers if kind is None else ():
            self._twin._note(number, False)


class _Instrument(ast.NodeTransformer):
    """Rewrites a module.

    Attributes:
        tree: the result.
        places: of the conditions, by number.
        operators: of the comparisons among them.
    """

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self.places: list[Place] = []
        self.operators: dict[int, Callable[[Any, Any], Any]] = {}
        self._matches = 0
        self.tree = ast.fix_missing_locations(self.visit(ast.parse(text)))

    def _number(self, node: ast.AST, text: str) -> int:
        place = Place(getattr(node, "lineno", 0), text)
        self.places.append(place)
        return len(self.places) - 1

    def _segment(self, first: ast.AST, last: ast.AST | None = None) -> str:
        """The source from one node to another; the programs are plain ASCII, and conditions never span lines."""
        last = last or first
        line = getattr(first, "lineno", 0)
        assert line == getattr(last, "end_lineno", 0), "a condition spans lines"
        return self._lines[line - 1][getattr(first, "col_offset", 0) : getattr(last, "end_col_offset", 0)]

    def _call(self, name: str, *arguments: ast.expr) -> ast.Call:
        return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])

    # ---- expressions ----

    def _tested(self, node: ast.expr) -> ast.expr:
        """An expression that decides."""
        if isinstance(node, ast.Compare | ast.BoolOp | ast.Constant):
            return self._visited(node) if not isinstance(node, ast.BoolOp) else self._boolean(node, decides=True)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, self._tested(node.operand))
        if isinstance(node, ast.IfExp):
            return ast.IfExp(self._tested(node.test), self._tested(node.body), self._tested(node.orelse))
        number = self._number(node, self._segment(node))
        return self._call(_NAMES[0], ast.Constant(number), self._visited(node))

    def _visited(self, node: ast.expr) -> ast.expr:
        found: ast.expr = self.visit(node)
        return found

    def _boolean(self, node: ast.BoolOp, decides: bool) -> ast.expr:
        *some, last = node.values
        end = self._tested(last) if decides else self._visited(last)
        return ast.BoolOp(node.op, [*map(self._tested, some), end])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        return self._boolean(node, decides=False)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        return self._tested(node) if isinstance(node.op, ast.Not) else ast.UnaryOp(node.op, self._visited(node.operand))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return ast.IfExp(self._tested(node.test), self._visited(node.body), self._visited(node.orelse))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        sides = [node.left, *node.comparators]
        numbers = [self._number(left, self._part(node, index)) for index, left in enumerate(sides[:-1])]
        self.operators |= {number: _COMPARE[type(op)] for number, op in zip(numbers, node.ops, strict=True)}
        return self._call(_NAMES[1], ast.Constant(numbers[0]), *(_lambda(self._visited(side)) for side in sides))

    def _part(self, node: ast.Compare, index: int) -> str:
        """One comparison of a chain; written anew where its text alone lacks a parenthesis."""
        if len(node.ops) == 1:
            return self._segment(node)
        left, right = [node.left, *node.comparators][index : index + 2]
        text = self._segment(left, right)
        try:
            ast.parse(text, mode="eval")
        except SyntaxError:
            return ast.unparse(ast.Compare(left, [node.ops[index]], [right]))
        return text

    def _comprehension(self, node: Any) -> Any:
        for generator in node.generators:
            generator.iter = self._visited(generator.iter)
            generator.ifs = [self._tested(one) for one in generator.ifs]
        for name in ("key", "value", "elt"):
            if hasattr(node, name):
                setattr(node, name, self._visited(getattr(node, name)))
        return node

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _comprehension

    # ---- statements ----

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        done = list[ast.stmt]()
        for statement in statements:
            found = self.visit(statement)
            done += found if isinstance(found, list) else [found]
        return done

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        node.value = self._visited(node.value) if node.value else None
        return node

    def _function(self, node: Any) -> Any:
        """Annotations are none of its code."""
        node.args.defaults = [self._visited(default) for default in node.args.defaults]
        node.body = self._block(node.body)
        return node

    visit_FunctionDef = _function

    def visit_If(self, node: ast.If) -> ast.If:
        return ast.If(self._tested(node.test), self._block(node.body), self._block(node.orelse))

    def visit_While(self, node: ast.While) -> ast.While:
        return ast.While(self._tested(node.test), self._block(node.body), self._block(node.orelse))

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        return ast.Assert(self._tested(node.test), self._visited(node.msg) if node.msg else None)

    def visit_For(self, node: ast.For) -> ast.For:
        number = self._number(node, f"for {self._segment(node.target)} in {self._segment(node.iter)}")
        turns = self._call(_NAMES[2], ast.Constant(number), self._visited(node.iter))
        return ast.For(node.target, turns, self._block(node.body), self._block(node.orelse))

    def visit_Try(self, node: ast.Try) -> ast.Try:
        texts = [f"except {self._segment(one.type)}" if one.type else "except" for one in node.handlers]
        numbers = [self._number(one, text) for one, text in zip(node.handlers, texts, strict=True)]
        around = self._call(_NAMES[3], *map(ast.Constant, numbers))
        body: list[ast.stmt] = [ast.With([ast.withitem(around)], self._block(node.body))]
        handlers = list[ast.ExceptHandler]()
        for number, one in zip(numbers, node.handlers, strict=True):
            enters = ast.Expr(self._call(_NAMES[4], ast.Constant(number)))
            handlers.append(ast.ExceptHandler(one.type, one.name, [enters, *self._block(one.body)]))
        return ast.Try(body, handlers, self._block(node.orelse), self._block(node.finalbody))

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        self._matches += 1
        flags = ast.Name(f"_truth_matched_{self._matches}", ast.Load())
        cases = list[ast.match_case]()
        for case in node.cases:
            body = self._block(case.body)
            if isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None:
                cases.append(ast.match_case(case.pattern, self._tested(case.guard) if case.guard else None, body))
                continue
            number = ast.Constant(self._number(case.pattern, f"case {self._segment(case.pattern)}"))
            guard = _lambda(self._tested(case.guard)) if case.guard else ast.Constant(None)
            cases.append(ast.match_case(case.pattern, self._call(_NAMES[5], number, guard, flags), body))
            cases.append(ast.match_case(ast.MatchAs(), self._call(_NAMES[6], number, flags), [ast.Pass()]))
        store = ast.Assign([ast.Name(flags.id, ast.Store())], ast.List([], ast.Load()))
        return [store, ast.Match(self._visited(node.subject), cases)]


def _lambda(body: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), body)
