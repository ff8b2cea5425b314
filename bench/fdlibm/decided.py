"""Every branch decided: how many of the branches of fdlibm's functions are covered, and how many refuted by a proof.

With ``--attack S`` each function with a proof is searched for S more seconds, without proofs, with another seed: a
branch that an input takes in spite of a proof is printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from zeroin import COVERED, INFEASIBLE, UNDECIDED, Budget, Suite, ZeroinError, cover
from zeroin.suite.suite import Verdict

from .campaign import options_of, target_of
from .run import machine
from .sources import Library, fetch
from .subjects import ENTRIES, Entry

_HERE = Path(__file__).parent
Rounds = Sequence[tuple[float, list[Suite]]]
_SEARCH = "targets"  # the one strategy of an attack: it looks for one branch at a time


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; 0 when no proof is wrong, 1 when one is, 2 when the request can not be carried out."""
    argv = list(sys.argv[1:] if argv is None else argv)
    options = _parser().parse_args(argv)
    try:
        library = fetch(_HERE / "work", options.deb)
        rounds = [_round(library, options, seed) for seed in range(options.seeds)]
        wrong = _attacked(library, options, rounds[0][1]) if options.attack else []
    except ZeroinError as error:
        print(f"bench.fdlibm: {error}", file=sys.stderr)
        return 2
    page = _page(argv, library, options, rounds, wrong)
    if options.write:
        (_HERE / "RESULTS-decided.md").write_text(page)
    print(page)
    return 1 if wrong or any(suite.refuted for _, suites in rounds for suite in suites) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.fdlibm.decided", description=__doc__)
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="search with the seeds 0 to N-1")
    parser.add_argument("--budget", type=float, default=10.0, metavar="S", help="seconds for each function")
    parser.add_argument("--attack", type=float, default=0.0, metavar="S", help="see above")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="functions at the same time")
    parser.add_argument("--deb", type=Path, metavar="FILE", help="the package of newlib's sources, if it is at hand")
    parser.add_argument("--write", action="store_true", help="write RESULTS-decided.md beside this file")
    return parser


def _round(library: Library, options: argparse.Namespace, seed: int) -> tuple[float, list[Suite]]:
    """Wall time, and the suites."""

    def one(entry: Entry) -> Suite:
        target = target_of(library, entry)
        return cover(target, options_of(target, entry, Budget(10**12, options.budget), seed))

    started = time.perf_counter()
    with ThreadPoolExecutor(options.jobs) as pool:
        suites = list(pool.map(one, ENTRIES))
    return time.perf_counter() - started, suites


def _attacked(library: Library, options: argparse.Namespace, suites: Sequence[Suite]) -> list[str]:
    """The branches with a proof that an input takes all the same."""

    def one(entry: Entry, suite: Suite) -> list[str]:
        target = target_of(library, entry)
        asked = options_of(target, entry, Budget(10**12, options.attack), 1000)
        again = cover(target, replace(asked, engine=_SEARCH))
        taken = {v.branch.outcome for v in again.verdicts if v.verdict == COVERED}
        return [_name(suite, v) for v in suite.verdicts if v.verdict == INFEASIBLE and v.branch.outcome in taken]

    proved = [(e, s) for e, s in zip(ENTRIES, suites, strict=True) if s.count(INFEASIBLE)]
    with ThreadPoolExecutor(options.jobs) as pool:
        return [name for found in pool.map(one, *zip(*proved, strict=True)) for name in found]


def _name(suite: Suite, verdict: Verdict) -> str:
    branch = verdict.branch
    return f"`{suite.target.function}` {branch.site.line}: `{branch.site.condition}` {branch.label}"


def _page(argv: Sequence[str], library: Library, options: argparse.Namespace, rounds: Rounds,
          wrong: Sequence[str]) -> str:  # fmt: skip
    lines = [f"# Every branch decided: {library.name}", "", "Written by", "", "```",
             shlex.join(["python", "-m", "bench.fdlibm.decided", *argv]), "```", "", *(f"- {m}" for m in machine()), "",
             "| seed | branches | covered | proved infeasible | undecided | wall time, s | search, s, at most |",
             "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]  # fmt: skip
    for seed, (wall, suites) in enumerate(rounds):
        counts = [sum(suite.count(verdict) for suite in suites) for verdict in (COVERED, INFEASIBLE, UNDECIDED)]
        longest = max(suite.seconds for suite in suites)
        lines.append(f"| {seed} | {sum(counts)} | {' | '.join(map(str, counts))} | {wall:.0f} | {longest:.1f} |")
    if options.attack:
        said = f"{len(wrong)} of the proofs fell: {'; '.join(wrong)}" if wrong else "no proof fell"
        lines += ["", f"Each function with a proof was searched for {options.attack:g} s more, without proofs: {said}."]
    lines += ["", "## Without an input (seed 0)", "", "| branch | |", "| --- | --- |"]
    left = [(suite, v) for suite in rounds[0][1] for v in suite.verdicts if v.verdict != COVERED]
    lines += [f"| {_name(suite, v)} | {v.verdict}: {v.why} |" for suite, v in left]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
