"""Measure the coverage of a suite with gcc and gcov, independently of our own probes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from .... import scratch
from ....emit.test_header import Batch
from ....emit.trial import run_inside
from ....errors import CompileError, MissingDependency, TargetError
from ....measure import Judge, Share, of
from ....suite.suite import Suite
from ..emit.test_file import CTest, is_cxx, is_ir, target_of, user_flags
from ..emit.trial import LENIENT, SEMANTICS
from ..front.compile import CXX_SUFFIXES

if TYPE_CHECKING:
    from ..front.parameters import CSignature

Mark = tuple[str, int]  # "line", "branch" or "call"; and 0: not executed, 1: executed, 2: taken or returned

_CASE_SECONDS = 10.0
_FILE = re.compile(r" +-: +0:Source:")
_FUNCTION = re.compile(r"function (\S+) called ")
_LINE = re.compile(r" *(-|[#=$%]+|\d+)\*?: *(\d+):")
_ARC = re.compile(r"(branch|call) +\d+ (never executed|(?:taken|returned) (\d+))")
_RULE = "-----"


@dataclass(frozen=True)
class GcovReport:
    """The coverage of the function under test as gcov counts it; each pair is (covered, total).

    Attributes:
        lines: gcov's ``Lines executed``.
        conditions: gcov's ``Branches executed``: branches whose condition was evaluated, whichever way it went.
        branches: gcov's ``Taken at least once``. In C++, gcc also counts the branches taken by exceptions.
        calls: gcov's ``Calls executed``.
        failed: how many cases gave another result than the recorded one, or did not end in ten seconds.
    """

    lines: Share
    conditions: Share
    branches: Share
    calls: Share
    failed: int = 0

    def __str__(self) -> str:
        return (f"gcov: lines {of(self.lines)}, conditions {of(self.conditions)}, branches {of(self.branches)}, "
                f"calls {of(self.calls)}")  # fmt: skip


@dataclass(frozen=True)
class Gcov(Judge):
    """Compiles a suite's test with coverage, runs each case in a process of its own, and reads the result of gcov.

    Attributes:
        cc: the command of gcc.
        gcov: the command of gcov, of the same version as gcc.
        workdir: the folder for the test, the program and the counts. It is created if needed, and keeps the files.
            None: a temporary folder.
        flags: further flags for gcc, after the target's own flags.
    """

    cc: str = "gcc"
    gcov: str = "gcov"
    workdir: Path | None = None
    flags: Sequence[str] = ()
    languages = ("c",)

    def measure(self, suite: Suite) -> GcovReport:
        """Measure the coverage of a suite; see :class:`zeroin.measure.Judge`.

        Raises:
            MissingDependency: gcc or gcov is not installed.
            CompileError: gcc can not compile or link the test, or gcov can not read the counts; it has the tool's
                message.
            TargetError: the target is LLVM IR, which gcc can not read.
        """
        if is_ir(suite.target):
            raise TargetError(f"{suite.target.path}: gcov measures C and C++ sources only; give the source of this IR")
        for command in (self.cc, self.gcov):
            if shutil.which(command) is None:
                raise MissingDependency(f"measuring with gcov needs {command!r}, which is not on PATH: install gcc")
        with contextlib.ExitStack() as stack:
            folder = self.workdir or stack.enter_context(scratch.folder())
            folder.mkdir(parents=True, exist_ok=True)
            return self._measure(suite, folder.resolve())

    def _measure(self, suite: Suite, folder: Path) -> GcovReport:
        """Write, compile and run the test in this folder, and count what it covers. Earlier counts are deleted."""
        emitter, batch = CTest(), Batch((suite,))
        test = folder / emitter.file_name(batch)
        # Written as if it were in the source's folder: gcov can not handle paths with ``..``.
        test.write_text(emitter.text(batch, suite.target.path.absolute().parent))
        for name, text in emitter.companions().items():
            (folder / name).write_text(text)
        notes, counts = test.with_suffix(".gcno"), test.with_suffix(".gcda")
        counts.unlink(missing_ok=True)
        cases = emitter.names(batch)
        compiled = self._compile(suite, test, bool(cases))
        failed = 0
        if cases:
            program = self._link(suite, compiled)
            failed = sum(not _passes(program, name, suite.options.allow) for name in cases)
        return self._count(suite, counts if counts.exists() else notes, failed)

    def _count(self, suite: Suite, counted: Path, failed: int) -> GcovReport:
        """Return the coverage from gcc's file of counts, or from its notes (nothing is covered).

        Raises:
            CompileError: gcov fails, or its output does not have the function.
        """
        gcov, folder = self.gcov, counted.parent
        text = _output([gcov, "-t", "-b", "-c", str(counted)], folder, f"{gcov}: can not read the counts of gcc")
        json_ = _output([gcov, "-t", "-j", str(counted)], folder, f"{gcov}: can not write JSON; use gcc 10 or newer")
        report = _report(text, _ends(json_), cast("CSignature", suite.signature).symbol, failed)
        if report is None:
            raise CompileError(f"{gcov}: no counts for {suite.target.text}", text.strip())
        return report

    def _compile(self, suite: Suite, test: Path, called: bool) -> Path:
        """Compile the test with coverage; return the path of the object file.

        Args:
            suite: the suite.
            test: the file of the test.
            called: whether the test has cases, which call the function.
        """
        compiled = test.with_suffix(".o")
        # gcc drops static functions that nothing calls; then their branches would not be counted.
        keep = [] if called else ["-fkeep-static-functions", "-fkeep-inline-functions"]
        command = [self.cc, *self._flags(suite, is_cxx(suite.target)), "-O0", "--coverage", *keep,
                   "-iquote", str(suite.target.path.absolute().parent), "-c", str(test),
                   "-o", str(compiled)]  # fmt: skip
        _output(command, None, f"{suite.target.path}: gcc does not compile its test")
        return compiled

    def _link(self, suite: Suite, compiled: Path) -> Path:
        """Link the test with the files of ``--with``, compiled without coverage. Return the path of the program."""
        others = target_of(suite).others
        program = compiled.with_suffix("")
        cxx = any(path.suffix in CXX_SUFFIXES for path in others)
        command = [self.cc, str(compiled), *(str(path.absolute()) for path in others), *self._flags(suite, cxx), "-O0",
                   "-o", str(program), "-lgcov", *(["-lstdc++"] if cxx or is_cxx(suite.target) else []),
                   "-lm"]  # fmt: skip
        _output(command, None, f"{suite.target.path}: gcc does not link its test")
        return program

    def _flags(self, suite: Suite, cxx: bool) -> list[str]:
        """Return gcc's flags; with ``cxx``, without those that accept old C."""
        return [*SEMANTICS, "-w", *([] if cxx else LENIENT), *user_flags(target_of(suite).cc), *self.flags]


def _passes(program: Path, name: str, allow: Collection[str]) -> bool:
    """Run one case in an empty folder for at most ten seconds, and return whether it passes.

    A process that does not end leaves no counts behind, and does not change those of others.
    """
    ended = run_inside("zeroin.emit.trial_process:program", [str(program), name], allow=allow,
                       writable=[program.parent], seconds=_CASE_SECONDS)  # fmt: skip
    return ended.status == 0


def _output(command: Sequence[str], folder: Path | None, failure: str) -> str:
    """Run a command without a time limit, and return what it prints. ``folder`` None: in the current directory.

    Raises:
        CompileError: the command fails, with ``failure`` as message.
    """
    done = subprocess.run(command, cwd=folder, env=_environment(), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace")  # fmt: skip
    if done.returncode != 0:
        raise CompileError(failure, (done.stdout + done.stderr).strip())
    return done.stdout


def _environment() -> dict[str, str]:
    """Return the environment of this process, changed so that messages are English and counts go beside the program."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GCOV_PREFIX")}
    return {**kept, "LC_ALL": "C", "LANGUAGE": "C"}


# ---- gcov's output is the source with counts; its summaries of functions have no branches and calls ----


def _report(text: str, ends: dict[str, int], symbol: str, failed: int) -> GcovReport | None:
    """Add up the counts of one function in gcov's annotated source; None if it does not mention the function."""
    marks = [mark for owner, mark in _marks(text, ends) if owner == symbol]
    if not marks:
        return None
    return GcovReport(
        lines=_share(marks, "line", 1),
        conditions=_share(marks, "branch", 1),
        branches=_share(marks, "branch", 2),
        calls=_share(marks, "call", 1),
        failed=failed,
    )


def _share(marks: Sequence[Mark], what: str, least: int) -> Share:
    """Return how many marks of the kind ``what`` have at least the level ``least``, and how many there are."""
    levels = [level for kind, level in marks if kind == what]
    return sum(level >= least for level in levels), len(levels)


def _marks(text: str, ends: dict[str, int]) -> Iterator[tuple[str, Mark]]:
    """Yield the lines, branches and calls in order, each with the symbol of its function.

    If several functions begin on one line (instances of a template), gcov lists them one after the other, each below a
    ruler and its name. Otherwise, a function's header precedes its first line, even inside another function (a lambda).
    """
    open_functions: list[tuple[str, int]] = []
    section, after_rule = "", False
    for line in text.splitlines():
        if line.startswith(_RULE):
            section, after_rule = "", True
            continue
        header, source = _FUNCTION.match(line), _LINE.match(line)
        if after_rule and line.endswith(":") and not source:
            section = line[:-1]
        elif _FILE.match(line):
            open_functions = []
        elif header and not section:
            open_functions.append((header[1], ends.get(header[1], sys.maxsize)))
        while source and open_functions and int(source[2]) > open_functions[-1][1]:
            open_functions.pop()
        after_rule = False
        owner = section or (open_functions[-1][0] if open_functions else "")
        mark = _mark(line, source)
        if mark and owner:
            yield owner, mark


def _mark(line: str, source: re.Match[str] | None) -> Mark | None:
    """Return the mark of a line of gcov's output; None if the line counts nothing."""
    if source:
        return None if source[1] == "-" else ("line", int(source[1][0].isdigit()))
    arc = _ARC.match(line)
    if arc is None:
        return None
    return arc[1], 0 if arc[2] == "never executed" else 1 + int(arc[3] != "0")


def _ends(text: str) -> dict[str, int]:
    """Return the last source line of each function, by symbol, from gcov's JSON (one document per line)."""
    documents = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    files = [file for document in documents for file in document["files"]]
    return {function["name"]: int(function["end_line"]) for file in files for function in file["functions"]}
