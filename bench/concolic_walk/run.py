"""Part one of the Concolic Walk benchmarks (Dinges & Agha 2014): CORAL's conditions by every solver, and ablations.

``python -m bench.concolic_walk.run CONDITIONS.json``, in the project's top folder. The file has the conditions of the
Concolic Walk corpus in Python's syntax: ``{"conditions": [{"id", "variables": [{"name", "type": "double" | "int"}],
"condition", "in_concolic_walk_corpus", "known_status": "sat" | "unsat" | "unknown"}]}``.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from zeroin import Budget, ZeroinError
from zeroin.solvers import PAPER, SOLVERS, ConcolicWalk, Query, Solver, solver_named
from zeroin.solvers.concolic_walk import prepare as prepare_walk
from zeroin.solvers.linear import inner_point, linear_parts
from zeroin.term import FLOAT64, INT, parse
from zeroin.term.llvm.compile import Unlowerable

from ..asking import Outcome, ask, machine, prepare
from .baselines import ABLATIONS

_HERE = Path(__file__).parent
Make = Callable[[int], Solver]
Rounds = dict[str, list[dict[str, Outcome]]]  # by solver, by seed, by condition
_ORDER = ("portfolio", "mathematical-execution", "concolic-walk", "two-phase-avm", "two-phase-es", "two-phase-ga",
          "two-phase-random", "concretisation", "z3", "cvc5", "bitwuzla")  # fmt: skip
# What differs from the paper, and the row that has it.
DIFFERENCES = {
    "T = max(0.5 n, 3)": "The paper has T = min(0.5 n, 3) for n variables, rounded up to steps. The authors' solver, "
    "and ours, has max.",
    "overshoot": "For an inequality, the authors' solver, and ours, goes up to 2.5 times further than the bisection "
    "step.",
    "disjunctions": "Section 5.3 leaves disjunctions open. Ours estimates the nearest disjunct of a violated one.",
    "cached errors": "Errors of constraints without a changed variable are kept (section 5.3); that changes no walk, "
    "only its time, see below.",
    "again until the time is over": "The paper walks once. Ours walks again.",
}
NOT_MEASURED = (
    "A random step's deviation s has no value in the paper. Here, it is a power of two from 2^-12 to 2^11, drawn for "
    "each step; the authors' solver has that range, too, with uniform numbers. `s = 1` and so on fix it.",
    "Algorithm 2 has error 0 for a violated strict inequality at its border; ours is the least number above 0, so "
    "that 0 means solved.",
    "The authors' solver also tries 0, 1, -1 and the largest and the smallest double; the paper does not, nor do we.",
    "The conditions are evaluated natively; known models are walked from first, of which this bench has none (both "
    "section 5.3).",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run, and print or write the page; 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.concolic_walk.run", description=__doc__)
    parser.add_argument("conditions", type=Path)
    parser.add_argument("--seeds", type=int, default=7, metavar="N", help="seeds 0 to N-1")
    parser.add_argument("--budget", type=float, default=1.0, metavar="S", help="seconds for each condition")
    parser.add_argument("--solver", action="append", choices=[*SOLVERS], help="only this one (repeatable)")
    parser.add_argument("--write", action="store_true", help="write the page to RESULTS.md beside this file")
    options = parser.parse_args(argv)
    try:
        entries = json.loads(options.conditions.read_text())["conditions"]
        queries = {entry["id"]: query_of(entry) for entry in entries}
    except (OSError, ValueError, KeyError, ZeroinError) as error:
        print(f"bench.concolic_walk: {error}", file=sys.stderr)
        return 2
    known = {entry["id"]: entry["known_status"] for entry in entries}
    corpus = [entry["id"] for entry in entries if entry["in_concolic_walk_corpus"]]
    budget = Budget(1 << 62, options.budget)

    def run(title: str, make: Make, names: Sequence[str], seeds: int) -> list[dict[str, Outcome]]:
        rounds = []
        prepare(make(0))
        for seed in range(seeds):
            rounds.append({name: ask(make(seed), queries[name], budget) for name in names})
            found = sum(o.verdict == "sat" for o in rounds[-1].values())
            print(f"{title}, seed {seed}: {found} of {len(names)}", file=sys.stderr, flush=True)
        return rounds

    solved = {}
    for name in options.solver or _ORDER:
        seeds = 1 if name in ("z3", "cvc5", "bitwuzla") else options.seeds  # no random choices
        solved[name] = run(name, partial(solver_named, name), list(queries), seeds)
    ablated = {
        title: run(title, partial(ConcolicWalk, options=walk), corpus, options.seeds)
        for title, walk in ABLATIONS.items()
        if not options.solver
    }
    cache = None if options.solver else cache_seconds([queries[name] for name in corpus], options.seeds)
    page = render(options, known, corpus, solved, ablated, cache)
    print(page)
    if options.write:
        (_HERE / "RESULTS.md").write_text(page)
    wrong = sum(o.wrong(known[n]) for rounds in solved.values() for each in rounds for n, o in each.items())
    return int(wrong > 0)


def query_of(entry: dict[str, Any]) -> Query:
    """The condition as terms. The corpus rounds as Java does: down from halves up."""
    sorts = {v["name"]: INT if v["type"] == "int" else FLOAT64 for v in entry["variables"]}
    text = re.sub(r"\bround\(", "floor(0.5 + ", entry["condition"])
    return Query((parse(text, sorts),))


@dataclass(frozen=True)
class CacheSeconds:
    """What keeping errors saves, in CPU seconds of the same walks.

    Attributes:
        conditions: how many were walked.
        helped: of these, those with conjuncts of different variables, where errors can be kept.
        without: seconds of these without.
        cached: with.
    """

    conditions: int
    helped: int
    without: float
    cached: float


def cache_seconds(queries: Sequence[Query], seeds: int) -> CacheSeconds:
    """Walk the same walks with and without kept errors, one after the other."""
    seconds, conditions, helped = {False: 0.0, True: 0.0}, 0, 0
    for query in queries:
        parts = query.conjuncts
        linear = linear_parts(parts)
        try:
            condition, problem = prepare_walk(query, parts, linear)
        except Unlowerable:
            continue
        point = inner_point(linear, query.variables)
        if point is None:
            continue
        conditions += 1
        if all(problem.uses.all(axis=1)):
            continue
        helped += 1
        values = {v.data: int(x) if v.sort == INT else x for v, x in zip(query.variables, point, strict=True)}
        start, door = condition.words(values), condition.door()
        steps = PAPER.steps * max(1, len(parts) - len(linear))
        for turn in range(seeds):
            for cached in (False, True):
                door.open(1 << 40)
                solver = ConcolicWalk(0, replace(PAPER, cached=cached))
                started = time.process_time()
                solver.walk_from(door, condition, problem, start, steps, turn)
                seconds[cached] += time.process_time() - started
    return CacheSeconds(conditions, helped, seconds[False], seconds[True])


def render(options: argparse.Namespace, known: dict[str, str], corpus: list[str], solved: Rounds,
           ablated: Rounds, cache: CacheSeconds | None = None) -> str:  # fmt: skip
    """The page."""
    inside = [name for name in corpus if known[name] == "sat"]
    others = [name for name in known if name not in corpus]
    lines, missed = [], []
    for solver, rounds in solved.items():
        sat = [sum(each[n].verdict == "sat" for n in inside) for each in rounds]
        more = [sum(each[n].verdict == "sat" for n in others) for each in rounds]
        unknown = [sum(each[n].verdict == "sat" for n in known if known[n] == "unknown") for each in rounds]
        unsat = [sum(each[n].verdict == "unsat" for n in known) for each in rounds]
        wrong = sum(o.wrong(known[n]) for each in rounds for n, o in each.items())
        seconds = statistics.median(o.seconds for each in rounds for o in each.values())
        lines.append(f"| {solver} | {len(rounds)} | {min(sat)} | {statistics.median(sat):g} | {min(more)} "
                     f"| {min(unknown)} | {min(unsat)} | {wrong} | {seconds:.3f} |")  # fmt: skip
        never = [n for n in [*inside, *others] if known[n] == "sat" and any(e[n].verdict != "sat" for e in rounds)]
        missed.append(f"- {solver}: {', '.join(never) if len(never) <= 12 else f'{len(never)} conditions'}")
    return f"""# CORAL's conditions

Written by
`python -m bench.concolic_walk.run CONDITIONS.json --seeds {options.seeds} --budget {options.budget:g} --write`:
{machine(("z3-solver", "bitwuzla", "cvc5", "numba"))}.
{len(known)} conditions, {options.budget:g} s each, in a process of its own; every model is evaluated on the condition
in doubles. {len(corpus)} are the corpus of the Concolic Walk paper, {len(inside)} of these are known to be satisfiable
and one is not; the authors' solver, run on the same conditions, solves 52 in the median, CORAL 54, all known tools
together 60. They are Java's conditions, read here as Python's: what raises an exception (a division by zero, `log(0)`,
a power that is too large) is not true, where Java goes on with an infinity or NaN. Z3, cvc5 and Bitwuzla know nothing
of `sin` or `exp`; whether a model of theirs holds where these occur is chance.

| solver | seeds | satisfied of the {len(inside)}: worst seed | median | of the {len(others)} others | of unknown \
status | proved unsatisfiable | wrong | seconds, median |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{chr(10).join(lines)}

Satisfiable conditions that some seed did not solve:

{chr(10).join(missed)}
{_ablations(ablated, inside)}{_differences(ablated, inside)}{_cache(cache)}"""


def _ablations(ablated: Rounds, inside: list[str]) -> str:
    """The table of the concolic walk with parts of it changed; Mann and Whitney's U against the paper's parameters."""
    from scipy.stats import mannwhitneyu

    if not ablated:
        return ""
    counts = {
        title: [sum(each[n].verdict == "sat" for n in inside) for each in rounds] for title, rounds in ablated.items()
    }
    base = next(iter(counts.values()))
    lines = []
    for title, found in counts.items():
        p = mannwhitneyu(found, base).pvalue if found is not base and set(found + base) != {found[0]} else 1.0
        lines.append(f"| {title} | {min(found)} | {statistics.median(found):g} | {max(found)} | {p:.3f} |")
    return f"""
## Concolic walk with parts of it changed

Satisfied of the {len(inside)}, by seed; p of the two-sided test of Mann and Whitney against the first line.

| | worst | median | best | p |
| --- | ---: | ---: | ---: | ---: |
{chr(10).join(lines)}
"""


def _differences(ablated: Rounds, inside: list[str]) -> str:
    """The list of what differs from the paper."""
    if not ablated:
        return ""
    medians = {
        title: statistics.median(sum(each[n].verdict == "sat" for n in inside) for each in rounds)
        for title, rounds in ablated.items()
    }
    base, last = next(iter(medians.values())), next(reversed(ablated))
    lines = [f"- {text} Alone, it solves {medians[title]:g} in the median instead of {base:g} (`{title}`)."
             for title, text in DIFFERENCES.items()]  # fmt: skip
    return f"""
## Where this differs from the paper

All of these together solve {medians[last]:g} in the median, the paper's algorithm {base:g}.

{chr(10).join(lines)}
{chr(10).join(f"- {text}" for text in NOT_MEASURED)}
"""


def _cache(cache: CacheSeconds | None) -> str:
    if cache is None or not cache.helped:
        return ""
    return f"""
## Time of the cache

The same walks with and without kept errors, one after the other in one process. Of {cache.conditions} conditions,
{cache.helped} have conjuncts of different variables: {cache.without:.2f} s of CPU time without, {cache.cached:.2f} s
with, {cache.without / cache.cached:.2f} times as fast.
"""


if __name__ == "__main__":
    sys.exit(main())
