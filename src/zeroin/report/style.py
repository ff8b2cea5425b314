"""Colours of what people read: what needs a look stands out, all else is plain. Here is decided if there are any."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TextIO

from ..escaping import plain


@dataclass(frozen=True)
class Style:
    """How to mark text; plain by default."""

    color: bool = False

    @classmethod
    def of(cls, stream: TextIO, environment: Mapping[str, str] | None = None) -> Style:
        """With colours if ``FORCE_COLOR`` asks for them (and is not 0), or on a terminal; never with ``NO_COLOR``. Both
        say nothing where they are empty.

        Args:
            stream: where the text goes.
            environment: that of this process, if None.
        """
        known = os.environ if environment is None else environment
        if known.get("NO_COLOR"):
            return cls(False)
        if known.get("FORCE_COLOR"):
            return cls(known["FORCE_COLOR"] != "0")
        return cls(takes_codes(stream, known))

    def bad(self, text: str) -> str:
        """A finding, or a mistake."""
        return self._wrap(text, "31")

    def open(self, text: str) -> str:
        """What is undecided."""
        return self._wrap(text, "33")

    def faint(self, text: str) -> str:
        """What needs no look."""
        return self._wrap(text, "2")

    def bold(self, text: str) -> str:
        """What the rest is about."""
        return self._wrap(text, "1")

    def _wrap(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{plain(text)}\x1b[0m" if self.color and text else plain(text)


def takes_codes(stream: TextIO, environment: Mapping[str, str] | None = None) -> bool:
    """Whether a stream is a terminal that does what control codes say."""
    known = os.environ if environment is None else environment
    return stream.isatty() and known.get("TERM") != "dumb"
