"""Type inference from code: the types of parameters without an annotation, and documented array shapes."""

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

_MOST_OTHERS = 30  # functions of other modules whose code is read


class Inference:
    """The evidence (:class:`.uses.Evidence`) about the parameters of functions; each function is read once.

    The evidence that the methods return is shared, not copied. While a function is being read, as in a recursion, it is
    incomplete.

    Args:
        nodes: the functions whose code is known, with their nodes.

    Attributes:
        kinds: the differences between values that the functions given to :meth:`read` can notice; none before.
    """

    kinds = Kinds()

    def __init__(self, nodes: Mapping[FunctionType, FunctionNode]) -> None:
        self._nodes, self._read = nodes, dict[FunctionType, dict[str, Evidence]]()
        self._others: dict[FunctionType, FunctionNode | None] = {}

    def taken(self, function: object, at: int) -> Evidence | None:
        """Return the evidence about a function's positional argument with index ``at``; None if it is not known.

        The index is from 0 and counts ``self``. An argument for ``*args`` is one of its items.
        """
        node, found = self._node(function), self.of(function)
        if node is None:
            return None
        arguments = node.args
        names = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        if at < len(names):
            return found[names[at]]
        return found[arguments.vararg.arg].item() if arguments.vararg else None

    def named(self, function: object, name: str | None) -> Evidence | None:
        """Return the evidence about a keyword argument; None if it is not known.

        If ``name`` is None, the evidence is about ``**kwargs``.
        """
        node, found = self._node(function), self.of(function)
        more = node.args.kwarg if node is not None else None
        return found.get(name if name is not None else more.arg if more is not None else "")

    def of(self, function: Any) -> dict[str, Evidence]:
        """Return the evidence about a function's parameters by name; empty if the code is not known.

        Positional parameters come first, then those by name only, then ``*args`` and ``**kwargs``.
        """
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
        """Join the evidence about an object's attributes in other methods to that of its constructor."""
        for value in vars(class_of(made) or type).values():
            method = getattr(value, "fget", getattr(value, "func", value))  # the function of a property
            known = isinstance(method, FunctionType) and method in self._nodes
            for first in list(self.of(method).values())[:1] if known else ():
                for name, evidence in first.attributes.items():
                    own.attributes.setdefault(name, Evidence()).join(evidence)

    def _node(self, function: object) -> FunctionNode | None:
        """Return the code of a function; None if it is not known.

        Functions of other modules are read at the first use, at most 30.
        """
        if not isinstance(function, FunctionType):
            return None
        if function not in self._nodes and len(self._others) < _MOST_OTHERS:
            self._others.setdefault(function, written(function))
        return self._nodes.get(function) or self._others.get(function)

    def read(self, functions: Iterable[FunctionType]) -> None:
        """Read the functions that a run may execute, and set :attr:`kinds`, which counts only these."""
        functions = list(functions)
        for function in functions:
            self.of(function)
        nodes = {function: node for function in functions if (node := self._nodes.get(function)) is not None}
        asked = [kinds_asked([node], function.__globals__) for function, node in nodes.items()]
        self.kinds = Kinds(*map(any, zip(*asked, strict=True))) if asked else Kinds()

    def _collect(self, node: FunctionNode, found: dict[str, Evidence], function: FunctionType) -> None:
        """Collect the evidence in a function's code.

        Args:
            node: the code.
            found: the evidence about each parameter, by name. It is changed: variables are added and removed.
            function: the function.
        """
        collector = Collector(found, NameLookup(function, found, node), self)
        for statement in node.body if isinstance(node.body, list) else [node.body]:
            collector.visit(statement)
            if isinstance(statement, ast.Assign) and collector.same(statement.value) is None:
                for target in statement.targets:  # the name now has another value
                    if isinstance(target, ast.Name):
                        found.pop(target.id, None)
