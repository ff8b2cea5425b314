"""How many mutants of a function a test notices: ``python -m bench.mutants.judge SOURCE FIRST LAST TEST``.

It knows nothing of zeroin but that a test in C says in its first lines how it is compiled, and one in Python is run by
pytest. Both read the source from the folder that it is in, of which a copy is made; there the source is replaced by one
mutant after another. A mutant is killed if the test fails, crashes, or takes much longer than with the source as it is.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..emitted import Ran, build, flags_of, program_of, run
from . import in_c, in_python
from .mutant import Mutant, spread

_PATIENCE = 20.0  # times the seconds of the test with the source as it is
_LEAST = 3.0  # seconds
_MEMORY = 4 << 30  # bytes that a test in Python may address
_NONSENSE = {True: b"raise RuntimeError\n", False: b"#error nonsense\n"}


class JudgeError(Exception):
    """The test says nothing about mutants of this source."""


@dataclass(frozen=True)
class Judgement:
    """What became of the mutants.

    Attributes:
        killed: the test notices them.
        survived: it does not.
        same: no test could, as the compiler makes the same machine code of them.
    """

    killed: tuple[Mutant, ...]
    survived: tuple[Mutant, ...]
    same: tuple[Mutant, ...] = ()


def lines_of(source: Path, name: str) -> tuple[int, int]:
    """First and last line of a function.

    Raises:
        LookupError: there is none of this name.
    """
    text = source.read_bytes()
    return in_python.lines_of(text, name) if source.suffix == ".py" else in_c.lines_of(text, name)


def mutants_of(source: Path, first: int, last: int, most: int) -> list[Mutant]:
    """At most so many mutants of these lines, in their order."""
    text = source.read_bytes()
    find = in_python.mutants if source.suffix == ".py" else in_c.mutants
    return spread(find(text, first, last), most)


def judge(project: Path, source: str, lines: tuple[int, int], test: str, most: int) -> Judgement:
    """Run a test against mutants.

    Args:
        project: a folder that has all that the test reads; its name is that of a package, maybe.
        source: where the function is, in that folder.
        lines: first and last one of the function.
        test: the file, in that folder.
        most: mutants that are looked at; those that do not compile do not count.

    Raises:
        JudgeError: the test does not pass on the source as it is, or passes on nonsense.
    """
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        copy = Path(scratch).resolve() / project.name
        shutil.copytree(project, copy, ignore=shutil.ignore_patterns("__pycache__", ".found"))
        where, program = copy / source, copy / test
        original = where.read_bytes()
        trial = _python_trial if program.suffix == ".py" else _c_trial
        started = time.perf_counter()
        if trial(program, 300.0) is not True:
            raise JudgeError("the test does not pass")
        seconds = max(_LEAST, _PATIENCE * (time.perf_counter() - started))
        where.write_bytes(_NONSENSE[program.suffix == ".py"])
        if trial(program, seconds):
            raise JudgeError("the test does not read the source")
        passed: dict[Mutant, bool] = {}
        for one in mutants_of(project / source, *lines, most):
            where.write_bytes(one.applied(original))
            ended = trial(program, seconds)
            if ended is not None:
                passed[one] = ended
        survived = [one for one, passes in passed.items() if passes]
        same = set() if program.suffix == ".py" else set(_same(program, where, original, survived))
    return Judgement(
        tuple(one for one, passes in passed.items() if not passes),
        tuple(one for one in survived if one not in same),
        tuple(one for one in survived if one in same),
    )


# ---- one run of a test: whether it passes; None where the mutant does not compile ----


def _c_trial(test: Path, seconds: float) -> bool | None:
    program_of(test).unlink(missing_ok=True)
    if build(test, ("-O0", "-w")).code != 0:
        return None
    return run([str(program_of(test))], test.parent, seconds).code == 0


def _same(test: Path, source: Path, original: bytes, survived: Sequence[Mutant]) -> Iterator[Mutant]:
    """Those that an optimising compiler makes the same machine code of, as it does of code that is left out by #if."""
    expected = _machine_code(test, source, original) if survived else None
    for one in survived:
        if expected is not None and _machine_code(test, source, one.applied(original)) == expected:
            yield one


def _machine_code(test: Path, source: Path, text: bytes) -> bytes | None:
    source.write_bytes(text)
    made = test.with_suffix(".o")
    made.unlink(missing_ok=True)
    compiler = "cc" if source.suffix == ".c" else "c++"
    flags = [*flags_of(test), "-O2", "-w", "-fno-sanitize=all", "-c", str(source), "-o", str(made)]
    if run([sys.executable, "-m", "ziglang", compiler, *flags], test.parent).code != 0:
        return None
    return made.read_bytes()


def _python_trial(test: Path, seconds: float) -> bool | None:
    """pytest in a child of this process, which has loaded it before."""
    import pytest

    def passes() -> bool:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        sys.dont_write_bytecode = True  # two mutants may be of one size and time
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        arguments = ["-x", "-q", "-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={test.parent}", str(test)]
        return pytest.main(arguments) == 0

    return _in_child(passes, test.parent, seconds).code == 0


def _in_child(body: Callable[[], bool], folder: Path, seconds: float) -> Ran:
    """Run it in a forked process of a group of its own, which is ended when its time is over."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setsid()
            os.chdir(folder)
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            code = 0 if body() else 1
        finally:
            os._exit(code)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return Ran(os.waitstatus_to_exitcode(status), "")
        time.sleep(0.005)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return Ran(-1, "its time was over")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the survivors and the score; 0, or 2 if there is nothing to judge."""
    parser = argparse.ArgumentParser(prog="python -m bench.mutants.judge", description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("first", type=int, help="line of the function")
    parser.add_argument("last", type=int, help="line of the function")
    parser.add_argument("test", type=Path, help="in the folder of the source, or one below")
    parser.add_argument("--most", type=int, default=60, metavar="N", help="mutants that are looked at")
    options = parser.parse_args(argv)
    source, test = options.source.resolve(), options.test.resolve()
    lines = options.first, options.last
    try:
        if not test.is_relative_to(source.parent):
            raise JudgeError(f"{test} is not in {source.parent}, or a folder below")
        if not (source.is_file() and test.is_file()):
            raise JudgeError(f"there is no {test if source.is_file() else source}")
        if not mutants_of(source, *lines, 1):
            raise JudgeError(f"{source}: nothing to mutate from line {options.first} to {options.last}")
        judged = judge(source.parent, source.name, lines, str(test.relative_to(source.parent)), options.most)
    except (JudgeError, SyntaxError) as error:
        print(f"bench.mutants.judge: {error}", file=sys.stderr)
        return 2
    for one in judged.survived:
        print(f"survived  {one}")
    counted = len(judged.killed) + len(judged.survived)
    print(
        f"{len(judged.killed)} of {counted} mutants killed, {len(judged.same)} more make no difference to the compiler."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
