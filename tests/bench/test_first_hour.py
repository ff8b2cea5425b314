"""bench/first_hour: the list, what counts as working, and what a reviewer would say."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bench.emitted import Asked
from bench.first_hour.functions import ENTRIES, Entry, Finding
from bench.first_hour.run import Row, broken, complaints, judge, main, page, reported, undecided

QUIET = Entry("text.c:parse_int", "it works")
CRASH = {"kind": "crash", "message": "SIGSEGV", "input": 0}
PASSING = '''"""A test."""


def test_f():
    assert 1 + 1 == 2
'''


def asked(code: int, *findings: dict[str, Any]) -> Asked:
    return Asked(code, "", {"findings": findings, "inputs": [{"args": [[1], 2]}]}, 1.0, ())


def test_sixty_functions_that_are_there() -> None:
    assert len({entry.target for entry in ENTRIES}) == len(ENTRIES) == 60
    for entry in ENTRIES:
        assert re.search(rf"\b{re.split('[.:]', entry.name)[-1]}\b", entry.path.read_text()), entry.target
        assert bool(entry.fault) is (entry.finding is not Finding.NONE), entry.target


def test_findings_have_to_be_expected_and_within_the_contract() -> None:
    finding = Entry("text.c:parse_int", "", Finding.MAY, "crash", lambda xs, n: n <= len(xs))
    assert [*reported(QUIET, asked(0))] == []
    assert "false finding: crash SIGSEGV, of [[1], 2]" in [*reported(QUIET, asked(1, CRASH))]
    assert "false finding" in next(reported(finding, asked(1, CRASH)))
    assert [*reported(Entry("text.c:parse_int", "", Finding.MUST, "crash"), asked(1, CRASH))] == []
    assert [*reported(Entry("text.c:parse_int", "", Finding.MUST, "crash"), asked(0))] == ["not found: crash"]


def test_a_refusal_is_told_in_its_own_words() -> None:
    assert [*reported(QUIET, Asked(2, "note\nno such thing\n", {}, 1.0, ()))] == ["exit code 2: no such thing"]


@pytest.mark.parametrize(
    ("covered", "missing", "unreachable", "works"), [(9, 1, 0, True), (8, 1, 0, False), (8, 1, 1, True)]
)
def test_nine_of_ten_reachable_branches(covered: int, missing: int, unreachable: int, works: bool) -> None:
    entry = Entry("text.c:parse_int", "", unreachable=("why",) * unreachable)
    assert bool([*undecided(entry, Counter(covered=covered, undecided=missing, infeasible=5))]) is not works


def test_a_test_has_to_pass(tmp_path: Path) -> None:
    test = tmp_path / "test_f.py"
    test.write_text(PASSING)
    assert [*broken(test)] == []
    test.write_text(PASSING.replace("== 2", "== 3"))
    assert next(broken(test)).startswith("its test does not pass: ")


@pytest.mark.parametrize(
    ("returned", "said"),
    [("return 0;", ""), ("return 1;", "does not pass"), ("int unused; return 0;", "unused variable")],
)
def test_a_test_in_c_has_to_compile_without_a_warning(tmp_path: Path, returned: str, said: str) -> None:
    test = tmp_path / "test_f.c"
    test.write_text(f"/* A test.\n *     cc -o test_f test_f.c\n */\nint main(void) {{ {returned} }}\n")
    assert [said in one for one in broken(test)] == [True] * bool(said)


def test_a_reviewer_sees_paths_names_and_style(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    test = project / "test_f.py"
    test.write_text(PASSING)
    assert [*complaints(test, project)] == []
    test.write_text(f"import os\n{PASSING}\n\ndef test_f_2():\n    assert  '{project}'\n")
    *said, ruff = complaints(test, project)
    assert said == ["an absolute path", "tests named alike: test_f", "ruff format"]
    assert "F401" in ruff


def test_one_from_the_command_to_the_page() -> None:
    entry = next(one for one in ENTRIES if one.name == "sat_add_i32")
    row = judge(entry, 2.0)
    assert (row.asked.code, row.verdicts["covered"], row.works) == (0, 8, True)
    text = page([row, Row(QUIET, asked(2), ("it does not",))], ["bench"])
    assert "| **all** | 2 | 1 | 1 | 1 |" in text
    assert "- `text.c:parse_int`: it does not" in text


def test_a_name_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["nothing"])
    assert ended.value.code == 2
    assert "none is called nothing" in capsys.readouterr().err
