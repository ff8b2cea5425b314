"""How long ``zeroin cover`` takes from prompt to prompt, of which the search is the smallest part.

    python -m bench.startup [--runs N] [--functions N] [--write]

Each command runs in a process of its own, N times; the table shows medians: seconds on the clock, and processor seconds
of all its processes. *Warm*: everything that can be kept has been. *Changed*: the source is another one each time.
*Cold*: the cache is empty, as on a new machine. ``--write`` writes ``bench/RESULTS-startup.md``.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("RESULTS-startup.md")


_CXX = """#include <stdexcept>
#include <vector>
double of(double x, int n) {
    if (n < 0) throw std::out_of_range("n");
    std::vector<double> powers{1.0};
    while (powers.size() < 5) powers.push_back(powers.back() * x);
    return n < 5 && powers.at(n) == 2.25 ? -1.0 : powers.back();
}
"""


def measured(target: list[str], cache: Path, folder: Path) -> tuple[float, float]:
    """Seconds on the clock and processor seconds of one command."""
    command = [sys.executable, "-m", "zeroin", "cover", *target, "--quiet", "--out", str(folder / "out")]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, env={**os.environ, "XDG_CACHE_HOME": str(cache)}, capture_output=True, text=True,
                          check=False)  # fmt: skip
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode == 2:
        raise SystemExit(done.stderr)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def many(folder: Path, count: int) -> list[str]:
    """A file of so many functions, and one with a function that they call."""
    (folder / "other.c").write_text("double scale(double x) { return x > 2.0 ? x / 2.0 : x; }\n")
    body = "".join(f"int f{n}(double x) {{ if (scale(x) > {n}.5) return {n}; return 0; }}\n" for n in range(count))
    (folder / "many.c").write_text("double scale(double);\n" + body)
    return [str(folder / "many.c"), "--with", str(folder / "other.c")]


def rows(runs: int, functions: int) -> list[tuple[str, float, float]]:
    found = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        warm = folder / "cache"
        (folder / "of.cpp").write_text(_CXX)
        targets = {"C": [f"{ROOT}/examples/kepler.c:solve"], "C++": [f"{folder}/of.cpp:of"],
                   "Python": [f"{ROOT}/bench/python/functions/control.py:rate_limit"],
                   f"C, {functions} functions": many(folder, functions),
                   f"C, {functions} functions, --jobs 2": [*many(folder, functions), "--jobs", "2"]}  # fmt: skip
        for name, target in targets.items():
            if name in ("C", "C++", "Python"):
                found.append((f"{name}, cold", [measured(target, folder / f"{name}{n}", folder) for n in range(runs)]))
            for _ in range(2):  # the first run may end before everything is compiled
                measured(target, warm, folder)
            found.append((f"{name}, warm", [measured(target, warm, folder) for _ in range(runs)]))
        source, changed = Path(targets["C"][0].partition(":")[0]).read_text(), []
        for n in range(runs):
            (folder / "changed.c").write_text(f"{source}\nint version = {n};\n")
            changed.append(measured([f"{folder}/changed.c:solve"], warm, folder))
        found.append(("C, changed", changed))
    return [(name, *map(statistics.median, zip(*pairs, strict=True))) for name, pairs in found]


def table(found: list[tuple[str, float, float]], runs: int) -> str:
    lines = ["| `zeroin cover` of | seconds | processor seconds |", "| --- | --- | --- |"]
    lines += [f"| {name} | {wall:.2f} | {cpu:.2f} |" for name, wall, cpu in found]
    machine = f"Python {platform.python_version()}, {os.cpu_count()} processors ({platform.machine()})"
    return "\n".join([*lines, "", f"Medians of {runs} runs; {machine}.", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--functions", type=int, default=40, help="in the file of many")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    parsed = parser.parse_args()
    text = table(rows(parsed.runs, parsed.functions), parsed.runs)
    print(text)
    if parsed.write:
        RESULTS.write_text(f"# From prompt to prompt\n\nBy `python -m bench.startup --write`.\n\n{text}")


if __name__ == "__main__":
    main()
