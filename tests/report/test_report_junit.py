"""The JUnit report: XML that a server reads, with the right numbers, whatever the texts are."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from xml.etree import ElementTree as XML

import pytest

from zeroin import Suite
from zeroin.report.junit import JunitReport
from zeroin.subject.language import Skipped
from zeroin.suite.suite import Finding

Suites = dict[str, list[Suite]]


def read(suites: list[Suite], skipped: list[Skipped] | None = None) -> XML.Element:
    """The report, in which all numbers are what is there."""
    root = XML.fromstring(JunitReport().text(suites, skipped or []))
    assert root.tag == "testsuites"
    for own in [root, *root.findall("testsuite")]:
        assert int(own.attrib["tests"]) == len(own.findall(".//testcase")) > 0
        assert int(own.attrib["failures"]) == len(own.findall(".//failure"))
        assert int(own.attrib["skipped"]) == len(own.findall(".//skipped"))
    assert all(case.get("name") and case.get("classname") for case in root.iter("testcase"))
    return root


def test_branches_are_cases_and_findings_failures(covered: Suites) -> None:
    suite = covered["c"][0]
    root = read([suite], [Skipped("m:fetch", "a coroutine")])
    own, skipped = root.findall("testsuite")
    names = [case.attrib["name"] for case in own.findall("testcase")]
    assert names[:2] == ["0T: line 3: x > 2.5 true", "0F: line 3: x > 2.5 false"]
    assert names[2].startswith("crash: sign(")
    assert [len(case) for case in own.findall("testcase")] == [0, 0, 1]
    (failure,) = root.iter("failure")
    assert (failure.attrib["type"], failure.attrib["message"]) == ("crash", suite.findings[0].message)
    assert skipped.find("testcase/skipped") is not None
    assert (root.attrib["tests"], root.attrib["failures"], root.attrib["skipped"]) == ("4", "1", "1")


def test_what_is_undecided_or_allowed_is_skipped(covered: Suites) -> None:
    suite = covered["python"][0]
    allowed = [dataclasses.replace(one, allowed=True) for one in suite.findings]
    root = read([dataclasses.replace(suite, inputs=[], findings=allowed)])
    assert [one.attrib["message"].split(" (")[0].split(":")[0] for one in root.iter("skipped")] == [
        "undecided", "undecided", "allowed"
    ]  # fmt: skip
    assert root.attrib["failures"] == "0"


def test_without_branches_there_is_one_case(covered: Suites) -> None:
    suite = dataclasses.replace(covered["c"][0], branches=[], findings=[], notes=["a note"])
    (own,) = read([suite]).findall("testsuite")
    assert [case.attrib["name"] for case in own.findall("testcase")] == ["no branches"]
    assert own.findtext("system-out") == "a note"


@pytest.mark.parametrize(
    "text", ["a < b && \"c\" > 'd'", "\x00\x1b[31m", "\ud800 lone", "]]>", "\u20ac\U0001f600", "\ufffe"]
)
def test_any_text_can_be_in_it(text: str, covered: Suites) -> None:
    suite = covered["c"][0]
    finding = Finding("crash", suite.inputs[0].words, text, 0)
    root = read([dataclasses.replace(suite, findings=[finding], notes=[text])], [Skipped(text, text)])
    (failure,) = root.iter("failure")
    shown = failure.attrib["message"]
    assert shown == text or all(ord(c) < 128 for c in shown)


def test_files_are_named_from_the_current_folder(
    covered: dict[str, list[Suite]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (suite,) = covered["python"]
    monkeypatch.chdir(suite.target.path.parent)
    root = XML.fromstring(JunitReport().text([suite]))
    assert {case.attrib["file"] for case in root.iter("testcase")} == {"sign.py"}
    (failure,) = root.iter("failure")
    assert (failure.text or "").startswith("sign.py:4: sign(")
    monkeypatch.chdir(Path(__file__).parent)
    root = XML.fromstring(JunitReport().text([suite]))
    assert {case.attrib["file"] for case in root.iter("testcase")} == {str(suite.target.path)}
