"""What the code of functions says of the types of their parameters, and documentation of the shapes of arrays."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import FunctionType
from typing import Any

from ...run.probes.source import FunctionNode
from ..code import written
from .docstrings import shapes_said
from .name_lookup import NameLookup, class_of
from .number_kinds import Kinds, kinds_asked
from .statements import Collector
from .uses import Evidence

_MOST_OTHERS = 30


class Reading:
    """What the code says of the parameters of functions, each of which is read once.

    Args:
        nodes: of the functions whose code is known.

    Attributes:
        kinds: of numbers that the functions tell apart which were read first.
    """

    kinds = Kinds()

    def __init__(self, nodes: Mapping[FunctionType, FunctionNode]) -> None:
        self._nodes, self._read = nodes, dict[FunctionType, dict[str, Evidence]]()
        self._others: dict[FunctionType, FunctionNode | None] = {}

    def taken(self, function: Any, at: int) -> Evidence | None:
        """What is seen of what a function gets as its argument of that number, if its code is known."""
        node, found = self._node(function), self.of(function)
        if node is None:
            return None
        arguments = node.args
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        if at < len(names):
            return found[names[at]]
        return found[arguments.vararg.arg].item() if arguments.vararg else None

    def named(self, function: Any, name: str | None) -> Evidence | None:
        """What is seen of what a function gets by a name; of all that has no parameter of its name if that is None."""
        node, found = self._node(function), self.of(function)
        more = node.args.kwarg if node is not None else None
        return found.get(name if name is not None else more.arg if more is not None else "")

    def of(self, function: Any) -> dict[str, Evidence]:
        """By parameter, in their order; nothing if the code is not known."""
        node = self._node(function)
        if node is None:
            return {}
        if function not in self._read:
            arguments = node.args
            names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
            names += [more.arg for more in (arguments.vararg, arguments.kwarg) if more]
            self._read[function] = found = {name: Evidence() for name in names}
            if function.__name__ == "__init__" and names:
                self._look_ahead(function, found[names[0]])
            self._collect(node, dict(found), function)
            for name, shape in shapes_said(function, names).items():
                found[name].see_shape(shape)
        return self._read[function]

    def _look_ahead(self, made: FunctionType, own: Evidence) -> None:
        """What the other methods do with the attributes of an object that a constructor makes."""
        for value in vars(class_of(made) or type).values():
            method = getattr(value, "fget", getattr(value, "func", value))  # of properties, too
            known = isinstance(method, FunctionType) and method in self._nodes
            for first in list(self.of(method).values())[:1] if known else ():
                for name, evidence in first.attributes.items():
                    own.attributes.setdefault(name, Evidence()).join(evidence)

    def _node(self, function: Any) -> FunctionNode | None:
        """The code of a function; that of others is read when it is asked for, up to a number."""
        if not isinstance(function, FunctionType):
            return None
        if function not in self._nodes and len(self._others) < _MOST_OTHERS:
            self._others.setdefault(function, written(function))
        return self._nodes.get(function) or self._others.get(function)

    def read(self, functions: Iterable[FunctionType]) -> None:
        """Read these now: those that are run."""
        functions = list(functions)
        for function in functions:
            self.of(function)
        nodes = {function: node for function in functions if (node := self._nodes.get(function)) is not None}
        asked = [kinds_asked([node], function.__globals__) for function, node in nodes.items()]
        self.kinds = Kinds(*map(any, zip(*asked, strict=True))) if asked else Kinds()

    def _collect(self, node: FunctionNode, found: dict[str, Evidence], function: FunctionType) -> None:
        collector = Collector(found, NameLookup(function, found, node), self)
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            collector.visit(statement)
            if isinstance(statement, ast.Assign) and collector.same(statement.value) is None:
                for target in statement.targets:  # from here on, the name stands for something else
                    if isinstance(target, ast.Name):
                        found.pop(target.id, None)
