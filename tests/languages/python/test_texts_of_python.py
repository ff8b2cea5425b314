"""Texts that are tried as wholes: where they are found, and where they are put."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.python.modules import Modules
from zeroin import Budget, Options, cover, domain_of
from zeroin.languages.python.run.probes.regular_expressions import matching
from zeroin.languages.python.run.probes.string_constants import texts_of
from zeroin.languages.python.values.containers import Dict, List, Str, Union
from zeroin.languages.python.values.dictionary import dictionary_of
from zeroin.languages.python.values.scalars import FixedTuple, NoneShape
from zeroin.languages.python.values.shapes import Float, Shape

KNOWN = {
    "TABLE": {"water": 1.0, "ethanol": {"air": 2}},
    "NAMES": ("neon", "argon"),
    "DATE": re.compile(r"(\d{4})-(\d\d)"),
    "MODE": "fast",
    "UNUSED": "never",
    "BIG": {f"key{n}": n for n in range(1000)},
}


def texts(body: str) -> list[str]:
    source = "def f(s):\n" + "\n".join(f"    {line}" for line in body.splitlines())
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    return texts_of([function], KNOWN)


def test_records_have_as_many_columns_as_code_uses() -> None:
    wide = texts("fields = s.split(',')\nreturn fields[7]")
    assert ",".join(["1"] * 8) in wide
    assert not any("12345" in record for record in wide)
    cut = texts("fields = s.split(',')\nreturn float(fields[3][:2])")
    assert cut[0] == "12345,12345,12345,12345"
    assert not any(record.count(",") == 30 for record in texts("return s.split(',')[30]"))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return s == 'abc' or s in ('x', 'yz')", ["abc", "x", "yz"]),
        ("'''Says nothing.'''\nraise ValueError('must be positive: ' + s)", []),
        ("assert s == 'right', 'wrong'\nprint('shown')", ["right"]),
        ("return f'{s} of'", []),
        ("return TABLE[s]", ["water", "ethanol", "air"]),
        ("return s in NAMES and MODE", ["neon", "argon", "fast"]),
        ("return int(s) == 4711 or float(s) == 2.5", ["4711", "2.5"]),
        ("return s == 4711", []),
        ("return '" + 60 * "x" + "' == s", []),
        ("match s:\n    case 'north': return 1\n    case {'kind': 'k'}: return 2", ["north", "kind", "k"]),
    ],
)
def test_what_is_found(body: str, found: list[str]) -> None:
    assert texts(body) == found


def test_tables_are_looked_at_up_to_a_size_and_patterns_are_matched() -> None:
    assert len(texts("return BIG[s]")) == 256
    assert texts("return DATE.match(s)")[:4] == ["0000-00", "1111-11", "7777-77", "9999-99"]
    assert texts("return re.match('a+b', s)") == ["a+b", "ab", "aab", "aaab", "aaaab"]


PATTERNS = [
    r"^([NS])(\d+)°(\d+)'([\d.]+)\"$", r"(a|bc)+\1", r"[^0-9]x", r"\bfoo\b", "(?i)hello|world", "x*+y", "a{2,5}?",
    r"(?P<a>[+-])?(?P<b>\d+)(?(a)x|y)", r"(?>ab)c", r"\D\W\S.", "[^a]", "",
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_is_made_of_a_pattern_matches_it(pattern: str) -> None:
    made = matching(pattern)
    assert made
    assert all(re.search(pattern, text) for text in made)


def test_what_can_not_be_made_is_left_out() -> None:
    for pattern in ("(", "(?=abc)x", 5, b"bytes", "a{99999999999999}"):
        assert matching(pattern) == []
    made = matching(r"[A-Z]{2}\d+(\.\d+)?")
    assert len(set(made)) == len(made) == 12
    assert made == matching(r"[A-Z]{2}\d+(\.\d+)?")


def test_parts_that_need_not_be_there_are_there_in_some() -> None:
    made = [re.fullmatch(r"(a)?(b)?(c)?", text) for text in matching("(a)?(b)?(c)?")]
    assert {(True, False), (False, True), (True, True), (False, False)} == {
        (bool(match[1]), bool(match[3])) for match in made if match
    }


def test_what_flags_mean_and_what_classes_have() -> None:
    assert matching("a  b  # comment", re.VERBOSE) == ["ab"]
    source = "class A:\n    PATTERN = re.compile('x +y', re.X)\n    LONG = 'z'\n"
    known: dict[str, object] = {"re": re, "__name__": "here"}
    exec(source, known)
    function = ast.parse("def f(self, s): return re.match(self.PATTERN, s)").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert texts_of([function], known) == ["xy", "xxy", "xxxy", "xxxxy"]


def test_where_texts_are_split_there_are_numbers_one_after_another() -> None:
    found = texts("a = s.split()\nreturn [float(x) for x in a] if a[3] != '999.9' else []")
    assert ("999.9 " * 32).strip() in found
    assert "1 1 1" in found
    assert any(len({*text.split()}) > 1 for text in found)
    assert "1;1" in texts("return s.rsplit(';', 2)")
    assert not any(" " in text for text in texts("return s.strip() == 'a'"))


@given(st.from_regex(r"[a-c]{0,3}(x|y|z+)?[0-9]{1,2}", fullmatch=True))
def test_of_a_literal_the_literal_is_made(text: str) -> None:
    assert matching(re.escape(text)) == [text]


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        (Str(), "abc"), (Union((NoneShape(), Float(), Str())), "abc"), (List(Str()), ["abc"]),
        (FixedTuple((Float(), Str())), (0.0, "abc")), (Dict(Str(), Float()), {"abc": 0.0}),
    ],
)  # fmt: skip
def test_a_text_is_put_into_a_shape(shape: Shape, value: object) -> None:
    """With everything else as in the value, its words are those of the value."""
    (first, several), *_ = dictionary_of(shape, ["abc", "much too long for it"])
    assert len(several) == 1
    words = list(shape.encode(value))
    blank = [0 if first <= n < first + len(several[0]) else word for n, word in enumerate(words)]
    blank[first : first + len(several[0])] = several[0]
    assert blank == words


def test_they_are_tried_in_a_search(modules: Modules) -> None:
    path = modules.write("""
        _TABLE = {"sulfuric acid": 98.079, "hydrogen peroxide": 34.0147}
        def f(name: str, kind: str | None = None) -> int:
            if _TABLE.get(name, 0.0) > 50.0:
                return 1
            if kind == "polymer" and name.startswith("poly"):
                return 2
            return 0
    """)
    suite = cover(f"{path}:f", Options(budget=Budget(30_000, 30.0)))
    assert all(verdict.verdict == "covered" for verdict in suite.verdicts)
    assert any(name == 0 for name, _ in domain_of(suite.signature, []).runs)
