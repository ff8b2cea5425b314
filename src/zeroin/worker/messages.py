"""The messages between a worker and its parent process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ZeroinError
from ..generate.stopped import Stopped
from ..generate.trace import Event
from ..subject.base import Replay, Run, Signature, Site, Target, Termination, Words
from ..subject.language import Skipped
from ..subject.mutants import Kills, Mutant
from ..suite.samples import Samples

if TYPE_CHECKING:
    from ..model.path import PathCondition
    from ..solvers.base import Proof

# ---- to the worker ----


@dataclass(frozen=True)
class Job:
    """To the base process: run a function in a process of its own.

    Attributes:
        name: the function, as ``module:name``.
        arguments: its arguments after the link to the parent.
        scratch: the folder that it may write to. It does not exist yet: the job creates it.
    """

    name: str
    arguments: tuple[Any, ...]
    scratch: Path


@dataclass(frozen=True)
class Task:
    """To a job that waits for tasks: carry out one in a process of its own.

    Attributes:
        name: the kind of task (a key of :data:`OF_TASKS`); empty: there are no more tasks.
        arguments: its arguments after the link to the parent.
    """

    name: str
    arguments: tuple[Any, ...] = ()


# ---- arguments, and messages of every job and task ----


@dataclass(frozen=True)
class Strengthen:
    """The argument of a task that looks for inputs that kill mutants.

    Attributes:
        base: runs that together cover every branch covered so far.
        others: further known runs.
        deadly: mutants that ended a process, by number, with the input that they ran. They are not run again.
        lethal: inputs that are not run again.
        seconds: the time limit.
        choose: whether inputs may be added and changed; otherwise the task only finds the mutants that ``base`` kills.
        doubts: whether returned runs are confirmed by the plain function.
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
    """The job or task has started.

    Attributes:
        process: the id of its process.
    """

    process: int


@dataclass(frozen=True)
class Ready:
    """The job has loaded its target and waits for tasks."""


@dataclass(frozen=True)
class Refused:
    """The job or task ended with an error for the user.

    Attributes:
        error: the error.
    """

    error: ZeroinError


@dataclass(frozen=True)
class Failed:
    """Zeroin's own code raised an exception.

    Attributes:
        traceback: the traceback as text.
    """

    traceback: str


@dataclass(frozen=True)
class Done:
    """The job or task is complete. A process that ends without this message counts as dead, whatever its status."""


@dataclass(frozen=True)
class Ended:
    """A process has ended.

    Attributes:
        process: its process id.
        code: its exit status, or minus the signal that ended it.
        cut: whether it was killed because it sent invalid data or closed its channel.
    """

    process: int
    code: int
    cut: bool = False


@dataclass(frozen=True)
class AideEnded:
    """To a task: its aide process has ended without answering the open requests."""


# ---- results of jobs and tasks ----


@dataclass(frozen=True)
class Targets:
    """The targets that a text stands for.

    Attributes:
        targets: the targets; empty for a package whose ``parts`` are still to be searched.
        skipped: functions, files and modules that can not be tested, with reasons.
        parts: for a package, the modules that are still to be searched for targets.
    """

    targets: list[Target]
    skipped: list[Skipped] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Loaded:
    """The target is loaded and instrumented.

    Attributes:
        signature: its name, parameters and result.
        sites: its conditions with probes.
    """

    signature: Signature
    sites: list[Site]


@dataclass(frozen=True)
class Followed(Loaded):
    """The target is loaded and has run once.

    Attributes:
        path: the path condition of the run.
        outcome: how the run ended.
    """

    path: PathCondition
    outcome: Termination


@dataclass(frozen=True)
class Found:
    """The search has found a run worth keeping.

    Attributes:
        run: the run.
        evaluations: evaluations of the search so far.
        seconds: seconds of the search so far.
    """

    run: Run
    evaluations: int
    seconds: float


@dataclass(frozen=True)
class Events:
    """Events of a search, for its trace."""

    events: list[Event]


@dataclass(frozen=True)
class Grown:
    """The search has ended early: the target has to be loaded again, because a guess was wrong.

    Either a run needs longer arrays, or a proof shows that a branch is impossible with the guessed types.

    Attributes:
        rooms, guess, refuted: new values for :class:`zeroin.subject.target.Target`.
        words: the run that needs longer arrays, in the old words; empty without one.
        evaluations: evaluations of the search so far.
        seconds: seconds of the search so far.
    """

    rooms: tuple[tuple[str, int], ...]
    guess: int
    refuted: frozenset[int]
    words: Words
    evaluations: int
    seconds: float


@dataclass(frozen=True)
class Proved:
    """No input takes a branch.

    Attributes:
        outcome: the number of the branch.
        proof: the proof.
    """

    outcome: int
    proof: Proof


@dataclass(frozen=True)
class Withdrawn:
    """A second solver contradicts a proof, which is invalid now.

    Attributes:
        outcome: the number of the branch.
        why: the reason, for the user.
    """

    outcome: int
    why: str


@dataclass(frozen=True)
class Searched:
    """The search is over.

    Attributes:
        reason: why it stopped.
        evaluations: evaluations of the whole search.
        seconds: seconds of the whole search.
        reached: numbers of the sites that some run evaluated.
        doubted: for some undecided branches, by number, a reason other than an unsuccessful search.
    """

    reason: Stopped
    evaluations: int
    seconds: float
    reached: frozenset[int]
    doubted: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Behaved:
    """Observations about the subject in one process.

    Attributes:
        stateful: whether calls change variables that outlive them.
        remarks: remarks for the user.
        engine: how the subject ran, see :class:`zeroin.subject.subject.Subject`.
        shown: whether the process ran exactly the kept inputs.
    """

    stateful: bool
    remarks: list[str]
    engine: str
    shown: bool = False


@dataclass(frozen=True)
class Chosen:
    """The runs to keep.

    Attributes:
        runs: simplified runs that returned, and one abnormal run of each kind.
        faulty: for each fault of an operation that was found, by branch number, a run with it.
    """

    runs: list[Run]
    faulty: dict[int, Run] = field(default_factory=dict)


@dataclass(frozen=True)
class Strengthened:
    """The kept runs that return, and the result of running mutants.

    Attributes:
        runs: each run with the mutants that it kills.
        mutants: all mutants of the subject.
        equivalent: numbers of the surviving mutants that are equivalent to the subject; empty if equivalence was not
            checked.
    """

    runs: list[Kills]
    mutants: list[Mutant]
    equivalent: frozenset[int]


@dataclass(frozen=True)
class Explained:
    """The repetition of a run with a fault.

    Attributes:
        outcome: the number of the fault.
        run: the new run. The fault may be missing in it.
        text: the operation with its operands, for the user; empty if the fault is missing.
        spoils: whether an ordinary input makes the run return an infinity or a NaN.
    """

    outcome: int
    run: Run
    text: str
    spoils: bool = False


@dataclass(frozen=True)
class Traced:
    """The repetition of a lethal run in a process of its own.

    Attributes:
        words: the input.
        covered: numbers of the branches that it takes.
        returned: whether the repetition returned.
    """

    words: Words
    covered: frozenset[int]
    returned: bool = False


@dataclass(frozen=True)
class Replayed:
    """The behaviour of the plain function on an input.

    Attributes:
        run: the run of the instrumented function.
        replay: the behaviour of the plain function.
        same: whether both behave in the same way.
    """

    run: Run
    replay: Replay
    same: bool


@dataclass(frozen=True)
class Sampled:
    """Samples of the target, from which reports draw it."""

    samples: Samples


OF_EVERY_TASK = (Refused, Failed, Done)
OF_A_JOB = (Started, Ready, *OF_EVERY_TASK, Ended, Targets, Loaded, Followed)
OF_TASKS: Mapping[str, tuple[type, ...]] = {
    "search": (Found, Events, Grown, Searched, Behaved),
    "trace": (Traced,),
    "choose": (Chosen, Behaved),
    "strengthen": (Strengthened, Kills),
    "replay": (Replayed, Behaved),
    "explain": (Explained,),
    "sample": (Sampled,),
}
OF_THE_PROVER = (Proved, Withdrawn)
FROM_A_WORKER: tuple[type[object], ...] = (
    *OF_A_JOB,
    *OF_THE_PROVER,
    *(kind for kinds in OF_TASKS.values() for kind in kinds),
)
