"""The destinations and the form of results: the options of the group "the result"."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from ..emit import Emitter
from ..errors import OptionError
from ..languages.plugins import EMITTERS, JUDGES
from ..languages.registry import LANGUAGES
from ..measure import Judge
from ..report import file_reports
from ..report.baseline import Baseline
from ..subject.base import Target
from .configuration import CommandLine
from .options import check_place
from .target_patterns import FindingPattern

_NO_FILES = "none"  # the value of --emit that writes nothing


@dataclass(frozen=True)
class Output:
    """The destinations and the form of results.

    Attributes:
        folder: where tests are written.
        emit: the kinds of files to write for each target: tests, reports or ``none``; empty: the usual kind of test of
            the target's language.
        reports: for each kind of report on all targets, its file; ``-`` for standard output.
        html: the folder of the HTML report; None: no such report.
        measure: the tool that measures coverage, or ``mutants``; None: no measurement.
        fail_under: the percentage of branches that have to be decided; None: none.
        baseline: an earlier report to compare with; None: none.
        known: findings that are known and do not count.
        quiet: whether to print findings and the summary only.
        verbose: whether to log what the search does, instead of progress.
        trace: the file for the events of the search; None: none.
    """

    folder: Path
    emit: tuple[str, ...]
    reports: Mapping[str, str]
    html: Path | None
    measure: str | None
    fail_under: float | None
    baseline: Baseline | None
    known: tuple[FindingPattern, ...]
    quiet: bool
    verbose: bool
    trace: str | None

    @classmethod
    def read(cls, line: CommandLine) -> Output:
        """Return the output options of a command line. The baseline is read; nothing is written.

        Raises:
            OptionError: a value is invalid, or the baseline can not be read.
        """
        parsed = line.parsed
        if parsed.fail_under is not None and not 0 <= parsed.fail_under <= 100:
            raise OptionError(f"--fail-under {parsed.fail_under:g}: give a number from 0 to 100")
        baseline = None if parsed.baseline is None else Baseline.read(Path(parsed.baseline))
        known = [*EMITTERS, *file_reports(), _NO_FILES]
        for kind in parsed.emit:
            if kind not in known:
                raise OptionError(f"--emit {kind}: no such kind; choose from {', '.join(known)}")
        return cls(Path(parsed.out), tuple(parsed.emit), dict(parsed.reports),
                   None if parsed.html is None else Path(parsed.html), parsed.measure, parsed.fail_under, baseline,
                   line.configuration.allowed, parsed.quiet, parsed.verbose, parsed.trace)  # fmt: skip

    @property
    def stream(self) -> TextIO:
        """The stream for results: standard error if standard output carries a report."""
        return sys.stderr if "-" in self.reports.values() else sys.stdout

    def kinds(self, language: str) -> tuple[str, ...]:
        """Return the kinds of files to write for a suite of this language: tests, reports or ``none``."""
        return self.emit or (LANGUAGES[language].emitter,)

    def tests(self, language: str) -> list[str]:
        """Return the kinds of tests to write for a target of this language; empty if no requested kind supports it."""
        known = [kind for kind in self.kinds(language) if kind in EMITTERS]
        # Emitters of other languages are not imported without need.
        return [kind for kind in known if not self.emit or language in EMITTERS[kind]().languages]

    def prepare_files(self) -> None:
        """Check that the results can be written, before any work is done.

        Create the folder of the tests, unless ``--emit none`` is given. Create reports that are missing, and the
        folder of the HTML report. Empty the trace file.

        Raises:
            OptionError: the folder, a report or the trace can not be written to.
        """
        if self.emit != (_NO_FILES,):
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryFile(dir=self.folder):
                    pass  # a file can be made there
            except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
                why = error.strerror if isinstance(error, OSError) else error
                raise OptionError(f"--out {self.folder}: can not be written to ({why}); name another folder") from error
        for kind, place in self.reports.items():
            if place != "-":
                check_place(f"--{kind}", place)
        if self.html is not None:
            from ..report.html import prepare_folder

            prepare_folder(self.html)
        if self.trace is not None:
            check_place("--trace", self.trace)
            Path(self.trace).write_text("")

    def check_use(self, targets: Sequence[Target]) -> None:
        """Check that some requested kind of test, and the coverage tool, fit at least one target.

        If ``--emit`` names a report, too, the kinds of tests are not checked.

        Args:
            targets: the targets, at least one.

        Raises:
            OptionError: none fits; the message names one that fits the first target, if there is one.
        """
        kinds = [kind for kind in self.emit if kind != _NO_FILES]
        tests = [] if set(kinds) & set(file_reports()) else kinds
        judges = [self.measure] if self.measure in JUDGES else []
        for option, registry, names in (("--emit", EMITTERS, tests), ("--measure", JUDGES, judges)):
            known = {language for name in names for language in registry[name]().languages}
            if names and known.isdisjoint(target.language for target in targets):
                first = targets[0]
                fits = _first_for(first.language, registry)
                what = f"needs {option} {fits}" if fits else f"is {first.language}, which {option} does not support"
                raise OptionError(f"{option} {names[0]}: {first.text} {what}")


def _first_for(language: str, registry: Mapping[str, Callable[[], Emitter | Judge]]) -> str:
    """Return the name of the first entry for a language; empty if there is none."""
    return next((name for name, make in registry.items() if language in make().languages), "")
