"""The result of a run: the inputs kept, what each covers and returns, the verdict on every branch, the findings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ..subject.base import Branch, Outcome, Replay, Signature, Site, Words

Run = tuple[Words, Outcome, frozenset[int]]  # the words, how it ended, the outcomes it took

COVERED, INFEASIBLE, UNDECIDED = "covered", "infeasible", "undecided"


@dataclass(frozen=True)
class Target:
    """What was asked for.

    Attributes:
        text: as the user wrote it, with the function's name.
        path: the source file.
        function: the function's name in the source.
        language: ``c``, ``llvm`` or ``python``.
        cc: flags for the compiler.
        others: further files that the subject needs.
        where: Python: what was named, a file or a module.
        module: Python: what to import to get the function.
        root: Python: the folder that has to be on ``sys.path`` for that, if any.
        callees: make the functions that it calls goals, too.
    """

    text: str
    path: Path
    function: str
    language: str = "c"
    cc: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()
    where: str = ""
    module: str = ""
    root: Path | None = None
    callees: bool = False


@dataclass(frozen=True)
class Input:
    """One kept input: its words, the outcomes of sites that it takes, and what the plain function did with it."""

    words: Words
    covered: frozenset[int]
    replay: Replay

    @property
    def outcome(self) -> Outcome:
        return self.replay.outcome


@dataclass(frozen=True)
class Verdict:
    """On one branch. ``input`` is the number of the first input that takes it; ``why`` is given when none does."""

    branch: Branch
    verdict: str
    input: int | None = None
    why: str = ""


@dataclass(frozen=True)
class Finding:
    """Something that went wrong in the subject, with the input that shows it."""

    kind: str  # crash, hang, assertion, exception, forbidden
    words: Words
    message: str
    input: int | None = None


@dataclass
class Suite:
    """What a run found for one target."""

    target: Target
    signature: Signature
    sites: list[Site]
    branches: list[Branch]
    inputs: list[Input]
    findings: list[Finding]
    seed: int
    evaluations: int
    seconds: float  # of search
    stopped: str
    disagreements: int = 0
    notes: list[str] = field(default_factory=list)
    stateful: bool = False  # the subject writes variables that outlive a call; every run starts from their first values
    reached: frozenset[int] = frozenset()  # sites that some run evaluated
    events: list[tuple[float, int]] = field(default_factory=list)  # (seconds, branches covered by then)
    total_seconds: float = 0.0  # compiling, searching and replaying
    engine: str = "native"  # or interpreted, and why

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdict on every branch, in the order of the source."""
        first: dict[int, int] = {}
        for returned in (True, False):
            for number, kept in enumerate(self.inputs):
                if (kept.outcome is Outcome.RETURNED) == returned:
                    for outcome in kept.covered:
                        first.setdefault(outcome, number)
        return [self._verdict(branch, first) for branch in self.branches]

    def _verdict(self, branch: Branch, first: dict[int, int]) -> Verdict:
        if branch.outcome in first:
            return Verdict(branch, COVERED, first[branch.outcome])
        if branch.site.number in self.reached:
            return Verdict(branch, UNDECIDED, None, f"no input found in {self.evaluations:,} evaluations")
        return Verdict(branch, UNDECIDED, None, "no run reached the condition")

    def count(self, verdict: str) -> int:
        return sum(v.verdict == verdict for v in self.verdicts)

    @property
    def percent(self) -> float:
        """Branches decided (covered or infeasible), in percent; 100 when there is none."""
        return 100.0 * (len(self.branches) - self.count(UNDECIDED)) / len(self.branches) if self.branches else 100.0


@dataclass(frozen=True)
class Resume:
    """What earlier processes of the same target left behind."""

    runs: tuple[Run, ...] = ()
    evaluations: int = 0
    seconds: float = 0.0
    lives: int = 0
    final: bool = False  # search no more: choose, simplify and replay
    lethal: tuple[Words, ...] = ()  # words that ended a process


def minimise(runs: Iterable[Run], wanted: Iterable[int]) -> list[int]:
    """Numbers of the runs that together cover what all of them cover of ``wanted``, as few as greedy choice gives.

    Runs that return are preferred to runs that do not; ties go to the earlier run.
    """
    all_runs = list(runs)
    goals = set(wanted)
    chosen: list[int] = []
    for returned in (True, False):
        left = goals & set().union(*(c for w, o, c in all_runs if (o is Outcome.RETURNED) == returned))
        left -= set().union(*(all_runs[n][2] for n in chosen))
        while left:
            best = max((n for n, (_, o, _) in enumerate(all_runs) if (o is Outcome.RETURNED) == returned),
                       key=lambda n: (len(all_runs[n][2] & left), -n))  # fmt: skip
            chosen.append(best)
            left -= all_runs[best][2]
    return [n for n in sorted(chosen) if _needed(n, chosen, all_runs, goals)]


def _needed(number: int, chosen: list[int], runs: list[Run], goals: set[int]) -> bool:
    others = set().union(*(runs[n][2] for n in chosen if n != number))
    if runs[number][2] & goals - others:
        return True
    chosen.remove(number)
    return False
