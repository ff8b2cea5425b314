"""Solvers: a condition over inputs -> a model, a proof that there is none, or the reason for not knowing."""

from __future__ import annotations

from .base import Answer, Disagreement, Proof, Query, Sat, Solver, Unknown, Unsat
from .chain import SOLVERS, solve, solver_named

__all__ = ["SOLVERS", "Answer", "Disagreement", "Proof", "Query", "Sat", "Solver", "Unknown", "Unsat", "solve",
           "solver_named"]  # fmt: skip
