"""How long a second's work of each solver takes: what the figures in zeroin/solvers/work_clock.py are taken from.

Solvers are asked which inputs take the branches of fdlibm's functions, each with the same limit to its work.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.asking import machine
from bench.fdlibm.campaign import target_of
from bench.fdlibm.sources import fetch
from bench.fdlibm.subjects import ENTRIES

from zeroin import Budget, LlvmSubject
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.c.options import LlvmOptions
from zeroin.solvers import Query, Solver, work_clock
from zeroin.solvers.base import Unknown
from zeroin.solvers.chain import SOLVERS, checked

NAMES = ("propagation", "intervals", "mathematical-execution", "concolic-walk", "bitwuzla", "cvc5", "z3")
_ENOUGH = 0.005  # seconds
PAGE = Path(__file__).with_name("RESULTS-work.md")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.work", description=__doc__)
    parser.add_argument("--every", type=int, default=10, metavar="N", help="ask about one branch in N (default 10)")
    parser.add_argument("--work", type=float, default=0.2, metavar="SECONDS", help="of work a query (default 0.2)")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args(argv)
    queries = [*_queries(options.every)]
    rows = [_row(name, queries, options.work) for name in NAMES]
    page = "\n".join(["# What a second of work is worth", "", *_about(options, len(queries)), "", *_HEAD, *rows, ""])
    print(page)
    if options.write:
        PAGE.write_text(page)
    return 0


def _queries(every: int) -> Iterator[Query]:
    library = fetch(Path(__file__).with_name("fdlibm") / "work")
    number = 0
    for entry in ENTRIES:
        target = target_of(library, entry)
        arrays = tuple(map(ArraySpec.parse, entry.arrays))
        options = LlvmOptions(cc=target.cc, others=target.others, arrays=arrays)
        subject = LlvmSubject(target.path, target.function, options)
        for outcome in range(2 * len(subject.sites)):
            number += 1
            if number % every == 0:
                yield Query((subject.reach(outcome).condition,))


def _row(name: str, queries: Sequence[Query], limit: float) -> str:
    solver = checked(SOLVERS[name](0))
    solver.ready()
    ratios, known = list[float](), 0
    for query in queries:
        known += _ask(solver, query, limit, ratios)
    tenths = statistics.quantiles(ratios, n=10) if len(ratios) > 1 else [0.0] * 9
    figures = " | ".join(f"{tenths[n]:.2f}" for n in (0, 4, 8))
    return f"| {name} | {known} | {len(ratios)} | {figures} |"


def _ask(solver: Solver, query: Query, limit: float, ratios: list[float]) -> bool:
    """Whether it knows; the seconds for a second of work are noted where there is enough to measure."""
    started, before = time.process_time(), work_clock.done()
    answer = solver.solve(query, Budget(10**9, 60.0, limit))
    seconds, spent = time.process_time() - started, work_clock.done() - before
    if max(seconds, spent) > _ENOUGH:
        ratios.append(seconds / spent)
    return not isinstance(answer, Unknown)


_HEAD = (
    "| solver | answers | measured | first tenth | median | last tenth |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
)


def _about(options: argparse.Namespace, count: int) -> list[str]:
    return [
        f"`python -m bench.work --every {options.every} --work {options.work:g} --write`: "
        f"{machine(['z3-solver', 'bitwuzla', 'cvc5'])}.",
        "",
        f"Which inputs take a branch of fdlibm's: {count} queries, {options.work:g} s of work for each. Seconds of a",
        "processor for a second of work (`zeroin/solvers/work_clock.py`), where one of both is 5 ms or more.",
    ]


if __name__ == "__main__":
    sys.exit(main())
