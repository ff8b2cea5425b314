"""Judges: they measure a suite with a coverage tool that is independent of zeroin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from ..suite.suite import Suite

Share: TypeAlias = tuple[int, int]  # a part and the total


class Measured(Protocol):
    """The measured coverage of the function under test. Its ``str`` is one line that begins with the tool's name.

    Attributes:
        branches: the number of covered branches, and of all branches.
        failed: the number of tests that failed.
    """

    @property
    def branches(self) -> Share: ...
    @property
    def failed(self) -> int: ...


class Judge(Protocol):
    """Runs the test of a suite under a coverage tool.

    Attributes:
        languages: the languages of the subjects that it can measure.
    """

    languages: tuple[str, ...]

    def measure(self, suite: Suite) -> Measured:
        """Write the suite's test into a temporary folder, run it, and count the branches that it covers.

        Tests that fail raise nothing; the result has their number.

        Raises:
            MissingDependency: the tool is not installed.
            ZeroinError: the suite can not be measured. The message gives the reason.
        """
        ...


def of(share: Share) -> str:
    """Return a share as text, such as ``3 of 4``."""
    return f"{share[0]} of {share[1]}"
