"""What a worker and its parent tell each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ZeroinError
from ..generate.stopped import Stopped
from ..subject.base import Replay, Run, Signature, Site, Target, Termination, Words
from ..subject.language import Skipped
from ..subject.mutants import Mutant, Noticing

if TYPE_CHECKING:
    from ..model.path import PathCondition
    from ..solvers.base import Proof

# ---- to the worker ----


@dataclass(frozen=True)
class Job:
    """Do this, in a process of its own: a function ``module:name``, its arguments, and the folder it may write to."""

    name: str
    arguments: tuple[Any, ...]
    scratch: Path


@dataclass(frozen=True)
class Task:
    """To a job that waits for tasks: do this, in a process of its own. Without a name: there are no more."""

    name: str
    arguments: tuple[Any, ...] = ()


# ---- of every job and task ----


@dataclass(frozen=True)
class Strengthen:
    """What a task that looks for inputs which notice mutants begins with.

    Attributes:
        base: runs that cover every branch that can be covered.
        others: further ones.
        deadly: mutants that have ended a process, and the words with which they did: they are not run again.
        lethal: words that are not run again.
        seconds: that it may take.
        choose: whether inputs may be added and changed; else it is only told what those there are notice.
        doubts: whether what returns is confirmed.
    """

    base: list[Run]
    others: list[Run]
    deadly: Mapping[int, Words]
    lethal: frozenset[Words]
    seconds: float
    choose: bool
    doubts: bool = False


@dataclass(frozen=True)
class Started:
    """It runs, in this process."""

    process: int


@dataclass(frozen=True)
class Ready:
    """The job waits for tasks."""


@dataclass(frozen=True)
class Refused:
    """It can not be carried out."""

    error: ZeroinError


@dataclass(frozen=True)
class Failed:
    """A mistake of ours."""

    traceback: str


@dataclass(frozen=True)
class Done:
    """It came to its end. Whoever ends without this message has died, whatever the status says."""


@dataclass(frozen=True)
class Ended:
    """A process has ended: its exit status, or minus the signal that ended it.

    Attributes:
        cut: it was ended because what came from it was no message, or nothing could come any more.
    """

    process: int
    code: int
    cut: bool = False


@dataclass(frozen=True)
class AideEnded:
    """To a task: the process that worked for it has ended, and with it what that was asked."""


# ---- of the jobs on targets ----


@dataclass(frozen=True)
class Targets:
    """What was asked for stands for these.

    Attributes:
        skipped: what it does not stand for.
        parts: of a package, the modules that are still to be looked into.
    """

    targets: list[Target]
    skipped: list[Skipped] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Loaded:
    """The subject is loaded and instrumented."""

    signature: Signature
    sites: list[Site]


@dataclass(frozen=True)
class Followed(Loaded):
    """It was run, too: the path condition, and how the run ended."""

    path: PathCondition
    outcome: Termination


@dataclass(frozen=True)
class Found:
    """A run that is worth keeping, after so many evaluations and seconds."""

    run: Run
    evaluations: int
    seconds: float


@dataclass(frozen=True)
class Grown:
    """The search is over because what was guessed does not do: a run used more of an array than there was, or a branch
    is impossible for the types of parameters. The target is to be loaded with other guesses.

    Attributes:
        rooms, guess, refuted: for :class:`zeroin.subject.target.Target`.
        words: of that run, as they were; none if no run showed it.
    """

    rooms: tuple[tuple[str, int], ...]
    guess: int
    refuted: frozenset[int]
    words: Words
    evaluations: int
    seconds: float


@dataclass(frozen=True)
class Proved:
    """No input takes an outcome."""

    outcome: int
    proof: Proof


@dataclass(frozen=True)
class Withdrawn:
    """Another solver contradicts a proof, which counts no more."""

    outcome: int
    why: str


@dataclass(frozen=True)
class Searched:
    """The search is over.

    Attributes:
        reached: the sites that some run evaluated.
        doubted: why outcomes are undecided, where there is more to say than that nothing was found.
    """

    reason: Stopped
    evaluations: int
    seconds: float
    reached: frozenset[int]
    doubted: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Behaved:
    """How the subject behaved in a process.

    Attributes:
        stateful: calls change variables that outlive them.
        shown: it has run the inputs that are shown, and no others.
        remarks: what a reader should know.
        engine: how it ran, see :class:`zeroin.subject.subject.Subject`.
    """

    stateful: bool
    remarks: list[str]
    engine: str
    shown: bool = False


@dataclass(frozen=True)
class Chosen:
    """The runs to keep: those that returned, made as simple as they can be, and of the others one of each kind.

    Attributes:
        faulty: for each fault of an operation that was found, a run that has it.
    """

    runs: list[Run]
    faulty: dict[int, Run] = field(default_factory=dict)


@dataclass(frozen=True)
class Strengthened:
    """Runs to keep of those that return, and which mutants each notices.

    Attributes:
        mutants: all that there are.
        superfluous: of those that none notices the ones that do the same as the subject.
    """

    runs: list[Noticing]
    mutants: list[Mutant]
    superfluous: frozenset[int]


@dataclass(frozen=True)
class Explained:
    """What another run with the words of one that had a fault did: the operation with its operands, for people, if it
    had it again."""

    outcome: int
    run: Run
    text: str


@dataclass(frozen=True)
class Traced:
    """What a run that ended its process takes where it runs alone, and whether it returns there."""

    words: Words
    covered: frozenset[int]
    returned: bool = False


@dataclass(frozen=True)
class Replayed:
    """What the plain function does with the words of a run, after no other run of a search; and whether the
    instrumented one does the same."""

    run: Run
    replay: Replay
    same: bool


OF_EVERY_TASK = (Refused, Failed, Done)
OF_A_JOB = (Started, Ready, *OF_EVERY_TASK, Ended, Targets, Loaded, Followed)
OF_TASKS: Mapping[str, tuple[type, ...]] = {
    "search": (Found, Grown, Searched, Behaved),
    "trace": (Traced,),
    "choose": (Chosen, Behaved),
    "strengthen": (Strengthened, Noticing),
    "replay": (Replayed, Behaved),
    "explain": (Explained,),
}
OF_THE_PROVER = (Proved, Withdrawn)
FROM_A_WORKER: tuple[type[Any], ...] = (
    *OF_A_JOB,
    *OF_THE_PROVER,
    *(kind for kinds in OF_TASKS.values() for kind in kinds),
)
