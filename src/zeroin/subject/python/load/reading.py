"""Walks through functions, to see what they do with their parameters."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any

from ..probes.source import FunctionNode
from ..probes.tree import name_of
from .evidence import Evidence

_TEXT = frozenset(name for name in dir(str) if not name.startswith("_")) - {"count", "index"}
_LIST = frozenset(("append", "extend", "insert", "remove", "reverse", "sort", "count", "index", "pop"))
_DICT = frozenset(("items", "keys", "values", "get", "setdefault", "update", "pop"))
_ARRAY = frozenset(("shape", "dtype", "ndim", "mean", "sum", "reshape", "astype", "T", "flatten", "size", "any", "all"))
_INT = frozenset(("bit_length", "bit_count", "to_bytes"))
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
_OF_INT = ("range", "chr", "bin", "hex", "oct", "factorial", "comb", "perm", "gcd", "lcm", "isqrt")
_OF_ITEMS = ("len", "sum", "sorted", "min", "max", "enumerate", "zip", "any", "all", "reversed", "fsum", "set", "map",
             "list", "tuple", "mean", "median")  # fmt: skip
_OF_ARRAY = ("asarray", "array", "asanyarray", "atleast_1d")
_MATCHERS = ("match", "search", "fullmatch", "findall", "finditer", "sub", "split")


class Reading:
    """What the code says of the parameters of functions, each of which is read once.

    Args:
        nodes: of the functions whose code is known.
    """

    def __init__(self, nodes: Mapping[FunctionType, FunctionNode]) -> None:
        self._nodes, self._read = nodes, dict[FunctionType, dict[str, Evidence]]()

    def of(self, function: Any) -> dict[str, Evidence]:
        """By parameter, in their order; nothing if the code is not known."""
        if not isinstance(function, FunctionType) or function not in self._nodes:
            return {}
        if function not in self._read:
            node = self._nodes[function]
            arguments = node.args
            names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
            names += [arguments.vararg.arg] if arguments.vararg else []
            self._read[function] = found = {name: Evidence() for name in names}
            self._collect(node, dict(found), function.__globals__)
        return self._read[function]

    def read(self, functions: Iterable[FunctionType]) -> None:
        """Read these now."""
        for function in functions:
            self.of(function)

    def _collect(self, node: FunctionNode, found: dict[str, Evidence], namespace: Mapping[str, Any]) -> None:
        collector = _Collector(found, namespace, self)
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            collector.visit(statement)
            if isinstance(statement, ast.Assign) and collector.same(statement.value) is None:
                for target in statement.targets:  # from here on, the name stands for something else
                    if isinstance(target, ast.Name):
                        found.pop(target.id, None)


class _Collector(ast.NodeVisitor):
    """Walks through a function."""

    def __init__(self, found: dict[str, Evidence], namespace: Mapping[str, Any], reading: Reading) -> None:
        self.found, self._namespace, self._reading = found, namespace, reading

    def _of(self, node: ast.AST) -> Evidence | None:
        """Of what a name, or an item of one, stands for."""
        if isinstance(node, ast.Name):
            return self.found.get(node.id)
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            outer = self._of(node.value)
            if outer is not None and not _is_text(node.slice):
                return outer.item()
        return None

    def _see(self, node: ast.AST, kind: str) -> None:
        evidence = self._of(node)
        if evidence is not None:
            evidence.see(kind)

    # ---- statements ----

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._bound(target, node.value)
        self.generic_visit(node)
        same = self.same(node.value)
        for target in node.targets:
            if same is not None and isinstance(target, ast.Name):  # another name of it
                self.found.setdefault(target.id, same)

    def same(self, node: ast.AST) -> Evidence | None:
        """Of what an expression stands for, or what it makes an array of."""
        if isinstance(node, ast.Call) and name_of(node.func) in _OF_ARRAY and node.args:
            return self._of(node.args[0])
        return self._of(node)

    def _bound(self, target: ast.AST, value: ast.AST) -> None:
        """Something is assigned: a name that is bound anew says no more of the parameter."""
        if isinstance(target, ast.Tuple | ast.List):
            evidence = self._of(value)
            if evidence is not None and not any(isinstance(one, ast.Starred) for one in target.elts):
                evidence.parts = len(target.elts)
            elif isinstance(value, ast.Attribute) and value.attr == "shape" and (of := self._of(value.value)):
                of.dimensions.add(len(target.elts))

    def visit_For(self, node: ast.For) -> None:
        self._each(node.target, node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self._each(node.target, node.iter)
        self.generic_visit(node)

    def _each(self, target: ast.AST, iterable: ast.AST) -> None:
        if isinstance(iterable, ast.Call) and name_of(iterable.func) in ("enumerate", "zip", "reversed", "sorted"):
            targets = target.elts if isinstance(target, ast.Tuple) else [target]
            if name_of(iterable.func) == "enumerate":
                targets = targets[1:]
            for one, argument in zip(targets, iterable.args, strict=False):
                self._each(one, argument)
            return
        evidence = self._of(iterable)
        if evidence is None:
            return
        item = evidence.item()
        if isinstance(target, ast.Name):
            self.found.setdefault(target.id, item)
        elif isinstance(target, ast.Tuple):
            item.parts = len(target.elts)

    # ---- expressions ----

    def visit_If(self, node: ast.If | ast.While | ast.IfExp) -> None:
        self._truth(node.test)
        self.generic_visit(node)

    visit_While = visit_IfExp = visit_If

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for value in node.values:
            self._truth(value)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._truth(node.operand)
        else:
            self._see(node.operand, "int" if isinstance(node.op, ast.Invert) else "float")
        self.generic_visit(node)

    def _truth(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            self._see(node, "truth")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(node.op, _BITS) or (
                isinstance(node.op, ast.Mult) and (_is_text(other) or isinstance(other, ast.List))
            ):
                self._see(one, "int")
            elif _is_text(other) and isinstance(node.op, ast.Add):
                self._see(one, "str")
            elif _is_number(other) or not (isinstance(node.op, ast.Add) or _is_text(other)):
                self._see(one, "float")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for one, operator, other in zip(operands, node.ops, operands[1:], strict=False):
            if isinstance(operator, ast.In | ast.NotIn):
                self._member(one, other)
                continue
            for left, right in ((one, other), (other, one)):
                self._compared(left, right)
        self.generic_visit(node)

    def _member(self, one: ast.AST, other: ast.AST) -> None:
        """``one in other``."""
        if _is_text(one) and (evidence := self._of(other)) is not None:
            evidence.see("items")
        known = self._namespace.get(other.id) if isinstance(other, ast.Name) else None
        items = other.elts if isinstance(other, ast.Tuple | ast.List | ast.Set) else ()
        texts = [isinstance(item, str) for item in known] if isinstance(known, dict | tuple | list | set) else []
        if _is_text(other) or (items and all(map(_is_text, items))) or (texts and all(texts)):
            self._see(one, "str")

    def _compared(self, one: ast.AST, other: ast.AST) -> None:
        value = other.value if isinstance(other, ast.Constant) else _NO_VALUE
        if isinstance(one, ast.Attribute) and one.attr == "ndim" and value in (1, 2, 3) and (of := self._of(one.value)):
            of.dimensions |= {1, int(value)}
        if value is None and (evidence := self._of(one)) is not None:
            evidence.can_be_none = True
        elif isinstance(value, str):
            self._see(one, "str")
        elif isinstance(value, bool):
            self._see(one, "truth")
        elif isinstance(value, int | float):
            self._see(one, "float")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        evidence = self._of(node.value)
        if evidence is not None and isinstance(node.slice, ast.Tuple):
            evidence.see("array")
            evidence.dimensions.add(len(node.slice.elts))
        elif evidence is not None:
            if _is_text(node.slice):
                evidence.see("dict")
            else:
                evidence.see("items")
        known = self._namespace.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if isinstance(known, dict) and known:
            kind = "str" if all(isinstance(key, str) for key in known) else "int"
            self._see(node.slice, kind)
        elif not isinstance(node.slice, ast.Slice):
            self._see(node.slice, "int")
        else:
            for end in (node.slice.lower, node.slice.upper, node.slice.step):
                if end is not None:
                    self._see(end, "int")
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        evidence = self._of(node.value)
        if evidence is not None:
            for kind, names in (("str", _TEXT), ("dict", _DICT - {"pop"}), ("array", _ARRAY), ("int", _INT)):
                if node.attr in names:
                    evidence.see(kind)
                    break
            else:
                if node.attr in _LIST:
                    evidence.see("items")
                else:
                    evidence.attributes.add(node.attr)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name, called = name_of(node.func), self._of(node.func)
        if called is not None:
            called.calls.add(len(node.args))
        if name == "isinstance" and len(node.args) == 2 and (evidence := self._of(node.args[0])) is not None:
            evidence.checked += [kind for kind in self._classes(node.args[1]) if kind not in evidence.checked]
        elif node.args:
            self._argument_of(name, node)
        self._passed_on(node)
        self.generic_visit(node)

    def _argument_of(self, name: str, node: ast.Call) -> None:
        first = node.args[0]
        if isinstance(node.func, ast.Attribute) and _is_text(node.func.value) and name == "join":
            if (evidence := self._of(first)) is not None:
                evidence.item().see("str")
        elif name in _MATCHERS and isinstance(node.func, ast.Attribute):
            if isinstance(self._value(node.func.value), re.Pattern):
                self._see(first, "str")
            elif self._value(node.func.value) is re:
                self._see(
                    node.args[2 if name == "sub" else 1] if len(node.args) > (name == "sub") + 1 else first, "str"
                )
        elif name == "ord":
            self._see(first, "str")
        elif name in _OF_ARRAY:
            self._see(first, "array")
        elif name in _OF_INT:
            for argument in node.args:
                self._see(argument, "int")
        elif name in _OF_ITEMS and (len(node.args) == 1 or name in ("zip", "map")):
            for argument in node.args:
                if (evidence := self._of(argument)) is not None:
                    evidence.see("items")
        elif inspect.ismodule(owner := self._value(getattr(node.func, "value", None))) and owner.__name__ == "math":
            for argument in node.args:
                self._see(argument, "float")

    def _passed_on(self, node: ast.Call) -> None:
        """What another function does with it."""
        called = self._value(node.func)
        names = [(at, argument.id) for at, argument in enumerate(node.args) if isinstance(argument, ast.Name)]
        passed = [(at, self.found[name]) for at, name in names if name in self.found]
        if not passed or not isinstance(called, FunctionType):
            return
        theirs = list(self._reading.of(called).values())
        for at, evidence in passed:
            if at < len(theirs):
                evidence.join(theirs[at])

    def _value(self, node: ast.AST | None) -> Any:
        """What a name of the module, or an attribute of one, stands for."""
        if isinstance(node, ast.Name):
            return self._namespace.get(node.id) if node.id not in self.found else None
        if isinstance(node, ast.Attribute) and inspect.ismodule(owner := self._value(node.value)):
            return getattr(owner, node.attr, None)
        return None

    def _classes(self, node: ast.AST) -> Iterator[type]:
        if isinstance(node, ast.Tuple):
            for one in node.elts:
                yield from self._classes(one)
        elif isinstance(node, ast.Name):
            named = self._namespace.get(node.id, getattr(builtins, node.id, None))
            yield from (one for one in (named if isinstance(named, tuple) else (named,)) if isinstance(one, type))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Inner functions see the same variables; their own parameters hide some."""
        hidden = {a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)} & self.found.keys()
        kept = {name: self.found.pop(name) for name in hidden}
        self.generic_visit(node)
        self.found.update(kept)


_NO_VALUE = object()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)
