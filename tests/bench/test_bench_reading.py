"""What is read is what runs, and what is read wrongly is seen."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path

import pytest
from bench.reading.check import check
from bench.reading.readers import compare, section
from bench.reading.run import page

from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.read import operations
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.languages.python.options import PythonOptions
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.term.core.nodes import Op

READABLE = Path(__file__).parents[1] / "subjects" / "c" / "readable.c"
READABLE_PYTHON = READABLE.parents[1] / "python" / "readable.py"
FUNCTIONS = re.findall(r"^(?!static)\w+ (\w+)\([^;]*\) \{", READABLE.read_text(), re.MULTILINE)
# What is taken from the run there: which function a pointer means, how much is allocated, which string is looked at.
PINNED = {"by_pointer", "allocated", "tables", "statics"}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_is_read_is_what_runs(function: str) -> None:
    assert len(FUNCTIONS) == 20
    subject = LlvmSubject(READABLE, function, LlvmOptions(callees=True))
    found = check(subject, 30, seed=7)
    assert found.disagreements == []
    assert found.runs == 30
    assert found.native == 2
    assert found.whole == 30 - found.ended.total()
    assert set(found.ended) == ({"a value of type x86_fp80 is used"} if function == "rarely_long" else set())
    assert found.alike or function == "endless"
    if function not in PINNED:
        assert found.exact == found.whole


@pytest.mark.parametrize("function", ["arithmetic", "raising", "calls", "values", "texts", "fibonacci"])
def test_what_is_read_of_python_is_what_runs(function: str) -> None:
    subject = PythonSubject(str(READABLE_PYTHON), function, PythonOptions(native=False))
    found = check(subject, 25, seed=7)
    assert found.disagreements == []
    assert found.runs == 25
    assert found.whole == 25 or function == "fibonacci"  # which calls itself too deeply
    assert found.decisions


@pytest.mark.parametrize(
    ("name", "wrong", "function"),
    [("_PLAIN", {"add": Op.BV_SUB}, "widths"), ("_ORDER", {"lt": (Op.BV_SLE, Op.BV_ULE)}, "borders"),
     ("_OPEN", {"lshr": Op.BV_ASHR}, "borders"), ("_FP_ORDER", {"lt": Op.FP_LE}, "borders")],
    ids=["add", "less", "shift", "less float"],
)  # fmt: skip
def test_what_is_read_wrongly_is_seen(
    name: str, wrong: dict[str, object], function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, name, {**getattr(operations, name), **wrong})
    assert check(LlvmSubject(READABLE, function, LlvmOptions(callees=True)), 60, seed=3).disagreements


def test_the_page() -> None:
    subject = LlvmSubject(READABLE, "widths", LlvmOptions(callees=True))
    report = asdict(check(subject, 5))
    text = page([("widths", report), ("other", "not done")], 5, " --runs 5")
    assert "| `widths` | 5 | 5 | 5 |" in text
    assert "- other: not done" in text


def test_both_readers_of_python_are_timed() -> None:
    found = list(compare(1))
    assert {one.name for one in found} >= {"classics.triangle", "integers.collatz"}
    assert "texts.roman" not in {one.name for one in found}
    assert all(one.blocks > 1 and one.composed > 0 and one.followed > 0 for one in found)
    page = section(found, 1)
    assert f"{len(found)} of the 59 functions" in page
    assert page.count("| classics.triangle |") == 1
