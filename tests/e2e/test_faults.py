"""Processes of ours that are killed, modules that can not be imported: nothing hangs, and little is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zeroin import cache

ZEROIN = str(Path(sys.executable).parent / "zeroin")
SOURCES = {
    "f.c": "double erfc(double);\n"  # of which nothing is proved
           "double f(double x) { if (x == 77123) return 1; if (erfc(x) > 3) return 2; return 0; }\n",
    "f.py": "import math\ndef f(x: float) -> int:\n    if x == 77123:\n        return 1\n"
            "    if math.erfc(x) > 3:\n        return 2\n    return 0\n",
}  # fmt: skip


def start(folder: Path, target: str, *options: str) -> subprocess.Popen[str]:
    command = [ZEROIN, "cover", target, "--emit", "none", "--json", "-", *options]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def workers(process: int) -> list[int]:
    """The processes of our worker that another one has started, the latest last: helpers come before jobs and tasks."""
    found = []
    for number in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        if b"zeroin.worker.base_process" in Path(f"/proc/{number}/cmdline").read_bytes():
            found.append(int(number))
    return found


def descend(process: int, depth: int) -> int:
    """The worker of the worker of ..., once it is there."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found: list[int] = [process]
        try:
            for _ in range(depth):
                found = workers(found[-1]) if found else []
        except FileNotFoundError:  # it has ended meanwhile
            continue
        if found:
            return found[-1]
        time.sleep(0.01)
    raise AssertionError("there is no such process")


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("depth", [1, 2, 3], ids=["base", "job", "task"])
def test_a_killed_process_loses_nothing(depth: int, source: str, tmp_path: Path) -> None:
    (tmp_path / source).write_text(SOURCES[source])
    options = ("--budget", "3", "--evals", str(10**12))  # the default is used up in less than a second
    with start(tmp_path, f"{source}:f", *options) as running:
        descend(running.pid, 3)
        time.sleep(0.5)
        os.kill(descend(running.pid, depth), signal.SIGKILL)
        output, errors = running.communicate(timeout=60)
    assert "Traceback" not in errors
    (report,) = json.loads(output)["targets"]
    verdicts = [branch["verdict"] for branch in report["branches"]]
    assert verdicts == ["covered", "covered", "undecided", "covered"]
    assert report["findings"] == []
    assert running.returncode == 0


@pytest.mark.parametrize("source", SOURCES)
def test_processes_that_are_stopped_for_a_while_go_on(source: str, tmp_path: Path) -> None:
    """The budget passes meanwhile, so nothing is left for replays; the test that is written can be compiled."""
    (tmp_path / source).write_text(SOURCES[source])
    command = [ZEROIN, "cover", f"{source}:f", "--budget", "2", "--evals", str(10**12), "--json", "report"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as running:
        descend(running.pid, 3)
        time.sleep(0.5)
        several = [running.pid, *(descend(running.pid, depth) for depth in (1, 2, 3))]
        for process in several:
            os.kill(process, signal.SIGSTOP)
        time.sleep(3)
        for process in reversed(several):
            os.kill(process, signal.SIGCONT)
        _, errors = running.communicate(timeout=60)
    assert "Traceback" not in errors
    assert running.returncode == 0, errors
    (report,) = json.loads((tmp_path / "report").read_text())["targets"]
    assert [branch["verdict"] for branch in report["branches"]] == ["covered", "covered", "undecided", "covered"]


def test_two_commands_share_one_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each needs what the other is about to keep there. Kernels, which take long, are there."""
    kernels = cache.kernels()
    assert kernels is not None
    (tmp_path / "cache" / "zeroin").mkdir(mode=0o700, parents=True)
    (tmp_path / "cache" / "zeroin" / "kernels").symlink_to(kernels.parent)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "f.c").write_text(SOURCES["f.c"])
    with start(tmp_path, "f.c:f", "--seed", "1") as one, start(tmp_path, "f.c:f", "--seed", "1") as other:
        outputs = [process.communicate(timeout=120) for process in (one, other)]
    for process, (output, errors) in zip((one, other), outputs, strict=True):
        assert process.returncode == 0, errors
        verdicts = [branch["verdict"] for branch in json.loads(output)["targets"][0]["branches"]]
        assert verdicts == ["covered", "covered", "undecided", "covered"]


@pytest.mark.parametrize(
    ("source", "message"),
    [("import os\nos._exit(0)\n", "the worker process died while loading it (exit status 0)"),
     ("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n", "loading it does not end"),
     ("while True:\n    pass\n", "loading it does not end")],
    ids=["exits", "stops", "turns"],
)  # fmt: skip
def test_a_module_that_can_not_be_imported_is_refused(source: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text(SOURCES["f.py"] + source)
    done = subprocess.run([ZEROIN, "cover", "f.py:f", "--load-timeout", "2"], cwd=tmp_path, capture_output=True,
                          text=True, timeout=60, check=False)  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("zeroin: f.py")
    assert message in done.stderr


def test_a_constructor_that_does_not_return_is_refused(tmp_path: Path) -> None:
    text = "#include <unistd.h>\n__attribute__((constructor)) static void begin(void) { sleep(1000); }\n"
    (tmp_path / "f.c").write_text(f"{text}int f(int x) {{ return x == 3; }}\n")
    done = subprocess.run([ZEROIN, "cover", "f.c:f", "--load-timeout", "1"], cwd=tmp_path, capture_output=True,
                          text=True, timeout=60, check=False)  # fmt: skip
    assert done.returncode == 2
    assert "f.c:f: loading it does not end" in done.stderr


def test_a_load_timeout_is_a_number_of_seconds(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text(SOURCES["f.py"])
    for value in ("0", "-1", "nan", "inf"):
        done = subprocess.run([ZEROIN, "show", "f.py:f", f"--load-timeout={value}"], cwd=tmp_path, capture_output=True,
                              text=True, timeout=60, check=False)  # fmt: skip
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "give a positive number of seconds" in done.stderr
