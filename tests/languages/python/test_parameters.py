"""What is guessed of parameters, and arguments that can not be made."""

from __future__ import annotations

from pathlib import Path

import pytest

from languages.python.modules import Modules
from zeroin.config import Budget, Options
from zeroin.subject.base import Termination
from zeroin.worker.parent import cover

COUNTER = """
class Counter:
    def __init__(self, n: int) -> None:
        if n < 5:
            raise ValueError("small")
        self.n = n

    def plain(self) -> int:
        return self.n

    def above(self, *, items):
        return items[0] > self.n
"""


@pytest.mark.parametrize("declared", ["x, *, items", "x, items", "*, items, x=1"])
def test_guesses_see_how_the_function_is_called(modules: Modules, declared: str) -> None:
    loaded = modules.load(f"def f({declared}):\n    return len(items) > 2 and items[0] == x\n")
    types = {parameter.name: parameter.type for parameter in loaded.signature.parameters}
    assert types["items"] == "list[float]"


def test_a_constructor_that_refuses_makes_no_input(modules: Modules) -> None:
    loaded = modules.load(COUNTER, "Counter.above")
    assert [p.type for p in loaded.signature.parameters] == ["Counter", "list[float]"]
    assert loaded.run((4, 1, *[0] * (len(loaded.signature.kinds) - 2))).outcome is Termination.REFUSED
    assert len(set(loaded.signature.notes)) == len(loaded.signature.notes)


def test_a_function_without_branches_gets_arguments_that_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "counters.py").write_text(COUNTER)
    suite = cover(f"{tmp_path / 'counters.py'}:Counter.plain", Options(budget=Budget(seconds=1.0)))
    assert [kept.outcome for kept in suite.inputs] == [Termination.RETURNED]
    assert not suite.findings


@pytest.mark.parametrize("base", ["dict", "int", "Exception", "str"])
def test_a_class_of_pythons_own_kind_needs_no_constructor(modules: Modules, base: str) -> None:
    text = f"class B({base}):\n    def check(self, n: int):\n        return 1 if n > 3 else 2\n"
    subject = modules.load(text, "B.check")
    assert subject.run((4,)).covered != subject.run((3,)).covered


def test_what_looks_like_a_cache_is_left_alone(modules: Modules) -> None:
    subject = modules.load("""
        from unittest.mock import sentinel
        class Lazy:
            def __getattr__(self, name):
                raise ImportError(name)
        class Cache:
            def cache_info(self):
                return 1
            def cache_clear(self, key):
                raise KeyError(key)
        lazy, cache = Lazy(), Cache()
        def f(n: int):
            return (lazy, cache) if n > 3 else (sentinel.x, Cache)
        """)
    assert subject.run((4,)).covered != subject.run((3,)).covered
