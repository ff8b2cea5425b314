"""zeroin, by its command line."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version as _version

from .base import ToolRun, Work, execute

TITLE = "zeroin: `cover`"
MODES = ("cover",)
DETERMINISTIC = False


def version() -> str:
    """Of the package."""
    return f"zeroin {_version('zeroin')}"


def run(work: Work, *options: str) -> ToolRun:
    """Exit code 1 is a finding, and no failure."""
    target = f"{work.entry.source}:{work.entry.function}"
    report = work.folder / "report.json"
    finished = execute(
        [sys.executable, "-m", "zeroin", "cover", target, "--budget", f"{work.seconds:g}", "--seed", str(work.seed),
         "--out", work.folder, "--emit", "pytest", "--json", report, "--quiet", *options],
        work.folder, 3 * work.seconds + 30,
    )  # fmt: skip
    note = "" if finished.code == 1 and report.exists() else finished.note
    search = None
    if report.exists() and not note:
        targets = json.loads(report.read_text())["targets"]
        search = sum(target["seconds"] for target in targets)
        note = ", ".join(
            f"{sum(branch['verdict'] == verdict for target in targets for branch in target['branches'])} {verdict}"
            for verdict in ("infeasible", "undecided")
        )
    tests = sorted(work.folder.glob("test_*.py"))
    return ToolRun(tests=tests[0] if tests else None, seconds=finished.seconds, note=note, search=search)
