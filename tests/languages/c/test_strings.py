"""Strings of C as parameters: which pointers are some, what is fed to them, and where they lie."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import Programs, ended, words_of
from zeroin.errors import OptionError
from zeroin.generate.domain import domain_of
from zeroin.languages.c.front.layout import Array, Text
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.c.front.string_constants import literal
from zeroin.languages.c.front.string_parameters import StringSpec
from zeroin.words import Kind

HEAD = "#include <string.h>\n#include <stdlib.h>\n#include <stddef.h>\n"


def first(programs: Programs, text: str, name: str = ".c", **options: Any) -> CParameter:
    head = "" if " strlen(const" in text else HEAD
    parameter = programs.load(head + text, "f", name, **options).signature.parameters[0]
    assert isinstance(parameter, CParameter)
    return parameter


# ---- which ----

STRINGS = [
    "int f(const char *s) { return s[0] == 'a'; }",
    "int f(char *s) { while (*s) s++; return s[-1]; }",
    "int f(char *s) { return s[atoi(\"1\")]; }",
    "int f(char *s, int n) { return strlen(s) > (size_t)n; }",
    "int f(char s[8]) { return strcmp(s, \"a\"); }",
    "int f(const char *s, int base) { return s[0] == base; }",
    "typedef const char *name; int f(name s) { return s[0]; }",
    "typedef char letter; int f(const letter *s) { return s[0]; }",
    "int f(const volatile char *const s) { return s[0]; }",
]  # fmt: skip
NUMBERS = [
    "int f(const unsigned char *s) { return s[0]; }",
    "int f(const signed char *s) { return s[0]; }",
    "int f(const char *s, size_t x) { return s[x]; }",
    "int f(const char *s, int len) { return s[len]; }",
    "int f(char *s, int buf_size) { s[buf_size - 1] = 0; return 0; }",
    "int f(char *s, int n) { return strncmp(s, \"a\", n); }",
    "int f(const char s[8]) { return s[7]; }",
    "int f(char *sign, double x) { *sign = x < 0 ? '-' : '+'; return 0; }",
    "int f(char *s) { s[0] = 'a'; s[1] = s[2]; return 0; }",
    "static int strlen(const char *s) { return *s; }\nint f(char s[2]) { return strlen(s); }",
]  # fmt: skip


@pytest.mark.parametrize("text", STRINGS)
def test_what_is_a_string(programs: Programs, text: str) -> None:
    assert isinstance(first(programs, text).layout, Text)


@pytest.mark.parametrize("text", NUMBERS)
def test_what_is_an_array_of_numbers(programs: Programs, text: str) -> None:
    layout = first(programs, text).layout
    assert isinstance(layout, Array)
    assert not isinstance(layout, Text)


def test_the_user_decides(programs: Programs) -> None:
    text = "int f(const unsigned char *s, int n) { return s[n]; }"
    assert first(programs, text, strings=(StringSpec("s", 30),)).layout == Text.of(30)
    assert first(programs, STRINGS[0], arrays=(ArraySpec("s", 3),)).layout.size == 3
    assert not isinstance(first(programs, STRINGS[0], arrays=(ArraySpec("s", 3),)).layout, Text)


def test_room_is_for_what_the_code_has_in_it(programs: Programs) -> None:
    table = 'static const char *const names[] = {"a", "a name that is rather long"};'
    text = table + "int f(const char *s) { return strcmp(names[s[0] & 1], s) == 0; }"
    assert first(programs, "int f(const char *s) { return s[0]; }").layout == Text.of(15, is_guess=True)
    assert first(programs, text).layout == Text.of(35, is_guess=True)
    assert first(programs, "int f(const char *s) { return strlen(s) > 40; }").layout == Text.of(42, is_guess=True)
    assert first(programs, "int f(const char *s) { return strlen(s) > 400; }").layout == Text.of(15, is_guess=True)
    assert first(programs, "int f(char s[9]) { return strlen(s); }").layout == Text.of(8)


def test_strings_worth_trying(programs: Programs) -> None:
    text = """#include <stdio.h>
    static int named(const char *s) { return strcmp(s, "called") == 0; }
    int f(const char *s, double x) {
        if (named(s) || strcmp(s, "own \\"\\377") == 0) return 1;
        printf("for people");
        return x > 2.5 ? atoi(s) == -1234 : 0; }"""
    texts = first(programs, text).texts
    assert set(texts) >= {b"called", b'own "\xff', b"2.5", b"-1234", b"", b"0"}
    assert b"for people" not in texts
    domain = domain_of(programs.load(HEAD + text).signature, [])
    assert [(at, tuple(several)) for at, several in first(programs, text).runs()] == list(domain.runs[:1])
    assert set(domain.pools[0]) >= {*b"co2-"}


@pytest.mark.parametrize(
    ("strings", "arrays", "message"),
    [
        ("t=3", "", "--string t: f has no pointer parameter of that name (it has: s, x)"),
        ("x=3", "", "--string x: it has type 'double *', which is not a string"),
        ("s=3", "s=4", "--string s: --array declares it, too; give one of the two"),
        ("s", "", "--string 's': write NAME=LENGTH with a length from 1 to 4095"),
        ("s=0", "", "--string 's=0': write NAME=LENGTH with a length from 1 to 4095"),
        ("s=4096", "", "--string 's=4096': write NAME=LENGTH with a length from 1 to 4095"),
    ],
)
def test_what_the_user_can_not_say(programs: Programs, strings: str, arrays: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        programs.load("int f(char *s, double *x) { return *s; }", strings=(StringSpec.parse(strings),),
                      arrays=tuple(map(ArraySpec.parse, arrays.split())))  # fmt: skip
    assert str(caught.value) == message


# ---- values ----

PLAIN = """int f(const char *s) {
    if (!s) return -1;
    unsigned k = 0;
    while (*s) k = 31 * k + (unsigned char)*s++;
    return (int)k;
}"""


def test_values(programs: Programs) -> None:
    parameter = first(programs, PLAIN)
    assert parameter.driven == "points to any string of at most 15 characters; or NULL"
    assert parameter.ranges()[-1] == (0, 0)
    words = words_of(programs.load(HEAD + PLAIN).signature, 'a"\n\xff')
    assert words == (0, *b'a"\n\xff', *[0] * 12)
    assert (parameter.argument(words), parameter.exact(words)) == ('a"\n\xff', '"a\\"\\n\\377"')
    assert parameter.show((0, *b"ab", 0, *b"hidden", *[0] * 7)) == '"ab"'
    assert parameter.tidy((0, *b"ab", 0, *b"hidden", *[0] * 7)) == (0, *b"ab", *[0] * 14)
    assert parameter.show((1, *b"ab", *[0] * 14)) == "NULL"
    for value in ("x" * 16, "a\0b", "\u0100", 3, [97]):
        with pytest.raises(OptionError, match="does not fit; it points to any string of at most 15 characters"):
            parameter.words_of(value)


@given(st.binary(max_size=12))
def test_literals_are_read_back(content: bytes) -> None:
    """By Python, whose octal escapes are C's; ``\\?`` is C's alone."""
    text = literal(content)
    assert eval(f"b{text}".replace("\\?", "?")) == content
    assert "??" not in text


@given(st.lists(st.integers(1, 255), max_size=15), st.lists(st.integers(0, 255), max_size=15))
def test_the_function_gets_the_string_alone(programs: Programs, text: list[int], rest: list[int]) -> None:
    subject = programs.load(HEAD + PLAIN)
    words = (0, *[*text, 0, *rest, *[0] * 15][:15], 0)
    expected = 0
    for byte in text:
        expected = (31 * expected + byte) & 0xFFFFFFFF
    assert subject.observe(words).result == subject.replay(words).result == expected


def test_shorter_strings() -> None:
    text = CParameter("s", "char *", Text.of(4), is_pointer=True)
    signature = CSignature("f", (text,))
    assert [*signature.shorter((*b"abc", 0, 0))] == [(*b"bc", 0, 0, 0), (*b"ac", 0, 0, 0), (*b"ab", 0, 0, 0)]
    assert next(signature.shorter((97, 0, 98, 99, 0))) == (97, 0, 0, 0, 0)


# ---- where they lie ----

WALLS = "int f(const char *s, int at) { return s[at]; }"


def test_what_is_constant_ends_at_a_wall(programs: Programs) -> None:
    """And begins at one."""
    inputs = [(*b"abc", *[0] * 13, n) for n in (0, 2, 3, 4, -1)]
    assert ended(programs, WALLS, "f", *inputs) == [
        "RETURNED 97", "RETURNED 99", "RETURNED 0", "SEGV read of s[4], one element past the buffer of 4",
        "SEGV read of s[-1], one element before the buffer of 4"]  # fmt: skip


def test_what_may_be_changed_has_its_whole_buffer(programs: Programs) -> None:
    """How long that is nobody says: no run that leaves it at its end tells anything."""
    text = WALLS.replace("const ", "").replace("return", "s[at]++; return")
    inputs = [(*b"abc", *[0] * 13, n) for n in (0, 4, 15, 16, -1)]
    assert ended(programs, text, "f", *inputs) == [
        "RETURNED 98", "RETURNED 1", "RETURNED 1", "BEYOND",
        "SEGV read of s[-1], one element before the buffer of 16"]  # fmt: skip


def test_what_is_left_in_a_buffer_is_told(programs: Programs) -> None:
    subject = programs.load("int f(char *s) { while (*s) s++; s[0] = 'x'; s[2] = 'y'; return 0; }")
    words = words_of(subject.signature, "ab")
    assert subject.signature.outputs(subject.replay(words)) == {"s": '"abx\\000y"'}


def test_kinds(programs: Programs) -> None:
    assert first(programs, PLAIN).kinds == (Kind.BOOL, *[Kind.BYTE] * 16)
