"""The IR that makes pointers to the same memory; see ``front.alias_parameters``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..front.alias_parameters import AliasParameter, AliasSignature, rooms
from ..front.layout import Text, as_array
from ..front.overlap import are_alike, directions, fitting
from ..front.parameters import CParameter, CSignature
from .arrays import PAGE
from .call_code import Body, length_of_array


@dataclass
class _Pointer:
    """A pointer of a call: values of IR, by what they are called here.

    Attributes:
        parameter: that it is given for.
        word: the number of its first word.
        buffer: where its memory is, with ``room`` bytes.
        count: elements; None where they are always as many.
        size: bytes that it has.
        there: it is not NULL.
        own: it leads to memory of its own.
        low: where what leads there begins, in bytes from its own beginning.
        high: and ends.
        alone: nothing else leads there.
        ways: what has to hold so that it leads to something else, what, and how many bytes behind that.
    """

    parameter: CParameter
    word: int
    buffer: str
    room: int
    count: str | None
    size: str
    there: str
    own: str
    low: str
    high: str
    alone: str
    ways: list[tuple[str, str, int]]


def placed(body: Body, signature: CSignature, counts: Mapping[str, str]) -> list[str]:
    """The addresses of all pointers, in their order, if some may lead to the same memory; what lies there is as the
    words say."""
    if not isinstance(signature, AliasSignature):
        return []
    pointers, word = dict[str, _Pointer](), 0
    sizes = dict(zip((p.name for p in signature.pointers), rooms(signature), strict=True))
    for parameter in signature.parameters:
        if parameter.is_pointer:
            pointers[parameter.name] = _begun(body, parameter, word, len(pointers), sizes[parameter.name], counts)
        elif isinstance(parameter, AliasParameter):
            _choose(body, pointers, parameter, body.new(f"load i64, ptr {body.at('i64', '%words', word)}"))
        word += parameter.arity
    found = dict[str, str]()
    for name, one in pointers.items():  # those that others lead to stand first
        found[name] = _address(body, one)
        for is_so, other, offset in one.ways:
            there = body.at("i8", found[other], offset)
            found[name] = body.new(f"select i1 {is_so}, ptr {there}, ptr {found[name]}")
    texts = {name: _filled(body, one, found[name]) for name, one in reversed(pointers.items())}  # the first one wins
    return [body.new(f"select i1 {one.there}, ptr {texts[name]}, ptr null") if one.parameter.nullable else texts[name]
            for name, one in pointers.items()]  # fmt: skip


def _begun(body: Body, parameter: CParameter, word: int, number: int, room: int,
           counts: Mapping[str, str]) -> _Pointer:  # fmt: skip
    there, count, size = "true", None, str(parameter.layout.size)
    if parameter.extent is not None:
        count = length_of_array(body, parameter.extent, counts)
        size = body.new(f"mul i64 {count}, {as_array(parameter.layout).element.size}")
    if parameter.nullable:
        absent = body.new(f"load i64, ptr {body.at('i64', '%words', word)}")
        there = body.new(f"icmp eq i64 {absent}, 0")
    return _Pointer(parameter, word, body.buffer(number), room, count, size, there, "true", "0", size, "true", [])


def _choose(body: Body, pointers: Mapping[str, _Pointer], place: AliasParameter, word: str) -> None:
    """Where a pointer leads, as a word says."""
    mine = pointers[place.of]
    for number, (name, offset) in enumerate(place.ways, 1):
        other = pointers[name]
        holds = body.new(f"icmp eq i64 {word}, {number}")
        for condition in (mine.there, other.there, other.own, *_fits(body, mine, other, offset)):
            holds = body.new(f"and i1 {holds}, {condition}") if condition != "true" else holds
        mine.ways.append((holds, name, offset))
        end = body.new(f"add i64 {mine.size}, {offset}")
        is_further = body.new(f"icmp sgt i64 {end}, {other.high}")
        higher = body.new(f"select i1 {is_further}, i64 {end}, i64 {other.high}")
        other.high = body.new(f"select i1 {holds}, i64 {higher}, i64 {other.high}")
        is_before = body.new(f"icmp slt i64 {offset}, {other.low}")
        lower = body.new(f"select i1 {is_before}, i64 {offset}, i64 {other.low}")
        other.low = body.new(f"select i1 {holds}, i64 {lower}, i64 {other.low}")
        differs = body.new(f"xor i1 {holds}, true")
        other.alone = body.new(f"and i1 {other.alone}, {differs}")
        mine.own = body.new(f"and i1 {mine.own}, {differs}")


def _fits(body: Body, mine: _Pointer, other: _Pointer, offset: int) -> list[str]:
    """As :func:`fitting` says it; nothing where it always does."""
    fits = fitting(mine.parameter, other.parameter)
    if mine.count is None and other.count is None:
        return [] if fits(offset, mine.parameter.layout.size, other.parameter.layout.size) else ["false"]
    if are_alike(mine.parameter, other.parameter):
        before = body.new(f"icmp sge i64 {mine.size}, {-offset}")
        return [before, body.new(f"icmp sge i64 {other.size}, {offset}")]
    left, right = body.new(f"sub i64 {other.size}, {mine.size}"), body.new(f"sub i64 {other.size}, {mine.size}")
    may_be_inside, may_be_around = directions(mine.parameter, other.parameter)
    inside = body.new(f"icmp sge i64 {left}, {offset}") if offset >= 0 and may_be_inside else "false"
    around = body.new(f"icmp sle i64 {right}, {offset}") if offset <= 0 and may_be_around else "false"
    return [body.new(f"or i1 {inside}, {around}")]


def _address(body: Body, one: _Pointer) -> str:
    """Where its own memory begins: what leads there ends at a wall, or begins at one."""
    end = body.at("i8", one.buffer, one.room)
    number = body.new(f"ptrtoint ptr {end} to i64")
    at_wall = body.new(f"icmp eq i64 {body.new(f'and i64 {number}, {PAGE - 1}')}, 0")
    ending = body.new(f"sub i64 {one.room}, {one.high}")
    beginning = body.new(f"sub i64 0, {one.low}")
    return body.at("i8", one.buffer, body.new(f"select i1 {at_wall}, i64 {ending}, i64 {beginning}"))


def _filled(body: Body, one: _Pointer, address: str) -> str:
    """Put there what the words say; where it begins then."""
    layout, word = one.parameter.layout, one.word + one.parameter.has_null_word
    if isinstance(layout, Text):
        first = body.at("i64", "%words", word)
        moves = body.new(f"and i1 {one.own}, {one.alone}") if not one.parameter.is_output else "false"
        return body.new(f"call ptr @zeroin_text(ptr {first}, ptr {address}, i64 {layout.count}, i1 {moves})")
    if one.count is None:
        body.put(layout, address, 0, "%words", word)
        return address
    array = as_array(layout)
    body.put_many(array.element, address, body.at("i64", "%words", word), body.least(one.count, str(array.count)))
    if one.parameter.extent is not None and one.parameter.extent.most > array.count:
        body.clear_from(address, array.count * array.element.size, one.size)
    return address
