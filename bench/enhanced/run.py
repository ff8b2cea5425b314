"""The standard and the symbolically enhanced fitness, one search a branch (Baars et al. 2011, section V):
``python -m bench.enhanced.run``, in the project's top folder."""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from zeroin import LlvmOptions, LlvmSubject
from zeroin.languages.c.run.lookahead import LlvmFitness
from zeroin.minimize import Domain, Door, Stop, minimize, random_state, warm_up
from zeroin.minimize.base import uniform
from zeroin.objective.enhanced import EnhancedFitness
from zeroin.objective.standard import StandardFitness
from zeroin.subject.base import branches_of
from zeroin.words import Kind, encode, value_range

from ..asking import machine

_HERE = Path(__file__).parent
_RESULTS, _OF_DECLARED = _HERE / "RESULTS.md", _HERE / "RESULTS-declared.md"
_ALL = -1  # outcomes whose being taken is no news: what is covered by the way does not count

Range = tuple[int, int] | tuple[float, float]
# The domain of each parameter; of floats, lengths in points.
DOMAINS: dict[str, Sequence[Range]] = {
    "nested": [(-(10**6), 10**6)] * 3,
    "loop_sum": [(-1000, 1000)] * 3,
    "check_isbn": [(32, 126)] * 11,
    "check_issn": [(-20_000, 20_000)] * 2 + [(32, 126)],
    "triangle": [(-(10**4), 10**4)] * 3,
    "resample": [(0, 64), (0, 16), (0, 10_000), (0, 64), (0, 100_000)],
    "place_image": [(-10_000.0, 10_000.0)] * 4 + [(0, 1)] * 2,
    "defroster": [(0, 1)] * 3 + [(0, 1000), (0, 5000), (0, 100), (-60, 60)],
    "engine": [(-32768, 32767)] * 5,
}
MINIMIZERS = {"AVM": "avm-paper(fixed=2, restart=random)", "GA": "ga"}
FITNESSES = ("standard", "last", "paper's", "enhanced", "both")
_TIMES = 30  # what lies ahead is read, as in the paper
_LONG = 1000  # evaluations of a search in whose time its start does not count
_DISTANCE, _NORMALISATION = "korel", "ratio"


@dataclass
class Searched:
    """The searches for one branch with one minimizer and fitness: what each spent, and whether it took the branch."""

    evaluations: list[int] = field(default_factory=list)
    found: list[bool] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return sum(self.found) / len(self.found)

    @property
    def mean(self) -> float:
        return statistics.mean(self.evaluations)


@dataclass
class Row:
    """One function.

    Attributes:
        function: its name.
        branches: outcomes, by name.
        searched: by branch, minimizer and fitness.
        analysis: milliseconds for what the enhanced fitness reads and compiles beside the subject, several times.
        inputs: the size of the domain.
    """

    function: str
    branches: dict[str, int]
    searched: dict[tuple[str, str, str], Searched] = field(default_factory=dict)
    analysis: Sequence[float] = ()
    inputs: int = 1

    def cells(self, minimizer: str, fitness: str) -> list[Searched]:
        """Of all branches."""
        return [self.searched[branch, minimizer, fitness] for branch in self.branches]

    def evaluations(self, minimizer: str, fitness: str) -> float:
        """On average for a branch."""
        return statistics.mean(cell.mean for cell in self.cells(minimizer, fitness))

    def speed(self, fitness: str) -> float:
        """Million evaluations a second, of searches that were long."""
        timed = [pair for (_, _, used), cell in self.searched.items() if used == fitness
                 for pair in zip(cell.evaluations, cell.seconds, strict=True) if pair[0] >= _LONG]  # fmt: skip
        evaluations, seconds = (sum(column) for column in zip(*timed, strict=True)) if timed else (0, math.inf)
        return evaluations / seconds / 1e6


def domain_of(subject: LlvmSubject, ranges: Sequence[Range]) -> Domain:
    """The words of the ranges."""
    kinds = subject.signature.kinds
    words = []
    for kind, ends in zip(kinds, ranges, strict=True):
        low, high = (encode(kind, end if kind is Kind.F64 else int(end)) for end in ends)
        words.append((low, high))
    return Domain(kinds, tuple(words), ((),) * len(kinds))


Aim = tuple[LlvmSubject, StandardFitness | EnhancedFitness, Callable[[int], None]]
Aims = Sequence[Aim]  # one after the other, each with its part of the evaluations


def declared(subject: LlvmSubject) -> Sequence[Range]:
    """The domain of each parameter as its type has it; of floats, all finite ones."""
    most = sys.float_info.max
    return [(-most, most) if kind is Kind.F64 else value_range(kind) for kind in subject.signature.kinds]


def measure(function: str, runs: int, most: int, reduced: bool = True) -> Row:
    """All branches of a function by all minimizers and fitnesses, each from the same starts.

    ``reduced`` says whether the domains are those of ``DOMAINS``, or as the types have them.
    """
    plain = LlvmSubject(_HERE / "subjects.c", function)
    row = Row(function, {f"{b.site.line}:{b.site.column} {b.label}": b.outcome for b in branches_of(plain.sites)})
    aims: dict[str, Aims] = {}
    for name in ("standard", "last"):
        standard = StandardFitness(len(plain.sites), _DISTANCE, _NORMALISATION, latest=name == "last")
        aims[name] = [(plain, standard, partial(_aim_standard, standard, plain))]
    for name in ("paper's", "enhanced"):
        options = LlvmOptions(ahead=True, ahead_as_paper=name == "paper's")
        read = [_read(function, options) for _ in range(_TIMES)]
        row.analysis = [milliseconds for _, _, _, milliseconds in read]
        subject, address, compiled, _ = read[-1]
        enhanced = EnhancedFitness(len(subject.sites), address, _NORMALISATION)
        aims[name] = [(subject, enhanced, partial(_aim_enhanced, enhanced, compiled))]
    aims["both"] = [*aims["enhanced"], *aims["standard"]]
    domain = domain_of(plain, DOMAINS[function] if reduced else declared(plain))
    row.inputs = math.prod(high - low + 1 for low, high in domain.ranges)
    for branch, outcome in row.branches.items():
        for minimizer in MINIMIZERS:
            for fitness, of_one in aims.items():
                row.searched[branch, minimizer, fitness] = search(of_one, outcome, domain, minimizer, runs, most)
    return row


def _read(function: str, options: LlvmOptions) -> tuple[LlvmSubject, int, LlvmFitness, float]:
    """A subject that writes its state down, where it does, what lies ahead, and how many milliseconds that took."""
    subject = LlvmSubject(_HERE / "subjects.c", function, options)
    assert subject.lookahead is not None
    compiled = subject.lookahead.compiled(_DISTANCE)
    return subject, subject.lookahead.address, compiled, 1000.0 * (subject.lookahead.seconds + compiled.seconds)


def _aim_standard(objective: StandardFitness, subject: LlvmSubject, outcome: int) -> None:
    objective.aim(subject.graph.levels(outcome), _ALL, _ALL)


def _aim_enhanced(objective: EnhancedFitness, compiled: LlvmFitness, outcome: int) -> None:
    objective.aim(outcome, compiled.ahead(outcome), _ALL, _ALL, superfluous=compiled.superfluous(outcome))


def search(aims: Aims, outcome: int, domain: Domain, minimizer: str, runs: int, most: int) -> Searched:
    """For one branch, from so many starts."""
    for _, _, choose in aims:
        choose(outcome)
    searched = Searched()
    for seed in range(runs):
        rng = random_state([seed, outcome])
        evaluations, seconds, found = 0, 0.0, False
        for subject, objective, _ in aims:
            if found:
                break
            question = objective.question
            door = Door(subject.install(question), len(domain.kinds), question, subject.outcome_address)
            door.open(most // len(aims))
            x = np.array([uniform(domain.native, i, rng) for i in range(len(domain.kinds))], dtype=np.int64)
            started = time.thread_time()
            ended = minimize(MINIMIZERS[minimizer], door, domain, x, rng)
            seconds += time.thread_time() - started
            evaluations += ended.evaluations
            found = ended.reason is Stop.ZERO
        searched.evaluations.append(evaluations)
        searched.seconds.append(seconds)
        searched.found.append(found)
    return searched


# ---- the page ----


def render(rows: Sequence[Row], runs: int, most: int, command: str, reduced: bool = True) -> str:
    """The page."""
    other = "`RESULTS-declared.md`" if reduced else "`RESULTS.md`"
    domains = "reduced to values that make sense" if reduced else "as the types of the parameters have them"
    return f"""# One search a branch, with the standard and the enhanced fitness

`{command}`: {machine(("numba", "llvmlite"))}.

{runs} searches for each branch, of {most:,} evaluations at most, each from a random input within the domain; what is
covered by the way does not count. Domains are {domains}. The paper does not reduce them; {other} has the
other ones. The alternating variable method has a fixed precision of two digits and restarts at
random, the genetic algorithm is Wegener's; distances are Korel's, made `d / (d + 1)`.

*standard* is approach level + branch distance where a run came nearest to the target, *last* where it turned away last,
as the paper says. *paper's* is the enhanced fitness as the paper has it; in *enhanced*, what one condition says to be
constant is so in the others of the same way. *both* is *enhanced* for half of the evaluations, then *standard*.

{"".join(_of_minimizer(minimizer, rows) for minimizer in MINIMIZERS)}
## Cost

The size of the domain; milliseconds to read and to compile what lies ahead, for all branches of the function, as the
mean and the standard deviation of {_TIMES} times; million evaluations a second of searches of {_LONG:,} evaluations or
more. Seconds are the processor's, so that other work on the machine does not count.

| function | branches | inputs | analysis | {" | ".join(FITNESSES)} |
| --- | ---: | ---: | ---: |{" ---: |" * len(FITNESSES)}
{chr(10).join(_cost(row) for row in rows)}

## Branches with another success rate

Searches of {runs} that took the branch.

| function | branch | minimizer | {" | ".join(FITNESSES)} |
| --- | --- | --- |{" ---: |" * len(FITNESSES)}
{chr(10).join(line for row in rows for line in _different(row))}
"""


def _of_minimizer(minimizer: str, rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        cells = [f"{sum(any(c.found) for c in row.cells(minimizer, f))}, "
                 f"{statistics.mean(c.rate for c in row.cells(minimizer, f)):.3f}, {row.evaluations(minimizer, f):,.0f}"
                 for f in FITNESSES]  # fmt: skip
        lines.append(f"| {row.function} | {len(row.branches)} | {' | '.join(cells)} |")
    tested = "; ".join(_tested(minimizer, rows, fitness) for fitness in ("paper's", "enhanced", "both"))
    return f"""## {minimizer}

Branches covered by one search or more, mean success rate, mean evaluations.

| function | branches | {" | ".join(FITNESSES)} |
| --- | ---: |{" ---: |" * len(FITNESSES)}
{chr(10).join(lines)}

{tested}.

"""


def _tested(minimizer: str, rows: Sequence[Row], fitness: str) -> str:
    """Evaluations of all branches beside those with the standard fitness, by the paper's test."""
    from scipy.stats import wilcoxon

    pairs = [(a.mean, b.mean) for row in rows
             for a, b in zip(row.cells(minimizer, fitness), row.cells(minimizer, "standard"), strict=True)]  # fmt: skip
    ours, standard = (sum(column) for column in zip(*pairs, strict=True))
    found = wilcoxon([a - b for a, b in pairs], alternative="less", correction=True, zero_method="wilcox")
    means = [100.0 * (row.evaluations(minimizer, fitness) / row.evaluations(minimizer, "standard") - 1) for row in rows]
    test = f"p = {found.pvalue:.1g} (one-sided signed rank test of {len(pairs)} branches)"
    in_all = f"{100.0 * (ours / standard - 1):+.1f} % evaluations in all"
    return f"{fitness}: {in_all}, {statistics.mean(means):+.1f} % on average for a function, {test}"


def _cost(row: Row) -> str:
    speeds = " | ".join(f"{row.speed(fitness):.1f}" for fitness in FITNESSES)
    analysis = f"{statistics.mean(row.analysis):,.0f} ± {statistics.pstdev(row.analysis):,.0f}"
    return f"| {row.function} | {len(row.branches)} | 10^{math.log10(row.inputs):.0f} | {analysis} | {speeds} |"


def _different(row: Row) -> list[str]:
    lines = []
    for branch in row.branches:
        for minimizer in MINIMIZERS:
            rates = [sum(row.searched[branch, minimizer, fitness].found) for fitness in FITNESSES]
            if len(set(rates)) > 1:
                lines.append(f"| {row.function} | {branch} | {minimizer} | {' | '.join(map(str, rates))} |")
    return lines


def main(argv: Sequence[str] | None = None) -> int:
    """Search, and print or write the page."""
    argv = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="python -m bench.enhanced.run", description=__doc__)
    parser.add_argument("--runs", type=int, default=30, metavar="N", help="of each search, seeds 0 to N-1")
    parser.add_argument("--evals", type=int, default=100_000, metavar="N", help="of each search, at most")
    parser.add_argument("--only", action="append", default=[], choices=DOMAINS, metavar="NAME",
                        help="only this function (repeatable)")  # fmt: skip
    parser.add_argument("--declared", action="store_true", help="domains as the types have them; RESULTS-declared.md")
    parser.add_argument("--write", action="store_true", help="write the page to RESULTS.md beside this file")
    options = parser.parse_args(argv)
    reduced = not options.declared
    for minimizer in MINIMIZERS.values():
        warm_up(minimizer)
    rows = []
    for function in options.only or DOMAINS:
        rows.append(measure(function, options.runs, options.evals, reduced))
        print(function, file=sys.stderr, flush=True)
    page = render(rows, options.runs, options.evals, f"python -m bench.enhanced.run {' '.join(argv)}".strip(), reduced)
    print(page)
    if options.write:
        (_RESULTS if reduced else _OF_DECLARED).write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
