"""What every judge has to keep to, and a dummy that is one more file and one more line."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from suites import changed
from zeroin import Suite
from zeroin.cli.main import main
from zeroin.errors import MissingDependency
from zeroin.languages.c.measure.gcov import Gcov
from zeroin.languages.plugins import JUDGES
from zeroin.measure import Judge, Measured, of

Suites = dict[str, list[Suite]]
Plug = Callable[[dict[str, Any], str, str], None]

GCC = shutil.which("gcc") is not None and shutil.which("gcov") is not None
DUMMY = """
from dataclasses import dataclass
from zeroin.languages.python.measure.coverage import CoveragePy

@dataclass
class Counted:
    branches: tuple[int, int]
    failed: int

    def __str__(self):
        return f"dummy: {self.branches[0]} of {self.branches[1]}"

class Counting:
    languages = ("python",)

    def measure(self, suite):
        found = CoveragePy().measure(suite)
        return Counted(found.branches, found.failed)
"""


@pytest.fixture(params=[*JUDGES, "dummy"])
def judge(request: pytest.FixtureRequest, plug: Plug) -> Judge:
    plug(JUDGES, "dummy_judge:Counting", DUMMY)
    return JUDGES[request.param]()


def measured(judge: Judge, suites: list[Suite]) -> list[Measured]:
    """What it says of the suites; nothing without its tool, and the error has said in one line what to install."""
    if isinstance(judge, Gcov) and not GCC:
        with pytest.raises(MissingDependency, match=r"^measuring with gcov .*: install gcc$"):
            judge.measure(suites[0])
        return []
    return [judge.measure(suite) for suite in suites]


def samples(judge: Judge, covered: Suites) -> list[Suite]:
    return [suite for language in judge.languages for suite in covered[language]]


def test_a_covered_function_is_covered(judge: Judge, covered: Suites) -> None:
    for report in measured(judge, samples(judge, covered)):
        assert report.branches == (2, 2)
        assert report.failed == 0
        assert of(report.branches) in str(report)
        assert "\n" not in str(report)


def test_what_is_not_run_is_not_covered(judge: Judge, covered: Suites) -> None:
    few = [dataclasses.replace(suite, inputs=suite.inputs[:1]) for suite in samples(judge, covered)]
    none = [dataclasses.replace(suite, inputs=[]) for suite in samples(judge, covered)]
    assert {report.branches for report in measured(judge, few)} <= {(1, 2)}
    assert {(report.branches, report.failed) for report in measured(judge, none)} <= {((0, 2), 0)}


def test_a_function_that_returns_something_else_fails(judge: Judge, covered: Suites) -> None:
    for suite in samples(judge, covered):
        with changed(suite):
            assert {report.failed for report in measured(judge, [suite])} <= {1}


def test_the_command_line_knows_a_new_judge(
    covered: Suites, plug: Plug, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new file and a line more are enough."""
    plug(JUDGES, "dummy_judge:Counting", DUMMY)
    (python,), (llvm,), c = covered["python"], covered["llvm"], covered["c"][0]

    def run(suite: Suite, name: str) -> tuple[int, str, str]:
        status = main(["cover", suite.target.text, "--evals", "2000", "--emit", "none", "--quiet", "--measure", name])
        return (status, *capsys.readouterr())

    status, out, _ = run(python, "dummy")
    assert (status, out.splitlines()[-1:]) == (1, ["dummy: 2 of 2"])
    assert run(c, "dummy") == (2, "", f"zeroin: --measure dummy: {c.target.text} needs --measure gcov\n")
    assert run(llvm, "gcov") == (
        2,
        "",
        f"zeroin: --measure gcov: {llvm.target.text} is llvm, which --measure does not support\n",
    )
    assert main(["cover", c.target.text, "--measure", "ada"]) == 2
    assert "'gcov', 'coverage', 'dummy'" in capsys.readouterr().err
