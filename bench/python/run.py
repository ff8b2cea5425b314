"""The benchmark's command: ``python -m bench.python.run``, in the project's top folder."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from .campaign import Row, load, run
from .subjects import ENTRIES, Entry
from .table import Results, render, summary
from .tools import TOOLS, Unavailable

_HERE = Path(__file__).parent


def main(argv: Sequence[str] | None = None) -> int:
    """Run tools, render the table; 0 when all could be done, 2 when the request can not be carried out."""
    options = _parser().parse_args(argv)
    tools = [] if options.render else options.tools.split(",")
    entries = [entry for entry in ENTRIES if not options.only or {entry.name, entry.function} & set(options.only)]
    unknown = [name for name in tools if name not in TOOLS]
    if unknown or not entries:
        print(f"bench.python: tools are {', '.join(TOOLS)}; functions are named as in subjects.py", file=sys.stderr)
        return 2
    if find_spec("coverage") is None:
        print("bench.python: branches are counted by coverage.py: pip install coverage", file=sys.stderr)
        return 2
    rows: list[Row] = []
    for tool in tools:
        try:
            rows += _run(tool, entries, options)
        except Unavailable as error:
            print(f"bench.python: {error}", file=sys.stderr)
            return 2
    rows, stale = (rows, 0) if options.alone else load()
    results = Results(ENTRIES, rows, stale, {name: tool.TITLE for name, tool in TOOLS.items()}, machine())
    if options.write:
        path = _HERE / "RESULTS.md"
        path.write_text(render(results))
        print("\n".join(summary(results)))
        print(f"Written to {path}", file=sys.stderr)
    else:
        print(render(results))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.python.run", description=__doc__)
    parser.add_argument(
        "--tools", default="zeroin", metavar="A,B", help=f"of {', '.join(TOOLS)}; zeroin alone if not given"
    )
    parser.add_argument("--seeds", type=_count, default=1, metavar="N", help="run with the seeds 0 to N-1")
    parser.add_argument("--budget", type=float, default=10.0, metavar="S", help="seconds for each function")
    parser.add_argument("--jobs", type=_count, default=1, metavar="N", help="functions at the same time")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this function (repeatable)")
    parser.add_argument("--alone", action="store_true", help="keep nothing of this run, show nothing of others")
    parser.add_argument("--write", action="store_true", help="write the results to RESULTS.md beside this file")
    parser.add_argument("--render", action="store_true", help="run nothing, show what earlier runs have kept")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text}: give at least 1")
    return number


def _run(tool: str, entries: Sequence[Entry], options: argparse.Namespace) -> Iterator[Row]:
    reachable = {entry.name: entry.reachable for entry in entries}
    for row in run(tool, entries, options.seeds, options.budget, options.jobs, not options.alone):
        notes = "; ".join(mode.note for mode in row.modes if mode.note)
        share = f"{len(row.covered)} of {reachable[row.name]}"
        print(f"{tool}, seed {row.seed}: {row.name}: {share}, {row.seconds:.1f} s {notes}", file=sys.stderr, flush=True)
        yield row


def machine() -> str:
    """What the figures depend on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return (
        f"{os.cpu_count()} cores, {models[0] if models else platform.machine()}, {platform.system()}, "
        f"Python {platform.python_version()}, coverage {version('coverage')}"
    )


if __name__ == "__main__":
    sys.exit(main())
