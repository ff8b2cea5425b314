"""The parent's side of replays: run the plain function, which has no probes, with the kept inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ..subject.base import Replay, Run, Signature, Termination, Words
from .findings import distinct_runs
from .messages import Replayed
from .time_limits import TimeLimits
from .worker import Died

MOST_DEADLY = 20  # reported inputs that end a process, for one target
_ENDED_BY_ITSELF = (Termination.RAISED, Termination.ASSERTED)


class Replays:
    """The replays of one target.

    Attributes:
        kept: the runs to show, each with the behaviour of the plain function.
        deadly: inputs that ended a process in which nothing else ran, and how it died.
        disagreements: inputs for which the plain and the instrumented function differ.
        undefined: runs with undefined behaviour.
        long: inputs whose runs ended in the search because they used up their fuel, but return in the plain function.
        untried: the number of inputs not replayed for lack of time.
    """

    def __init__(self) -> None:
        self.kept: list[tuple[Run, Replay]] = []
        self.deadly: dict[Words, Died] = {}
        self.disagreements: list[Words] = []
        self.undefined: list[tuple[Run, Replay]] = []
        self.long: list[Words] = []
        self.untried = 0
        self._replayed = set[Words]()
        self._asked = set[Words]()  # inputs of the running task without an answer yet

    def begin_anew(self) -> None:
        """Forget the kept runs before a further search, but not what is known of other inputs."""
        self.kept, self._replayed, self.untried = [], set(), 0

    def run(self, task: Callable[..., Died | None], chosen: Sequence[Run],
            lethal: Mapping[Words, tuple[Run, Died]], signature: Signature, limits: TimeLimits) -> None:  # fmt: skip
        """Replay all runs that returned in one process, and each other run in a process of its own.

        If the first process dies, the runs that it has not replayed get processes of their own, too. A run whose own
        process dies is kept as ``KILLED``. A run for which no time is left is kept with its termination. So is one
        that ended with an exception or assertion in the search, if its process is silent for too long.

        Args:
            task: carries out a task by name; returns None, or how its process died.
            chosen: the runs to keep.
            lethal: runs that ended a process, and how. A selection of them is kept, too.
            signature: the function's signature.
            limits: the time limits. The first run that did not return is tried in any case.
        """
        returned = [run for run in chosen if run.returned]
        done = len(self._replayed)
        if returned and self._died(task, returned) is not None:
            returned = returned[len(self._replayed) - done :]  # the runs not replayed before the death
        else:
            returned = []
        others = [*returned, *(run for run in chosen if not run.returned)]
        known = {run.covered for run in others} | {run.words for run in others}
        # Lethal runs may take further branches: keep one for each distinct set.
        others += distinct_runs(
            (run for run, _ in lethal.values() if not {run.covered, run.words} & known), MOST_DEADLY
        )
        for number, run in enumerate(others):
            is_tried = number == 0 or limits.left > 0
            self.untried += not is_tried
            died = self._died(task, [run]) if is_tried else lethal.get(run.words, (run, None))[1]
            if died is not None and died.silent and run.outcome in _ENDED_BY_ITSELF:
                self.untried += 1  # a busy machine: the search saw the run end
                is_tried, died = False, None
            if died is not None or not is_tried:
                outcome = run.outcome if died is None or died.ours else Termination.KILLED
                self.kept.append((run, replace(signature.unconfirmed(run.words, outcome), is_missing=not is_tried)))
            if died is not None and not died.ours:
                self.deadly[run.words] = died

    def _died(self, task: Callable[..., Died | None], runs: Sequence[Run]) -> Died | None:
        """Replay runs in one task. Return None, or how its process died."""
        several = [run.words for run in runs]
        self._asked = {*several} - self._replayed
        try:
            return task("replay", several)
        finally:
            self._asked = set()

    def give_up(self, runs: Iterable[Run], signature: Signature) -> bool:
        """Keep those of the runs that have no replay, marked as such. Return whether there were any."""
        known = {*self._replayed, *(run.words for run, _ in self.kept)}
        left = [run for run in runs if run.words not in known]
        self.kept += [(run, replace(signature.unconfirmed(run.words, run.outcome), is_missing=True)) for run in left]
        return bool(left)

    def take(self, message: Replayed) -> None:
        """Handle the result of a replay. Inputs that were not requested, or are repeated, are ignored."""
        words = message.run.words
        if words not in self._asked:
            return
        self._asked.discard(words)
        self._replayed.add(words)
        if message.replay.outcome is Termination.UNDEFINED:
            self.undefined.append((message.run, message.replay))
        elif message.same:
            self.kept.append((message.run, message.replay))
        elif message.run.outcome is Termination.HUNG and message.replay.outcome is Termination.RETURNED:
            self.long.append(words)
        elif words not in self.disagreements:
            self.disagreements.append(words)
