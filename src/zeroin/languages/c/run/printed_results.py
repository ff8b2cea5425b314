"""Runs of a compiled subject that print results as text; see ``front.printed_types``."""

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
    """IR whose adapter writes down nothing, as no run does that a search makes."""
    return [_ASKED.sub(r"\1 = add i64 0, 0", text) for text in texts]


class Showing:
    """The part of a subject that knows of such texts."""

    signature: CSignature
    _cells: dict[str, ctypes.c_int64]

    @abstractmethod
    def _outcome_of(self, words: Words, outcome: Termination) -> CReplay:
        """What the last run did."""

    def showing(self, words: Words, run: Callable[[], Termination]) -> CReplay:
        """What a run does that writes texts; if it does not return, what one does that writes none: what can not be
        shown is no crash of the subject."""
        with self.texts_written():
            replay = self._outcome_of(words, run())
        fine = replay.outcome in (Termination.RETURNED, Termination.HUNG) and not replay.threw
        return replay if fine or not self.signature.shows else self._outcome_of(words, run())

    @contextmanager
    def texts_written(self) -> Iterator[None]:
        """Runs write texts, if there is something to be compared so."""
        self._cells["shows"].value = int(bool(self.signature.shows))
        try:
            yield
        finally:
            self._cells["shows"].value = 0

    def _shown(self) -> tuple[str, ...]:
        """The texts that the last run has written."""
        if not self.signature.shows:
            return ()
        size = self._cells["shown_size"].value
        written = ctypes.string_at(ctypes.addressof(self._cells["shown"]), size)
        return tuple(written.decode("latin-1").split("\0")[:-1])
