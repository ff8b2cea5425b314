"""Files of SMT-LIB with labels: ``python -m bench.qf_fp.run FOLDER``, in the project's top folder.

The folder has ``*.smt2`` files and ``labels.json``, ``{"file": "sat" | "unsat" | "unknown"}``. Every solver gets each
file, in a process of its own, one after the other. What came of it is kept in ``work/``; ``--render`` shows that.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from zeroin import Budget, ZeroinError
from zeroin.solvers import Query, solver_named
from zeroin.term import read_smtlib

from ..asking import Outcome, ask, machine, prepare

_HERE = Path(__file__).parent
_WORK = _HERE / "work"
_SOLVERS = ("portfolio", "intervals", "mathematical-execution", "concolic-walk", "bitwuzla", "cvc5", "z3")


def main(argv: Sequence[str] | None = None) -> int:
    """Run, and print or write the page; 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.qf_fp.run", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--budget", type=float, default=10.0, metavar="S", help="seconds for each file")
    parser.add_argument("--solver", action="append", metavar="NAME", help="only this one (repeatable)")
    parser.add_argument("--alone", action="store_true", help="keep nothing of this run")
    parser.add_argument("--render", action="store_true", help="run nothing, show all that was kept")
    parser.add_argument("--write", action="store_true", help="write the page to RESULTS.md beside this file")
    options = parser.parse_args(argv)
    try:
        labels: dict[str, str] = json.loads((options.folder / "labels.json").read_text())
        queries = {name: Query(read_smtlib((options.folder / name).read_text()).constraints) for name in sorted(labels)}
    except (OSError, ZeroinError) as error:
        print(f"bench.qf_fp: {error}", file=sys.stderr)
        return 2
    solvers = options.solver or list(_SOLVERS)
    found: dict[str, dict[str, Outcome]] = _kept(labels) if options.render else {}
    for solver in () if options.render else solvers:
        found[solver] = {}
        prepare(solver_named(solver))
        for name, query in queries.items():
            outcome = found[solver][name] = ask(solver_named(solver), query, Budget(1 << 62, options.budget))
            mark = " WRONG" if outcome.wrong(labels[name]) else ""
            print(f"{solver}: {name} ({labels[name]}): {outcome.verdict}{mark}, {outcome.seconds:.1f} s, "
                  f"{outcome.note[:80]}", file=sys.stderr, flush=True)  # fmt: skip
        if not options.alone:
            _keep(solver, found[solver])
    page = render(options, labels, found)
    print(page)
    if options.write:
        (_HERE / "RESULTS.md").write_text(page)
    return int(any(o.wrong(labels[name]) for each in found.values() for name, o in each.items()))


def _keep(solver: str, outcomes: dict[str, Outcome]) -> None:
    _WORK.mkdir(exist_ok=True)
    kept = {name: asdict(outcome) for name, outcome in outcomes.items()}
    (_WORK / f"{solver}.json").write_text(json.dumps(kept))


def _kept(labels: dict[str, str]) -> dict[str, dict[str, Outcome]]:
    """What was kept of solvers that got exactly these files."""
    found = {}
    for solver in _SOLVERS:
        path = _WORK / f"{solver}.json"
        outcomes = json.loads(path.read_text()) if path.exists() else {}
        if outcomes.keys() == labels.keys():
            found[solver] = {name: Outcome(**outcome) for name, outcome in outcomes.items()}
    return found


def render(options: argparse.Namespace, labels: dict[str, str], found: dict[str, dict[str, Outcome]]) -> str:
    """The page."""
    count = {word: sum(label == word for label in labels.values()) for word in ("sat", "unsat", "unknown")}
    lines = []
    for solver, outcomes in found.items():
        by = {word: [n for n, o in outcomes.items() if o.verdict == word] for word in ("sat", "unsat")}
        new = sum(labels[n] == "unknown" for word in by.values() for n in word)
        wrong = sum(o.wrong(labels[n]) for n, o in outcomes.items())
        seconds = [o.seconds for o in outcomes.values()]
        lines.append(f"| {solver} | {len(by['sat'])} | {len(by['unsat'])} | {new} | {wrong} "
                     f"| {statistics.median(seconds):.2f} | {sum(seconds):.0f} |")  # fmt: skip
    rows = []
    for name, label in labels.items():
        cells = [o.verdict if (o := each[name]).verdict != "unknown" else "-" for each in found.values()]
        rows.append(f"| {name} | {label} | {' | '.join(cells)} |")
    asked = "".join(f" --solver {solver}" for solver in found) if len(found) < len(_SOLVERS) else ""
    return f"""# QF_FP: files of SMT-LIB

Written by `python -m bench.qf_fp.run FOLDER --budget {options.budget:g}{asked} --write`: {
        machine(("z3-solver", "bitwuzla", "cvc5"))
    }. {len(labels)} files: {count["sat"]} labelled sat, {count["unsat"]} unsat,
{count["unknown"]} unknown; {options.budget:g} s each. Every model was evaluated on the file's constraints.

| solver | sat | unsat | of unknown label | wrong | seconds a file: median | all files |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
{chr(10).join(lines)}

## Files

| file | label | {" | ".join(found)} |
| --- | --- |{" --- |" * len(found)}
{chr(10).join(rows)}
"""


if __name__ == "__main__":
    sys.exit(main())
