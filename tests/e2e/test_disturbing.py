"""What a run of a C subject changes, no other run sees; and what ends its process costs little and loses nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SUBJECT = Path(__file__).parents[1] / "subjects" / "c" / "disturbing.c"
ZEROIN = str(Path(sys.executable).parent / "zeroin")

# The results of runs that return, and the findings.
FUNCTIONS: dict[str, tuple[set[float], list[tuple[str, str]]]] = {
    "constructed": ({0, 500}, []),
    "rounds": ({1, 2, 3}, []),
    "flags": ({0, 1}, []),
    "traps": ({0, float("inf")}, [("divzero", "line 35: 1.0 / 0.0 (1 / zero)")]),
    "blocks": ({0}, [("crash", "SIGSEGV")]),
    "ignores": ({0, 1}, [("crash", "SIGSEGV")]),
    "opens": ({0, 1}, []),
    "closes": ({0, 1}, []),
    "scribbles": ({0, 1}, []),
    "moves": ({0, 1}, []),
    "limits": ({0, 1, 2}, []),
    "masks": ({0, 1, 2}, []),
    "sets": ({0, 2}, []),
    "translates": ({0, 2}, []),
    "draws": ({0, 1}, []),
    "errs": ({0, 2}, []),
    "registers": ({0, 1}, []),
    "waits": ({1}, [("hang", "did not return")]),
    "starts": ({0, 1}, [("crash", "SIGSEGV")]),
    "joins": ({0, 1}, [("hang", "did not return")]),
    "forgets": ({0, 1}, []),
    "naps": ({0, 1, 2}, [("hang", "did not return")]),
    "dies": ({0, 1, 2}, [("crash", "SIGKILL")]),
    "leaves": ({0, 1}, [("crash", "exit() was called: status 0")]),
}
UNREACHABLE = {"opens": 1, "scribbles": 1, "moves": 1, "translates": 1}  # branches


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("disturbing")
    (folder / SUBJECT.name).write_text(SUBJECT.read_text())
    targets = [f"{SUBJECT.name}:{name}" for name in FUNCTIONS]
    options = ["--cc=-D_GNU_SOURCE", "--budget", "2", "--evals", "30000", "--json", "-", "--quiet", "--emit", "none"]
    done = subprocess.run([ZEROIN, "cover", *targets, *options], cwd=folder, capture_output=True, text=True,
                          timeout=200, check=False)  # fmt: skip
    assert done.returncode == 1, done.stderr
    return {report["target"].partition(":")[2]: report for report in json.loads(done.stdout)["targets"]}


def value(exact: str) -> float:
    return float.fromhex(exact) if "x" in exact else float(exact)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_run_sees_another(name: str, reports: dict[str, Any]) -> None:
    results, findings = FUNCTIONS[name]
    report = reports[name]
    returned = [kept for kept in report["inputs"] if kept["outcome"] == "returned"]
    assert {value(kept["result"]) for kept in returned} <= results
    assert report["disagreements"] == 0
    found = [(finding["kind"], finding["message"]) for finding in report["findings"]]
    assert len(found) == len(findings)
    assert all(kind == k and part in message for (kind, part), (k, message) in zip(findings, found, strict=True))
    undecided = [branch for branch in report["branches"] if branch["verdict"] != "covered"]
    assert len(undecided) == UNREACHABLE.get(name, 0)
