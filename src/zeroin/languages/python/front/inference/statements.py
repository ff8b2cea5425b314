"""Collect evidence about the types of parameters from statements and expressions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from datetime import date, datetime, time
from types import FunctionType
from typing import TYPE_CHECKING

from ...run.probes.syntax_tree import name_of
from ...values.shapes import path_of
from ..code import unwrapped
from ..type_hints import constructor
from . import dimensions
from .name_lookup import NameLookup, asked_for, is_number, is_text
from .uses import Evidence

if TYPE_CHECKING:
    from .inference import Inference

_TEXT = frozenset(name for name in dir(str) if not name.startswith("_")) - {"count", "index"}
_LIST = frozenset(("append", "extend", "insert", "remove", "reverse", "sort", "count", "index", "pop", "copy"))
_DICT = frozenset(("items", "keys", "values", "get", "setdefault", "update", "pop"))
_ITERATED = ("items", "keys", "values")
_ARRAY = frozenset(("shape", "dtype", "ndim", "mean", "sum", "reshape", "astype", "T", "flatten", "size", "any", "all"))
_INT = frozenset(("bit_length", "bit_count", "to_bytes"))
_KNOWN = _TEXT | _LIST | _DICT | _ARRAY | _INT  # attributes that suggest a type
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
_OF_INT = ("range", "chr", "bin", "hex", "oct", "factorial", "comb", "perm", "gcd", "lcm", "isqrt")
_OF_INTS: tuple[object, ...] = (date, datetime, time, range)
_OF_ITEMS = ("len", "sum", "sorted", "min", "max", "enumerate", "zip", "any", "all", "reversed", "fsum", "set", "map",
             "list", "tuple", "mean", "median")  # fmt: skip
_OF_ARRAY = ("asarray", "array", "asanyarray", "atleast_1d")
_FRACTIONS = ("modf", "floor", "ceil", "trunc", "round")
_OF_SCALARS = ("isscalar", "ndim")
_MATCHERS = ("match", "search", "fullmatch", "findall", "finditer", "sub", "split")
_NO_VALUE = object()


class Collector(ast.NodeVisitor):
    """Walks through a function's code and records evidence.

    Args:
        found: the evidence about each parameter, by name. It is changed: evidence and local variables are added.
        names: resolves the names inside the function.
        reading: gives the evidence about the parameters of called functions.

    Attributes:
        found: the evidence about each variable, by name.
    """

    def __init__(self, found: dict[str, Evidence], names: NameLookup, reading: Inference) -> None:
        self.found, self._names, self._reading = found, names, reading
        self._asked: set[tuple[int, str]] = set()  # (evidence of a container, key) in tests with "in"
        self._copies: set[str] = set()  # variables that are assigned a parameter, but may have other values, too

    def _of(self, node: ast.AST) -> Evidence | None:
        """Return the evidence about a variable, or an item, attribute or result of one; None for other expressions.

        Evidence about a part of a known variable is created if there is none.
        """
        if isinstance(node, ast.Name):
            return self.found.get(node.id)
        if isinstance(node, ast.Call):
            if name_of(node.func) == "getattr" and (attribute := asked_for(node)):
                return self._of(ast.Attribute(node.args[0], attribute))
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop", "setdefault") and node.args:
                return self._of_key(node.func.value, node.args[0])
            called = self._of(node.func)
            return None if called is None else called.result()
        if isinstance(node, ast.Attribute):
            outer = self._of(node.value) if node.attr not in _KNOWN else None
            return None if outer is None else outer.attributes.setdefault(node.attr, Evidence())
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            outer = self._of(node.value)
            if outer is not None and not is_text(node.slice):
                return outer.value() if self._is_key(node.slice, outer) else outer.item()
            return self._of_key(node.value, node.slice)
        return None

    def _is_key(self, node: ast.AST, outer: Evidence) -> bool:
        """Whether the expression is a key of a dict: a loop variable over the dict, or tested with ``in`` before."""
        if (id(outer), ast.dump(node)) in self._asked:
            return True
        return isinstance(node, ast.Name) and outer.items is not None and self.found.get(node.id) is outer.items

    def _of_key(self, node: ast.AST, key: ast.AST) -> Evidence | None:
        """Return the evidence about the value of a constant text key; None if there is none."""
        outer = self._of(node) if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        return None if outer is None else outer.key(ast.literal_eval(key))

    def _see(self, node: ast.AST, kind: str) -> None:
        """Record that the value of an expression is of a kind, if there is evidence about it."""
        evidence = self._of(node)
        if evidence is not None:
            evidence.see(kind)

    # ---- statements ----

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._bound(target, node.value)
        self.generic_visit(node)
        for target in node.targets:
            self._copied(target, node.value)

    def _copied(self, target: ast.AST, value: ast.AST) -> None:
        """Share the evidence if a new variable is assigned a parameter, or a part of it."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, part in zip(target.elts, value.elts, strict=False):
                self._copied(one, part)
        elif isinstance(target, ast.Name) and target.id not in self.found and (same := self.same(value)) is not None:
            self.found[target.id] = same
            self._copies.add(target.id)

    def same(self, node: ast.AST) -> Evidence | None:
        """Return the evidence about the value of an expression; None if there is none.

        Conversions to arrays, ``x or 1.0`` and ``1.0 if x is None else x`` count as ``x``.
        """
        if isinstance(node, ast.Call) and name_of(node.func) in _OF_ARRAY and node.args:
            return self._of(node.args[0])
        if isinstance(node, ast.BoolOp):  # x or 1.0
            return self._of(node.values[0])
        if isinstance(node, ast.IfExp):  # 1.0 if x is None else x
            return self._of(node.orelse) or self._of(node.body)
        return self._of(node)

    def _bound(self, target: ast.AST, value: ast.AST) -> None:
        """Record what an assignment shows about its value, such as the number of parts that it is unpacked into."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, part in zip(target.elts, value.elts, strict=False):
                self._bound(one, part)
        elif isinstance(target, ast.Tuple | ast.List):
            evidence = self._of(value)
            if evidence is not None and not any(isinstance(one, ast.Starred) for one in target.elts):
                self._unpacked(target.elts, evidence)
            elif isinstance(value, ast.Attribute) and value.attr == "shape" and (of := self._of(value.value)):
                of.dimensions.add(len(target.elts))
            elif isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and len(target.elts) % 2 == 0:
                half = len(target.elts) // 2  # two tuples, most likely of the same length
                self._bound(ast.Tuple(target.elts[:half]), value.left)
                self._bound(ast.Tuple(target.elts[half:]), value.right)
        elif self._names.is_own(target) and (kept := self.same(value)) and (later := self._of(target)):
            kept.join(later)

    def _unpacked(self, targets: list[ast.expr], evidence: Evidence) -> None:
        """Bind targets to the evidence about the parts that a value is unpacked into; known variables stay."""
        for target, part in zip(targets, evidence.unpacked(len(targets)), strict=True):
            if isinstance(target, ast.Name):
                self.found.setdefault(target.id, part)

    def visit_For(self, node: ast.For | ast.comprehension) -> None:
        self._each(node.target, node.iter)
        self.generic_visit(node)

    visit_comprehension = visit_For

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        for inner in node.generators:  # visited first, as they define the names in the element
            self.visit(inner)
        self.generic_visit(node)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def _each(self, target: ast.AST, iterable: ast.AST) -> None:
        """Bind the target of a loop to the evidence about the items of its iterable."""
        if isinstance(iterable, ast.Call) and name_of(iterable.func) in ("enumerate", "zip", "reversed", "sorted"):
            targets = target.elts if isinstance(target, ast.Tuple) else [target]
            if name_of(iterable.func) == "enumerate":
                targets = targets[1:]
            for one, argument in zip(targets, iterable.args, strict=False):
                self._each(one, argument)
            return
        method = iterable.func if isinstance(iterable, ast.Call) and not iterable.args else None
        table = self._of(method.value) if isinstance(method, ast.Attribute) and method.attr in _ITERATED else None
        if table is not None and isinstance(method, ast.Attribute):
            self._each_entry(target, method.attr, table)
            return
        evidence = self._of(iterable)
        if evidence is not None:
            self._named(target, evidence.item())

    def _each_entry(self, target: ast.AST, method: str, table: Evidence) -> None:
        """Bind the target of a loop over ``keys()``, ``values()`` or ``items()`` of a dict."""
        if method != "items":
            self._named(target, table.value() if method == "values" else table.item())
        elif isinstance(target, ast.Tuple) and len(target.elts) == 2:
            self._named(target.elts[0], table.item())
            self._named(target.elts[1], table.value())

    def _named(self, target: ast.AST, item: Evidence) -> None:
        """Bind the target to the evidence about an item; known variables stay."""
        if isinstance(target, ast.Name):
            self.found.setdefault(target.id, item)
        elif isinstance(target, ast.Tuple):
            self._unpacked(target.elts, item)

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
        """Record that the value of a condition is used as a truth, as in ``if x:`` and ``if f(x):``."""
        if isinstance(node, ast.Name | ast.Subscript | ast.Call):
            self._see(node, "truth")

    def visit_BinOp(self, node: ast.BinOp) -> None:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(node.op, _BITS) or (
                isinstance(node.op, ast.Mult) and (is_text(other) or isinstance(other, ast.List))
            ):
                self._see(one, "int")
            elif is_text(other) and isinstance(node.op, ast.Add):
                self._see(one, "str")
            elif isinstance(node.op, ast.MatMult):
                dimensions.multiplied(self._of(one))
            elif isinstance(node.op, ast.Div) or (isinstance(other, ast.Constant) and isinstance(other.value, float)):
                self._see(one, "real")
            elif is_number(other) or not (isinstance(node.op, ast.Add) or is_text(other)):
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
        """Record the evidence in ``one in other``."""
        if (table := self._of(other)) is not None:
            self._asked.add((id(table), ast.dump(one)))
        if is_text(one) and (evidence := self._of(other)) is not None:
            evidence.see("items")
            self._of_key(other, one)
        if is_text(other):
            self._see(one, "str")
        known = self._names.value(other)
        items: Iterable[object] = known if isinstance(known, dict | tuple | list | set | frozenset) else ()
        if isinstance(other, ast.Tuple | ast.List | ast.Set):
            items = [item.value for item in other.elts if isinstance(item, ast.Constant)]
        for item in items:
            if isinstance(item, str):
                self._see(one, "str")
            elif isinstance(item, int | float) and not isinstance(item, bool):
                self._see(one, "float")

    def _compared(self, one: ast.AST, other: ast.AST) -> None:
        """Record the evidence about ``one`` in its comparison with ``other``."""
        value = other.value if isinstance(other, ast.Constant) else _NO_VALUE
        if isinstance(text := self._names.value(other), str):  # a global constant
            value = text
        dimensions.compared(self._of, one, other)
        if value is None and (evidence := self._of(one)) is not None:
            evidence.can_be_none |= not (isinstance(one, ast.Name) and one.id in self._copies)
        elif isinstance(value, str):
            self._see(one, "str")
        elif isinstance(value, bool):
            self._see(one, "truth")
        elif isinstance(value, int | float):
            self._see(one, "real" if isinstance(value, float) else "float")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        evidence = self._of(node.value)
        if evidence is not None and isinstance(node.slice, ast.Tuple):
            evidence.see("array")
            evidence.dimensions.add(len(node.slice.elts))
        elif evidence is not None:
            evidence.see("dict" if is_text(node.slice) else "items")
        known = self._names.value(node.value)
        if isinstance(known, dict) and known:
            kind = "str" if all(isinstance(key, str) for key in known) else "int"
            self._see(node.slice, kind)
        elif not isinstance(node.slice, ast.Slice):
            if evidence is not None and self._is_key(node.slice, evidence):
                self._keyed(evidence, self._of(node.slice))
            else:
                self._see(node.slice, "int")
        else:
            for end in (node.slice.lower, node.slice.upper, node.slice.step):
                if end is not None:
                    self._see(end, "int")
        self.generic_visit(node)

    def _keyed(self, table: Evidence, key: Evidence | None) -> None:
        """Record that ``key`` is a key of a dict; it is a text if nothing else is known."""
        table.value()
        if key is not None and key is not table.items:
            if not key.whole.kinds:
                key.see("str")
            table.item().join(key)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._of(node.target)  # creates evidence about an item or attribute
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        evidence = self._of(node.value) if isinstance(node.ctx, ast.Load) else None
        if evidence is not None:
            for kind, names in (("str", _TEXT), ("dict", _DICT - {"pop"}), ("array", _ARRAY), ("int", _INT)):
                if node.attr in names:
                    evidence.see(kind)
                    break
            else:
                if node.attr in _LIST:
                    evidence.see("items")
                else:
                    evidence.attributes.setdefault(node.attr, Evidence())
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name, called = name_of(node.func), self._of(node.func)
        if called is not None:
            called.calls.add(sum(not isinstance(argument, ast.Starred) for argument in node.args))
        if name == "isinstance" and len(node.args) == 2 and (evidence := self._of(node.args[0])) is not None:
            kinds = list(self._names.classes(node.args[1]))
            evidence.checked += [kind for kind in kinds if kind not in evidence.checked]
            evidence.tells_ints |= int in kinds and float not in kinds
            evidence.tells_arrays |= any(path_of(kind) == "numpy:ndarray" for kind in kinds)
        elif node.args:
            self._argument_of(name, node)
        self._of(node)  # creates evidence about a key, as in x.get("key")
        self._passed_on(node)
        self.generic_visit(node)

    def _argument_of(self, name: str, node: ast.Call) -> None:
        """Record what a call of a known function shows about its arguments."""
        first = node.args[0]
        if name in _FRACTIONS and (whole := self._of(first)) is not None:
            whole.has_fraction = True
        if isinstance(node.func, ast.Attribute) and is_text(node.func.value) and name == "join":
            if (evidence := self._of(first)) is not None:
                evidence.item().see("str")
        elif name in _MATCHERS and isinstance(node.func, ast.Attribute):
            if isinstance(self._names.value(node.func.value), re.Pattern):
                self._see(first, "str")
            elif self._names.value(node.func.value) is re:
                at = 2 if name == "sub" else 1
                self._see(node.args[at] if len(node.args) > at else first, "str")
        elif name == "ord":
            self._see(first, "str")
        elif name in _OF_ARRAY:
            self._see(first, "array")
        elif self._asks_for_scalar(node.func) or asked_for(node) in _ARRAY:
            if (evidence := self._of(first)) is not None:
                evidence.tells_arrays = True
        elif name == "getattr" and (attribute := asked_for(node)):
            self.visit_Attribute(ast.Attribute(first, attribute, ast.Load()))
        elif name in _OF_INT:
            for argument in node.args:
                self._see(argument, "int")
        elif name in _OF_ITEMS and (len(node.args) == 1 or name in ("zip", "map")):
            for argument in node.args:
                if (evidence := self._of(argument)) is not None:
                    evidence.see("items")
        elif getattr(self._names.value(node.func), "__module__", "") == "math":
            for argument in node.args:
                self._see(argument, "real")

    def _asks_for_scalar(self, function: ast.expr) -> bool:
        """Whether the function is NumPy's test for a scalar: ``isscalar`` or ``ndim``."""
        module = getattr(self._names.value(function), "__module__", None)
        return name_of(function) in _OF_SCALARS and str(module).partition(".")[0] == "numpy"

    def _passed_on(self, node: ast.Call) -> None:
        """Join the evidence from the called function's code about its parameters to the arguments."""
        called = self._names.value(node.func)
        if called in _OF_INTS:
            for argument in node.args:
                self._see(argument, "int")
        if isinstance(called, type):
            called, before = constructor(called), 1
        else:
            before = int(self._names.is_own(node.func) and not isinstance(called, staticmethod))
            called = getattr(called, "__func__", called) if isinstance(called, classmethod | staticmethod) else called
        if not isinstance(called, FunctionType):
            called = next(unwrapped(called), None)
        if called is None or self._asks_for_scalar(node.func):
            return
        for at, argument in enumerate(node.args):
            inner = argument.value if isinstance(argument, ast.Starred) else argument
            evidence = self._of(inner)
            theirs = self._reading.taken(called, before + at) if evidence is not None else None
            if theirs is not None and evidence is not None:
                (evidence.item() if isinstance(argument, ast.Starred) else evidence).join(theirs)
        for keyword in node.keywords:
            evidence = self._of(keyword.value)
            theirs = self._reading.named(called, keyword.arg) if evidence is not None else None
            if theirs is not None and evidence is not None:
                evidence.join(theirs)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Visit an inner function with the same variables, except those that its parameters hide."""
        hidden = {a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)} & self.found.keys()
        kept = {name: self.found.pop(name) for name in hidden}
        self.generic_visit(node)
        self.found.update(kept)
