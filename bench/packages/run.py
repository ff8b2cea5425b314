"""Real libraries by exploration (Lakhotia et al. 2010, section 4.2): ``python -m bench.packages.run``, in the
project's top folder.

Two C libraries (ERFA, musl's mathematics) and two Python packages (geographiclib, utm), unmodified. Each function has a
process of its own for each engine.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from zeroin import ZeroinError

from ..asking import machine
from .exploring import ENGINES, Asked, Explored, apart, prepare, together
from .functions import Function, functions, source_lines

_RESULTS = Path(__file__).with_name("RESULTS.md")
_PASSED = {"AVM": "Z3, AVM", "ES": "Z3, ES"}  # the second phases of the paper's figures


@dataclass
class Row:
    """One function.

    Attributes:
        function: which.
        sites: how many conditions it has, its callees' included.
        refused: why it can not be driven.
        found: by engine.
    """

    function: Function
    sites: int = 0
    refused: str = ""
    found: dict[str, Explored] = field(default_factory=dict)


def measure(function: Function, seconds: float) -> Row:
    """By every engine, unless it has no conditions or can not be driven."""
    try:
        subject = function.load()
    except ZeroinError as error:
        return Row(function, refused=str(error))
    row = Row(function, len(subject.sites))
    if row.sites:
        for engine in ENGINES:
            row.found[engine] = apart(subject, engine, seconds)
        told = ", ".join(f"{engine} {found.covered}" for engine, found in row.found.items())
        total = row.found["zeroin"].total
        print(f"{function.package} {function.name}, of {total}: {told}", file=sys.stderr, flush=True)
    return row


# ---- the page ----


def render(rows: Sequence[Row], options: argparse.Namespace) -> str:
    """The page."""
    packages = list(dict.fromkeys(row.function.package for row in rows))
    every = f" --every {options.every}" if options.every > 1 else ""
    parts = [
        "# Real libraries, by exploration\n",
        f"`python -m bench.packages.run --seconds {options.seconds:g} --jobs {options.jobs}{every} --write`: "
        f"{machine(('z3-solver', 'bitwuzla', 'cvc5', 'ziglang'))}.\n",
        f"{options.seconds:g} s of exploration for each function and engine. `zeroin` is `--engine explore`. The "
        "others explore in the same way, but ask FloPSy's solvers: Z3 over the reals, whose model a search then "
        "corrects, at random, by the alternating variable method, or by an evolution strategy. Covered are outcomes of "
        "conditions, those of functions that are called included; no outcome is known to be infeasible here.",
        "\n## The libraries (the paper's Table 3)\n",
        *_libraries(rows, packages),
        "\n## Coverage (Table 4)\n",
        *_coverage(rows, packages),
        "\n## What the second phase was asked (Table 5)\n",
        "How often Z3's model had to be corrected, in how many functions, and what came of it.\n",
        *_second_phase(rows, packages),
        "\n## What zeroin's solvers were asked\n",
        "In this order, until one knows; the last only for branches that are still to be covered, or where nothing "
        "else is left.\n",
        *_solvers(rows),
        "\n## What the queries are made of (Figures 3 and 4)\n",
        "The share of zeroin's queries that have variables of a sort, and operators. **AVM**, **ES**: of the queries "
        "of all libraries that were passed to these, as in the paper's figures.\n",
        *_made_of(rows, packages),
    ]
    return "\n".join(parts) + "\n"


def _libraries(rows: Sequence[Row], packages: Sequence[str]) -> Iterator[str]:
    yield "| library | SLOC | functions | refused | without a condition | explored | outcomes |"
    yield "| --- |" + " ---: |" * 6
    for package in packages:
        own = [row for row in rows if row.function.package == package]
        explored = [row for row in own if row.found]
        outcomes = sum(row.found["zeroin"].total for row in explored)
        refused = sum(bool(row.refused) for row in own)
        lines = sum(map(source_lines, {path for row in own for path in row.function.files}))
        cells = (package, f"{lines:,}", len(own), refused, len(own) - refused - len(explored), len(explored), outcomes)
        yield f"| {' | '.join(map(str, cells))} |"


def _coverage(rows: Sequence[Row], packages: Sequence[str]) -> Iterator[str]:
    yield f"| library | {' | '.join(f'{e}: covered | s | failed' for e in ENGINES)} |"
    yield "| --- |" + " ---: |" * 3 * len(ENGINES)
    for package in (*packages, ""):
        explored = [row for row in rows if row.found and package in ("", row.function.package)]
        total = sum(row.found["zeroin"].total for row in explored)
        cells = []
        for engine in ENGINES:
            found = [row.found[engine] for row in explored]
            covered = sum(one.covered for one in found)
            seconds = sum(one.seconds for one in found) / max(1, len(found))
            share = 100 * covered / max(1, total)
            cells.append(f"{covered} ({share:.1f} %) | {seconds:.1f} | {sum(one.died for one in found)}")
        yield f"| {package or '**all**'} | {' | '.join(cells)} |"


def _second_phase(rows: Sequence[Row], packages: Sequence[str]) -> Iterator[str]:
    yield "| library | engine | invoked | functions | succeeded | timed out | failed | seconds |"
    yield "| --- | --- |" + " ---: |" * 6
    for package in packages:
        for engine, name in list(ENGINES.items())[1:]:
            own = [row.found[engine].solvers.get(name, Asked())
                   for row in rows if row.found and row.function.package == package]  # fmt: skip
            total = sum(own, Asked())
            yield (f"| {package} | {engine} | {total.asked} | {sum(one.asked > 0 for one in own)} | {total.solved} "
                   f"| {total.timed_out} | {total.failed} | {total.seconds:.1f} |")  # fmt: skip


def _solvers(rows: Sequence[Row]) -> Iterator[str]:
    yield "| solver | asked | a model | no solution | timed out | gave up | seconds |"
    yield "| --- |" + " ---: |" * 6
    for name, asked in together(row.found["zeroin"].solvers for row in rows if row.found).items():
        yield (f"| {name} | {asked.asked} | {asked.solved} | {asked.refuted} | {asked.timed_out} | {asked.failed} "
               f"| {asked.seconds:.1f} |")  # fmt: skip


def _made_of(rows: Sequence[Row], packages: Sequence[str]) -> Iterator[str]:
    heads = [*packages, *_PASSED]
    yield f"| | {' | '.join(heads)} |"
    yield "| --- |" + " ---: |" * len(heads)
    explored = [row for row in rows if row.found]
    found = {package: [row.found["zeroin"] for row in explored if row.function.package == package]
             for package in packages}  # fmt: skip
    found |= {head: [row.found[engine] for row in explored] for head, engine in _PASSED.items()}
    queries = {head: max(1, sum(a.asked for one in of for n, a in one.solvers.items()
                                if n == ("propagation" if head in packages else ENGINES[_PASSED[head]])))
               for head, of in found.items()}  # fmt: skip
    for what in ("sorts", "operators"):
        counts = {head: sum((getattr(one, what if head in packages else f"passed_{what}") for one in of),
                            Counter[str]()) for head, of in found.items()}  # fmt: skip
        for name, _ in sum(counts.values(), Counter[str]()).most_common(24):
            cells = [f"{min(100.0, 100 * counts[head][name] / queries[head]):.0f} %" for head in heads]
            yield f"| {name} | {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="python -m bench.packages.run", description=(__doc__ or "").split(":")[0])
    parser.add_argument("--seconds", type=float, default=5.0, metavar="S", help="for each function and engine")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="functions at the same time")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th of ERFA's functions")
    parser.add_argument("--only", default="", metavar="TEXT", help="functions with this in LIBRARY NAME")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md")
    parsed = parser.parse_args(arguments)
    try:
        every = [f for f in functions() if parsed.only in f"{f.package} {f.name}"]
    except ZeroinError as error:
        print(f"bench.packages: {error}", file=sys.stderr)
        return 2
    erfa = [function for function in every if function.package == "ERFA"][:: parsed.every]
    chosen = [function for function in every if function.package != "ERFA" or function in erfa]
    prepare()
    with ThreadPoolExecutor(parsed.jobs) as pool:
        rows = list(pool.map(lambda function: measure(function, parsed.seconds), chosen))
    page = render(rows, parsed)
    print(page)
    if parsed.write and not parsed.only:
        _RESULTS.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
