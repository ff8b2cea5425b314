"""What can be asked for by name, and how solvers are composed: here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..config import Budget
from ..errors import OptionError
from ..term.core.nodes import Op
from .base import Answer, Query, Solver
from .decorators import Limited, Rewriting, Splitting, Stages, Validating

if TYPE_CHECKING:
    from ..term.core.nodes import Term


# Where distances say little: a step in the value of one is none in that of the other.
BITS = frozenset((Op.FP_TO_BITS, Op.FP_FROM_BITS))
# What makes formulas of bits large.
HARD = frozenset((Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_FMA, Op.FP_SQRT, Op.FP_REM, Op.FP_ROUND, Op.MATH))


def portfolio(seed: int) -> Solver:
    """The default: for each independent part a short search and intervals in this process, then a race of all the
    provers that are installed and a search that leaves its place to the next after a while. The first answer counts."""
    from .intervals import Intervals
    from .mathematical_execution import MathematicalExecution
    from .smt import installed
    from .solver_processes import Race

    first, *others = installed()
    return Splitting(Stages(
        Limited(MathematicalExecution(seed), share=0.25, seconds=0.25, size=1500),
        Limited(Intervals(), share=0.2, seconds=2.0),
        Race(first, Limited(MathematicalExecution(seed + 1), share=0.35), *others),
    ))  # fmt: skip


def exploring(seed: int, wary: bool = False) -> Solver:
    """For many small queries, most of which have an easy model near a known one, or none: it answers them or gives up,
    mostly in some milliseconds.

    Args:
        seed: of random choices.
        wary: what runs native code does so in a process of its own, and may end that.
    """
    return ready(checked(Stages(*quick_stages(seed, wary))))


def exploring_further(seed: int, wary: bool = False) -> Solver:
    """The same, for what is worth more time. The concolic walk is one of the racers (row CW7)."""
    from .concolic_walk import ConcolicWalk
    from .mathematical_execution import MathematicalExecution
    from .smt import installed
    from .solver_processes import Race

    first, *others = installed()
    return ready(checked(Stages(
        *quick_stages(seed, wary),
        # Here, unless that is not safe: most have no model, and a process takes longer.
        Limited(_apart(first, wary), share=0.25, seconds=0.1, size=400),
        Race(
            first,
            Limited(MathematicalExecution(seed + 1), share=0.35),
            Limited(ConcolicWalk(seed), share=0.5, without=BITS),
            *others,
        ),
    )))  # fmt: skip


def proving() -> Solver:
    """As :func:`proving_alone`, but that another prover is asked to confirm each proof."""
    from .confirm import Confirming
    from .smt import installed

    return ready(Confirming(proving_alone(), *installed()))


def proving_alone() -> Solver:
    """For what most likely has no model: one prover after the other, so that it is the same that answers when it is
    asked again (one that does not know the sorts says so at once); then all at once, unless one has shown that SMT
    solvers have no proof."""
    from .base import is_settled
    from .intervals import Intervals
    from .smt import installed
    from .solver_processes import Race

    provers = installed()
    alone = [Limited(Race(prover, decides=is_settled), share=0.5) for prover in provers[:2]]
    together = Race(*provers, decides=is_settled)
    stages = Stages(Limited(Intervals(), share=0.3), *alone, together, decides=is_settled)
    return ready(checked(stages))


def proving_facts(wary: bool = False) -> Solver:
    """For many small queries of bits, most of which have a model, but what has none is a proof that others rest on: who
    has one is not alone. ``wary``: as of :func:`exploring`."""
    from .confirm import Confirming
    from .smt import installed
    from .solver_processes import Race

    provers = installed()
    quick = Limited(_apart(provers[0], wary), share=0.5, seconds=0.1, size=400, without=HARD)
    return ready(Confirming(checked(Stages(quick, Race(*provers))), *provers))


def _apart(solver: Solver, wary: bool) -> Solver:
    from .solver_processes import Race

    return Race(solver) if wary else solver


def quick_stages(seed: int, wary: bool) -> tuple[Solver, ...]:
    """Nothing is compiled for most queries; a prover is asked first where it need not multiply floats."""
    from .mathematical_execution import MathematicalExecution
    from .propagation import Propagation
    from .smt import installed

    return (
        Limited(Propagation(seed), share=0.5, size=1500, evaluations=30),
        Limited(_apart(installed()[0], wary), share=0.25, seconds=0.1, size=400, without=HARD),
        Limited(_apart(MathematicalExecution(seed), wary), share=0.5, size=1500, evaluations=5_000),
    )


def ready(solver: Solver) -> Solver:
    """A solver that has loaded or compiled what it needs."""
    solver.ready()
    return solver


def two_phase(arithmetic: str) -> Callable[[int], Solver]:
    """Z3 over the reals, then a minimizer."""

    def make(seed: int) -> Solver:
        from .smt import Z3
        from .two_phase import TwoPhase

        return TwoPhase(seed, arithmetic, Z3(reals=True))

    return make


def member(place: str, **options: object) -> Callable[[int], Solver]:
    """A solver by its module and class; the module is imported when the solver is made."""

    def make(seed: int) -> Solver:
        module, _, name = place.partition(":")
        kind: Any = getattr(import_module(module, __package__), name)
        made: Solver = kind(seed, **options) if kind.seeded else kind(**options)
        return made

    return make


# name -> what makes the solver from a seed
SOLVERS: dict[str, Callable[[int], Solver]] = {
    "portfolio": portfolio,
    "z3": member(".smt:Z3"),
    "bitwuzla": member(".smt:Bitwuzla"),
    "cvc5": member(".smt:Cvc5"),
    "z3-reals": member(".smt:Z3", reals=True),
    "two-phase-random": two_phase("random"),
    "two-phase-avm": two_phase("avm-paper"),
    "two-phase-es": two_phase("es"),
    "two-phase-ga": two_phase("ga-tournament(pooled=0)"),
    "concolic-walk": member(".concolic_walk:ConcolicWalk"),
    "concretisation": member(".concretisation:Concretisation"),
    "intervals": member(".intervals:Intervals"),
    "propagation": member(".propagation:Propagation"),
    "mathematical-execution": member(".mathematical_execution:MathematicalExecution"),
}


def solver_named(name: str, seed: int = 0, check_proofs: bool = False) -> Solver:
    """A solver by its name, ready to answer: queries are simplified, models are checked.

    Args:
        name: from ``SOLVERS``.
        seed: of random choices.
        check_proofs: see :func:`solve`.

    Raises:
        OptionError: there is none of that name.
        MissingDependency: it is not installed.
    """
    if name not in SOLVERS:
        raise OptionError(f"no solver {name!r}; there are {', '.join(SOLVERS)}")
    asked = SOLVERS[name](seed)
    if not asked.keeps_time:
        from .solver_processes import Race

        asked = Race(asked)
    whole = checked(asked)
    if check_proofs:
        from .confirm import Confirming
        from .smt import installed

        whole = Confirming(whole, *installed())
    return ready(whole)


def checked(asked: Solver) -> Solver:
    """A solver that gets simplified queries, and whose models are checked."""
    return Validating(Rewriting(asked))


def query_of(conditions: str | Term | Iterable[str | Term], types: Mapping[str, str] | None = None) -> Query:
    """The query of conditions that all have to hold.

    Args:
        conditions: Python expressions, or terms of sort Bool.
        types: of the variables of expressions, by name: ``float`` (the default), ``float32``, ``int``, ``i8``, ... as
            for ``--var``.

    Raises:
        ExpressionError: what can not be read as a condition; names the column.
        OptionError: no such type.
        SortError: a term is no condition.
    """
    from ..term.expression.parser import parse
    from ..term.expression.typed import DOUBLE, TYPES

    for name, kind in (types or {}).items():
        if kind not in TYPES:
            raise OptionError(f"{name}: {kind}: there are the types {', '.join(TYPES)}")
    known = {name: TYPES[kind] for name, kind in (types or {}).items()}
    several = [conditions] if isinstance(conditions, str) or not isinstance(conditions, Iterable) else conditions
    return Query(tuple(parse(one, known, DOUBLE) if isinstance(one, str) else one for one in several))


def solve(query: Query | str | Term | Iterable[str | Term], budget: Budget | None = None, solver: str = "portfolio",
          seed: int = 0, check_proofs: bool = False, types: Mapping[str, str] | None = None) -> Answer:  # fmt: skip
    """Find values of the variables for which all conditions hold, or prove that there are none.

    Args:
        query: or conditions, as :func:`query_of` takes them.
        budget: seconds and evaluations; by default those of :class:`zeroin.Budget`.
        solver: a name from ``SOLVERS``.
        seed: of random choices.
        check_proofs: ask a second, different prover to confirm a proof, in the time that is left: the ``Proof`` says
            who did, or why nobody could; if a prover has a model instead, the answer is a ``Disagreement``.
        types: of the variables of expressions, see :func:`query_of`.

    Raises:
        OptionError, ExpressionError, SortError: no such solver; and as :func:`query_of`.
    """
    asked = query if isinstance(query, Query) else query_of(query, types)
    return solver_named(solver, seed, check_proofs).solve(asked, budget or Budget())
