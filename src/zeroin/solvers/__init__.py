"""Solvers: a condition over inputs -> a model, a proof that there is none, or the reason for not knowing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING

from ..config import Budget
from ..errors import OptionError
from .base import Answer, Disagreement, Query, Sat, Solver, Unknown, Unsat

if TYPE_CHECKING:
    from ..term.nodes import Term

__all__ = ["SOLVERS", "Answer", "Disagreement", "Query", "Sat", "Solver", "Unknown", "Unsat", "solve", "solver_named"]


def _made(module: str, name: str, seeded: bool = True, **options: object) -> Callable[[int], Solver]:
    """A solver whose module is imported when it is made."""

    def make(seed: int) -> Solver:
        kind = getattr(import_module(f".{module}", __package__), name)
        made: Solver = kind(seed, **options) if seeded else kind(**options)
        return made

    return make


def _apart(make: Callable[[int], Solver]) -> Callable[[int], Solver]:
    """In a process that is ended when the time is over, which not every wheel keeps by itself."""

    def apart(seed: int) -> Solver:
        from .portfolio import Race

        return Race([make(seed)], 1)

    return apart


# name -> what makes the solver from a seed
SOLVERS: dict[str, Callable[[int], Solver]] = {
    "portfolio": _made("portfolio", "Portfolio"),
    "z3": _apart(_made("smt", "Z3", seeded=False)),
    "bitwuzla": _apart(_made("smt", "Bitwuzla", seeded=False)),
    "cvc5": _apart(_made("smt", "Cvc5", seeded=False)),
    "z3-reals": _apart(_made("smt", "Z3", seeded=False, reals=True)),
    "two-phase-random": _made("two_phase", "TwoPhase", arithmetic="random"),
    "two-phase-avm": _made("two_phase", "TwoPhase", arithmetic="avm-paper"),
    "two-phase-es": _made("two_phase", "TwoPhase", arithmetic="es"),
    "two-phase-ga": _made("two_phase", "TwoPhase", arithmetic="ga(pooled=0)"),
    "concolic-walk": _made("concolic_walk", "ConcolicWalk"),
    "concretisation": _made("concretisation", "Concretisation"),
    "mathematical-execution": _made("mathematical_execution", "MathematicalExecution"),
}


def solver_named(name: str, seed: int = 0) -> Solver:
    """A solver by its name, with its models checked.

    Raises:
        OptionError: there is none of that name.
        MissingDependency: it is not installed.
    """
    from .decorators import Rewriting, Validating

    if name not in SOLVERS:
        raise OptionError(f"no solver {name!r}; there are {', '.join(SOLVERS)}")
    return Validating(Rewriting(SOLVERS[name](seed)))


def solve(query: Query | Iterable[Term], budget: Budget | None = None, solver: str = "portfolio",
          seed: int = 0, check_proofs: bool = False) -> Answer:  # fmt: skip
    """Find values of the variables for which all constraints hold, or prove that there are none.

    Args:
        query: constraints, terms of sort Bool.
        budget: seconds and evaluations; by default those of :class:`zeroin.Budget`.
        solver: a name from ``SOLVERS``.
        seed: of random choices.
        check_proofs: ask a second, different prover to confirm a proof, in the time that is left: ``Unsat`` says who
            did, or why nobody could; if a prover has a model instead, the answer is a ``Disagreement``.

    Raises:
        OptionError: no such solver.
        SortError: a constraint is no condition.
    """
    asked = query if isinstance(query, Query) else Query(tuple(query))
    chosen = solver_named(solver, seed)
    if check_proofs:
        from .confirm import Confirming

        chosen = Confirming(chosen)
    return chosen.solve(asked, budget or Budget())
