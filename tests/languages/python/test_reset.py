"""What runs leave in the variables of modules is put back."""

from __future__ import annotations

import math
import os

import pytest

from languages.python.modules import Modules
from zeroin import Budget, Options, cover
from zeroin.languages.python.run import reset
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.languages.python.values.snapshots import Snapshot
from zeroin.subject.base import Termination, Words

TEXT = """
from functools import lru_cache

calls, seen, table, known = 0, [], {}, set()

@lru_cache
def half(x):
    global calls
    calls += 1
    return x / 2

def f(x: int):
    global calls
    calls += 1
    seen.append(x)
    known.add(x)
    if x in table:
        return -1
    table[x] = x
    return half(x) + calls + len(seen) + len(known)
"""


def alone(loaded: PythonSubject, x: int) -> Words:
    """The words of a call that no other call comes before."""
    return (x, *[0] * (loaded.signature.arity - 1))


def test_every_run_begins_alike(modules: Modules) -> None:
    loaded = modules.load(TEXT)
    for _ in range(3):
        replay = loaded.replay(alone(loaded, 8))
        assert replay.value == Snapshot("float", 8.0)
        assert replay.repeatable
        assert loaded.observe(alone(loaded, 8)).value == replay.value
    changed = next(note for note in loaded.remarks() if "outlive" in note)
    assert all(name in changed for name in ("calls", "seen", "table", "known"))


def test_variables_that_nobody_touches_are_left_alone(modules: Modules) -> None:
    loaded = modules.load("TABLE = {1: [2]}\nNAMES = ['a']\ndef f(x: int):\n    return x in TABLE or x in NAMES\n")
    before = {id(loaded.home.module.TABLE), id(loaded.home.module.NAMES)}
    assert loaded.replay((1,)).repeatable
    assert {id(loaded.home.module.TABLE), id(loaded.home.module.NAMES)} == before
    assert not loaded.stateful
    assert not any("outlive" in note for note in loaded.remarks())


FOREIGN = """
import builtins, math, os

def f(x: int):
    if x > 5:
        builtins.len = lambda items: 0
        setattr(math, "sqrt", len)
        del os.getpid
        raise ValueError
    return math.sqrt(x)
"""


def test_functions_of_other_modules_are_put_back_as_soon_as_a_run_ends(modules: Modules) -> None:
    loaded = modules.load(FOREIGN)
    before = len, math.sqrt, os.getpid
    assert loaded.run((8,)).outcome is Termination.RETURNED  # an exception that it raises itself
    assert (len, math.sqrt, os.getpid) == before
    replay = loaded.replay((8,))
    assert (len, math.sqrt, os.getpid) == before
    assert (replay.raised, replay.repeatable) == ("builtins:ValueError", True)
    assert loaded.replay((4,)).value == Snapshot("float", 2.0)
    (changed,) = [note for note in loaded.remarks() if "outlive" in note]
    assert all(name in changed for name in ("builtins.len", "math.sqrt", "os.getpid"))


def test_what_a_function_only_uses_of_other_modules_is_left_alone(modules: Modules) -> None:
    loaded = modules.load(
        "import math\nclass A: pass\ndef f(x: int):\n  a = A()\n  a.root = math.sqrt(x)\n  return a.root\n"
    )
    assert loaded.call.function is loaded.found.inner[0]


DEEP = """
import os
from collections import deque
import numpy as np

class Counter:
    total = 0
    def __init__(self):
        self.inner = {"n": [0]}

STATE = {"n": {"k": 0}}
COUNTER, QUEUE, ROW, ARRAY = Counter(), deque([1]), ([0],), np.zeros(2)
BIG = {n: [n] for n in range(3000)}

def remember(function):
    seen, calls = [], 0
    def wrapper(x):
        nonlocal calls
        calls += 1
        seen.append(x)
        return function(x) + len(seen) + calls - 1
    return wrapper

@remember
def f(x: int, ):
    STATE["n"]["k"] += 1
    COUNTER.inner["n"][0] += 1
    Counter.total += 1
    QUEUE.append(x)
    ROW[0].append(x)
    ARRAY[1] += 1.0
    BIG[2999].append(x)
    os.environ["ZEROIN_SAMPLE"] = os.environ.get("ZEROIN_SAMPLE", "") + "a"
    os.chdir("/")
    return g() + int(STATE["n"]["k"] + COUNTER.inner["n"][0] + Counter.total + len(QUEUE) + len(ROW[0]) + ARRAY[1]
               + len(BIG[2999]) + len(os.environ["ZEROIN_SAMPLE"]) + len(os.getcwd()))

def g(known=[], *, more={}):
    known.append(1)
    more[len(more)] = 1
    return len(known) + len(more)
"""


def test_what_is_deep_inside_is_put_back_too(modules: Modules) -> None:
    loaded, folder = modules.load(DEEP, native=False), os.getcwd()
    first = loaded.replay((8,))
    assert first.value == Snapshot("int", 1 + 1 + 1 + 2 + 2 + 1 + 2 + 1 + 1 + 2 + 1)
    for _ in range(40):
        loaded.run((3,))
    assert loaded.replay((8,)) == first
    loaded._prepare_run()
    loaded._reset.thoroughly()
    assert "ZEROIN_SAMPLE" not in os.environ
    assert os.getcwd() == folder


def test_a_fence_chooses_the_folder(modules: Modules) -> None:
    """Every run starts in an empty folder of its own, also the one that is shown."""
    text = """
        import os
        def f(x: int) -> int:
            here = os.listdir()
            os.chdir("/")
            if x == 77:
                return 1
            return 2 if here else 3
    """
    suite = cover(f"{modules.write(text)}:f", Options(budget=Budget(evaluations=20_000)))
    assert [suite.signature.show_result(kept.replay) for kept in suite.inputs if kept.words != (77,)] == ["= 3"]
    assert not any("outlive" in note for note in suite.notes)


def test_what_does_not_change_is_looked_at_rarely(modules: Modules, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(f"T{n} = [{n}]" for n in range(50))
    used = " + ".join(f"T{n}[0]" for n in range(50))
    loaded = modules.load(f"{text}\nOTHER, LAST = {{}}, []\ndef f(x: int):\n LAST.append(x)\n return {used}\n")
    looked = list[object]()

    def is_as(one: object, other: object) -> bool:
        looked.append(one)
        return type(one) is list and one == other

    monkeypatch.setattr(reset, "_is_as", is_as)
    for _ in range(1000):
        loaded.run(alone(loaded, 1))
    module = loaded.home.module
    counts = [sum(one is table for one in looked) for table in (module.T0, module.OTHER, module.LAST)]
    assert counts[0] < 20
    assert counts[1] == 0
    assert counts[2] > 990
    assert module.LAST == [1]


def test_where_any_name_may_be_meant_all_is_kept(modules: Modules) -> None:
    loaded = modules.load("KNOWN = []\ndef f(x: int):\n  globals()['KNOWN'].append(x)\n  return len(KNOWN)\n")
    for _ in range(3):
        assert loaded.observe((1,)).value == Snapshot("int", 1)
