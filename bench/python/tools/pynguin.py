"""Pynguin: a genetic algorithm over test suites (DynaMOSA, its default).

It tests modules, so it is given a copy of the module that holds nothing but the function and what is no function.
No assertions are generated: they cost time and take no branch.
"""

from __future__ import annotations

import ast
from pathlib import Path

from ..subjects import Entry
from .base import ToolRun, Work, ensure_venv, execute

TITLE = "Pynguin: DynaMOSA, its default"
MODES = ("dynamosa",)
DETERMINISTIC = False
_PINS = ("pynguin==0.48.0",)


def version() -> str:
    """As pinned."""
    return ", ".join(_PINS)


def run(work: Work) -> ToolRun:
    """Pynguin starts only when it is told that running code can be dangerous."""
    python = ensure_venv("pynguin", *_PINS)
    _only(work.entry, work.folder / "project")
    finished = execute(
        [python, "-m", "pynguin", "--project-path", "project", "--module-name", work.entry.module, "--output-path",
         "tests", "--maximum-search-time", f"{max(1, round(work.seconds))}", "--seed", str(work.seed),
         "--assertion-generation", "NONE", "--no-rich"],
        work.folder, 3 * work.seconds + 30, PYNGUIN_DANGER_AWARE="1",
    )  # fmt: skip
    tests = sorted((work.folder / "tests").glob("test_*.py"))
    note = finished.note or ("" if tests else "no tests written")
    return ToolRun(tests=tests[0] if tests else None, seconds=finished.seconds, note=note)


def _only(entry: Entry, folder: Path) -> None:
    """The module without its other functions."""
    text = entry.source.read_text()
    lines = text.splitlines(keepends=True)
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name != entry.function:
            lines[node.lineno - 1 : node.end_lineno] = ["\n"] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    folder.mkdir(parents=True)
    (folder / entry.source.name).write_text("".join(lines))
