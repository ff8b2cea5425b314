"""How fast conditions are: ``python -m bench.concolic_walk.speed CONDITIONS.json``, in the project's top folder.

For each condition of the file (see :mod:`.run`): the time to lower it and compile it, and evaluations a second of its
native distance on one core, in a loop that draws uniform words; nothing else may run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from zeroin import random_state
from zeroin.minimize import minimize, warm_up
from zeroin.objective.condition import Condition
from zeroin.solvers import Query
from zeroin.term import FALSE

from ..asking import machine
from .run import query_of

_HERE = Path(__file__).parent
ROUNDS, EVALUATIONS = 5, 200_000


def measure(query: Query) -> tuple[float, float]:
    """Milliseconds until it can be evaluated, and millions of evaluations a second; medians."""
    times, rates = [], []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        condition = Condition(query.conjuncts)
        times.append(1e3 * (time.perf_counter() - started))
    endless = Condition([*query.conjuncts, FALSE])  # no model ends the loop
    x = np.zeros(len(condition.variables), dtype=np.int64)
    for seed in range(ROUNDS):
        door, started = endless.door(), time.perf_counter()
        door.open(EVALUATIONS)
        minimize("random", door, endless.domain, x, random_state([seed]))
        rates.append(EVALUATIONS / (time.perf_counter() - started) / 1e6)
    return statistics.median(times), statistics.median(rates)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.concolic_walk.speed", description=__doc__)
    parser.add_argument("conditions", type=Path)
    parser.add_argument("--write", action="store_true", help="write the page to RESULTS-speed.md beside this file")
    options = parser.parse_args(argv)
    entries = json.loads(options.conditions.read_text())["conditions"]
    warm_up("random")
    measure(query_of(entries[0]))  # what is loaded once
    rows = [(entry["id"], *measure(query_of(entry))) for entry in entries]
    times, rates = sorted(row[1] for row in rows), sorted(row[2] for row in rows)
    page = f"""# Speed of native conditions

Written by `python -m bench.concolic_walk.speed CONDITIONS.json --write`: {machine(("numba", "llvmlite"))}.
{len(rows)} conditions, medians of {ROUNDS} rounds.

- Lowering and compiling: **{statistics.median(times):.1f} ms in the median**, {times[-1]:.1f} ms at most.
- Evaluations a second on one core: **{statistics.median(rates):.1f} million in the median**, {rates[0]:.1f} at least.

| condition | ms | M/s |
| --- | ---: | ---: |
""" + "\n".join(f"| {name} | {milliseconds:.1f} | {rate:.1f} |" for name, milliseconds, rate in rows)
    print(page)
    if options.write:
        (_HERE / "RESULTS-speed.md").write_text(page + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
