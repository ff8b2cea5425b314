"""The parent's side of mutants: it repeats the task that runs them, as mutants may end its processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from ..subject.base import Run, Words
from ..subject.mutants import Kills
from ..suite.suite import Input, Mutants
from .messages import Strengthen, Strengthened
from .worker import Died

_MOST_DEATHS = 12  # attempts of the task
_LEAST = 0.1  # seconds for one attempt, at least
_MOST_OTHERS = 200  # further known runs that are tried against mutants


class Strengthening:
    """The mutants of one target.

    Attributes:
        result: the result of the last complete task; None without one.
    """

    def __init__(self) -> None:
        self.result: Strengthened | None = None
        self._found: list[Run] = []
        self._deadly: dict[int, Words] = {}

    def run(self, task: Callable[..., Died | None], chosen: Sequence[Run], runs: Sequence[Run],
            lethal: frozenset[Words], seconds: float, choose: bool, doubts: bool) -> list[Run]:  # fmt: skip
        """Return the runs to keep, chosen so that they kill many mutants.

        Runs that did not return are kept as they are. Without a complete task, all chosen runs are returned.

        If the task's process dies, the task is repeated without the mutant, or the input, that ended it.

        Args:
            task: carries out a task by name; returns None, or how its process died.
            chosen: the runs chosen so far.
            runs: all known runs.
            lethal: inputs that are not run again.
            seconds: the time limit of all attempts. A last attempt after it only determines which mutants the chosen
                runs kill.
            choose: whether inputs may be added and changed.
            doubts: whether returned runs are confirmed by the plain function.
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
            until = time.monotonic() if died.silent else until  # after a hang, try no more inputs
            if died.mutant:
                self._deadly[died.mutant] = died.words
            else:
                avoided.add(died.words)
        if self.result is None:
            return list(chosen)
        return [*(one.run for one in self.result.runs), *(run for run in chosen if not run.returned)]

    def killed(self, inputs: Sequence[Input]) -> Mutants | None:
        """Return the mutants that each of these inputs kills; None if no task was complete.

        An input that is not in the task's result counts as one that kills no mutant.
        """
        if self.result is None:
            return None
        known = {one.run.words: one.mutants for one in self.result.runs}
        killed = [known.get(one.words, frozenset[int]()) for one in inputs]
        return Mutants(self.result.mutants, killed, self.result.equivalent)

    def take(self, message: object) -> None:
        """Handle a message of the task: keep its result, or an input that kills further mutants; ignore all others."""
        if isinstance(message, Strengthened):
            self.result = message
        elif isinstance(message, Kills):
            self._found.append(message.run)
