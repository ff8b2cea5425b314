"""The standard and the symbolically enhanced fitness, one search a branch (Baars et al. 2011, section V, row SE6):
``python -m bench.enhanced.run``, in the project's top folder."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from zeroin import LlvmOptions, LlvmSubject
from zeroin.minimize import Domain, Door, Stop, minimize, random_state, warm_up
from zeroin.minimize.base import uniform
from zeroin.objective.enhanced import EnhancedFitness
from zeroin.objective.standard import StandardFitness
from zeroin.subject.base import branches_of
from zeroin.words import Kind, encode

_HERE = Path(__file__).parent
_RESULTS = _HERE / "RESULTS.md"
_ALL = -1  # outcomes whose being taken is no news: what is covered by the way does not count

Range = tuple[float, float]
# The domain of each parameter, as the paper bounds them by the types; of floats, lengths in points.
DOMAINS: dict[str, list[Range]] = {
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
FITNESSES = ("standard", "latest", "enhanced")


@dataclass
class Searched:
    """The searches for one branch with one minimizer and fitness.

    Attributes:
        evaluations: of each search.
        found: which of them took the branch.
    """

    evaluations: list[int] = field(default_factory=list)
    found: list[bool] = field(default_factory=list)


@dataclass
class Row:
    """One function.

    Attributes:
        function: its name.
        branches: their names.
        searched: by branch, minimizer and fitness.
        seconds: of all searches, by fitness.
        analysis: milliseconds for what the enhanced fitness reads and compiles beside the subject.
    """

    function: str
    branches: list[str]
    searched: dict[tuple[str, str, str], Searched] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    analysis: float = 0.0


def domain_of(subject: LlvmSubject, ranges: Sequence[Range]) -> Domain:
    kinds = subject.signature.kinds
    words = tuple((encode(kind, low if kind is Kind.F64 else int(low)), encode(kind, high if kind is Kind.F64 else int(high)))
                  for kind, (low, high) in zip(kinds, ranges, strict=True))  # fmt: skip
    return Domain(kinds, words, ((),) * len(kinds))


def measure(function: str, runs: int, most: int, minimizers: Sequence[str]) -> Row:
    """All branches of a function."""
    subject = LlvmSubject(_HERE / "subjects.c", function, LlvmOptions(ahead=True))
    plain = LlvmSubject(_HERE / "subjects.c", function)
    assert subject.lookahead is not None
    compiled = subject.lookahead.compiled("korel", "exponential")
    row = Row(function, [f"{b.site.line}{'T' if b.outcome % 2 == 0 else 'F'}" for b in branches_of(subject.sites)])
    row.analysis = 1000.0 * (subject.lookahead.seconds + compiled.seconds)
    standard = StandardFitness(len(subject.sites))
    latest = StandardFitness(len(subject.sites), latest=True)
    enhanced = EnhancedFitness(len(subject.sites), subject.lookahead.address)
    aims: dict[str, tuple[LlvmSubject, StandardFitness | EnhancedFitness, Callable[[int], None]]] = {
        "standard": (plain, standard, lambda o: standard.aim(plain.graph.levels(o), _ALL, _ALL)),
        "latest": (plain, latest, lambda o: latest.aim(plain.graph.levels(o), _ALL, _ALL)),
        "enhanced": (subject, enhanced, lambda o: enhanced.aim(o, compiled.addresses(o), _ALL, _ALL)),
    }
    domain = domain_of(subject, DOMAINS[function])
    for name, branch in zip(row.branches, branches_of(subject.sites), strict=True):
        for minimizer in minimizers:
            for fitness, (searched, objective, aim) in aims.items():
                aim(branch.outcome)
                cell = row.searched[name, minimizer, fitness] = Searched()
                started = time.perf_counter()
                for seed in range(runs):
                    rng = random_state([seed, branch.outcome])
                    door = Door(searched.install(objective.question), len(domain.kinds), objective.question,
                                searched.outcome_address)  # fmt: skip
                    door.open(most)
                    x = np.zeros(len(domain.kinds), dtype=np.int64)
                    for i in range(len(x)):
                        x[i] = uniform(domain.native, i, rng)
                    found = minimize(MINIMIZERS[minimizer], door, domain, x, rng)
                    cell.evaluations.append(found.evaluations)
                    cell.found.append(found.reason is Stop.ZERO)
                row.seconds[fitness] = row.seconds.get(fitness, 0.0) + time.perf_counter() - started
    return row


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.enhanced.run", description=__doc__)
    parser.add_argument("--runs", type=int, default=30, metavar="N", help="of each search, seeds 0 to N-1")
    parser.add_argument("--evals", type=int, default=100_000, metavar="N", help="of each search, at most")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this function (repeatable)")
    options = parser.parse_args(argv)
    for minimizer in MINIMIZERS.values():
        warm_up(minimizer)
    for function in DOMAINS:
        if options.only and function not in options.only:
            continue
        row = measure(function, options.runs, options.evals, list(MINIMIZERS))
        print(f"{function}: analysis {row.analysis:.0f} ms", {k: f"{v:.1f} s" for k, v in row.seconds.items()})
        for minimizer in MINIMIZERS:
            line = []
            for fitness in FITNESSES:
                cells = [row.searched[b, minimizer, fitness] for b in row.branches]
                line.append(
                    f"{fitness} {sum(any(c.found) for c in cells)}/{len(cells)} success {statistics.mean(sum(c.found) / len(c.found) for c in cells):.3f} evals {statistics.mean(statistics.mean(c.evaluations) for c in cells):.0f}"
                )
            print("   ", minimizer, "; ".join(line))
            for b in row.branches:
                rates = [sum(row.searched[b, minimizer, f].found) for f in FITNESSES]
                means = [statistics.mean(row.searched[b, minimizer, f].evaluations) for f in FITNESSES]
                if len(set(rates)) > 1 or max(means) > 1.3 * min(means) + 50:
                    print("        ", b, rates, [f"{m:.0f}" for m in means])
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
