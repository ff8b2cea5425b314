"""What runs leave in the variables of modules is put back."""

from __future__ import annotations

from subject.python.modules import Modules
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
