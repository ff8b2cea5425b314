"""The result of one replay: a run of the compiled function without probes."""

from __future__ import annotations

from dataclasses import dataclass

from ...subject.base import Replay


@dataclass(frozen=True)
class CReplay(Replay):
    """The result of one run of the function without probes.

    Attributes:
        result: bits of the returned number, or of each number in a returned structure; None if nothing comparable
            was returned.
        outputs: for each pointer parameter, the bits of the numbers behind it after the run (None for NULL). Empty if
            the run did not return, or ended with an exception.
        threw: type of the uncaught C++ exception that ended the run; empty if there was none.
        what: the message of that exception (``std::exception::what``); empty if it has none.
        shown: values that are compared as printed text, for each call, in the order of :attr:`CSignature.shows`;
            empty if there are none, or if they could not be printed.
    """

    result: int | tuple[int, ...] | None = None
    outputs: tuple[tuple[int, ...] | None, ...] = ()
    threw: str = ""
    what: str = ""
    shown: tuple[str, ...] = ()

    @property
    def thrown(self) -> str:
        """The exception's type and message, for reports; empty if there was none."""
        return f"{self.threw}: {self.what}" if self.what and self.what != self.threw else self.threw
