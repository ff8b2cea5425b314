"""Objects that pointers inside of structures point to: each is a parameter of its own, which a test does not pass.

A pointer field is NULL or leads to an object of its own: a structure, a number or array, or a string. Chains are
followed up to three objects. Fields beyond, and pointers to anything else, are NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from ....subject.base import Words
from ..llvm_ir.debug_info import DebugInfo
from .alias_analysis import behind
from .debug_info_types import NoLayout, layout_of
from .layout import Array, OddFloat, PointerField, Scalar, Structure, Text, as_array, written
from .parameters import CParameter, CSignature
from .string_parameters import is_char

_DEPTH = 3  # objects in a chain, behind the one that a parameter points to
_CHARACTERS = 15  # room for a string, before it grows
_MOST_NUMBERS = 200  # in all such objects of a signature
_NOTHING = PointerField("", 0, None, "")


@dataclass(frozen=True)
class Pointee(CParameter):
    """The object behind a pointer field of a structure; NULL is always tried, too.

    Attributes:
        of: the name of the parameter that points to the structure.
        field: the pointer field.
    """

    of: str = ""
    field: PointerField = _NOTHING
    is_passed: ClassVar[bool] = False
    is_argument: ClassVar[bool] = False

    def zeros(self) -> Words:
        return (1, *super().zeros()[1:])


@dataclass(frozen=True)
class PointeeSignature(CSignature):
    """The signature of a function with pointers in structures. Values and texts have the objects inside of each other.

    The objects come behind the other parameters, each one before those that it points to.
    """

    @property
    def pointees(self) -> list[Pointee]:
        """The objects behind pointer fields."""
        return [p for p in self.parameters if isinstance(p, Pointee)]

    def _nested(self, words: Words, one: Callable[[CParameter, Words], object]) -> list[tuple[CParameter, Any]]:
        """Return the parameters of the source with their values; pointer fields have values, or None for NULL.

        Args:
            words: the input.
            one: converts the words of a parameter.
        """
        values = {p.name: one(p, mine) for p, mine in self.split(words)}
        for made in reversed(self.pointees):
            for inner in _holders(values[made.of], made.field):
                inner[made.field.steps[-1]] = values[made.name]
        for parameter in self.parameters:
            for field in pointers_in(parameter):
                for inner in _holders(values[parameter.name], field):
                    inner.setdefault(field.steps[-1], None)
        return [(p, values[p.name]) for p in self.parameters if p.is_shown]

    def arguments(self, words: Words) -> list[Any]:
        return [value for _, value in self._nested(words, lambda p, mine: p.argument(mine))]

    def exact(self, words: Words) -> list[Any]:
        return [value for _, value in self._nested(words, lambda p, mine: p.exact(mine))]

    def show_call(self, words: Words) -> str:
        shown = self._nested(words, lambda p, mine: p.rendered(mine))
        said = self.aliases(words)
        return f"{self.name}({', '.join(said.get(p.name) or written(value) for p, value in shown)})"

    def _take_apart(self, known: dict[str, Any]) -> None:
        for parameter in self.parameters:
            for field in pointers_in(parameter):
                for inner in _holders(known.get(parameter.name), field):
                    known[f"{parameter.name}->{field.path}"] = inner.pop(field.steps[-1], None)
        for one in self.pointees:
            known.setdefault(one.name, None)


def _holders(value: Any, field: PointerField) -> Iterator[dict[str, Any]]:
    """Yield the dictionary of the structure that has a pointer field, if it is there."""
    value = value[0] if isinstance(value, list) and value else value
    for step in field.steps[:-1]:
        value = value.get(step) if isinstance(value, dict) else None
    if isinstance(value, dict):
        yield value


def with_pointees(signature: CSignature, debug: DebugInfo, rooms: Mapping[str, int]) -> CSignature:
    """Add a parameter for each object behind a pointer field, and a note for each field that is always NULL.

    Args:
        signature: the signature, without such parameters.
        debug: debug info of the module.
        rooms: numbers of elements for arrays of unknown length, by parameter name.
    """
    found, notes, numbers = list[Pointee](), list[str](), 0
    waiting = [(parameter, 0) for parameter in signature.parameters]
    while waiting:
        owner, depth = waiting.pop(0)
        for field in pointers_in(owner):
            name = f"{owner.name}->{field.path}"
            made = _pointee(owner, name, field, debug, rooms) if owner.extent is None else "it is in an array"
            if isinstance(made, Pointee):
                numbers += made.arity
                if depth == _DEPTH or numbers > _MOST_NUMBERS:
                    made = "a chain has at most three objects" if depth == _DEPTH else "there are too many numbers"
            if isinstance(made, Pointee):
                found.append(made)
                waiting.append((made, depth + 1))
            else:
                notes.append(f"{name} is always NULL: {made}")
    if not found and not notes:
        return signature
    own = {one.name: getattr(signature, one.name) for one in fields(signature) if one.init}
    return PointeeSignature(**own | {"parameters": (*signature.parameters, *found),
                                     "notes": (*signature.notes, *notes)})  # fmt: skip


def pointers_in(parameter: CParameter) -> tuple[PointerField, ...]:
    """Return the pointer fields of the structure that a parameter points to; of an array, those of its first one."""
    element = as_array(parameter.layout).element
    return element.pointers if parameter.is_pointer and isinstance(element, Structure) else ()


def _pointee(owner: CParameter, name: str, field: PointerField, debug: DebugInfo,
             rooms: Mapping[str, int]) -> Pointee | str:  # fmt: skip
    """Return the parameter for the object behind a pointer field, or the reason why there is none."""
    base, _ = debug.resolve(field.target)
    target = debug.fields(base).get("baseType")
    if debug.resolve(target)[0] in (None, "null"):
        return "what it points to has no type"
    try:
        layout = layout_of(debug, target, pointers=True)
    except NoLayout as error:
        return f"it points to {debug.type_name(target)!r}, {error}"
    is_guess = isinstance(layout, Scalar | OddFloat)
    count = rooms.get(name, 1)
    if is_guess and is_char(debug, field.target):
        layout = Text.of(rooms.get(name, _CHARACTERS + 1) - 1, is_guess=True)
    elif isinstance(layout, Scalar | OddFloat):
        layout = Array(layout, count)
    return Pointee(name, field.type, layout, is_pointer=True, nullable=True, is_output=not debug.is_constant(target),
                   is_guess=is_guess, is_shown=False, behind=behind(debug, field.target), of=owner.name,
                   field=field)  # fmt: skip
