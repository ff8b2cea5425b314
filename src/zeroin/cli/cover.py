"""``zeroin cover``: find inputs for every branch of the targets, report them, write the tests."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from ..config import Options
from ..errors import CompileError, OptionError, ZeroinError
from ..report.live import for_terminal
from ..report.text import Style, render, summary
from ..subject.sandbox import Sandbox
from ..suite.cover import cover_all, targets_of
from ..suite.emit.c import c_name, emit_c
from ..suite.emit.json import as_json
from ..suite.suite import Suite, Target
from .main import DONE, FOUND, REFUSED
from .options import read_options, style

EMITTERS = ("c", "json", "none")


def run(parsed: argparse.Namespace) -> int:
    """Cover all targets; the exit status."""
    options = read_options(parsed)
    kinds = _check_outputs(parsed)
    with Sandbox() as sandbox:
        sandbox.start()
        groups = [targets_of(text, options, sandbox) for text in parsed.targets]
    targets = [target for group in groups for target in group]
    chosen = {target for group, text in zip(groups, parsed.targets, strict=True) for target in group
              if text == target.text}  # fmt: skip
    suites, refused = _cover(targets, options, parsed, kinds)
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
    kinds = parsed.emit or ["c"]
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


def _cover(targets: Sequence[Target], options: Options, parsed: argparse.Namespace,
           kinds: Sequence[str]) -> tuple[list[Suite], list[Target]]:  # fmt: skip
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
        for result in cover_all(targets, options, progress, interrupted.is_set):
            progress.clear()
            if isinstance(result, Suite):
                suites.append(result)
                _print(result, parsed, kinds, style())
            else:
                refused.append(result[0])
                _complain(result[1], reported)
            if interrupted.is_set():
                break
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
        path = _emit(suite, kind, Path(parsed.out))
        print(f"{'Test' if kind == 'c' else 'Report'} written to {path}", file=stream)
    if parsed.measure:
        _measure(suite, stream is sys.stderr)
    if not parsed.quiet:
        print(file=stream)


def _emit(suite: Suite, kind: str, folder: Path) -> Path:
    if kind == "c":
        path = folder / c_name(suite)
        path.write_text(emit_c(suite, folder))
    else:
        path = (folder / c_name(suite)).with_suffix(".json")
        path.write_text(json.dumps(as_json([suite]), indent=1) + "\n")
    return path


def _measure(suite: Suite, to_stderr: bool) -> None:
    from ..suite.measure.gcov import measure

    report = measure(suite)
    parts = [f"{name} {covered} of {total}" for name, (covered, total) in
             (("lines", report.lines), ("conditions", report.conditions), ("branches", report.branches),
              ("calls", report.calls))]  # fmt: skip
    print(f"gcov: {', '.join(parts)}", file=sys.stderr if to_stderr else sys.stdout)


def _write_json(suites: Sequence[Suite], place: str) -> None:
    text = json.dumps(as_json(suites), indent=1) + "\n"
    if place == "-":
        sys.stdout.write(text)
    else:
        Path(place).write_text(text)
