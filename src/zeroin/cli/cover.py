"""``zeroin cover``: find inputs for every branch of the targets, report them, and write tests."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import Any, TextIO

from .. import files
from ..config import Options
from ..emit import Emitter
from ..emit.files import WrittenTest, deliver, write_report
from ..emit.test_header import Batch
from ..emit.trial import end_prestarted
from ..errors import CompileError, OptionError, OutputError, ZeroinError
from ..languages.plugins import EMITTERS, JUDGES
from ..languages.registry import language_of
from ..limits import described
from ..measure import Judge
from ..measure.mutation_score import Score
from ..report import REPORTS, file_reports
from ..report.baseline import Baseline
from ..report.live import for_terminal
from ..report.style import Style
from ..report.summary import floored, percent_of, table
from ..report.text import TextReport, findings_of
from ..sandbox.landlock import missing_protections
from ..subject.base import Target, words_for
from ..subject.language import Skipped
from ..suite.suite import UNDECIDED, Suite
from ..worker.parent import cover_all, parse_target
from ..worker.worker import Worker
from .interrupt import Interrupt, Stop, handling_signals
from .main import DONE, FOUND, REFUSED, tell
from .options import check_place, read_options
from .selection import Selection, select_targets
from .target_patterns import out_of_date, with_allowed


def run(parsed: argparse.Namespace, worker: Worker) -> int:
    """Cover all targets, print and write the results, and return the exit status."""
    options = read_options(parsed)
    baseline = None if parsed.baseline is None else Baseline.read(Path(parsed.baseline))
    interrupt = parsed.interrupt = Interrupt()
    parsed.reports, parsed.failed, parsed.several = dict(parsed.reports), False, False
    _check_outputs(parsed)
    if missing := missing_protections():
        tell(f"note: {' and '.join(missing)}: code under test is kept inside by the walls that are left")
    with end_prestarted():
        where = parse_target(parsed.targets[0])[0]
        if not Path(where).is_dir():
            _prepare(language_of(where).name, parsed)  # in parallel: the worker finds the targets meanwhile
        asked = select_targets(parsed, worker, tell)
        _check_use(parsed, asked.targets)
        with handling_signals(interrupt.take):
            results = _cover(asked, options, parsed, worker, interrupt)
    suites, refused = results.suites, results.refused
    skipped = asked.skipped + results.skipped
    if parsed.several or len(suites) + len(skipped) > 1:
        print(table(suites, skipped, parsed.quiet), file=_stream(parsed))
    for allowance in out_of_date(suites, parsed.allowed):
        print(f'note: allow-findings: "{allowance.written}" matches no finding any more; take it out of the '
              "configuration", file=_stream(parsed))  # fmt: skip
    for kind, place in parsed.reports.items():
        _write_report(suites, skipped, kind, place, parsed)
    if interrupt.asked():
        return interrupt.status
    if parsed.failed or asked.named & set(refused) or (refused and not suites):
        return REFUSED
    worse = any(not finding.allowed for suite in suites for finding in suite.findings)
    if baseline is not None:
        comparison = baseline.compared(suites, skipped)
        print(comparison.text(parsed.quiet), file=_stream(parsed))
        worse = comparison.is_worse
    return FOUND if _too_few(suites, parsed) or worse else DONE


def _too_few(suites: Sequence[Suite], parsed: argparse.Namespace) -> bool:
    """Return whether fewer branches are decided than ``--fail-under`` demands; print a line if so."""
    percent = percent_of(suites)
    if parsed.fail_under is None or percent >= parsed.fail_under:
        return False
    branches = [branch for suite in suites for branch in suite.branches]
    undecided = sum(suite.count(UNDECIDED) for suite in suites)
    print(f"Below --fail-under {parsed.fail_under:g}: {floored(percent)} % of {len(branches)} "
          f"{words_for(branches)[1]} are decided, {undecided} are not.", file=_stream(parsed))  # fmt: skip
    return True


def _batches(targets: Sequence[Target], named: Collection[Target]) -> dict[str, _Batch]:
    """Return the batch of each target, by the target's text. Targets of the same source share a file of tests.

    Args:
        targets: all targets.
        named: the targets that the user named one by one.
    """
    found: dict[tuple[str, Path], _Batch] = {}
    batches = {target.text: found.setdefault((target.where, target.path), _Batch()) for target in targets}
    for target in targets:
        batch = batches[target.text]
        batch.left += 1
        batch.whole = batch.whole or target not in named
    return batches


@dataclass
class _Batch:
    """The suites for one file of tests, collected as they arrive.

    Attributes:
        left: the number of targets without a result yet.
        whole: whether some target was selected through its file or module, not by its own name.
        suites: the suites so far.
    """

    left: int = 0
    whole: bool = False
    suites: list[Suite] = field(default_factory=list)

    def next(self, suite: Suite | None) -> Batch | None:
        """Note the result of the next target; return the batch to write if it was the last one."""
        self.left -= 1
        self.suites += [suite] if suite else []
        return self.now() if self.left == 0 else None

    def now(self) -> Batch | None:
        """Return the suites so far as the batch to write, and forget them; None if there are none."""
        suites, self.suites = tuple(self.suites), []
        return Batch(suites, self.whole) if suites else None


def _check_outputs(parsed: argparse.Namespace) -> None:
    """Check the output options before any work is done.

    Raises:
        OptionError: an unknown kind of file, or a place that can not be written to.
    """
    known = [*EMITTERS, *file_reports(), "none"]
    for kind in parsed.emit:
        if kind not in known:
            raise OptionError(f"--emit {kind}: there are {', '.join(known)}")
    if parsed.emit != ["none"]:
        try:
            Path(parsed.out).mkdir(parents=True, exist_ok=True)
            (Path(parsed.out) / ".zeroin").touch()
            (Path(parsed.out) / ".zeroin").unlink()
        except (OSError, ValueError) as error:  # a name with a zero byte
            why = error.strerror if isinstance(error, OSError) else error
            raise OptionError(f"--out {parsed.out}: can not be written to ({why}); name another folder") from error
    for kind, place in parsed.reports.items():
        if place != "-":
            check_place(f"--{kind}", place)
    if parsed.trace is not None:
        check_place("--trace", parsed.trace)
        Path(parsed.trace).write_text("")
    if parsed.verbose:
        import logging

        logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)


def _check_use(parsed: argparse.Namespace, targets: Sequence[Target]) -> None:
    """Check that each kind of test and each coverage tool fits at least one target.

    Raises:
        OptionError: none fits; the message names one that fits the first target.
    """
    kinds = [kind for kind in parsed.emit if kind != "none"]
    tests = [] if set(kinds) & set(file_reports()) else kinds
    judges = [parsed.measure] if parsed.measure in JUDGES else []
    for option, registry, names in (("--emit", EMITTERS, tests), ("--measure", JUDGES, judges)):
        known = {language for name in names for language in registry[name]().languages}
        if names and known.isdisjoint(target.language for target in targets):
            first = targets[0]
            fits = _first_for(first.language, registry)
            what = f"needs {option} {fits}" if fits else f"is {first.language}, for which there is none"
            raise OptionError(f"{option} {names[0]}: {first.text} {what}")


def _first_for(language: str, registry: Mapping[str, Callable[[], Emitter | Judge]]) -> str:
    """Return the name of the first entry for a language; empty if there is none."""
    return next((name for name, make in registry.items() if language in make().languages), "")


@dataclass
class _Results:
    """The results of all targets.

    Attributes:
        suites: the suites of the covered targets.
        refused: targets that can not be covered, or whose test can not be written.
        skipped: targets that can not be covered or were not tried, with reasons.
    """

    suites: list[Suite] = field(default_factory=list)
    refused: list[Target] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    def refuse(self, target: Target, error: ZeroinError) -> None:
        """Note a target that can not be covered."""
        self.refused.append(target)
        self.skipped.append(Skipped.because(target.text, error))


def _cover(asked: Selection, options: Options, parsed: argparse.Namespace, worker: Worker,
           interrupt: Interrupt) -> _Results:  # fmt: skip
    """Cover the targets; print and write each result as soon as it is there."""
    results, targets = _Results(), asked.targets
    batches = _batches(targets, asked.named)
    parsed.several = len(targets) > 1
    reported: set[str] = set()
    progress = for_terminal(parsed.quiet or parsed.verbose)
    for done, result in enumerate(cover_all(targets, options, progress, interrupt.asked, worker, asked.options), 1):
        progress.clear()
        if isinstance(result, Suite):
            suite = with_allowed(result, parsed.allowed)
            results.suites.append(suite)
            _print(suite, batches[suite.target.text].next(suite), results, parsed)
        else:
            results.refuse(*result)
            _complain(result[1], reported)
            _write_tests(batches[result[0].text].next(None), _kinds(result[0].language, parsed), results, parsed)
        for following in targets[done : done + 1]:
            _prepare(following.language, parsed)
    for target in targets:
        _write_tests(batches[target.text].now(), _kinds(target.language, parsed), results, parsed)
    tried = {target.text for target in [*(suite.target for suite in results.suites), *results.refused]}
    left = [target.text for target in targets if target.text not in tried]
    if left:
        tell(f"interrupted; not tried: {', '.join(left)}")
        results.skipped += [Skipped(text, "interrupted") for text in left]
    return results


def _prepare(language: str, parsed: argparse.Namespace) -> None:
    """Start the processes that try tests of this language, so that they are ready when the search ends."""
    for kind in _kinds(language, parsed):
        if kind in EMITTERS and language in EMITTERS[kind]().languages:
            EMITTERS[kind]().prepare()


def _complain(error: ZeroinError, reported: set[str]) -> None:
    """Print an error. A compiler's output is printed once only, even if it concerns several functions of a file."""
    if isinstance(error, CompileError) and error.output not in reported:
        reported.add(error.output)
        print(error.output, file=sys.stderr)
    tell(error)


def _going_on(write: Callable[..., None]) -> Callable[..., bool]:
    """Make a writing function report its errors instead of raising them, so that the remaining work is done.

    The decorated function returns whether it succeeded. If a file or stream can not be written to, it sets ``failed``
    on its last argument, the parsed command line.
    """

    @wraps(write)
    def attempt(*arguments: Any) -> bool:
        try:
            write(*arguments)
        except (OutputError, OSError) as error:
            arguments[-1].failed = True
            tell(described(error))
        except ZeroinError as error:
            _complain(error, set())
        else:
            return True
        return False

    return attempt


@_going_on
def _write_report(suites: Sequence[Suite], skipped: Sequence[Skipped], kind: str, place: str,
                  parsed: argparse.Namespace) -> None:  # fmt: skip
    text = REPORTS[kind]().text(suites, skipped)
    if place == "-":
        sys.stdout.write(text)
    else:
        files.write(Path(place), text)


def _print(suite: Suite, batch: Batch | None, results: _Results, parsed: argparse.Namespace) -> None:
    """Print a result; write its own reports, and the batch of tests if it is complete."""
    stream = _stream(parsed)
    if parsed.quiet and parsed.several:
        stream.writelines(f"{suite.target.where}: {line}\n" for line in findings_of(suite, Style.of(stream)))
    else:
        stream.write(TextReport(Style.of(stream), parsed.quiet).text([suite]))
    stream.flush()  # the next steps may fail
    for kind in _kinds(suite.target.language, parsed):
        if kind in REPORTS and not _write_alone(suite, kind, stream, parsed):
            results.refused.append(suite.target)
        _write_tests(batch, [kind], results, parsed)
    if parsed.measure:
        _measure(suite, stream, parsed)
    if not parsed.quiet:
        print(file=stream)


def _kinds(language: str, parsed: argparse.Namespace) -> list[str]:
    """Return the kinds of files to write for a suite."""
    return parsed.emit or [_first_for(language, EMITTERS)]


def _write_tests(batch: Batch | None, kinds: Sequence[str], results: _Results, parsed: argparse.Namespace) -> None:
    """Write the tests of a batch, of those kinds that fit its language."""
    for kind in kinds if batch else ():
        assert batch is not None
        is_for = kind in EMITTERS and batch.target.language in EMITTERS[kind]().languages
        if is_for and not _write_test(batch, kind, results, parsed):
            results.refused += [suite.target for suite in batch.suites]


def _stream(parsed: argparse.Namespace) -> TextIO:
    """Return the stream for results: standard error if standard output carries a report."""
    return sys.stderr if "-" in parsed.reports.values() else sys.stdout


@_going_on
def _measure(suite: Suite, stream: TextIO, parsed: argparse.Namespace) -> None:
    if parsed.measure == "mutants":
        print(Score.of(suite), file=stream)
        return
    judge = JUDGES[parsed.measure]()
    if suite.target.language in judge.languages:
        print(judge.measure(suite), file=stream)


@_going_on
def _write_alone(suite: Suite, kind: str, stream: TextIO, parsed: argparse.Namespace) -> None:
    """Write a report of one suite."""
    report = REPORTS[kind]()
    plain = replace(suite, options=replace(suite.options, test_name="test_{}"))
    named = EMITTERS[_first_for(suite.target.language, EMITTERS)]().file_name(Batch((plain,)))
    place = Path(parsed.out) / Path(named).with_suffix(report.suffix)
    print(f"Report written to {write_report(report.text([suite]), suite.target, place)}", file=stream)


def _delivered(emitter: Emitter, batch: Batch, folder: Path, interrupt: Interrupt) -> WrittenTest:
    """Write a test; skip its trial if the user interrupts."""
    if not interrupt.asked():
        with contextlib.suppress(Stop), interrupt.at_once():
            return deliver(emitter, batch, folder)
    return deliver(emitter, batch, folder, tries=False)


@_going_on
def _write_test(batch: Batch, kind: str, results: _Results, parsed: argparse.Namespace) -> None:
    """Write the test of a batch, and print where it is."""
    written = _delivered(EMITTERS[kind](), batch, Path(parsed.out), parsed.interrupt)
    lines = [f"note: {remark}" for remark in written.remarks]
    told = written.is_new and not (parsed.quiet and parsed.several)
    new = [f"Test written to {written.path}"] if told else []
    _stream(parsed).writelines(f"{line}\n" for line in [*new, *lines])
    for suite, why in written.refused:
        results.refused.append(suite.target)
        tell(f"{suite.target.text}: no test is written: {why}")
