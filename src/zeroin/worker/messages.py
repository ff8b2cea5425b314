"""What a job tells its parent."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import ZeroinError
from ..generate.stopped import Stopped
from ..subject.base import Replay, Run, Signature, Site, Target, Words

# ---- of every job ----


@dataclass(frozen=True)
class Started:
    """The job runs, in this process."""

    process: int


@dataclass(frozen=True)
class Refused:
    """The job can not be carried out."""

    error: ZeroinError


@dataclass(frozen=True)
class Failed:
    """A mistake of ours."""

    traceback: str


@dataclass(frozen=True)
class Ended:
    """The job's process has ended: its exit status, or minus the signal that ended it."""

    code: int


# ---- of the jobs on targets ----


@dataclass(frozen=True)
class Targets:
    """What was asked for stands for these."""

    targets: list[Target]


@dataclass(frozen=True)
class Loaded:
    """The subject is loaded and instrumented."""

    signature: Signature
    sites: list[Site]


@dataclass(frozen=True)
class Found:
    """A run that is worth keeping, after so many evaluations and seconds."""

    run: Run
    evaluations: int
    seconds: float


@dataclass(frozen=True)
class Searched:
    """The search is over. ``reached`` are the sites that some run evaluated."""

    reason: Stopped
    evaluations: int
    seconds: float
    reached: frozenset[int]


@dataclass(frozen=True)
class Finished:
    """What is kept.

    Attributes:
        kept: runs, and what the plain function does with their words.
        disagreements: words with which the plain function does something else.
        stateful: calls change variables that outlive them.
        remarks: what a reader should know about how the function behaved.
        engine: how it ran, see :class:`zeroin.subject.subject.Subject`.
    """

    kept: list[tuple[Run, Replay]]
    disagreements: list[Words]
    stateful: bool
    remarks: list[str]
    engine: str
