"""Reports of suites, for people or for programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from ..registry import lazy_factory

if TYPE_CHECKING:
    from ..subject.language import Skipped
    from ..suite.suite import Suite


class Report(Protocol):
    """A format of reports.

    Attributes:
        suffix: the suffix of its files, with the dot.
    """

    suffix: str

    def text(self, suites: Sequence[Suite], skipped: Sequence[Skipped] = ()) -> str:
        """Return the report: verdicts, inputs and findings, as far as the format has them. It ends with a line end.

        Args:
            suites: the results of all targets; may be empty.
            skipped: functions, files and modules that are no targets, with reasons.
        """
        ...


# The first one is for the terminal. Each other one has an option of the same name, whose value is the file.
REPORTS: dict[str, Callable[[], Report]] = {
    "text": lazy_factory("zeroin.report.text:TextReport"),
    "json": lazy_factory("zeroin.report.json:JsonReport"),
    "junit": lazy_factory("zeroin.report.junit:JunitReport"),
    "sarif": lazy_factory("zeroin.report.sarif:SarifReport"),
    "smt2": lazy_factory("zeroin.report.smt2:Smt2Report"),
}


def file_reports() -> list[str]:
    """Return the names of the reports that are written to files."""
    return list(REPORTS)[1:]
