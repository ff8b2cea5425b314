"""What runs leave in the variables of modules is put back."""

from __future__ import annotations

import math
import os

from subject.python.modules import Modules
from zeroin.subject.base import Outcome
from zeroin.subject.python.values.pictures import Value

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


def test_every_run_begins_alike(modules: Modules) -> None:
    loaded = modules.load(TEXT)
    for _ in range(3):
        replay = loaded.replay((8,))
        assert replay.value == Value("float", 8.0)
        assert replay.repeatable
        assert loaded.observe((8,)).value == replay.value
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
    assert loaded.run((8,)).outcome is Outcome.RETURNED  # an exception that it raises itself
    assert (len, math.sqrt, os.getpid) == before
    replay = loaded.replay((8,))
    assert (len, math.sqrt, os.getpid) == before
    assert (replay.raised, replay.repeatable) == ("builtins:ValueError", True)
    assert loaded.replay((4,)).value == Value("float", 2.0)
    (changed,) = [note for note in loaded.remarks() if "outlive" in note]
    assert all(name in changed for name in ("builtins.len", "math.sqrt", "os.getpid"))


def test_what_a_function_only_uses_of_other_modules_is_left_alone(modules: Modules) -> None:
    loaded = modules.load(
        "import math\nclass A: pass\ndef f(x: int):\n  a = A()\n  a.root = math.sqrt(x)\n  return a.root\n"
    )
    assert loaded.call.function is loaded.found.inner[0]
