"""``--trace``, ``-v`` and ``explain``, as users run them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from zeroin.cli.main import main

ZEROIN = str(Path(sys.executable).with_name("zeroin"))
SOURCES = {
    "f.c": "int f(double x, int n) {\n  if (x * x == 2.25) return 1;\n  if (x != x && x > 1.0) return 2;\n"
           "  if (n > 5 && n % 49 == 48) return 3;\n  return 0;\n}\n",
    "f.py": "def f(x: float, n: int) -> int:\n    if x * x == 2.25:\n        return 1\n    if x != x and x > 1.0:\n"
            "        return 2\n    return 3 if n > 5 and n * n == 49 else 0\n",
}  # fmt: skip


@pytest.mark.parametrize("source", SOURCES)
def test_a_trace_has_every_evaluation_and_explains_each_branch(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / source).write_text(SOURCES[source])
    command = [ZEROIN, "cover", f"{source}:f", "--emit", "none", "--json", "-", "--trace", "t.jsonl", "-v"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (report,) = json.loads(done.stdout)["targets"]
    events = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert {event["target"] for event in events} == {f"{source}:f"}
    assert [events[0]["event"], events[-1]["event"]] == ["begin", "end"]
    slices = [event for event in events if event["event"] == "slice" and "aim" not in event]
    assert {event["aim"] for event in events if "aim" in event} == {"faults"}
    assert 0 < sum(event["evaluations"] for event in slices) <= report["evaluations"]
    assert {name for event in slices for name in event.get("news", "").split()}
    assert any(event["event"] == "proof" and event["answer"] == "infeasible" for event in events)
    assert "  slice  strategy=seeds" in done.stderr
    for branch in report["branches"]:
        assert main(["explain", str(tmp_path / "t.jsonl"), branch["id"]]) == 0
        told = capsys.readouterr().out.splitlines()
        assert told[1].startswith(branch["verdict"])
    assert main(["explain", str(tmp_path / "t.jsonl")]) == 0
    assert "seeds" in capsys.readouterr().out


def test_a_trace_that_can_not_be_written_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.py").write_text(SOURCES["f.py"])
    assert main(["cover", "f.py:f", "--trace", "nowhere/t.jsonl"]) == 2
    assert "--trace nowhere/t.jsonl: can not be written to" in capsys.readouterr().err
    assert main(["explain", "nowhere.jsonl"]) == 2
    assert "nowhere.jsonl: can not be read" in capsys.readouterr().err
