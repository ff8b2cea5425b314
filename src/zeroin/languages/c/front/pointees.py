"""Objects that pointers inside of structures point to: each is a parameter of its own, which a test does not pass.

A pointer field is NULL, leads to a function, leads to an object of its own (a structure, a number or array, or a
string), or leads to an object of the same type that another pointer leads to. Chains are followed up to three objects.
Fields beyond, and pointers to anything else, are NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from ....subject.base import Words
from ....words import Kind
from ..llvm_ir.debug_info import DebugInfo
from ..llvm_ir.ir import Function
from .alias_analysis import behind
from .callbacks import callback_of, is_function
from .debug_info_types import NoLayout, layout_of
from .layout import Array, OddFloat, PointerField, Scalar, Structure, Text, as_array, cells, resized, written
from .parameters import CParameter, CSignature
from .string_parameters import is_char

_DEPTH = 3  # objects in a chain, behind the one that a parameter points to
_CHARACTERS = 15  # room for a string, before it grows
_MOST_NUMBERS = 200  # in all such objects of a signature
_MOST_OTHERS = 4  # other pointers whose object a pointer may lead to
_NOTHING = PointerField("", 0, None, "")


@dataclass(frozen=True)
class Pointee(CParameter):
    """The object or the function behind a pointer field of a structure; NULL is always tried, too.

    Attributes:
        of: the name of the parameter that points to the structure.
        field: the pointer field.
    """

    of: str = ""
    field: PointerField = _NOTHING
    is_passed: ClassVar[bool] = False
    is_argument: ClassVar[bool] = False

    def zeros(self) -> Words:
        """Return its words for NULL."""
        return (len(self.callback.callees),) if self.callback else (1, *super().zeros()[1:])


@dataclass(frozen=True)
class PointeePlace(CParameter):
    """Whether a pointer field leads to an object that another pointer leads to.

    Its word is 0 for an object of its own or NULL, ``n`` for what the n-th of ``others`` points to.

    Attributes:
        of: the name of the parameter for the field's own object.
        others: the names of the other parameters.
    """

    of: str = ""
    others: tuple[str, ...] = ()
    is_passed: ClassVar[bool] = False
    is_argument: ClassVar[bool] = False
    is_late: ClassVar[bool] = True
    is_choice: ClassVar[bool] = True

    def hints(self) -> list[tuple[int, ...]]:
        return [tuple(range(len(self.others) + 1))]

    @property
    def assumption(self) -> str:
        """The assumption about the pointer that all runs share, for the report."""
        return self.driven

    @property
    def driven(self) -> str:
        return f"{self.of} leads where {' or '.join(self.others)} leads, or elsewhere"


@dataclass(frozen=True)
class PointeeSignature(CSignature):
    """The signature of a function with pointers in structures. Values and texts have the objects inside of each other.

    The objects come behind the other parameters, each one before those that it points to, and behind its place.
    """

    @property
    def pointees(self) -> list[Pointee]:
        """The objects behind pointer fields."""
        return [p for p in self.parameters if isinstance(p, Pointee)]

    def led_elsewhere(self, words: Words) -> dict[str, str]:
        """Return the parameters for objects that no pointer leads to, with the parameter where it leads instead."""
        return {p.of: p.others[mine[0] - 1] for p, mine in self.split(words)
                if isinstance(p, PointeePlace) and mine[0]}  # fmt: skip

    def tidy(self, words: Words) -> Words:
        """Return canonical words for the same arguments: objects that nothing leads to are NULL."""
        parts, gone, found = self.whole(super().tidy(words)), set[str](), list[int]()
        elsewhere = self.led_elsewhere(words)
        for parameter, mine in parts:
            if isinstance(parameter, PointeePlace):
                holder = next(p.of for p in self.pointees if p.name == parameter.of)
                mine = (0,) if holder in gone or elsewhere.get(parameter.of) in gone else mine
            elif isinstance(parameter, Pointee) and (parameter.of in gone or parameter.name in elsewhere):
                mine = parameter.zeros()
            if parameter.nullable and parameter.own(mine) is None:
                gone.add(parameter.name)
            found += mine
        return tuple(found)

    def _nested(self, words: Words, one: Callable[[CParameter, Words], object]) -> list[tuple[CParameter, Any]]:
        """Return the parameters of the source with their values; pointer fields have values, or None for NULL.

        Args:
            words: the input.
            one: converts the words of a parameter.
        """
        values = {p.name: one(p, mine) for p, mine in self.split(words)} | self.led_elsewhere(words)
        for made in reversed(self.pointees):
            for inner in _holders(values[made.of], made.field):
                inner[made.field.steps[-1]] = values[made.name]
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
        for place in self.parameters:
            if isinstance(place, PointeePlace) and known[place.of] in place.others:
                known[place.name] = place.others.index(known[place.of]) + 1
                known[place.of] = None


def _holders(value: Any, field: PointerField) -> Iterator[dict[str, Any]]:
    """Yield the dictionary of the structure that has a pointer field, if it is there."""
    value = value[0] if isinstance(value, list) and value else value
    for step in field.steps[:-1]:
        value = value.get(step) if isinstance(value, dict) else None
    if isinstance(value, dict):
        yield value


def with_pointees(signature: CSignature, debug: DebugInfo, rooms: Mapping[str, int],
                  own: Sequence[Function], lengths: Mapping[str, int]) -> CSignature:  # fmt: skip
    """Add a parameter for each object behind a pointer field, and a note for each field that is always NULL.

    Args:
        signature: the signature, without such parameters.
        debug: debug info of the module.
        rooms: numbers of elements for arrays of unknown length, by parameter name.
        own: the functions that function pointers may be set to.
        lengths: numbers of elements that the user has given, by parameter name.
    """
    found, notes, numbers = list[Pointee | PointeePlace](), list[str](), 0
    waiting = [(parameter, 0) for parameter in signature.parameters]
    while waiting:
        owner, depth = waiting.pop(0)
        for field in pointers_in(owner):  # an array counts once, so that it stays when it has grown
            name = f"{owner.name}->{field.path}"
            made = (
                _pointee(owner, name, field, debug, rooms, own, lengths)
                if owner.extent is None
                else "it is in an array"
            )
            if isinstance(made, Pointee):
                numbers += made.arity if not made.is_guess else len(cells(as_array(made.layout).element))
                if depth == _DEPTH or numbers > _MOST_NUMBERS:
                    made = "a chain has at most three objects" if depth == _DEPTH else "there are too many numbers"
            if isinstance(made, Pointee):
                others = [one.name for one in (*signature.pointers, *found) if _alike(one, made)]
                found += [_place(made, others[:_MOST_OTHERS])] * bool(others)
                found.append(made)
                waiting.append((made, depth + 1))
            elif not (depth == _DEPTH and any(note.endswith(made) for note in notes)):  # the first of these is enough
                notes.append(f"{name} is always NULL: {made}")
    if not found and not notes:
        return signature
    if signature.sharing.pairs:
        notes.append("parameters never lead to the same memory here, because structures have pointers")
    known = {one.name: getattr(signature, one.name) for one in fields(signature) if one.init}
    return PointeeSignature(**known | {"parameters": (*signature.parameters, *found),
                                     "notes": (*signature.notes, *notes)})  # fmt: skip


def pointers_in(parameter: CParameter) -> tuple[PointerField, ...]:
    """Return the pointer fields of the structure that a parameter points to; of an array, those of its first one."""
    element = as_array(parameter.layout).element
    return element.pointers if parameter.is_pointer and isinstance(element, Structure) else ()


def _pointee(owner: CParameter, name: str, field: PointerField, debug: DebugInfo,
             rooms: Mapping[str, int], own: Sequence[Function],
             lengths: Mapping[str, int]) -> Pointee | str:  # fmt: skip
    """Return the parameter for the object or function behind a pointer field, or the reason why there is none."""
    if is_function(debug, field.target):
        callback = callback_of(debug, field.target, own)
        return Pointee(name, field.type, callback, nullable=True, is_shown=False, of=owner.name, field=field)
    if debug.is_constant(field.target):
        return "it is const, so a test can not set it"
    base, _ = debug.resolve(field.target)
    target = debug.fields(base).get("baseType")
    if debug.resolve(target)[0] in (None, "null"):
        return "what it points to has no type"
    try:
        layout = layout_of(debug, target, pointers=True)
    except NoLayout as error:
        return f"it points to {debug.type_name(target)!r}, {error}"
    is_guess, count = not isinstance(layout, Array) and name not in lengths, rooms.get(name, 1)
    if name in lengths:
        layout = resized(layout, lengths[name])
    elif isinstance(layout, Scalar) and is_char(debug, field.target):
        layout = Text.of(rooms.get(name, _CHARACTERS + 1) - 1, is_guess=True)
    elif isinstance(layout, Scalar | OddFloat) or (isinstance(layout, Structure) and count > 1):
        layout = Array(layout, count)
    return Pointee(name, field.type, layout, is_pointer=True, nullable=True, is_output=not debug.is_constant(target),
                   is_guess=is_guess, is_shown=False, behind=behind(debug, field.target), of=owner.name,
                   field=field)  # fmt: skip


def _alike(one: CParameter, other: CParameter) -> bool:
    """Whether two pointers lead to objects of the same type, which is no string."""
    texts = isinstance(one.layout, Text) or isinstance(other.layout, Text)
    return not texts and one.is_pointer and as_array(one.layout).element == as_array(other.layout).element


def _place(of: Pointee, others: Sequence[str]) -> PointeePlace:
    """Return the parameter that says whether a pointer field leads where another pointer leads."""
    return PointeePlace(f"place of {of.name}", "", Scalar(Kind.U8), is_shown=False, narrowed=((0, len(others)),),
                        of=of.name, others=tuple(others))  # fmt: skip
