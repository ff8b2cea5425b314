"""Judges: what coverage tools that are not ours say of a suite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from ..suite.suite import Suite

Share: TypeAlias = tuple[int, int]  # covered, total


class Measured(Protocol):
    """What a judge counts in the function under test; as a string, one line that begins with the tool's name.

    Attributes:
        branches: those that were taken.
        failed: tests that did not pass.
    """

    @property
    def branches(self) -> Share: ...
    @property
    def failed(self) -> int: ...


class Judge(Protocol):
    """Runs the test of a suite under a coverage tool.

    Attributes:
        languages: of the subjects that it can measure.
    """

    languages: tuple[str, ...]

    def measure(self, suite: Suite) -> Measured:
        """Write the suite's test into a folder of its own, run it, and count.

        Raises:
            MissingDependency: the tool is not installed.
            ZeroinError: it can not measure this suite; the message says why.
        """
        ...


def of(share: Share) -> str:
    """``3 of 4``."""
    return f"{share[0]} of {share[1]}"
