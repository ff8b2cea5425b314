"""The live state of a search."""

from __future__ import annotations

import time
from collections.abc import Callable, Set
from dataclasses import dataclass, field

from ..subject.base import Branch, Run, Signature, Site, Target


@dataclass
class SearchState:
    """The live state of a search, for progress displays.

    Attributes:
        target: the target.
        signature: None until the target is loaded.
        sites: its conditions with probes; empty until the target is loaded.
        branches: the wanted branches; None until the target is loaded.
        covered: numbers of the branches covered so far by runs that returned.
        evaluations: evaluations so far.
        started: when the work on the target began, by ``time.perf_counter``.
        searching_since: when the target was first loaded and the search began, by the same clock; None before.
        last: line, condition and label of the branch found last; empty if there is none.
        seeks_faults: whether the search for branches is over, and one for faults runs.
    """

    target: Target
    signature: Signature | None = None
    sites: list[Site] = field(default_factory=list)
    branches: list[Branch] | None = None
    covered: set[int] = field(default_factory=set)
    evaluations: int = 0
    started: float = field(default_factory=time.perf_counter)
    searching_since: float | None = None
    last: str = ""
    seeks_faults: bool = False

    @property
    def known_signature(self) -> Signature:
        """The signature. Before the target is loaded, access raises ``AssertionError``."""
        assert self.signature is not None
        return self.signature

    def note(self, run: Run, goals: Set[int]) -> None:
        """Update the state with a run. The branches of a run that did not return change ``last`` only.

        Args:
            run: a run that was found.
            goals: numbers of the wanted branches.
        """
        fresh = run.covered & goals - self.covered
        new = [branch for branch in self.branches or () if branch.outcome in fresh]
        if run.returned:
            self.covered |= run.covered
        if new:
            self.last = f"{new[-1].site.line}: {new[-1].site.condition} {new[-1].shown}"


Watcher = Callable[[SearchState, str], None]
