"""The results as Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from zeroin.languages.c.measure.gcov import GcovReport

from .campaign import COVERME, Round, Row
from .feasible import feasible
from .speed import LONG_ENOUGH, Speed, median_ratio
from .subjects import ENTRIES, Entry, Paper

Share = tuple[int, int]


@dataclass(frozen=True)
class Results:
    """Everything that was measured.

    Attributes:
        library: the edition of fdlibm.
        command: what was typed.
        machine: a line each on the machine and the versions.
        budget: seconds of search for each function.
        jobs: functions searched at the same time.
        rounds: one a seed.
        chance: the same by random testing.
        coverme: the same in CoverMe's configuration, maybe with fewer seeds.
        speeds: of the search, against the plain function.
        paper: show the paper's figures.
        errors: what could not be done.
        engine: the one strategy that searched; empty for all of them.
    """

    library: str
    command: str
    machine: tuple[str, ...]
    budget: float
    jobs: int
    rounds: Sequence[Round]
    chance: Sequence[Round] = ()
    coverme: Sequence[Round] = ()
    speeds: Sequence[Speed] = ()
    paper: bool = False
    errors: Sequence[str] = field(default=())
    engine: str = ""


@dataclass(frozen=True)
class Function:
    """One function over all seeds: medians."""

    entry: Entry
    rows: Sequence[Row]
    chance: Sequence[Row]
    coverme: Sequence[Row] = ()

    @property
    def branches(self) -> int:
        return self.rows[0].gcov.branches[1]

    @property
    def feasible(self) -> int:
        return feasible(self.entry.function, self.branches)

    @property
    def taken(self) -> list[int]:
        """With each seed."""
        return [row.gcov.branches[0] for row in self.rows]

    def median(self, what: Callable[[Row], float]) -> float:
        return statistics.median(what(row) for row in self.rows)


def render(results: Results) -> str:
    """The whole page."""
    functions = functions_of(results)
    parts = [
        f"# CoverMe's evaluation on fdlibm, repeated: {results.library}{_alone(results)}\n",
        "Written by\n\n```\n" + results.command + "\n```\n",
        "".join(f"- {line}\n" for line in results.machine),
        "## Summary\n",
        "".join(f"- {line}\n" for line in summary(results, functions)),
        "## Functions\n",
        _columns_explained(results),
        "\n".join(_table(results, functions)) + "\n",
        *_differences_from_the_paper(results, functions),
        "## Branches\n",
        "".join(f"- {line}\n" for line in _branches(functions)),
    ]
    if results.speeds:
        parts += ["## Speed\n", "\n".join(_speeds(results.speeds)) + "\n"]
    return "\n".join(parts)


def _alone(results: Results) -> str:
    return f", `{results.engine}` alone" if results.engine else ""


def functions_of(results: Results) -> list[Function]:
    """What was measured of each function, in the paper's order."""

    def of(rounds: Sequence[Round], name: str) -> list[Row]:
        return [row for one in rounds for row in one.rows if row.function == name]

    every = [Function(e, of(results.rounds, e.function), of(results.chance, e.function),
                      of(results.coverme, e.function)) for e in ENTRIES]  # fmt: skip
    return [function for function in every if function.rows]


# ---- summary ----


def summary(results: Results, functions: Sequence[Function]) -> list[str]:
    """The figures that count, a line each."""
    rounds = results.rounds
    total, possible = sum(f.branches for f in functions), sum(f.feasible for f in functions)
    taken = [one.covered for one in rounds]
    walls = [one.wall for one in rounds]
    rows = [row for function in functions for row in function.rows]
    lines = [
        f"**Branches taken, by gcov: {_over_seeds(taken)}, of {total}; {possible} are not known to be infeasible.**"
        f" That is {100 * min(taken) / possible:.1f} % of what is feasible"
        f"{' in the worst seed' if len(rounds) > 1 else ''}.",
        f"Seeds above 98.5 % of what is feasible: {_above(taken, 0.985 * possible)}; "
        f"above 99 %: {_above(taken, 0.99 * possible)}.",
        f"Mean over the functions: {_mean(functions, lambda g: g.branches)} % of the branches, "
        f"{_mean(functions, lambda g: g.lines)} % of the lines, "
        f"{_mean(functions, lambda g: g.conditions)} % of the conditions, "
        f"{_mean(functions, lambda g: g.calls)} % of the calls.",
        f"Search: at most {results.budget:g} s for each function; "
        f"{statistics.mean(f.median(lambda r: r.seconds) for f in functions):.2f} s on average.",
        f"Wall time of all {len(functions)} functions with {results.jobs} at a time, compiling and replaying included: "
        f"{statistics.median(walls):.1f} s in the median, {max(walls):.1f} s at most. (Search kernels are compiled "
        "once on a machine, before that; gcov's work comes after it.)",
        f"Our own count: {min(sum(len(r.covered) for r in one.rows) for one in rounds)} of "
        f"{sum(len(f.rows[0].branches) for f in functions)} branches{' in the worst seed' if len(rounds) > 1 else ''}.",
        f"Inputs dropped because plain and instrumented function differ: {sum(r.disagreements for r in rows)}; "
        f"findings: {sum(r.findings for r in rows)}; cases of the emitted tests that fail when gcc compiles them: "
        f"{sum(r.gcov.failed for r in rows)}.",
    ]
    return [*lines, *_comparisons(results, functions), *(f"FAILED: {error}" for error in results.errors)]


def _comparisons(results: Results, functions: Sequence[Function]) -> Iterator[str]:
    if results.chance:
        taken = [one.covered for one in results.chance]
        yield (
            f"Random testing, uniform over all bit patterns, {results.budget:g} s for each function: "
            f"{_over_seeds(taken)}; {statistics.mean(_chance(f) for f in functions):.1f} % on average."
        )
    if results.coverme:
        yield (
            f"CoverMe's configuration (`{_CONFIGURATION}`), {results.budget:g} s for each function: "
            f"{_over_seeds([one.covered for one in results.coverme])}; "
            f"{statistics.mean(_percent(f.coverme, f.branches) for f in functions):.1f} % on average, "
            f"{statistics.mean(statistics.median(r.seconds for r in f.coverme) for f in functions):.2f} s."
        )
    if results.paper:
        papers = [f.entry.paper for f in functions]
        yield (
            f"The paper, in gcov's branch coverage of the same functions: CoverMe "
            f"{statistics.mean(p.branch.coverme for p in papers):.1f} % in "
            f"{statistics.mean(p.seconds for p in papers):.1f} s on average, its random testing "
            f"{statistics.mean(p.branch.random for p in papers):.1f} % in 600 s each."
        )
    if results.speeds:
        asking, longer = _asking(results.speeds), _longer(results.speeds)
        more = [f"{median_ratio(asking):.2f} where branches are left"] if asking else []
        more += [f"{statistics.median(longer):.2f} over whole searches of {LONG_ENOUGH:g} s and more"] if longer else []
        yield (
            f"**Speed: evaluations a second, divided by calls a second of the plain -O2 function: "
            f"{median_ratio(results.speeds):.2f} in the median**{'; ' if more else ''}{', '.join(more)} (see below)."
        )


def _asking(speeds: Sequence[Speed]) -> list[Speed]:
    return [speed for speed in speeds if speed.missing]


def _longer(speeds: Sequence[Speed]) -> list[float]:
    return [speed.whole_ratio for speed in speeds if speed.seconds >= LONG_ENOUGH]


def _over_seeds(taken: Sequence[int]) -> str:
    if len(taken) == 1:
        return str(taken[0])
    return f"{min(taken)} in the worst of {len(taken)} seeds, {statistics.median(taken):g} in the median"


def _above(taken: Sequence[int], least: float) -> str:
    return f"{sum(n > least for n in taken)} of {len(taken)}"


def _mean(functions: Sequence[Function], what: Callable[[GcovReport], Share]) -> str:
    """Of the functions' percentages, as the paper does it."""
    shares = [(f.median(lambda row: what(row.gcov)[0]), what(f.rows[0].gcov)[1]) for f in functions]
    return f"{statistics.mean([100 * taken / total for taken, total in shares if total] or [100.0]):.1f}"


def _chance(function: Function) -> float:
    return _percent(function.chance, function.branches)


def _percent(rows: Sequence[Row], branches: int) -> float:
    return 100 * statistics.median(row.gcov.branches[0] for row in rows) / branches


# ---- the table of functions ----


def _columns_explained(results: Results) -> str:
    many = f" in the median of {len(results.rounds)} seeds (in the worst, where it differs)"
    texts = [
        "Branches, lines, conditions (branches whose condition was evaluated) and calls as gcov counts them in the "
        "function at -O0.",
        f"**taken**: branches taken{many if len(results.rounds) > 1 else ''}; the other figures are medians, too.",
    ]
    if results.paper:
        texts.append("**CoverMe**: the paper's branch coverage and seconds.")
    if results.coverme:
        texts.append(f"**its way %**: CoverMe's configuration here, {_of_seeds(results.coverme)}.")
    if results.chance:
        texts.append(
            f"**random**: branch coverage of random testing{'; by the paper after the stroke' * results.paper}."
        )
    elif results.paper:
        texts.append("**random**: branch coverage of the paper's random testing.")
    return " ".join(texts) + "\n"


def _table(results: Results, functions: Sequence[Function]) -> Iterator[str]:
    heads = ["function", "branches", "feasible", "taken", "%", "CoverMe %", "its way %", "random %", "line %",
             "condition %", "call %", "s", "CoverMe s", "evaluations", "inputs"]  # fmt: skip
    left_out = {"CoverMe %", "CoverMe s"} if not results.paper else set()
    left_out |= {"its way %"} if not results.coverme else set()
    left_out |= {"random %"} if not (results.chance or results.paper) else set()
    shown = [number for number, head in enumerate(heads) if head not in left_out]
    yield _line([heads[n] for n in shown])
    yield _line(["---" if n == 0 else "---:" for n in shown])
    for function in functions:
        cells = _cells(function, results.paper)
        yield _line([cells[n] for n in shown])
    means = _means(functions, results)
    yield _line([f"**{means[n]}**" if means[n] else "" for n in shown])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(function: Function, paper: bool) -> list[str]:
    entry, taken = function.entry, function.taken
    worst = f" ({min(taken)})" if min(taken) != statistics.median(taken) else ""
    chance = [f"{_chance(function):.1f}"] if function.chance else []

    def share(what: Callable[[GcovReport], Share]) -> str:
        total = what(function.rows[0].gcov)[1]
        return f"{100 * function.median(lambda row: what(row.gcov)[0]) / total:.1f}" if total else "n/a"

    return [
        f"`{entry.function}`", str(function.branches), str(function.feasible),
        f"{statistics.median(taken):g}{worst}", share(lambda g: g.branches), f"{entry.paper.branch.coverme}",
        f"{_percent(function.coverme, function.branches):.1f}" if function.coverme else "",
        " / ".join([*chance, *([f"{entry.paper.branch.random}"] if paper else [])]),
        share(lambda g: g.lines), share(lambda g: g.conditions), share(lambda g: g.calls),
        f"{function.median(lambda r: r.seconds):.2f}", f"{entry.paper.seconds}",
        f"{function.median(lambda r: r.evaluations):,.0f}", f"{function.median(lambda r: r.inputs):g}",
    ]  # fmt: skip


def _means(functions: Sequence[Function], results: Results) -> list[str]:
    def paper(what: Callable[[Paper], float]) -> str:
        return f"{statistics.mean(what(f.entry.paper) for f in functions):.1f}"

    chance = [f"{statistics.mean(_chance(f) for f in functions):.1f}"] if results.chance else []
    return [
        "mean (branches: sum)", str(sum(f.branches for f in functions)), str(sum(f.feasible for f in functions)),
        f"{sum(statistics.median(f.taken) for f in functions):g}", _mean(functions, lambda g: g.branches),
        paper(lambda p: p.branch.coverme),
        f"{statistics.mean(_percent(f.coverme, f.branches) for f in functions):.1f}" if results.coverme else "",
        " / ".join([*chance, *([paper(lambda p: p.branch.random)] if results.paper else [])]),
        _mean(functions, lambda g: g.lines), _mean(functions, lambda g: g.conditions),
        _mean(functions, lambda g: g.calls),
        f"{statistics.mean(f.median(lambda r: r.seconds) for f in functions):.2f}", paper(lambda p: p.seconds), "",
        f"{statistics.mean(f.median(lambda r: r.inputs) for f in functions):.1f}",
    ]  # fmt: skip


# ---- the paper ----

_CONFIGURATION = f'--engine minimize --distance squared --minimizer "{COVERME}"'


def _of_seeds(rounds: Sequence[Round], which: str = "median") -> str:
    return f"in the {which} of {len(rounds)} seeds" if len(rounds) > 1 else "with one seed"


def _differences_from_the_paper(results: Results, functions: Sequence[Function]) -> Iterator[str]:
    """What differs from CoverMe, and what that is worth."""
    if not results.coverme:
        return
    seeds, worst = len(results.coverme), min(one.covered for one in results.coverme)
    ours = min(one.covered for one in results.rounds[:seeds])
    better = [f for f in functions if max(r.gcov.branches[0] for r in f.coverme) > min(f.taken)]
    yield "## Where this differs from the paper\n"
    lines = [
        f"Our defaults are ULP distances, alternating variables on ordered words, values worth trying first, and all "
        f"branches and one branch in turn. Together they are worth {ours - worst} branches: {ours} against {worst} in "
        f"CoverMe's configuration, {_of_seeds(results.coverme, 'worst')}. Functions where that took more than our "
        f"worst seed: {len(better)}.",
        f"CoverMe's configuration has at most {results.budget:g} s here for each function; in the paper, it took 6.9 s "
        "on average.",
        "`n_start` and `n_iter` count within a slice of 20,000 evaluations or more; after each, the saturated branches "
        "are taken out, and the last branch left out is given up for now (appendix B.3).",
        "Starts are random words, a quarter of them small values. The paper's are made by Hypothesis.",
        "At a site with both outcomes unsaturated, `pen` is the constant 0 without a call, which changes no value.",
    ]
    yield "".join(f"- {line}\n" for line in lines)


# ---- branches ----


def _branches(functions: Sequence[Function]) -> Iterator[str]:
    """What no seed takes, what only some seeds take, and where gcov and we count differently."""
    known = sum(f.branches - f.feasible for f in functions)
    never = sum(f.branches - max(f.taken) for f in functions)
    yield f"Infeasible, as far as known: {known}. Taken with no seed, as gcov counts: {never}."
    for function in functions:
        yield from _differences(function)
    for function in functions:
        never_taken = [b for b in function.rows[0].branches if not any(b in row.covered for row in function.rows)]
        if never_taken:
            yield f"`{function.entry.function}`, taken with no seed: {'; '.join(f'`{b}`' for b in never_taken)}."


def _differences(function: Function) -> Iterator[str]:
    """Between seeds, between gcov and us, and to what was known."""
    name, rows = function.entry.function, function.rows
    if max(function.taken) > function.feasible:
        yield f"`{name}`: {max(function.taken)} taken, more than were known to be feasible."
    for branch in rows[0].branches:
        missed = [seed for seed, row in enumerate(rows) if branch not in row.covered]
        if 0 < len(missed) < len(rows):
            yield f"`{name}`: `{branch}` **not taken with {_seeds(missed)}**."
    ours, theirs = len(rows[0].branches), function.branches
    if [ours - len(row.covered) for row in rows] != [theirs - taken for taken in function.taken]:
        yield f"`{name}`: gcov and we differ in how many branches are not taken."
    elif ours != theirs:
        yield f"`{name}`: gcov counts {theirs} branches and we {ours}; gcc merges cases of a switch with the same code."


def _seeds(numbers: Sequence[int]) -> str:
    return f"seed{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


# ---- speed ----


def _speeds(speeds: Sequence[Speed]) -> Iterator[str]:
    longer, asking, idle = _longer(speeds), _asking(speeds), [s for s in speeds if not s.missing]
    yield (
        "**ratio**: evaluations a second of the minimizer, in the state that a search of 1 s reaches, divided by "
        "calls a second of the plain -O2 function in a native loop over the same words. **left**: branches that the "
        "objective still asks for in that state, which are all that are left. **whole search**: the same of that "
        "search itself, which also starts, runs again what is found, and goes from question to question; the plain "
        "function is timed over a sixteenth of its words."
    )
    yield ""
    yield f"- Median ratio of {len(speeds)} functions: {median_ratio(speeds):.2f}."
    if asking and idle:
        yield f"- Of the {len(asking)} with branches left: {median_ratio(asking):.2f}."
        yield f"- Of the {len(idle)} where every probe is switched off: {median_ratio(idle):.2f}."
    if longer:
        yield (
            f"- Whole search: {statistics.median(longer):.2f} in the median of the {len(longer)} functions that it "
            f"takes {LONG_ENOUGH:g} s or longer, {statistics.median(s.whole_ratio for s in speeds):.2f} of all (a "
            "search that is over after some dozen evaluations spends its time elsewhere)."
        )
    yield ""
    yield _line(["function", "left", "ns an evaluation", "ns a plain call", "ratio", "whole search"])
    yield _line(["---", *["---:"] * 5])
    for s in speeds:
        whole = f"{s.whole_ratio:.2f}" if s.seconds >= LONG_ENOUGH else "-"
        cells = [f"`{s.function}`", f"{s.missing}", f"{1e9 * s.search:.1f}", f"{1e9 * s.plain:.1f}", f"{s.ratio:.2f}"]
        yield _line([*cells, whole])
