"""What a search finds is on disk as it is found, and another one can start from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zeroin import Budget, Options, Suite
from zeroin.subject.base import Target
from zeroin.worker.journal import Journal
from zeroin.worker.parent import cover, targets_of
from zeroin.worker.progress import SearchState
from zeroin.worker.worker import Worker

pytestmark = pytest.mark.usefixtures("own_worker")

SOURCE = """\
double f(double x, int n) {
    if (n == 123456789) return 1;
    if ((double)n * n * n + x * x == 1e300) return 2;
    return 0;
}
"""


@pytest.fixture(scope="module")
def sandbox() -> Any:
    with Worker() as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "f.c").write_text(SOURCE)
    return tmp_path


def search(folder: Path, sandbox: Worker, evaluations: int, resume: bool, watch: Any = None) -> Suite:
    options = Options(budget=Budget(evaluations, 60.0), found=folder / "out" / ".found", resume=resume, engine="random",
                      suite="small")  # fmt: skip
    return cover(f"{folder}/f.c:f", options, sandbox, watch)


def files(folder: Path) -> list[Path]:
    return list((folder / "out" / ".found").glob("*.jsonl"))


def kept(folder: Path) -> list[str]:
    (path,) = files(folder)
    return [json.loads(line)["call"] for line in path.read_text().splitlines()[1:]]


def test_what_is_found_is_written_at_once(folder: Path, sandbox: Worker) -> None:
    seen: list[int] = []

    def watch(live: SearchState, what: str) -> None:
        if what == "tick" and files(folder) and live.covered:
            seen.append(len(kept(folder)))

    suite = search(folder, sandbox, 3_000_000, False, watch)
    assert seen
    assert seen[0] >= 1
    assert suite.notes == []


def test_another_search_starts_from_it(folder: Path, sandbox: Worker) -> None:
    suite = search(folder, sandbox, 100, False)
    (path,) = files(folder)
    arity = [kind.name for kind in suite.signature.kinds]
    assert json.loads(path.read_text().splitlines()[0])["kinds"] == arity
    with path.open("a") as file:
        file.write(json.dumps({"words": [1, 2, 3]}) + '\n{"words": ["a", "b"]}\n{"words": [1.5, true]}\n[]\n\n\xff\n')
        file.write(json.dumps({"words": [0, 123456789]}) + '\n{"words": [0, ')
    resumed = search(folder, sandbox, 100, True)
    assert "0T" in {v.branch.id for v in resumed.verdicts if v.verdict == "covered"}
    assert any("123456789" in call for call in kept(folder))
    assert "0T" not in {v.branch.id for v in suite.verdicts if v.verdict == "covered"}
    again = search(folder, sandbox, 100, False)
    assert "0T" not in {v.branch.id for v in again.verdicts if v.verdict == "covered"}
    assert not any("123456789" in call for call in kept(folder))


def test_other_parameters_begin_anew(folder: Path, sandbox: Worker) -> None:
    search(folder, sandbox, 100, False)
    (folder / "f.c").write_text(SOURCE.replace("double x", "float x"))
    suite = search(folder, sandbox, 100, True)
    assert suite.notes == ["nothing to resume: no earlier search has found inputs for this signature"]


def test_searches_differ(folder: Path, sandbox: Worker) -> None:
    """A search that goes on does not draw once more what the one before drew."""
    target: Target = targets_of(f"{folder}/f.c:f", Options(), sandbox).targets[0]
    signature = search(folder, sandbox, 100, False).signature
    journal = Journal(folder / "out" / ".found", target)
    assert journal.read(signature)[0] == 1
    search(folder, sandbox, 100, True)
    assert journal.read(signature)[0] == 2
    assert Journal(folder / "elsewhere", target).read(signature) == (0, [])


def test_a_folder_that_can_not_be_written_is_a_note(folder: Path, sandbox: Worker) -> None:
    (folder / "out").write_text("a file")
    suite = search(folder, sandbox, 100, False)
    assert [note for note in suite.notes if "could not be saved for --resume" in note]
    assert suite.inputs
