"""bench/values: what is counted, and how it is judged."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from bench.values.run import NEEDED, OTHER, PLAUSIBLE, Row, judged, page, row_of, share, with_tests

from zeroin import Suite
from zeroin.generate.stopped import Stopped
from zeroin.languages.python.front.signature import PythonSignature
from zeroin.languages.python.replay import PythonReplay
from zeroin.languages.python.values.containers import List
from zeroin.languages.python.values.shapes import Bool, Float, PythonParameter
from zeroin.subject.base import Target, Termination
from zeroin.suite.plausible import Level
from zeroin.suite.suite import Input

XS, ON, Y = List(Float(), high=3), Bool(), Float()
SIGNATURE = PythonSignature("f", (
    PythonParameter("xs", "list[float]", XS), PythonParameter("on", "bool", ON),
    PythonParameter("y", "float", Y, default=Y.encode(1e-30)),
))  # fmt: skip


def suite(*inputs: Input) -> Suite:
    return Suite(target=Target("f.py:f", Path("f.py"), "f", "python"), signature=SIGNATURE, sites=[], branches=[],
                 inputs=list(inputs), findings=[], seed=0, evaluations=1, seconds=0.1,
                 stopped=Stopped.COVERED)  # fmt: skip


def kept(xs: list[float], y: float, needed: tuple[int, ...] = (), untested: str = "") -> Input:
    words = (*XS.encode(xs), *ON.encode(True), *Y.encode(y))
    return Input(words, frozenset(), PythonReplay(Termination.RETURNED), untested, needed)


def test_values_are_counted_without_choices_defaults_and_repetitions() -> None:
    found = suite(kept([1.0, 1.0, 5e-324], 1e-30), kept([2.0], 5e-324, needed=(5,)), kept([1e300], 1.0, untested="why"))
    assert with_tests(found) == [0, 1]
    assert [*judged(found, 0)] == [(PLAUSIBLE, Level.PLAUSIBLE), (OTHER, Level.EXTREME)]
    assert [*judged(found, 1)] == [(PLAUSIBLE, Level.PLAUSIBLE), (NEEDED, Level.EXTREME)]
    row = row_of("bench", found)
    assert row.values == {PLAUSIBLE: 2, NEEDED: 1, OTHER: 1}
    assert row.inputs == {OTHER: 1, NEEDED: 1}
    assert [worst for worst, _ in row.examples] == [OTHER, NEEDED]


def test_the_page_has_all_shares() -> None:
    rows = [Row("a", "a.py:f", Counter({PLAUSIBLE: 3, OTHER: 1}), Counter({OTHER: 1}), ((OTHER, "f(5e-324)"),)),
            Row("b", "b.py:f", note="is gone")]  # fmt: skip
    text = page(rows, ["bench.values.run"])
    assert "| a | 4 | 3 (75.0 %) | 0 (0.0 %) | 1 (25.0 %) |" in text
    assert "| **all** | 4 | 3 (75.0 %) |" in text
    assert "- implausible though not needed: `f(5e-324)`" in text
    assert "| `b.py:f` | is gone |" in text
    assert share(Counter(), PLAUSIBLE) == 1.0
