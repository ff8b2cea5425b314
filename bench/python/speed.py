"""How fast Python subjects run: ``python -m bench.python.speed``, in the project's top folder; nothing else may run.

For numeric functions of the benchmark: calls a second of the plain function, of the function with probes, of the search
in the interpreter and of the native search; and how long ``zeroin`` takes to start.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zeroin import Door, PythonOptions, PythonSubject, domain_of, random_state
from zeroin.languages.python.front.modules import resolve
from zeroin.minimize import minimize, warm_up
from zeroin.minimize.seeds import LETTERS, draws
from zeroin.native.cells import ProbeMode
from zeroin.objective.coverage import CoverageObjective

_HERE = Path(__file__).parent
_FUNCTIONS = _HERE / "functions"
NAMES = ("classics:triangle", "guards:sine_window", "guards:exp_balance", "needles:float_needle",
         "special:erf_pieces", "control:rate_limit", "geodesy:haversine", "integers:gcd_steps",
         "matrices:eigen2", "tables:viscosity")  # fmt: skip
_ROUNDS = 5
_POINTS = 2000


def rate(run: Callable[[], int], rounds: int = _ROUNDS) -> float:
    """Calls a second, the median of some rounds; ``run`` says how many it made."""
    rates = []
    for _ in range(rounds):
        started = time.perf_counter()
        count = run()
        rates.append(count / (time.perf_counter() - started))
    return statistics.median(rates)


def measure(module: str, function: str) -> tuple[float, float, float, float | str]:
    """Rates of the plain function, with probes, of the search in the interpreter, and of the native one."""
    subject = PythonSubject(str(_FUNCTIONS / f"{module}.py"), function, PythonOptions())
    domain = domain_of(subject.signature, subject.constants)
    arguments = _arguments(subject, domain)
    called = subject.call.function

    def calls() -> int:
        for values in arguments:
            try:
                called(*values)
            except Exception:  # part of what is timed
                continue
        return len(arguments)

    subject._code.use(False)
    plain = rate(calls)
    objective = CoverageObjective(len(subject.sites))
    objective.update(-1, -1, -1)
    objective.question.asked[:] = ProbeMode.CALL  # every probe calls its pen
    subject._ask(objective.question, 1 << 40)
    probed = rate(calls)
    interpreted = rate(lambda: _search(subject, domain, objective, subject._probing.address, 100_000))
    try:
        native: float | str = rate(
            lambda: _native(subject, domain, objective, subject._compile().address, 2_000_000), 1
        )
        compiled = subject._compile()
        native = rate(lambda: _native(subject, domain, objective, compiled.address, 2_000_000))
    except Exception as error:
        native = str(error)
    return plain, probed, interpreted, native


def _arguments(subject: PythonSubject, domain: Any) -> list[list[Any]]:
    """Drawn as the search draws its starting points."""
    from zeroin.minimize.base import sample

    rng, x = random_state([0]), np.zeros(len(domain.kinds), dtype=np.int64)
    drawn: list[list[Any]] = []
    for _ in range(_POINTS):
        sample(domain.native, x, rng)
        parts = subject.signature.split(tuple(x.tolist()))
        drawn.append([parameter.shape.build(mine, resolve) for parameter, mine in parts])
    return drawn


def _search(subject: PythonSubject, domain: Any, objective: Any, address: int, evaluations: int) -> int:
    subject._ask(objective.question, 1_000_000)
    words = len(domain.kinds)
    door = Door(address, words, objective.question, subject.outcome_address)
    x, drawn, ways = np.zeros((3, words), dtype=np.int64)
    known, letters = np.zeros((0, words), dtype=np.int64), np.zeros(LETTERS, dtype=np.int64)
    for _ in range(evaluations // _POINTS):
        door.open(_POINTS)
        draws(door.native, domain.native, x, random_state([0]), known, drawn, ways, letters)
    return evaluations


def _native(subject: PythonSubject, domain: Any, objective: Any, address: int, evaluations: int) -> int:
    """Evaluations without much around them: uniform words."""
    subject._ask(objective.question, 1_000_000)
    door = Door(address, len(domain.kinds), objective.question, subject.outcome_address)
    door.open(evaluations)
    x = np.zeros(len(domain.kinds), dtype=np.int64)
    return minimize("random", door, domain, x, random_state([1])).evaluations


def starts() -> list[tuple[str, float]]:
    """Seconds that commands take, the median of some runs."""
    target = f"{_FUNCTIONS / 'classics.py'}:triangle"
    cover = [sys.executable, "-m", "zeroin", "cover", target, "--quiet", "--emit", "none", "--evals", "1000"]
    found = [("`import zeroin` in a running Python", _seconds([sys.executable, "-c", _IMPORT], parse=True))]
    _seconds(cover)
    found.append(("`zeroin cover` of a small function, to the end", _seconds(cover)))
    cold = [_cold(cover) for _ in range(_ROUNDS)]
    found.append(("the same with nothing in the cache of compiled kernels", statistics.median(cold)))
    return found


def _cold(command: list[str]) -> float:
    with tempfile.TemporaryDirectory() as cache:
        return _seconds(command, {**os.environ, "XDG_CACHE_HOME": cache}, rounds=1)


_IMPORT = "import time; t = time.perf_counter(); import zeroin; print(time.perf_counter() - t)"


def _seconds(command: list[str], environment: dict[str, str] | None = None, rounds: int = _ROUNDS,
             parse: bool = False) -> float:  # fmt: skip
    taken = []
    for _ in range(rounds):
        started = time.perf_counter()
        output = subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout
        taken.append(float(output) if parse else time.perf_counter() - started)
    return statistics.median(taken)


def _spread(ratios: list[float]) -> str:
    return f"{statistics.median(ratios):.2f} in the median, {max(ratios):.2f} at most"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print or write the page."""
    parser = argparse.ArgumentParser(prog="python -m bench.python.speed", description=__doc__)
    parser.add_argument(
        "--only", action="append", choices=NAMES, metavar="NAME", help="only this function (repeatable)"
    )
    parser.add_argument("--write", action="store_true", help="write the page to RESULTS-speed.md beside this file")
    parsed = parser.parse_args(argv)
    warm_up()
    warm_up("random")
    lines, natives, probes, searches = [], [], [], []
    for name in parsed.only or NAMES:
        module, function = name.split(":")
        plain, probed, interpreted, native = measure(module, function)
        probes.append(plain / probed)
        searches.append(plain / interpreted)
        if isinstance(native, float):
            natives.append(native)
        shown = f"{native / 1e6:.1f}" if isinstance(native, float) else native
        lines.append(f"| `{module}.{function}` | {plain / 1e6:.2f} | {probed / 1e6:.2f} | {plain / probed:.2f} "
                     f"| {interpreted / 1e6:.2f} | {plain / interpreted:.2f} | {shown} |")  # fmt: skip
        print(lines[-1], flush=True)
    page = f"""# Speed of Python subjects

Written by `python -m bench.python.speed --write`: {os.cpu_count()} cores, {platform.machine()}, Python
{platform.python_version()}. Millions of calls a second, medians of {_ROUNDS} rounds, on the same {_POINTS} points,
drawn as the search draws them; every probe calls its pen. **probes**: the function with probes, called by Python;
**search**: the search draws the points itself and evaluates them in the interpreter; **native**: compiled by
Numba, on uniform words.

- The plain function is **{_spread(probes)}** times as fast as the one with probes;
- than the search in the interpreter, everything included: **{_spread(searches)}**.
- Native: **{statistics.median(natives) / 1e6:.0f} million** evaluations a second in the median of {len(natives)}.

| function | plain | probes | plain/probes | search | plain/search | native |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
""" + "\n".join(lines)
    page += "\n\n| command | s |\n| --- | ---: |\n" + "\n".join(f"| {what} | {took:.2f} |" for what, took in starts())
    print(page)
    if parsed.write:
        (_HERE / "RESULTS-speed.md").write_text(page + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
