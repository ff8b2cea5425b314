"""What names of tests say of their inputs, where others would have the same name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.emit.name_parts import RESULT, NamedValue, facts_of
from zeroin.emit.test_names import CaseNames
from zeroin.generate.stopped import Stopped
from zeroin.languages.c.front.layout import Scalar
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.subject.base import Replay, Site, Target, Termination, branches_of
from zeroin.suite.suite import Input, Suite
from zeroin.words import Kind, encode


@pytest.mark.parametrize(
    ("name", "text", "phrases"),
    [
        ("x", "2.0", ["with x 2"]),
        ("x", "-0.5", ["with x -0.5"]),
        ("x", "123456789.125", []),
        ("x", "nan", ["with x nan"]),
        ("unit", "Unit.KELVIN", ["with unit KELVIN"]),
        ("p", "NULL", ["with p NULL"]),
        ("s", "''", ["with s empty"]),
        ("s", '"a, b"', ["with s a_b"]),
        ("s", "'a text that is long'", ["with s of 19"]),
        ("xs", "['a \\' b, c', 'd']", ["with xs of 2"]),
        ("s", "'+-'", ["with s of 2"]),
        ("xs", "[]", ["without xs"]),
        ("xs", "[2.0, 'a, b', (1, 2)]", ["with xs of 3", "where xs_0 is 2"]),
        ("xs", "array([1.0])", ["with xs of 1", "where xs_0 is 1"]),
        ("c", "{.kp = 0.0, .out = {.lo = 2.0}}", ["with kp 0", "with lo 2"]),
        ("self", "Line(2, -1, width=True)", ["with width True", "with slope 2", "with offset -1"]),
        (RESULT, "2.0", ["returns 2"]),
        (RESULT, "[]", ["returns empty"]),
        (RESULT, "(1, 2)", ["returns 2 items"]),
        (RESULT, "{'a': 1}", ["returns 1 items"]),
        (RESULT, "", []),
    ],
)
def test_facts(name: str, text: str, phrases: list[str]) -> None:
    assert [fact.phrase for fact in facts_of([NamedValue(name, text, ("slope", "offset"))])] == phrases


def test_what_tells_the_most_comes_first() -> None:
    several = [
        NamedValue("s", "'ab'"),
        NamedValue("x", "2.5"),
        NamedValue("n", "7"),
        NamedValue("y", "0.0"),
        NamedValue("on", "True"),
        NamedValue(RESULT, "None"),
    ]
    phrases = [fact.phrase for fact in facts_of(several)]
    assert phrases == ["with on True", "returns None", "with y 0", "with n 7", "with x 2.5", "with s ab"]


@given(st.text(max_size=60))
def test_any_text_is_shown(text: str) -> None:
    for fact in facts_of([NamedValue("x", text)]):
        assert fact.phrase.isprintable()


def telling_of(
    inputs: Sequence[tuple[set[int], str]],
    signature: CSignature = CSignature("f", ()),  # noqa: B008
    words: Sequence[tuple[int, ...]] = (),
) -> CaseNames:
    """Of inputs that take these outcomes and are shown as ``x=2 y=0``."""
    sites = [Site(n, "f", "f.c", n + 1, 1, condition) for n, condition in enumerate(("a", "b", "c"))]
    kept = [Input(words[n] if words else (n,), frozenset(covered), Replay(Termination.RETURNED))
            for n, (covered, _) in enumerate(inputs)]  # fmt: skip
    target = Target("f.c:f", Path("f.c"), "f", "c")
    suite = Suite(target=target, signature=signature, sites=sites, branches=branches_of(sites), inputs=kept,
                  findings=[], seed=0, evaluations=1, seconds=0.1, stopped=Stopped.COVERED)  # fmt: skip

    def shown(number: int) -> list[NamedValue]:
        return [NamedValue(*one.split("=")) for one in inputs[number][1].split()]

    return CaseNames(suite, shown)


def titles(*inputs: tuple[set[int], str]) -> list[str]:
    telling, used = telling_of(inputs), set[str]()
    return [telling.title([n], "", telling.rarest(n), used) for n in range(len(inputs))]


@pytest.mark.parametrize(
    ("inputs", "names"),
    [
        ([({0}, "x=2"), ({0}, "x=3")], ["test_f_a_true", "test_f_a_true_with_x_3"]),
        ([({0}, "x=2 n=5"), ({0}, "x=0 n=5")], ["test_f_a_true", "test_f_a_true_with_x_0"]),
        ([({0}, "x=2"), ({0}, "x=2 n=5")], ["test_f_a_true", "test_f_a_true_with_n"]),
        ([({0}, "x=2 n=5"), ({0}, "x=2")], ["test_f_a_true", "test_f_a_true_without_n"]),
        ([({0, 2}, "x=2"), ({0, 2, 4}, "x=3"), ({0, 2, 4}, "x=2 n=5")],
         ["test_f_b_true", "test_f_c_true", "test_f_c_true_with_n"]),
        ([({0, 2}, "x=2"), ({0, 5}, "x=2"), ({2, 5}, "x=2")], ["test_f_b_true", "test_f_c_false", "test_f_c_false_2"]),
        ([({0}, "x=2"), ({0}, "x=2")], ["test_f_a_true", "test_f_a_true_2"]),
        ([({0}, "x=2"), ({0}, "x=3"), ({0}, "x=4 y=7.5")],
         ["test_f_a_true", "test_f_a_true_with_x_3", "test_f_a_true_with_y"]),
        ([({0}, "x=2 y=1"), ({0}, "x=3 y=1"), ({0}, "x=4 y=7.5")],
         ["test_f_a_true", "test_f_a_true_with_x_3", "test_f_a_true_with_y_7_5"]),
        ([({0}, "x=2"), ({0}, "x=3"), ({0}, "x=4")],
         ["test_f_a_true", "test_f_a_true_with_x_3", "test_f_a_true_with_4_for_x"]),
        ([({0}, "x=2 returns=nan"), ({0}, "x=2 returns=0.0")], ["test_f_a_true", "test_f_a_true_returns_0"]),
    ],
)  # fmt: skip
def test_names_say_what_is_different(inputs: list[tuple[set[int], str]], names: list[str]) -> None:
    assert titles(*inputs) == names


def test_where_one_takes_a_branch_that_the_others_of_its_name_do_not_it_is_told() -> None:
    telling, used = telling_of([({0, 2}, ""), ({0, 2, 5}, ""), ({5}, ""), ({5}, "")]), set[str]()
    branch = telling.rarest(0)
    assert telling.title([0], "", branch, used) == "test_f_b_true"
    assert telling.title([1], "", branch, used) == "test_f_c_false"


def test_names_of_tables_say_what_all_their_rows_have() -> None:
    telling, used = telling_of([({0}, "x=2"), ({2}, "x=3"), ({0}, "x=2 n=5"), ({0}, "x=4 n=6")]), set[str]()
    assert telling.title([0, 1], "raises ValueError", None, used) == "test_f_raises_value_error"
    assert telling.title([2, 3], "raises ValueError", None, used) == "test_f_raises_value_error_with_n"


def test_names_of_rows_say_what_is_different_and_are_short() -> None:
    telling = telling_of([({0}, "x=2"), ({0}, "x=3"), ({0}, "x=3")])
    assert telling.rows(range(3), 20) == ["a_true", "a_true_with_x_3", "a_true_2"]


@given(st.lists(st.tuples(st.sets(st.integers(0, 5)), st.text("xy=01. -", max_size=0)), max_size=9))
def test_names_are_unique(inputs: list[tuple[set[int], str]]) -> None:
    names = titles(*inputs)
    assert len(set(names)) == len(names)
    assert all(len(name) <= 64 and name.isidentifier() for name in names)


def test_names_say_what_is_extreme() -> None:
    """A reviewer who sees ``5e-324`` wants to know whether it is meant."""
    parameters = (CParameter("x", "double", Scalar(Kind.F64)), CParameter("n", "int", Scalar(Kind.I32)))
    values = [(1.0, 3), (5e-324, 3), (math.inf, 2**31 - 1), (-2e300, 0)]
    words = [(encode(Kind.F64, x), n) for x, n in values]
    telling = telling_of([({0}, ""), ({0}, ""), ({0}, ""), ({2}, "")], CSignature("f", parameters), words)
    used = set[str]()
    assert [telling.title([n], "", telling.rarest(n), used) for n in range(4)] == [
        "test_f_a_true", "test_f_a_true_x_denormal", "test_f_a_true_x_infinite_n_huge", "test_f_b_true_x_huge",
    ]  # fmt: skip
    assert telling.rows([0, 1], 40) == ["a_true", "a_true_x_denormal"]
    assert telling.title([1, 2], "", None, used) == "test_f"
