"""The installed command as a user runs it, and the tests that it writes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_ZEROIN = Path(sys.executable).with_name("zeroin")
_SPARE = 120  # seconds beyond a multiple of the budget, after which a command counts as hung
_BUILT = re.compile(r"^ \*     (cc|c\+\+) (.+)$", re.M)  # how to compile a test, in its first lines


@dataclass(frozen=True)
class Asked:
    """What came of one ``zeroin cover``.

    Attributes:
        code: exit code; -1 if it hung.
        said: standard error.
        report: of the target in the JSON; empty if it was refused.
        seconds: on the clock.
        tests: the files that were written.
    """

    code: int
    said: str
    report: dict[str, Any]
    seconds: float
    tests: tuple[Path, ...]


@dataclass(frozen=True)
class Ran:
    """How a program ended: its exit code, -1 where its time was over, and what it printed."""

    code: int
    output: str


def ask(target: str, folder: Path, options: Sequence[str], budget: float) -> Asked:
    """Run ``zeroin cover`` in a folder, which must be new."""
    command = [str(_ZEROIN), "cover", target, *options, "--budget", f"{budget:g}", "--json", "report.json", "--quiet"]
    started = time.perf_counter()
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=4 * budget + _SPARE)
        code, said = ended.returncode, ended.stderr
    except subprocess.TimeoutExpired:
        code, said = -1, "it did not end"
    seconds = time.perf_counter() - started
    report = folder / "report.json"
    targets = json.loads(report.read_text())["targets"] if report.is_file() and report.stat().st_size else []
    tests = sorted((folder / "zeroin-out").glob("test_*"))
    return Asked(code, said, targets[0] if targets else {}, seconds, tuple(tests))


def run(command: Sequence[str], folder: Path, seconds: float = 300.0, **environment: str) -> Ran:
    """Run a program in a folder, with these environment variables besides ours."""
    try:
        ended = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)  # fmt: skip
    except subprocess.TimeoutExpired:
        return Ran(-1, "its time was over")
    return Ran(ended.returncode, ended.stdout.decode(errors="replace"))


def build(test: Path, flags: Sequence[str] = (), compiler: Sequence[str] = (), without: Sequence[str] = ()) -> Ran:
    """Compile an emitted test as its first lines say; the program is :func:`program_of` the test.

    Args:
        flags: further ones.
        compiler: the command; Zig's Clang if it is empty.
        without: flags of the first lines that are left out.
    """
    how = _BUILT.search(test.read_text())
    if how is None:
        return Ran(-1, "its first lines do not say how to compile it")
    # What a plain compiler does: Zig adds checks for undefined behaviour.
    zig = [sys.executable, "-m", "ziglang", how[1], "-fno-sanitize=all"]
    words = [word for word in shlex.split(how[2]) if word not in without]
    return run([*(compiler or zig), *flags, *words], test.parent)


def flags_of(test: Path) -> list[str]:
    """What the first lines of a test in C tell the compiler besides files and libraries."""
    how = _BUILT.search(test.read_text())
    words = shlex.split(how[2]) if how else []
    return [word for word in words if word.startswith("-") and word != "-o" and not word.startswith("-l")]


def program_of(test: Path) -> Path:
    """The program that a test in C becomes."""
    return test.with_suffix("")


def pytest_of(test: Path) -> list[str]:
    """The command that runs a test in Python."""
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
