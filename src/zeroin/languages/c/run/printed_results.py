"""Runs of a compiled subject that also print results as text (:mod:`zeroin.languages.c.front.printed_types`).

Values that have no numbers to compare, such as objects of C++ classes, are compared as text.
"""

from __future__ import annotations

import ctypes
import re
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ....subject.base import Termination, Words
from ..front.parameters import CSignature
from ..replay import CReplay

_ASKED = re.compile(r"(%\S+) = load i64, ptr @zeroin_shows\b.*")


def without_texts(texts: Sequence[str]) -> list[str]:
    """Return the IR with printing switched off, as it is in all runs of a search."""
    return [_ASKED.sub(r"\1 = add i64 0, 0", text) for text in texts]


class WithPrinting:
    """The part of a subject that makes runs print their results."""

    signature: CSignature
    _cells: dict[str, ctypes.c_int64]

    @abstractmethod
    def _outcome_of(self, words: Words, outcome: Termination) -> CReplay:
        """Return the result of the last run, which ended with this termination.

        After a failed assertion, this may run the subject again.
        """

    def showing(self, words: Words, run: Callable[[], Termination]) -> CReplay:
        """Return the result of a run that prints its results.

        If that run neither returns nor hangs, or if it throws, run once more without printing, and return the result of
        the second run. A value that can not be printed must not count as a crash of the subject.

        Args:
            words: the input.
            run: runs the subject with this input.
        """
        with self.texts_written():
            replay = self._outcome_of(words, run())
        fine = replay.outcome in (Termination.RETURNED, Termination.HUNG) and not replay.threw
        return replay if fine or not self.signature.shows else self._outcome_of(words, run())

    @contextmanager
    def texts_written(self) -> Iterator[None]:
        """Within this context, runs print the results that are compared as text, if there are any."""
        self._cells["shows"].value = int(bool(self.signature.shows))
        try:
            yield
        finally:
            self._cells["shows"].value = 0

    def _shown(self) -> tuple[str, ...]:
        """Return the texts that the last run printed; empty if the function has no results that are printed."""
        if not self.signature.shows:
            return ()
        size = self._cells["shown_size"].value
        written = ctypes.string_at(ctypes.addressof(self._cells["shown"]), size)
        return tuple(written.decode("latin-1").split("\0")[:-1])
