"""A function with probes does what the plain function does: results, exceptions, order of evaluation, variables."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from languages.python.instrumented import LOG, Instrumented, import_file, run
from sampling import examples

HERE = Path(__file__).parent
SAMPLES = HERE.parents[1] / "subjects" / "python"
SAMPLE = SAMPLES / "behaviour.py"
PLAIN = import_file(SAMPLE, "zeroin_behaviour_plain")
PROBED = import_file(SAMPLE, "zeroin_behaviour_probed")
INSTRUMENTED = Instrumented(PROBED)
WRITING = import_file(SAMPLE, "zeroin_behaviour_writing")  # writes its variables down, too
WRITTEN = Instrumented(WRITING, ahead=True)
CHECKING = import_file(SAMPLE, "zeroin_behaviour_checking")  # checks its operations for faults
CHECKED = Instrumented(CHECKING, faults=True)

# Values are made anew for each of the two modules, as calls may change them, and some are of a class of the module.
Make = Callable[[ModuleType], Any]


def fixed(*values: Any) -> list[Make]:
    return [partial(_given, value) for value in values]


def _given(value: Any, module: ModuleType) -> Any:
    return value


MAKERS: list[Make] = [
    *fixed(0, 1, 2, 3, 5, -3, True, False, None, 2**53, 2**53 + 1, 2.0**53, 10**30, -(10**30), 0.0, -0.0, 1.5),
    *fixed(float("nan"), float("inf"), 1e300, "", "a", "ab", "abc", "1", b"a", (), (1, 2), (1, 2, 3), range(3), 1j),
    *fixed(Fraction(1, 3), Decimal("1.5"), Decimal("nan"), np.float64(1.5), np.int32(3), np.bool_(True), np.str_("ab")),
    *fixed(frozenset({1}), {1: 2}, {"x": 1, "y": 2}, object, Ellipsis, 3.141592653589793),
    lambda module: [],
    lambda module: [1],
    lambda module: [1, 2, 1],
    lambda module: [2, [3], "a"],
    lambda module: {1, 2},
    lambda module: np.array([1.0, 2.0]),
    lambda module: np.array([1.0]),
    lambda module: np.zeros(0),
    lambda module: iter([1, 2]),
    lambda module: module.Point(0, 2),
    lambda module: module.Point(1, 3),
    lambda module: module.Point("a", 0),
    lambda module: module.Vague(True),
    lambda module: module.Vague(False),
    lambda module: module.Vague(None),
    lambda module: module.Answer("given", None),
]


def snapshot(did: Any) -> Any:
    """Addresses of objects differ."""

    def cleaned(text: Any) -> str:
        return re.sub(r"0x[0-9a-f]+|zeroin_behaviour_\w+", "@", str(text))

    return cleaned(did.result), did.same, tuple(map(cleaned, did.error)), did.frames, tuple(map(cleaned, did.log))


def both(name: str, x: Make, y: Make, *modules: ModuleType) -> list[Any]:
    """What the plain and the instrumented function do, or those of other modules."""
    did = []
    for module in modules or (PLAIN, PROBED):
        with np.errstate(all="ignore"):
            did.append(snapshot(run(getattr(module, name), str(SAMPLE), x(module), y(module), LOG)))
    return did


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PLAIN.FUNCTIONS)
@examples(100)
@given(x=st.sampled_from(MAKERS), y=st.sampled_from(MAKERS))
def test_probes_change_nothing(name: str, x: Make, y: Make) -> None:
    plain, probed, writing, checking = both(name, x, y, PLAIN, PROBED, WRITING, CHECKING)
    assert probed == plain
    assert writing == plain
    assert checking == plain


def test_many_operations_are_checked() -> None:
    assert len(CHECKED.sites) > len(INSTRUMENTED.sites) + 40


def test_most_functions_write_variables_down() -> None:
    assert sum(map(len, WRITTEN.written.names.values())) > 200


def test_every_function_has_probes_and_they_see_both_outcomes_of_nearly_all() -> None:
    """The comparison above would say little if it ran plain code twice, or always the same way."""
    tree = ast.parse(SAMPLE.read_text())
    scopes: list[ast.Module | ast.ClassDef] = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    assert INSTRUMENTED.count == sum(isinstance(node, ast.FunctionDef) for scope in scopes for node in scope.body)
    INSTRUMENTED.tracer.clear()
    for name in PLAIN.FUNCTIONS:
        for x in MAKERS[::2]:
            for y in MAKERS[1::5]:
                both(name, x, y)
    outcomes = 2 * len(INSTRUMENTED.sites)
    assert outcomes > 300
    assert len(INSTRUMENTED.tracer.covered()) > 0.85 * outcomes


@pytest.mark.parametrize(
    "more", [[], ["ahead"], ["faults"]], ids=["probes", "variables written down", "checks for faults"]
)
def test_the_standard_library_does_the_same(tmp_path: Path, more: list[str]) -> None:
    command = [sys.executable, "-W", "ignore", str(SAMPLES / "library.py"), str(HERE), str(tmp_path), *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    calls, functions, sites, covered = map(int, lines[-1].split())
    assert lines[:-1] == []
    assert (calls, functions, sites) > (130, 190, 650)
    assert covered > (sites if "faults" not in more else sites // 2)
