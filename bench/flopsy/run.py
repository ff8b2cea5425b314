"""FloPSy's evaluation (table 2, figure 2; row FS5): ``python -m bench.flopsy.run``, in the project's top folder.

Six functions, 30 seeds, 100,000 evaluations: Z3 over the reals alone, and with a random, AVM or ES second phase, as in
the paper (Z3 knows more of multiplication today); the second phases alone; then our own solvers.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from zeroin.config import Budget
from zeroin.solve import solver_named
from zeroin.solve.base import Model, Query, Solver
from zeroin.solve.decorators import Validating
from zeroin.solve.two_phase import FirstPhase, TwoPhase
from zeroin.term.expression import parse
from zeroin.term.sorts import FLOAT64

from ..asking import ask, machine, prepare
from .functions import FUNCTIONS, PAPER

_HERE = Path(__file__).parent
EVALUATIONS = 100_000


class NoModel:
    """A first phase that knows nothing: the second one starts at zeros."""

    def relaxed(self, query: Query, budget: Budget) -> tuple[str, Model | None]:
        return "unknown", None


def two_phase(arithmetic: str | None, first: FirstPhase | None = None) -> Callable[[int], Solver]:
    return lambda seed: Validating(TwoPhase(seed, arithmetic, first))


CONFIGURATIONS: dict[str, Callable[[int], Solver]] = {
    "Z3 (reals) only": two_phase(None),
    "+ random": two_phase("random"),
    "+ AVM (paper)": two_phase("avm-paper"),
    "+ ES (paper)": two_phase("es"),
    "random alone": two_phase("random", NoModel()),
    "AVM (paper) alone": two_phase("avm-paper", NoModel()),
    "ES (paper) alone": two_phase("es", NoModel()),
    "GA alone": two_phase("ga", NoModel()),
    "concolic-walk": lambda seed: solver_named("concolic-walk", seed),
    "mathematical-execution": lambda seed: solver_named("mathematical-execution", seed),
    "portfolio": lambda seed: solver_named("portfolio", seed),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run, and print or write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.flopsy.run", description=__doc__)
    parser.add_argument("--seeds", type=int, default=30, metavar="N", help="seeds 0 to N-1")
    parser.add_argument("--write", action="store_true", help="write the page to RESULTS.md beside this file")
    options = parser.parse_args(argv)
    queries = {name: Query((parse(text, {}, default=FLOAT64),)) for name, text in FUNCTIONS.items()}
    lines, medians = [], []
    for title, make in CONFIGURATIONS.items():
        cells = []
        prepare(make(0))
        for name, query in queries.items():
            budget = Budget(EVALUATIONS if title not in ("portfolio",) else 20_000_000, 30.0)
            outcomes = [ask(make(seed), query, budget) for seed in range(options.seeds)]
            cells.append((sum(o.verdict == "sat" for o in outcomes), statistics.median(o.seconds for o in outcomes)))
            print(f"{title}: {name}: {cells[-1][0]} of {options.seeds}", file=sys.stderr, flush=True)
        complete = sum(count == options.seeds for count, _ in cells)
        lines.append(f"| {title} | " + " | ".join(str(count) for count, _ in cells) + f" | {complete} |")
        medians.append(f"| {title} | " + " | ".join(f"{seconds:.2f}" for _, seconds in cells) + " |")
    page = f"""# FloPSy's evaluation, repeated

Written by `python -m bench.flopsy.run --seeds {options.seeds} --write`: {machine(("z3-solver", "numba"))}.
How many of {options.seeds} seeds find a solution, exact in doubles and evaluated on the condition itself, within
{EVALUATIONS:,} evaluations (portfolio: within 30 s).

| | {" | ".join(FUNCTIONS)} | functions with every seed |
| --- |{" ---: |" * (len(FUNCTIONS) + 1)}
{chr(10).join(lines)}
| the paper, section 4.4 | {" | ".join(PAPER[name] for name in FUNCTIONS)} | Z3 alone 3, ES 5 |

Seconds of wall time, median, the start of a process included:

| | {" | ".join(FUNCTIONS)} |
| --- |{" ---: |" * len(FUNCTIONS)}
{chr(10).join(medians)}
"""
    print(page)
    if options.write:
        (_HERE / "RESULTS.md").write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
