"""``zeroin doctor``: check that zeroin's requirements are present and work, and print what to do if not."""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from .. import cache, scratch
from ..config import Budget, Options
from ..errors import CompileError, MissingDependency, ZeroinError
from ..generate.stopped import Stopped
from ..languages.c.front.compile import compile_all
from ..limits import described, memory_allowed
from ..sandbox import seccomp
from ..sandbox.landlock import SINCE_TRUNCATE, landlock_version
from ..suite.suite import Suite
from ..worker.parent import cover
from ..worker.worker import LEAST_MEMORY, Worker

_C = "int probe(double x) { return x * 3.0 == 7.5 ? 1 : 0; }\n"
_PYTHON = "def probe(x: float) -> int:\n    return 1 if x * 3.0 == 7.5 else 2 if x * x == -1.0 else 0\n"
_UNTIL_COMPILED = Options(Budget(300_000, 60.0), engine="minimize")
_EXTRA = re.compile(r"([\w.-]+).*extra == ['\"](\w+)['\"]")
_NOT_FOR_USERS = ("all", "dev", "docs", "release")  # extras that repeat others, or are for work on zeroin itself
_MACHINES = ("x86_64", "aarch64")
OK, NOTE, PROBLEM = "ok", "note", "problem"


@dataclass(frozen=True)
class DoctorLine:
    """The result of one check.

    Attributes:
        state: ``ok``, ``note`` (a feature is missing or slow) or ``problem``.
        text: the line for the user.
    """

    state: str
    text: str

    def __str__(self) -> str:
        return f"{self.state:<8} {self.text}"


def run(parsed: argparse.Namespace) -> int:
    """Make all checks and print the lines of each; return the exit status: 1 if there is a problem, 0 if not.

    A note is no problem.
    """
    states = set()
    with Worker() as worker:
        subjects = (lambda: c(worker), lambda: native(worker))
        for look in (python, packages, memory, kept, landlock, system_calls, *subjects):
            for line in _lines(look):
                print(line, flush=True)
                states.add(line.state)
    print("\nThere is a problem." if PROBLEM in states else "\nEverything that zeroin needs works.")
    return int(PROBLEM in states)


def _lines(look: Callable[[], Iterator[DoctorLine]]) -> Iterator[DoctorLine]:
    """Yield the lines of a check; an error becomes a line, too: a note for a missing package, else a problem."""
    try:
        yield from look()
    except MissingDependency as error:
        yield DoctorLine(NOTE, str(error))
    except ZeroinError as error:
        yield DoctorLine(PROBLEM, str(error))
    except (OSError, MemoryError) as error:
        yield DoctorLine(PROBLEM, described(error))


def python() -> Iterator[DoctorLine]:
    """Check the interpreter and the machine."""
    what = f"{platform.python_implementation()} {platform.python_version()}, {sys.platform} on {platform.machine()}"
    if sys.version_info < (3, 11) or platform.python_implementation() != "CPython":
        yield DoctorLine(PROBLEM, f"{what}: zeroin needs CPython 3.11 or newer")
    elif sys.platform != "linux" or platform.machine() not in _MACHINES:
        yield DoctorLine(PROBLEM, f"{what}: zeroin is for Linux on {' and '.join(_MACHINES)}")
    else:
        yield DoctorLine(OK, what)


def packages() -> Iterator[DoctorLine]:
    """Check the required packages, and the optional ones of zeroin's extras."""
    needed, extras = list[str](), dict[str, str]()
    for text in requires("zeroin") or []:
        optional = _EXTRA.match(text)
        name = re.split(r"[^\w.-]", text)[0]
        if optional is None:
            needed.append(name)
        elif optional[2] not in _NOT_FOR_USERS:
            extras[name] = optional[2]
    versions = {name: _version(name) for name in (*needed, *extras)}
    yield DoctorLine(OK, "packages: " + ", ".join(f"{name} {its}" for name, its in versions.items() if its))
    for name in needed:
        if not versions[name]:
            yield DoctorLine(PROBLEM, f"{name} is not installed: pip install {name}")
    for name, extra in extras.items():
        if not versions[name]:
            yield DoctorLine(NOTE, f"{name} is not installed, it is optional: pip install 'zeroin[{extra}]'")


def _version(name: str) -> str:
    """Return the version of an installed package; empty if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def memory() -> Iterator[DoctorLine]:
    """Check the processor cores and the available memory."""
    cores = len(os.sched_getaffinity(0))
    free = re.search(r"^MemAvailable:\s*(\d+) kB", Path("/proc/meminfo").read_text(), re.M)
    bytes_free, allowed = int(free[1]) << 10 if free else 0, memory_allowed()
    limit = "" if allowed is None else f", a limit of {allowed >> 20} MB for each process (ulimit -v)"
    what = f"{cores} core{'s' * (cores != 1)}, {bytes_free / 2**30:.1f} GB of memory free{limit}"
    if min(bytes_free, allowed or bytes_free) < LEAST_MEMORY:
        yield DoctorLine(PROBLEM, f"{what}: a worker process needs {LEAST_MEMORY >> 20} MB")
    else:
        yield DoctorLine(OK, what)


def kept() -> Iterator[DoctorLine]:
    """Check the folder for compiled code, which is created if it is missing."""
    place = cache.folder("code")
    if place is None:
        yield DoctorLine(
            PROBLEM,
            "there is no usable cache folder, so each run compiles everything again: set XDG_CACHE_HOME "
            "to a folder that only you can write to",
        )
    else:
        yield DoctorLine(OK, f"compiled code is cached in {place.parent}")


def landlock() -> Iterator[DoctorLine]:
    """Check which version of Landlock, which confines file access of code under test, the kernel has."""
    found = landlock_version()
    if found < 1:
        yield DoctorLine(NOTE, "the kernel has no Landlock: only hooks confine code under test, and compiled "
                   "extensions can bypass them; use Linux 5.13 or newer with landlock in lsm=")  # fmt: skip
    elif found < SINCE_TRUNCATE:
        yield DoctorLine(
            NOTE,
            f"Landlock {found} confines code under test, but does not keep it from emptying files (truncate): use "
            "Linux 6.2 or newer",
        )
    else:
        yield DoctorLine(OK, f"Landlock {found} confines the file access of code under test")


def system_calls() -> Iterator[DoctorLine]:
    """Check that the kernel can block system calls of code under test (seccomp)."""
    if seccomp.is_supported():
        yield DoctorLine(OK, "seccomp blocks system calls of code under test that leave the sandbox")
    else:
        yield DoctorLine(
            NOTE,
            "the kernel has no seccomp filters that zeroin supports: system calls of code under test are not "
            "filtered, only Landlock restricts them",
        )


def c(worker: Worker) -> Iterator[DoctorLine]:
    """Check that a C function can be compiled, run and covered, and that the compiler has sanitizers.

    Raises:
        ZeroinError: it can not be compiled or run.
    """
    suite = _covered("probe.c", _C, Options(Budget(200_000, 30.0)), worker)
    if suite.percent < 100.0:
        yield DoctorLine(PROBLEM, "C: a function was compiled and run, but not covered: please report this")
    else:
        yield DoctorLine(OK, f"C: a function was compiled, run and covered ({suite.evaluations:,} runs)")
    yield sanitizers()


def sanitizers() -> DoctorLine:
    """Check that the compiler has sanitizers, which replays of C inputs use. Without them, the line is a note."""
    with scratch.folder() as folder:
        path = folder / "probe.c"
        path.write_text(_C)
        try:
            compile_all([path], sanitized=True)
        except CompileError as error:
            reason = " ".join(error.output.split())
            return DoctorLine(
                NOTE,
                f"C: the compiler has no sanitizers: inputs are replayed in builds with -O0 and -O2 only ({reason})",
            )
    return DoctorLine(OK, "C: the compiler has sanitizers: inputs are replayed with them, with -O0 and with -O2")


def native(worker: Worker) -> Iterator[DoctorLine]:
    """Check that Numba compiles a Python function.

    Raises:
        ZeroinError: the function can not be run.
    """
    suite = _covered("probe.py", _PYTHON, _UNTIL_COMPILED, worker)
    if suite.engine != "native":
        yield DoctorLine(PROBLEM, f"Python: a function was not compiled by Numba: {suite.engine}")
    else:
        rate = suite.evaluations / max(suite.seconds, 1e-9) / 1e6
        yield DoctorLine(OK, f"Python: a function was compiled by Numba and run ({rate:.1f} million runs a second)")


def _covered(name: str, text: str, options: Options, worker: Worker) -> Suite:
    """Cover the function ``probe`` of a source text, in a temporary file of this name.

    Raises:
        KeyboardInterrupt: the search was interrupted.
        ZeroinError: the function can not be tested.
    """
    with scratch.folder() as folder:
        (folder / name).write_text(text)
        suite = cover(f"{folder / name}:probe", options, worker)
    if suite.stopped is Stopped.INTERRUPTED:
        raise KeyboardInterrupt
    return suite
