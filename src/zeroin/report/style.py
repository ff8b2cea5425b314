"""Colours in reports for people, and the decision whether to use them.

By hand on purpose: four codes are all that reports need, and importing rich takes longer than printing most reports.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

from ..escaping import plain


@dataclass(frozen=True)
class Style:
    """How to highlight text. All methods return the text, and none prints it.

    They escape unprintable characters, so do not pass text that is already styled.

    Attributes:
        color: whether to use colours; without them, all text is plain.
    """

    color: bool = False

    @classmethod
    def of(cls, stream: TextIO, environment: Mapping[str, str] | None = None) -> Style:
        """Return the style for a stream.

        Colours are used on a terminal, or if ``FORCE_COLOR`` is set to anything but 0. ``NO_COLOR`` turns them off.
        Empty variables have no effect.

        Args:
            stream: the stream for the text.
            environment: the environment variables; None: those of this process.
        """
        known = os.environ if environment is None else environment
        if known.get("NO_COLOR"):
            return cls(False)
        if known.get("FORCE_COLOR"):
            return cls(known["FORCE_COLOR"] != "0")
        return cls(takes_codes(stream, known))

    def bad(self, text: str) -> str:
        """Return the text highlighted as a finding or an error (red)."""
        return self._wrap(text, "31")

    def open(self, text: str) -> str:
        """Return the text highlighted as an undecided branch or a warning (yellow)."""
        return self._wrap(text, "33")

    def faint(self, text: str) -> str:
        """Return text that needs no attention in a faint colour."""
        return self._wrap(text, "2")

    def bold(self, text: str) -> str:
        """Return the text highlighted as a heading (bold)."""
        return self._wrap(text, "1")

    def _wrap(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{plain(text)}\x1b[0m" if self.color and text else plain(text)


def takes_codes(stream: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """Return whether a stream is a terminal that understands control codes: any terminal but ``TERM=dumb``.

    Args:
        stream: the stream.
        environment: the environment variables; None: those of this process.
    """
    known = os.environ if environment is None else environment
    return stream.isatty() and known.get("TERM") != "dumb"
