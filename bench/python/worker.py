"""Runs the inputs or tests of one job under coverage.py; a script of its own, so that it may crash or hang.

``measure.py`` starts it with the path of a JSON job and reads the JSON answer. Before each input its number is written
to the job's ``progress`` file: when the process dies, that is the input that killed it.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

_NAMES: dict[str, Any] = {"nan": math.nan, "inf": math.inf, "math": math}


class Expired(BaseException):
    """The input ran too long; no ``except Exception`` of a subject or a test catches it."""


class Runner:
    """Runs one thing after the other, each with a time limit, all within the job's."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.limit: float = job["limit"]
        self.skip = set(job["skip"])
        self.progress = Path(job["progress"])
        self.deadline = time.monotonic() + job["total"]
        self.counts = dict.fromkeys(("passed", "failed", "hung", "skipped"), 0)

    def wanted(self, name: str) -> bool:
        """Whether to run it at all."""
        if name in self.skip or time.monotonic() > self.deadline:
            self.counts["skipped"] += 1
            return False
        return True

    @contextmanager
    def limited(self, name: str) -> Iterator[None]:
        """Raises Expired inside."""
        self.progress.write_text(name)
        signal.setitimer(signal.ITIMER_REAL, self.limit)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def call(self, name: str, what: Callable[[], object]) -> None:
        """One input: an exception is a result like any other."""
        if not self.wanted(name):
            return
        try:
            with self.limited(name):
                what()
            self.counts["passed"] += 1
        except Expired:
            self.counts["hung"] += 1
        except (Exception, SystemExit):
            self.counts["failed"] += 1


def _expire(*_: object) -> None:
    raise Expired


def _expressions(runner: Runner, module: Any, inputs: list[str]) -> None:
    names = {**_NAMES, **vars(module)}
    for number, text in enumerate(inputs):
        runner.call(str(number), partial(eval, text, names))


def _pytest(runner: Runner, tests: str) -> None:
    import pytest

    class Plugin:
        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
            if not runner.wanted(item.nodeid):
                pytest.skip("out of time, or known to crash")
            try:
                with runner.limited(item.nodeid):
                    return (yield)
            except Expired:
                runner.counts["hung"] += 1
                raise TimeoutError("out of time") from None

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.when == "call" and report.outcome != "skipped":
                runner.counts[report.outcome] += 1

        def pytest_collectreport(self, report: pytest.CollectReport) -> None:
            runner.counts["failed"] += report.failed

    options = ["-q", "-c", os.devnull, "--rootdir", str(Path(tests).parent), "-p", "no:cacheprovider"]
    pytest.main([*options, "--no-header", "--tb=no", tests], plugins=[Plugin()])


def main(job_path: str) -> None:
    """Do the job, write the answer."""
    job = json.loads(Path(job_path).read_text())
    source = Path(job["source"])
    sys.path[0] = str(source.parent)
    import coverage

    signal.signal(signal.SIGALRM, _expire)
    runner = Runner(job)
    cov = coverage.Coverage(
        branch=True, include=[str(source)], data_file=None, config_file=False, messages=False, check_preimported=False
    )
    cov.start()
    module = importlib.import_module(source.stem)
    if job["tests"] is None:
        _expressions(runner, module, job["inputs"])
    else:
        _pytest(runner, job["tests"])
    cov.stop()
    report = Path(job["answer"]).with_suffix(".coverage.json")
    cov.json_report(outfile=str(report))
    (file,) = json.loads(report.read_text())["files"].values()
    answer = {"covered": file["executed_branches"], "missing": file["missing_branches"], "counts": runner.counts}
    Path(job["answer"]).write_text(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1])
