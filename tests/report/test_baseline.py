"""Comparison with an earlier report: what is better, what is worse, and what is only somewhere else."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from zeroin import Suite
from zeroin.errors import OptionError
from zeroin.report.baseline import Baseline
from zeroin.report.json import as_json
from zeroin.subject.language import Skipped
from zeroin.suite.suite import Finding

Suites = dict[str, list[Suite]]


@pytest.fixture
def suite(covered: Suites) -> Suite:
    """With 2 branches, both covered, and a finding."""
    return covered["python"][0]


def without(suite: Suite, *outcomes: int) -> Suite:
    """The suite with nothing that takes these outcomes."""
    left = [one for one in suite.inputs if not one.covered & set(outcomes)]
    return dataclasses.replace(suite, inputs=left)


def baseline(folder: Path, *suites: Suite) -> Baseline:
    (folder / "old.json").write_text(json.dumps(as_json(suites)))
    return Baseline.read(folder / "old.json")


def changed(suite: Suite, **fields: Any) -> Suite:
    """The sites with other fields."""
    branches = [dataclasses.replace(one, site=dataclasses.replace(one.site, **fields)) for one in suite.branches]
    return dataclasses.replace(suite, branches=branches)


def test_the_same_is_neither_better_nor_worse(suite: Suite, tmp_path: Path) -> None:
    found = baseline(tmp_path, suite).compared([suite], [])
    assert not found.is_worse
    assert found.text() == (
        f"Compared with {tmp_path}/old.json: 0 branches newly covered, 0 lost; 0 findings new, 0 gone."
    )


def test_lost_and_newly_covered_branches(suite: Suite, tmp_path: Path) -> None:
    less = without(suite, 0)
    assert less.count("undecided") == 1
    worse = baseline(tmp_path, suite).compared([less], [])
    assert worse.is_worse
    assert worse.lost == [f"{suite.target.text}  line 2: x > 2.5 true"]
    better = baseline(tmp_path, less).compared([suite], [])
    assert (better.is_worse, better.covered) == (False, worse.lost)
    assert "1 branch newly covered, 0 lost" in better.text()
    assert "  covered  " in better.text()
    assert "  covered  " not in better.text(brief=True)


def test_moved_lines_are_the_same_branches_and_others_are_not(suite: Suite, tmp_path: Path) -> None:
    old = baseline(tmp_path, suite)
    assert old.compared([without(changed(suite, line=40), 0)], []).lost == [
        f"{suite.target.text}  line 40: x > 2.5 true"
    ]  # fmt: skip
    another = old.compared([without(changed(suite, condition="x > 3"), 0)], [])
    assert (another.lost, another.covered) == ([], [])


def test_of_branches_that_are_alike_each_is_one(suite: Suite, tmp_path: Path) -> None:
    twice = dataclasses.replace(suite, branches=[*suite.branches, *(
        dataclasses.replace(one, outcome=one.outcome + 20, site=dataclasses.replace(one.site, line=9))
        for one in suite.branches
    )])  # fmt: skip
    full = dataclasses.replace(twice, inputs=[
        dataclasses.replace(one, covered=one.covered | {outcome + 20 for outcome in one.covered})
        for one in suite.inputs
    ])  # fmt: skip
    assert baseline(tmp_path, full).compared([twice], []).lost == [
        f"{suite.target.text}  line 9: x > 2.5 {outcome}" for outcome in ("true", "false")
    ]


@pytest.mark.parametrize(
    ("kind", "message", "is_new"),
    [
        ("exception", "raised: ValueError: bad value 3.5 in 'x'", False),
        ("exception", "raised: ValueError: bad value -1e-300 in 'long text'", False),
        ("exception", 'raised: ValueError: bad value nan in "q"', False),
        ("exception", "raised: TypeError: bad value 3.5 in 'x'", True),
        ("exception", "raised: ValueError: bad sign of 3.5 in 'x'", True),
        ("crash", "raised: ValueError: bad value 3.5 in 'x'", True),
    ],
)
def test_a_finding_is_known_whatever_the_input(
    kind: str, message: str, is_new: bool, suite: Suite, tmp_path: Path
) -> None:
    words = suite.inputs[0].words
    old = dataclasses.replace(
        suite, findings=[Finding("exception", words, "raised: ValueError: bad value 7 in 'y'", 0)]
    )
    now = dataclasses.replace(suite, findings=[Finding(kind, words, message, 0)])
    found = baseline(tmp_path, old).compared([now], [])
    assert (len(found.new), len(found.gone)) == (is_new, is_new)
    allowed = dataclasses.replace(now, findings=[dataclasses.replace(now.findings[0], allowed=True)])
    assert not baseline(tmp_path, old).compared([allowed], []).is_worse


def test_targets_that_are_new_skipped_or_not_asked_for(covered: Suites, tmp_path: Path) -> None:
    c, python = covered["c"][0], covered["python"][0]
    old = baseline(tmp_path, c)
    new = old.compared([python], [])
    assert (new.lost, len(new.new)) == ([], 1)
    assert new.remarks == [f"{old.name} has targets that this run does not: {c.target.text}"]
    skipped = old.compared([], [Skipped(str(c.target.path), "does not compile")])
    assert skipped.lost == [f"{c.target.text}  its 2 decided branches: does not compile"]
    assert skipped.remarks == []


@pytest.mark.parametrize(
    ("text", "why"),
    [("{", "Expecting"), ("[]", "list indices"), ("{}", "it has no 'schema'"), ('{"schema": 2}', "its schema is 2"),
     ('{"schema": 1}', "it has no 'targets'"), ('{"schema": 1, "targets": [{"target": "f"}]}', "it has no 'branches'"),
     ('{"schema": 1, "targets": [3]}', "is not a report of zeroin")],
)  # fmt: skip
def test_what_is_no_report_is_refused(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(text)
    with pytest.raises(OptionError, match=why) as caught:
        Baseline.read(tmp_path / "old.json")
    assert str(caught.value).endswith("make one with --json")
    with pytest.raises(OptionError, match="can not be read"):
        Baseline.read(tmp_path / "none.json")
