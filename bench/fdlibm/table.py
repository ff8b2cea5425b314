"""The results as Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .campaign import Round, Way
from .functions import Function, functions_of, line, mean_percent, rule
from .paper_tables import table_3, table_4
from .speed import LONG_ENOUGH, Speed, median_ratio


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
        ways: the same in other ways, maybe with fewer seeds.
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
    ways: Sequence[Way] = ()
    speeds: Sequence[Speed] = ()
    paper: bool = False
    errors: Sequence[str] = field(default=())
    engine: str = ""


def render(results: Results) -> str:
    """The whole page."""
    functions = functions_of(results.rounds, results.ways)
    parts = [
        f"# CoverMe's evaluation on fdlibm, repeated: {results.library}{_alone(results)}\n",
        "Written by\n\n```\n" + results.command + "\n```\n",
        "".join(f"- {line}\n" for line in results.machine),
        "## Summary\n",
        "".join(f"- {line}\n" for line in summary(results, functions)),
        "## Functions\n",
        _columns_explained(results),
        "\n".join(_table(results, functions)) + "\n",
        *(["\n".join(table(functions, results.ways)) for table in (table_3, table_4)] if results.paper else []),
        *_differences_from_the_paper(results, functions),
        "## Branches\n",
        "".join(f"- {line}\n" for line in _branches(functions)),
    ]
    if results.speeds:
        parts += ["## Speed\n", "\n".join(_speeds(results.speeds)) + "\n"]
    return "\n".join(parts)


def _alone(results: Results) -> str:
    return f", `{results.engine}` alone" if results.engine else ""


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
        f"Mean over the functions: {mean_percent(functions, lambda g: g.branches):.1f} % of the branches, "
        f"{mean_percent(functions, lambda g: g.lines):.1f} % of the lines, "
        f"{mean_percent(functions, lambda g: g.conditions):.1f} % of the conditions, "
        f"{mean_percent(functions, lambda g: g.calls):.1f} % of the calls.",
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
    for way in results.ways:
        yield (
            f"{way.text[0].upper()}{way.text[1:]}, {results.budget:g} s for each function: "
            f"{_over_seeds([one.covered for one in way.rounds])}; "
            f"{mean_percent(functions, lambda g: g.branches, way.name):.1f} % on average, "
            f"{statistics.mean(f.seconds(way.name) for f in functions if f.ways[way.name]):.2f} s."
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


# ---- the table of functions ----


def _columns_explained(results: Results) -> str:
    many = f" in the median of {len(results.rounds)} seeds (in the worst, where it differs)"
    texts = [
        "Branches as gcov counts them in the function at -O0.",
        f"**taken**: branches taken{many if len(results.rounds) > 1 else ''}; the other figures are medians, too.",
        *(f"**{way.name} %**: {way.text}, {_of_seeds(way.rounds)}." for way in results.ways),
    ]
    return " ".join(texts) + "\n"


def _table(results: Results, functions: Sequence[Function]) -> Iterator[str]:
    heads = ["function", "branches", "feasible", "taken", "%", *(f"{way.name} %" for way in results.ways), "s",
             "evaluations", "inputs"]  # fmt: skip
    yield line(heads)
    yield rule(len(heads))
    for function in functions:
        yield line(_cells(function, results.ways))
    yield line([f"**{cell}**" if cell else "" for cell in _means(functions, results.ways)])


def _cells(function: Function, ways: Sequence[Way]) -> list[str]:
    taken = function.taken
    worst = f" ({min(taken)})" if min(taken) != statistics.median(taken) else ""
    percents = [function.percent(lambda g: g.branches, name) for name in ("", *(way.name for way in ways))]
    return [
        f"`{function.entry.function}`", str(function.branches), str(function.feasible),
        f"{statistics.median(taken):g}{worst}", *("n/a" if p is None else f"{p:.1f}" for p in percents),
        f"{function.median(lambda r: r.seconds):.2f}", f"{function.median(lambda r: r.evaluations):,.0f}",
        f"{function.median(lambda r: r.inputs):g}",
    ]  # fmt: skip


def _means(functions: Sequence[Function], ways: Sequence[Way]) -> list[str]:
    names = ("", *(way.name for way in ways))
    return [
        "mean (branches: sum)", str(sum(f.branches for f in functions)), str(sum(f.feasible for f in functions)),
        f"{sum(statistics.median(f.taken) for f in functions):g}",
        *(f"{mean_percent(functions, lambda g: g.branches, name):.1f}" for name in names),
        f"{statistics.mean(f.median(lambda r: r.seconds) for f in functions):.2f}", "",
        f"{statistics.mean(f.median(lambda r: r.inputs) for f in functions):.1f}",
    ]  # fmt: skip


# ---- the paper ----


def _of_seeds(rounds: Sequence[Round], which: str = "median") -> str:
    return f"in the {which} of {len(rounds)} seeds" if len(rounds) > 1 else "with one seed"


def _differences_from_the_paper(results: Results, functions: Sequence[Function]) -> Iterator[str]:
    """What differs from CoverMe, and what that is worth."""
    ways = [way for way in results.ways if way.name != "random"]
    if not ways:
        return
    yield "## Where this differs from the paper\n"
    lines = [
        *(_worth(results, functions, way) for way in ways),
        "The two differ in their starts alone. The paper draws its starts with Hypothesis, and does not say from which "
        "distribution; its percentages are about 809 of these branches.",
        f"CoverMe's configuration has at most {results.budget:g} s here for each function; in the paper, it took 6.9 s "
        "on average.",
        "`n_start` and `n_iter` count within a slice of 20,000 evaluations or more; after each, the saturated branches "
        "are taken out, and the last branch left out is given up for now (appendix B.3).",
        "At a site with both outcomes unsaturated, `pen` is the constant 0 without a call, which changes no value.",
        "Table 5 of the paper, the functions that it leaves out, are among those of `bench/libraries/RESULTS.md`.",
    ]
    yield "".join(f"- {text}\n" for text in lines)


def _worth(results: Results, functions: Sequence[Function], way: Way) -> str:
    """What our defaults add to CoverMe's configuration with one kind of starts."""
    worst = min(one.covered for one in way.rounds)
    ours = min(one.covered for one in results.rounds[: len(way.rounds)])
    better = [f for f in functions if max(r.gcov.branches[0] for r in f.ways[way.name]) > min(f.taken)]
    return (
        f"With starts of {way.name}: our defaults (ULP distances, alternating variables on ordered words, values worth "
        f"trying first, all branches and one branch in turn) are worth {ours - worst} branches: {ours} against {worst} "
        f"in CoverMe's configuration, {_of_seeds(way.rounds, 'worst')}. Functions where that took more than our worst "
        f"seed: {len(better)}."
    )


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
    yield line(["function", "left", "ns an evaluation", "ns a plain call", "ratio", "whole search"])
    yield line(["---", *["---:"] * 5])
    for s in speeds:
        whole = f"{s.whole_ratio:.2f}" if s.seconds >= LONG_ENOUGH else "-"
        cells = [f"`{s.function}`", f"{s.missing}", f"{1e9 * s.search:.1f}", f"{1e9 * s.plain:.1f}", f"{s.ratio:.2f}"]
        yield line([*cells, whole])
