"""What the runners share: the order, the result, environments of their own, and a process with a time limit."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..measure import Arc
from ..subjects import Entry

WORK = Path(__file__).parents[1] / "work"
DRIVERS = Path(__file__).with_name("drivers")
KEEP = 5000  # inputs; what a loop over paths prints beyond that repeats itself


class Unavailable(Exception):
    """The tool can not be run here; the text says what to do."""


@dataclass(frozen=True)
class Work:
    """One order: find inputs for a function.

    Attributes:
        entry: the function; a runner may look at its source and its branches, not at its witnesses.
        branches: all branches that coverage.py counts, so that a loop may stop when it has them.
        seconds: of search.
        folder: empty; the runner's own.
        mode: one of the tool's modes.
    """

    entry: Entry
    branches: frozenset[Arc]
    seconds: float
    seed: int
    folder: Path
    mode: str


@dataclass(frozen=True)
class ToolRun:
    """What a tool found.

    Attributes:
        inputs: call expressions.
        tests: a pytest file, when it writes such.
        seconds: wall time, with the start of the tool.
        note: what went wrong, in a line; empty when nothing did.
        search: seconds that the tool says it searched, without starting and compiling.
    """

    inputs: tuple[str, ...] = ()
    tests: Path | None = None
    seconds: float = 0.0
    note: str = ""
    search: float | None = None


@dataclass(frozen=True)
class Finished:
    """A process that has ended: ``killed`` when it had to be."""

    output: str
    errors: str
    code: int
    seconds: float
    killed: bool

    @property
    def note(self) -> str:
        """What went wrong, if anything did."""
        if self.killed:
            return f"killed after {self.seconds:.0f} s"
        if self.code == 0:
            return ""
        lines = self.errors.strip().splitlines() or ["no message"]
        return f"exit code {self.code}: {lines[-1].strip()[:160]}"


def execute(command: Sequence[str | Path], folder: Path, limit: float, **environment: str) -> Finished:
    """Run a command in its own session; kill all of it when the limit is over."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [str(part) for part in command], cwd=folder, env={**os.environ, "PYTHONHASHSEED": "0", **environment},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
        start_new_session=True,
    )  # fmt: skip
    killed = False
    try:
        output, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        killed = True
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
    return Finished(output, errors, process.returncode, time.perf_counter() - started, killed)


def ensure_venv(name: str, *requirements: str) -> Path:
    """The Python of an environment that holds the requirements, each pinned by ``==``; made when it is missing."""
    folder = WORK / "venvs" / name
    python, done = folder / "bin" / "python", folder / "installed.json"
    if done.exists() and json.loads(done.read_text()) == list(requirements):
        return python
    print(f"installing {', '.join(requirements)} into {folder}", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]
    finished = execute(pip, folder, 600)
    if finished.code:
        raise Unavailable(
            f"{name} could not be installed ({finished.note}); to see why: "
            f"{python} -m pip install {' '.join(requirements)}"
        )
    done.write_text(json.dumps(requirements))
    return python


def drive(python: Path, driver: str, work: Work, limit: float, **more: object) -> ToolRun:
    """Run a script of ``drivers`` under the tool's own Python; it leaves the inputs in a file."""
    answer = work.folder / "inputs.json"
    job = {
        "source": str(work.entry.source), "function": work.entry.function, "seconds": work.seconds, "seed": work.seed,
        "mode": work.mode, "branches": sorted(work.branches), "answer": str(answer), **more,
    }  # fmt: skip
    (work.folder / "job.json").write_text(json.dumps(job))
    finished = execute([python, DRIVERS / driver, work.folder / "job.json"], work.folder, limit)
    inputs = json.loads(answer.read_text()) if answer.exists() else []
    return ToolRun(tuple(inputs), seconds=finished.seconds, note=finished.note)
