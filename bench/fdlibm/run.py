"""The benchmark's command: ``python -m bench.fdlibm.run``, in the project's top folder."""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from zeroin import Budget, Options, ZeroinError

from .campaign import Round, Search, Way, cover_as_coverme, cover_by_chance, cover_with, coverme, run, warm_up
from .functions import functions_of
from .sources import Library, fetch, netlib
from .speed import Speed, speeds
from .subjects import ENTRIES, Entry
from .table import Results, render, summary

_HERE = Path(__file__).parent
STARTS = ("bits", "small")  # of CoverMe's configuration
_PACKAGES = ("zeroin", "numba", "llvmlite", "numpy", "ziglang")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; 0 when everything could be done, 2 when the request can not be carried out."""
    argv = list(sys.argv[1:] if argv is None else argv)
    options = _parser().parse_args(argv)
    try:
        Budget(seconds=options.budget)
        entries = [e for e in ENTRIES if not options.only or e.function in options.only]
        unknown = set(options.only) - {e.function for e in entries}
        if unknown:
            raise ZeroinError(f"--only {unknown.pop()}: there are {', '.join(e.function for e in ENTRIES)}")
        library = netlib(options.source) if options.source else fetch(_HERE / "work", options.deb)
        results = _run(options, library, entries, argv)
    except ZeroinError as error:
        print(f"bench.fdlibm: {error}", file=sys.stderr)
        return 2
    _tell_results(results, options)
    return 1 if results.errors else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.fdlibm.run", description=__doc__)
    parser.add_argument("--seeds", type=_count, default=1, metavar="N", help="search with the seeds 0 to N-1")
    parser.add_argument("--budget", type=float, default=1.0, metavar="S", help="seconds of search for each function")
    parser.add_argument("--jobs", type=_count, default=2, metavar="N", help="functions searched at the same time")
    parser.add_argument("--paper", action="store_true", help="show the paper's figures beside ours")
    parser.add_argument("--random", action="store_true", help="do the same by random testing")
    parser.add_argument("--coverme", type=_count, default=0, metavar="N",
                        help="do the same in CoverMe's configuration: two kinds of starts, N seeds")  # fmt: skip
    parser.add_argument("--engine", metavar="NAME", help="search by one strategy alone, as zeroin cover --engine does")
    parser.add_argument("--speed", action="store_true", help="compare the search's speed with the plain functions'")
    parser.add_argument("--source", type=Path, metavar="DIR", help="a folder of netlib's fdlibm 5.3 to use instead")
    parser.add_argument("--deb", type=Path, metavar="FILE", help="the package of newlib's sources, if it is at hand")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this function (repeatable)")
    parser.add_argument("--write", action="store_true",
                        help="write RESULTS.md beside this file; with --engine NAME, RESULTS-NAME.md")  # fmt: skip
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: give at least 1")
    return number


def _run(options: argparse.Namespace, library: Library, entries: list[Entry], argv: Sequence[str]) -> Results:
    def rounds(name: str, search: Search, seeds: int) -> list[Round]:
        warm_up(library, entries[0], search)
        return [_round(options, library, entries, seed, name, search) for seed in range(seeds)]

    # Nothing else runs while the speed is measured.
    measured, failures = speeds(library, entries, _tell_speed) if options.speed else ([], [])
    searched = rounds(options.engine or "zeroin", cover_with(options.engine or Options.engine), options.seeds)
    ways = []
    if options.random:
        text = "random testing, uniform over all bit patterns"
        ways.append(Way("random", text, rounds("random", cover_by_chance, options.seeds)))
    for starts in STARTS if options.coverme else ():
        text = f'CoverMe\'s configuration (`--engine minimize --distance squared --minimizer "{coverme(starts)}"`)'
        done = rounds(f"CoverMe's configuration, {starts}", cover_as_coverme(starts), options.coverme)
        ways.append(Way(starts, text, done))
    every = [*searched, *(one for way in ways for one in way.rounds)]
    errors = [*failures, *(f"seed {r.seed}: {error}" for r in every for error in r.errors)]
    return Results(
        library.name, shlex.join(["python", "-m", "bench.fdlibm.run", *argv]), machine(), options.budget,
        options.jobs, searched, ways, measured, options.paper, errors, options.engine or "",
    )  # fmt: skip


def _round(options: argparse.Namespace, library: Library, entries: list[Entry], seed: int, name: str,
           search: Search) -> Round:  # fmt: skip
    done = run(library, entries, Budget(seconds=options.budget), seed, options.jobs, search)
    print(f"{name}, seed {seed}: {done.covered} of {done.total} branches, {done.wall:.1f} s", file=sys.stderr)
    return done


def _tell_speed(speed: Speed) -> None:
    print(f"speed of {speed.function}: {speed.ratio:.2f}", file=sys.stderr)


def _tell_results(results: Results, options: argparse.Namespace) -> None:
    """The page on standard output; with ``--write`` it goes to a file, and only the summary is printed."""
    page = render(results)
    if not options.write:
        print(page)
        return
    kinds = [kind for kind in ("netlib" if options.source else "", options.engine) if kind]
    path = _HERE / f"{'-'.join(['RESULTS', *kinds])}.md"
    path.write_text(page)
    print("\n".join(summary(results, functions_of(results.rounds, results.ways))))
    print(f"Written to {path}", file=sys.stderr)


# ---- where it ran ----


def machine() -> tuple[str, ...]:
    """What the figures depend on, a line each."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    versions = [f"{name} {_version(name)}" for name in _PACKAGES]
    return (
        f"{cores} cores, {_processor()}, {platform.system()}",
        f"Python {platform.python_version()}, {', '.join(versions)}",
        f"gcc {_first_line('gcc', '-dumpfullversion')}; {_first_line('gcov', '--version')}",
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


def _first_line(*command: str) -> str:
    if shutil.which(command[0]) is None:
        return f"no {command[0]}"
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return lines[0] if lines else "unknown"


if __name__ == "__main__":
    sys.exit(main())
