"""Solvers for conditions over inputs: the answer is a model, a proof that there is none, or "unknown" with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..registry import lazily
from .base import Answer, Disagreement, Model, Proof, Query, Sat, Solver, Unknown, Unsat
from .chain import SOLVERS, query_of, solve, solver_named

if TYPE_CHECKING:
    from .concolic_walk import PAPER, ConcolicWalk, Walk
    from .smt import Z3
    from .solver_processes import Race
    from .two_phase import FirstPhase, TwoPhase

__all__ = ["PAPER", "SOLVERS", "Z3", "Answer", "ConcolicWalk", "Disagreement", "FirstPhase", "Model", "Proof", "Query",
           "Race", "Sat", "Solver", "TwoPhase", "Unknown", "Unsat", "Walk", "query_of", "solve",
           "solver_named"]  # fmt: skip

__getattr__ = lazily(__name__, {
    "Race": "solver_processes", "PAPER": "concolic_walk", "ConcolicWalk": "concolic_walk", "Walk": "concolic_walk",
    "Z3": "smt",     "FirstPhase": "two_phase", "TwoPhase": "two_phase",
})  # fmt: skip
