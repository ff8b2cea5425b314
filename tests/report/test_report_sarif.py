"""The SARIF report: what 2.1.0 asks of a log, and that results stand where the source has them."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest

from zeroin import Suite
from zeroin.config import FAULTS
from zeroin.report.sarif import SarifReport, as_sarif
from zeroin.subject.base import Termination
from zeroin.subject.language import Skipped
from zeroin.suite.suite import Finding

Suites = dict[str, list[Suite]]
_LEVELS = {"none", "note", "warning", "error"}


def check(log: dict[str, Any]) -> list[dict[str, Any]]:
    """The rules of the schema that a log of ours can break; its results."""
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "zeroin"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    assert all(rule["shortDescription"]["text"] and rule["defaultConfiguration"]["level"] in _LEVELS
               for rule in driver["rules"])  # fmt: skip
    assert all(isinstance(one["executionSuccessful"], bool) for one in run["invocations"])
    for note in run["invocations"][0]["toolExecutionNotifications"]:
        assert note["level"] in _LEVELS
        assert note["message"]["text"]
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in _LEVELS
        assert result["message"]["text"]
        assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
        for location in result["locations"]:
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            assert re.fullmatch(r"(file:///)?[\w.~%/()-]+", uri)
            region = location["physicalLocation"].get("region", {"startLine": 1})
            assert all(type(value) is int and value >= 1 for value in region.values())
            assert set(region) <= {"startLine", "startColumn"}
            assert location["logicalLocations"][0]["fullyQualifiedName"]
        assert all(one["kind"] in ("inSource", "external") for one in result.get("suppressions", []))
    prints = [result["partialFingerprints"]["zeroin/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)
    return list(run["results"])


def test_each_language_makes_a_valid_log(covered: Suites) -> None:
    suites = [suite for of_one in covered.values() for suite in of_one]
    results = check(json.loads(SarifReport().text(suites, [Skipped("m:fetch", "a coroutine")])))
    assert [result["level"] for result in results] == ["error"] * len(suites)
    assert {result["ruleId"] for result in results} == {"crash", "exception"}
    assert check(as_sarif([])) == []


def test_branches_without_an_input_stand_at_their_conditions(covered: Suites) -> None:
    for language, line in (("c", 3), ("python", 2)):
        suite = dataclasses.replace(covered[language][0], inputs=[], findings=[])
        results = check(as_sarif([suite]))
        assert [one["properties"] for one in results] == [
            {"branch": "0T", "verdict": "undecided"}, {"branch": "0F", "verdict": "undecided"}
        ]  # fmt: skip
        assert {one["ruleId"] for one in results} == {"undecided-branch"}
        assert all(one["locations"][0]["physicalLocation"]["region"]["startLine"] == line for one in results)
        text = suite.target.path.read_text().splitlines()[line - 1]
        column = results[0]["locations"][0]["physicalLocation"]["region"]["startColumn"]
        assert text[column - 1 :].startswith(("x > 2.5", "> 2.5"))
        assert results[0]["message"]["text"].startswith("x > 2.5 true: undecided: no ")


def test_a_fault_of_an_operation_stands_where_it_is_and_allowed_ones_are_suppressed(covered: Suites) -> None:
    suite = covered["c"][0]
    site = dataclasses.replace(suite.branches[0].site, form="overflow", condition="x * x", line=5, column=12)
    fault = dataclasses.replace(suite.branches[0], site=site, label="overflow")
    words = suite.inputs[0].words
    findings = [Finding("overflow", words, "line 5: 1e300 * 1e300 = inf", None, (fault,)),
                Finding(Termination.SEGV.finding, words, Termination.SEGV.message, 0, allowed=True)]  # fmt: skip
    one, two = check(as_sarif([dataclasses.replace(suite, findings=findings)]))
    assert one["locations"][0]["physicalLocation"]["region"] == {"startLine": 5, "startColumn": 12}
    assert "suppressions" not in one
    assert two["suppressions"] == [{"kind": "external", "justification": "allow-findings"}]


def test_fingerprints_stay_when_lines_are_moved(covered: Suites) -> None:
    suite = dataclasses.replace(covered["python"][0], inputs=[])

    def moved(suite: Suite) -> Suite:
        branches = [dataclasses.replace(one, site=dataclasses.replace(one.site, line=one.site.line + 7))
                    for one in suite.branches]  # fmt: skip
        return dataclasses.replace(suite, branches=branches)

    def prints(suite: Suite) -> list[str]:
        return [one["partialFingerprints"]["zeroin/v1"] for one in check(as_sarif([suite]))]

    assert prints(suite) == prints(moved(suite))


def test_files_are_named_from_the_current_folder(
    covered: Suites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = covered["python"][0]

    def uri() -> str:
        return str(check(as_sarif([suite]))[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])

    monkeypatch.chdir(suite.target.path.parent)
    assert uri() == "sign.py"
    monkeypatch.chdir(tmp_path)
    assert uri() == suite.target.path.resolve().as_uri()


def test_each_kind_of_finding_has_a_rule() -> None:
    rules = {rule["id"] for rule in as_sarif([])["runs"][0]["tool"]["driver"]["rules"]}
    assert {outcome.finding for outcome in Termination if outcome is not Termination.RETURNED} | set(FAULTS) <= rules
