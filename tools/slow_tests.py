"""Measure all tests and list the slowest ones in ``tests/slow.txt``: ``python tools/slow_tests.py``.

``make test`` leaves out the listed tests. The others take ``SECONDS`` in all. In each file, the quickest test stays off
the list, unless it takes longer than ``LONGEST``.

The list is only as good as the measurement: nothing else must run on the machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SLOW = ROOT / "tests" / "slow.txt"
SECONDS, LONGEST = 440.0, 3.0  # with two workers, about four minutes and a half, as collecting takes time as well

_seconds: dict[str, float] = defaultdict(float)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Hook of pytest: add up the seconds of a test, its setup and its teardown."""
    _seconds[report.nodeid] += report.duration


def pytest_sessionfinish(exitstatus: int) -> None:
    """Hook of pytest: write the list in the process that starts the workers, if all tests have run."""
    if "PYTEST_XDIST_WORKER" not in os.environ and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        SLOW.write_text("".join(f"{name}\n" for name in sorted(slowest(_seconds))))


def slowest(seconds: Mapping[str, float]) -> set[str]:
    """Return the names of the tests that are left out.

    Args:
        seconds: how long each test takes, by its name (its node id).
    """
    quickest: dict[str, str] = {}
    order = sorted(seconds, key=lambda name: (seconds[name], name))
    for name in order:
        if seconds[name] <= LONGEST:
            quickest.setdefault(name.partition("::")[0], name)
    left = SECONDS - sum(seconds[name] for name in quickest.values())
    kept = set(quickest.values())
    for name in order:
        if name not in kept:
            left -= seconds[name]
            if left < 0 or seconds[name] > LONGEST:
                break
            kept.add(name)
    return set(seconds) - kept


def main() -> int:
    """Run all tests, and return pytest's exit status."""
    command = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "worksteal", "-p", "slow_tests"]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)}).returncode


if __name__ == "__main__":
    sys.exit(main())
