"""bench/packages_python: which functions there are, and what the page says of them."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from bench.packages_python.functions import _UNREACHABLE, PACKAGES, entries
from bench.packages_python.run import Row, main, page

from zeroin.languages.python.measure.coverage import CoverageReport

ROW = Row(
    next(one for one in entries() if one.name == "midnight"),
    CoverageReport((9, 10), (11, 14), ["line 489 -> line 490", "line 496 -> line 497", "line 7 -> exit"], 0),
    0, 2.0, 30_000.0, 5e-6,
)  # fmt: skip


def test_sixty_functions_of_twelve_packages() -> None:
    every = list(entries())
    assert len({one.target for one in every}) == 60
    assert {one.package for one in every} == {name.lower() for name in PACKAGES}
    assert {*_UNREACHABLE} <= {one.target for one in every}
    assert all(re.fullmatch(r"\d+ -> (\d+|exit)", jump) for jumps in _UNREACHABLE.values() for jump in jumps)


def test_branches_that_no_input_takes_do_not_count() -> None:
    assert ROW.missing == ["7 -> exit"]
    assert (ROW.reachable, ROW.wrong) == (12, 0)
    assert "| astral | 1 | 0 | 12 | 11 | 91.7 % |" in page([ROW], ["bench"])
    assert "30,000 in the median" in page([ROW], ["bench"])
    assert page([ROW], ["bench"], typed=True).startswith("# Functions of real Python packages, with the types given")


def test_one_that_is_taken_all_the_same_is_told() -> None:
    report = CoverageReport((9, 10), (13, 14), ["line 496 -> line 497"], 0)
    wrong = replace(ROW, report=report)
    assert wrong.wrong == 1
    assert "1 branches are taken that no input should take" in page([wrong], ["bench"])


def test_what_can_not_be_driven_is_told() -> None:
    refused = Row(ROW.entry, said="no such module")
    assert (refused.missing, refused.reachable) == ([], 0)
    assert "no such module" in page([refused, ROW], ["bench"])


def test_options_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--budget", "much"])
    assert ended.value.code == 2
    assert "invalid float value" in capsys.readouterr().err
