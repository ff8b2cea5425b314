"""Check what is read against what runs: ``python -m bench.reading.run``, in the project's top folder.

Each function is read, and random runs of it are followed. The path condition has to hold for its own input, evaluated
in Python and, of some runs, as machine code; each decision's terms must have the values that the probe saw, to the
last bit; a second input must satisfy the path condition exactly if its run takes the same path.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from zeroin import LlvmSubject
from zeroin.errors import ZeroinError
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.python.options import PythonOptions
from zeroin.languages.python.run.engine import PythonSubject

from ..fdlibm.campaign import target_of
from ..fdlibm.sources import fetch
from ..fdlibm.subjects import ENTRIES
from ..python.subjects import ENTRIES as PYTHON_ENTRIES
from .check import Checked, check

_TOP = Path(__file__).parents[2]
_RESULTS = Path(__file__).with_name("RESULTS.md")
_OWN = (_TOP / "tests" / "subjects" / "c" / "readable.c", _TOP / "tests" / "subjects" / "c" / "needles.c",
        _TOP / "examples" / "kepler.c")  # fmt: skip
_OWN_PYTHON = (_TOP / "tests" / "subjects" / "python" / "readable.py", _TOP / "examples" / "orbit.py")
_PYTHON_FUNCTION = re.compile(r"^def (\w+)\(", re.MULTILINE)
_FUNCTION = re.compile(r"^(?!static|typedef)[\w ]+?[ *](\w+)\([^;]*\) *\{", re.MULTILINE)
_LIMIT = 3600.0  # seconds for one function
Report = dict[str, object]


def functions(only: str) -> Iterator[tuple[str, str, dict[str, object]]]:
    """A name, the file and the options of each."""
    for path in _OWN:
        for function in _FUNCTION.findall(path.read_text()):
            yield f"{path.name}:{function}", str(path), {"function": function}
    for path in _OWN_PYTHON:
        for function in _PYTHON_FUNCTION.findall(path.read_text()):
            yield f"{path.name}:{function}", str(path), {"function": function}
    for known in PYTHON_ENTRIES:
        yield f"python:{known.name}", str(known.source), {"function": known.function}
    library = fetch(_TOP / "bench" / "fdlibm" / "work")
    for entry in ENTRIES:
        target = target_of(library, entry)
        options: dict[str, object] = {"function": target.function, "cc": list(target.cc)}
        options |= {"others": list(map(str, target.others)), "arrays": list(entry.arrays)}
        yield f"fdlibm:{target.function}", str(target.path), options


def one(path: str, options: dict[str, object], runs: int, seed: int) -> Report:
    """In this process, which the subject may end."""
    if path.endswith(".py"):
        python = PythonSubject(path, str(options["function"]), PythonOptions(native=False))
        python.guard()
        return _report(check(python, runs, seed))
    others = tuple(Path(str(other)) for other in _strings(options, "others"))
    subject = LlvmSubject(Path(path), str(options["function"]),
                          LlvmOptions(cc=tuple(_strings(options, "cc")), others=others, callees=True,
                                      arrays=tuple(map(ArraySpec.parse, _strings(options, "arrays")))))  # fmt: skip
    subject.guard()
    return _report(check(subject, runs, seed))


def _report(checked: Checked) -> Report:
    return {**asdict(checked), "ended": dict(checked.ended)}


def _strings(options: dict[str, object], name: str) -> list[str]:
    found = options.get(name, [])
    assert isinstance(found, list)
    return found


def apart(path: str, options: dict[str, object], runs: int, seed: int) -> Report | str:
    """In a process of its own; why there is no report, otherwise."""
    command = [sys.executable, "-m", "bench.reading.run", "--one", path, "--options", json.dumps(options), "--runs",
               str(runs), "--seed", str(seed)]  # fmt: skip
    try:
        done = subprocess.run(command, cwd=_TOP, capture_output=True, text=True, timeout=_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return f"not done within {_LIMIT:g} seconds"
    if done.returncode:
        return f"status {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"
    report: Report = json.loads(done.stdout)
    return report


def page(results: Sequence[tuple[str, Report | str]], runs: int, how: str) -> str:
    """RESULTS.md."""
    lines = [
        "# What is read, and what runs\n",
        f"Written by `python -m bench.reading.run{how} --write`: {runs} random runs of each function are followed.",
        "*whole*: to their end; *exact*: with nothing taken from the run. *alike* of the second inputs take the same",
        "path. *native*: path conditions that were compiled, too. *open*: they differ in what a language leaves open,",
        "such as the bits of a NaN that was computed, and do not count as disagreements. *ms*: for one run.\n",
        "| function | runs | whole | exact | decisions | second inputs | alike | native | open | ms | disagreements |",
        "| --- |" + " ---: |" * 10,
    ]
    ended: Counter[str] = Counter()
    total: Counter[str] = Counter()
    numbers = ("runs", "whole", "exact", "decisions", "others", "alike", "native", "open")
    bad = []
    for name, report in results:
        if isinstance(report, str):
            lines.append(f"| `{name}` | {report} |" + " |" * 9)
            bad.append(f"- {name}: {report}")
            continue
        counts = {n: int(str(report[n])) for n in numbers}
        wrong, causes = report["disagreements"], report["ended"]
        assert isinstance(wrong, list)
        assert isinstance(causes, dict)
        ended.update(causes)
        total.update(counts)
        total["disagreements"] += len(wrong)
        each = 1000 * float(str(report["seconds"])) / max(1, counts["runs"])
        shown = [*(f"{counts[n]:,}" for n in numbers), f"{each:.1f}", str(len(wrong))]
        lines.append(f"| `{name}` | {' | '.join(shown)} |")
        bad += [f"- {name}: {what}" for what in wrong[:3]]
    lines.append("| **all** | " + " | ".join(f"{total[n]:,}" for n in numbers) + f" | | {total['disagreements']} |")
    lines += ["", "Why runs were not followed to their end:", ""]
    lines += [f"- {count:,}: {why}" for why, count in ended.most_common(30)]
    return "\n".join([*lines, *(["", "Problems:", ""] if bad else []), *bad]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.reading.run", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="functions with this in their name")
    parser.add_argument("--runs", type=int, default=1000, metavar="N", help="of each function")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="functions at the same time")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--options", default="{}", help=argparse.SUPPRESS)
    parsed = parser.parse_args()
    if parsed.one:
        try:
            print(json.dumps(one(parsed.one, json.loads(parsed.options), parsed.runs, parsed.seed)))
        except ZeroinError as error:
            print(error, file=sys.stderr)
            return 2
        return 0
    chosen = [item for item in functions(parsed.only) if parsed.only in item[0]]
    results: list[tuple[str, Report | str]] = []
    with ThreadPoolExecutor(parsed.jobs) as pool:
        reports = pool.map(lambda item: apart(item[1], item[2], parsed.runs, parsed.seed), chosen)
        for (name, _, _), report in zip(chosen, reports, strict=True):
            print(name, report if isinstance(report, str) else {k: v for k, v in report.items() if v}, flush=True)
            results.append((name, report))
    given = (("only", parsed.only, ""), ("runs", parsed.runs, 1000), ("seed", parsed.seed, 0))
    how = "".join(f" --{name} {value}" for name, value, usual in given if value != usual)
    text = page(results, parsed.runs, how)
    print(text)
    if parsed.write:
        _RESULTS.write_text(text)
    return 1 if any(isinstance(report, str) or report["disagreements"] for _, report in results) else 0


if __name__ == "__main__":
    sys.exit(main())
