"""Find the sites of Python functions in the syntax tree, and the control flow between them.

The control flow is a graph of numbered flow nodes. A method such as ``_If`` takes a statement and the flow node before
it (``at``), and returns the flow node after it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence

from .....subject.graph import Graph
from .fault_checks import checks_of
from .sites import Sites, further_key
from .source import Function, FunctionNode
from .syntax_tree import (
    MARK,
    falls_through,
    generators_of,
    irrefutable,
    masks_of,
    name_of,
    named_inside,
    step_beside,
    variables_of,
)

Ends = tuple[int, int, int]  # the flow nodes where a function starts, returns and raises
FlowTarget = tuple[int, int]  # the target of a jump, and the number of `try` statements around it


class Flow(Sites):
    """Numbers the sites of functions in the order of evaluation, and builds the control flow between them.

    Args:
        functions: the functions to instrument.
        entries: how many of the first functions a run may begin with.
    """

    def __init__(self, functions: Sequence[Function], entries: int = 1) -> None:
        super().__init__()
        self._loops: list[tuple[int, int, int]] = []  # head, end, and how many `try` statements are around
        self._tries: list[tuple[int, set[FlowTarget]]] = []  # for each body: the node where jumps leave, their targets
        self._failures: set[int] = set()
        ends = [(self._node(), self._node(), self._node()) for _ in functions]
        self._known: dict[str, list[Ends]] = {}
        for function, known in zip(functions, ends, strict=True):
            self._known.setdefault(function.name.rpartition(".")[2], []).append(known)
        self._inner_ends: dict[ast.AST, Ends] = {}
        for name, node in named_inside(functions):
            self._inner_ends[node] = self._node(), self._node(), self._node()
            self._known.setdefault(name, []).append(self._inner_ends[node])
        self._variables, self._generators = variables_of(functions), generators_of(functions)
        self._masks = masks_of(functions)
        self._pointed: list[tuple[int, int, int]] = []  # calls through variables: the nodes before, after, if it raises
        self._mentioned: set[Ends] = set()
        self._entry = self._node()
        self._edges[self._entry] |= {start for start, _, _ in ends[:entries]}
        for function, known in zip(functions, ends, strict=True):
            self._function, self._source = function.name, function.source
            self._body(function.node, *known)
        for at, after, raised in self._pointed:
            for callee in self._mentioned:
                self._enter(callee, at, after, raised)

    def graph(self) -> Graph:
        """Return the graph that says which sites may follow each branch."""
        fatal = sum(
            1 << outcome for outcome, point in enumerate(self._outcomes) if self._flow.leads_to(point, self._failures)
        )
        return self._flow.graph(self._entry, self._outcomes, fatal)

    # ---- functions and statements ----

    def _body(self, node: FunctionNode, entry: int, leave: int, fail: int) -> None:
        """Follow the body of a function between three flow nodes: its start, and where it returns and raises."""
        outer = (self._loops, self._tries, getattr(self, "_ends", (entry, leave, fail)), getattr(self, "_catch", fail))
        self._loops, self._tries, self._ends, self._catch = [], [], (entry, leave, fail), fail
        end = self._value(node.body, entry) if isinstance(node, ast.Lambda) else self._block(node.body, entry)
        self._edges[end].add(leave)
        self._loops, self._tries, self._ends, self._catch = outer

    def _block(self, statements: Iterable[ast.stmt], at: int) -> int:
        """Follow statements, each of which may raise. Return the flow node after them."""
        for statement in statements:
            self._edges[at].add(self._catch)
            visit: Callable[[ast.stmt, int], int] | None = getattr(self, f"_{type(statement).__name__}", None)
            at = visit(statement, at) if visit else self._children(statement, at)
        self._edges[at].add(self._catch)
        return at

    def _children(self, node: ast.AST, at: int) -> int:
        """Follow the parts of any other statement or expression, one after the other."""
        for child in ast.iter_child_nodes(node):
            at = self._value(child, at)
        return at

    def _FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, at: int) -> int:
        """Follow the definition of a function inside a function."""
        for decorator in node.decorator_list:
            at = self._value(decorator, at)
        at = self._defaults(node.args, at)
        return self._inner(node, at)

    _AsyncFunctionDef = _FunctionDef

    def _inner(self, node: FunctionNode, at: int) -> int:
        """Follow the body of an inner function. A named one runs where it is called; an unnamed one may run here."""
        if node in self._inner_ends:
            self._body(node, *self._inner_ends[node])
            return at
        entry, leave = self._node(at), self._node()
        self._body(node, entry, leave, self._catch)
        return self._node(at, leave)

    def _defaults(self, arguments: ast.arguments, at: int) -> int:
        for default in [*arguments.defaults, *(d for d in arguments.kw_defaults if d)]:
            at = self._value(default, at)
        return at

    def _AnnAssign(self, node: ast.AnnAssign, at: int) -> int:
        """Follow the target and the value; Python does not evaluate annotations of local variables."""
        at = self._value(node.target, at)
        return self._value(node.value, at) if node.value else at

    def _AugAssign(self, node: ast.AugAssign, at: int) -> int:
        return self._checked(node, self._children(node, at))

    def _If(self, node: ast.If, at: int) -> int:
        yes, no = self._test(node.test, at)
        return self._node(self._block(node.body, yes), self._block(node.orelse, no))

    def _While(self, node: ast.While, at: int) -> int:
        head, after = self._node(at), self._node()
        yes, no = self._test(node.test, head)
        return self._loop(node, head, after, yes, no)

    def _For(self, node: ast.For | ast.AsyncFor, at: int) -> int:
        head, after = self._node(at), self._node()
        ready = self._value(node.iter, head)
        if not self._generates(node.iter):
            head = ready = self._node(ready)
        yes, no = self._site(node, 0, ready, self._source.head(node), "for")
        return self._loop(node, head, after, self._value(node.target, yes), no)

    _AsyncFor = _For

    def _loop(self, node: ast.While | ast.For | ast.AsyncFor, head: int, after: int, yes: int, no: int) -> int:
        """Follow the body of a loop and its ``else``. ``after`` is the flow node behind the loop, and the result."""
        self._loops.append((head, after, len(self._tries)))
        self._edges[self._block(node.body, yes)].add(head)
        self._loops.pop()
        self._edges[self._block(node.orelse, no)].add(after)
        return after

    def _Break(self, node: ast.Break, at: int) -> int:
        _, after, depth = self._loops[-1]
        self._jump(at, (after, depth))
        return self._node()

    def _Continue(self, node: ast.Continue, at: int) -> int:
        head, _, depth = self._loops[-1]
        self._jump(at, (head, depth))
        return self._node()

    def _Return(self, node: ast.Return, at: int) -> int:
        at = self._children(node, at)
        self._edges[at].add(self._catch)
        self._jump(at, (self._ends[1], 0))
        return self._node()

    def _jump(self, at: int, target: FlowTarget) -> None:
        """Add a jump. If it leaves a `try` body, this body ends there without an exception, like at its last line."""
        if len(self._tries) > target[1]:
            through, targets = self._tries[-1]
            self._edges[at].add(through)
            targets.add(target)
        else:
            self._edges[at].add(target[0])

    def _Raise(self, node: ast.Raise, at: int) -> int:
        self._edges[self._children(node, at)].add(self._catch)
        return self._node()

    def _Assert(self, node: ast.Assert, at: int) -> int:
        before, self._form = self._form, "assert"
        yes, no = self._test(node.test, at)
        self._form = before
        if not self._tries:
            self._failures.add(no)
        self._edges[self._value(node.msg, no) if node.msg else no].add(self._catch)
        return yes

    def _With(self, node: ast.With | ast.AsyncWith, at: int) -> int:
        for item in node.items:
            at = self._children(item, at)
        return self._node(at, self._block(node.body, at))  # a context manager may suppress an exception

    _AsyncWith = _With

    def _Try(self, node: ast.Try | ast.TryStar, at: int) -> int:
        outer, self._catch = self._catch, self._node(at)
        caught, done = self._catch, self._node()
        if node.finalbody:
            self._catch = self._node()
        cleanup = self._catch if node.finalbody else outer
        before, targets = self._node(), set[FlowTarget]()
        self._tries.append((before, targets))
        self._edges[self._protected(node.body, at, caught, cleanup)].add(before)
        self._tries.pop()
        for handler in node.handlers:
            yes, no = self._site(handler, 0, before, self._source.head(handler), "except")
            self._edges[caught].add(yes)
            self._edges[self._block(handler.body, self._value(handler.type, yes) if handler.type else yes)].add(done)
            before = no
        for target in targets:
            if node.finalbody:
                self._edges[before].add(cleanup)
            else:
                self._jump(before, target)
        after = before if falls_through(node.body) else self._node()
        self._edges[self._block(node.orelse, after)].add(done)
        self._edges[caught].add(cleanup)
        self._catch = outer
        if not node.finalbody:
            return done
        self._edges[cleanup].add(done)
        end = self._block(node.finalbody, done)
        self._edges[end].add(outer)
        for target in targets | {(self._ends[1], 0)}:
            self._jump(end, target)
        return end

    _TryStar = _Try

    def _protected(self, statements: list[ast.stmt], at: int, caught: int, cleanup: int) -> int:
        """Follow statements whose exceptions lead to ``caught``; later ones lead to ``cleanup``."""
        self._catch = caught
        end = self._block(statements, at)
        self._catch = cleanup
        return end

    def _Match(self, node: ast.Match, at: int) -> int:
        at, after = self._value(node.subject, at), self._node()
        for case in node.cases:
            yes, no = at, self._node()
            if not irrefutable(case.pattern):
                text = f"case {self._source.segment(case.pattern)}"
                yes, no = self._site(case, 0, at, text, "case", case.pattern)
            unguarded = self._node()
            if case.guard:
                yes, unguarded = self._test(case.guard, yes)
            self._edges[self._block(case.body, yes)].add(after)
            at = self._node(no, unguarded)
        self._edges[at].add(after)
        return after

    # ---- expressions ----

    def _value(self, node: ast.AST, at: int) -> int:
        """Follow an expression that is evaluated for its value, and then checked for faults."""
        return self._checked(node, self._evaluated(node, at))

    def _checked(self, node: ast.AST, at: int) -> int:
        """Add the sites of a node's checks, each reached from the one before. Return the flow node after them."""
        for number, check in enumerate(checks_of(node)):
            text, key = self._source.segment(check.around), further_key(node, number)
            at = self._node(*self._site(*key, at, text, check.kind, where=check.around))
        return at

    def _evaluated(self, node: ast.AST, at: int) -> int:
        """Follow an expression that is evaluated for its value."""
        if isinstance(node, ast.Compare) and node not in self._masks:
            return self._node(*self._compare(node, at))
        if isinstance(node, ast.BoolOp):
            *some, last = node.values
            ends = []
            for operand in some:
                yes, no = self._test(operand, at)
                at, end = (yes, no) if isinstance(node.op, ast.And) else (no, yes)
                ends.append(end)
            return self._node(self._value(last, at), *ends)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._node(*self._test(node.operand, at))
        if isinstance(node, ast.IfExp):
            yes, no = self._test(node.test, at)
            return self._node(self._value(node.body, yes), self._value(node.orelse, no))
        if isinstance(node, ast.Lambda):
            return self._inner(node, self._defaults(node.args, at))
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            return self._comprehension(node, at)
        if isinstance(node, ast.stmt):
            return self._block([node], at)
        if isinstance(node, ast.Call):
            return self._call(node, at)
        at = self._children(node, at)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._mention(node, at)
        return self._yield(at) if isinstance(node, ast.Yield | ast.YieldFrom) else at

    def _call(self, node: ast.Call, at: int) -> int:
        """Follow a call. If its name is that of a known function or method, control may enter that."""
        name = name_of(node.func)
        if name in self._known:  # visit only the parts of the name: as a whole it is a call, not a mention
            at = self._children(node.func, at)
            for part in (*node.args, *node.keywords):
                at = self._value(part, at)
        else:
            at = self._children(node, at)
        after = self._node()
        for callee in self._known.get(name, ()):
            self._enter(callee, at, after, self._catch)
        if name not in self._known or isinstance(node.func, ast.Attribute):
            self._edges[at].add(after)
        if name in self._variables or not name:
            self._pointed.append((at, after, self._catch))
        return after

    def _enter(self, callee: Ends, at: int, after: int, raised: int) -> None:
        """Add a call of a function at a flow node: it leads to ``after``, or to ``raised`` if the function raises."""
        entry, leave, fail = callee
        self._flow.call(at, entry, (leave, after), (fail, raised))

    def _mention(self, node: ast.Name | ast.Attribute, at: int) -> int:
        """Follow the mention of a known function without a call, such as an argument ``key=f``, or of a property.

        The function may run here any number of times, and wherever a variable is called.
        """
        after, callees = self._node(at), self._known.get(name_of(node), [])
        for callee in callees if isinstance(node.ctx, ast.Load) else []:
            self._enter(callee, at, after, self._catch)
            self._edges[after].add(at)
            self._mentioned.add(callee)
        return after

    def _yield(self, at: int) -> int:
        """Follow a ``yield``: control returns to the caller, and comes back when the generator is resumed."""
        entry, leave, _ = self._ends
        after = self._node(at)
        self._edges[at].add(leave)
        self._edges[entry].add(after)
        return after

    def _generates(self, node: ast.expr) -> bool:
        """Whether a loop over this expression resumes a known generator in each iteration."""
        return any(isinstance(part, ast.Call) and name_of(part.func) in self._generators for part in ast.walk(node))

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, at: int) -> int:
        """Follow a comprehension, whose elements may be evaluated any number of times."""
        outermost = 0
        back = 0
        for number, generator in enumerate(node.generators):
            before = self._node(at)
            ready = self._node(self._value(generator.iter, before))
            loop = ready
            if self._generates(generator.iter):
                self._edges[loop := self._node()].add(before)
                self._edges[ready].add(loop)
            if number:
                self._edges[loop].add(back)
            else:
                outermost = loop
            back = loop
            at = self._value(generator.target, loop)
            for condition in generator.ifs:
                at, no = self._test(condition, at)
                self._edges[no].add(loop)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in parts:
            at = self._value(part, at)
        self._edges[at].add(back)
        return self._node(outermost)

    def _compare(self, node: ast.Compare, at: int) -> tuple[int, int]:
        """Add the sites of a comparison. Return the flow nodes for true (all parts hold) and for false."""
        at = self._value(node.left, at)
        left, failed = node.left, []
        for index, right in enumerate(node.comparators):
            at = self._value(right, at)
            mark = getattr(node, MARK, "")
            text = mark or self._source.comparison(node, index)
            if step_beside(node, index):
                at = self._beside(node, index, at, text, left)
            at, no = self._site(node, index, at, text, "line" * bool(mark), where=left)
            failed.append(no)
            left = right
        return at, self._node(*failed)

    def _test(self, node: ast.expr, at: int) -> tuple[int, int]:
        """Follow an expression that is a condition. Return the flow nodes for true and for false."""
        if isinstance(node, ast.Compare):
            return self._compare(node, at)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yes, no = self._test(node.operand, at)
            return no, yes
        if isinstance(node, ast.BoolOp):
            ends = []
            for operand in node.values:
                yes, no = self._test(operand, at)
                at, end = (yes, no) if isinstance(node.op, ast.And) else (no, yes)
                ends.append(end)
            decided = self._node(*ends)
            return (at, decided) if isinstance(node.op, ast.And) else (decided, at)
        if isinstance(node, ast.IfExp):
            yes, no = self._test(node.test, at)
            first, second = self._test(node.body, yes), self._test(node.orelse, no)
            return self._node(first[0], second[0]), self._node(first[1], second[1])
        if isinstance(node, ast.Constant):
            return (at, self._node()) if node.value else (self._node(), at)
        return self._site(node, 0, self._value(node, at), self._source.segment(node))
