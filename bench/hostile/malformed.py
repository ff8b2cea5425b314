"""Inputs that make no sense: ``python -m bench.hostile.malformed``, in the project's top folder.

Sources, files, expressions and options are made from a seed by damaging good ones. Whatever they are, the command ends
in time, with exit code 0, 1 or 2 and no traceback; with 2 it says why in one line, after the compiler's own message.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from .damage import KINDS, Case, cases
from .faults import told
from .sections import write_section

_LIMIT = 120.0  # seconds
PROBLEMS = ("late", "status", "traceback", "message")


_COMMANDS = ("zeroin cover: ", "zeroin show: ", "zeroin solve: ")


@dataclass(frozen=True)
class Result:
    """What came of one input: problems by kind, its exit status, and the seconds it took."""

    case: Case
    problems: dict[str, str]
    status: int
    seconds: float


def judge(case: Case) -> Result:
    """Run one command, in a child of this process, which has imported what it needs."""
    from zeroin.cli import cover, show, solve  # noqa: F401

    with tempfile.TemporaryDirectory(prefix="malformed-", ignore_cleanup_errors=True) as place:
        for name, content in case.files.items():
            (Path(place) / name).write_bytes(content)
        started = time.monotonic()
        child = os.fork()
        if child == 0:
            _run(case.arguments, place)
        status = _wait(child, started + _LIMIT)
        seconds = time.monotonic() - started
        errors = (Path(place) / ".stderr").read_text(errors="replace")
    problems = {}
    if seconds > _LIMIT:
        problems["late"] = "it had to be ended"
    elif status not in (0, 1, 2):
        problems["status"] = f"{status}: {errors[-160:]}"
    if "Traceback" in errors or "zeroin itself failed" in errors:
        problems["traceback"] = errors.strip().splitlines()[-1]
    ours = [line for line in errors.splitlines() if line.startswith(("zeroin: ", *_COMMANDS))]
    if status == 2 and (len(ours) != 1 or errors.rstrip("\n").splitlines()[-1] != ours[0]):
        problems.setdefault("message", f"{len(ours)} lines: {errors[-160:]}")
    return Result(case, problems, status, seconds)


def _run(arguments: Sequence[str], place: str) -> None:
    """In the child: the command, with files for its output."""
    status = 99
    try:
        os.setpgid(0, 0)
        os.chdir(place)
        for descriptor, name in enumerate((os.devnull, ".stdout", ".stderr")):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), descriptor)
        sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
        from zeroin.cli.main import main

        try:
            status = main(arguments)
        except BaseException:
            import traceback

            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _wait(child: int, until: float) -> int:
    """Its exit status; at the latest, it is ended then."""
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def results_of(chosen: Sequence[Case], jobs: int) -> Iterator[Result]:
    """In their order; what is wrong is told as it comes."""
    with ProcessPoolExecutor(jobs, get_context("fork")) as pool:
        for result in pool.map(judge, chosen):
            if result.problems:
                print(f"{result.case.name}: {told(result.problems)}\n    {result.case.command}", flush=True)
            yield result


def page(results: Sequence[Result], every: int = 1) -> str:
    """The section of RESULTS.md."""
    how = "" if every == 1 else f" --every {every}"
    lines = [
        "# Malformed inputs\n",
        f"Written by `python -m bench.hostile.malformed{how} --write`. *late* is what takes more than {_LIMIT:g} s,",
        "*status* an exit code other than 0, 1 and 2, *message* a refusal (exit code 2) that is not one line.\n",
        f"| | inputs | accepted | without a problem | {' | '.join(PROBLEMS)} | seconds, median | most |",
        f"| --- | ---: | ---: | ---: |{' ---: |' * len(PROBLEMS)} ---: | ---: |",
    ]
    for kind in KINDS:
        mine = [r for r in results if r.case.kind == kind]
        if mine:
            seconds = sorted(r.seconds for r in mine)
            counts = [str(sum(what in r.problems for r in mine)) for what in PROBLEMS]
            lines.append(f"| {kind} | {len(mine)} | {sum(r.status in (0, 1) for r in mine)} | "
                         f"{sum(not r.problems for r in mine)} | {' | '.join(counts)} | "
                         f"{seconds[len(seconds) // 2]:.1f} | {seconds[-1]:.1f} |")  # fmt: skip
    bad = [f"- {r.case.name}: {told(r.problems)}" for r in results if r.problems]
    return "\n".join([*lines, *(["", "Problems:", ""] if bad else []), *bad]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.hostile.malformed", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="those with this in kind:number")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th of a kind")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of all of them")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="commands at the same time")
    parser.add_argument("--keep", metavar="FOLDER", help="write their files there, and run nothing")
    parser.add_argument("--write", action="store_true", help="write the section of RESULTS.md")
    parsed = parser.parse_args()
    chosen = [case for case in cases(parsed.seed) if parsed.only in case.name and case.number % parsed.every == 0]
    if parsed.keep:
        for case in chosen:
            folder = Path(parsed.keep) / case.name.replace(":", "-")
            folder.mkdir(parents=True)
            for name, content in case.files.items():
                (folder / name).write_bytes(content)
            print(f"{folder}: {case.command}")
        return 0
    results = list(results_of(chosen, parsed.jobs))
    text = page(results, parsed.every)
    print(text)
    if parsed.write:
        write_section(text)
    return 1 if any(result.problems for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
