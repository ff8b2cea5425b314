"""Which tests ``make test`` leaves out."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

PATH = Path(__file__).parents[1] / "tools" / "slow_tests.py"
spec = importlib.util.spec_from_file_location("slow_tests", PATH)
assert spec is not None
assert spec.loader is not None
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)


def test_the_slowest_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "SECONDS", 2.0)
    seconds = {"a.py::one": 0.5, "a.py::two": 0.4, "a.py::three": 0.9, "b.py::one": 0.8, "b.py::two[3]": 1.0}
    assert tool.slowest(seconds) == {"a.py::three", "b.py::two[3]"}


def test_the_quickest_of_a_file_stays_unless_it_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "SECONDS", 1.0)
    seconds = {"a.py::one": 0.6, "b.py::one": 2.9, "b.py::two": 2.95, "c.py::one": 3.1}
    assert tool.slowest(seconds) == {"b.py::two", "c.py::one"}
