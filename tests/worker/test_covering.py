"""Mistakes of ours in the tasks on a target: what was found before stays, and none becomes a finding."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from zeroin import Budget, Options
from zeroin.errors import WorkerDied
from zeroin.generate.stopped import Stopped
from zeroin.worker import cover_target
from zeroin.worker.parent import cover
from zeroin.worker.worker import Worker

BODY = "(double x) { if (x == 77123) return 1; if (x == 3 && x > 4) return 2; return 0; }\n"


@pytest.fixture(scope="module")
def failing() -> Iterator[Worker]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]))
        patch.setattr(cover_target, "JOBS", "jobs_failing")
        patch.setattr(cover_target, "MOST_LOSSES", 1)
        with Worker() as running:
            yield running


@pytest.mark.parametrize("task", ["search", "choose", "replay"])
@pytest.mark.parametrize("what", ["fail", "prepare", "kill"])
def test_what_was_found_stays(what: str, task: str, failing: Worker, tmp_path: Path) -> None:
    name = f"{what}_{task}"
    (tmp_path / "f.c").write_text(f"int {name}{BODY}")
    options = Options(budget=Budget(200_000, 60.0))
    if task == "search" and what != "fail":  # nothing was found yet
        with pytest.raises(WorkerDied):
            cover(f"{tmp_path}/f.c:{name}", options, failing)
        return
    suite = cover(f"{tmp_path}/f.c:{name}", options, failing)
    covered = {v.branch.id for v in suite.verdicts if v.verdict == "covered"}
    assert {"0T", "0F"} <= covered, suite.notes
    assert suite.findings == []
    told = ("zeroin itself failed", "internal error of zeroin", "ended unexpectedly")
    assert any(text in note for note in suite.notes for text in told)
    assert any("RuntimeError: a mistake of ours" in note for note in suite.notes) or what == "kill"


def test_mutants_that_do_not_end_are_given_up(failing: Worker, tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(f"int endless_strengthen{BODY}")
    suite = cover(f"{tmp_path}/f.c:endless_strengthen", Options(budget=Budget(200_000, 2.0)), failing)
    assert {"0T", "0F"} <= {v.branch.id for v in suite.verdicts if v.verdict == "covered"}, suite.notes
    assert suite.mutants is None


def test_a_branch_that_only_a_dropped_input_covers_is_not_said_to_be_covered(tmp_path: Path) -> None:
    """The instrumented function and the plain one are at different addresses."""
    text = "int f(int n) { if (n == 5) return (int)(long)f; return 0; }"
    (tmp_path / "f.c").write_text(text + "\n")
    with Worker() as sandbox:
        suite = cover(f"{tmp_path}/f.c:f", Options(Budget(100_000, 20.0)), sandbox)
    assert suite.disagreements == 1
    assert [verdict.verdict for verdict in suite.verdicts] == ["undecided", "covered"]
    assert suite.findings == []
    assert suite.verdicts[0].why.startswith("no input found")


DEADLY = """int f(int n, int v) {
    int q[8] = {0}, sum = 0, *volatile p = q;
    for (int i = 0; i < n; i++) p[i] = v;
    if (n != 3) return p[n & 0xfffff];
    for (int i = 0; i < 3; i++) sum += q[i] ^ 0x5a5a5a;
    if (sum == 3 * 1234567) return 2;
    return 0;
}
"""


def test_where_inputs_end_one_process_after_the_other_few_are_run(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(DEADLY)
    suite = cover(f"{tmp_path}/f.c:f", Options(budget=Budget(10_000, 60.0)))
    assert suite.stopped is not Stopped.DYING
    assert suite.percent == 100.0
