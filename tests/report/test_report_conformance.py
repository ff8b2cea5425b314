"""What every report has to keep to, and a dummy that is one more file and one more line."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from zeroin import Suite
from zeroin.cli.main import build_parser, main
from zeroin.report import REPORTS, Report
from zeroin.subject.language import Skipped
from zeroin.suite.suite import UNDECIDED, Finding

Suites = dict[str, list[Suite]]
Plug = Callable[[dict[str, Any], str, str], None]

DUMMY = """
class Csv:
    suffix = ".csv"

    def text(self, suites, skipped=()):
        lines = ["function,condition,outcome,verdict,input or reason"]
        for suite in suites:
            for v in suite.verdicts:
                why = v.why if v.input is None else v.input
                lines.append(f"{suite.target.function},{v.branch.site.condition},{v.branch.label},{v.verdict},{why}")
            lines += [f"{suite.target.function},,,{finding.kind},{finding.message}" for finding in suite.findings]
        lines += [f"{text},,,skipped,{why}" for text, why in skipped]
        return "\\n".join(lines) + "\\n"
"""


@pytest.fixture(params=[*REPORTS, "dummy"])
def report(request: pytest.FixtureRequest, plug: Plug) -> Report:
    plug(REPORTS, "dummy_report:Csv", DUMMY)
    return REPORTS[request.param]()


@pytest.fixture
def suites(covered: Suites) -> list[Suite]:
    """Of all languages; of every other one, no input is known."""
    all_suites = [suite for of_one in covered.values() for suite in of_one]
    return [dataclasses.replace(suite, inputs=[]) if n % 2 else suite for n, suite in enumerate(all_suites)]


def written(report: Report, suites: list[Suite], skipped: Sequence[Skipped] = ()) -> str:
    """The report, in which XML's way of writing characters is undone."""
    text = report.text(suites, skipped)
    return html.unescape(text) if report.suffix == ".xml" else text


def core(finding: Finding) -> str:
    """The message without its line, which some reports write in front of it."""
    return finding.message.removeprefix("raised: ").removeprefix(f"line {finding.line}: ")


def test_undecided_branches_and_findings_are_named(report: Report, suites: list[Suite]) -> None:
    for suite in suites:
        text = written(report, [suite])
        undecided = [verdict for verdict in suite.verdicts if verdict.verdict == UNDECIDED]
        assert len(undecided) == (0 if suite.inputs else 2)
        assert all(verdict.why in text and verdict.branch.site.condition in text for verdict in undecided)
        assert text.count(f"{UNDECIDED} (") + text.count(f'"{UNDECIDED}"') + text.count(f",{UNDECIDED},") == len(
            undecided
        )
        assert all(finding.kind in text and core(finding) in text for finding in suite.findings)
        assert suite.target.function in text


def test_what_was_skipped_is_named_with_its_reason(report: Report, suites: list[Suite]) -> None:
    text = written(report, suites[:1], [Skipped("m:fetch", "a coroutine"), Skipped("m:rows", "a generator")])
    assert all(what in text for what in ("m:fetch", "a coroutine", "m:rows", "a generator"))


def test_same_suites_same_text(report: Report, suites: list[Suite]) -> None:
    assert report.text(suites) == report.text(list(suites))


def test_is_a_whole_file(report: Report, suites: list[Suite]) -> None:
    assert report.suffix.startswith(".")
    for some in (suites, suites[:1], []):
        assert report.text(some).endswith("\n")
    both = written(report, suites[:2])
    assert all(core(finding) in both for suite in suites[:2] for finding in suite.findings)


def test_the_command_line_knows_a_new_report(
    covered: Suites, plug: Plug, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new file and a line more are enough."""
    plug(REPORTS, "dummy_report:Csv", DUMMY)
    target = covered["c"][0].target.text
    common = ["cover", target, "--evals", "2000", "--seed", "0", "--out", str(tmp_path)]
    assert main([*common, "--emit", "dummy", "--dummy", str(tmp_path / "all.csv")]) == 1
    out, _ = capsys.readouterr()
    assert out.splitlines()[-1:] == [f"Report written to {tmp_path}/test_sign_sign.csv"]
    assert (tmp_path / "all.csv").read_text() == (tmp_path / "test_sign_sign.csv").read_text()
    assert main([*common, "--emit", "none", "--dummy", "-"]) == 1
    out, err = capsys.readouterr()
    assert out == (tmp_path / "all.csv").read_text()
    assert "branches: 2 covered" in err
    assert main([*common, "--dummy", "/nowhere/all.csv"]) == 2
    assert "zeroin: --dummy /nowhere/all.csv: can not be written to" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        build_parser().parse_args(["cover", "--help"])
    assert "write the report as DUMMY to FILE, - for stdout" in capsys.readouterr().out
