"""Parameters and signatures for pointers that may lead to the same memory.

Each such pointer gets one more word, an index that says where it leads: 0 is memory of its own, ``n`` is the n-th way
to lie in the memory of another pointer. Words are 64-bit integers in the order of the values that they encode
(``words.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

from ....errors import OptionError
from ....subject.base import Parameter, Words
from ....words import Kind, bits_from_word, decode, encode, word_from_bits
from .argument_syntax import literals, without_names
from .layout import Layout, Scalar, Structure, Text, as_array, bits_in, bytes_of, cells, path_at, resized, value_of
from .overlap import AliasTarget, fitting, overlaps, ways_of
from .parameters import CParameter, CSignature


@dataclass(frozen=True)
class AliasParameter(CParameter):
    """The parameter that says where a pointer parameter leads.

    It has one word: 0 for memory of its own, ``n`` for the n-th of ``ways``. The function itself does not have it.

    Attributes:
        of: name of the pointer parameter.
        ways: the ways to lie in the memory of earlier pointers; may be empty.
    """

    of: str = ""
    ways: tuple[AliasTarget, ...] = ()

    is_passed: ClassVar[bool] = False
    is_argument: ClassVar[bool] = False
    is_choice: ClassVar[bool] = True

    @property
    def is_tried(self) -> bool:
        """Whether runs may use at least one of the ways. With preconditions, they use none."""
        return self.narrowed[0][1] > 0

    @property
    def assumption(self) -> str:
        """The assumption about the pointer that all runs share, for the report."""
        others = " or ".join(dict.fromkeys(way.other for way in self.ways))
        return f"{self.of} leads to memory of its own{f', or to that of {others}' if self.is_tried else ''}"

    def refitted(self, words: Words, before: Parameter) -> Words:
        """Return the word for the same way after the subject was loaded with longer arrays.

        The way may have another number. If it is gone, the pointer leads to memory of its own.
        """
        assert isinstance(before, AliasParameter)
        way = before.ways[words[0] - 1] if words[0] else None
        return (self.ways.index(way) + 1 if way in self.ways else 0,)

    def hints(self) -> list[tuple[int, ...]]:
        return [tuple(range(len(self.ways) + 1))]

    @property
    def driven(self) -> str:
        return f"own memory, or one of {len(self.ways)} places in the memory of other pointers"


class Span(NamedTuple):
    """The part of shared memory that one pointer leads to.

    Attributes:
        root: name of the pointer whose memory it is.
        at: offset in bytes from the beginning of the shared memory.
        size: size in bytes of this pointer's part.
        whole: size in bytes of all shared memory.
    """

    root: str
    at: int
    size: int
    whole: int


@dataclass(frozen=True)
class AliasSignature(CSignature):
    """The signature of a function with pointers that may lead to the same memory.

    Where they do, the words of the first of these parameters give the content.
    """

    @cached_property
    def places(self) -> dict[str, AliasParameter]:
        """The alias parameters, by the names of the pointers whose place they give."""
        return {p.of: p for p in self.parameters if isinstance(p, AliasParameter)}

    @cached_property
    def apart(self) -> CSignature:
        """The signature without alias parameters: each pointer leads to memory of its own."""
        own = tuple(p for p in self.parameters if not isinstance(p, AliasParameter))
        return CSignature(**_fields(self) | {"parameters": own})

    def in_effect(self, words: Words) -> dict[str, AliasTarget]:
        """Return the pointers that lead to another pointer's memory in a call, and where.

        Ways that are impossible in this call (a NULL pointer, a short array, a chain of aliases) do not count. The keys
        are names of pointers. The result is empty if each pointer leads to memory of its own.
        """
        parts = self.split(words)
        said = {p.of: (p, mine[0]) for p, mine in parts if isinstance(p, AliasParameter)}
        sizes = {p.name: p.layout.size for p, mine in parts if p.is_pointer and p.own(mine) is not None}
        found = dict[str, AliasTarget]()
        for name, (place, number) in said.items():
            way = place.ways[number - 1] if number else None
            if way is not None and way.other not in found and {name, way.other} <= sizes.keys():
                fits = fitting(self.pointer(name), self.pointer(way.other))
                if fits(way.offset, sizes[name], sizes[way.other]):
                    found[name] = way
        return found

    def pointer(self, name: str) -> CParameter:
        """Return the parameter of that name, which must exist."""
        return next(p for p in self.parameters if p.name == name)

    def spans(self, words: Words) -> dict[str, Span]:
        """Return the part of memory that each pointer leads to in a call, by the pointer's name.

        A pointer with memory of its own is its own root. NULL pointers are left out.
        """
        ways = self.in_effect(words)
        sizes = {p.name: p.layout.size for p, mine in self.split(words) if p.is_pointer and p.own(mine) is not None}
        offsets = {name: ways[name] if name in ways else AliasTarget(name, 0) for name in sizes}
        found = dict[str, Span]()
        for name, (root, offset) in offsets.items():
            mine = [(one.offset, sizes[other]) for other, one in offsets.items() if one.other == root]
            low = min(at for at, _ in mine)
            found[name] = Span(root, offset - low, sizes[name], max(at + size for at, size in mine) - low)
        return found

    def contents(self, words: Words) -> dict[str, bytes]:
        """Return the content of each piece of memory at the beginning of a call, by the name of its root pointer.

        Memory that only one pointer leads to is included.
        """
        spans, found = self.spans(words), dict[str, bytearray]()
        for parameter, mine in reversed(self.split(words)):
            if (span := spans.get(parameter.name)) is not None:
                there = found.setdefault(span.root, bytearray(span.whole))
                there[span.at : span.at + span.size] = _image(parameter, parameter.own(parameter.tidy(mine)) or ())
        return {root: bytes(there) for root, there in found.items()}

    def tidy(self, words: Words) -> Words:
        """Return canonical words for the same call.

        The words of each aliasing pointer become the content of the memory that it leads to, as far as a string's words
        can express it. An alias word whose way is impossible in this call becomes 0.
        """
        ways = self.in_effect(words)
        found = list(super().tidy(words))
        if ways:
            spans, contents = self.spans(words), self.contents(words)
        at = 0
        for (whole, all_of_it), (parameter, _) in zip(self.whole(words), self.split(words), strict=True):
            if isinstance(whole, AliasParameter):
                found[at] = all_of_it[0] if whole.of in ways else 0
            elif parameter.name in ways:
                span, first = spans[parameter.name], at + parameter.has_null_word
                seen = seen_as(parameter.layout, contents[span.root][span.at : span.at + span.size])
                if isinstance(parameter.layout, Text):  # the terminator may lie beyond its end, in the other string
                    seen = (*seen[:-1], 0)
                    if any(seen[seen.index(0) :]):  # a string's words can not express this
                        seen = tuple(found[first : first + len(seen)])
                kept = seen[: len(all_of_it) - parameter.has_null_word]
                found[first : first + len(kept)] = kept
            at += len(all_of_it)
        return tuple(found)

    def groups(self, words: Words) -> list[Group]:
        """Return the pieces of memory that several pointers share in a call; empty if there are none."""
        ways = self.in_effect(words)
        if not ways:
            return []
        spans, contents = self.spans(words), self.contents(words)
        parts = {p.name: p for p, _ in self.split(words)}
        found = []
        for root in dict.fromkeys(way.other for way in ways.values()):
            members = {name: span for name, span in spans.items() if span.root == root}
            first = min(members, key=lambda name: (members[name].at, -members[name].size))
            whole = parts[first]
            if members[first].size < members[first].whole or isinstance(whole.layout, Text):
                element = as_array(whole.layout).element
                layout = resized(whole.layout, members[first].whole // element.size)
                if isinstance(whole.layout, Text):
                    layout = Text.of(layout.count - 1, whole.layout.is_guess)
                whole = replace(whole, layout=layout, extent=None)
            is_output = any(parts[name].is_output for name in members)
            whole = replace(whole, is_output=is_output, nullable=False, narrowed=())
            found.append(Group(whole, {name: span.at for name, span in members.items() if name != first},
                               seen_as(whole.layout, contents[root]), members))  # fmt: skip
        return found

    def left(self, group: Group, outputs: dict[str, tuple[int, ...] | None]) -> tuple[int, ...]:
        """Return the bits of each number in shared memory after a run.

        Args:
            group: the shared memory.
            outputs: for each pointer into it, the bits of the numbers behind the pointer after the run. Other keys are
                ignored.

        Returns:
            The bits in the order of the layout of ``group.whole``.
        """
        there = bytearray(group.whole.layout.size)
        for name, span in group.members.items():
            layout, bits = self.pointer(name).layout_of(len(outputs[name] or ())), outputs[name] or ()
            made = bytes_of(layout, bits)[: span.size]
            there[span.at : span.at + len(made)] = made
        return bits_in(bytes(there), group.whole.layout)

    def aliases(self, words: Words) -> dict[str, str]:
        """Return the C expression for each pointer into shared memory: ``{"b": "a"}``, ``{"b": "a + 1"}``.

        The pointer to the beginning of a piece of memory is left out, and so are pointers with memory of their own.
        """
        found = super().aliases(words)
        for group in self.groups(words):
            found |= {name: group.said(self.pointer(name), at) for name, at in group.others.items()}
        return found

    def show_call(self, words: Words) -> str:
        """Return the call as text for people; with names if pointers share memory: ``swap(a={5}, b=a)``."""
        groups = self.groups(words)
        if not groups:
            return super().show_call(words)
        said = {group.whole.name: group.whole.show(group.words) for group in groups} | self.aliases(words)
        shown = [f"{p.name}={said.get(p.name) or p.show(mine)}" for p, mine in self.split(words) if p.is_shown]
        return f"{self.name}({', '.join(shown)})"

    def usual(self, words: Words) -> set[int]:
        """Return the positions of the alias words."""
        return {
            at
            for at, of in enumerate(of for p in self.parameters for of in [p] * p.arity)
            if isinstance(of, AliasParameter)
        }

    def words_of(self, values: str) -> Words:
        """Return the words of arguments in Python notation.

        A pointer may alias an earlier one by its name, as in ``[5], a``, with an offset in its own elements, ``a + 1``.

        Raises:
            OptionError: the arguments do not fit the parameters, or a pointer can not lead there.
        """
        text, said = without_names(values, [p.name for p in self.parameters if p.is_shown])
        numbers = dict.fromkeys(self.places, 0)
        for name, (other, count) in said.items():
            ways = self.places[name].ways if name in self.places else ()
            step = as_array(self.pointer(name).layout).element.size
            if (way := AliasTarget(other, count * step)) not in ways:
                there = ", ".join(f"{way.other} + {way.offset // step}" for way in ways) or "memory of its own"
                raise OptionError(f"{values!r}: {name} can not point there; it can point to {there}")
            numbers[name] = ways.index(way) + 1
        if said:
            shown = [p.name for p in self.parameters if p.is_shown]
            known = dict(zip(shown, literals(text.format(*["None"] * len(said))), strict=False))
            values = text.format(*(_nothing(self.pointer(name), known) for name in said))
        return (*self.apart.words_of(values), *numbers.values())


@dataclass(frozen=True)
class Group:
    """A piece of memory that several pointers lead to.

    Attributes:
        whole: the parameter that leads to its beginning, with the layout of the whole piece.
        others: offset in bytes of each other pointer from the beginning, by the pointer's name.
        words: words of the whole content at the beginning of the call.
        members: part of each pointer by its name, including ``whole``.
    """

    whole: CParameter
    others: dict[str, int]
    words: Words
    members: dict[str, Span]

    def elements(self, parameter: CParameter, at: int) -> int | None:
        """Convert an offset in bytes to elements of a parameter.

        Returns:
            The number of elements; None if the pointers' elements differ, or if the offset lies inside an element.
        """
        mine, element = as_array(self.whole.layout).element, as_array(parameter.layout).element
        same = mine == element or (not isinstance(mine, Structure) and not isinstance(element, Structure)
                                   and mine.size == element.size)  # fmt: skip
        return at // element.size if same and at % element.size == 0 else None

    def said(self, parameter: CParameter, at: int) -> str:
        """Return the C expression for a pointer at an offset in bytes: ``a``, ``a + 1``, ``&a->y``."""
        name, count = self.whole.name, self.elements(parameter, at)
        if count is not None:
            return f"{name} + {count}" if count else name
        path = path_at(self.whole.layout, at)
        if "." in path:
            return f"&{name}{'->' + path[1:] if path.startswith('.') else path}"
        return f"(char *){name}" + f" + {at}" * (at > 0)


def seen_as(layout: Layout, content: bytes) -> Words:
    """Return the words of memory content with this layout; of a ``bool``, only the lowest bit counts."""
    return tuple(word_from_bits(cell.kind, bits if cell.kind is not Kind.BOOL else bits & 1)
                 for cell, bits in zip(cells(layout), bits_in(content, layout), strict=True))  # fmt: skip


def _image(parameter: CParameter, words: Sequence[int]) -> bytes:
    """Return the memory content of a parameter's words, which come without the NULL flag. Padding is 0."""
    bits = [bits_from_word(cell.kind, word) for cell, word in zip(cells(parameter.layout), words, strict=True)]
    return bytes_of(parameter.layout, bits)


def _nothing(parameter: CParameter, known: dict[str, Any]) -> str:
    """Return a value of zeros in Python notation; ``known`` has the other arguments, which may be its length."""
    layout, extent = parameter.layout, parameter.extent
    if isinstance(layout, Text):
        return "''"
    if extent is not None and all(isinstance(known.get(name), int) for name in extent.counts):
        layout = resized(layout, extent.elements(known))
    zeros = tuple(encode(cell.kind, 0) for cell in cells(layout))
    return repr(value_of(layout, zeros, decode))


# ---- which ways there are ----


def with_alias_parameters(signature: CSignature) -> CSignature:
    """Add an alias parameter for each pointer that may lead to an earlier pointer's memory.

    A pointer gets one even if it has no way yet, because arrays may grow when the subject is loaded again.

    Returns:
        An :class:`AliasSignature`, with the new parameters at the end. A signature without such pointers, or of a call
        sequence, is returned unchanged.
    """
    if type(signature) is not CSignature or not signature.sharing.pairs:
        return signature
    pointers = {p.name: p for p in signature.parameters if p.is_pointer and (not p.container or p.container.is_view)}
    ways = dict[str, list[AliasTarget]]()
    for name, other in combinations(pointers, 2):
        if (name, other) in signature.sharing.pairs:
            found = ways_of(pointers[name], pointers[other], (name, other) in signature.sharing.related)
            ways.setdefault(other, []).extend(AliasTarget(name, offset) for offset in found)
    places = [AliasParameter(f"place of {name}", "", Scalar(Kind.U8), is_shown=False, of=name, ways=tuple(found),
                    narrowed=((0, len(found)),)) for name, found in ways.items()]  # fmt: skip
    if not places:
        return signature
    return AliasSignature(**_fields(signature) | {"parameters": (*signature.parameters, *places)})


def apart(signature: CSignature) -> CSignature:
    """Fix all pointers of a signature to memory of their own, and arrays to the elements that their lengths count.

    The number of words stays the same.
    """
    own = tuple(replace(p, narrowed=((0, 0),)) if p.is_choice and not p.is_passed else p for p in signature.parameters)
    return replace(signature, parameters=own) if own != signature.parameters else signature


def _fields(signature: CSignature) -> dict[str, Any]:
    """Return the values of the fields that every :class:`CSignature` has, by name."""
    return {field.name: getattr(signature, field.name) for field in fields(CSignature)}


def untried(signature: CSignature) -> tuple[str, str] | None:
    """Return a pair of pointers that may alias in a way that no run tries; None if there is no such pair.

    If there is such a pair, what holds for all runs need not hold for all calls, so it proves nothing
    (``docs/decisions/0017-pointers-that-alias.md``).
    """
    places = {p.of: p for p in signature.parameters if isinstance(p, AliasParameter)}
    pointers, related = {p.name: p for p in signature.pointers}, signature.sharing.related
    several = len({name for pair in signature.sharing.pairs for name in pair}) > 2
    for pair in signature.sharing.pairs:
        if pair[0] not in pointers or pair[1] not in places or pair in related:
            return pair
        place, (one, other) = places[pair[1]], (pointers[name] for name in pair)
        tried = {way.offset for way in place.ways if way.other == pair[0]}
        needed = {*overlaps(one, other), *([0] if pair in signature.sharing.compared else [])}
        if not place.is_tried or not needed <= tried or (several and needed != {0}):
            return pair
    return None


# ---- in memory ----


def rooms(signature: CSignature) -> list[int]:
    """Return the bytes of memory to reserve for each pointer, including memory shared with other pointers.

    The order is that of ``signature.pointers``.
    """
    found = {p.name: [0, p.most_size] for p in signature.pointers}
    sizes = {p.name: p.most_size for p in signature.pointers}
    for place in (p for p in signature.parameters if isinstance(p, AliasParameter)):
        for way in place.ways:
            low, high = found[way.other]
            found[way.other] = [min(low, way.offset), max(high, way.offset + sizes[place.of])]
    return [high - low for low, high in found.values()]
