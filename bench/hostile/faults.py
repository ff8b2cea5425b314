"""What befalls a search from outside: ``python -m bench.hostile.faults``, in the project's top folder.

Its processes are killed, signals come, the disk is full, what was kept is damaged, limits are low. Each time the
command must end in time and in order, leave nothing behind, and lose nothing that was found.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .run import Home
from .sections import write_section
from .subjects import Hostile

_ZEROIN = str(Path(sys.executable).with_name("zeroin"))
_BUDGET = 2.0
_TRIAL = 0.4  # seconds that it takes
_LIMIT = _BUDGET + 120.0  # seconds
_COMPILING = 300.0  # more, where kernels have to be compiled
_SOURCES = {
    "f.c": "double erfc(double);\n"  # of which nothing is proved
           "double f(double x) { if (x == 77123) return 1; if (erfc(x) > 3) return 2; return 0; }\n",
    "f.py": "import math\ndef f(x: float) -> int:\n    if x == 77123:\n        return 1\n"
            "    if math.erfc(x) > 3:\n        return 2\n    return 0\n",
}  # fmt: skip
_INTERRUPTED = {  # when a signal comes
    **_SOURCES,
    "sleeps.c": "#include <unistd.h>\nint f(int x) { if (x == 77123) return 1; if (x > 5) sleep(1000); return 0; }\n",
    "sleeps.py": "import time\ndef f(x: int) -> int:\n    if x == 77123:\n        return 1\n    time.sleep(1000)\n"
                 "    return 0\n",
    "loads.py": "import time\ntime.sleep(1000)\ndef f(x: int) -> int:\n    return 1 if x == 77123 else 0\n",
    "blocks.c": "#include <signal.h>\n#include <unistd.h>\nint f(int x) {\n  sigset_t all;\n  sigfillset(&all);\n"
                "  sigprocmask(SIG_BLOCK, &all, 0);\n  if (x > 5) sleep(1000);\n  return x == 77123;\n}\n",
    "heap.c": "#include <stdlib.h>\nint f(int n, int k) {\n  if (n < 1 || n > 64) return -1;\n"
              "  int *block = malloc(n * sizeof *block), sum = 0;\n"
              "  for (int i = 0; i < n; i++) block[i] = i * k;\n"
              "  for (int i = 0; i < n; i++) sum += block[i] % 7 == 3 ? block[i] : -1;\n"
              "  free(block);\n  return sum > 100 ? sum : 0;\n}\n",
}  # fmt: skip
_SOON = 2.0  # seconds in which a command ends that is asked to
_VERDICTS = ["covered", "covered", "undecided", "covered"]
_KILLED = ("parent", "base", "job", "task")  # each started by the one before
_TRYING = "kill parent at its trial"  # of the test that it has written
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_FULL = ("stdout", "report")
_DAMAGES = ("truncated", "random", "empty")
_DISKS = ("cache", "temporary")  # each a disk of its own, with room for so many bytes
_ROOM = (1 << 15, 1 << 19)
_LIMITS = {"n": (4, 40), "v": (50_000, 1_500_000), "f": (0, 100)}  # of ulimit
PROBLEMS = ("late", "traceback", "status", "message", "lost", "left")


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong.

    Attributes:
        kind: such as ``kill task``.
        source: whose search it befalls.
        moment: when, or how much, from 0 to 1.
    """

    kind: str
    source: str
    moment: float

    @property
    def name(self) -> str:
        return f"{self.kind}, {self.source}, {self.moment:.4f}"

    @property
    def detail(self) -> str:
        return self.kind.rpartition(" ")[2]


def faults(seed: int = 0) -> Iterator[Fault]:
    """All of them: 100 deaths of each process, and some of every other kind; the same for the same seed."""
    rng = random.Random(seed)
    kinds = [*((f"kill {process}", 100) for process in _KILLED), (_TRYING, 20)]
    kinds += [(f"send {name}", 70) for name in _SIGNALS] + [(f"full {what}", 2) for what in _FULL]
    kinds += [(f"disk {what}", 10) for what in _DISKS]
    kinds += [(f"cache {how}", 10) for how in _DAMAGES] + [(f"ulimit -{letter}", 20) for letter in _LIMITS]
    for kind, count in kinds:
        sources = sorted(_INTERRUPTED if kind.startswith("send") else _SOURCES)
        for number in range(count):
            yield Fault(kind, sources[number % len(sources)], rng.random())


def judge(fault: Fault) -> dict[str, str]:
    """Let it befall a search; what is wrong with what came of that, by kind."""
    with tempfile.TemporaryDirectory(prefix="faults-") as place:
        source = Path(place) / fault.source
        source.write_text(_INTERRUPTED[fault.source])
        home = Home(Path(place), Hostile(source, "f", (), refused=False, undecided=1, options=()))
        process = _start(fault, home)
        searched = _inflict(fault, process)
        problems, asked = {}, time.monotonic()
        try:
            _, errors = process.communicate(timeout=_LIMIT + _COMPILING * ("cache" in fault.kind))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, errors = process.communicate()
            problems["late"] = "it had to be ended"
        if fault.kind.startswith("send") and time.monotonic() > asked + _SOON:
            problems["late"] = f"it went on for {time.monotonic() - asked:.1f} s"
        if "it had to be ended" not in problems.values():
            problems = _judge_end(fault, searched, process.returncode, errors, home)
        if "Traceback" in errors:
            problems["traceback"] = errors.strip().splitlines()[-1]
        left = home.left()
        if left:
            problems["left"] = left
        return problems


def _start(fault: Fault, home: Home) -> subprocess.Popen[str]:
    report = "/dev/full" if fault.kind == "full report" else "report"
    command = [_ZEROIN, "cover", f"{fault.source}:f", "--budget", f"{_BUDGET:g}", "--out", "out", "--json", report]
    environment = home.environment
    if fault.kind.startswith("ulimit"):
        low, high = _LIMITS[fault.detail[1:]]
        amount = round(low + (high - low) * fault.moment)
        command = ["bash", "-c", f'ulimit {fault.detail} {amount}; exec "$@"', "bash", *command]
    if fault.kind.startswith("disk"):
        size = round(_ROOM[0] + (_ROOM[1] - _ROOM[0]) * fault.moment)
        disk = home.temporary.parent / "disk"
        disk.mkdir()
        as_root = ["--user", "--map-root-user"] if os.geteuid() else []
        mount = f'mount -t tmpfs -o size={size},mode=700 none "$0" && exec "$@"'
        command = ["unshare", *as_root, "--mount", "bash", "-c", mount, str(disk), *command]
        environment = {**environment, "XDG_CACHE_HOME" if fault.detail == "cache" else "TMPDIR": str(disk)}
    if fault.kind.startswith("cache"):
        environment = {**environment, "XDG_CACHE_HOME": str(_damaged_cache(fault, home))}
    with open("/dev/full" if fault.kind == "full stdout" else os.devnull, "w") as stdout:
        return subprocess.Popen(
            command,
            cwd=home.work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )


def _damaged_cache(fault: Fault, home: Home) -> Path:
    """A copy of what is kept, of which every other file is not as it was."""
    rng, place = random.Random(fault.moment), home.temporary.parent / "cache"
    shutil.copytree(Path(home.environment["XDG_CACHE_HOME"]) / "zeroin", place / "zeroin")
    for path in sorted(place.rglob("*")):
        if path.is_file() and rng.random() < 0.5:
            content = path.read_bytes()
            keep = rng.randrange(len(content) + 1)
            made = {"truncated": content[:keep], "random": content[:keep] + rng.randbytes(len(content) - keep)}
            path.write_bytes(made.get(fault.detail, b""))
    return place


def _inflict(fault: Fault, process: subprocess.Popen[str]) -> float:
    """At its moment, of the time that a search takes with its start and end; how many seconds tasks had run then."""
    if not fault.kind.startswith(("kill", "send")):
        return 0.0
    depth = _KILLED.index(fault.detail) if fault.detail in _KILLED else 0
    moment, begun = time.monotonic() + fault.moment * (_BUDGET + 1.5), math.inf
    found: list[int] = []
    while process.poll() is None and not (found and time.monotonic() >= moment):
        found = _descendants(process.pid, depth)
        if _descendants(process.pid, len(_KILLED) - 1):
            begun = min(begun, time.monotonic())
        if fault.kind == _TRYING and moment != 0.0:
            waiting = _descendants(
                process.pid, 1, b"zeroin.emit.trial_process"
            )  # until it goes where it tries the test
            moment = 0.0 if any(_place(n) not in ("", _place(process.pid)) for n in waiting) else math.inf
        time.sleep(0.002)
    if fault.kind == _TRYING:
        time.sleep(_TRIAL * fault.moment)
    searched = max(0.0, time.monotonic() - begun)
    with contextlib.suppress(ProcessLookupError):
        for number in found[:1]:
            os.kill(number, signal.SIGKILL if fault.kind.startswith("kill") else signal.Signals[fault.detail])
    return searched


def _place(process: int) -> str:
    """Its current directory; none where it has ended."""
    try:
        return os.readlink(f"/proc/{process}/cwd")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _descendants(process: int, depth: int, module: bytes = b"zeroin.worker.base_process") -> list[int]:
    """The workers of the workers of ... a process, or what else it has started of ours."""
    if depth == 0:
        return [process]
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ours = [int(n) for n in children if module in Path(f"/proc/{n}/cmdline").read_bytes()]
    except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
        return []
    return [found for child in ours for found in _descendants(child, depth - 1, module)]


def _judge_end(fault: Fault, searched: float, status: int, errors: str, home: Home) -> dict[str, str]:
    problems = {}
    whole = (
        fault.kind == "disk cache"
        or fault.kind.startswith("cache")
        or (searched and fault.kind in [f"kill {name}" for name in _KILLED[1:]])
    )
    fine = {2} if fault.kind.startswith("full") else {0} if whole else {0, 2}
    if fault.kind in ("kill parent", _TRYING):
        fine = {0, -signal.SIGKILL}
    if fault.kind.startswith("send"):
        number = signal.Signals[fault.detail]
        fine = {0, 128 + number} if searched else {0, 128 + number, -number}  # before it is heeded
    if status not in fine:
        problems["status"] = f"{status}: {errors.strip()[-160:]}"
    ours = [line for line in errors.splitlines() if line.startswith("zeroin")]
    if status == 2 and len(ours) != 1:
        problems["message"] = f"{len(ours)} lines: {errors.strip()[-160:]}"
    lost = _lost_for_good(home, fault) if status == -signal.SIGKILL and searched > 1 else _lost(status, fault, home)
    if lost:
        problems["lost"] = lost
    return problems


def _lost(status: int, fault: Fault, home: Home) -> str:
    """What should have been written and has not been."""
    if fault.kind.startswith("full") and not any((home.work / "out").glob("test_*")):
        return "no test"
    if status == 0:
        try:
            (report,) = json.loads((home.work / "report").read_text())["targets"]
        except (OSError, ValueError):
            return "no report"
        verdicts = [branch["verdict"] for branch in report["branches"]]
        if verdicts != _VERDICTS and not fault.kind.startswith("send"):
            return ", ".join(verdicts)
    return ""


def _lost_for_good(home: Home, fault: Fault) -> str:
    """What was found more than a second before the parent was killed, as all is here, and is not found again at once by
    who resumes."""
    command = [_ZEROIN, "cover", f"{fault.source}:f", "--resume", "--evals", "1", "--out", "out", "--json", "report"]
    subprocess.run(command, cwd=home.work, env=home.environment, capture_output=True, check=False, timeout=_LIMIT)
    return _lost(0, fault, home)


def page(results: Sequence[tuple[Fault, dict[str, str]]], every: int = 1) -> str:
    """The section of RESULTS.md."""
    how = "" if every == 1 else f" --every {every}"
    lines = [
        "# Faults\n",
        f"Written by `python -m bench.hostile.faults{how} --write`: searches of {_BUDGET:g} s in a C and a Python",
        "function (signals: in others, too, that sleep, or take long to load), at random moments. *late* is what had",
        f"to be ended, or went on for more than {_SOON:g} s when it was asked to stop; *lost* what was found and is",
        "not in the report, or the test, nor found at once by `--resume` after the parent was killed; *left* are",
        "processes and temporary files. A process that is killed before the search begins may have the target",
        "refused.\n",
        f"| | runs | without a problem | {' | '.join(PROBLEMS)} |",
        f"| --- | ---: | ---: |{' ---: |' * len(PROBLEMS)}",
    ]
    for kind in dict.fromkeys(fault.kind for fault, _ in results):
        mine = [problems for fault, problems in results if fault.kind == kind]
        counts = [str(sum(what in problems for problems in mine)) for what in PROBLEMS]
        lines.append(f"| {kind} | {len(mine)} | {sum(not p for p in mine)} | {' | '.join(counts)} |")
    bad = [f"- {fault.name}: {told(problems)}" for fault, problems in results if problems]
    return "\n".join([*lines, *(["", "Problems:", ""] if bad else []), *bad]) + "\n"


def told(problems: dict[str, str]) -> str:
    return "; ".join(f"{kind}: {' '.join(what.split())[:200]}" for kind, what in problems.items())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.hostile.faults", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="kinds with this in their name")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th of them")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the moments")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at the same time")
    parser.add_argument("--write", action="store_true", help="write the section of RESULTS.md")
    parsed = parser.parse_args()
    chosen = [fault for fault in faults(parsed.seed) if parsed.only in fault.name][:: parsed.every]
    results = []
    for name in _SIGNALS:  # which a shell has us ignore that starts this in the background
        signal.signal(signal.Signals[name], signal.SIG_DFL)
    with ThreadPoolExecutor(parsed.jobs) as pool:
        for fault, problems in zip(chosen, pool.map(judge, chosen), strict=True):
            print(f"{fault.name}: {told(problems) or 'in order'}", flush=True)
            results.append((fault, problems))
    text = page(results, parsed.every)
    print(text)
    if parsed.write:
        write_section(text)
    return 1 if any(problems for _, problems in results) else 0


if __name__ == "__main__":
    sys.exit(main())
