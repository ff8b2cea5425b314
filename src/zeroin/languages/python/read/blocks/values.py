"""What variables hold: numbers as terms, and what is known while the code is read, such as ``None`` or a function."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, EnumType
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, TypeAlias

from .....term.core.nodes import Term, constant, variable
from .....term.core.sorts import BOOL, FLOAT64, INT
from .....term.expression.cases import choose
from .....term.expression.typed import DOUBLE, TRUTH, WHOLE, Choice, Literal, Typed
from .code import Code


class Unread(Exception):
    """Something that the blocks can not say; tells what."""


class Mistyped(Exception):
    """An operation that raises TypeError, whatever the numbers are."""


@dataclass(frozen=True)
class Static:
    """A value that no input changes, and that is no number."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True)
class Items:
    """A tuple.

    Attributes:
        items: its parts.
        passed: how many of them a loop has had already; -1 for the tuple itself.
    """

    items: tuple[BlockValue, ...]
    passed: int = -1


@dataclass(frozen=True)
class Listed:
    """A list of which all items are known, as no list was changed since it was made; only proofs have these.

    Attributes:
        items: its parts.
        passed: how many of them a loop has had already; -1 for the list itself.
    """

    items: tuple[BlockValue, ...]
    passed: int = -1


@dataclass(frozen=True)
class Mapped:
    """A dict or set that nobody changes, whose keys and values are constants; only proofs have these.

    Attributes:
        kind: dict, set or frozenset.
        keys: of a dict, or the items.
        values: of a dict, in the same order.
    """

    kind: type
    keys: tuple[BlockValue, ...]
    values: tuple[BlockValue, ...] = ()


@dataclass(frozen=True)
class Range:
    """``range(start, stop, step)``, and the turn that a loop over it is at.

    Attributes:
        down: whether the step is below 0.
    """

    start: Term
    stop: Term
    step: Term
    turn: Term
    down: bool = False


@dataclass(frozen=True)
class Method:
    """A method that is about to be called.

    Attributes:
        name: of the method.
        of: the float, or, in proofs, the text or container.
    """

    name: str
    of: Typed | Data


class _Unknown:
    """A value that may be anything."""


UNKNOWN = Static(_Unknown())


@dataclass(frozen=True)
class Data:
    """A text, list or other container of which only the kind is known; only proofs have these.

    Attributes:
        kind: str, bytes, list, tuple, dict, set or frozenset.
        of: the types of its items, or of keys and values; None for one that nobody knows.
        origin: an expression that names the same unchanged value throughout the run; empty if there is none.
        turns: whether it is an iterator over one.
    """

    kind: type
    of: tuple[type | None, ...] = ()
    origin: str = ""
    turns: bool = False


@dataclass(frozen=True)
class Caught:
    """An exception.

    Attributes:
        kinds: the classes of which it may be an instance, exactly; None if nobody knows.
    """

    kinds: tuple[type, ...] | None


@dataclass(frozen=True)
class Instance:
    """An object of a class of the user that a parameter leads to; only proofs have these.

    Attributes:
        cls: its class, exactly.
        name: of the parameter. Two of one class may be the same object.
    """

    cls: type
    name: str


@dataclass(frozen=True)
class Bound:
    """A function with its first argument.

    Attributes:
        function: the function.
        of: an object, or a class.
    """

    function: FunctionType
    of: Instance | Static


@dataclass(frozen=True)
class Closure:
    """A function that was defined inside of a call; only proofs have these.

    Attributes:
        code: of the function.
        outer: the stack of the call, whose variables it sees.
        names: the parameters that have defaults.
        defaults: of these.
    """

    code: Code
    outer: tuple[int, ...]
    names: tuple[str, ...] = ()
    defaults: tuple[BlockValue, ...] = ()


@dataclass(frozen=True)
class Suspended:
    """A generator that waits, and that nothing else refers to; only proofs have these.

    Attributes:
        code: of the function.
        globals: where it looks for names.
        at: the instruction at which it goes on.
        names: of its variables.
        held: what its variables hold, and then its stack of values.
    """

    code: Code
    globals: Mapping[str, object]
    at: int
    names: tuple[str, ...]
    held: tuple[BlockValue, ...]


BlockValue: TypeAlias = (
    "Typed | Choice | Static | Items | Listed | Mapped | Range | Method | Data | Caught | Instance | Bound | Closure"
    " | Suspended"
)
NONE = Static(None)
_TYPES: dict[type, Any] = {float: (FLOAT64, DOUBLE), int: (INT, WHOLE), bool: (BOOL, TRUTH)}
_ONE_OF_A_KIND = {str, bytes, type(None), type(Ellipsis), FunctionType, BuiltinFunctionType, ModuleType, type, ABCMeta,
                  EnumType}  # and not what is derived from these: it may be equal to anything, or false  # fmt: skip


def of_python(value: object) -> BlockValue:
    """A value of the program that no run changes.

    Raises:
        Unread: some run might, or nothing is known of its kind.
    """
    if type(value) in _TYPES:
        sort, type_ = _TYPES[type(value)]
        return Typed(constant(sort, value), type_)
    if type(value) is tuple:
        return Items(tuple(map(of_python, value)))
    if type(value) in _ONE_OF_A_KIND or _is_plain_member(type(value)):
        return Static(value)
    raise Unread(f"a {type(value).__name__}")


def is_plain(value: object) -> bool:
    """Whether it is a number or text, or a class that makes objects without code of the program."""
    if isinstance(value, type):
        made = getattr(value, "__init__", None), getattr(value, "__new__", None)
        return type(value) is type and not any(isinstance(function, FunctionType) for function in made)
    return type(value) in {*_TYPES, str, bytes, type(None), BuiltinFunctionType}


def _is_plain_member(kind: type) -> bool:
    """Whether values are members of an enumeration that are compared, and true, as such."""
    own = ("__eq__", "__ne__", "__bool__", "__len__")
    if not issubclass(kind, Enum) or kind.__hash__ is not Enum.__hash__:
        return False
    return not any(name in vars(part) for part in kind.__mro__[:-1] for name in own)


def one_type(value: object) -> BlockValue:
    """What arithmetic has made, as a value; a number that is written down gets the type that Python gives it."""
    if isinstance(value, Literal):
        return of_python(value.value)
    if isinstance(value, Choice):
        then, other = one_type(value.then), one_type(value.other)
        assert isinstance(then, Typed | Choice)
        assert isinstance(other, Typed | Choice)
        if isinstance(then, Typed) and isinstance(other, Typed) and then.type == other.type:
            return _part(choose(value.condition, then, other))
        return Choice(value.condition, then, other)
    assert isinstance(value, Typed)
    return value


def shape(value: BlockValue) -> Hashable:
    """What two values have in common that differ in their terms only."""
    match value:
        case Typed():
            return value.type, value.rounded is not None
        case Choice():
            return "choice", shape(_part(value.then)), shape(_part(value.other))
        case Items() | Listed():
            return type(value), value.passed, tuple(map(shape, value.items))
        case Range():
            return "range", value.down
        case Method():
            return value.name, shape(value.of)
        case Closure():
            return value.code, value.outer, tuple(map(shape, value.defaults))
        case Suspended():
            return value.code, value.at, value.names, tuple(map(shape, value.held))
        case Static() | Data() | Mapped() | Caught() | Instance() | Bound():
            return value
    raise AssertionError(value)


def terms_of(value: BlockValue) -> Iterator[Term]:
    """The terms of a value."""
    match value:
        case Typed():
            yield value.term
            if value.rounded is not None:
                yield value.rounded
        case Choice():
            yield value.condition
            yield from terms_of(_part(value.then))
            yield from terms_of(_part(value.other))
        case Items() | Listed():
            for item in value.items:
                yield from terms_of(item)
        case Range():
            yield from (value.start, value.stop, value.step, value.turn)
        case Method():
            yield from terms_of(value.of)
        case Closure():
            for default in value.defaults:
                yield from terms_of(default)
        case Suspended():
            for one in value.held:
                yield from terms_of(one)


def with_terms(value: BlockValue, terms: Iterator[Term]) -> BlockValue:
    """A value of the same shape with other terms, in the order of :func:`terms_of`."""
    match value:
        case Typed():
            term = next(terms)
            return Typed(term, value.type, None if value.rounded is None else next(terms))
        case Choice():
            condition = next(terms)
            then = _part(with_terms(_part(value.then), terms))
            return Choice(condition, then, _part(with_terms(_part(value.other), terms)))
        case Items() | Listed():
            return replace(value, items=tuple(with_terms(item, terms) for item in value.items))
        case Range():
            return Range(next(terms), next(terms), next(terms), next(terms), value.down)
        case Method():
            return Method(value.name, *numbers([with_terms(value.of, terms)])) if isinstance(value.of, Typed) else value
        case Closure():
            return replace(value, defaults=tuple(with_terms(one, terms) for one in value.defaults))
        case Suspended():
            return replace(value, held=tuple(with_terms(one, terms) for one in value.held))
        case Static() | Data() | Mapped() | Caught() | Instance() | Bound():
            return value
    raise AssertionError(value)


def fresh(value: BlockValue, name: str) -> tuple[BlockValue, list[Term]]:
    """A value of the same shape that is made of variables, and these."""
    before = list(terms_of(value))
    names = [name] if len(before) == 1 else [f"{name}.{number}" for number in range(len(before))]
    made = [variable(called, term.sort) for called, term in zip(names, before, strict=True)]
    return with_terms(value, iter(made)), made


def _part(value: object) -> Typed | Choice:
    """What a choice is made of."""
    assert isinstance(value, Typed | Choice)
    return value


def numbers(values: Iterable[BlockValue]) -> list[Typed]:
    """The values, which are numbers.

    Raises:
        Unread: one is none.
    """
    found = []
    for value in values:
        if not isinstance(value, Typed):
            raise Unread("an operation on a value that is not a number")
        found.append(value)
    return found


def operands(values: Sequence[BlockValue]) -> list[Typed]:
    """The values, which are numbers, of an operation that takes nothing else.

    Raises:
        Mistyped: one is None, and no other is an object that might know what to do with it.
        Unread: one is no number.
    """
    if NONE in values and all(value == NONE or isinstance(value, Typed | Choice) for value in values):
        raise Mistyped
    return numbers(values)
