"""What holds for every input that takes a branch of a Python function: the ways to it, merged (``Model.reach``).

What loops change is a variable of its own, which may have any value. So the formula holds for every run that takes the
branch, and for others, too.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from types import FunctionType

from .....model.blocks import Block, Edge
from .....model.memory import Unreadable
from .....model.reach import ReachCondition, taken
from .....subject.base import Site
from .....term.core.build import TRUE, conjunction, equal
from .....term.core.nodes import Term, constant, variable
from .....term.core.sorts import INT
from .....term.expression.functions import known_of
from ...front.changed_variables import Changes
from ...front.code import LocatedFunction
from ...front.inference.number_kinds import Kinds, with_kinds
from ...front.modules import resolve
from ...front.named_code import NamedCode, is_special, name_in
from ...front.signature import Call, PythonSignature
from ...values.containers import Bytes, Dict, List, Object, Repeated, Set, SharedShape, Str, Union, VarTuple
from ...values.scalars import Choice, FixedTuple, NoneShape
from ...values.shapes import Bool, Float, Int, PythonParameter, Shape
from ..values.inputs import Inputs
from .call_state import StateLoops
from .code import Code
from .instances import is_simple
from .merged import Graph, Merged
from .model import codes_of, entered, value_of
from .premises import Premises
from .proof_machine import ProofMachine, TooManyBlocks
from .values import UNKNOWN, BlockValue, Data, Instance, Items, Static, Unread, of_python

CONTAINERS = (str, bytes, list, tuple, dict, set, frozenset)
_MOST_COMBINATIONS = 16  # of kinds of numbers that are asked about one by one
# How many calls inside of each other are read, and whether items of lists are known, one after the other.
_DETAILS = (8, True), (8, False), (1, False), (0, False)
_MOST_COPIES = 64  # of blocks of loops that are entered at several places
_MOST_IN_LOOP, _MOST_IN_VAIN = 400, 1_500  # blocks of all turns of a loop; of all turns that came to no end
_MOST_ENTRIES = 64  # by the types that parameters of several types have


class Reach:
    """What the sites of a function evaluate, whatever the input; arguments as of :class:`.model.BlockModel`.

    Args:
        changes: what the user's code may change.
        first: the functions that tests may call first, and those that these call: nothing is proved of their sites.
        is_narrowed: whether only some inputs are asked about: calls by other code may be different.

    Raises:
        Unreadable: not all that runs is read: what is not might call back, change what is read, or give anything.
    """

    def __init__(self, functions: Sequence[LocatedFunction], others: Sequence[LocatedFunction], sites: Sequence[Site],
                 signature: PythonSignature, call: Call, changes: Changes, first: Sequence[FunctionType] = (),
                 is_narrowed: bool = False) -> None:  # fmt: skip
        entry = functions[0].function
        texts = {one.described.source.file: one.described.source.text for one in (*functions, *others)}
        trees = list(map(ast.parse, texts.values()))
        named = NamedCode(trees)
        called = (
            None
            if named.is_dynamic
            else (named.of_objects | named.aliased | named.mentioned([functions[0].described.node]))
        )
        if who := changes.who_finalizes(texts, called):
            raise Unreadable(f"{who} may run whenever an object is dropped")
        if call.spread is not None or call.function is not entry:
            raise Unreadable("it is called through a wrapper, or takes *args")
        every = codes_of([*functions, *others], len(functions), sites)
        is_named = any(name_in(node) == entry.__name__ for tree in trees for node in ast.walk(tree))
        is_found = is_named or named.is_dynamic or changes.is_named_outside(entry.__name__)
        self._is_called = is_special(entry.__name__) or is_found
        has_objects = any(_has_objects(one.shape) for one in signature.parameters)
        self._making = named.of_objects if has_objects else set[str]()
        if has_objects and (is_special(entry.__name__) or entry.__name__ in self._making):
            raise Unreadable("it may run while objects of its parameters are made")
        self._codes = {one: code for one, code in every.items() if not one.__code__.co_freevars}
        self._open = {step.site for one in first if one in every for code in every[one].whole for step in code.body}
        if entry not in self._codes:
            raise Unreadable("it uses variables of an enclosing function")
        self._entry, self._call, self._changes = entry, call, changes
        self._parameters, self._made = list(signature.parameters), dict[int, _Ways]()
        self._ways = self._carried_out(signature.parameters)
        accepted = [one if container_of(one.shape) else replace(one, shape=with_kinds(one.shape, self._ways.kinds))
                    for one in signature.parameters]  # fmt: skip
        self._accepted = accepted if accepted != list(signature.parameters) else []
        self._others = [
            f"{one.name} is no {' or '.join(missing)}"
            for one, wide in zip(signature.parameters, accepted, strict=True)
            if (missing := _more(one.shape, wide.shape))
        ]

        of: dict[type, list[str]] = {base: changes.numbers(base) for base in (int, float, *CONTAINERS)}
        self._strangers = [f"{one.name} is no {' or '.join(names)}" for one in signature.parameters
                           if (names := _accepted_of(one.shape, of))]  # fmt: skip
        self._strangers += [f"{one.name} is of no other class than {' and '.join(classes)}"
                            for one in signature.parameters if (classes := _classes_of(one.shape))]  # fmt: skip

    def reach(self, outcome: int) -> ReachCondition:
        """What every input satisfies that takes a branch; nothing, where the code that decides it is not read."""
        reached = self._ways.reach(outcome)
        reached = replace(reached, assumptions=(*reached.assumptions, *self._strangers))
        if not self._accepted:
            return reached
        return replace(reached, further=lambda: self._further(outcome), without=tuple(self._others))

    def _further(self, outcome: int) -> Iterator[ReachCondition]:
        """With the other kinds of numbers that the types of parameters accept. Each combination is asked about alone,
        which is easier to solve, where these are few."""
        options = [_options(one, wide) for one, wide in zip(self._parameters, self._accepted, strict=True)]
        if math.prod(map(len, options)) > _MOST_COMBINATIONS:
            options = [[one] for one in self._accepted]
        for number, chosen in enumerate(product(*options)):
            if list(chosen) != self._parameters:
                if number not in self._made:
                    self._made[number] = self._carried_out(chosen)
                yield self._made[number].reach(outcome)

    def _carried_out(self, parameters: Sequence[PythonParameter]) -> _Ways:
        return _Ways(self._codes, self._entry, parameters, self._call, self._changes, self._is_called,
                     self._making, self._open)  # fmt: skip


class _Ways:
    """All ways through a function.

    Args:
        codes: of the functions that are read.
        entry: the one that is called.
        parameters: of it.
        call: how it is called.
        changes: what the user's code may change.
        is_called: whether other code may call the entry.
        making: names of functions that may run while arguments are made.
        open_: sites of which nothing is known.

    Attributes:
        kinds: of numbers that the code on the ways can tell apart, beside ints and floats.

    Raises:
        Unreadable: as of :class:`Reach`.
    """

    def __init__(self, codes: Mapping[FunctionType, Code], entry: FunctionType, parameters: Sequence[PythonParameter],
                 call: Call, changes: Changes, is_called: bool, making: Collection[str],
                 open_: Collection[int] = ()) -> None:  # fmt: skip
        self._inputs, self._premises = Inputs(parameters), Premises(changes)
        try:
            machine, entries = self._entered(codes, entry, parameters, call)
        except Unread as error:
            raise Unreadable(str(error)) from None
        if machine.wild and is_called:
            raise Unreadable(f"{machine.wild}, which may call {entry.__name__}")
        # Code that is not read may call the others, and functions inside.
        others = [one for code in codes.values() if code.name.rpartition(".")[2] not in making for one in code.whole]
        surely = [codes[entry]] if machine.wild else [codes[entry], *others]
        self._read = {step.site for code in surely for step in code.body} - machine.passed_over
        first = Block((), edges=tuple(edge for _, edge in entries))
        graph = Graph([first, *machine.blocks], entry.__name__)
        self._merged = Merged(graph, [_chosen(number, *one) for number, one in enumerate(entries)])
        self._read -= self._merged.shared.unread.union(open_)
        self._merged.loops += StateLoops(codes, changes, self._premises, machine, self._merged).loops()
        self.kinds = Kinds(any(code.asks_kinds for code in machine.entered), True)

    def _entered(self, codes: Mapping[FunctionType, Code], entry: FunctionType, parameters: Sequence[PythonParameter],
                 call: Call) -> tuple[ProofMachine, list[tuple[Term, Edge]]]:  # fmt: skip
        """Make the blocks; where these are too many, calls that lie deep are not read.

        Raises:
            Unread: there are too many all the same, or something can not be said.
        """
        given = [
            list(_values(p.shape, self._inputs.terms_of(n), p.name, self._premises)) for n, p in enumerate(parameters)
        ]
        if math.prod(map(len, given)) > _MOST_ENTRIES:
            raise Unread("its parameters may have too many types")
        for deepest, lists in _DETAILS:
            machine = ProofMachine(codes, self._premises, deepest, lists)
            try:
                ways = [entered(machine, entry, _shared([v for _, v in chosen]), call) for chosen in product(*given)]
                kinds = [conjunction(kind for kind, _ in chosen) for chosen in product(*given)]
                return machine, list(zip(kinds, ways, strict=True))
            except TooManyBlocks:
                if (deepest, lists) == _DETAILS[-1]:
                    raise
                self._premises.said.clear()
        raise AssertionError

    def reach(self, outcome: int) -> ReachCondition:
        ranges = self._inputs.ranges().values()
        takes = taken(self._merged.hits, outcome) if outcome >> 1 in self._read else TRUE
        condition = conjunction([*ranges, *known_of(takes), takes])
        return ReachCondition(condition, self._inputs.plain(), tuple(self._premises.said),
                              tuple(self._merged.loops))  # fmt: skip


def _chosen(number: int, holds: Term, edge: Edge) -> Term:
    """This way in is taken; any of them, where their conditions do not say which."""
    return conjunction([holds, equal(variable("?entry", INT), constant(INT, number))])


def _options(one: PythonParameter, wide: PythonParameter) -> list[PythonParameter]:
    """The parameter as it is, and as each type that it accepts beside that."""
    if one.shape == wide.shape or not isinstance(wide.shape, Union):
        return [one] if one.shape == wide.shape else [one, wide]
    own = one.shape.alternatives if isinstance(one.shape, Union) else (one.shape,)
    return [one, *(replace(one, shape=shape) for shape in wide.shape.alternatives if shape not in own)]


def _accepted_of(shape: Shape, of: Mapping[type, list[str]]) -> list[str]:
    """The classes of the user whose objects are accepted where numbers of a shape are."""
    if isinstance(shape, Union | FixedTuple):
        parts = shape.alternatives if isinstance(shape, Union) else shape.elements
        return list(dict.fromkeys(name for part in parts for name in _accepted_of(part, of)))
    kind = container_of(shape)
    if kind is not None:
        own = [of[kind], *([of[int], of[float]] if isinstance(shape, Repeated) and kind not in (str, bytes) else [])]
        return list(dict.fromkeys(name for names in own for name in names))
    return of[int] if isinstance(shape, Int) else [*of[int], *of[float]] if isinstance(shape, Float) else []


def _has_objects(shape: Shape) -> bool:
    """Whether values of a shape are made by code of the user, or hold such values."""
    if isinstance(shape, Int | Float | Bool | Str | Bytes | NoneShape | Choice):
        return False
    if isinstance(shape, Union | FixedTuple):
        return any(map(_has_objects, shape.alternatives if isinstance(shape, Union) else shape.elements))
    if isinstance(shape, Dict):
        return _has_objects(shape.key) or _has_objects(shape.value)
    return _has_objects(shape.unit) if isinstance(shape, Repeated) else True


def _classes_of(shape: Shape) -> list[str]:
    """The classes of the objects of a shape."""
    parts = shape.alternatives if isinstance(shape, Union) else (shape,)
    return [one.type for one in parts if isinstance(one, Object)]


def _more(shape: Shape, wide: Shape) -> list[str]:
    """The types that a wider shape has more."""
    if isinstance(wide, Union):
        before = shape.alternatives if isinstance(shape, Union) else (shape,)
        return [one.type for one in wide.alternatives if one not in before]
    if isinstance(wide, FixedTuple) and isinstance(shape, FixedTuple):
        return list(dict.fromkeys(more for one, other in zip(shape.elements, wide.elements, strict=True)
                                  for more in _more(one, other)))  # fmt: skip
    return []


def _shared(values: Sequence[BlockValue]) -> list[BlockValue]:
    """The values of parameters, with the object itself for each that is the same object as an earlier one."""
    found: list[BlockValue] = []
    for value in values:
        earlier = value.value if isinstance(value, Static) else None
        found.append(found[earlier.at] if isinstance(earlier, SharedShape) else value)
    return found


def container_of(shape: Shape) -> type | None:
    """The class of the containers or texts of a shape; None if it is no shape of these."""
    known: tuple[tuple[type, type], ...] = ((Str, str), (Bytes, bytes), (List, list), (VarTuple, tuple), (Dict, dict))
    if isinstance(shape, Set):
        return frozenset if shape.frozen else set
    return next((kind for one, kind in known if type(shape) is one), None)


def _item_kind(shape: Shape) -> type | None:
    return next((kind for one, kind in ((Int, int), (Bool, bool), (Float, float)) if type(shape) is one),
                container_of(shape) if type(shape) in (Str, Bytes) else None)  # fmt: skip


def _data(shape: Shape, name: str, premises: Premises) -> BlockValue:
    """A parameter of another shape: a container, or anything."""
    kind = container_of(shape)
    if isinstance(shape, SharedShape):
        return Static(shape)
    if kind is None:
        found = resolve(shape.path) if isinstance(shape, Object) else None
        if isinstance(found, type) and is_simple(found) and not premises.changes_class(found):
            return Instance(found, name)
        return UNKNOWN
    if kind in (str, bytes):
        return Data(kind, (str if kind is str else int,), name)
    if isinstance(shape, Dict):
        return Data(kind, (_item_kind(shape.key), _item_kind(shape.value)), name)
    assert isinstance(shape, Repeated)
    return Data(kind, (_item_kind(shape.unit),), name)


def _values(shape: Shape, terms: Iterator[Term], name: str, premises: Premises) -> Iterator[tuple[Term, BlockValue]]:
    """What a parameter may be, and when.

    Args:
        shape: of the parameter, or a part of it.
        terms: its variables.
        name: how the code names it.
        premises: collects what is taken for granted.
    """
    if isinstance(shape, Union):
        kind = next(terms)
        for number, alternative in enumerate(shape.alternatives):
            own = iter([next(terms) for _ in range(alternative.arity)])
            for also, value in _values(alternative, own, name, premises):
                yield conjunction([equal(kind, constant(INT, number)), also]), value
        return
    if isinstance(shape, Choice):
        kind = next(terms)
        for number in range(len(shape.members)):
            try:
                value = of_python(shape.build((number,), resolve))
            except Unread:
                value = UNKNOWN
            yield equal(kind, constant(INT, number)), value
        return
    if type(shape) is FixedTuple:
        parts_of = [list(_values(part, terms, f"{name}[{n}]", premises)) for n, part in enumerate(shape.elements)]
        for parts in product(*parts_of):
            yield conjunction(when for when, _ in parts), Items(tuple(value for _, value in parts))
        return
    try:
        yield TRUE, value_of(shape, terms)
    except Unread:
        for _ in range(shape.arity):
            next(terms, None)
        yield TRUE, _data(shape, name, premises)
