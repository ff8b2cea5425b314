"""``zeroin cover``: find inputs for every branch of the targets, report them, write the tests."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from ..config import Options
from ..emit.json import as_json
from ..errors import CompileError, OptionError, ZeroinError
from ..report.live import for_terminal
from ..report.text import Style, render, summary
from ..subject.base import Target
from ..suite.suite import COVERED, Suite
from ..worker.parent import cover_all, targets_of
from ..worker.sandbox import Sandbox
from .main import DONE, FOUND, REFUSED
from .options import read_options, style

EMITTERS = ("c", "pytest", "json", "none")
_TEST = {"c": "c", "llvm": "c", "python": "pytest"}  # the kind of test for each language
_JUDGE = {"c": "gcov", "llvm": "gcov", "python": "coverage"}


def run(parsed: argparse.Namespace) -> int:
    """Cover all targets; the exit status."""
    options = read_options(parsed)
    kinds = _check_outputs(parsed)
    with Sandbox() as sandbox:
        sandbox.start()
        groups = [targets_of(text, options, sandbox) for text in parsed.targets]
        targets = [target for group in groups for target in group]
        _check_languages(targets, kinds, parsed.measure)
        chosen = {target for group, text in zip(groups, parsed.targets, strict=True) for target in group
                  if text == target.text}  # fmt: skip
        suites, refused = _cover(targets, options, parsed, kinds, sandbox)
    if parsed.json:
        _write_json(suites, parsed.json)
    if chosen & set(refused) or (refused and not suites):
        return REFUSED
    low = parsed.fail_under is not None and any(suite.percent < parsed.fail_under for suite in suites)
    return FOUND if low or any(suite.findings for suite in suites) else DONE


def _check_outputs(parsed: argparse.Namespace) -> list[str]:
    """The kinds of tests to write; complains before any work is done.

    Raises:
        OptionError: an unknown kind, or a place that can not be written to.
    """
    kinds = parsed.emit or ["c", "pytest"]
    for kind in kinds:
        if kind not in EMITTERS:
            raise OptionError(f"--emit {kind}: there are {', '.join(EMITTERS)}")
    if kinds != ["none"]:
        try:
            Path(parsed.out).mkdir(parents=True, exist_ok=True)
            (Path(parsed.out) / ".zeroin").touch()
            (Path(parsed.out) / ".zeroin").unlink()
        except OSError as error:
            raise OptionError(f"--out {parsed.out}: can not be written to ({error.strerror})") from error
    if parsed.json and parsed.json != "-":
        try:
            Path(parsed.json).touch()
        except OSError as error:
            raise OptionError(f"--json {parsed.json}: can not be written to ({error.strerror})") from error
    return [kind for kind in kinds if kind != "none"]


def _check_languages(targets: Sequence[Target], kinds: Sequence[str], measure: str | None) -> None:
    """Complain about a test or a judge that is of no use to any target.

    Raises:
        OptionError: names the target's language and what fits it.
    """
    languages = {target.language for target in targets}
    fitting = {_TEST[language] for language in languages} | {"json"}
    if kinds and not fitting & set(kinds):
        raise OptionError(f"--emit {kinds[0]}: {targets[0].text} needs --emit {_TEST[targets[0].language]}")
    if measure and measure not in {_JUDGE[language] for language in languages}:
        raise OptionError(f"--measure {measure}: {targets[0].text} needs --measure {_JUDGE[targets[0].language]}")


def _cover(targets: Sequence[Target], options: Options, parsed: argparse.Namespace,
           kinds: Sequence[str], sandbox: Sandbox) -> tuple[list[Suite], list[Target]]:  # fmt: skip
    """Cover the targets and print each result as it comes: the suites, and the targets that were refused."""
    suites: list[Suite] = []
    refused: list[Target] = []
    reported: set[str] = set()
    progress = for_terminal(parsed.quiet)
    interrupted = threading.Event()

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if interrupted.is_set():
            raise KeyboardInterrupt
        interrupted.set()

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        for result in cover_all(targets, options, progress, interrupted.is_set, sandbox):
            progress.clear()
            if isinstance(result, Suite):
                suites.append(result)
                _print(result, parsed, kinds, style())
            else:
                refused.append(result[0])
                _complain(result[1], reported)
    finally:
        signal.signal(signal.SIGINT, before)
    return suites, refused


def _complain(error: ZeroinError, reported: set[str]) -> None:
    """One line; a compiler's message only once, however many functions of the file it stops."""
    if isinstance(error, CompileError) and error.output not in reported:
        reported.add(error.output)
        print(error.output, file=sys.stderr)
    print(f"zeroin: {error}", file=sys.stderr)


def _print(suite: Suite, parsed: argparse.Namespace, kinds: Sequence[str], how: Style) -> None:
    stream = sys.stderr if parsed.json == "-" else sys.stdout
    text = f"{suite.target.function}: " + "\n".join(summary(suite)) if parsed.quiet else render(suite, how)
    print(text, file=stream)
    for kind in kinds:
        if kind in ("json", _TEST[suite.target.language]):
            path = _emit(suite, kind, Path(parsed.out))
            print(f"{'Report' if kind == 'json' else 'Test'} written to {path}", file=stream)
    if parsed.measure == _JUDGE[suite.target.language]:
        print(_measure(suite), file=stream)
    if not parsed.quiet:
        print(file=stream)


def _emit(suite: Suite, kind: str, folder: Path) -> Path:
    from ..emit.c import c_name, emit_c
    from ..emit.pytest import emit_pytest, pytest_name

    path = folder / (pytest_name(suite) if suite.target.language == "python" else c_name(suite))
    if kind == "json":
        path = path.with_suffix(".json")
        path.write_text(json.dumps(as_json([suite]), indent=1) + "\n")
    else:
        path.write_text(emit_c(suite, folder) if kind == "c" else emit_pytest(suite, folder))
    return path


def _measure(suite: Suite) -> str:
    """What a coverage tool that is not ours says of the test."""
    if suite.target.language == "python":
        from ..measure import coverage

        with tempfile.TemporaryDirectory() as temporary:
            counted = coverage.measure(suite, _emit(suite, "pytest", Path(temporary)))
        failed = f"; {counted.failed} tests fail" if counted.failed else ""
        missing = f" (not {', '.join(counted.missing)})" if counted.missing else ""
        return (f"coverage.py: statements {_of(counted.statements)}, branches {_of(counted.branches)}{missing}{failed}"
                f"; ours: {suite.count(COVERED)} of {len(suite.branches)}")  # fmt: skip
    from ..measure import gcov

    report = gcov.measure(suite)
    return (f"gcov: lines {_of(report.lines)}, conditions {_of(report.conditions)}, branches {_of(report.branches)}, "
            f"calls {_of(report.calls)}")  # fmt: skip


def _of(share: tuple[int, int]) -> str:
    return f"{share[0]} of {share[1]}"


def _write_json(suites: Sequence[Suite], place: str) -> None:
    text = json.dumps(as_json(suites), indent=1) + "\n"
    if place == "-":
        sys.stdout.write(text)
    else:
        Path(place).write_text(text)
