"""What one run of a plain compiled function did."""

from __future__ import annotations

from dataclasses import dataclass

from ...subject.base import Replay


@dataclass(frozen=True)
class CReplay(Replay):
    """What one run of the plain function did.

    Attributes:
        result: the result's bits; of a structure, those of each of its numbers.
        outputs: the bits of the numbers that every pointer parameter points to afterwards (None for NULL).
        threw: type of the exception of C++ that the code threw instead, and nobody caught; empty if there was none.
        what: the exception says, if it says something.
        shown: the texts of what is compared so, in the order of :attr:`CSignature.shows`, of each call; empty if they
            could not be made.
    """

    result: int | tuple[int, ...] | None = None
    outputs: tuple[tuple[int, ...] | None, ...] = ()
    threw: str = ""
    what: str = ""
    shown: tuple[str, ...] = ()

    @property
    def thrown(self) -> str:
        """The exception, for a person."""
        return f"{self.threw}: {self.what}" if self.what and self.what != self.threw else self.threw
