"""What a search asks of the prover (:mod:`.prover`), and what that says. Both may travel between processes."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from ..config import Budget
from ..solvers.base import Proof
from ..subject.base import Words

LEAST = 0.05  # seconds that are worth a try


class Effort(enum.IntEnum):
    """Which solvers a question is put to: intervals alone, with few boxes; all that prove; the same with invariants of
    loops."""

    INTERVALS = 0
    SOLVERS = 1
    INVARIANTS = 2


@dataclass(frozen=True)
class Prepare:
    """Load the solvers that an effort needs.

    Attributes:
        careful: ask solvers in processes of their own, as one has ended a process.
        outcome: read the code that leads to it, too; None: read nothing.
    """

    effort: Effort
    careful: bool = False
    outcome: int | None = None


@dataclass(frozen=True)
class Refute:
    """Does no input take this outcome?

    Attributes:
        outcome: see :class:`zeroin.subject.base.Branch`.
        effort: who is asked.
        budget: of each solver, but that all of them end after its seconds.
        within: seconds for all of it, reading the code included.
        work_for_loops: seconds of work (:mod:`zeroin.solvers.work_clock`) for finding invariants.
        careful: see :class:`Prepare`.
        keeps_query: whether a proof contains what was asked.
        of_path: the proof is to be one about the path that is wanted, which takes the outcome.
    """

    outcome: int
    effort: Effort
    budget: Budget
    within: float
    work_for_loops: float = 0.0
    careful: bool = False
    keeps_query: bool = False
    of_path: bool = False


@dataclass(frozen=True)
class Vouch:
    """Runs have shown that no input takes these outcomes. That is a proof if the code, as it is read, computes the same
    in every call, and so can not have influenced what was seen of it.

    Attributes:
        outcomes: which.
        proof: what the runs are said to prove.
        depends_on_machine: whether the results of the runs count as they were on this machine, which the proof then
            assumes; else the code may not depend on the machine either.
    """

    outcomes: tuple[int, ...]
    proof: Proof
    depends_on_machine: bool


@dataclass(frozen=True)
class Finish:
    """Let other solvers, in so many seconds, confirm the proofs that they have not confirmed yet."""

    seconds: float


ProofRequest = Prepare | Refute | Vouch | Finish


@dataclass(frozen=True)
class Conclusion:
    """What the prover says to a request.

    Attributes:
        proof: that no input takes the outcome, or each of the outcomes; None if there is none.
        words: an input that may take the outcome.
        is_possible: a solver found values that satisfy all that is known of such inputs.
        has_loops: what is known of loops was not used, and may help.
        why: the code can not be read so that something is proved; else empty.
    """

    proof: Proof | None = None
    words: Words | None = None
    is_possible: bool = False
    has_loops: bool = False
    why: str = ""
