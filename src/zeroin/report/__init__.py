"""Reports: what a run found, for a person or a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from ..registry import late

if TYPE_CHECKING:
    from ..subject.language import Skipped
    from ..suite.suite import Suite


class Report(Protocol):
    """Tells of suites.

    Attributes:
        suffix: of the files that it is written to.
    """

    suffix: str

    def text(self, suites: Sequence[Suite], skipped: Sequence[Skipped] = ()) -> str:
        """The content of such a file: every branch and what became of it, every input, every finding; and what was
        asked for with them and is no target."""
        ...


# The first is for the terminal; each of the others has an option of its name, which says where to write it.
REPORTS: dict[str, Callable[[], Report]] = {
    "text": late("zeroin.report.text:TextReport"),
    "json": late("zeroin.report.json:JsonReport"),
    "junit": late("zeroin.report.junit:JunitReport"),
    "sarif": late("zeroin.report.sarif:SarifReport"),
    "smt2": late("zeroin.report.smt2:Queries"),
}


def to_files() -> list[str]:
    """Names of the reports that are written to files."""
    return list(REPORTS)[1:]
