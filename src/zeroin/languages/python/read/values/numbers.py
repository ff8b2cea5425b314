"""Numbers and truth values that carry the term they are the value of.

They are floats and ints to whoever asks, so that whatever takes a number takes them. What an operator computes is what
Python computes; the term rides along (:mod:`.operations`). ``type(x)`` alone tells them from plain ones, and the code
that is followed does not see that (:mod:`.calls`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

from .....term.core.build import if_else
from .....term.core.nodes import Term, constant
from .....term.core.sorts import BOOL, FLOAT64, INT, Sort
from .....term.expression.typed import DOUBLE, TRUTH, WHOLE, Type, Typed, TypedValue
from .recording import Recording

if TYPE_CHECKING:
    from typing_extensions import TypeIs  # of the type checker; in typing from Python 3.13 on


class Carried:
    """What the values share that carry terms.

    Attributes:
        recording: of the run that they belong to.
    """

    recording: Recording
    plain_type: ClassVar[type]
    __class__ = property(lambda self: self.plain_type)  # `isinstance` asks that, too

    @property
    def is_live(self) -> bool:
        """Whether the run is still followed."""
        return self.recording.live

    @abstractmethod
    def settled(self, why: str) -> Any:
        """The plain value, which from here on has to be what it was in the run."""

    @abstractmethod
    def unsettled(self) -> object:
        """The plain value, where nothing that is decided depends on it."""

    def __copy__(self) -> object:
        return self

    def __deepcopy__(self, memo: object) -> object:
        return self

    def __reduce_ex__(self, protocol: object) -> tuple[type, tuple[object]]:
        return self.plain_type, (self.settled("it is pickled"),)


class _Number(Carried):
    typed: Typed

    @property
    def term(self) -> Term:
        return self.typed.term

    def settled(self, why: str) -> object:
        self.recording.pin(self.typed.term, why)
        return self.unsettled()

    @property
    def real(self) -> Self:
        return self

    @property
    def imag(self) -> Any:
        return self.plain_type(0)

    def conjugate(self) -> Self:
        return self


class CarriedFloat(_Number, float):
    """A float and its term."""

    plain_type = float

    def unsettled(self) -> float:
        return float.__add__(self, -0.0)

    def __hash__(self) -> int:
        return hash(self.settled("a number is looked up by its hash"))


class CarriedInt(_Number, int):
    """An int and its term."""

    plain_type = int

    def unsettled(self) -> int:
        return int.__add__(self, 0)

    def __hash__(self) -> int:
        return hash(self.settled("a number is looked up by its hash"))


class CarriedBool(_Number, int):
    """A bool and its term: no class can be made of bool."""

    plain_type = bool

    @property
    def real(self) -> Any:
        return self + 0  # the int of a bool

    @property
    def imag(self) -> Any:
        return 0

    def conjugate(self) -> Any:
        return self + 0

    def unsettled(self) -> bool:
        return int.__eq__(self, 1) is True

    def __hash__(self) -> int:
        return hash(self.settled("a truth value is looked up by its hash"))


Scalar: TypeAlias = "CarriedFloat | CarriedInt | CarriedBool"


def carry(recording: Recording, value: float, typed: Typed) -> float:
    """A value with its term; the plain one if that is a constant, or nothing is followed any more."""
    if typed.term.is_constant or not recording.live:
        return value
    made: Scalar
    if typed.type == TRUTH:
        made = CarriedBool(value)
    else:
        made = CarriedInt(value) if typed.type == WHOLE else CarriedFloat(value)
    made.recording, made.typed = recording, typed
    return made


def plain(value: object) -> Any:
    """A number without its term."""
    return value.unsettled() if isinstance(value, _Number) else value


def is_number(value: object) -> TypeIs[float]:
    """Whether a value is a number that terms can say something about."""
    return type(value) in (int, float, bool, CarriedFloat, CarriedInt, CarriedBool) or _is_member(value)


def _is_member(value: object) -> bool:
    return isinstance(value, int) and isinstance(value, Enum)


def is_carried(value: object) -> TypeIs[Carried]:
    """Whether a value carries a term."""
    return isinstance(value, Carried)


_PLAIN: dict[type, tuple[Sort, Type]] = {float: (FLOAT64, DOUBLE), int: (INT, WHOLE), bool: (BOOL, TRUTH)}


def typed_of(value: float) -> Typed:
    """A number as a term; see :func:`is_number`."""
    if isinstance(value, _Number):
        return value.typed
    sort, type_ = _PLAIN.get(type(value)) or (INT, WHOLE)
    return Typed(constant(sort, int(value) if sort == INT else value), type_)


def number_of(value: float) -> Typed:
    """The same, with 1 and 0 for truth values, as Python computes with them."""
    return numeric(typed_of(value))


def numeric(typed: Typed) -> Typed:
    """The same, of a number as a term."""
    if typed.type != TRUTH:
        return typed
    return Typed(if_else(typed.term, constant(INT, 1), constant(INT, 0)), WHOLE)


def beside(value: float, other: object) -> TypedValue:
    """A number as it is computed with beside another: a plain int becomes a float beside one.

    Raises:
        OverflowError: it is too large for that.
    """
    if isinstance(other, float) and not isinstance(value, float | Carried):
        return typed_of(float(value))
    return number_of(value)


def parts_of(value: object, depth: int = 3, most: int = 1000) -> Iterator[Carried]:
    """The values in a value that carry terms."""
    if isinstance(value, Carried):
        yield value
    elif depth and isinstance(value, list | tuple | set | frozenset | dict):
        items: Iterable[object] = [*value.keys(), *value.values()] if isinstance(value, dict) else value
        for item in list(items)[:most]:
            yield from parts_of(item, depth - 1)
    elif depth and hasattr(value, "__dict__") and not isinstance(value, type) and not callable(value):
        for item in list(vars(value).values())[:most]:
            yield from parts_of(item, depth - 1)
