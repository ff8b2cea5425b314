"""The programs of the Concolic Walk paper (Dinges & Agha 2014), by exploration with our solvers, by the default engine,
and by exploration with the baselines' solvers: ``python -m bench.concolic_walk.explore``, in the project's top folder.

Each function has a process of its own for each engine and run. The time of a search ends when nothing is left that can
be covered; it does not count loading and compiling.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from zeroin import Budget, LlvmSubject, domain_of
from zeroin.generate.schedule import DEFAULT, Running
from zeroin.generate.search import Search
from zeroin.generate.strategies.explore import Explore
from zeroin.languages.c.front.call_sequence import SequenceSignature
from zeroin.languages.c.front.parameters import CSignature
from zeroin.solvers import Solver
from zeroin.solvers.chain import exploration_solver
from zeroin.subject.base import branches_of
from zeroin.worker.job import compile_kernels, prepare

from ..asking import machine
from .baselines import ABLATIONS, concretisation, smt_only, walk, walk_behind_smt, without_walk
from .programs import Place, Program, programs

_HERE = Path(__file__).parent
# What they ask, and whether the first input is drawn, as jCUTE's is.
EXPLORING: dict[str, tuple[Callable[[int], Solver] | None, bool]] = {
    "explore": (None, False), "concretisation": (concretisation, True), "SMT only": (smt_only, False),
    "walk": (walk, False), "SMT, walk": (walk_behind_smt, False), "explore, no walk": (without_walk, False),
}  # fmt: skip
# The walk alone: the paper's, and with the parts changed that the paper changes.
WALKS = {"paper": "the paper's algorithm", **{key: key for key in (
    "no tabu", "no bisection", "50 steps", "500 steps", "1 neighbour", "50 neighbours")}}  # fmt: skip
EXPLORING |= {key: (partial(walk, options=ABLATIONS[row]), False) for key, row in WALKS.items()}
OF_THE_WALK = (*WALKS, "walk", "explore", "default")
ENGINES = ("explore", "default", "concretisation", "SMT only", "walk", "SMT, walk", "explore, no walk")
_GRACE = 60.0  # seconds after which a search that should have ended is ended


@dataclass
class Measured:
    """One run of a program by one engine.

    Attributes:
        covered: of all its functions.
        seconds: the sum of theirs.
        died: functions whose process did not tell what it had covered.
    """

    covered: set[Place] = field(default_factory=set)
    seconds: float = 0.0
    died: int = 0


@dataclass
class Row:
    """One program.

    Attributes:
        program: which.
        goals: of all its functions: targets or branches.
        runs: by engine.
        wrong: goals that were reached although the source says that no input reaches them.
    """

    program: Program
    goals: set[Place]
    runs: dict[str, list[Measured]]
    wrong: set[Place] = field(default_factory=set)

    @property
    def feasible(self) -> set[Place]:
        """The goals without those that the source says no input takes."""
        return {place for place in self.goals if self.program.is_feasible(place)}

    def percents(self, engine: str) -> list[float]:
        """Coverage of each run, of all goals."""
        return [100.0 * len(run.covered) / len(self.goals) for run in self.runs[engine]]

    def seconds(self, engine: str) -> list[float]:
        """Of each run."""
        return [run.seconds for run in self.runs[engine]]

    def feasible_percent(self, engine: str) -> float:
        """Coverage of what is feasible, the median."""
        return statistics.median(100.0 * len(run.covered) / len(self.feasible) for run in self.runs[engine])


# ---- one search ----


def search_for(subject: LlvmSubject, wanted: int, engine: str, seed: int, seconds: float) -> tuple[int, float]:
    """In this process: the outcomes that some run took, and the seconds until all that is wanted had been."""
    subject.guard()
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(10**9, seconds), seed)
    searching: Running | Explore
    if engine == "default":
        searching = DEFAULT.of(search)
        step = searching.step
    else:
        solver, drawn = EXPLORING[engine]
        if drawn:
            search.offer(subject.words_of(first_input(subject.signature, seed)))
        searching = Explore(search, solver=solver)
        if solver is without_walk:  # that differs where more time is spent
            searching._quick = exploration_solver(seed)
        step = partial(searching.step, 1)
    while wanted & ~search.seen and not search.stopped and not searching.done:
        step()
    return search.seen, min(search.seconds, seconds)


def first_input(signature: CSignature, seed: int) -> str:
    """A random input as text: numbers between -100 and 100, of one call where several are possible."""
    rng = random.Random(seed)
    each = signature.each if isinstance(signature, SequenceSignature) else signature
    drawn = [rng.uniform(-100, 100) if kind.is_float else rng.randint(-100, 100) for kind in each.kinds]
    if each is signature:
        return ", ".join(map(str, drawn))
    return repr([{parameter.name: value for parameter, value in zip(each.parameters, drawn, strict=True)}])


def apart(subject: LlvmSubject, wanted: int, engine: str, seed: int, seconds: float) -> tuple[int, float] | None:
    """In a process of its own; None if that died, or had to be ended."""
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)

    def child(connection: Connection) -> None:
        connection.send(search_for(subject, wanted, engine, seed, seconds))

    process = context.Process(target=child, args=(theirs,))
    process.start()
    theirs.close()
    try:
        found: tuple[int, float] | None = ours.recv() if ours.poll(seconds + _GRACE) else None
    except EOFError:
        found = None
    if found is None:
        process.kill()
    process.join()
    return found


def measure(program: Program, engines: Sequence[str], runs: int, seconds: float) -> Row:
    """All functions of a program, the engines in turn."""
    row = Row(program, set(), {engine: [Measured() for _ in range(runs)] for engine in engines})
    for function in program.functions:
        subject = program.load(function)
        goals = program.goals(subject)
        row.goals |= set(goals.values())
        wanted = sum(1 << outcome for outcome, place in goals.items() if program.is_feasible(place))
        for seed in range(runs):
            for engine in engines:
                found = apart(subject, wanted, engine, seed, seconds)
                run = row.runs[engine][seed]
                run.seconds += found[1] if found else seconds
                run.died += not found
                run.covered |= {place for outcome, place in goals.items() if found and found[0] >> outcome & 1}
        row.wrong |= {p for runs_ in row.runs.values() for run in runs_ for p in run.covered
                      if not program.is_feasible(p)}  # fmt: skip
        told = (f"{engine} {sum(len(r.covered) for r in row.runs[engine]) / runs:.1f}" for engine in engines)
        print(f"{program.name}, after {function}, of {len(row.goals)}: {', '.join(told)}", file=sys.stderr, flush=True)
    return row


# ---- the page ----

_OTHERS = """`explore` and `default` are `--engine explore` and the default engine. The others explore, too, but ask
other solvers: SMT solvers only, with what is not linear replaced by its value at the known run (concretisation, from a
random first input), or as it is (SMT only); the concolic walk alone (walk), or where the SMT solvers do not know within
half of the time (SMT, walk); and what `explore` asks, without the concolic walk among its racers (explore, no walk)."""
_WALK = """All but the last column of ours explore with the concolic walk as the only solver. `paper` is the paper's
algorithm (`PAPER` in `src/zeroin/solvers/concolic_walk.py`). The columns after it change one part of it: no tabu times,
no bisection steps, other numbers of steps (150 in the paper) and neighbours (10). `walk` is our default walk: it walks
again, estimates disjunctions, keeps errors and starts at known inputs. `explore` and `default` are `--engine explore`
and the default engine, which ask other solvers and searches, too. So `walk` against `paper` is what we changed in the
walk, and `explore` against `walk` what our other solvers add."""


def engines_of(options: argparse.Namespace) -> Sequence[str]:
    """The engines that are compared, the one first that the others are tested against."""
    return options.engine or (OF_THE_WALK if options.walk else ENGINES)


def render(rows: Sequence[Row], options: argparse.Namespace) -> str:
    """The page."""
    engines = engines_of(options)
    died = sum(run.died for row in rows for runs in row.runs.values() for run in runs)
    about = _WALK if options.walk else _OTHERS
    return f"""# The programs of the Concolic Walk paper{", by the walk alone" if options.walk else ""}

`{command(options)}`: {machine(("z3-solver", "bitwuzla", "cvc5", "numba"))}.

Medians of {options.runs} runs, {options.seconds:g} s at most for each function, and
{options.target_seconds or options.seconds:g} s where it has one target only. Where there are targets, coverage is the
share of them that was reached; elsewhere it is branch coverage, of all branches: those that no input takes (the sources
say which, and why) are in it. The average weighs each program by the lines of the paper's program. Pex's column is what
the inputs that the authors publish cover of the paper's programs, which are Java, and have other branches; the paper's
table of its own tool could not be recovered.

{about}{_died(died)}

| program | lines of the paper's | of ours | functions | goals | feasible | {" | ".join(engines)} | Pex |
| --- | ---: | ---: | ---: | ---: | ---: |{" ---: |" * len(engines)} ---: |
{chr(10).join(_coverage(row, engines) for row in rows)}
| **weighted by lines** | | | | | | {" | ".join(f"**{weighted(rows, e):.1f}**" for e in engines)} | \
**{_mean(rows, lambda row: row.program.pex):.1f}** |
| **the same, of what is feasible** | | | | | | {" | ".join(f"**{feasible(rows, e):.1f}**" for e in engines)} | |

## Time

Seconds for all functions of a program, medians.

| program | {" | ".join(engines)} |
| --- |{" ---: |" * len(engines)}
{chr(10).join(_seconds(row, engines) for row in rows)}

## Whether the differences are chance

{_test(rows, engines, options.runs)}
"""


def _died(searches: int) -> str:
    return f" {searches} searches ended without an answer and count as nothing covered." if searches else ""


def _test(rows: Sequence[Row], engines: Sequence[str], runs: int) -> str:
    if runs < 4:
        return "Not tested: with fewer than four runs, no difference is significant."
    return f"""p of the two-sided test of Mann and Whitney, {engines[0]} against each other engine: coverage, seconds.

| program | {" | ".join(engines[1:])} |
| --- |{" ---: |" * len(engines[1:])}
{chr(10).join(_chances(row, engines) for row in rows)}"""


def command(options: argparse.Namespace) -> str:
    """That makes the page again."""
    file = " --conditions CONDITIONS.json" if options.conditions else ""
    only = "".join(f" --only {name}" for name in options.only) + "".join(f" --engine '{e}'" for e in options.engine)
    only += " --walk" if options.walk else ""
    numbers = f"--runs {options.runs} --seconds {options.seconds:g}"
    numbers += f" --target-seconds {options.target_seconds:g}" if options.target_seconds else ""
    return f"python -m bench.concolic_walk.explore{file} {numbers}{only} --write"


def _coverage(row: Row, engines: Sequence[str]) -> str:
    program = row.program
    kind = "targets" if program.is_benchmark else "branches"
    cells = [f"{statistics.median(row.percents(engine)):.1f}" for engine in engines]
    size = f"{program.lines} | {program.code} | {len(program.functions)}"
    goals = f"{len(row.goals)} {kind} | {len(row.feasible)}"
    return f"| {program.name} | {size} | {goals} | {' | '.join(cells)} | {program.pex:g} |"


def _seconds(row: Row, engines: Sequence[str]) -> str:
    cells = [f"{statistics.median(row.seconds(engine)):.2f}" for engine in engines]
    return f"| {row.program.name} | {' | '.join(cells)} |"


def _chances(row: Row, engines: Sequence[str]) -> str:
    ours, *others = engines
    cells = [f"{chance(row.percents(ours), row.percents(other)):.3f}, "
             f"{chance(row.seconds(ours), row.seconds(other)):.3f}" for other in others]  # fmt: skip
    return f"| {row.program.name} | {' | '.join(cells)} |"


def chance(some: Sequence[float], others: Sequence[float]) -> float:
    """p of the two-sided test of Mann and Whitney; over all permutations, as there are few runs and many ties."""
    from scipy.stats import PermutationMethod, mannwhitneyu

    return float(mannwhitneyu(some, others, method=PermutationMethod(n_resamples=20_000)).pvalue)


def _mean(rows: Sequence[Row], value: Callable[[Row], float]) -> float:
    """Weighted by lines."""
    return sum(row.program.lines * value(row) for row in rows) / sum(row.program.lines for row in rows)


def weighted(rows: Sequence[Row], engine: str) -> float:
    """The mean of the median coverages, weighted by lines."""
    return _mean(rows, lambda row: statistics.median(row.percents(engine)))


def feasible(rows: Sequence[Row], engine: str) -> float:
    """The same of what is not known to be infeasible."""
    return _mean(rows, lambda row: row.feasible_percent(engine))


def _seconds_for(program: Program, options: argparse.Namespace) -> float:
    return float((program.is_benchmark and options.target_seconds) or options.seconds)


def main(argv: Sequence[str] | None = None) -> int:
    """Run, and print or write the page; 2 if the conditions can not be read."""
    parser = argparse.ArgumentParser(prog="python -m bench.concolic_walk.explore", description=__doc__)
    parser.add_argument("--conditions", type=Path, metavar="FILE", help="CORAL's, see bench.concolic_walk.run")
    parser.add_argument("--runs", type=int, default=7, metavar="N", help="seeds 0 to N-1")
    parser.add_argument("--seconds", type=float, default=10.0, metavar="S", help="for each function")
    parser.add_argument("--target-seconds", type=float, metavar="S", help="for each function that has one target only")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this program (repeatable)")
    parser.add_argument(
        "--engine", action="append", default=[], choices=[*EXPLORING, "default"], help="only this one (repeatable)"
    )
    parser.add_argument("--walk", action="store_true", help="the concolic walk alone, with parts of it changed")
    parser.add_argument(
        "--write",
        action="store_true",
        help="write the page beside this file: RESULTS-programs.md, or with --walk RESULTS-walk.md",
    )
    options = parser.parse_args(argv)
    prepare()
    compile_kernels(lambda: None, lambda: None)
    exploration_solver(0)
    with tempfile.TemporaryDirectory() as folder:
        try:
            known = list(programs(options.conditions, Path(folder)))
        except (OSError, ValueError, KeyError) as error:
            print(f"bench.concolic_walk: {error}", file=sys.stderr)
            return 2
        chosen = [program for program in known if not options.only or program.name in options.only]
        rows = [measure(p, engines_of(options), options.runs, _seconds_for(p, options)) for p in chosen]
        page = render(rows, options)
    print(page)
    if wrong := [f"{row.program.source.name}: {place}" for row in rows for place in sorted(row.wrong)]:
        print(f"bench.concolic_walk: these are reached, and the source says never: {wrong}", file=sys.stderr)
        return 1
    if options.write and chosen:
        (_HERE / ("RESULTS-walk.md" if options.walk else "RESULTS-programs.md")).write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
