"""What the parent collects while tasks on one target run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..generate.stopped import Stopped
from ..subject.base import Run, Words
from ..suite.samples import Samples
from .messages import Behaved, Explained
from .worker import Died

if TYPE_CHECKING:
    from ..solvers.base import Proof


@dataclass
class Collected:
    """What the tasks have found.

    Attributes:
        runs: the runs worth keeping, in the order of their discovery.
        seen: the same runs as a set.
        beside: inputs that the search for faults found, and that are not needed for a branch. They are no candidates
            for tests of branches, so that these are the same with and without that search.
        chosen: the runs to show; None before the choice.
        faulty: for each fault found, by branch number, the run that shows it.
        explained: for faults, by branch number, the operation and its operands.
        proofs: for each infeasible branch, by number, the proof.
        doubted: for some undecided branches, by number, the reason.
        reached: numbers of the sites that some run evaluated; empty until a search has ended by itself.
        behaved: observations about the target, one for each task that reported them.
        events: pairs of seconds and the number of branches covered by then.
        samples: samples of the function, for plots; None: not made.
        notes: remarks for the user.
    """

    runs: list[Run] = field(default_factory=list)
    seen: set[Run] = field(default_factory=set)
    beside: frozenset[Words] = frozenset()
    chosen: list[Run] | None = None
    faulty: dict[int, Run] = field(default_factory=dict)
    explained: dict[int, Explained] = field(default_factory=dict)
    proofs: dict[int, Proof] = field(default_factory=dict)
    doubted: Mapping[int, str] = field(default_factory=dict)
    reached: frozenset[int] = frozenset()
    behaved: list[Behaved] = field(default_factory=list)
    events: list[tuple[float, int]] = field(default_factory=list)
    samples: Samples | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def best(self) -> list[Run]:
        """The chosen runs; before the choice, all runs."""
        return self.runs if self.chosen is None else self.chosen


@dataclass
class Spent:
    """What the search has spent, and why it stopped.

    Attributes:
        evaluations: the number of evaluations.
        seconds: the seconds of search.
        uncounted: seconds that do not count as search: compilation, loading again, choice and replay.
        reason: why the search stopped; None while it runs.
        for_branches: evaluations and seconds of the search for branches, if one for faults followed; else None.
    """

    evaluations: int = 0
    seconds: float = 0.0
    uncounted: float = 0.0
    reason: Stopped | None = None
    for_branches: tuple[int, float] | None = None


@dataclass
class Deaths:
    """The processes that died.

    Attributes:
        lethal: for each input that ended its process, the run and the death.
        spoiled: the number of processes that died although the run returns in a new process.
        losses: the number of deaths of the job process, which has loaded the target, after it was loaded.
        failures: the number of exceptions of zeroin's own code in searches that have run the target.
    """

    lethal: dict[Words, tuple[Run, Died]] = field(default_factory=dict)
    spoiled: int = 0
    losses: int = 0
    failures: int = 0
