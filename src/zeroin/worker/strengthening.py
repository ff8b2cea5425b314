"""Mutants, from the parent's side: one task after the other, although mutants end its processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from ..subject.base import Run, Words
from ..subject.mutants import Noticing
from ..suite.suite import Input, Mutants
from .messages import Strengthen, Strengthened
from .worker import Died

_MOST_DEATHS = 12
_LEAST = 0.1  # seconds
_MOST_OTHERS = 200  # runs that are tried for what they notice


class Strengthening:
    """What is known of the mutants of one target.

    Attributes:
        result: the last word; None if there is none.
    """

    def __init__(self) -> None:
        self.result: Strengthened | None = None
        self._found: list[Run] = []
        self._deadly: dict[int, Words] = {}

    def run(self, task: Callable[..., Died | None], chosen: Sequence[Run], runs: Sequence[Run],
            lethal: frozenset[Words], seconds: float, choose: bool, doubts: bool) -> list[Run]:  # fmt: skip
        """The runs to keep. The task that finds them is carried out again and again if it dies, each time without what
        has ended it.

        Args:
            task: carries out a task of a name; how it died, if it did.
            chosen: the runs to keep so far.
            runs: all that are known.
            lethal: words that are not run again.
            seconds: that all of this may take. Then one more task says what the chosen runs notice.
            choose: whether inputs may be added and changed.
            doubts: whether what returns is confirmed.
        """
        base, avoided = [run for run in chosen if run.returned], set(lethal)
        others = [run for run in runs if run.returned and run not in base][:_MOST_OTHERS]
        until = time.monotonic() + seconds
        for attempt in range(_MOST_DEATHS if base else 0):
            known, left = [*self._found, *others], until - time.monotonic()
            is_last = attempt == _MOST_DEATHS - 1 or left <= 0
            asked = Strengthen(list(base), known, self._deadly, frozenset(avoided), max(_LEAST, left),
                               choose and not is_last, doubts)  # fmt: skip
            died = task("strengthen", asked)
            if died is None or died.ours or is_last:
                break
            until = time.monotonic() if died.silent else until  # where runs do not return, no more are tried
            if died.mutant:
                self._deadly[died.mutant] = died.words
            else:
                avoided.add(died.words)
        if self.result is None:
            return list(chosen)
        return [*(one.run for one in self.result.runs), *(run for run in chosen if not run.returned)]

    def noticed(self, inputs: Sequence[Input]) -> Mutants | None:
        """What these inputs notice, of which some may have been dropped; None if nobody knows."""
        if self.result is None:
            return None
        known = {one.run.words: one.mutants for one in self.result.runs}
        noticed = [known.get(one.words, frozenset[int]()) for one in inputs]
        return Mutants(self.result.mutants, noticed, self.result.superfluous)

    def take(self, message: Any) -> None:
        """What the task says."""
        if isinstance(message, Strengthened):
            self.result = message
        elif isinstance(message, Noticing):
            self._found.append(message.run)
