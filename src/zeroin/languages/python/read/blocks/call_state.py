"""What attributes and variables of modules hold between calls: the calls are the turns of a loop around the program.

Whatever is assigned to one, at any time, is a value after a turn.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import FunctionType, ModuleType

from .....model.blocks import Block
from .....model.invariants import Loop, Way
from .....term.core.build import TRUE
from .....term.core.nodes import Term, constant, variable
from .....term.core.sorts import INT
from .....term.core.traversal import substitute, variables
from ...front.callees import owner_of
from ...front.changed_variables import Changes
from ...front.syntax import SCOPES, global_stores, may_be_called
from ...front.type_hints import hints_of
from .code import Code
from .instances import has_own, is_simple, makes_plainly
from .merged import Graph, Merged
from .object_machine import Attribute
from .premises import Premises
from .proof_machine import ProofMachine
from .values import UNKNOWN, BlockValue, Instance, Static, Unread

_MOST = 4  # attributes of classes, and functions that assign to an attribute
_ANY = "*"  # every attribute
_PLAIN = (int, float, bool, str)
_Store = tuple[Attribute, Term, Term]  # to which attribute, when, and the value


class StateLoops:
    """Loops whose turns are calls: they say what a function may find in attributes and variables when it is called.

    These are attributes of classes and of objects that it is given, and variables of modules that functions change.

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
        self._known: dict[FunctionType, tuple[list[_Store], Collection[str]]] = {}
        self._terms = dict(machine.state)  # variables for what attributes hold when any function is called

    def loops(self) -> Iterator[Loop]:
        """Yield loops of all calls, for the attributes and variables that only code which is read may change."""
        of_classes = {term: of for term, of in self._machine.state.items()
                      if not of.of_object and type(vars(of.cls).get(of.name)) is int}  # fmt: skip
        found = [self._of_classes(of_classes)]
        found += [self._of_object(term, of) for term, of in self._machine.state.items() if of.of_object]
        yield from filter(None, found)

    def _of_classes(self, read: Mapping[Term, Attribute]) -> Loop | None:
        """Return the loop for attributes of classes and variables of modules; of the others, nothing is known."""
        stores = {term: found for term, of in read.items() if (found := self._stores(of.name)) is not None}
        state = {term: read[term] for term in stores}
        if not 0 < len(state) <= _MOST:
            return None
        first = tuple(constant(INT, vars(of.cls)[of.name]) for of in state.values())
        turns = list[Way]()
        for of, way, value in dict.fromkeys(one for some in stores.values() for one in some):
            others = [one for one in variables([way, value]) if one in self._terms and one not in state]
            open_ = {one: variable(f"{one.data}?", INT) for one in others}
            if of in state.values():
                after = (substitute(value, open_) if state[term] == of else term for term in state)
                turns.append(Way(substitute(way, open_), tuple(after)))
        self._say(state.values())
        return Loop(tuple(state), (Way(TRUE, first),), tuple(turns), has_few_values=True)

    def _of_object(self, own: Term, of: Attribute) -> Loop | None:
        """Return the loop for an attribute of a parameter: what the constructor sets, and then any assignment."""
        assert isinstance(of.cls, type)
        made = inspect.getattr_static(of.cls, "__init__")
        is_plain = made is vars(object)["__init__"]
        if not makes_plainly(of.cls) or has_own(of.cls, "__setattr__") or not (is_plain or made in self._codes):
            return None
        default, stores = inspect.getattr_static(of.cls, of.name, None), self._stores(of.name)
        first = () if is_plain else self._stores_of(made, of.name)
        if stores is None or first is None:
            return None
        entries = [Way(TRUE, (constant(INT, default),))] if type(default) is int else []
        entries += [self._way(own, of, store) for store in first]
        related = [one for one in stores if _are_related(one[0].cls, of.cls)]
        if not entries:
            return None
        self._say([of])
        return Loop((own,), tuple(entries), tuple(self._way(own, of, one) for one in related), has_few_values=True)

    def _way(self, own: Term, of: Attribute, store: _Store) -> Way:
        """Return an assignment as a turn of the loop for one attribute, with its own value before.

        An object has the value of its class before it gets one. Where code reads both, nothing is known of either, nor
        of an attribute of another class.
        """
        _, when, value = store
        read = [one for one in variables([when, value]) if one in self._terms and self._terms[one].name == of.name]
        is_own = len(read) == 1 and _are_related(self._terms[read[0]].cls, of.cls)
        known = {one: own if is_own else variable(f"{one.data}?", INT) for one in read}
        return Way(substitute(when, known), (substitute(value, known),))

    def _say(self, attributes: Iterable[Attribute]) -> None:
        for of in attributes:
            self._premises.said[f"no other code sets {of.cls.__name__}.{of.name}"] = None
            if not of.of_object:
                self._premises.said[f"{of.cls.__name__}.{of.name} is {vars(of.cls)[of.name]} after import"] = None

    def _functions(self, name: str) -> list[FunctionType] | None:
        """Return the functions that assign to attributes or variables of a name; None if other code does, too."""
        found, places = list[FunctionType](), set[tuple[str, int, int]]()
        for function, code in self._codes.items():
            assert isinstance(code.node, SCOPES)
            stores = [part for part in ast.walk(code.node) if isinstance(part, ast.Attribute)
                      and may_be_called(part.attr, name) and not isinstance(part.ctx, ast.Load)]  # fmt: skip
            file = function.__code__.co_filename
            own = {(file, one.lineno, one.col_offset) for one in (*stores, *global_stores(code.node, name))}
            found += [function] if own else []
            places |= own
        is_known = all(self._is_made_once(one) for one in found) and self._changes.assignments(name) <= places
        return found if is_known else None

    def _is_made_once(self, function: FunctionType) -> bool:
        """Whether no other function has the same code: no loop makes several."""
        return self._changes.is_bound_once(function.__globals__, function.__qualname__.partition(".")[0])

    def _stores(self, name: str) -> list[_Store] | None:
        """Return all assignments to attributes of a name; None if not all are known."""
        functions = self._functions(name)
        if functions is None or len(functions) > _MOST:
            return None
        found = [self._stores_of(one, name) for one in functions]
        return None if None in found else [store for stores in found for store in stores or ()]

    def _stores_of(self, function: FunctionType, name: str) -> list[_Store] | None:
        """Return the assignments of a function to attributes of a name; None if they are not known.

        It is called with any arguments of exactly the annotated types.
        """
        if function not in self._known:
            self._known[function] = self._executed(function)
        stores, unknown = self._known[function]
        return None if name in unknown or _ANY in unknown else [one for one in stores if one[0].name == name]

    def _executed(self, function: FunctionType) -> tuple[list[_Store], Collection[str]]:
        """Return what a function assigns to attributes and variables, and the names to which it assigns no ints."""
        machine = ProofMachine(self._codes, self._premises, 4, False)
        machine.share_names(self._machine)
        try:
            edge = machine.entry(function, [*self._arguments(machine, function)], {})
        except Unread:
            return [], {_ANY}
        if machine.wild:
            return [], {_ANY}
        self._terms |= machine.state
        graph = Graph([Block((), edges=(edge,)), *machine.blocks], function.__name__)
        return Merged(graph, [TRUE], shared=self._merged.shared).stores, machine.assigns_others

    def _arguments(self, machine: ProofMachine, function: FunctionType) -> Iterator[BlockValue]:
        """Yield values for all parameters that are passed by position.

        Raises:
            Unread: a class method may be called on a subclass.
        """
        owner, parameters = owner_of(function), self._codes[function].parameters
        hints, _ = hints_of(function, parameters)
        member = None if owner is None else inspect.getattr_static(owner, function.__name__, None)
        for number, name in enumerate(parameters):
            hint, called = hints.get(name), f"{name} of {function.__qualname__}"
            if number == 0 and owner is not None and not isinstance(member, staticmethod):
                if type in owner.__mro__ or owner.__subclasses__() or not is_simple(owner):
                    raise Unread(f"{function.__name__} may be called on another class")
                of = owner.__name__ if isinstance(member, classmethod) else f"an object of {owner.__name__}"
                self._premises.said[f"{function.__qualname__} is called on {of}, and no subclass"] = None
                yield Static(owner) if isinstance(member, classmethod) else Instance(owner, called)
                continue
            default = inspect.signature(function).parameters[name].default
            if default is not inspect.Parameter.empty and type(default) is not hint:
                yield UNKNOWN
                continue
            said = f"{function.__qualname__} is called with values of exactly the annotated types"
            self._premises.said[said] = None
            if hint in _PLAIN:
                yield machine.anything(hint, called)
            elif isinstance(hint, type) and self._is_exact(hint):
                yield Instance(hint, called)
            else:
                yield UNKNOWN

    def _is_exact(self, cls: type) -> bool:
        """Whether objects of a class can be read, and those of no other class stand for them."""
        return is_simple(cls) and not cls.__subclasses__() and not self._premises.changes_class(cls)


def _are_related(one: type | ModuleType, other: type | ModuleType) -> bool:
    """Whether objects of one class may be objects of the other. A module is related to itself only."""
    if not (isinstance(one, type) and isinstance(other, type)):
        return one is other
    return issubclass(one, other) or issubclass(other, one)
