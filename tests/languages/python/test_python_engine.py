"""A Python function as a subject: loaded, asked, run and replayed."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Set as AbstractSet
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.python.modules import Modules
from zeroin.distance import EQ, GT, LT, NE
from zeroin.errors import TargetError, UnsupportedParameter
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.native.cells import HEADER, ProbeMode
from zeroin.subject.base import Decision, Run, Termination, branches_of
from zeroin.subject.search_problem import SearchProblem, native_pens
from zeroin.words import Kind, encode

CLASSIFY = """
def f(x: float, n: int, flag: bool):
    if x < n and not flag:
        return "low"
    for i in range(n):
        if i * 2 == x:
            return helper(i)
    return [x, n, flag]

def helper(i):
    assert i != 3, "three"
    return i or None

def unused(i):
    return i or 1
"""


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> PythonSubject:
    return Modules(tmp_path_factory.mktemp("engine")).load(CLASSIFY)


def words(x: float, n: int, flag: bool) -> tuple[int, ...]:
    return encode(Kind.F64, x), encode(Kind.INT, n), int(flag)


def test_its_sites_are_those_of_the_function_and_of_what_it_calls(subject: PythonSubject) -> None:
    assert [(s.function, s.condition, s.line, s.form) for s in subject.sites] == [
        ("f", "x < n", 3, "branch"), ("f", "flag", 3, "branch"), ("f", "for i in range(n)", 5, "for"),
        ("f", "i * 2 == x", 6, "branch"), ("helper", "i != 3", 11, "assert"), ("helper", "i", 12, "branch"),
    ]  # fmt: skip
    assert [branch.id for branch in branches_of(subject.sites)][:4] == ["0T", "0F", "1T", "1F"]
    assert subject.graph.follows == {
        0: (1,), 1: (2,), 2: (2,), 3: (), 4: (3,), 5: (), 6: (4,), 7: (2,), 8: (5,), 9: (), 10: (), 11: (),
    }  # fmt: skip
    assert subject.graph.fatal == 1 << 9
    assert subject.signature.prototype == "f(x: float, n: int, flag: bool)"
    assert subject.signature.show(words(0.5, -2, True)) == "f(0.5, -2, True)"


def test_callees_can_be_left_alone(modules: Modules) -> None:
    loaded = modules.load(CLASSIFY, callees=False)
    assert {site.function for site in loaded.sites} == {"f"}
    assert loaded.replay(words(4.0, 3, True)).value is not None


def test_what_is_lethal_is_not_run_again(tmp_path: Path) -> None:
    subject = Modules(tmp_path).load("import os\ndef f(a: int, b: int): return os._exit(1) if a == 3 and b == 4 else a")
    subject.avoid([(7, 7), (3, 4)])
    assert subject.run((3, 4)).outcome is Termination.KILLED
    assert [subject.run(words).outcome for words in ((3, 7), (4, 3), (7, 4))] == [Termination.RETURNED] * 3


@pytest.mark.parametrize(
    ("arguments", "outcome", "covered", "text"),
    [
        ((0.5, 2, False), Termination.RETURNED, {0, 3}, '"low"'),
        ((0.5, 2, True), Termination.RETURNED, {0, 2, 4, 5, 7}, "[0.5, 2, True]"),
        ((2.0, 2, False), Termination.RETURNED, {1, 4, 6, 7, 8, 10}, "1"),
        ((0.0, 1, True), Termination.RETURNED, {0, 2, 4, 6, 8, 11}, "None"),
        ((6.0, 5, False), Termination.ASSERTED, {1, 4, 6, 7, 9}, None),
        ((float("nan"), -1, False), Termination.RETURNED, {1, 5}, "[nan, -1, False]"),
    ],
)
def test_runs(
    subject: PythonSubject, arguments: Any, outcome: Termination, covered: AbstractSet[int], text: str | None
) -> None:
    given_words = words(*arguments)
    run = subject.run(given_words)
    assert (run.words, run.outcome, run.covered) == (given_words, outcome, covered)
    assert subject.covers_in_child(given_words, seconds=2.0) == (covered, outcome is Termination.RETURNED)
    execution = subject.execute(given_words)
    assert (execution.outcome, execution.covered, execution.truncated) == (outcome, covered, False)
    assert {2 * d.site + (not d.holds) for d in execution.decisions} == covered
    for replay in (subject.replay(given_words), subject.observe(given_words)):
        assert replay.outcome is outcome
        assert replay.repeatable
        assert (replay.value.text if replay.value else None) == text
        assert replay.detail == ("AssertionError: three" if text is None else "")


def test_decisions_in_their_order(subject: PythonSubject) -> None:
    decisions = subject.execute(words(2.0, 2, False)).decisions
    assert decisions == (
        Decision(0, False, LT, 2.0, 2.0), Decision(2, True, EQ, 0, 0), Decision(3, False, EQ, 0.0, 2.0),
        Decision(2, True, EQ, 0, 0), Decision(3, True, EQ, 2.0, 2.0), Decision(4, True, NE, 1, 3),
        Decision(5, True, NE, 1, 0),
    )  # fmt: skip
    assert subject.execute(words(0.0, -5, True)).decisions[-1] == Decision(2, False, GT, -5, 0)


@given(x=st.floats(), n=st.integers(-5, 9), flag=st.booleans())
def test_the_instrumented_and_the_plain_function_agree(subject: PythonSubject, x: float, n: int, flag: bool) -> None:
    plain, probed = subject.replay(words(x, n, flag)), subject.observe(words(x, n, flag))
    assert subject.same(plain, probed)
    assert plain.outcome is subject.run(words(x, n, flag)).outcome


def test_the_plain_function_is_plain(modules: Modules) -> None:
    """Only the code is exchanged: whoever has the function has it with probes or without."""
    loaded = modules.load("def f(x: int):\n    return g(x)\ndef g(x):\n    return x > 1 or x\n")
    functions = [vars(sys.modules[loaded.home.name])[name] for name in "fg"]
    before = [function.__code__ for function in functions]
    loaded.replay((1,))
    plain = [function.__code__ for function in functions]
    loaded.run((1,))
    after = [function.__code__ for function in functions]
    assert plain[1] != after[1] == before[1]
    assert all(isinstance(function, FunctionType) for function in functions)
    constants = [repr(constant) for code in plain for constant in code.co_consts]
    assert not [constant for constant in constants if "built-in" in constant or "zeroin" in constant]


def count(data: Any, r: float, site: int, op: int, a: float, b: float) -> float:
    data[HEADER + site] += 1
    return r + 1.0


def test_an_objective_is_called_by_its_address(subject: PythonSubject) -> None:
    sites = len(subject.sites)
    asked = np.full(2 * sites, ProbeMode.CALL, dtype=np.uint8)
    asked[:2] = ProbeMode.PASS
    question = SearchProblem(2.5, native_pens(count), np.zeros(HEADER + sites, dtype=np.int64), asked)
    objective = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(subject.install(question))
    memory = (ctypes.c_int64 * 3)(*words(2.0, 2, False))
    assert objective(ctypes.addressof(memory)) == 2.5 + 6
    assert question.data[HEADER:].tolist() == [0, 0, 2, 2, 1, 1]
    asked[6:8] = ProbeMode.ZERO
    assert objective(ctypes.addressof(memory)) == 2.0
    assert ctypes.c_int64.from_address(subject.outcome_address).value == Termination.RETURNED
    memory[:] = list(words(6.0, 5, False))
    objective(ctypes.addressof(memory))
    assert ctypes.c_int64.from_address(subject.outcome_address).value == Termination.ASSERTED


def test_methods_lambdas_decorated_and_nested_functions(modules: Modules) -> None:
    text = """
        import functools
        def twice(function):
            @functools.wraps(function)
            def wrapper(*arguments): return function(*arguments) or function(*arguments)
            return wrapper
        class A:
            def __init__(self, size: int = 3): self.size = size
            def larger(self, x: int): return x > self.size
            @staticmethod
            def still(x: int): return x or 1
            @classmethod
            def made(cls, x: int): return cls(x).size > 2
            @property
            def big(self): return self.size > 100
            class Inner:
                def deep(self, x: int): return x == 7
        @twice
        @twice
        def decorated(x: int): return x > 5
        @functools.lru_cache
        def cached(x: int): return cached(x - 1) if x > 0 else x
        short = lambda x=1: x > 3
        def outer(x: int):
            def inner(y): return y > x
            return [inner(1), (lambda: x < 0)()]
    """
    wanted: dict[str, tuple[list[str], tuple[int, ...], str]] = {
        "A.larger": (["x > self.size"], (2, 5), "True"), "A.still": (["x"], (0,), "1"),
        "A.made": (["cls(x).size > 2"], (3,), "True"), "A.Inner.deep": (["x == 7"], (7,), "True"),
        "decorated": (["x > 5"], (6,), "True"),
        "cached": (["x > 0"], (3,), "0"), "short": (["x > 3"], (4,), "True"),
        "outer": (["y > x", "x < 0"], (0,), "[True, False]"),
    }  # fmt: skip
    path = str(modules.write(text))
    for name, (conditions, given_words, result) in wanted.items():
        loaded = PythonSubject(path, name)
        assert [site.condition for site in loaded.sites] == conditions, name
        replay = loaded.replay(given_words)
        assert replay.value is not None, name
        assert replay.value.text == result, name
        if name != "cached":
            assert loaded.run(given_words).covered, name


def test_functions_without_conditions(modules: Modules) -> None:
    loaded = modules.load("def f(x: int):\n    return x + 1\n")
    assert (loaded.sites, loaded.graph.first) == ([], ())
    assert loaded.run((1,)) == Run((1,), Termination.RETURNED, frozenset())
    assert loaded.execute((1,)).decisions == ()


def test_a_long_run_is_cut_off_in_the_record_only(modules: Modules) -> None:
    loaded = modules.load("def f(x: int):\n    while x > 0: x -= 1\n    return x == 0\n")
    execution = loaded.execute((5000,))
    assert execution.truncated
    assert len(execution.decisions) == 4096
    assert execution.covered == {0, 1, 2}
    assert execution.latest == (2, 1, 0)


def test_what_calls_change_is_told(modules: Modules) -> None:
    text = "seen = []\ndef f(x: list[int]):\n    x.append(1)\n    seen.append(1)\n    return len(seen)\n"
    loaded = modules.load(text)
    empty = (0,) * len(loaded.signature.kinds)
    replay = loaded.replay(empty)
    assert replay.after[0] is not None
    assert replay.after[0].text == "[1]"
    assert replay.repeatable  # what the call left is put back
    assert replay.value is not None
    assert replay.value.text == "1"
    assert loaded.stateful


@pytest.mark.parametrize(
    ("name", "message"),
    [("nothing", "no function 'nothing'"), ("Empty", "without a constructor and public methods"),
     ("number", "not a function"),
     ("len_", "not written in Python"), ("made", "generator"), ("later", "coroutine"), ("Class.size", "property")],
)  # fmt: skip
def test_what_can_not_be_tested(modules: Modules, name: str, message: str) -> None:
    text = """
        number, len_ = 5, len
        class Empty: pass
        class Class:
            @property
            def size(self): return 1
        def made(x: int): yield x
        async def later(x: int): pass
    """
    with pytest.raises(TargetError, match=message):
        modules.load(text, name)


def test_a_parameter_that_can_not_be_driven(modules: Modules) -> None:
    with pytest.raises(UnsupportedParameter, match="'x'"):
        modules.load("import socket\ndef f(x: socket.socket): return x\n")


def test_a_module_of_another_encoding_and_with_odd_lines(modules: Modules) -> None:
    path = modules.write("")
    text = "# coding: latin-1\ns = '''ä\x0c\n'''\ndef f(x: int):\r\n    return 'ä' if x > 1 else s\n"
    path.write_bytes(text.encode("latin-1"))
    loaded = PythonSubject(str(path), "f")
    assert [(s.condition, s.line, s.column) for s in loaded.sites] == [("x > 1", 5, 19)]
    replay = loaded.replay((2,))
    assert replay.value is not None
    assert replay.value.text == '"ä"'


def test_functions_of_an_included_module(modules: Modules, monkeypatch: pytest.MonkeyPatch) -> None:
    other = modules.write("def low(x):\n    return x < 0\n")
    loaded = modules.load(
        f"from {other.stem} import low\ndef f(x: int):\n    return low(x) or 1\n", include=(str(other),)
    )
    assert [(s.function, Path(s.file).name) for s in loaded.sites if s.function == "low"] == [("low", other.name)]
    assert len(loaded.run((-1,)).covered) == 2


def test_output_and_imports_of_a_subject_are_its_own(modules: Modules) -> None:
    """Loading instruments the functions named, and nothing of the modules they import."""
    path = modules.write("import textwrap\ndef f(x: int):\n    return textwrap.fill('a b', 1) if x else None\n")
    script = """
import sys, textwrap
before = textwrap.fill.__code__
from zeroin.languages.python.run.engine import PythonSubject
subject = PythonSubject(sys.argv[1], "f")
subject.run((1,))
assert textwrap.fill.__code__ is before
"""
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_what_decorators_say_of_functions(tmp_path: Path) -> None:
    text = """
from zeroin import defer, prefer

def f(x: float):
    return wanted(x) if x > 3 else dull(x) or x > 4

@prefer
@prefer
def wanted(x):
    return x > 5 and x < 7

@defer
def dull(x):
    return x < 1 or x > 2
"""
    subject = Modules(tmp_path).load(text)
    by_function = {(site.function, subject.priorities.get(site.number, 0)) for site in subject.sites}
    assert by_function == {("f", 0), ("wanted", 2), ("dull", -1)}
    assert subject.replay((encode(Kind.F64, 6.0),)).value is not None
