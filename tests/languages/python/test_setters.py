"""Functions that set what the function under test reads of its module may be called first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from languages.python.modules import Modules
from zeroin import Budget, Options, cover
from zeroin.errors import OptionError
from zeroin.generate import search as search_module
from zeroin.generate.domain import domain_of
from zeroin.generate.search import Search
from zeroin.languages.python.front.signature import SettingSignature
from zeroin.languages.python.values.object_uses import written
from zeroin.languages.python.values.snapshots import Snapshot
from zeroin.minimize import Domain, Door
from zeroin.objective.branch import BranchObjective
from zeroin.subject.base import Termination, WordArray, branches_of

DEBUG = """
DEBUG = False

def set_debug(on: bool) -> None:
    global DEBUG
    DEBUG = on

def f(x: int) -> int:
    if DEBUG:
        return x + 1
    return x
"""
ALONE, OFF, ON = (2, 0, 0), (2, 1, 0), (2, 1, 1)  # words: x, whether set_debug is called, on


def test_what_it_says_of_itself(modules: Modules) -> None:
    signature = modules.load(DEBUG).signature
    assert signature.prototype == "f(x: int) -> int, also after set_debug(on: bool)"
    assert [signature.show(words) for words in (ALONE, OFF, ON)] == [
        "f(2)", "set_debug(False); f(2)", "set_debug(True); f(2)"]  # fmt: skip
    assert [signature.called_first(words) for words in (ALONE, ON)] == [[], ["set_debug(True)"]]
    assert signature.arguments(ON) == [2]
    assert signature.exact(ON) == ["2"]
    assert [parameter.name for parameter in signature.given] == ["x"]
    assert signature.tags == (1,)
    assert signature.alone.prototype == "f(x: int) -> int"
    assert list(signature.shorter(ON)) == [ALONE]
    assert not list(signature.shorter(ALONE))


def test_each_run_begins_with_the_first_values(modules: Modules) -> None:
    loaded = modules.load(DEBUG)
    for _ in range(2):
        for words, covered, value in ((ON, {0}, 3), (ALONE, {1}, 2), (OFF, {1}, 2)):
            run = loaded.run(words)
            assert (run.outcome, set(run.covered)) == (Termination.RETURNED, covered)
            replay = loaded.replay(words)
            assert (replay.value, replay.repeatable) == (Snapshot("int", value), True)
            assert loaded.observe(words).value == replay.value


def test_only_calls_of_setters_change_the_module(modules: Modules) -> None:
    loaded = modules.load(DEBUG)
    loaded.replay(ALONE)
    assert not loaded.stateful
    loaded.replay(ON)
    assert loaded.stateful
    assert not loaded.remarks()  # the function itself changes nothing


HEAD = """
import functools, os, sys
A, B, C, D, calls = 1, 2, 3, 4, []

def set_a(a: int) -> None:
    global A
    A = a
"""
CHOSEN = {
    "nothing is read": ("def f(x: int):\n    return x > calls", ""),
    "a local variable": ("def f(x: int):\n    A = x\n    return A > 1", ""),
    "an attribute": ("def f(x: int):\n    return sys.A > x", ""),
    "read by a callee": ("def g():\n    return A > 1\ndef f(x: int):\n    return g()", "set_a(a: int)"),
    "read inside": ("def f(x: int):\n    return any(n > A for n in (1, 2))", "set_a(a: int)"),
    "no arguments": ("def on():\n    global B\n    B = True\ndef f(x: int):\n    return B", "on()"),
    "by name": ("def b(*, x: float = 1.0):\n    global B\n    B = x\ndef f(x: int):\n    return B", "b(x: float)"),
    "a default": ("def b(x=1.0):\n    global B\n    B = x\ndef f(x: int):\n    return B", "b(x: float)"),
    "one for each": (
        "def a():\n    global A\n    A = 2\ndef b():\n    global B\n    B = 2\ndef c():\n    global C\n    C = 2\n"
        "def f(x: int):\n    return A > B > C",
        "set_a(a: int), b(), c()",
    ),
    "a second one": ("def b():\n    global A\n    A = 1\ndef f(x: int):\n    return A > x", "set_a(a: int), b()"),
    "one for two": ("def b():\n    global A, B\n    A = B = 0\ndef f(x: int):\n    return B > A", "b(), set_a(a: int)"),
    "itself": ("def f(x: int):\n    global B\n    B = x\n    return B > A", "up to 7 of f(x: int), set_a(a: int)"),
    "a callee": (
        "def g(n: int):\n    global B\n    while n > 9:\n        n = B = n - 1\n"
        "def f(x: int):\n    g(1)\n    return B > x",
        "g(n: int)",
    ),
    "a loop": ("def b(n: int):\n    global B\n    while n:\n        B = n\ndef f(x: int):\n    return B > x", ""),
    "a loop it calls": (
        "def g(n: int):\n    return [n for _ in range(n)]\ndef b(n: int):\n    global B\n    B = g(n)\n"
        "def f(x: int):\n    return B > x",
        "",
    ),
    "decorated": (
        "@functools.cache\ndef b(n: int):\n    global B\n    B = n\ndef f(x: int):\n    return B > x",
        "",
    ),
    "a method": (
        "class K:\n    def b(self, n: int):\n        global B\n        B = n\ndef f(x: int):\n    return B > x",
        "",
    ),
    "a coroutine": ("async def b(n: int):\n    global B\n    B = n\ndef f(x: int):\n    return B > x", ""),
    "not driven": ("def b(n: os.PathLike):\n    global B\n    B = n\ndef f(x: int):\n    return B > x", ""),
    "a class method": (
        "class K:\n    n = 0\n    @classmethod\n    def b(cls, n: int):\n        cls.n = n\n"
        "def f(x: int):\n    return K.n > x",
        "K.b(n: int)",
    ),
    "a static method that counts": (
        "class K:\n    n = 0\n    @staticmethod\n    def b(n: int):\n        K.n += n\n"
        "def f(k: K):\n    return k.n > 2",
        "up to 3 of K.b(n: int)",
    ),
    "an attribute of an object": (
        "class K:\n    n = 0\n    @classmethod\n    def b(cls, n: int):\n        cls().n = n\n"
        "def f(x: int):\n    return K.n > x",
        "",
    ),
    "a table": (
        "def b(n: int):\n    calls.append(n)\ndef f(x: int):\n    return len(calls) > x",
        "up to 3 of b(n: int)",
    ),
    "a table of a class": (
        "class K:\n    t = {}\n    @classmethod\n    def b(cls, n: int):\n        cls.t[n] = n\n"
        "def f(x: int):\n    return x in K.t",
        "up to 3 of K.b(n: int)",
    ),
    "a counter": ("def f(x: int):\n    global B\n    B += 1\n    return B == 7", "up to 7 of f(x: int)"),
    "a class": ("class f:\n    def m(self):\n        return A > 1", ""),
}


@pytest.mark.parametrize("case", CHOSEN)
def test_which_are_chosen(case: str, modules: Modules) -> None:
    text, setters = CHOSEN[case]
    assert modules.load(HEAD + text).signature.prototype.partition(", also after ")[2] == setters


def test_methods_are_called_alone(modules: Modules) -> None:
    text = f"{HEAD}class K:\n    def m(self) -> bool:\n        return A > 1\n"
    assert modules.load(text, "K.m").signature.prototype == "K.m(K) -> bool"


COUNTING = """
class Counter:
    total = 0

    @classmethod
    def add(cls, n: int) -> None:
        cls.total += n & 3

def f(x: int) -> int:
    if Counter.total == 8:
        return x
    return -1
"""


def test_several_calls_change_more_than_one(modules: Modules) -> None:
    loaded = modules.load(COUNTING)
    assert isinstance(loaded.signature, SettingSignature)
    names = [parameter.name for parameter in loaded.signature.setters]
    assert names == ["Counter.add", "Counter.add (2)", "Counter.add (3)"]
    for words, shown, value in (((5, 1, 3, 1, 2, 1, 3), "Counter.add(3); Counter.add(2); Counter.add(3); f(5)", 5),
                                ((5, 1, 3, 1, 2, 0, 0), "Counter.add(3); Counter.add(2); f(5)", -1)):  # fmt: skip
        assert loaded.signature.show(words) == shown
        assert loaded.replay(words).value == Snapshot("int", value)
    assert cover(f"{loaded.home.file}:f", Options(budget=Budget(20_000, 30.0))).percent == 100


FAILING = """
import os
LEVEL = 0

def set_level(level: int) -> None:
    global LEVEL
    LEVEL = level
    if level == 1:
        raise ValueError(level)
    if level == 2:
        raise SystemExit(level)
    if level == 3:
        os.remove("there is none")
    if level == 4:
        assert not level

def f(x: int) -> int:
    return 1 if LEVEL else 0
"""


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_a_setter_that_fails_makes_no_input(level: int, modules: Modules) -> None:
    loaded = modules.load(FAILING)
    run = loaded.run((2, 1, level))
    assert (run.outcome, run.covered, run.end) == (Termination.REFUSED, frozenset(), 0)
    assert loaded.replay((2, 1, level)).outcome is Termination.REFUSED
    assert loaded.run((2, 1, 5)).covered == {0}
    assert loaded.run((2, 0, 0)).covered == {1}


def test_the_search_reports_no_failures_of_setters(tmp_path: Path) -> None:
    path = tmp_path / "failing.py"
    path.write_text(FAILING)
    suite = cover(f"{path}:f", Options(budget=Budget(20_000, 20.0)))
    assert [verdict.verdict for verdict in suite.verdicts] == ["covered", "covered"]
    assert not suite.findings


SWAPPED = """
def scale(x):
    return x

def other(x):
    return -x

def swap() -> None:
    global scale
    scale = other

def f(x: int) -> bool:
    return scale(x) < 0
"""


def test_functions_are_put_back(modules: Modules) -> None:
    loaded = modules.load(SWAPPED)
    first = loaded.home.module.scale
    assert loaded.signature.show((2, 1)) == "swap(); f(2)"
    for _ in range(2):
        assert loaded.replay((2, 1)).value == Snapshot("bool", True)
        assert loaded.replay((2, 0)).value == Snapshot("bool", False)
    loaded.replay((2, 1))
    assert loaded.stateful
    assert loaded.home.module.scale is first


def test_path_conditions_tell_of_the_arguments_of_setters(modules: Modules) -> None:
    loaded = modules.load(DEBUG.replace("bool", "int").replace("if DEBUG:", "if DEBUG == 12345:"))
    words = (2, 1, 7)
    path = loaded.along(words, loaded.execute(words))
    (choice,) = [one for one in path.choices if one.site >= 0]
    assert "set_debug" in repr(choice.constraint)
    assert loaded.words_with({**path.inputs, "x": 5}) == (5, 1, 7)
    assert loaded.words_with({"x": 5}) == (5, 0, 0)
    assert loaded.home.module.DEBUG is False


def test_exploration_finds_what_a_setter_has_to_set(tmp_path: Path) -> None:
    path = tmp_path / "explored.py"
    path.write_text(DEBUG.replace("bool", "int").replace("if DEBUG:", "if DEBUG == 12345 and x == 777:"))
    suite = cover(f"{path}:f", Options(budget=Budget(100, 30.0), engine="explore"))
    shown = [suite.signature.show(kept.words) for kept in suite.inputs]
    assert "set_debug(12345); f(777)" in shown
    assert [verdict.verdict for verdict in suite.verdicts] == ["covered"] * 4


def test_nothing_is_proved_of_a_variable_that_is_set(tmp_path: Path) -> None:
    path = tmp_path / "unproved.py"
    path.write_text(DEBUG.replace("DEBUG = on", "DEBUG = on and not on"))
    suite = cover(f"{path}:f", Options(budget=Budget(2_000, 10.0), engine="explore"))
    assert {verdict.verdict for verdict in suite.verdicts} == {"covered", "undecided"}


def test_native_code_leaves_the_others_to_the_interpreter(modules: Modules) -> None:
    loaded = modules.load(DEBUG)
    loaded.run(ON)
    native = loaded._compile()
    for words, covered in ((ON, {0}), (ALONE, {1}), (OFF, {1}), (ALONE, {1})):
        loaded._marks.clear()
        assert loaded._run_at(native.address, loaded._marks.question, words) is Termination.RETURNED
        assert loaded._marks.covered() == covered


def test_an_input_without_need_of_a_setter_calls_none(tmp_path: Path) -> None:
    path = tmp_path / "reduced.py"
    path.write_text(DEBUG)
    suite = cover(f"{path}:f", Options(budget=Budget(10_000, 20.0)))
    assert [suite.signature.show(kept.words) for kept in suite.inputs] == ["f(2)", "set_debug(True); f(2)"]
    assert suite.stateful


def test_paths_are_given_the_arguments_alone(modules: Modules) -> None:
    loaded = modules.load(DEBUG)
    assert loaded.words_of("7") == (7, 0, 0)
    with pytest.raises(OptionError, match=r"f takes 1 arguments \(x: int\), not 2"):
        loaded.words_of("7, True")


def test_the_source_of_a_call_without_an_object() -> None:
    assert str(written("set_debug()", ["True"], ())) == "set_debug(True)"
    assert str(written("set_debug()", ["1", "2"], ("on",))) == "set_debug(1, on=2)"
    assert str(written("enable()", [], ())) == "enable()"
    assert str(written("stack.push()", ["{}"], ())) == "stack.push({})"


def test_two_of_four_slices_call_no_setter(modules: Modules, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, seen = modules.load(DEBUG), list[tuple[tuple[int, int], int]]()

    def minimizing(minimizer: object, door: Door, domain: Domain, x: WordArray, rng: object) -> None:
        seen.append((domain.ranges[1], int(x[1])))

    monkeypatch.setattr(search_module, "minimize", minimizing)
    domain = domain_of(loaded.signature, loaded.constants)
    search = Search(loaded, branches_of(loaded.sites), domain, Budget(1_000, 60.0), 0)
    question = BranchObjective(len(loaded.sites)).question
    for _ in range(5):
        search.minimize(question, 100, np.array(ON), 0)
    assert seen == [((0, 1), 1), ((0, 1), 1), ((0, 0), 0), ((0, 0), 0), ((0, 1), 1)]


COUNTERS = "\n".join(f"""
class C{n}:
    total = 0

    @classmethod
    def add(cls, n: int) -> int:
        cls.total += n & 3
        return cls.total
""" for n in range(5))  # fmt: skip


@pytest.mark.parametrize("reads", ["C4.total > 2", "C4.add(x) > 4"])
def test_setters_are_those_of_the_class_that_the_function_names(modules: Modules, reads: str) -> None:
    subject = modules.load(f"{COUNTERS}\ndef f(x: int) -> int:\n    if {reads}:\n        return 1\n    return 0\n")
    assert isinstance(subject.signature, SettingSignature)
    assert {parameter.name.partition(" ")[0] for parameter in subject.signature.setters} == {"C4.add"}
