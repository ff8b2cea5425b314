"""Texts that runs compare, and inputs in which others stand in their place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.python.modules import Modules
from zeroin.languages.python.run.probes.replacements import of_call, of_comparison, of_membership
from zeroin.languages.python.values.containers import List, Str, Union
from zeroin.languages.python.values.scalars import FixedTuple, NoneShape
from zeroin.languages.python.values.shapes import Int, Shape
from zeroin.languages.python.values.text_replacement import inserted, replaced, texts_in


class Shouting(str):
    """A text of a user, whose methods may do anything."""

    __slots__ = ()

    def __add__(self, other: str) -> str:
        raise AssertionError


@pytest.mark.parametrize(
    ("a", "b", "exchanges"),
    [
        ("ab", "cd", [("cd", "ab"), ("ab", "cd")]),
        ("ab", "ab", []),
        ("ab", 1, []),
        (["ab", "x"], ["cd", "x"], [("cd", "ab"), ("ab", "cd")]),
        (("ab", 1), ("ab", 2), []),
        (["ab"], ["cd", "x"], []),
        (Shouting("ab"), "cd", []),
    ],
)
def test_what_is_compared(a: Any, b: Any, exchanges: list[tuple[str, str]]) -> None:
    assert list(of_comparison(a, b)) == exchanges


@pytest.mark.parametrize(
    ("a", "b", "exchanges"),
    [
        ("x", "abc", [("abc", "abcx"), ("abc", "xabc")]),
        ("x", {"b": 1, "a": 2, 3: 4}, [("x", "a"), ("x", "b")]),
        ("x", frozenset({"b", "a"}), [("x", "a"), ("x", "b")]),
        ("x", 5, []),
        (5, "abc", []),
        (Shouting("x"), "abc", []),
    ],
)
def test_what_something_is_looked_for_in(a: Any, b: Any, exchanges: list[tuple[str, str]]) -> None:
    assert list(of_membership(a, b)) == exchanges


@pytest.mark.parametrize(
    ("name", "on", "arguments", "exchanges"),
    [
        ("startswith", "abc", ("xy",), [("abc", "xyabc"), ("abc", "xyc")]),
        ("endswith", "abc", ("xy",), [("abc", "abcxy"), ("abc", "axy")]),
        ("endswith", "", ("xy",), [("", "xy"), ("", "xy")]),
        ("startswith", "a", (("x", "y"),), [("a", "xa"), ("a", "x"), ("a", "ya"), ("a", "y")]),
        ("startswith", "a", (1,), []),
        ("startswith", "a", (), []),
        ("isdigit", "a", (), []),
        ("startswith", Shouting("a"), ("x",), []),
    ],
)
def test_what_a_text_is_asked(name: str, on: Any, arguments: Any, exchanges: list[tuple[str, str]]) -> None:
    assert list(of_call(name, on, arguments)) == exchanges


@pytest.mark.parametrize(
    ("text", "old", "new", "found"),
    [
        ("a*41,41", "41", "7F", ["a*7F,41", "a*41,7F"]),
        ("a*fe", "FE", "00", ["a*00"]),
        ("a.b", "a.b", "x", ["x"]),
        ("aXb", "a.b", "x", []),
        ("ab", "", "x", ["abx", "xab", "ab,x"]),
        ("a,,b", "", "x", ["a,,bx", "xa,,b", "a,x,b", "a,,b,x"]),
    ],
)
def test_replaced(text: str, old: str, new: str, found: list[str]) -> None:
    assert list(replaced(text, old, new, [","])) == found


def test_inserted() -> None:
    assert list(inserted("ab*c", "1,2")) == [
        "1,2ab*c", ",1,2ab*c", "ab*c1,2", "ab*c,1,2", "ab1,2*c", "ab,1,2*c", "ab*1,2c", "ab*,1,2c",
    ]  # fmt: skip
    assert list(inserted("a", "-5")) == ["-5a", "a-5"], "a sign is no separator"
    assert len(list(inserted("," * 100, "x"))) == 16


SHAPE = FixedTuple((Int(), List(Union((NoneShape(), Str()))), Str(low=1)))


@pytest.mark.parametrize("value", [(1, ["ab", None, ""], "c"), (0, [], "abcdefgh")])
def test_texts_of_a_value(value: Any) -> None:
    words = (7, *SHAPE.encode(value))  # of another parameter
    found = list(texts_in(SHAPE, words, 1))
    assert [place.text for place in found] == [*(text for text in value[1] if text is not None), value[2]]
    for place in found:
        changed = place.with_text(words, "xyz")
        assert changed is not None
        assert changed[0] == 7
        assert [p.text for p in texts_in(SHAPE, changed, 1)] == ["xyz" if p.at == place.at else p.text for p in found]
        assert place.with_text(words, "a" * 9) is None
    assert found[-1].with_text(words, "") is None


@given(st.text(max_size=8), st.text(max_size=8))
def test_a_text_is_exchanged_whole(old: str, new: str) -> None:
    shape: Shape = Str()
    (place,) = texts_in(shape, shape.encode(old))
    assert place.with_text(shape.encode(old), new) is not None
    assert any(text.casefold() == new.casefold() for text in replaced(old, old, new)) or not old


CODE = """
def f(line: str, n: int):
    head, _, tail = line.partition("*")
    if head == tail:
        return 1
    if "x" in head or head in ("ab", "cd") or tail.startswith("yy"):
        return 2
    match head:
        case "GO" | "STOP":
            return 3
    return 4
"""


def test_runs_say_what_they_compare_texts_with(modules: Modules) -> None:
    subject = modules.load(CODE, "f", native=False)
    words = subject.words_of("'a*b', 1")
    assert subject.takes_texts
    execution, compared = subject.compare(words)
    assert execution == subject.execute(words)
    assert [(one.site, one.holds, one.exchanges[0]) for one in compared] == [
        (0, False, ("b", "a")), (1, False, ("a", "ax")), (2, False, ("a", "ab")), (3, False, ("b", "yyb")),
        (4, False, ("GO", "a")), (4, False, ("STOP", "a")),
    ]  # fmt: skip
    show = subject.signature.show
    assert [show(other) for other in subject.exchanged(words, "a", "cd")] == ['f("cd*b", 1)']
    assert 'f("a*bSTOP", 1)' in map(show, subject.extended(words))
    assert 'f("a*b", 1)' not in map(show, subject.extended(words))


def test_functions_of_numbers_take_no_texts(modules: Modules) -> None:
    subject = modules.load("def f(x: float): return 1 if x > 2 else 0", "f", native=False)
    assert not subject.takes_texts
    assert not list(subject.exchanged(subject.words_of("1.0"), "1", "2"))
