"""Functions of real packages, unmodified: ``python -m bench.python.packages``, in the project's top folder.

Three modules of the standard library, and two pure Python packages that pip fetches (pinned by version, checked by
sha256). What the tests that zeroin writes cover is counted by coverage.py.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from zeroin import COVERED, Budget, Options, Suite, Worker, ZeroinError, cover, targets_of
from zeroin.languages.python.measure.coverage import CoveragePy, CoverageReport

_HERE = Path(__file__).parent
_WORK = _HERE / "work" / "packages"
_DATA = "data: list[float]"
_WHEELS = {
    "jdcal==1.4.1": "1abf1305fce18b4e8aa248cf8fe0c56ce2032392bc64bbd61b5dff2a19ec8bba",
    "geographiclib==2.0": "6b7225248e45ff7edcee32becc4e0a1504c606ac5ee163a5656d482e0cd38734",
}


@dataclass(frozen=True)
class Group:
    """Functions of one module; ``types`` as ``--types`` takes them, for code without annotations."""

    module: str
    functions: tuple[str, ...]
    types: str = ""


GROUPS = (
    Group("statistics", ("mean", "fmean", "geometric_mean", "median", "median_low", "median_high", "mode", "multimode",
                         "variance", "pvariance", "quantiles"), _DATA),
    Group("statistics", ("correlation", "linear_regression", "covariance"), "x: list[float], y: list[float]"),
    Group("colorsys", ("rgb_to_yiq", "yiq_to_rgb", "rgb_to_hls", "hls_to_rgb", "rgb_to_hsv", "hsv_to_rgb", "_v")),
    Group("fractions", ("Fraction.limit_denominator", "Fraction.__floor__", "Fraction.__ceil__", "Fraction.__round__",
                        "Fraction.__hash__", "Fraction.__bool__", "Fraction.from_float"),
          "f: int | float | str"),
    Group("jdcal", ("ipart", "is_leap", "gcal2jd", "jd2gcal", "jcal2jd", "jd2jcal"),
          "year: int, month: int, day: int, jd1: float, jd2: float"),
    Group("geographiclib.geomath", ("Math.sum", "Math.polyval", "Math.AngRound", "Math.remainder", "Math.AngNormalize",
                                    "Math.LatFix", "Math.AngDiff", "Math.sincosd", "Math.sincosde", "Math.atan2d"),
          "N: int, p: list[float], s: int, x: float"),
)  # fmt: skip


def fetch() -> Path:
    """The folder where the fetched packages are installed."""
    folder = _WORK / "lib"
    if not folder.exists():
        _WORK.mkdir(parents=True, exist_ok=True)
        wanted = _WORK / "requirements.txt"
        wanted.write_text("".join(f"{name} --hash=sha256:{digest}\n" for name, digest in _WHEELS.items()))
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:",
                   "--require-hashes", "--target", str(folder), "-r", str(wanted)]  # fmt: skip
        subprocess.run(command, check=True)
    return folder


def use(folder: Path) -> None:
    """Import what is there, in this process and in those that it starts."""
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    sys.path.insert(0, str(folder))


def types_for(types: str, function: str, module: str) -> str:
    """The types that a function's parameters have."""
    import importlib
    import inspect

    value: object = importlib.import_module(module)
    owners = [value]
    for part in function.split("."):
        value = getattr(value, part)
        owners.append(value)
    names = {name for owner in owners[1:] if callable(owner) for name in inspect.signature(owner).parameters}
    return ", ".join(part for part in types.split(", ") if part.partition(":")[0] in names)


def run(group: Group, function: str, options: Options, sandbox: Worker) -> tuple[Suite, CoverageReport, float]:
    """Cover one function, and measure the test."""
    started = time.perf_counter()
    (target,) = targets_of(f"{group.module}:{function}", options, sandbox).targets
    suite = cover(target, options, sandbox)
    seconds = time.perf_counter() - started
    return suite, CoveragePy().measure(suite), seconds


def main(argv: Sequence[str] | None = None) -> int:
    """Run all functions and print, or write, the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.python.packages", description=__doc__)
    parser.add_argument("--budget", type=float, default=5.0, metavar="S", help="seconds of search for each function")
    parser.add_argument("--write", action="store_true", help="write the table to RESULTS-packages.md beside this file")
    parsed = parser.parse_args(argv)
    use(fetch())
    lines, failed = [], 0
    with Worker() as sandbox:
        for group in GROUPS:
            for function in group.functions:
                types = types_for(group.types, function, group.module)
                options = Options(budget=Budget(seconds=parsed.budget), types=types)
                try:
                    suite, report, seconds = run(group, function, options, sandbox)
                except ZeroinError as error:
                    failed += 1
                    lines.append(f"| `{group.module}` | `{function}` | {error} | | | | | |")
                    continue
                failed += report.failed
                lines.append(
                    f"| `{group.module}` | `{function}` | {report.statements[0]} of {report.statements[1]} "
                    f"| {report.branches[0]} of {report.branches[1]} | {suite.count(COVERED)} of {len(suite.branches)} "
                    f"| {len(suite.inputs)} | {len(suite.findings)} | {seconds:.1f} |"
                )
                print(lines[-1], flush=True)
    text = _page(lines, failed, parsed.budget)
    if parsed.write:
        (_HERE / "RESULTS-packages.md").write_text(text)
    return 1 if failed else 0


def _page(lines: list[str], failed: int, budget: float) -> str:
    heading = f"""# Real packages, unmodified

Written by `python -m bench.python.packages --budget {budget:g} --write`, Python {platform.python_version()},
{", ".join(_WHEELS)} from PyPI. Statements and branches of each function as coverage.py counts them when it runs the
emitted pytest file; **ours**: outcomes of conditions, those of functions of the module that are called included. Tests
of these files that fail: {failed}.

| module | function | statements | branches | ours | tests | findings | s |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
"""
    return heading + "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
