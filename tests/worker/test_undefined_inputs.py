"""Inputs that do what is undefined cover nothing, are findings, and the search goes on without them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from zeroin import Budget, Options
from zeroin.generate.stopped import Stopped
from zeroin.report.json import as_json
from zeroin.suite.suite import Suite
from zeroin.worker.parent import cover
from zeroin.worker.worker import Worker

BUDGET = Budget(600_000, 60.0)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Worker]:
    with Worker() as running:
        yield running


def covering(text: str, function: str, sandbox: Worker, tmp_path: Path, **options: object) -> Suite:
    (tmp_path / "f.c").write_text(text)
    return cover(f"{tmp_path}/f.c:{function}", Options(BUDGET, **options), sandbox)  # type: ignore[arg-type]


def verdicts(suite: Suite) -> dict[str, str]:
    return {v.branch.id: v.verdict if v.verdict == "covered" else f"{v.verdict}: {v.why}" for v in suite.verdicts}


@pytest.mark.parametrize(
    "type_", ["unsigned char", "signed char", "unsigned short", "unsigned", "int", "unsigned long"]
)
def test_what_an_input_with_a_defined_cast_takes_is_found(type_: str, sandbox: Worker, tmp_path: Path) -> None:
    text = f"int f(double t) {{ {type_} u = ({type_})t; if ((double)u != t) return 0; return 1; }}\n"
    suite = covering(text, "f", sandbox, tmp_path)
    assert verdicts(suite) == {"0T": "covered", "0F": "covered"}
    assert suite.disagreements == 0
    assert all(finding.kind == "undefined" for finding in suite.findings)


def test_what_only_undefined_behaviour_takes_is_undecided(sandbox: Worker, tmp_path: Path) -> None:
    text = "int f(int n) { if (n + 1 < n) return 1; return 0; }\n"
    suite = covering(text, "f", sandbox, tmp_path, faults=False)
    assert verdicts(suite) == {"0T": "undecided: only undefined behaviour takes it", "0F": "covered"}
    (finding,) = suite.findings
    assert finding.kind == "undefined"
    assert finding.message == "undefined behaviour: a signed overflow: 2147483647 + 1 (f.c:1)"
    assert suite.stopped == Stopped.UNDEFINED
    assert all(kept.words != finding.words for kept in suite.inputs)
    (target,) = as_json([suite])["targets"]
    assert target["branches"][0]["why"] == "only undefined behaviour takes it"
    assert [(one["kind"], one["args"]) for one in target["findings"]] == [("undefined", [2147483647])]


def test_a_function_that_only_does_what_is_undefined(sandbox: Worker, tmp_path: Path) -> None:
    text = "int f(int n) { int big = 2147483647; big += (n & 7) + 1; if (n > 3) return big; return 0; }\n"
    suite = covering(text, "f", sandbox, tmp_path)
    assert (suite.inputs, suite.count("covered")) == ([], 0)
    assert set(verdicts(suite).values()) == {"undecided: only undefined behaviour takes it"}
    assert [finding.kind for finding in suite.findings] == ["undefined"]


def test_a_condition_that_only_such_runs_come_to(sandbox: Worker, tmp_path: Path) -> None:
    text = "int f(double x) { int i = (int)x; if (x > 3e9) return i == 5 ? 1 : 2; return 3; }\n"
    suite = covering(text, "f", sandbox, tmp_path)
    assert verdicts(suite) == {
        "0T": "undecided: only undefined behaviour takes it", "0F": "covered",
        "1T": "undecided: only undefined behaviour reaches its condition",
        "1F": "undecided: only undefined behaviour takes it",
    }  # fmt: skip


def test_an_index_beyond_an_array_is_no_test(sandbox: Worker, tmp_path: Path) -> None:
    text = """static const int codes[2] = {7, 9};
    int f(int err) { if (err < 0 || err > 2) return -1; return codes[err]; }
    """
    suite = covering(text, "f", sandbox, tmp_path)
    assert set(verdicts(suite).values()) == {"covered"}
    assert [suite.signature.show(finding.words) for finding in suite.findings] == ["f(2)"]
    assert "f(2)" not in [suite.signature.show(kept.words) for kept in suite.inputs]


def test_without_a_branch_an_input_that_returns_is_shown(sandbox: Worker, tmp_path: Path) -> None:
    suite = covering("int f(int a, int b) { return a / b; }\n", "f", sandbox, tmp_path)
    assert any(kept.outcome.word == "returned" for kept in suite.inputs)


def test_the_search_goes_on_without_what_was_dropped(sandbox: Worker, tmp_path: Path) -> None:
    """Nothing notices while it searches that the first inputs it finds read what nothing has initialised: the replay
    does."""
    text = """#include <string.h>
    int f(int n) {
      int x;
      memset(&x, 1, sizeof x * ((n > 1000000) & (n % 3 == 0)));
      if (n > 5) return *(volatile int *)&x > 0;
      return 0;
    }
    """
    suite = covering(text, "f", sandbox, tmp_path)
    assert [v.verdict for v in suite.verdicts if v.branch.site.condition == "n > 5"] == ["covered", "covered"]
    taking = [kept for kept in suite.inputs if kept.words[0] > 5]
    assert taking
    assert all(kept.words[0] > 1_000_000 and kept.words[0] % 3 == 0 for kept in taking)
    assert {finding.kind for finding in suite.findings} == {"undefined"}


def test_a_fault_that_was_looked_for_is_one_finding(sandbox: Worker, tmp_path: Path) -> None:
    text = "int f(double x) { int i = (int)x; return i > 5; }\n"
    suite = covering(text, "f", sandbox, tmp_path, find=("cast",))
    assert [finding.kind for finding in suite.findings] == ["cast"]
    assert "the run" not in suite.findings[0].message


def test_a_build_that_can_not_be_linked_is_left_out_and_a_note_says_so(sandbox: Worker, tmp_path: Path) -> None:
    """Only what is optimised does without ``nowhere``."""
    text = "int nowhere(int);\nint f(int x) { if (0 * x) return nowhere(x); return x > 3 ? 1 : 0; }\n"
    suite = covering(text, "f", sandbox, tmp_path)
    assert "it can not be linked in a build with -O0: inputs were not replayed in it" in suite.notes
    assert [v.verdict for v in suite.verdicts][1:] == ["covered", "covered", "covered"]


@pytest.mark.parametrize("body", ["return a < (a << 200) ? 1 : 0;", "double t = 1e10; int i = (int)t; return i > 3;"])
def test_what_is_undefined_for_every_input_is_no_crash(body: str, sandbox: Worker, tmp_path: Path) -> None:
    """LLVM knows that the value is none, and would remove all that leads to its use."""
    suite = covering(f"int f(unsigned char a) {{ {body} }}\n", "f", sandbox, tmp_path)
    assert [finding.kind for finding in suite.findings] == ["undefined"]
    assert [kept for kept in suite.inputs if kept.replay.outcome.name == "RETURNED"] == []
