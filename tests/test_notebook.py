"""Functions of the running program as targets, and results as a notebook displays them."""

from __future__ import annotations

import linecache
import math
import statistics
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import zeroin
from zeroin.errors import TargetError, ZeroinError
from zeroin.notebook import place_of

QUICK = zeroin.Options(zeroin.Budget(20_000, 5.0), suite="small")
Cell = Callable[[str], dict[str, Any]]
_numbers = count()


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cell]:
    """``cell(text)`` executes a text as a notebook does: in ``__main__``, with its lines where ``inspect`` looks."""
    main = sys.modules["__main__"]
    before = dict(vars(main))

    def run(text: str) -> dict[str, Any]:
        name = f"<cell {next(_numbers)}>"
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        exec(compile(text, name, "exec"), vars(main))
        return vars(main)

    yield run
    for name in vars(main).keys() - before.keys():
        delattr(main, name)


def test_a_function_of_a_cell_is_covered_and_displayed(cell: Cell) -> None:
    f = cell(
        "import math\n\ndef f(x: float) -> float:\n    if math.sin(x) > 0.9999:\n        return 1.0\n    return x\n"
    )["f"]
    suite = zeroin.cover(f, QUICK)
    assert suite.count(zeroin.COVERED) == 2
    shown = suite._repr_html_()
    assert "math.sin(x) &gt; 0.9999" in shown
    assert "<svg" in shown


def test_what_a_function_uses_comes_along(cell: Cell) -> None:
    cell("import math\nfrom statistics import fmean as middle\nfrom fractions import Fraction\n")
    cell("LIMIT = 3\nTABLE = {'a': [1.5, -0.25]}\nFAR = float('inf')\n")
    cell("class Box:\n    '''A box.'''\n\n    def __init__(self, size: float) -> None:\n        self.size = size\n")
    cell("def helper(x: float) -> Box:\n    return Box(abs(x) if x < FAR else other(-x))\n")
    cell("def other(x: float) -> float:\n    return helper(1.0).size if x < 0 else middle(TABLE['a'])\n")
    f = cell("def f(x: float, limit: int = LIMIT) -> bool:\n    if helper(x).size >= LIMIT + Fraction(1, 2):\n"
             "        return math.isfinite(x)\n    return False\n")["f"]  # fmt: skip
    suite = zeroin.cover(f, QUICK)
    assert suite.count(zeroin.UNDECIDED) == 0
    assert any(abs(suite.signature.arguments(kept.words)[0]) >= 3.5 for kept in suite.inputs)


def test_a_class_of_a_cell_is_covered(cell: Cell) -> None:
    account = cell("class Account:\n    def __init__(self) -> None:\n        self.sum = 0\n\n"
                   "    def add(self, n: int) -> int:\n        self.sum += n\n        if self.sum == 77:\n"
                   "            return 1\n        return 0\n")["Account"]  # fmt: skip
    assert zeroin.cover(account, QUICK).count(zeroin.COVERED) == 2


def test_a_second_definition_counts(cell: Cell) -> None:
    cell("def f(x: int) -> int:\n    return 1 if x > 3 else 0\n")
    f = cell("def f(x: int) -> int:\n    return 1 if x > 3 and x < 9 else 0\n")["f"]
    assert len(zeroin.cover(f, QUICK).branches) == 4


def test_a_variable_that_can_not_be_written_down_is_named(cell: Cell) -> None:
    f = cell("STREAM = iter([])\ndef g():\n    return STREAM\n\ndef f(x: int):\n    return g() if x else 0\n")["f"]
    with pytest.raises(
        TargetError, match="f -> g: uses the global variable STREAM, a list_iterator, whose value can not"
    ):
        zeroin.cover(f, QUICK)


def test_a_function_of_a_module_is_named_by_its_place() -> None:
    assert place_of(statistics.NormalDist) == f"{statistics.__file__}:NormalDist"
    assert place_of(zeroin.Options) == "zeroin.config:Options"
    assert place_of(place_of) == "zeroin.notebook:place_of"


def test_functions_of_a_file_are_taken_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gears.py").write_text("def ratio(n: int) -> int:\n    return 1 if n == 12345 else 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    import gears  # type: ignore[import-not-found]

    suite = zeroin.cover(gears.ratio, QUICK)
    assert suite.target.path == tmp_path / "gears.py"
    assert suite.count(zeroin.COVERED) == 2
    del sys.modules["gears"]


@pytest.mark.parametrize(
    ("live", "why"),
    [
        (math.sin, "give a function or class that is written in Python"),
        (lambda x: x > 1, "is a lambda"),
        ([].append, "give a function or class"),
        (Path().exists, "is a bound method"),
    ],
    ids=["builtin", "lambda", "method of a list", "bound method"],
)
def test_what_is_no_target_says_what_to_do(live: Callable[..., Any], why: str) -> None:
    with pytest.raises(TargetError, match=why):
        zeroin.cover(live, QUICK)


def test_a_local_function_says_what_to_do() -> None:
    def inner(x: int) -> bool:
        return x > 1

    with pytest.raises(TargetError, match="defined inside of test_a_local_function_says_what_to_do"):
        zeroin.cover(inner, QUICK)


def test_a_function_without_a_source_says_so(cell: Cell) -> None:
    f = cell("def f(x: int) -> bool:\n    return x > 1\n")["f"]
    del linecache.cache[f.__code__.co_filename]
    with pytest.raises(ZeroinError, match="f: its source is not known; put it into a file"):
        zeroin.cover(f, QUICK)


def test_texts_still_name_targets(tmp_path: Path) -> None:
    (tmp_path / "m.c").write_text("int f(int n)\n{\n    return n > 3 ? 1 : 0;\n}\n")
    suite = zeroin.cover(f"{tmp_path}/m.c:f", QUICK)
    assert suite.samples is None
    assert "int f(int n)" in suite._repr_html_()
