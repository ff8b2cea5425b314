"""The report as text: nothing stands there twice, and several targets share their findings."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from zeroin.config import Budget, Options
from zeroin.generate.stopped import Stopped
from zeroin.report.summary import line_of
from zeroin.report.text import TextReport
from zeroin.suite.suite import Suite
from zeroin.worker.parent import cover

SHARED = (
    "def ratio(a: int, b: int) -> float:\n    return a / b\n\n"
    "def f(x: int) -> float:\n    return ratio(1, x) if x < 5 else 0.0\n\n"
    "def g(x: int) -> float:\n    return ratio(2, x) if x < 7 else 0.0\n"
)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> list[Suite]:
    path = tmp_path_factory.mktemp("shared") / "m.py"
    path.write_text(SHARED)
    return [cover(f"{path}:{name}", Options(budget=Budget(2000))) for name in "fg"]


def test_an_input_stands_at_its_finding_alone(both: list[Suite]) -> None:
    suite = both[0]
    text = TextReport().text([suite])
    (finding,) = suite.findings
    number = suite.number_of(finding)
    assert f"exception  m.py:2: #{number} f(0) raises ZeroDivisionError: division by zero\n" in text
    assert f"  #{number} " not in text
    assert text.count("f(0)") == 1


def test_findings_of_one_cause_are_one_line_for_several_targets(both: list[Suite]) -> None:
    text = TextReport().text(both)
    assert [line for line in text.splitlines() if line.startswith("exception")] == [
        "exception  m.py:2: f(0) raises ZeroDivisionError: division by zero (also of g)"
    ]
    assert text.startswith(f"{line_of(both[0])}\n{line_of(both[1])}\n\n")
    assert text.endswith(
        "\n2 functions: 2 complete, 0 incomplete, 2 findings.\n4 branches: 4 covered, 0 undecided.\n"
    )  # fmt: skip


def test_a_quiet_line_names_kinds_and_lines(both: list[Suite]) -> None:
    suite = both[0]
    assert line_of(suite, with_kinds=True) == f"{line_of(suite)}: exception m.py:2"
    allowed = dataclasses.replace(suite, findings=[dataclasses.replace(suite.findings[0], allowed=True)])
    assert line_of(allowed, with_kinds=True).endswith(", 1 finding (1 allowed)")


@pytest.mark.parametrize(
    ("reason", "helps"),
    [(Stopped.TIME, "--budget"), (Stopped.EVALUATIONS, "--evals"), (Stopped.INTERRUPTED, "--resume")],
)
def test_undecided_branches_have_a_place_and_what_would_help(both: list[Suite], reason: Stopped, helps: str) -> None:
    kept = dataclasses.replace(both[0].options, found=Path("zeroin-out/.found"))
    open_ = [dataclasses.replace(suite, inputs=[], findings=[], stopped=reason, options=kept) for suite in both]
    whole = TextReport().text(open_[:1])
    assert whole.splitlines()[-1].startswith("2 branches undecided: ")
    assert helps in whole.splitlines()[-1]
    text = TextReport().text(open_)
    assert "m.py:5: x < 5 true, of f: no input found in " in text
    assert "m.py:8: x < 7 false, of g: no input found in " in text
    assert text.splitlines()[-1].startswith("4 branches of f, g undecided: ")
    assert helps not in TextReport().text(both)


def test_many_undecided_branches_are_counted(tmp_path: Path) -> None:
    lines = "".join(f"    if x == {n}:\n        return {n}\n" for n in range(14))
    (tmp_path / "m.py").write_text(f"def f(x: int) -> int:\n{lines}    return -1\n")
    suite = cover(f"{tmp_path / 'm.py'}:f", Options(budget=Budget(2000)))
    open_ = dataclasses.replace(suite, inputs=[])
    text = TextReport().text([open_, suite])
    assert text.count(", of f: no input found in ") == 20
    assert "and 8 more undecided; --json FILE has all of them\n" in text


def test_how_it_was_searched_is_for_those_who_ask(both: list[Suite]) -> None:
    noted = dataclasses.replace(both[0], notes=["explored: 3 runs, 1 decisions flipped", "guessed"])
    for verbose in (False, True):
        text = TextReport(verbose=verbose).text([noted])
        assert ("Searched by" in text, "Engine: " in text, "explored" in text) == (verbose,) * 3
        assert "note: guessed\n" in text


def test_findings_of_many_targets_take_forty_lines(tmp_path: Path) -> None:
    names = [f"f{n}" for n in range(50)]
    (tmp_path / "m.py").write_text("".join(f"def {n}(x: int) -> int:\n    return 1 // x\n" for n in names))
    one = cover(f"{tmp_path / 'm.py'}:f0", Options(budget=Budget(500)))
    (finding,) = one.findings

    def suite(number: int, message: str) -> Suite:
        target = dataclasses.replace(one.target, text=f"m.py:{names[number]}", function=names[number])
        its = dataclasses.replace(finding, line=2 * number + 2, message=message)
        return dataclasses.replace(one, target=target, findings=[its])

    text = TextReport().text([suite(n, finding.message) for n in range(50)])
    (line,) = (line for line in text.splitlines() if line.startswith("exception"))
    assert line == (
        "exception  m.py:2: f0(0) raises ZeroDivisionError: integer division or modulo by zero"
        " (49 more inputs; 49 more places; also of f1, f2, f3 and 46 more)"
    )
    several = TextReport().text([suite(n, f"raised: ValueError: {n}") for n in range(50)])
    lines = [line for line in several.splitlines() if line.startswith(("exception", "and "))]
    assert len(lines) == 40
    assert lines[-1] == "and 11 more findings; --json FILE has all of them"
    few = TextReport().text([suite(n, finding.message) for n in range(40)])
    assert few.count("\nexception  ") == 40


def test_an_editor_reads_the_findings(both: list[Suite]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "editors.md").read_text()
    (block,) = re.findall(r"^```json\n(.*?)^```", page, re.M | re.S)
    (task,) = json.loads(block)["tasks"]
    pattern = task["problemMatcher"]["pattern"]
    for text in (TextReport().text(both), TextReport().text(both[:1])):
        (found,) = (match for line in text.splitlines() if (match := re.match(pattern["regexp"], line)))
        assert [found[pattern[name]] for name in ("code", "file", "line")] == ["exception", "m.py", "2"]
        assert "f(0) raises ZeroDivisionError: division by zero" in found[pattern["message"]]


def test_to_resume_is_no_help_where_nothing_was_kept(both: list[Suite]) -> None:
    open_ = dataclasses.replace(both[0], inputs=[], findings=[], stopped=Stopped.INTERRUPTED)
    assert TextReport().text([open_]).splitlines()[-1] == "2 branches undecided: it was interrupted."


def test_branches_that_say_themselves_why_they_are_undecided_need_no_help(both: list[Suite]) -> None:
    open_ = dataclasses.replace(both[0], inputs=[], findings=[], stopped=Stopped.UNDEFINED)
    assert "undecided: every" not in TextReport().text([open_])
