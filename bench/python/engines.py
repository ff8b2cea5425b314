"""What native code earns: ``python -m bench.python.engines``, in the project's top folder; nothing else may run.

Our Python functions and those of real packages are searched with native code and without. Until a function is compiled,
after 100,000 runs, both searches are the same, so the second is made only where the first took longer than that to find
all that it finds; and where Numba can not compile the function, one seed stands for all.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

from zeroin import COVERED, Budget, Options, Suite, Worker, cover

from . import packages
from .subjects import ENTRIES

_PAGE = Path(__file__).with_name("RESULTS-engines.md")
_FIRST_RUNS = 100_000


@dataclass(frozen=True)
class Pair:
    """Branches taken, and seconds until the last was, with native code and without; ``apart``: the searches differ."""

    name: str
    seed: int
    branches: tuple[int, int]
    seconds: tuple[float, float]
    apart: bool

    @property
    def lost(self) -> int:
        return self.branches[0] - self.branches[1]


def functions() -> Iterator[tuple[str, str, str]]:
    """Name, target and types of each."""
    for entry in ENTRIES:
        yield entry.name, f"{entry.source}:{entry.function}", ""
    for group in packages.GROUPS:
        for name in group.functions:
            target = f"{group.module}:{name}"
            yield target, target, packages.types_for(group.types, name, group.module)


class Searches:
    """Searches with the same budget, each thread's in a worker of its own."""

    def __init__(self, budget: float, owned: ExitStack) -> None:
        self.budget, self._owned, self._mine = budget, owned, threading.local()

    def _sandbox(self) -> Worker:
        if not hasattr(self._mine, "sandbox"):
            self._mine.sandbox = self._owned.enter_context(Worker())
        return cast(Worker, self._mine.sandbox)

    def search(self, target: str, options: Options) -> tuple[Suite, int]:
        """The suite, and how many evaluations it took to find all that was found."""
        last = [0]
        suite = cover(target, options, self._sandbox(),
                      lambda live, what: last.append(live.evaluations) if what == "found" else None)  # fmt: skip
        return suite, last[-1]

    def pairs(self, seeds: int, name: str, target: str, types: str) -> list[Pair]:
        """Both searches of a function with each seed."""
        found = []
        for seed in range(seeds):
            options = partial(Options, budget=Budget(seconds=self.budget), types=types, seed=seed, simplify=False)
            suite, last = self.search(target, options())
            if "Numba can not compile it" in suite.engine:
                return [self._pair(name, each, suite, suite, False) for each in range(seeds)]
            apart = last > _FIRST_RUNS
            other = self.search(target, options(native=False))[0] if apart else suite
            found.append(self._pair(name, seed, suite, other, apart))
        return found

    def _pair(self, name: str, seed: int, one: Suite, other: Suite, apart: bool) -> Pair:
        """A search that finds less than the other has used up its time."""
        taken = one.count(COVERED), other.count(COVERED)
        with_, without = (
            self.budget if count < max(taken) else suite.events[-1][0] if suite.events else 0.0
            for suite, count in ((one, taken[0]), (other, taken[1]))
        )  # fmt: skip
        return Pair(name, seed, taken, (with_, without), apart)


def page(pairs: Sequence[Pair], seeds: int, budget: float) -> str:
    """The table, of the functions where native code made a difference with some seed."""
    apart = [p for p in pairs if p.apart]
    lost = [sum(p.lost for p in pairs if p.seed == seed) for seed in range(seeds)]
    all_branches = statistics.median(sum(p.branches[0] for p in pairs if p.seed == seed) for seed in range(seeds))
    total = [sum(p.seconds[n] for p in pairs) / seeds for n in (0, 1)]
    many = [sum(p.seconds[n] for p in apart) / seeds for n in (0, 1)]
    rows = []
    for name in dict.fromkeys(p.name for p in apart):
        mine = [p for p in apart if p.name == name]
        times = " | ".join(f"{statistics.median(p.seconds[n] for p in mine):.2f}" for n in (0, 1))
        rows.append(f"| `{name}` | {len(mine)} | {sum(p.lost for p in mine)} | {times} |")
    ratio = statistics.median(p.seconds[1] / p.seconds[0] for p in apart)
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    return f"""# What native code earns

Written by `python -m bench.python.engines --seeds {seeds} --budget {budget:g} --write`: {machine}.
{len({p.name for p in pairs})} functions, ours and those of `bench.python.packages`, {seeds} seeds, {budget:g} s each.
Where native code had not run before the last find, both searches are one; where Numba can not compile the function, one
seed stands for all. A search that finds less than the other counts with all of its {budget:g} s, so the times without
native code are lower bounds.

- Branches (both outcomes of every condition) that are not taken without native code:
  **{statistics.median(lost):g}** of {all_branches:g} in the median seed, {min(lost)} to {max(lost)}.
- Seconds to the last find, summed over all functions:
  **{total[0]:.1f} with, {total[1]:.1f} without**, {total[1] / total[0]:.1f} times as long.
- In the {len(apart)} searches of {len(rows)} functions where native code ran before the last find:
  {many[0]:.1f} s a seed with, {many[1]:.1f} without; {ratio:.1f} times as long in the median.

| function | searches | branches lost without | s to the last find, with: median | without |
| --- | ---: | ---: | ---: | ---: |
""" + "\n".join(rows)


def main(argv: Sequence[str] | None = None) -> int:
    """Run all searches, print or write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.python.engines", description=__doc__)
    parser.add_argument("--seeds", type=int, default=10, metavar="N", help="seeds 0 to N-1")
    parser.add_argument("--budget", type=float, default=10.0, metavar="S", help="seconds of each search")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="searches at the same time")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this function (repeatable)")
    parser.add_argument("--write", action="store_true", help=f"write the page to {_PAGE.name} beside this file")
    parsed = parser.parse_args(argv)
    packages.use(packages.fetch())
    chosen = [one for one in functions() if not parsed.only or one[0] in parsed.only]
    pairs: list[Pair] = []
    with ExitStack() as owned, ThreadPoolExecutor(parsed.jobs) as pool:
        searches = Searches(parsed.budget, owned)
        for found in pool.map(lambda one: searches.pairs(parsed.seeds, *one), chosen):
            pairs += found
            print(found[0].name, sum(p.apart for p in found), sum(p.lost for p in found), flush=True)
    if not any(found.apart for found in pairs):
        print("native code ran before the last find in none of these searches")
        return 0
    text = page(pairs, parsed.seeds, parsed.budget) + "\n"
    print(text)
    if parsed.write:
        _PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
