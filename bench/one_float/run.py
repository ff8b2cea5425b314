"""Functions of one float against all their inputs: ``python -m bench.one_float.run``, in the project's top folder.

Random functions are compiled without zeroin and run with all 2^32 floats: that is the truth. Then zeroin gets some
seconds for each. A verdict is wrong if an input contradicts it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from zeroin import COVERED, INFEASIBLE, Budget, CTarget, Options, Worker, cover

from ..asking import machine
from ..decided import command_of
from .generate import Program, program

_RESULTS = Path(__file__).with_name("RESULTS.md")
_HEAD = "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n"
_PLAIN = "#define ZT(k, c) (c)\n"
_TWIN = """#include <stdio.h>
#include <stdlib.h>
static unsigned char zt_seen[256];
static int zt(int k, int c) { zt_seen[2 * k + !c] = 1; return c; }
#define ZT(k, c) zt(k, c)
static inline int zt_signals(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    return (u & 0x7fffffffu) > 0x7f800000u && !(u & 0x400000u);
}
/* As the C library has them, but inlined: all inputs are run. */
static inline float zt_fminf(float x, float y)
{
    return x < y ? x : x > y ? y : zt_signals(x) || zt_signals(y) ? x + y : y != y ? x : x != x ? y : x;
}
static inline float zt_fmaxf(float x, float y)
{
    return x > y ? x : x < y ? y : zt_signals(x) || zt_signals(y) ? x + y : y != y ? x : x != x ? y : x;
}
static inline float zt_fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }
#define fminf zt_fminf
#define fmaxf zt_fmaxf
#define fdimf zt_fdimf
"""
_MAIN = """
int main(int argc, char **argv)
{
    uint64_t from = strtoull(argv[1], 0, 10), to = strtoull(argv[2], 0, 10);
    for (uint64_t i = from; i < to; i++) {
        uint32_t bits = (uint32_t)i;
        float x;
        memcpy(&x, &bits, 4);
        %s(x);
    }
    for (int n = 0; n < %d; n++) putchar('0' + zt_seen[n]);
    return argc != 3;
}
"""
_COMPILER = (sys.executable, "-m", "ziglang", "cc", "-O2", "-march=native", "-ffp-contract=off", "-w",
             "-fno-sanitize=all")  # fmt: skip


def taken(made: Program, folder: Path, jobs: int) -> set[tuple[int, bool]]:
    """The outcomes of a function's conditions that some input takes: all inputs are run."""
    source, binary = folder / f"twin{made.number}.c", folder / f"twin{made.number}"
    source.write_text(_HEAD + _TWIN + made.text + _MAIN % (f"f{made.number}", 2 * len(made.lines)))
    subprocess.run([*_COMPILER, "-o", str(binary), str(source), "-lm"], check=True)
    parts = [(1 << 32) * n // jobs for n in range(jobs + 1)]
    with ThreadPoolExecutor(jobs) as pool:
        said = pool.map(lambda n: subprocess.run([str(binary), str(parts[n]), str(parts[n + 1])], check=True,
                                                 capture_output=True, text=True).stdout, range(jobs))  # fmt: skip
        return {(n // 2, n % 2 == 0) for one in said for n, was in enumerate(one) if was == "1"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; 0 if nothing is wrong, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.one_float.run", description=__doc__)
    parser.add_argument("--programs", type=int, default=20, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed makes other programs")
    parser.add_argument("--seconds", type=float, action="append", metavar="S", help="for each function (repeatable)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes that run all inputs")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md beside this file")
    options = parser.parse_args(argv)
    budgets = options.seconds or [2.0, 60.0]
    started, wrong = time.perf_counter(), list[str]()
    counts = {seconds: Counter[tuple[bool, bool]]() for seconds in budgets}  # an input takes it; it is decided
    rows = list[str]()
    with tempfile.TemporaryDirectory(prefix="one-float-") as name, Worker() as sandbox:
        folder = Path(name)
        for number in range(options.programs):
            made = program(options.seed, number)
            source = folder / f"f{number}.c"
            source.write_text(_HEAD + _PLAIN + made.text)
            truth = taken(made, folder, options.jobs)
            row = [f"f{number}", str(2 * len(made.lines)), str(len(truth))]
            first = (_HEAD + _PLAIN).count("\n")
            for seconds in budgets:
                asked = Options(budget=Budget(1 << 62, seconds), suite="small")
                suite = cover(CTarget(f"{source}:f{number}", source, f"f{number}", "c"), asked, sandbox)
                left = list[str]()
                for said in suite.verdicts:
                    outcome = made.lines.index(said.branch.site.line - first), said.branch.label == "true"
                    is_taken, is_decided = outcome in truth, said.verdict in (COVERED, INFEASIBLE)
                    counts[seconds][is_taken, is_decided] += 1
                    left += [] if is_decided else [f"{said.branch.site.line}{said.branch.label[0].upper()}"]
                    if (said.verdict == INFEASIBLE and is_taken) or (said.verdict == COVERED and not is_taken):
                        wrong.append(f"f{number}, line {said.branch.site.line} {said.branch.label}: {said.verdict}")
                row.append(" ".join(left) or "none")
            rows.append(f"| {' | '.join(row)} |")
            print(rows[-1], file=sys.stderr, flush=True)
    lines = [
        "# Functions of one float against all 2^32 inputs\n",
        f"Written by `python -m {' '.join(command_of('bench.one_float.run', argv))}`: "
        f"{machine(('ziglang', 'numba', 'llvmlite'))}. {options.programs} functions in "
        f"{time.perf_counter() - started:.0f} s.\n",
        "| seconds a function | branches that an input takes: covered | that none takes: proved infeasible | wrong |",
        "| ---: | ---: | ---: | ---: |",
    ]
    for seconds in budgets:
        found = counts[seconds]
        shares = []
        for is_taken in (True, False):
            some, every = found[is_taken, True], found[is_taken, True] + found[is_taken, False]
            shares.append(f"{some} of {every} ({some / every:.1%})" if every else "")
        lines.append(f"| {seconds:g} | {' | '.join(shares)} | {len(wrong)} |")
    head = " | ".join(f"undecided after {seconds:g} s" for seconds in budgets)
    lines += [
        "\n## By function\n",
        f"| | branches | taken | {head} |",
        "| --- | ---: | ---: |" + " --- |" * len(budgets),
    ]
    lines += [*rows, *(["\n## What is wrong\n", *(f"- {one}" for one in wrong)] if wrong else [])]
    text = "\n".join(lines) + "\n"
    if options.write:
        _RESULTS.write_text(text)
    print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
