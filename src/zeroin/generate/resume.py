"""The state in which one process leaves a search to the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..config import FaultSearch
from ..subject.base import Run, Words

if TYPE_CHECKING:
    from ..solvers.base import Proof


@dataclass(frozen=True)
class Resume:
    """The state that a search continues from: the results of earlier processes for the same target.

    Attributes:
        runs: runs worth keeping.
        evaluations: evaluations already made.
        seconds: seconds already spent.
        lives: processes already used; each process draws other random numbers.
        lethal: runs that ended their process.
        narrow: whether a lethal run hung. If so, unbounded integers are kept small.
        seeds: pass and index at which the ``seeds`` strategy continues.
        known: inputs to run first.
        proofs: numbers of infeasible branches, each with its proof.
        wary: whether a process died while a solver ran. If so, solvers run in processes of their own.
        deaths: number of inputs that ended a process.
        doubts: whether the plain function failed to confirm some runs of an earlier search.
        faults: the search for faults that continues; None for a search for branches.
    """

    runs: tuple[Run, ...] = ()
    evaluations: int = 0
    seconds: float = 0.0
    lives: int = 0
    lethal: tuple[Run, ...] = ()
    narrow: bool = False
    seeds: tuple[int, int] = (0, 0)
    known: tuple[Words, ...] = ()
    proofs: tuple[tuple[int, Proof], ...] = ()
    wary: bool = False
    deaths: int = 0
    doubts: bool = False
    faults: FaultSearch | None = None
