"""Functions that do what test subjects must not do: ``python -m bench.hostile.run``, in the project's top folder.

Each is covered by the installed command, in a home of its own, and what came of it is judged: that it ended in time,
that nothing was lost, found wrongly, harmed or left behind, and that the test that was written passes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .sections import write_section
from .subjects import Hostile, subjects

_ZEROIN = str(Path(sys.executable).with_name("zeroin"))
_SHARE, _BEYOND = 0.1, 2.0  # of the budget, and seconds, that a command may take longer, beside starting and loading
_LONGEST = 60.0  # seconds longer than its budget, after which it is ended
_MARK = "BENCH_OF_ZEROIN"

# What may be wrong with a run, in the order of the table.
PROBLEMS = ("late", "traceback", "status", "lost", "not found", "wrong", "test", "harm", "left")


@dataclass(frozen=True)
class Result:
    """What came of one subject.

    Attributes:
        problems: by kind, each with its sentence.
        seconds: that it took, beside starting and loading.
        loading: seconds for these, as ``zeroin show`` takes them.
    """

    subject: Hostile
    problems: dict[str, str]
    seconds: float
    loading: float
    findings: int


class Home:
    """A folder with a dear file, the subject's file, and room for temporary files, for one run."""

    def __init__(self, place: Path, subject: Hostile) -> None:
        self.mark = uuid.uuid4().hex
        self.dear, self.work, self.temporary = place / "dear", place / "work", place / "temporary"
        for folder in (self.dear, self.work, self.temporary):
            folder.mkdir()
        (self.dear / "letter").write_text("dear")
        shutil.copy(subject.path, self.work)
        keep = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        self.environment = {**os.environ, "HOME": str(self.dear), "XDG_CACHE_HOME": keep, "TMPDIR": str(self.temporary),
                            _MARK: self.mark}  # fmt: skip
        self._before = self._seen()

    def _seen(self) -> dict[str, bytes]:
        places = (self.dear, self.work)
        return {str(p): p.read_bytes() if p.is_file() else b"" for top in places for p in sorted(top.rglob("*"))}

    def harmed(self) -> str:
        """What has changed beside the tests that were asked for."""
        made = (f"{self.work}/out/", f"{self.work}/__pycache__")
        now = {p: c for p, c in self._seen().items() if not f"{p}/".startswith(made)}
        changed = [Path(p).name for p in {*now, *self._before} if now.get(p) != self._before.get(p)]
        return ", ".join(sorted(changed))

    def left(self) -> str:
        """Processes and temporary files that are still there."""
        found = [f"process {n}" for n in marked(self.mark)]
        for _ in range(40):
            if not found:
                break
            time.sleep(0.05)
            found = [f"process {n}" for n in marked(self.mark)]
        for process in marked(self.mark):
            os.kill(process, signal.SIGKILL)
        return ", ".join([*found, *(p.name for p in self.temporary.iterdir())][:5])


def marked(mark: str) -> list[int]:
    """The processes that run with this mark in their environment; zombies have none."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if f"{_MARK}={mark}".encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:  # it has ended, or is another user's
                continue
    return found


def judge(subject: Hostile, budget: float) -> Result:
    """Cover one subject and judge what came of it."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as place:
        home = Home(Path(place), subject)
        target = f"{subject.path.name}:{subject.function}"
        command = [_ZEROIN, "cover", target, "--budget", f"{budget:g}", "--json", "-", "--out", "out", *subject.options]
        started = time.monotonic()
        shown = [_ZEROIN, "show", target, *subject.options]
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(shown, cwd=home.work, env=home.environment, stdin=subprocess.DEVNULL, capture_output=True,
                           check=False, timeout=_LONGEST)  # fmt: skip
        loading, started = time.monotonic() - started, time.monotonic()
        process = subprocess.Popen(command, cwd=home.work, env=home.environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                                   start_new_session=True)  # fmt: skip
        problems = {}
        try:
            output, errors = process.communicate(timeout=budget + _LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            problems["late"] = "it had to be ended"
        seconds = max(0.0, time.monotonic() - started - loading)
        if seconds > (1 + _SHARE) * budget + _BEYOND:
            problems.setdefault("late", f"{seconds:.1f} s")
        if "Traceback" in errors or "zeroin itself failed" in errors:
            problems["traceback"] = " / ".join(errors[errors.find("Traceback") :].strip().splitlines())[:3000]
        findings = []
        if output or "late" not in problems:
            findings = _judge_report(subject, process.returncode, output, errors, problems)
        for kind, what in (("harm", home.harmed()), ("left", home.left())):
            if what:
                problems[kind] = what
        if not problems.keys() & {"late", "status", "traceback"} and not subject.refused:
            failed = _failing_test(home)
            if failed:
                problems["test"] = failed
        return Result(subject, problems, seconds, loading, len(findings))


def _judge_report(subject: Hostile, status: int, output: str, errors: str, problems: dict[str, str]) -> list[str]:
    """Add to the problems what is wrong with the status and the report; the findings."""
    if subject.refused:
        if status != 2 or not errors.startswith("zeroin: "):
            problems["status"] = f"{status} where it should be refused: {_last(errors)}"
        return []
    try:
        (report,) = json.loads(output)["targets"]
    except ValueError:
        problems["status"] = f"{status} and no report: {_last(errors)}"
        return []
    findings = [(finding["kind"], finding["message"]) for finding in report["findings"]]
    if status != (1 if findings else 0):
        problems["status"] = f"{status} with {len(findings)} findings"
    lost = [b for b in report["branches"] if b["verdict"] != "covered"]
    if len(lost) > subject.undecided:
        problems["lost"] = "; ".join(f"line {b['line']}: {b['condition']} {b['outcome']}" for b in lost)
    missed = [e for e in subject.findings if e.needed and not any(e.fits(*finding) for finding in findings)]
    if missed:
        problems["not found"] = "; ".join(f"{e.kind} {e.text}".strip() for e in missed)
    wrong = [f"{k} {m}" for k, m in findings if not any(e.kind in (k, "abnormal") for e in subject.findings)]
    if wrong:
        problems["wrong"] = "; ".join(wrong)
    return [kind for kind, _ in findings]


def _failing_test(home: Home) -> str:
    """Why a test that was written does not pass; empty if all do."""
    for test in sorted((home.work / "out").glob("test_*.*")):
        if test.suffix == ".py":
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-x", test.name]
            failed = _run(command, home, {5})  # no test at all
        else:
            # As its header says, with the compiler that is there.
            line = re.search(r"^ \*\s+((?:cc|c\+\+|clang) .*)$", test.read_text(errors="replace"), re.M)
            compiler, *rest = shlex.split(line[1]) if line else ("cc",)
            zig = [sys.executable, "-m", "ziglang"]
            command = ["-fno-sanitize=undefined", *rest]
            if compiler == "c++":  # which makes a C++ library first, and takes minutes for that
                failed = _run([*zig, "cc", "-fno-exceptions", *command], home) and _run([*zig, "c++", *command], home)
            else:
                failed = _run([*zig, "cc", *command], home)
            failed = failed or _run([f"./{test.stem}"], home)
        if failed:
            return failed
    return ""


def _run(command: list[str], home: Home, fine: Collection[int] = ()) -> str:
    environment = {**home.environment, "PYTHONHASHSEED": "random", "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=home.work / "out", env=environment, stdin=subprocess.DEVNULL, timeout=120,
                              capture_output=True, text=True, errors="replace", check=False,
                              start_new_session=True)  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"{Path(command[0]).name} takes more than two minutes"
    if done.returncode == 0 or done.returncode in fine:
        return ""
    first = next((line for line in done.stderr.splitlines() if "error" in line), "")
    return f"status {done.returncode}: {_last(done.stdout) or first[:160] or _last(done.stderr)}"


def _last(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1][:160]


# ---- the page ----


def page(results: Sequence[Result], budget: float, every: int = 1, first: int = 0) -> str:
    """The section of RESULTS.md, of each so-manieth subject."""
    how = ("" if every == 1 else f" --every {every}") + (f" --first {first}" if first else "")
    lines = [
        f"# Hostile subjects, {budget:g} s\n",
        f"Written by `python -m bench.hostile.run --budget {budget:g}{how} --write`: {os.cpu_count()} cores, "
        f"{platform.machine()}, Python {platform.python_version()}, {budget:g} s each. A run is *late* when it takes",
        f"{100 * _SHARE:g} % and {_BEYOND:g} s more than that, beside starting and loading (what `zeroin show` takes);",
        "*lost* are branches that nothing hostile guards, *not found* and *wrong* findings, *harm* is any change",
        "outside the scratch folder, *left* are processes and temporary files.\n",
        f"| | subjects | without a problem | {' | '.join(PROBLEMS)} | seconds, median | most |",
        f"| --- | ---: | ---: |{' ---: |' * len(PROBLEMS)} ---: | ---: |",
    ]
    for language, suffixes in (("C and C++", (".c", ".cpp")), ("Python", (".py",))):
        mine = [r for r in results if r.subject.path.suffix in suffixes]
        if mine:
            counts = Counter(kind for r in mine for kind in r.problems)
            seconds = sorted(r.seconds for r in mine)
            lines.append(f"| {language} | {len(mine)} | {sum(not r.problems for r in mine)} | "
                         + " | ".join(str(counts[kind]) for kind in PROBLEMS)
                         + f" | {seconds[len(seconds) // 2]:.1f} | {seconds[-1]:.1f} |")  # fmt: skip
    bad = [r for r in results if r.problems]
    if bad:
        lines += ["", "Problems:", ""]
        lines += [f"- {r.subject.name}: " + "; ".join(f"{k}: {_cell(v)}" for k, v in r.problems.items()) for r in bad]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split())[:200]


def results_of(chosen: Sequence[Hostile], budget: float, jobs: int) -> Iterator[Result]:
    """In their order, each told as it comes. What is compiled once on a machine is, before: startup's page has that."""
    for suffix in dict.fromkeys(subject.path.suffix for subject in chosen):
        judge(next(subject for subject in chosen if subject.path.suffix == suffix), budget)
    with ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(partial(judge, budget=budget), chosen):
            what = "; ".join(f"{k}: {_cell(v)}" for k, v in result.problems.items()) or "as expected"
            print(f"{result.subject.name} ({result.loading:.1f} and {result.seconds:.1f} s): {what}", flush=True)
            yield result


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.hostile.run", description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], metavar="TEXT", help="those with this in file:function")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each N-th of them")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="without the first N")
    parser.add_argument("--budget", type=float, default=2.0, metavar="S", help="seconds for each")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="subjects at the same time")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md")
    parsed = parser.parse_args()
    chosen = [s for s in subjects() if not parsed.only or any(text in s.name for text in parsed.only)]
    results = list(results_of(chosen[parsed.first :: parsed.every], parsed.budget, parsed.jobs))
    text = page(results, parsed.budget, parsed.every, parsed.first)
    print(text)
    if parsed.write:
        write_section(text)
    return 1 if any(r.problems for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
