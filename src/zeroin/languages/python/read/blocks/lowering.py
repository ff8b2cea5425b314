"""The code of a function from its syntax tree, in the order of evaluation."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, TypeAlias

from .....subject.base import STEPS
from ...front.syntax import annotations_of, defaults_of, outer_name, own_parts
from ...run.probes.fault_checks import ResultCheck, checks_before, checks_of
from ...run.probes.rewrite import SIGNS
from ...run.probes.sites import SiteKey, further_key
from ...run.probes.source import Function
from ...run.probes.syntax_tree import irrefutable, masks_of, written_beside
from .code import RELATIONS, UNARY, Code, Instruction, Label, Start
from .scope import (
    captured_names,
    forgotten_in,
    is_generator,
    jumps_out,
    literal_defaults,
    local_names,
    shared_names,
    stored_in,
    why_unread,
)

_Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Each: TypeAlias = Callable[[Label, tuple[str, ...]], None]


class Lowering:
    """Makes the code of a function.

    Args:
        function: its nodes are not changed.
        numbers: the sites of its nodes.
        places: numbers that nothing else has.
        around: makes the code of the function that it is defined in; None outside.
    """

    def __init__(self, function: Function, numbers: Mapping[SiteKey, int], places: count[int],
                 around: Lowering | None = None) -> None:  # fmt: skip
        self._source, self._around = function.source, around
        self._numbers, self._places = numbers, places
        self._masks = masks_of([function])
        # With the numbers of tries and cleanups around, and that of values on the stack.
        self._loops: list[tuple[Label, Label, int, int, int]] = []
        self._handlers: list[tuple[Label, int]] = []
        self._tries: list[list[int]] = []  # the sites of the handlers of each ``try`` whose body this is
        self._cleanups: list[tuple[Callable[[], None], int]] = []  # with the number of handlers around
        self._scopes: list[dict[str, str]] = []  # of comprehensions: what their variables are called here
        self._caught: list[str] = []  # the variables of the exceptions that are being handled
        self._line, self._hidden, self._depth, self._copies = 0, 0, 0, 0
        self._class: str = _class_around(function.name) or (around._class if around is not None else "")
        node = function.node
        arguments = node.args
        by_position = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        self.code = Code(function.name, (*by_position, *(a.arg for a in arguments.kwonlyargs)), len(by_position),
                         len(arguments.posonlyargs), literal_defaults(arguments), shared_names(node),
                         captured_names(node))  # fmt: skip
        self.code.node = node
        self._local, self._forgotten, self._jumps = local_names(node), forgotten_in(node), False
        self._globals = {name for part in own_parts(node) if isinstance(part, ast.Global) for name in part.names}
        why = why_unread(node)
        if any(self._private(name) != name for name in self.code.parameters):
            why = why or "a parameter has a private name"
        if why:
            self._unread(node, why)
        elif isinstance(node, ast.FunctionDef):
            if is_generator(node):
                self.code.is_generator = self._jumps = True
                self._emit("generator")
            self._block(node.body)
            self._emit("value")
            self._emit("return")
        elif isinstance(node, ast.Lambda):
            self._value(node.body)
            self._emit("return")
        if self._jumps:  # nobody knows from where control comes
            self.code.starts.clear()

    # ---- instructions ----

    def _emit(self, op: str, argument: object = None, *labels: Label, site: int = -1) -> None:
        handler = self._handlers[-1] if self._handlers else None
        self.code.body.append(Instruction(op, argument, self._line, next(self._places), site, labels, handler))

    def _here(self, *labels: Label) -> None:
        for label in labels:
            label.at = len(self.code.body)

    def _unread(self, node: ast.AST, what: str = "", op: str = "unread") -> None:
        """Nobody knows what happens here, or, as ``op`` says, what comes of it."""
        line = getattr(node, "lineno", self._line)
        self._jumps |= jumps_out(node)
        said = f"line {line}: {what or type(node).__name__}"
        stored = tuple(sorted(stored_in(node)))
        if stored and op != "unread":
            self._emit("partly", said)
            self._emit("forget", stored)
        plain = None if self._scopes else node  # names in comprehensions stand for other variables
        self._emit(op, (said, plain) if op == "unknown" else said)

    def _begin(self, node: ast.AST, index: int, *parts: ast.AST) -> int:
        """Here the evaluation of a condition, or of these parts, begins; its site."""
        site = self._numbers.get((node, index), -1)
        if site >= 0 and not self._copies:
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

    def _partly(self, node: ast.AST, what: str = "") -> None:
        """From here on, only proofs read this."""
        self._emit("partly", f"line {getattr(node, 'lineno', self._line)}: {what or type(node).__name__}")

    def _FunctionDef(self, node: ast.FunctionDef) -> None:
        """A function inside."""
        if node.decorator_list or not all(map(_is_plain_annotation, annotations_of(node))):
            return self._ClassDef(node)
        self._partly(node)
        self._defined(node)
        if annotations_of(node):
            self._emit("annotated", tuple(sorted(_looked_into(annotations_of(node)))))
        return self._bind(node.name)

    def _defined(self, node: ast.FunctionDef | ast.Lambda) -> None:
        """Push a function inside, with the defaults of its last parameters."""
        described = Function(getattr(node, "name", "<lambda>"), node, self._source)
        inner = Lowering(described, self._numbers, self._places, self)
        self.code.inner.append(inner.code)
        defaults = defaults_of(node.args)
        for default in defaults.values():
            self._value(default)
        self._emit("closure", (inner.code, tuple(defaults), f"line {node.lineno}: {type(node).__name__}"))

    def _ClassDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """A class inside, or something like it: nobody knows what it is."""
        self._partly(node)
        self._unread(node, node.name, "unknown")
        self._bind(node.name)

    _AsyncFunctionDef = _ClassDef

    def _Import(self, node: ast.Import | ast.ImportFrom) -> None:
        self._partly(node)
        for name in sorted(stored_in(node)):
            self._emit("unknown", (f"line {node.lineno}: an import", node))
            self._bind(name)

    _ImportFrom = _Import

    def _Global(self, node: ast.Global | ast.Nonlocal) -> None:
        self._partly(node)

    _Nonlocal = _Global

    def _Delete(self, node: ast.Delete) -> None:
        self._partly(node)
        for target in node.targets:
            self._deleted(target)

    def _deleted(self, target: ast.expr) -> None:
        said = f"line {target.lineno}: a deletion"
        match target:
            case ast.Name():
                self._name(target.id)
                self._emit("pop")
                if target.id in self._local:
                    self._emit("forget", (target.id,))
            case ast.Attribute():
                self._value(target.value)
                self._emit("drop", (self._private(target.attr), said))
            case ast.Subscript():
                self._value(target.value)
                self._emit("delete", (said, self._index(target.slice)))
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self._deleted(part)

    def _index(self, node: ast.expr) -> int:
        """Push an index, or the bounds of slices; how many values these are."""
        if isinstance(node, ast.Slice):
            bounds = [bound for bound in (node.lower, node.upper, node.step) if bound is not None]
            for bound in bounds:
                self._value(bound)
            return len(bounds)
        if isinstance(node, ast.Tuple) and any(isinstance(part, ast.Slice) for part in node.elts):
            return sum(map(self._index, node.elts))
        self._value(node)
        return 1

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
        elif not isinstance(node.target, ast.Name):  # it is looked at
            self._value(node.target.value)
            self._emit("pop")
            for _ in range(self._index(node.target.slice) if isinstance(node.target, ast.Subscript) else 0):
                self._emit("pop")

    def _AugAssign(self, node: ast.AugAssign) -> None:
        target, sign = node.target, SIGNS[type(node.op)]
        if isinstance(target, ast.Attribute):
            self._value(target.value)
            self._emit("copy")
            self._emit("attribute", self._private(target.attr))
            self._value(node.value)
            self._emit("augmented", sign)
            self._emit("swap")
            self._emit("assign", (self._private(target.attr), self._said(target)))
        elif isinstance(target, ast.Name):
            self._name(target.id)
            self._value(node.value)
            self._operation(node, "augmented")
            self._store(target)
        elif isinstance(target.slice, ast.Slice | ast.Tuple):
            self._unread(node, "an assignment to a slice", "unknown")
            self._emit("pop")
        else:
            self._value(target.value)
            self._value(target.slice)
            self._emit("copies")
            self._emit("item")
            self._value(node.value)
            self._emit("augmented", sign)
            self._emit("altered", (self._said(target), 1, False, False))

    def _said(self, target: ast.expr) -> str:
        return f"line {target.lineno}: an assignment to an item or attribute"

    def _bind(self, name: str) -> None:
        """Pop the value of a name."""
        self._emit("store_global" if name in self._globals else "store", name)

    def _store(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name) and (level := self._level(target.id)):
            self._emit("outer", (target.id, level, True))
        elif isinstance(target, ast.Name):
            self._bind(self._called(target.id))
        elif isinstance(target, ast.Tuple | ast.List) and not any(isinstance(t, ast.Starred) for t in target.elts):
            self._emit("unpack", len(target.elts))
            for item in target.elts:
                self._store(item)
        elif isinstance(target, ast.Starred):
            self._store(target.value)
        elif isinstance(target, ast.Tuple | ast.List):
            self._partly(target, "an assignment with *")
            before = next(n for n, one in enumerate(target.elts) if isinstance(one, ast.Starred))
            self._emit("spread", (before, len(target.elts) - before - 1))
            for item in target.elts:
                self._store(item)
        elif isinstance(target, ast.Attribute):
            self._value(target.value)
            self._emit("assign", (self._private(target.attr), self._said(target)))
        elif isinstance(target, ast.Subscript):
            self._value(target.value)
            number = self._index(target.slice)
            is_slice = any(isinstance(part, ast.Slice) for part in (target.slice, *ast.iter_child_nodes(target.slice)))
            self._emit("altered", (self._said(target), number, True, is_slice))

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
        self._loops.append((head, after, 0, 0, 0))  # the condition is evaluated several times, too
        self._test(node.test, yes, no)
        self._loops.pop()
        self._turn(node, head, yes, no, after)

    def _For(self, node: ast.For) -> None:
        if isinstance(node.iter, ast.GeneratorExp) and not self._is_special(node.iter):
            shortly, after = Label(), Label()
            self._emit("aside", None, shortly)
            made = node.iter
            self._copied(lambda: self._for_each(node, made, after))
            self._here(shortly)
            self._loop_over(node)
            return self._here(after)
        return self._loop_over(node)

    def _for_each(self, node: ast.For, made: ast.GeneratorExp, after: Label) -> None:
        """A loop over a generator that nothing else sees: its body stands where the generator gives a value."""
        site, outer = self._numbers.get((node, 0), -1), self._scopes

        def each(head: Label, iterators: tuple[str, ...]) -> None:
            self._value(made.elt)
            inner, self._scopes = self._scopes, outer
            self._emit("report", True, site=site)
            self._store(node.target)
            self._loops.append((head, after, len(self._tries), len(self._cleanups), self._depth))
            self._block(node.body)
            self._loops.pop()
            self._scopes = inner

        self._comprehended(made, each)
        self._emit("report", False, site=site)
        self._block(node.orelse)
        self._emit("jump", None, after)

    def _loop_over(self, node: ast.For) -> None:
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
        self._loops.append((head, after, len(self._tries), len(self._cleanups), self._depth))
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
            self._partly(pattern, "a match pattern with parts")
            return self._emit("forget", tuple(sorted(stored_in(pattern))))
        if pattern.name is not None:
            self._emit("copy")
            self._bind(pattern.name)
        return None

    def _matching(self, case: ast.match_case) -> None:
        """Push whether the value matches one of some literals."""
        pattern = case.pattern
        for number, one in enumerate(pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]):
            is_class = isinstance(one, ast.MatchClass) and not (one.patterns or one.kwd_patterns)
            if not (is_class or isinstance(one, ast.MatchValue | ast.MatchSingleton)):
                self._partly(pattern, "a match pattern with parts")
                if number:
                    self._emit("pop")
                self._emit("forget", tuple(sorted(stored_in(pattern))))
                return self._emit("unknown", (f"line {pattern.lineno}: a match pattern with parts", pattern))
            matched = Label()
            asked = one.cls if isinstance(one, ast.MatchClass) else getattr(one, "value", None)
            if number and isinstance(asked, ast.expr) and not isinstance(asked, ast.Constant | ast.Name):
                further = Label()
                self._emit("copy")
                self._emit("truth", None, matched, further)
                self._here(further)
            if number:
                self._emit("below")
            else:
                self._emit("copy")
            if isinstance(one, ast.MatchSingleton):
                self._emit("value", one.value)
                self._emit("equal", "is")
            elif isinstance(one, ast.MatchClass):
                self._value(one.cls)
                self._emit("equal", "isinstance")
            elif isinstance(one, ast.MatchValue):
                self._value(one.value)
                self._emit("equal", "==")
            if number:
                self._emit("binary", "|")
            self._here(matched)
        return None

    def _Break(self, node: ast.Break) -> None:
        self._left(self._loops[-1][1])

    def _Continue(self, node: ast.Continue) -> None:
        self._left(self._loops[-1][0])

    def _left(self, target: Label) -> None:
        """Leave the body of the innermost loop."""
        *_, tries, cleanups, depth = self._loops[-1]
        self._leave(tries, cleanups)
        for _ in range(self._depth - depth):  # a value that is returned, or an exception
            self._emit("pop")
        self._emit("jump", None, target)

    def _Return(self, node: ast.Return) -> None:
        if node.value is None:
            self._emit("value")
        else:
            self._value(node.value)
        self._depth += 1
        self._leave(0, 0)
        self._depth -= 1
        self._emit("return")

    def _leave(self, tries: int, cleanups: int) -> None:
        """Control leaves the bodies of ``try`` and ``with`` from these on."""
        for sites in reversed(self._tries[tries:]):
            self._reported(sites)
        handlers, left, own = self._handlers, self._cleanups, self._tries
        self._tries = []
        for number in range(len(left) - 1, cleanups - 1, -1):
            clean, around = left[number]
            self._handlers, self._cleanups = handlers[:around], left[:number]
            self._copied(clean)
        self._handlers, self._cleanups, self._tries = handlers, left, own

    def _copied(self, clean: Callable[[], None]) -> None:
        """Code that may be there several times, or is left in the middle. Look-ahead does not begin there."""
        self._copies += 1
        clean()
        self._copies -= 1

    def _reported(self, sites: Sequence[int]) -> None:
        """The body of a ``try`` ends without an exception."""
        for site in sites:
            self._emit("report", False, site=site)

    def _Try(self, node: ast.Try) -> None:
        self._partly(node)
        self._jumps |= jumps_out(node)
        if node.finalbody:
            self._copied(lambda: self._cleaned(lambda: self._tried(node), lambda: self._block(node.finalbody), Label()))
        else:
            self._copied(lambda: self._tried(node))

    def _cleaned(self, body: Callable[[], None], cleanup: Callable[[], None], after: Label,
                 swallows: bool = False) -> None:  # fmt: skip
        """Something that is cleaned up after, however it ends; ``swallows`` says that an exception may end there."""
        raised = Label()

        def clean() -> None:
            self._caught.append("")  # whatever is handled around
            cleanup()
            self._caught.pop()

        self._cleanups.append((clean, len(self._handlers)))
        self._handlers.append((raised, self._depth))
        body()
        self._handlers.pop()
        self._cleanups.pop()
        self._copied(clean)
        self._emit("jump", None, after)
        self._here(raised)
        self._depth += 1
        self._copied(clean)
        self._depth -= 1
        if swallows:
            goes_on, swallowed = Label(), Label()
            self._emit("either", None, goes_on, swallowed)
            self._here(swallowed)
            self._emit("pop")
            self._emit("jump", None, after)
            self._here(goes_on)
        self._emit("reraise")
        self._here(after)

    def _tried(self, node: ast.Try) -> None:
        """The body, and the handlers."""
        if not node.handlers:
            self._block(node.body)
            return self._block(node.orelse)
        raised, after = Label(), Label()
        sites = [self._numbers.get((handler, 0), -1) for handler in node.handlers]
        self._handlers.append((raised, self._depth))
        self._tries.append(sites)
        self._block(node.body)
        self._tries.pop()
        self._handlers.pop()
        self._reported(sites)
        self._block(node.orelse)
        self._emit("jump", None, after)
        self._here(raised)
        self._hidden += 1
        caught = f"caught {self._hidden}"
        self._emit("store", caught)
        for handler, site in zip(node.handlers, sites, strict=True):
            following = Label()
            self._line = handler.lineno
            if handler.type is not None:
                matched = Label()
                self._emit("load", caught)
                self._value(handler.type)
                self._emit("matches", None, matched, following)
                self._here(matched)
            self._emit("report", True, site=site)
            if handler.name:
                self._emit("load", caught)
                self._bind(handler.name)
            self._caught.append(caught)
            self._handled(handler)
            self._caught.pop()
            self._emit("jump", None, after)
            self._here(following)
        self._emit("load", caught)
        self._emit("reraise")
        return self._here(after)

    def _handled(self, handler: ast.ExceptHandler) -> None:
        """The body of a handler; after it, the exception's name stands for nothing."""
        if handler.name is None:
            return self._block(handler.body)
        name = (self._called(handler.name),)
        return self._cleaned(lambda: self._block(handler.body), lambda: self._emit("forget", name), Label())

    def _With(self, node: ast.With) -> None:
        self._partly(node)
        self._jumps |= jumps_out(node)
        self._copied(lambda: self._entered(node, 0))

    def _entered(self, node: ast.With, number: int) -> None:
        """Make the code that enters the context managers from ``number`` on, runs the body, and leaves them."""
        if number == len(node.items):
            return self._block(node.body)
        item = node.items[number]
        self._value(item.context_expr)
        self._emit("manager", True)

        def body() -> None:
            if item.optional_vars is not None:
                self._emit("unknown", (f"line {node.lineno}: a context manager", None))
                self._store(item.optional_vars)
            self._entered(node, number + 1)

        return self._cleaned(body, lambda: self._emit("manager", False), Label(), True)

    def _Raise(self, node: ast.Raise) -> None:
        if node.exc is None and self._caught and self._caught[-1]:
            self._emit("load", self._caught[-1])
            self._emit("reraise")
            return
        self._ending([node.exc, node.cause], self._kind_raised(node), node.exc)

    def _Assert(self, node: ast.Assert) -> None:
        yes, no = Label(), Label()
        self._test(node.test, yes, no)
        self._here(no)
        self._ending([node.msg], AssertionError)
        self._here(yes)

    def _kind_raised(self, node: ast.Raise) -> str | None:
        """The global name of the class of which an object is raised, exactly; None if it is not that simple."""
        made, has_cause = node.exc, node.cause is not None and ast.unparse(node.cause) != "None"
        if isinstance(made, ast.Call):
            has_cause |= any(isinstance(one, ast.Starred) for one in made.args)
            has_cause |= any(one.arg is None for one in made.keywords)
            made = made.func
        return made.id if isinstance(made, ast.Name) and self._is_global(made.id) and not has_cause else None

    def _ending(self, shown: Sequence[ast.expr | None], kind: type | str | None,
                raised: ast.expr | None = None) -> None:  # fmt: skip
        """The run ends, or a handler is looked for. Only proofs read what is shown then, unless something is decided
        there.

        Args:
            shown: what makes the exception.
            kind: its class, or the global name of it; None if nobody knows.
            raised: the expression of the exception itself; None for an assertion, which has a message.
        """
        parts = [part for each in shown if each for part in ast.walk(each)]
        has_keywords = isinstance(raised, ast.Call) and bool(raised.keywords)
        count = len(raised.args) if isinstance(raised, ast.Call) else 0
        for part in parts:
            has_site = any(key in self._numbers for key in ((part, 0), (part, 1)))
            if has_site or (isinstance(part, ast.Call | ast.Attribute) and self._may_decide(part)):
                self._partly(part, "a decision, call or attribute in the arguments of an exception")
                self._evaluated(shown, raised)
                return self._emit("raise", ((), kind, has_keywords, count))
        shortly, end = Label(), Label()
        self._emit("aside", None, shortly)
        self._evaluated(shown, raised)
        self._emit("jump", None, end)
        self._here(shortly)
        for part in parts:
            if isinstance(part, ast.Name) and part.id in self._local:
                self._name(part.id)
                self._emit("shown")
        self._here(end)
        names = tuple(part.id for part in parts if isinstance(part, ast.Name))
        return self._emit("raise", (names, kind, has_keywords, count))

    def _evaluated(self, shown: Iterable[ast.expr | None], raised: ast.expr | None) -> None:
        """Evaluate what makes an exception, but for the exception itself, which is ``raised``."""
        for one in shown:
            parts = [one]
            if isinstance(one, ast.Call) and one is raised:
                parts = [one.func, *one.args, *(keyword.value for keyword in one.keywords)]
            for part in parts:
                if part is None or isinstance(part, ast.Constant):
                    continue
                self._value(part.value if isinstance(part, ast.Starred) else part)
                if isinstance(part, ast.Starred):
                    self._emit("iterate")
                self._emit("pop")

    def _is_global(self, name: str) -> bool:
        """Whether a name is one of the module, or Python's own."""
        return name not in self._local and self._called(name) == name and not self._level(name)

    def _may_decide(self, part: ast.Call | ast.Attribute) -> bool:
        """Whether code with conditions may run; of what has a global name, that is known later."""
        if isinstance(called := part.func if isinstance(part, ast.Call) else part, ast.Attribute):
            return not isinstance(called.value, ast.Constant)  # "...".format(x)
        return not isinstance(called, ast.Name) or called.id in self._local

    # ---- expressions ----

    def _value(self, node: ast.expr) -> None:
        self._plain_value(node)
        self._checks(node)

    def _checks(self, node: ast.AST) -> None:
        """The checks of the value on top of the stack."""
        for number, check in enumerate(checks_before(node)):
            self._emit("check", check, site=self._numbers.get(further_key(node, number), -1))

    def _operation(self, node: ast.BinOp | ast.AugAssign, op: str) -> None:
        """An operation on the two on top of the stack, with the checks of its result."""
        sign = SIGNS[type(node.op)]
        results = [(n, check) for n, check in enumerate(checks_of(node)) if isinstance(check, ResultCheck)]
        if results:
            self._emit("copies")
        self._emit(op, sign)
        for number, check in results:
            self._emit("wrong", (check.kind, sign), site=self._numbers.get(further_key(node, number), -1))
        for step in ("swap", "pop") * 2 if results else ():
            self._emit(step)

    def _plain_value(self, node: ast.expr) -> None:
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
                self._operation(node, "binary")
            case ast.BoolOp():
                self._either(node)
            case ast.IfExp():
                self._chosen(node)
            case ast.Attribute():
                self._value(node.value)
                self._emit("attribute", self._private(node.attr))
            case ast.Subscript(slice=ast.Slice(step=None, lower=lower, upper=upper)):
                self._value(node.value)
                for bound in (lower, upper):
                    self._value(bound or ast.Constant(None))
                self._emit("slice", f"line {node.lineno}: a slice")
            case ast.Subscript(value=ast.Dict(keys=keys, values=values)) if (
                keys and all(isinstance(key, ast.Constant) for key in keys)
                and not isinstance(node.slice, ast.Slice | ast.Tuple)
            ):  # fmt: skip
                for value in values:
                    self._value(value)
                self._emit("tuple", len(values))
                self._value(node.slice)
                said = f"line {node.lineno}: an item of a dict"
                self._emit("choose", (said, tuple(key.value for key in keys if isinstance(key, ast.Constant))))
            case ast.Subscript() if not isinstance(node.slice, ast.Slice | ast.Tuple):
                self._value(_as_tuple(node.value) if isinstance(node.value, ast.List) else node.value)
                self._value(node.slice)
                self._emit("item")
            case ast.Tuple() if not any(isinstance(item, ast.Starred) for item in node.elts):
                for item in node.elts:
                    self._value(item)
                self._emit("tuple", len(node.elts))
            case ast.List(elts=parts) | ast.Set(elts=parts) if not any(isinstance(one, ast.Starred) for one in parts):
                self._data(node, list if isinstance(node, ast.List) else set, parts)
            case ast.Dict() if None not in node.keys:
                pairs = [part for pair in zip(node.keys, node.values, strict=True) for part in pair if part is not None]
                self._data(node, dict, pairs)
            case ast.JoinedStr() if all(map(_is_shown_plainly, node.values)):
                self._data(node, str, [one.value for one in node.values if isinstance(one, ast.FormattedValue)])
            case ast.ListComp() | ast.SetComp() | ast.DictComp() if not self._is_special(node):
                self._gathered(node)
            case ast.Lambda():
                self._defined(node)
            case ast.NamedExpr():
                self._value(node.value)
                self._emit("copy")
                self._store(node.target)
            case ast.Call():
                self._call(node)
            case ast.Yield():
                self._value(node.value or ast.Constant(None))
                self._emit("yield")
            case _:
                self._unread(node, op="unknown")

    def _data(self, node: ast.expr, kind: type, parts: Sequence[ast.expr]) -> None:
        """A list, set, dict or text of these parts."""
        if kind in (set, dict) and len(parts) > _MOST_AT_ONCE:  # some are hashed before the others are evaluated
            return self._unread(node, op="unknown")
        for part in parts:
            self._value(part)
            if kind is str:  # it is made a text before the next one is evaluated
                self._emit("copy")
                self._emit("shown")
                self._emit("annotated", ())
        return self._emit("data", (kind, len(parts), f"line {node.lineno}: {type(node).__name__}"))

    def _private(self, name: str) -> str:
        """What a name inside of a class is called outside."""
        return outer_name(name, self._class)

    def _name(self, name: str) -> None:
        if level := self._level(name):
            at = self
            for _ in range(level):
                at = at._around or at
            called = at._called(name)
            at.code.captured |= {called}
            return self._emit("outer", (called, level, False))
        called = self._called(name)
        if name in self._local or called != name:
            return self._emit("load", called)
        return self._emit("global", self._private(name))

    def _level(self, name: str) -> int:
        """How many functions further out a variable belongs to; 0 if it is this one's own, or global."""
        level, at = 0, self
        while name not in at._local and at._called(name) == name:
            if at._around is None or name in at._globals:
                return 0
            level, at = level + 1, at._around
        return level

    def _called(self, name: str) -> str:
        """What a variable is called here: those of comprehensions are variables of their own."""
        return next((scope[name] for scope in reversed(self._scopes) if name in scope), name)

    def _gathered(self, node: _Comprehension) -> None:
        """A comprehension, as a loop; only proofs read it. A generator is left at any time."""
        self._hidden += 1
        items, end, out = f"items {self._hidden}", Label(), Label()
        kind = next((kind for one, kind in _GATHERED if isinstance(node, one)), None)
        has_conditions = any(one.ifs for one in node.generators)

        def each(head: Label, iterators: tuple[str, ...]) -> None:
            for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
                self._value(part)
            self._emit("collect", (kind, items, iterators, has_conditions))

        self._emit("gather", (f"line {node.lineno}: {type(node).__name__}", node, "", items), end)
        self._copied(lambda: self._comprehended(node, each, (out, items) if kind is None else None))
        self._here(out)
        self._emit("gathered", (kind, items))
        self._here(end)

    def _found(self, name: str, node: ast.GeneratorExp) -> None:
        """``any`` or ``all`` of a generator: it is left where the first item says so."""
        end, found, done = Label(), Label(), Label()
        said = f"line {node.lineno}: {type(node).__name__}"

        def each(head: Label, iterators: tuple[str, ...]) -> None:
            self._test(node.elt, *((found, head) if name == "any" else (head, found)))

        self._emit("gather", (said, node, name, ""), end)
        self._copied(lambda: self._comprehended(node, each))
        for is_found in (False, True):
            self._emit("pop")
            self._emit("value", is_found is (name == "any"))
            self._emit("jump", None, done)
            self._here(end if is_found else found)
        self._emit("call", (1, ()))
        self._here(done)

    def _comprehended(self, node: _Comprehension, each: _Each, left: tuple[Label, str] | None = None) -> None:
        """The loops of a comprehension; arguments as of :meth:`_turns`."""
        self._hidden += 1
        targets = [part for one in node.generators for part in ast.walk(one.target)]
        names = {part.id for part in targets if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        scope = {name: f"{name} {self._hidden}" for name in names}
        self._value(node.generators[0].iter)
        if names:
            self._emit("forget", tuple(sorted(scope.values())))
        self._scopes = [*self._scopes, scope]
        self._turns(node, (), each, left)
        self._scopes = self._scopes[:-1]

    def _turns(self, node: _Comprehension, iterators: tuple[str, ...], each: _Each,
               left: tuple[Label, str] | None) -> None:  # fmt: skip
        """The loops of a comprehension from this one on.

        Args:
            iterators: the hidden variables of those around.
            each: what is done in the innermost one, with its head and all iterators.
            left: where a generator ends that is left at any time, and its items.
        """
        if len(iterators) == len(node.generators):
            return None
        one = node.generators[len(iterators)]
        head, yes, no = Label(), Label(), Label()
        self._hidden += 1
        if iterators:
            self._value(one.iter)
        iterators = (*iterators, f"turn {self._hidden}")
        self._emit("iterate", True)
        self._emit("store", iterators[-1])
        self._here(head)
        if left is not None:
            goes_on = Label()
            self._emit("leave", left[1], goes_on, left[0])
            self._here(goes_on)
        self._emit("next", iterators[-1], yes, no)
        self._here(yes)
        self._store(one.target)
        for condition in one.ifs:
            further = Label()
            self._test(condition, further, head)
            self._here(further)
        if len(iterators) == len(node.generators):
            each(head, iterators)
        self._turns(node, iterators, each, left)
        self._emit("jump", None, head)
        return self._here(no)

    def _is_special(self, node: _Comprehension) -> bool:
        """Whether a comprehension is asynchronous, assigns to other variables, or may be evaluated several times while
        functions inside see its variables."""
        parts = [part for part in ast.walk(node) if part is not node]
        is_repeated = bool(self._loops or self._scopes)
        return (
            any(one.is_async for one in node.generators)
            or any(isinstance(part, ast.NamedExpr) for part in parts)
            or any(isinstance(part, _Comprehension) and part is not node.generators[0].iter for part in parts)
            or (is_repeated and any(isinstance(part, ast.Lambda) for part in parts))
        )

    def _call(self, node: ast.Call) -> None:
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            return self._unread(node, "a call with * or **", "unknown")
        self._value(node.func)
        first = node.args[0] if len(node.args) == 1 else None
        is_only = isinstance(node.func, ast.Name) and not node.keywords
        if isinstance(first, ast.GeneratorExp) and is_only and not self._is_special(first):
            if isinstance(node.func, ast.Name) and node.func.id in ("any", "all"):
                return self._found(node.func.id, first)
            self._gathered(first)
            return self._emit("call", (1, ()))
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            self._value(argument)
        return self._emit("call", (len(node.args), tuple(self._private(str(keyword.arg)) for keyword in node.keywords)))

    def _decided(self, node: ast.expr) -> None:
        """A condition whose value is wanted."""
        yes, no, end = Label(), Label(), Label()
        self._test(node, yes, no)
        self._here(yes)
        self._emit("held", True)
        self._emit("jump", None, end)
        self._here(no)
        self._emit("held", False)
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
                self._emit("held", isinstance(node.op, ast.Or))
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
            is_in = isinstance(sign, ast.In | ast.NotIn)
            if is_in and isinstance(right, ast.Set) and _as_tuple(right) is not right:
                self._emit("hashed")
            self._value(_as_tuple(right) if is_in else right)
            further, is_last = Label(), right is node.comparators[-1]
            if not is_last:
                self._emit("keep")
            targets = (yes, no) if is_last else (further, dropped)
            first = self._numbers.get(further_key(node, number), -1)
            for place in range(len(STEPS) if first >= 0 else 0):
                self._emit("beside", (place, written_beside(node, number)), site=first + place)
            self._emit("compare", RELATIONS[type(sign)], *targets, site=site)
            self._here(further)
        if len(node.ops) > 1:
            self._here(dropped)
            self._emit("pop")
            self._emit("jump", None, no)


def _class_around(name: str) -> str:
    """The class that a method with this qualified name is in; empty if there is none."""
    outer = name.split(".")[:-1]
    return outer[-1] if outer and outer[-1] != "<locals>" else ""


def _as_tuple(node: ast.expr) -> ast.expr:
    """A list, or a set of constants, that is only looked for a value in: a tuple does the same."""
    if isinstance(node, ast.List) or (
        isinstance(node, ast.Set) and all(isinstance(n, ast.Constant) for n in node.elts)
    ):
        return ast.Tuple(node.elts, ast.Load())
    return node


def _is_plain_annotation(node: ast.expr) -> bool:
    """Whether the evaluation of an annotation has no effect."""
    plain = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Load)
    return all(isinstance(part, plain) for part in ast.walk(node))


def _looked_into(annotations: Iterable[ast.expr]) -> set[str]:
    """The names of which annotations use attributes, items or operators, which may run code."""
    operations = (ast.Attribute, ast.Subscript, ast.BinOp)
    return {name.id for one in annotations for part in ast.walk(one) if isinstance(part, operations)
            for name in ast.walk(part) if isinstance(name, ast.Name)}  # fmt: skip


def _is_shown_plainly(part: ast.expr) -> bool:
    """Whether a part of an f-string has no format of its own that is computed."""
    if isinstance(part, ast.FormattedValue):
        spec = part.format_spec
        return spec is None or (
            isinstance(spec, ast.JoinedStr) and all(isinstance(n, ast.Constant) for n in spec.values)
        )
    return True


_MOST_AT_ONCE = 30  # items of a set, or keys and values of a dict, that are evaluated before any is hashed
_GATHERED = (ast.ListComp, list), (ast.SetComp, set), (ast.DictComp, dict)
