"""Requests of a search to the prover (:mod:`zeroin.generate.prover`), and the answers. Processes exchange them."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from ..config import Budget
from ..solvers.base import Proof
from ..subject.base import Words

LEAST = 0.05  # the shortest time, in seconds, that is worth a try


class Effort(enum.IntEnum):
    """The solvers that try to refute a branch.

    ``INTERVALS`` is interval arithmetic alone, with few boxes; ``SOLVERS`` are all complete solvers; ``INVARIANTS`` are
    the same with loop invariants.
    """

    INTERVALS = 0
    SOLVERS = 1
    INVARIANTS = 2


@dataclass(frozen=True)
class Prepare:
    """A request to load the solvers for an effort.

    Attributes:
        effort: the effort.
        careful: whether solvers run in their own processes, because one killed a process.
        outcome: a branch whose code is read as well. None: no code is read.
    """

    effort: Effort
    careful: bool = False
    outcome: int | None = None


@dataclass(frozen=True)
class Refute:
    """A request to prove that no input takes a branch.

    Attributes:
        outcome: the number of the branch.
        effort: the solvers to use.
        budget: the budget of each solver. Its seconds are the limit for all solvers together.
        within: the limit in seconds for everything, with the time to read the code.
        work_for_loops: the work to find invariants, in nominal seconds (:mod:`zeroin.solvers.work_clock`).
        careful: see :class:`Prepare`.
        keeps_query: whether the proof contains the query.
        of_path: whether the proof is for the path that the user named. The path takes the branch.
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
    """A request to check evidence from runs that no input takes some branches.

    The evidence is a proof only if the code does the same in every call, so that observed runs stand for all others.

    Attributes:
        outcomes: the branches.
        proof: the proof that the runs would give.
        depends_on_machine: whether the results of the runs may depend on this machine. If so, the proof assumes this
            machine; if not, the code must not depend on a machine.
    """

    outcomes: tuple[int, ...]
    proof: Proof
    depends_on_machine: bool


@dataclass(frozen=True)
class Finish:
    """A request to let other solvers confirm the proofs so far, within a number of seconds."""

    seconds: float


ProofRequest = Prepare | Refute | Vouch | Finish


@dataclass(frozen=True)
class Conclusion:
    """The prover's answer to a request.

    Attributes:
        proof: a proof that no input takes the branch (for :class:`Vouch`: any of the branches). None if there is none.
        words: an input that may take the branch. None if there is none.
        is_possible: whether a solver found values that satisfy all that is known about inputs that take the branch.
        has_loops: whether loop invariants were not used and may help.
        why: the reason why the code allows no proofs. Empty if it does.
    """

    proof: Proof | None = None
    words: Words | None = None
    is_possible: bool = False
    has_loops: bool = False
    why: str = ""

    @property
    def answer(self) -> str:
        """The answer in words: ``infeasible``, ``possible``, ``unknown``, or why nothing can be proved."""
        if self.proof is not None:
            return "infeasible"
        return self.why or ("possible" if self.is_possible or self.words is not None else "unknown")
