"""A mutant of a Python function does what the source with that change does; as it is, it does what it did."""

from __future__ import annotations

import ast
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.languages.python.run.engine import PythonSubject
from zeroin.subject.base import Words
from zeroin.suite.simplify import simplify_one
from zeroin.words import encode

SOURCE = """
import math
def f(x: float, y: float, n: int) -> object:
    if not 0.5 < x <= y < 100 and n > 2:
        total = 0
        for k in range(n % 7):
            total += k * x
            total -= 1
        return total, (1, 2.5), -3
    if x == y or n in (3, 4) or not n:
        return [i * 2 for i in range(abs(n) % 5) if i != 2]
    g = lambda a: a - y
    while n > 10_000:
        n //= 2
    return g(x) if n & 6 else ~n << 1
"""
CHANGES = {  # change: what it makes of the source
    ("0.5 -> 1.5", 4): ("0.5 <", "1.5 <"),
    ("< -> <=", 4): ("0.5 < x", "0.5 <= x"),
    ("<= -> ==", 4): ("x <= y", "x == y"),
    ("100 -> 99", 4): ("y < 100", "y < 99"),
    ("not -> ", 4): ("not 0.5 < x <= y < 100", "0.5 < x <= y < 100"),
    ("and -> or", 4): ("100 and n", "100 or n"),
    ("> -> <=", 4): ("n > 2", "n <= 2"),
    ("0 -> -1", 5): ("total = 0", "total = -1"),
    ("7 -> 8", 6): ("n % 7", "n % 8"),
    ("% -> *", 6): ("n % 7", "n * 7"),
    ("+= -> -=", 7): ("+= k", "-= k"),
    ("* -> +", 7): ("k * x", "k + x"),
    ("1 -> 2", 8): ("-= 1", "-= 2"),
    ("2.5 -> 3.5", 9): ("2.5", "3.5"),
    ("-3 -> 3", 9): ("-3", "3"),
    ("== -> !=", 10): ("x == y", "x != y"),
    ("or -> and", 10): ("x == y or n in (3, 4) or", "x == y and (n in (3, 4) or"),
    ("in -> not in", 10): ("n in (3", "n not in (3"),
    ("3 -> 2", 10): ("(3, 4)", "(2, 4)"),
    ("2 -> 3", 11): ("i * 2", "i * 3"),
    ("!= -> ==", 11): ("i != 2", "i == 2"),
    ("- -> +", 12): ("a - y", "a + y"),
    ("//= -> /=", 14): ("n //= 2", "n /= 2"),
    ("& -> |", 15): ("n & 6", "n | 6"),
    ("~ -> ", 15): ("~n", "+n"),
    ("<< -> >>", 15): ("~n << 1", "~n >> 1"),
}
INPUTS = [(0.75, 2.0, 5), (2.0, 2.0, 3), (0.5, 0.5, 9), (3.0, 1.0, 13), (1.0, 99.5, 0), (7.0, 8.0, 4), (1.0, 2.0, 1),
          (50.0, 3.0, 20_011), (0.25, 0.5, 1), (1.0, 100.0, 6), (5.0, 9.0, -4), (1.25, 1.5, 10_001), (8.0, 2.0, 2),
          (6.0, 6.0, 17), (2.0, 3.0, 6), (1.0, 99.5, 5)]  # fmt: skip


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> PythonSubject:
    path = tmp_path_factory.mktemp("mutants") / "plain_for_mutants.py"
    path.write_text(SOURCE)
    return PythonSubject(str(path), "f")


def words(subject: PythonSubject, *values: Any) -> Words:
    return tuple(encode(kind, value) for kind, value in zip(subject.signature.kinds, values, strict=True))


def run(text: str, *values: Any) -> object:
    scope: dict[str, Any] = {}
    exec(compile(ast.parse(text), "f", "exec"), scope)
    try:
        return repr(scope["f"](*values))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_a_mutant_does_what_the_source_with_that_change_does(change: tuple[str, int], subject: PythonSubject) -> None:
    old, new = CHANGES[change]
    lines = SOURCE.split("\n")
    assert lines[change[1] - 1].count(old) == 1
    lines[change[1] - 1] = lines[change[1] - 1].replace(old, new)
    if "and (" in new:
        lines[change[1] - 1] = lines[change[1] - 1].replace("not n:", "not n):")
    numbers = [m.number for m in subject.mutation.mutants if (m.change, m.line) == change]
    seen = set()
    for values in INPUTS:
        differs = run(SOURCE, *values) != run("\n".join(lines), *values)
        assert noticed(subject, words(subject, *values), numbers[:1]) == [differs], values
        seen.add(differs)
    assert True in seen


def noticed(subject: PythonSubject, given: Words, numbers: list[int]) -> list[bool]:
    note = np.zeros(1, dtype=np.int64)
    found = [bool(one) for one in subject.mutation.differing(given, numbers, note)]
    assert note[0] == 0
    return found


numbers = st.one_of(st.sampled_from([0.5, 1.0, 2.0, 100.0, 99.0]), st.floats(-200, 200))


@given(numbers, numbers, st.integers(-40_000, 40_000))
def test_what_is_not_infected_does_not_differ(subject: PythonSubject, x: float, y: float, n: int) -> None:
    """Mutants are passed over whose operators would have made the same: run nevertheless, they show the same."""
    mutation, given = subject.mutation, words(subject, x, y, n)
    all_ = [one.number for one in mutation.mutants]
    quick = noticed(subject, given, all_)
    watching, mutation._watching = mutation._watching, mutation._plain
    mutation._infected.update(all_)
    try:
        mutation._unwatched = set(all_)
        assert noticed(subject, given, all_) == quick
    finally:
        mutation._watching = watching
        mutation._unwatched = mutation._mutable.unwatched


@given(numbers, numbers, st.integers(-40_000, 40_000))
def test_the_function_is_as_it_was_afterwards(subject: PythonSubject, x: float, y: float, n: int) -> None:
    given = words(subject, x, y, n)
    before = subject.replay(given)
    noticed(subject, given, [one.number for one in subject.mutation.mutants])
    assert subject.replay(given).is_like(before)


def of(tmp_path: Path, text: str, name: str = "f") -> PythonSubject:
    path = tmp_path / f"module_{abs(hash(text))}.py"
    path.write_text(text)
    return PythonSubject(str(path), name)


def test_iterators_are_asked_once(tmp_path: Path) -> None:
    subject = of(tmp_path, "def f(n: int) -> int:\n    xs = iter(range(10))\n    return 3 in xs and next(xs) + n\n")
    assert subject.replay((5,)).value is not None
    (swapped,) = [m.number for m in subject.mutation.mutants if m.change == "in -> not in"]
    (added,) = [m.number for m in subject.mutation.mutants if m.change == "+ -> -"]
    assert noticed(subject, (5,), [swapped, added]) == [True, True]


def test_a_mutant_that_never_returns_is_noticed(tmp_path: Path) -> None:
    text = "def f(n: int) -> int:\n    k = n % 9\n    while k > 0:\n        k -= 1\n    return k\n"
    subject = of(tmp_path, text)
    (endless,) = [m.number for m in subject.mutation.mutants if m.change == "-= -> +="]
    assert noticed(subject, (5,), [endless]) == [True]
    assert noticed(subject, (9,), [endless]) == [False]


def test_changed_arguments_and_objects_are_compared(tmp_path: Path) -> None:
    text = "def f(xs: list[float]) -> None:\n    for i in range(len(xs)):\n        xs[i] = xs[i] * 2\n"
    subject = of(tmp_path, text)
    doubled = [m.number for m in subject.mutation.mutants if m.change == "2 -> 3"]
    assert noticed(subject, subject.words_of("[1.5]"), doubled) == [True]
    assert noticed(subject, subject.words_of("[0.0]"), doubled) == [False]
    assert noticed(subject, subject.words_of("[]"), doubled) == [False]


def test_methods_of_a_class_are_driven_one_after_the_other(tmp_path: Path) -> None:
    text = ("class Counter:\n    def __init__(self, step: int) -> None:\n        self.step = step\n        self.n = 0\n"
            "    def up(self) -> int:\n        self.n += self.step\n        return self.n\n")  # fmt: skip
    subject = of(tmp_path, text, "Counter")
    changes = {(m.function, m.change) for m in subject.mutation.mutants}
    assert ("Counter.up", "+= -> -=") in changes
    assert ("Counter.__init__", "0 -> 1") in changes


def test_text_formatting_is_no_arithmetic(tmp_path: Path) -> None:
    subject = of(tmp_path, 'def f(n: int) -> str:\n    return "%d" % n + f"{n + 1:>{4}}"\n')
    assert not [m for m in subject.mutation.mutants if m.change.startswith("%")]
    assert math.isfinite(len(subject.mutation.mutants))


DEFAULTS = (
    "def f(x: float, width: float = 0.5, n: int = 3, *, gain: float = 2.0) -> float:\n    return gain * x + width * n\n"
)


def test_defaults_may_be_left_out_and_are_constants(tmp_path: Path) -> None:
    subject = of(tmp_path, DEFAULTS)
    usual = subject.words_of("1.5, 0.5, 3, 2.0")
    assert subject.signature.show(usual) == "f(1.5)"
    assert [value.form for value in subject.replay(usual).arguments] == ["float", "missing", "missing", "missing"]
    assert subject.signature.show(subject.words_of("1.5, 0.5, 4, 2.0")) == "f(1.5, 0.5, 4)"
    assert subject.signature.show(subject.words_of("1.5, 0.5, 3, 1.0")) == "f(1.5, gain=1.0)"
    assert subject.signature.show(subject.words_of("1.5, 0.25, 3, 1.0")) == "f(1.5, 0.25, gain=1.0)"
    numbers = {m.change: m.number for m in subject.mutation.mutants}
    changed = [numbers[change] for change in ("width = 0.5 -> 1.5", "n = 3 -> 4", "gain = 2.0 -> 3.0")]
    assert noticed(subject, usual, changed) == [True, True, True]
    assert noticed(subject, subject.words_of("1.5, 0.5, 4, 2.0"), changed) == [False, False, True]
    assert noticed(subject, subject.words_of("1.5, 0.25, 4, 1.0"), changed) == [False, False, False]
    assert subject.replay(usual).value == subject.replay(subject.words_of("1.5, 0.5, 3, 2.0")).value
    assert noticed(subject, usual, changed) == [True, True, True]


def test_simplifying_leaves_defaults_as_they_are(tmp_path: Path) -> None:
    subject = of(tmp_path, DEFAULTS)
    run = subject.run(subject.words_of("12.25, 17.5, 3, 2.0"))
    simple = simplify_one(subject.signature, run, subject.run, lambda one: one.returned)
    assert subject.signature.show(simple.words) == "f(0.0)"
    kept = simplify_one(subject.signature, run, subject.run, lambda one: one.words[1] == run.words[1])
    assert subject.signature.show(kept.words) == "f(0.0, 17.5)"
