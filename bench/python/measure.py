"""Branch coverage of one function by inputs or tests, as coverage.py counts it, in a process of its own."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

Arc = tuple[int, int]

_WORKER = Path(__file__).with_name("worker.py")
_ATTEMPTS = 10


@dataclass(frozen=True)
class Measured:
    """What inputs or tests took.

    Attributes:
        covered: branches taken, as pairs of a line and where it went (a negative line leaves the function).
        branches: all branches of the function.
        passed, failed: inputs that returned or raised; for tests: that passed or failed.
        hung: inputs stopped by the limit.
        crashed: inputs that killed the process, or hung where a signal did not reach them; what they took is lost.
        skipped: inputs that were not run, because the time for all was up.
    """

    covered: frozenset[Arc]
    branches: frozenset[Arc]
    passed: int = 0
    failed: int = 0
    hung: int = 0
    crashed: int = 0
    skipped: int = 0


def line_range(source: Path, function: str) -> range:
    """The lines of a function."""
    for node in ast.parse(source.read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return range(node.lineno, (node.end_lineno or node.lineno) + 1)
    raise LookupError(f"{source}: no function {function}")


def measure(
    source: Path, function: str | None, inputs: Sequence[str] = (), tests: Path | None = None, *,
    limit: float = 2.0, total: float = 60.0,
) -> Measured:  # fmt: skip
    """Run call expressions, or a pytest file when there is one, and count the function's branches.

    Args:
        source: the module.
        function: its function; None for all of the module.
        inputs: calls, evaluated in the module's namespace with ``nan``, ``inf`` and ``math``.
        tests: a file or folder for pytest.
        limit: seconds for one input or test.
        total: seconds for all.
    """
    lines = line_range(source, function) if function else range(sys.maxsize)
    skip: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(_ATTEMPTS):
            job = {
                "source": str(source.resolve()), "inputs": list(inputs), "limit": limit, "total": total, "skip": skip,
                "tests": None if tests is None else str(tests.resolve()),
                "progress": f"{folder}/progress", "answer": f"{folder}/answer",
            }  # fmt: skip
            killer = _attempt(Path(folder), job, total + 10 * limit)
            if killer is None:
                break
            skip.append(killer)
        else:
            raise RuntimeError(f"{source.name}: {_ATTEMPTS} inputs killed the process: {skip}")
        answer = json.loads(Path(folder, "answer").read_text())
    covered, missing = (
        frozenset((line, to) for line, to in answer[what] if line in lines) for what in ("covered", "missing")
    )
    counts = answer["counts"]
    counts["skipped"] -= len(skip)
    return Measured(covered, covered | missing, crashed=len(skip), **counts)


def _attempt(folder: Path, job: dict[str, object], seconds: float) -> str | None:
    """The input that killed the process; None when there was none."""
    progress = folder / "progress"
    progress.write_text("")
    (folder / "job").write_text(json.dumps(job))
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    process = subprocess.Popen(
        [sys.executable, str(_WORKER), str(folder / "job")], cwd=folder, env=environment, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        _, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        errors = "out of time"
    if (folder / "answer").exists():
        return None
    killer = progress.read_text()
    if not killer:
        raise RuntimeError(f"the measurement did not start: {errors.strip()}")
    return killer
