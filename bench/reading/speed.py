"""Where the time of an exploration goes: ``python -m bench.reading.speed``, in the project's top folder.

Each function of fdlibm is explored for some seconds, in a process of its own. The path conditions that are taken are
timed by the length of the run, in instructions of LLVM's; of the rest, what the tree and the frontiers take, what the
runs take, and what the solvers take. Of Python functions of numbers, the two ways to read them are compared.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

from zeroin import Budget, LlvmSubject, domain_of
from zeroin.generate.search import Search
from zeroin.generate.strategies.explore import Explore
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.read.walk import Walk
from zeroin.subject.base import branches_of
from zeroin.worker.job import RARELY, compile_kernels, prepare

from ..asking import machine
from ..fdlibm.campaign import target_of
from ..fdlibm.sources import fetch
from ..fdlibm.subjects import ENTRIES, Entry
from .readers import compare, section

_RESULTS = Path(__file__).with_name("RESULTS-speed.md")
_WORK = Path(__file__).parents[1] / "fdlibm" / "work"
_TIMED = 200  # path conditions
_RANDOM = 100  # runs of a Python function
PARTS = ("runs", "path conditions", "tree and frontiers", "queries", "solvers")


@dataclass
class Profile:
    """One exploration.

    Attributes:
        function: its name.
        seconds: of all of it.
        runs: that were made.
        parts: seconds, by part.
        conditions: of each path condition, the milliseconds and the length of the run.
        again: the same, of the same runs when all of their terms are known.
    """

    function: str
    seconds: float = 0.0
    runs: int = 0
    parts: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))
    conditions: list[tuple[float, int]] = field(default_factory=list)
    again: list[tuple[float, int]] = field(default_factory=list)

    @property
    def tree(self) -> float:
        """The share of the tree and the frontiers, in percent."""
        return 100 * self.parts["tree and frontiers"] / self.seconds

    @property
    def for_200(self) -> float:
        """Milliseconds that 200 instructions take, the median."""
        return statistics.median(200 * ms / length for ms, length in self.conditions)


def profile(entry: Entry, seconds: float) -> Profile:
    """In this process, where garbage is looked for as in the worker."""
    gc.set_threshold(RARELY)
    found = Profile(entry.function)
    target = target_of(fetch(_WORK), entry)
    arrays = tuple(map(ArraySpec.parse, entry.arrays))
    subject = LlvmSubject(target.path, target.function, LlvmOptions(cc=target.cc, others=target.others, arrays=arrays))
    subject.guard()
    search = Search(subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants),
                    Budget(10**9, seconds), 0)  # fmt: skip
    strategy = Explore(search)

    seen: list[tuple[Any, Any, float]] = []
    along = subject.along

    def timed(part: str, owner: Any, name: str) -> None:
        function: Callable[..., Any] = getattr(owner, name)

        def call(*arguments: Any, **named: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                taken = time.perf_counter() - started
                found.parts[part] += taken
                if part == "path conditions" and len(seen) < _TIMED:
                    seen.append((*arguments, 1000 * taken))

        setattr(owner, name, call)

    exploration = strategy.exploration
    for part, owner, name in (("runs", subject, "execute"), ("path conditions", subject, "along"),
                              ("tree and frontiers", exploration, "choose"), ("tree and frontiers", exploration, "add"),
                              ("queries", exploration, "constraints"), ("solvers", strategy._quick, "solve"),
                              ("solvers", strategy._further, "solve")):  # fmt: skip
        timed(part, owner, name)
    started = time.perf_counter()
    while search.missing and not search.stopped and not strategy.done:
        strategy.step(1)
    found.seconds, found.runs = time.perf_counter() - started, strategy.runs
    for words, execution, taken in seen:
        size = length(subject, words, execution)
        started = time.perf_counter()
        along(words, execution)
        found.again.append((1000 * (time.perf_counter() - started), size))
        found.conditions.append((taken, size))
    return found


def length(subject: LlvmSubject, words: Any, execution: Any) -> int:
    """How many instructions are followed along a run."""
    count, carry_out = 0, Walk._carry_out

    def counting(*arguments: Any) -> bool:
        nonlocal count
        count += 1
        return carry_out(*arguments)

    with patch.object(Walk, "_carry_out", counting):
        subject.model.along(words, execution)
    return count


def apart(entry: Entry, seconds: float) -> Profile:
    """In a process of its own, as a function may end it."""
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=lambda: theirs.send(profile(entry, seconds)))
    process.start()
    theirs.close()
    found: Profile = ours.recv()
    process.join()
    return found


def render(profiles: Sequence[Profile], seconds: float) -> str:
    """The page."""
    total = sum(p.seconds for p in profiles)
    rates = [200 * ms / size for p in profiles for ms, size in p.conditions]
    known_rates = [200 * ms / size for p in profiles for ms, size in p.again]
    known = {part: sum(p.parts[part] for p in profiles) for part in PARTS}
    lines = [
        "# Where the time of an exploration goes\n",
        f"`python -m bench.reading.speed --seconds {seconds:g} --write`: {machine(('z3-solver', 'bitwuzla'))}.\n",
        f"The functions of fdlibm (newlib 3.3.0), {seconds:g} s each at most, one after the other. A path condition is "
        f"taken anew for each run: of {len(rates)} runs, 200 instructions take {statistics.median(rates):.2f} ms in "
        f"the median, and {statistics.median(known_rates):.2f} ms where all terms are known from an earlier run.\n",
        f"Of all {total:.0f} s: " + ", ".join(f"{part} {100 * known[part] / total:.1f} %" for part in PARTS) + ".\n",
        f"| function | runs | s | instructions, median | path condition, ms | for 200 | {' | '.join(PARTS)} |",
        "| --- |" + " ---: |" * (5 + len(PARTS)),
    ]
    for p in profiles:
        middle = statistics.median(size for _, size in p.conditions)
        each = statistics.median(ms for ms, _ in p.conditions)
        shares = " | ".join(f"{100 * p.parts[part] / p.seconds:.1f} %" for part in PARTS)
        lines.append(f"| `{p.function}` | {p.runs} | {p.seconds:.2f} | {middle:g} "
                     f"| {each:.2f} | {p.for_200:.2f} | {shares} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="python -m bench.reading.speed", description=(__doc__ or "").split(":")[0])
    parser.add_argument("--seconds", type=float, default=5.0, metavar="S", help="for each function")
    parser.add_argument("--only", default="", metavar="TEXT", help="functions with this in their name")
    parser.add_argument("--write", action="store_true", help="write RESULTS-speed.md")
    parsed = parser.parse_args(arguments)
    prepare()
    compile_kernels(lambda: None, lambda: None)
    profiles = []
    for entry in ENTRIES:
        if parsed.only in entry.function:
            profiles.append(apart(entry, parsed.seconds))
            print(
                f"{entry.function}: {profiles[-1].runs} runs, {profiles[-1].tree:.1f} % tree",
                file=sys.stderr,
                flush=True,
            )
    page = render(profiles, parsed.seconds)
    if not parsed.only:
        page += section(list(compare(_RANDOM)), _RANDOM)
    print(page)
    if parsed.write and not parsed.only:
        _RESULTS.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
