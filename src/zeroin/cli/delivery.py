"""Print and write the results of a search, target by target, and collect them."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVarTuple

from .. import files
from ..emit.files import WrittenTest, deliver, write_report
from ..emit.test_header import Batch
from ..errors import CompileError, OutputError, ZeroinError
from ..languages.plugins import EMITTERS, JUDGES
from ..languages.registry import LANGUAGES
from ..limits import described
from ..measure.mutation_score import Score
from ..report import REPORTS
from ..report.style import Style
from ..report.summary import line_of, totals
from ..report.text import TextReport
from ..subject.base import Target
from ..subject.language import Skipped
from ..suite.suite import Suite
from .interrupt import Interrupt, Stop
from .main import tell
from .output import Output
from .target_patterns import with_allowed

Arguments = TypeVarTuple("Arguments")


class Delivery:
    """Delivers each result as soon as it is there: prints it, and writes its reports and tests.

    An error while writing is printed, and the remaining work is done.

    Args:
        output: where results go.
        targets: all targets of the request.
        named: the targets that the user named one by one.
        interrupt: the handler of signals.

    Attributes:
        suites: the suites of the covered targets.
        refused: targets that can not be covered, or whose test or own report can not be written. A target may occur
            several times.
        skipped: targets that can not be covered or were not tried, with reasons.
        failed: whether a file or stream could not be written to.
    """

    def __init__(self, output: Output, targets: Sequence[Target], named: Collection[Target],
                 interrupt: Interrupt) -> None:  # fmt: skip
        self.suites: list[Suite] = []
        self.refused: list[Target] = []
        self.skipped: list[Skipped] = []
        self.failed = False
        self._output, self._targets, self._interrupt = output, targets, interrupt
        self._several, self._named = len(targets) > 1, named
        self._batches = _batches(targets, named)
        self._reported: set[str] = set()  # outputs of compilers
        self._tests = dict[str, Path]()  # the file with the tests of each target, by the target's text
        self._began = time.time()

    def take(self, result: Suite | tuple[Target, ZeroinError]) -> None:
        """Deliver the result of a target: its suite, or its error. Each target has one result.

        With the last result of a test file, the test is written.
        """
        if isinstance(result, Suite):
            suite = with_allowed(result, self._output.known)
            self.suites.append(suite)
            self._print(suite, self._batches[suite.target.text].next(suite))
        else:
            target, error = result
            self.refused.append(target)
            self.skipped.append(Skipped.because(target.text, error))
            self._complain(error)
            self._write_tests(self._batches[target.text].next(None), self._output.tests(target.language))

    def finish(self) -> None:
        """Write the tests of incomplete batches, and note the targets without a result as skipped: an interrupt."""
        for target in self._targets:
            self._write_tests(self._batches[target.text].now(), self._output.tests(target.language))
        tried = {target.text for target in [*(suite.target for suite in self.suites), *self.refused]}
        if left := [target.text for target in self._targets if target.text not in tried]:
            tell(f"interrupted; not tried: {', '.join(left)}")
            self.skipped += [Skipped(text, "interrupted") for text in left]

    def write_reports(self, skipped: Sequence[Skipped]) -> None:
        """Write the reports on all targets. An error is printed and sets :attr:`failed`.

        Args:
            skipped: everything that was skipped, with reasons.
        """
        for kind, place in self._output.reports.items():
            self._attempt(self._write_report, kind, place, skipped)
        if self._output.html is not None:
            self._attempt(self._write_pages, self._output.html, skipped)

    def _write_pages(self, folder: Path, skipped: Sequence[Skipped]) -> None:
        """Write the HTML report, and print where it is."""
        from ..report.html import write_pages  # imports much

        index = write_pages(self.suites, skipped, folder, self._tests, self._began)
        if not self._output.quiet:
            print(f"Report written to {index}", file=self._output.stream)

    def _write_report(self, kind: str, place: str, skipped: Sequence[Skipped]) -> None:
        """Write a report on all targets to a file; to standard output if the place is ``-``."""
        text = REPORTS[kind]().text(self.suites, skipped)
        if place == "-":
            sys.stdout.write(text)
        else:
            files.write(Path(place), text)

    def _attempt(self, step: Callable[[*Arguments], None], *arguments: *Arguments) -> bool:
        """Carry out a step; print its error instead of raising it. Return whether it succeeded.

        An OutputError or OSError also sets :attr:`failed`. Errors that are neither these nor ZeroinErrors are raised.
        """
        try:
            step(*arguments)
        except (OutputError, OSError) as error:
            self.failed = True
            tell(described(error))
        except ZeroinError as error:
            self._complain(error)
        else:
            return True
        return False

    def _complain(self, error: ZeroinError) -> None:
        """Print an error. A compiler's output is printed once only, even if it concerns several functions of a file."""
        if isinstance(error, CompileError) and error.output not in self._reported:
            self._reported.add(error.output)
            print(error.output, file=sys.stderr)
        tell(error)

    def _print(self, suite: Suite, batch: Batch | None) -> None:
        """Print a result; write its own reports, and the batch of tests if it is complete."""
        stream, quiet = self._output.stream, self._output.quiet
        if quiet:
            print(line_of(suite, with_kinds=True), file=stream)
        elif self._is_whole(suite):
            stream.write("\n" * (len(self.suites) > 1) + self._report().whole(suite))
        else:
            print(line_of(suite), file=stream)
        stream.flush()  # the next steps may fail
        language = suite.target.language
        for kind in self._output.kinds(language):
            if kind in REPORTS and not self._attempt(self._write_alone, suite, kind):
                self.refused.append(suite.target)
            if kind in self._output.tests(language):
                self._write_tests(batch, [kind])
        if self._output.measure is not None:
            self._attempt(self._measure, suite, self._output.measure)

    def _is_whole(self, suite: Suite) -> bool:
        """Return whether all of a result is printed, and not one line of it."""
        return not self._several or self._output.verbose or suite.target in self._named

    def _report(self) -> TextReport:
        return TextReport(Style.of(self._output.stream), self._output.verbose)

    def close(self, skipped: Sequence[Skipped]) -> None:
        """Print what follows the results of several targets: findings, undecided branches, and totals.

        Args:
            skipped: everything that was skipped, with reasons.
        """
        stream = self._output.stream
        if not self._several and len(self.suites) + len(skipped) <= 1:
            return
        if self._output.quiet:
            stream.writelines(f"{line}\n" for line in totals(self.suites, skipped))
        else:
            listed = [suite for suite in self.suites if not self._is_whole(suite)]
            stream.write(self._report().closing(self.suites, listed, skipped))

    def _measure(self, suite: Suite, tool: str) -> None:
        """Print what a coverage tool measures, or the mutation score. A tool for another language prints nothing."""
        if tool == "mutants":
            print(Score.of(suite), file=self._output.stream)
        elif suite.target.language in (judge := JUDGES[tool]()).languages:
            print(judge.measure(suite), file=self._output.stream)

    def _write_alone(self, suite: Suite, kind: str) -> None:
        """Write a report of one suite into the folder of the tests; print the path."""
        report = REPORTS[kind]()
        plain = replace(suite, options=replace(suite.options, test_name="test_{}"))
        named = EMITTERS[LANGUAGES[suite.target.language].emitter]().file_name(Batch((plain,)))
        place = self._output.folder / Path(named).with_suffix(report.suffix)
        written = write_report(report.text([suite]), suite.target, place)
        print(f"Report written to {written}", file=self._output.stream)

    def _write_tests(self, batch: Batch | None, kinds: Sequence[str]) -> None:
        """Write the tests of a batch, one of each kind. If that fails, its targets count as refused.

        Nothing is written if the batch is None.
        """
        for kind in kinds if batch else ():
            assert batch is not None
            if not self._attempt(self._write_test, batch, kind):
                self.refused += [suite.target for suite in batch.suites]

    def _write_test(self, batch: Batch, kind: str) -> None:
        """Write the test of a batch, and print where it is. A suite without a test counts as refused."""
        written = self._delivered(batch, kind)
        refused = {suite.target.text for suite, _ in written.refused}
        self._tests |= {suite.target.text: written.path for suite in batch.suites if suite.target.text not in refused}
        told = written.is_new and not self._output.quiet
        new = [f"Test written to {written.path}"] if told else []
        lines = [*new, *(f"note: {remark}" for remark in written.remarks)]
        self._output.stream.writelines(f"{line}\n" for line in lines)
        for suite, why in written.refused:
            self.refused.append(suite.target)
            tell(f"{suite.target.text}: no test is written: {why}")

    def _delivered(self, batch: Batch, kind: str) -> WrittenTest:
        """Write a test; skip its trial if the user has interrupted the command or does so during the trial.

        Raises:
            ZeroinError: the test can not be written, built or run.
        """
        emitter, folder = EMITTERS[kind](), self._output.folder
        if not self._interrupt.asked():
            with contextlib.suppress(Stop), self._interrupt.at_once():
                return deliver(emitter, batch, folder)
        return deliver(emitter, batch, folder, tries=False)


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
        """Note the result of a target; return the batch to write if it was the last one.

        Args:
            suite: the suite; None if the target can not be covered.

        Returns:
            The batch; None if other targets have no result yet, or if there is no suite.
        """
        self.left -= 1
        self.suites += [suite] if suite else []
        return self.now() if self.left == 0 else None

    def now(self) -> Batch | None:
        """Return the suites so far as the batch to write, and forget them; None if there are none."""
        suites, self.suites = tuple(self.suites), []
        return Batch(suites, self.whole) if suites else None


def _batches(targets: Sequence[Target], named: Collection[Target]) -> dict[str, _Batch]:
    """Return the batch of each target, by the target's text. Targets of the same source share a file of tests."""
    found: dict[tuple[str, Path], _Batch] = {}
    batches = {target.text: found.setdefault((target.where, target.path), _Batch()) for target in targets}
    for target in targets:
        batch = batches[target.text]
        batch.left += 1
        batch.whole = batch.whole or target not in named
    return batches
