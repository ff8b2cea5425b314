"""The rewritten functions of the probes, with help for what can not be left to the values themselves: calls, binary
operators, indices, and texts made of values."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from ...run.probes.fault_checks import checks_before, letters_of
from ...run.probes.rewrite import SIGNS, Rewriter, _at, operation_detail
from ...run.probes.sites import SiteKey, further_key
from ...run.probes.source import Function, FunctionNode, Source
from ...run.probes.syntax_tree import literals_of, masks_of

# These look at the frame that calls them.
_OF_THE_FRAME = ("super", "locals", "vars", "dir", "globals", "eval", "exec", "breakpoint")
NOT_READ = ("eval", "exec")


class _Anywhere(dict[SiteKey, int]):
    """The numbers of sites; -1 for a condition of a function that has none."""

    def __missing__(self, key: SiteKey) -> int:
        return -1


class ReadingRewriter(Rewriter):
    """Rewrites functions in place, see :class:`Rewriter`.

    Args:
        numbers: the sites.

    Attributes:
        literal: those of patterns that do nothing but compare with one constant: with several, each is a choice.
    """

    def __init__(self, numbers: Mapping[SiteKey, int]) -> None:
        super().__init__(_Anywhere(numbers))
        self._place = 0
        self.literal: set[int] = set()
        self._masks: set[ast.AST] = set()

    def function(self, node: FunctionNode) -> None:
        self._masks |= masks_of([Function("", node, Source("", ""))])
        super().function(node)

    def _at_place(self, kind: str, where: ast.AST, *arguments: ast.expr, detail: str = "") -> ast.Call:
        """A probe at a place of its own."""
        self._place += 1
        made = self._probe(kind, self._place, where, *arguments, detail=detail)
        assert isinstance(made, ast.Call)
        return made

    # ---- conditions ----

    def _truth(self, node: ast.expr, kind: str) -> ast.expr:
        """A question is a call, whose answer carries what it depends on."""
        return self._probe(kind, self.numbers[node, 0], node, self.visit(node))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if node not in self._masks:
            return self._compare(node, "result")
        self.generic_visit(node)
        return node

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        for case in node.cases:
            if len(literals_of(case.pattern)) == 1:
                self.literal.add(self.numbers[case, 0])
        found = super().visit_Match(node)
        node.subject = self._probe("begins", -1, node.subject, node.subject)
        return found

    # ---- operations ----

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _OF_THE_FRAME:
            made = super().visit_Call(node)
            if name in NOT_READ:
                assert isinstance(made, ast.Call)
                made.args.insert(0, _at(ast.Starred(self._at_place("unread", node, detail=name), ast.Load()), node))
            return made
        self.generic_visit(node)
        return _at(self._with(self._at_place("call", node, node.func, *node.args), node.keywords), node)

    def _with(self, call: ast.Call, keywords: list[ast.keyword]) -> ast.Call:
        call.keywords = keywords
        return call

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            return node
        if letters_of(node):
            return self._operation(node, node.left, node.right)
        return self._at_place("binary", node, node.left, node.right, detail=SIGNS[type(node.op)])

    def _operation(self, node: ast.BinOp | ast.AugAssign, left: ast.expr, right: ast.expr) -> ast.expr:
        first = self.numbers[further_key(node, len(checks_before(node)))]
        return self._at_place("operate", node, left, right, detail=f"{operation_detail(node)} {first}")

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if not isinstance(node.target, ast.Name):
            self.generic_visit(node)
            return node
        old, value = _at(ast.Name(node.target.id, ast.Load()), node), self.visit(node.value)
        if letters_of(node):
            return _at(ast.Assign([node.target], self._operation(node, old, value)), node)
        value = self._at_place("inplace", node, old, value, detail=SIGNS[type(node.op)])
        return _at(ast.Assign([node.target], value), node)

    def visit_Subscript(self, node: ast.Subscript) -> object:
        node.value = self.visit(node.value)
        if isinstance(node.slice, ast.Tuple) and any(isinstance(e, ast.Slice | ast.Starred) for e in node.slice.elts):
            self.generic_visit(node.slice)
            return node
        index = self._index(node.slice)
        if isinstance(node.ctx, ast.Load):
            return self._at_place("item", node, node.value, index)
        node.slice = self._at_place("key", node, index)
        return node

    def _index(self, node: ast.expr) -> ast.expr:
        if not isinstance(node, ast.Slice):
            return self.visit(node)  # type: ignore[no-any-return]
        parts = [self.visit(part) if part else _at(ast.Constant(None), node) for part in
                 (node.lower, node.upper, node.step)]  # fmt: skip
        return self._at_place("slice", node, *parts)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        """``f"{x:.2f}!"``"""
        parts: list[ast.expr] = []
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                spec = self.visit(part.format_spec) if part.format_spec else ast.Constant("")
                conversion = _at(ast.Constant(part.conversion), node)
                parts.append(self._at_place("format", node, self.visit(part.value), conversion, _at(spec, node)))
            else:
                parts.append(part)
        return self._at_place("joined", node, *parts)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        made = super().visit_comprehension(node)
        if not made.is_async:
            made.iter = self._at_place("items", made.iter, made.iter)
        return made
