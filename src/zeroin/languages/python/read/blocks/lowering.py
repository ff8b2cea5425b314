"""The code of a function from its syntax tree, in the order of evaluation."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from .....subject.base import STEPS
from ...run.probes.sites import SiteKey, boundary_key
from ...run.probes.source import Function
from ...run.probes.syntax_tree import irrefutable, masks_of, written_beside
from ..values.rewrite import SIGNS
from .code import RELATIONS, UNARY, Code, Instruction, Label, Start
from .scope import forgotten_in, jumps_out, literal_defaults, local_names, stored_in, why_unread


class Lowering:
    """Makes the code of a function.

    Args:
        function: its nodes are not changed.
        numbers: the sites of its nodes.
        places: numbers that nothing else has.
    """

    def __init__(self, function: Function, numbers: Mapping[SiteKey, int], places: count[int]) -> None:
        self._numbers, self._places = numbers, places
        self._masks = masks_of([function])
        self._loops: list[tuple[Label, Label]] = []
        self._line, self._hidden = 0, 0
        node = function.node
        arguments = node.args
        by_position = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        self.code = Code(function.name, (*by_position, *(a.arg for a in arguments.kwonlyargs)), len(by_position),
                         literal_defaults(arguments))  # fmt: skip
        self._local, self._forgotten, self._jumps = local_names(node), forgotten_in(node), False
        why = why_unread(node)
        if why:
            self._unread(node, why)
        elif isinstance(node, ast.FunctionDef):
            self._block(node.body)
            self._emit("value")
            self._emit("return")
        if self._jumps:  # nobody knows from where control comes
            self.code.starts.clear()

    # ---- instructions ----

    def _emit(self, op: str, argument: object = None, *labels: Label, site: int = -1) -> None:
        self.code.body.append(Instruction(op, argument, self._line, next(self._places), site, labels))

    def _here(self, *labels: Label) -> None:
        for label in labels:
            label.at = len(self.code.body)

    def _unread(self, node: ast.AST, what: str = "", op: str = "unread") -> None:
        """Nobody knows what happens here, or, as ``op`` says, what comes of it."""
        line = getattr(node, "lineno", self._line)
        self._jumps |= jumps_out(node)
        self._emit("unread" if stored_in(node) else op, f"line {line}: {what or type(node).__name__}")

    def _begin(self, node: ast.AST, index: int, *parts: ast.AST) -> int:
        """Here the evaluation of a condition, or of these parts, begins; its site."""
        site = self._numbers.get((node, index), -1)
        if site >= 0:
            stores = stored_in(*(parts or (node,)))
            self.code.starts[site] = Start(len(self.code.body), stores | self._forgotten, index > 0 and not stores)
        return site

    # ---- statements ----

    def _block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self._line = statement.lineno
            visit: Callable[[Any], None] = getattr(self, f"_{type(statement).__name__}", self._unread)
            visit(statement)

    def _Pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def _Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self._value(node.value)
            self._emit("pop")

    def _Assign(self, node: ast.Assign) -> None:
        self._value(node.value)
        for _ in node.targets[1:]:
            self._emit("copy")
        for target in node.targets:
            self._store(target)

    def _AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._value(node.value)
            self._store(node.target)

    def _AugAssign(self, node: ast.AugAssign) -> None:
        if not isinstance(node.target, ast.Name):
            self._value(node.value)
            return self._store(node.target)
        self._name(node.target.id)
        self._value(node.value)
        self._emit("binary", SIGNS[type(node.op)])
        return self._store(node.target)

    def _store(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._emit("store", target.id)
        elif isinstance(target, ast.Tuple | ast.List) and not any(isinstance(t, ast.Starred) for t in target.elts):
            self._emit("unpack", len(target.elts))
            for item in target.elts:
                self._store(item)
        else:
            self._unread(target, "an assignment to an item or attribute", "changed")

    def _If(self, node: ast.If) -> None:
        yes, no, end = Label(), Label(), Label()
        self._test(node.test, yes, no)
        self._here(yes)
        self._block(node.body)
        self._emit("jump", None, end)
        self._here(no)
        self._block(node.orelse)
        self._here(end)

    def _While(self, node: ast.While) -> None:
        head, yes, no, after = Label(), Label(), Label(), Label()
        self._here(head)
        self._test(node.test, yes, no)
        self._turn(node, head, yes, no, after)

    def _For(self, node: ast.For) -> None:
        head, yes, no, after = Label(), Label(), Label(), Label()
        self._hidden += 1
        iterator = f"turn {self._hidden}"
        self._value(node.iter)
        self._emit("iterate")
        self._emit("store", iterator)
        self._here(head, yes)
        yes = Label()
        self._emit("next", iterator, yes, no, site=self._begin(node, 0, node.target))
        self._here(yes)
        self._store(node.target)
        body = Label()
        self._turn(node, head, body, no, after)

    def _turn(self, node: ast.While | ast.For, head: Label, yes: Label, no: Label, after: Label) -> None:
        """The body of a loop, and what comes behind it."""
        self._here(yes)
        self._loops.append((head, after))
        self._block(node.body)
        self._loops.pop()
        self._emit("jump", None, head)
        self._here(no)
        self._block(node.orelse)
        self._here(after)

    def _Match(self, node: ast.Match) -> None:
        """Only patterns of literals."""
        end = Label()
        self._value(node.subject)
        patterns = [node.subject, *(p for case in node.cases for p in (case.pattern, case.guard) if p is not None)]
        for case in node.cases:
            following = Label()
            if irrefutable(case.pattern):
                self._captured(case.pattern)
            else:
                matched = Label()
                site = self._begin(case, 0, *patterns)
                self._matching(case)
                self._emit("truth", None, matched, following, site=site)
                self._here(matched)
            if case.guard:
                passed = Label()
                self._test(case.guard, passed, following)
                self._here(passed)
            self._emit("pop")
            self._block(case.body)
            self._emit("jump", None, end)
            self._here(following)
        self._emit("pop")
        self._here(end)

    def _captured(self, pattern: ast.pattern) -> None:
        if not isinstance(pattern, ast.MatchAs) or pattern.pattern is not None:
            return self._unread(pattern, "a match pattern with parts")
        if pattern.name is not None:
            self._emit("copy")
            self._emit("store", pattern.name)
        return None

    def _matching(self, case: ast.match_case) -> None:
        """Push whether the value matches one of some literals."""
        pattern = case.pattern
        for number, one in enumerate(pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]):
            if not isinstance(one, ast.MatchValue):
                return self._unread(pattern, "a match pattern with parts")
            if number:
                self._emit("below")
            else:
                self._emit("copy")
            self._value(one.value)
            self._emit("equal")
            if number:
                self._emit("binary", "|")
        return None

    def _Break(self, node: ast.Break) -> None:
        self._emit("jump", None, self._loops[-1][1])

    def _Continue(self, node: ast.Continue) -> None:
        self._emit("jump", None, self._loops[-1][0])

    def _Return(self, node: ast.Return) -> None:
        if node.value is None:
            self._emit("value")
        else:
            self._value(node.value)
        self._emit("return")

    def _Raise(self, node: ast.Raise) -> None:
        self._ending([node.exc, node.cause])

    def _Assert(self, node: ast.Assert) -> None:
        yes, no = Label(), Label()
        self._test(node.test, yes, no)
        self._here(no)
        self._ending([node.msg])
        self._here(yes)

    def _ending(self, shown: Sequence[ast.expr | None]) -> None:
        """The run ends. What is shown then is not read, unless something is decided there."""
        parts = [part for each in shown if each for part in ast.walk(each)]
        for part in parts:
            has_site = any(key in self._numbers for key in ((part, 0), (part, 1)))
            if has_site or (isinstance(part, ast.Call | ast.Attribute) and self._may_decide(part)):
                return self._unread(part, "a decision, call or attribute in the arguments of an exception")
            if isinstance(part, ast.Name) and part.id in self._local:
                self._name(part.id)
                self._emit("shown")
        return self._emit("raise", tuple(part.id for part in parts if isinstance(part, ast.Name)))

    def _may_decide(self, part: ast.Call | ast.Attribute) -> bool:
        """Whether code with conditions may run; of what has a global name, that is known later."""
        if isinstance(called := part.func if isinstance(part, ast.Call) else part, ast.Attribute):
            return not isinstance(called.value, ast.Constant)  # "...".format(x)
        return not isinstance(called, ast.Name) or called.id in self._local

    # ---- expressions ----

    def _value(self, node: ast.expr) -> None:
        match node:
            case ast.Constant():
                self._emit("value", node.value)
            case ast.Name():
                self._name(node.id)
            case ast.UnaryOp(op=ast.Not()) | ast.Compare() if node not in self._masks:
                self._decided(node)
            case ast.UnaryOp():
                self._value(node.operand)
                self._emit("unary", UNARY[type(node.op)])
            case ast.BinOp():
                self._value(node.left)
                self._value(node.right)
                self._emit("binary", SIGNS[type(node.op)])
            case ast.BoolOp():
                self._either(node)
            case ast.IfExp():
                self._chosen(node)
            case ast.Attribute():
                self._value(node.value)
                self._emit("attribute", node.attr)
            case ast.Subscript() if not isinstance(node.slice, ast.Slice | ast.Tuple):
                self._value(node.value)
                self._value(node.slice)
                self._emit("item")
            case ast.Tuple() if not any(isinstance(item, ast.Starred) for item in node.elts):
                for item in node.elts:
                    self._value(item)
                self._emit("tuple", len(node.elts))
            case ast.NamedExpr():
                self._value(node.value)
                self._emit("copy")
                self._store(node.target)
            case ast.Call():
                self._call(node)
            case _:
                self._unread(node, op="unknown")

    def _name(self, name: str) -> None:
        self._emit("load" if name in self._local else "global", name)

    def _call(self, node: ast.Call) -> None:
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            return self._unread(node, "a call with * or **", "unknown")
        self._value(node.func)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            self._value(argument)
        return self._emit("call", (len(node.args), tuple(str(keyword.arg) for keyword in node.keywords)))

    def _decided(self, node: ast.expr) -> None:
        """A condition whose value is wanted."""
        yes, no, end = Label(), Label(), Label()
        self._test(node, yes, no)
        self._here(yes)
        self._emit("value", True)
        self._emit("jump", None, end)
        self._here(no)
        self._emit("value", False)
        self._here(end)

    def _either(self, node: ast.BoolOp) -> None:
        """``a and b``, ``a or b``: the value of one of them."""
        end = Label()
        for operand in node.values[:-1]:
            if isinstance(operand, ast.BoolOp | ast.IfExp | ast.Constant):
                self._unread(node, "a value of `and` or `or` with several decisions", "unknown")
                return self._here(end)
            further = Label()
            if isinstance(operand, ast.Compare) or (
                isinstance(operand, ast.UnaryOp) and isinstance(operand.op, ast.Not)
            ):
                ended = Label()
                self._test(operand, *((further, ended) if isinstance(node.op, ast.And) else (ended, further)))
                self._here(ended)
                self._emit("value", isinstance(node.op, ast.Or))
                self._emit("jump", None, end)
                self._here(further)
                continue
            site = self._begin(operand, 0)
            self._value(operand)
            self._emit("known", None, *((further, end) if isinstance(node.op, ast.And) else (end, further)), site=site)
            self._here(further)
            self._emit("pop")
        self._value(node.values[-1])
        return self._here(end)

    def _chosen(self, node: ast.IfExp) -> None:
        yes, no, end = Label(), Label(), Label()
        self._test(node.test, yes, no)
        self._here(yes)
        self._value(node.body)
        self._emit("jump", None, end)
        self._here(no)
        self._value(node.orelse)
        self._here(end)

    # ---- conditions ----

    def _test(self, node: ast.expr, yes: Label, no: Label) -> None:
        """Go on at one of the two."""
        match node:
            case ast.Compare() if node not in self._masks:
                self._compare(node, yes, no)
            case ast.UnaryOp(op=ast.Not()):
                self._test(node.operand, no, yes)
            case ast.BoolOp():
                for operand in node.values[:-1]:
                    further = Label()
                    self._test(operand, *((further, no) if isinstance(node.op, ast.And) else (yes, further)))
                    self._here(further)
                self._test(node.values[-1], yes, no)
            case ast.IfExp():
                first, second = Label(), Label()
                self._test(node.test, first, second)
                self._here(first)
                self._test(node.body, yes, no)
                self._here(second)
                self._test(node.orelse, yes, no)
            case ast.Constant():
                self._emit("jump", None, yes if node.value else no)
            case _:
                site = self._begin(node, 0)
                self._value(node)
                self._emit("truth", None, yes, no, site=site)

    def _compare(self, node: ast.Compare, yes: Label, no: Label) -> None:
        dropped = Label()
        site = self._begin(node, 0)
        self._value(node.left)
        for number, (sign, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            site = self._begin(node, number) if number else site
            self._value(right)
            further, is_last = Label(), right is node.comparators[-1]
            if not is_last:
                self._emit("keep")
            targets = (yes, no) if is_last else (further, dropped)
            first = self._numbers.get(boundary_key(node, number), -1)
            for place in range(len(STEPS) if first >= 0 else 0):
                self._emit("beside", (place, written_beside(node, number)), site=first + place)
            self._emit("compare", RELATIONS[type(sign)], *targets, site=site)
            self._here(further)
        if len(node.ops) > 1:
            self._here(dropped)
            self._emit("pop")
            self._emit("jump", None, no)
