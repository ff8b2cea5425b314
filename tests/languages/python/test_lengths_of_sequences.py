"""Room for sequences, and words that do not matter."""

from __future__ import annotations

import ast

import pytest

from zeroin.languages.python.front.annotations import shape_of
from zeroin.languages.python.values.arrays import ArrayND
from zeroin.languages.python.values.containers import List, Str, Union
from zeroin.languages.python.values.lengths import Lengths, lengths_for, tidy, with_room
from zeroin.languages.python.values.scalars import FixedTuple, NoneShape
from zeroin.languages.python.values.shapes import Float, Int


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("len(xs) > 7", (8, 8)),
        ("xs[11]", (12, 12)),
        ("[x for x in range(20)]", (21, 21)),
        ("x + 30", (1, 1)),
        ("len(xs) == 1000", (1, 1)),
        ("len(xs) > 128", (1, 129)),
        ("x > 128", (1, 1)),
        ("s.startswith('Hello') and s.endswith('World!')", (1, 19)),
        ("s == 'a' * 3 or t == 'abcdef'", (4, 6)),
        ("f'{total:02X}' == s.upper() or t == 'abcdef'", (1, 14)),
        ("str(total) != s[-1]", (2, 8)),
        ("f'{total:02X}' + s", (1, 1)),
    ],
)
def test_room_is_for_what_is_compared(text: str, room: tuple[int, int]) -> None:
    assert lengths_for([ast.parse(text)])[:2] == room


def test_only_free_lengths_grow() -> None:
    class Most:
        max_length = 4

    bounded = shape_of(__import__("typing").Annotated[list[float], Most()], "f: parameter 'x'")
    assert with_room(bounded, Lengths(17, 17)).high == 4
    assert with_room(List(Float()), Lengths(17, 3)).high == 17
    assert with_room(List(Float()), Lengths(1, 1)).high == 8, "two peaks that lie apart take five items"
    assert with_room(List(FixedTuple((Float(), Float()))), Lengths(1, 1)).high == 4, "there are words enough"
    assert with_room(Str(), Lengths(17, 12)).high == 12
    assert with_room(Str(), Lengths(2, 2)).high == Str().high
    assert with_room(List(List(List(Float()))), Lengths(33, 1)).high == 600 // (1 + 4 * 5)  # not too many words
    nested = with_room(List(List(Int())), Lengths(9, 9))
    assert (nested.high, nested.element.high) == (9, List(Int()).high)
    assert with_room(Union((NoneShape(), List(Float()))), Lengths(9, 9)).alternatives[1].high == 9


def test_words_beyond_the_length_become_plain_ones() -> None:
    shape = List(Int())
    assert tidy(shape, (2, 5, 6, 7, 8)) == (2, 5, 6, 0, 0)
    either = Union((shape, Int()))
    assert tidy(either, (1, 4, 5, 6, 7, 8, 9)) == (1, *shape.plain(), 9)
    words = (3, *map(ord, "xyzuvwst"))
    assert Str().build(tidy(Str(), words), str) == "xyz"
    assert tidy(Str(), words)[4:] == (ord("z"),) * 5, "a longer string goes on as this one ends"
    assert tidy(Str(), (0, *words[1:]))[1:] == (ord("a"),) * 8


def test_elements_beyond_the_sides_become_plain_ones() -> None:
    assert tidy(ArrayND("int8", (2, 2)), (1, 2, 5, 6, 7, 8)) == (1, 2, 5, 6, 0, 0)
    assert tidy(ArrayND("int8", (2, 2)), (2, 0, 5, 6, 7, 8)) == (2, 0, 0, 0, 0, 0)
