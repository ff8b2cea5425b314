"""The coverage that a suite reaches, as gcc and gcov count it: a judge that is not ours."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import CompileError, MissingDependency, TargetError
from ...subject.base import Outcome
from ...subject.llvm.compile import CXX_SUFFIXES
from ..emit.c import LENIENT, SEMANTICS, c_name, emit_c, user_flags
from ..emit.names import entry_name, is_cxx, is_ir
from ..suite import Suite

Share = tuple[int, int]  # covered, total

_CASE_SECONDS = 10.0
_COUNT = re.compile(r"^(?P<what>[A-Z][a-z ]+):(?P<percent>\d+\.\d+)% of (?P<total>\d+)$", re.M)


@dataclass(frozen=True)
class GcovReport:
    """gcov's summary of the function under test; each number pair is (covered, total).

    Attributes:
        lines: ``Lines executed``.
        conditions: ``Branches executed``: branches whose condition was evaluated, whichever way it went.
        branches: ``Taken at least once``; in C++ gcc counts the ways out by exceptions as well.
        calls: ``Calls executed``.
        failed_cases: cases of the test that gave another result here than when they were kept, or did not end.
    """

    lines: Share
    conditions: Share
    branches: Share
    calls: Share
    failed_cases: int = 0


def measure(suite: Suite, cc: str = "gcc", gcov: str = "gcov", workdir: Path | None = None,
            flags: Sequence[str] = ()) -> GcovReport:  # fmt: skip
    """Compile the suite's C test with coverage, run each case in a process of its own, and ask gcov.

    Args:
        cc: gcc's command.
        gcov: gcov's command; it must be of the same version as gcc.
        workdir: where to leave the test, the program and the counts; a temporary folder when None.
        flags: further flags for gcc, after the target's own.

    Raises:
        MissingDependency: gcc or gcov is not installed.
        CompileError: gcc refuses the test; carries its message.
        TargetError: the target is LLVM IR, which gcc can not read.
    """
    if is_ir(suite.target):
        raise TargetError(f"{suite.target.path}: gcov counts in C and C++ sources; give the source of this IR")
    for command in (cc, gcov):
        if shutil.which(command) is None:
            raise MissingDependency(f"measuring with gcov needs {command!r}, which is not on PATH: install gcc")
    with contextlib.ExitStack() as stack:
        folder = workdir or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="zeroin-gcov-")))
        folder.mkdir(parents=True, exist_ok=True)
        return _measure(suite, cc, gcov, folder.resolve(), flags)


def _measure(suite: Suite, cc: str, gcov: str, folder: Path, flags: Sequence[str]) -> GcovReport:
    test = folder / c_name(suite)
    test.write_text(emit_c(suite, folder))
    notes, counts = test.with_suffix(".gcno"), test.with_suffix(".gcda")
    counts.unlink(missing_ok=True)
    cases = [number for number, kept in enumerate(suite.inputs) if kept.outcome is Outcome.RETURNED]
    compiled = _compile(suite, cc, test, flags, bool(cases))
    failed = 0
    if cases:
        program = _link(suite, cc, compiled, flags)
        failed = sum(not _passes(program, number) for number in cases)
    text = _output([gcov, "-n", "-f", "-b", "-c", str(counts if counts.exists() else notes)], folder, f"{gcov}: failed")
    return _report(text, entry_name(suite.target).symbol, failed, f"{gcov}: no counts for {suite.target.text}")


def _compile(suite: Suite, cc: str, test: Path, flags: Sequence[str], called: bool) -> Path:
    compiled = test.with_suffix(".o")
    # gcc drops a static function that nothing calls, and its branches would not be counted.
    keep = [] if called else ["-fkeep-static-functions", "-fkeep-inline-functions"]
    command = [cc, *_flags(suite, flags, is_cxx(suite.target)), "-O0", "--coverage", *keep, "-c", str(test),
               "-o", str(compiled)]  # fmt: skip
    _output(command, None, f"{suite.target.path}: gcc does not compile its test")
    return compiled


def _link(suite: Suite, cc: str, compiled: Path, flags: Sequence[str]) -> Path:
    """The other files are compiled on the way, without coverage: only the function under test counts."""
    others = suite.target.others
    program = compiled.with_suffix("")
    cxx = is_cxx(suite.target) or any(path.suffix in CXX_SUFFIXES for path in others)
    command = [cc, str(compiled), *(str(path.absolute()) for path in others),
               *_flags(suite, flags, any(path.suffix in CXX_SUFFIXES for path in others)), "-O0",
               "-o", str(program), "-lgcov", *(["-lstdc++"] if cxx else []), "-lm"]  # fmt: skip
    _output(command, None, f"{suite.target.path}: gcc does not link its test")
    return program


def _flags(suite: Suite, flags: Sequence[str], cxx: bool) -> list[str]:
    return [*SEMANTICS, "-w", *([] if cxx else LENIENT), *user_flags(suite.target.cc), *flags]


def _passes(program: Path, number: int) -> bool:
    """Run one case. A process that does not end leaves no counts behind, and spoils those of no other."""
    try:
        done = subprocess.run(
            [str(program), str(number)],
            cwd=program.parent,
            env=_environment(),
            timeout=_CASE_SECONDS,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _output(command: Sequence[str], folder: Path | None, failure: str) -> str:
    done = subprocess.run(command, cwd=folder, env=_environment(), stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace")  # fmt: skip
    if done.returncode != 0:
        raise CompileError(failure, (done.stdout + done.stderr).strip())
    return done.stdout


def _environment() -> dict[str, str]:
    """This process's, with messages in English and the counts written beside the program."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GCOV_PREFIX")}
    return {**kept, "LC_ALL": "C", "LANGUAGE": "C"}


def _report(text: str, symbol: str, failed: int, failure: str) -> GcovReport:
    """Take the function's summary out of gcov's text. gcov leaves out what there is none of."""
    match = re.search(rf"^Function '{re.escape(symbol)}'\n(.*?)(?:\n\n|\Z)", text, re.M | re.S)
    if match is None:
        raise CompileError(failure, text.strip())
    shares = {found["what"]: _share(found) for found in _COUNT.finditer(match[1])}
    none = (0, 0)
    return GcovReport(
        lines=shares.get("Lines executed", none),
        conditions=shares.get("Branches executed", none),
        branches=shares.get("Taken at least once", none),
        calls=shares.get("Calls executed", none),
        failed_cases=failed,
    )


def _share(found: re.Match[str]) -> Share:
    total = int(found["total"])
    return round(float(found["percent"]) * total / 100), total
