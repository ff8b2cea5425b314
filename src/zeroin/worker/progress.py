"""What is known while a search runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Set
from dataclasses import dataclass, field

from ..subject.base import Branch, Run, Signature, Site, Target


@dataclass
class Live:
    """What is known while a search runs, for those who watch it.

    Attributes:
        target: which one.
        branches: how many there are, or None while the subject is being compiled.
        covered: outcomes taken so far by runs that returned.
        last: seconds and branch of the last find.
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

    @property
    def known_signature(self) -> Signature:
        """The signature, of a target that has been loaded."""
        assert self.signature is not None
        return self.signature

    def note(self, run: Run, goals: Set[int]) -> None:
        """A run was found; ``goals`` are the outcomes that are wanted."""
        fresh = run.covered & goals - self.covered
        new = [branch for branch in self.branches or () if branch.outcome in fresh]
        if run.returned:
            self.covered |= run.covered
        if new:
            self.last = f"{new[-1].site.line}: {new[-1].site.condition} {new[-1].label}"


Watcher = Callable[[Live, str], None]
