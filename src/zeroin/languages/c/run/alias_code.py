"""Write the IR that makes pointers lead to the same memory, as words choose.

:mod:`zeroin.languages.c.front.alias_parameters` defines those words.
"""

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
    """A pointer argument of a call. Strings are names of IR values, or constants of IR.

    Attributes:
        parameter: the parameter that gets the pointer.
        word: the number of its first word.
        buffer: the address of its own memory.
        room: the size of its own memory, in bytes.
        count: how many elements it points to; None if the number is fixed.
        size: how many bytes it points to.
        there: whether the pointer is not NULL.
        own: whether it leads to memory of its own.
        low: the lowest address that any pointer into this memory has, in bytes from this pointer's beginning.
        high: the end of all that pointers into this memory point to, in bytes from this pointer's beginning.
        alone: whether no other pointer leads to this memory.
        ways: for each other pointer whose memory it may lead to: the condition, the name of that pointer's parameter,
            and the offset from it in bytes.
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
    """Write the IR that chooses all pointer arguments and fills the memory behind them from words.

    Args:
        body: gets the instructions.
        signature: the function's signature.
        counts: the IR values of the parameters that count array elements, by name.

    Returns:
        The IR values of the pointers, in the order of the parameters; an empty list if no pointers may lead to the same
        memory.
    """
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
    for name, one in pointers.items():  # a pointer leads only to the memory of an earlier one
        found[name] = _address(body, one)
        for is_so, other, offset in one.ways:
            there = body.at("i8", found[other], offset)
            found[name] = body.new(f"select i1 {is_so}, ptr {there}, ptr {found[name]}")
    # The first pointer is written last: where memory is shared, its values win.
    texts = {name: _filled(body, one, found[name]) for name, one in reversed(pointers.items())}
    return [body.new(f"select i1 {one.there}, ptr {texts[name]}, ptr null") if one.parameter.nullable else texts[name]
            for name, one in pointers.items()]  # fmt: skip


def _begun(body: Body, parameter: CParameter, word: int, number: int, room: int,
           counts: Mapping[str, str]) -> _Pointer:  # fmt: skip
    """Return a pointer argument that leads to memory of its own. Nothing is written there yet.

    Args:
        body: gets the instructions.
        parameter: the parameter that gets the pointer.
        word: the number of its first word.
        number: the number of its memory.
        room: the size of that memory, in bytes.
        counts: the IR values of the parameters that count array elements, by name.
    """
    there, count, size = "true", None, str(parameter.layout.size)
    if parameter.extent is not None:
        count = length_of_array(body, parameter.extent, counts)
        size = body.new(f"mul i64 {count}, {as_array(parameter.layout).element.size}")
    if parameter.nullable:
        absent = body.new(f"load i64, ptr {body.at('i64', '%words', word)}")
        there = body.new(f"icmp eq i64 {absent}, 0")
    return _Pointer(parameter, word, body.buffer(number), room, count, size, there, "true", "0", size, "true", [])


def _choose(body: Body, pointers: Mapping[str, _Pointer], place: AliasParameter, word: str) -> None:
    """Compute which memory a pointer leads to, as a word chooses, and update the extent of that memory."""
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
    """Return the conditions of :func:`zeroin.languages.c.front.overlap.fitting`, as IR values; none if always true."""
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
    """Return the address of a pointer in its own memory: all that leads there ends, or begins, at a guard page."""
    end = body.at("i8", one.buffer, one.room)
    number = body.new(f"ptrtoint ptr {end} to i64")
    at_wall = body.new(f"icmp eq i64 {body.new(f'and i64 {number}, {PAGE - 1}')}, 0")
    ending = body.new(f"sub i64 {one.room}, {one.high}")
    beginning = body.new(f"sub i64 0, {one.low}")
    return body.at("i8", one.buffer, body.new(f"select i1 {at_wall}, i64 {ending}, i64 {beginning}"))


def _filled(body: Body, one: _Pointer, address: str) -> str:
    """Write a pointer's values to an address. Return where they begin: a string may be moved to the buffer's end."""
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
