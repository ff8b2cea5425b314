"""What attributes of classes hold between calls: the calls are the turns of a loop around the program.

Whatever is assigned to such an attribute, at any time, is a value after a turn.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from types import FunctionType

from .....model.blocks import Block
from .....model.invariants import Loop, Way
from .....term.core.build import TRUE
from .....term.core.nodes import Term, constant
from .....term.core.sorts import INT
from ...front.callees import owner_of
from ...front.changed_variables import Changes
from ...front.type_hints import hints_of
from .code import Code
from .instances import is_simple
from .merged import Graph, Merged
from .premises import Premises
from .proof_machine import ProofMachine
from .values import UNKNOWN, BlockValue, Instance, Static, Unread

_MOST = 4  # attributes, and functions that assign to them
_PLAIN = (int, float, bool, str)
Attribute = tuple[type, str]


class ClassState:
    """The attributes of classes that a function reads, as they are when it is called.

    Args:
        codes: of the functions that are read.
        changes: what the user's code may change.
        premises: collects what is taken for granted.
        machine: has made the blocks of the function.
        merged: has executed them.
    """

    def __init__(self, codes: Mapping[FunctionType, Code], changes: Changes, premises: Premises,
                 machine: ProofMachine, merged: Merged) -> None:  # fmt: skip
        self._codes, self._changes, self._premises = codes, changes, premises
        self._machine, self._merged = machine, merged

    def loop(self) -> Loop | None:
        """Return the loop of all calls; None if the function reads no such attribute, or other code may change it."""
        state = {term: of for term, of in self._machine.state.items() if type(vars(of[0]).get(of[1])) is int}
        functions = [self._functions(attribute) for _, attribute in state.values()]
        if not 0 < len(state) <= _MOST or None in functions:
            return None
        callers = dict.fromkeys(one for some in functions for one in some or ())
        if len(callers) > _MOST:
            return None
        variables = [*state]
        first = tuple(constant(INT, vars(cls)[attribute]) for cls, attribute in state.values())
        turns = list[Way]()
        for one in callers:
            stores = self._stores(one)
            if stores is None:
                return None
            for of, way, value in stores:
                if of in state.values():
                    own = [value if state[term] == of else term for term in variables]
                    turns.append(Way(way, tuple(own)))
        for cls, attribute in state.values():
            self._premises.said[f"no other code sets {cls.__name__}.{attribute}"] = None
        return Loop(tuple(variables), (Way(TRUE, first),), tuple(turns), has_few_values=True)

    def _functions(self, attribute: str) -> list[FunctionType] | None:
        """Return the functions that assign to attributes of a name; None if other code does, too."""
        found, places = list[FunctionType](), set[tuple[str, int, int]]()
        for function, code in self._codes.items():
            assert code.node is not None
            own = {(function.__code__.co_filename, part.lineno, part.col_offset) for part in ast.walk(code.node)
                   if isinstance(part, ast.Attribute) and part.attr == attribute
                   and not isinstance(part.ctx, ast.Load)}  # fmt: skip
            found += [function] if own else []
            places |= own
        return found if self._changes.assignments(attribute) <= places else None

    def _stores(self, function: FunctionType) -> list[tuple[Attribute, Term, Term]] | None:
        """Return what a function assigns to attributes of classes: to which, when, and the value.

        It is called with any arguments of the annotated types. None if it is not known.
        """
        machine = ProofMachine(self._codes, self._premises, 4, False)
        machine.share_names(self._machine)
        try:
            arguments = [*self._arguments(machine, function)]
            edge = machine.entry(function, arguments, {})
        except Unread:
            return None
        if machine.wild or machine.stores_unknown or any(one not in self._machine.state for one in machine.state):
            return None
        graph = Graph([Block((), edges=(edge,)), *machine.blocks], function.__name__)
        return Merged(graph, [TRUE], shared=self._merged.shared).stores

    def _arguments(self, machine: ProofMachine, function: FunctionType) -> Iterator[BlockValue]:
        """Yield values for all parameters that are passed by position.

        Raises:
            Unread: a class method may be called on a subclass.
        """
        owner, parameters = owner_of(function), self._codes[function].parameters
        hints, _ = hints_of(function, parameters)
        member = None if owner is None else inspect.getattr_static(owner, function.__name__, None)
        for number, name in enumerate(parameters):
            is_first = number == 0 and owner is not None and not isinstance(member, staticmethod)
            if is_first and owner is not None:
                if owner.__subclasses__() or not is_simple(owner):
                    raise Unread(f"{function.__name__} may be called on another class")
                yield (
                    Static(owner)
                    if isinstance(member, classmethod)
                    else Instance(owner, f"{name} of {function.__name__}")
                )
            elif hints.get(name) in _PLAIN:
                self._premises.said[f"{function.__qualname__} is called with arguments of the annotated types"] = None
                yield machine.anything(hints[name], f"{name} of {function.__name__}")
            else:
                yield UNKNOWN
