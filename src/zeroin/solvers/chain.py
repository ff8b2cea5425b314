"""The named solvers, and the only place where solvers are composed of others.

:func:`solve` is the entry point for users; ``SOLVERS`` has the names. The other functions make the solvers that
explorations and proofs use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from ..config import Budget
from ..errors import OptionError
from ..named import configured, name_and_parameters
from ..term.core.nodes import Op
from ..term.core.sorts import INT, Sort
from .base import Answer, Query, Solver
from .decorators import Limited, Rewriting, Splitting, Stages, Validating

if TYPE_CHECKING:
    from ..term.core.nodes import Term


# Operations that make distances uninformative: a small step of the float is not a small step of the bits.
BITS = frozenset((Op.FP_TO_BITS, Op.FP_FROM_BITS))
# Operations whose formulas of bits are large.
HARD = frozenset((Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_FMA, Op.FP_SQRT, Op.FP_REM, Op.FP_ROUND, Op.MATH))


def portfolio(seed: int) -> Solver:
    """Return the default solver. :func:`solver_named` adds simplification and the check of models to it.

    It splits a query into independent parts. For each part it runs a short search and interval propagation in this
    process. After that, all installed provers and a longer search race each other, and the first answer counts.
    The search has a third of the race's budget; then it makes room for the next prover.

    Args:
        seed: the seed of random choices.
    """
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


def exploration_solver(seed: int, wary: bool = False) -> Solver:
    """Return a solver for many small queries, which mostly answers or gives up within some milliseconds.

    Most of these queries have no model, or one near a known model. The solver is ready to run, simplifies queries and
    checks models.

    Args:
        seed: the seed of random choices.
        wary: run native code in processes of its own, so that a crash ends only such a process.
    """
    return ready(checked(Stages(*quick_stages(seed, wary))))


def thorough_exploration_solver(seed: int, wary: bool = False) -> Solver:
    """Return a solver as :func:`exploration_solver` does, but for queries that are worth more time.

    If the quick stages fail, all installed provers, a longer search and the concolic walk race each other.

    Args:
        seed: the seed of random choices.
        wary: run native code in processes of its own, so that a crash ends only such a process.
    """
    from .concolic_walk import ConcolicWalk
    from .mathematical_execution import MathematicalExecution
    from .smt import installed
    from .solver_processes import Race

    first, *others = installed()
    return ready(checked(Stages(
        *quick_stages(seed, wary),
        # In this process unless ``wary``: most of these queries have no model, and a child process costs more time.
        Limited(_apart(first, wary), share=0.25, seconds=0.1, size=400),
        Race(
            first,
            Limited(MathematicalExecution(seed + 1), share=0.35),
            Limited(ConcolicWalk(seed), share=0.5, without=BITS),
            *others,
        ),
    )))  # fmt: skip


def proof_solver() -> Solver:
    """Return a solver as :func:`proving_alone` does, but one that has each proof confirmed by another prover.

    A proof that no prover confirms still counts, and has the reason (:class:`.base.Proof`).
    """
    from .confirm import Confirming
    from .smt import installed

    return ready(Confirming(proving_alone(), *installed()))


def proving_alone() -> Solver:
    """Return a solver for queries that most likely have no model.

    Interval propagation is first. Two SMT solvers follow, one after the other, so that the same query gets its answer
    from the same prover each time. (A prover that does not support a query's sorts says so at once.) Last, all SMT
    solvers race each other. A stage that shows that no SMT solver has a proof ends this.
    """
    from .base import is_settled
    from .intervals import Intervals
    from .smt import installed
    from .solver_processes import Race

    provers = installed()
    alone = [Limited(Race(prover, decides=is_settled), share=0.5) for prover in provers[:2]]
    together = Race(*provers, decides=is_settled)
    stages = Stages(Limited(Intervals(), share=0.3), *alone, together, decides=is_settled)
    return ready(checked(stages))


def invariant_solver(wary: bool = False) -> Solver:
    """Return a solver for the queries about loop invariants: many small ones about bits, most of which have a model.

    A prover gets a short time for each query without hard float operations. Then all installed provers race. As other
    proofs rest on the invariants, other provers are asked to confirm each proof. A proof that none of them confirms
    still counts; it says why none did (:class:`.base.Proof`).

    Args:
        wary: run native code in processes of its own, so that a crash ends only such a process.
    """
    from .confirm import Confirming
    from .smt import installed
    from .solver_processes import Race

    provers = installed()
    return ready(Confirming(checked(Stages(*_shortly(provers, wary, 0.5), Race(*provers))), *provers))


def _apart(solver: Solver, wary: bool) -> Solver:
    """Return the solver; if ``wary``, in a child process."""
    from .solver_processes import Race

    return Race(solver) if wary else solver


def _shortly(provers: Sequence[Solver], wary: bool, share: float = 0.25) -> Iterator[Solver]:
    """Yield provers that have a short time for a query without hard operations.

    That is the first one and, for queries with mathematical integers, if it knows none, the first one that does.
    """
    first, *others = provers
    chosen = [(first, frozenset[Sort]())]
    if "int" in first.misses:
        chosen += [(one, frozenset((INT,))) for one in others if "int" not in one.misses][:1]
    for prover, needs in chosen:
        yield Limited(_apart(prover, wary), share=share, seconds=0.1, size=400, without=HARD, needs=needs)


def quick_stages(seed: int, wary: bool) -> tuple[Solver, ...]:
    """Return the stages that answer easy queries, cheapest first; see :func:`exploration_solver` for the arguments.

    For most queries, nothing is compiled. A prover runs before the search if the query has no float arithmetic.
    """
    from .mathematical_execution import MathematicalExecution
    from .propagation import Propagation
    from .smt import installed

    return (
        Limited(Propagation(seed), share=0.5, size=1500, evaluations=30),
        *_shortly(installed(), wary),
        Limited(_apart(MathematicalExecution(seed), wary), share=0.5, size=1500, evaluations=5_000),
    )


def ready(solver: Solver) -> Solver:
    """Return the same solver after it has loaded or compiled the code that it needs."""
    solver.ready()
    return solver


Parameters = Mapping[str, str]  # of a solver, as ``--solver`` gives them
_NO_PARAMETERS: Parameters = MappingProxyType({})


class WithParameters(Protocol):
    """A factory for a solver, from the seed and the solver's parameters."""

    def __call__(self, seed: int, given: Parameters = _NO_PARAMETERS) -> Solver: ...


def two_phase(minimizer: str, **fixed: str) -> WithParameters:
    """Return a factory for the two-phase solver: Z3 over the reals, then a minimizer.

    The factory takes the seed, and the parameters of the minimizer. It raises ``OptionError`` if there is no such
    minimizer or parameter.

    Args:
        minimizer: the name of the minimizer.
        fixed: parameters of the minimizer that differ from its own defaults.
    """

    def make(seed: int, given: Parameters = _NO_PARAMETERS) -> Solver:
        from .smt import Z3
        from .two_phase import TwoPhase

        parameters = ", ".join(f"{key}={value}" for key, value in {**fixed, **given}.items())
        return TwoPhase(seed, f"{minimizer}({parameters})" if parameters else minimizer, Z3(reals=True))

    return make


def concolic_walk(seed: int, given: Parameters = _NO_PARAMETERS) -> Solver:
    """Return a concolic walk.

    Args:
        seed: the seed of the walks.
        given: the fields of :class:`.concolic_walk.Walk` that differ, and ``defaults``: ``ours`` or ``paper``.

    Raises:
        OptionError: there is no such parameter, or its value does not fit.
    """
    from .concolic_walk import PAPER, ConcolicWalk, Walk

    others = {key: value for key, value in given.items() if key != "defaults"}
    defaults = {"ours": Walk(), "paper": PAPER}
    chosen = given.get("defaults", "ours")
    if chosen not in defaults:
        raise OptionError(f"concolic-walk: defaults={chosen}: choose from {', '.join(defaults)}")
    return ConcolicWalk(seed, configured(defaults[chosen], "concolic-walk", others))


def member(place: str, **options: object) -> Callable[[int], Solver]:
    """Return a factory for a solver without parameters, which imports the solver's module on its first call.

    The factory takes the seed, and ignores it if the solver makes no random choices.

    Args:
        place: the module, relative to this package, and the class: ``.module:name``.
        options: further arguments of the class.
    """

    def make(seed: int) -> Solver:
        module, _, name = place.partition(":")
        kind: Any = getattr(import_module(module, __package__), name)
        made: Solver = kind(seed, **options) if kind.seeded else kind(**options)
        return made

    return make


# name -> factory that makes the solver from a seed and, if there are any, its parameters
WITH_PARAMETERS: dict[str, WithParameters] = {
    "two-phase-random": two_phase("random"),
    "two-phase-avm": two_phase("avm-paper"),
    "two-phase-es": two_phase("es"),
    "two-phase-ga": two_phase("ga-tournament", pooled="0"),
    "concolic-walk": concolic_walk,
}
# name -> factory that makes the solver from a seed
SOLVERS: dict[str, Callable[[int], Solver]] = {
    "portfolio": portfolio,
    "z3": member(".smt:Z3"),
    "bitwuzla": member(".smt:Bitwuzla"),
    "cvc5": member(".smt:Cvc5"),
    "z3-reals": member(".smt:Z3", reals=True),
    **WITH_PARAMETERS,
    "concretisation": member(".concretisation:Concretisation"),
    "intervals": member(".intervals:Intervals"),
    "propagation": member(".propagation:Propagation"),
    "mathematical-execution": member(".mathematical_execution:MathematicalExecution"),
}


def solver_named(name: str, seed: int = 0, check_proofs: bool = False) -> Solver:
    """Return a new solver of a name, ready to run. It simplifies queries and checks models.

    Args:
        name: a name from ``SOLVERS``, optionally with parameters: ``two-phase-es(mu=20)``.
        seed: the seed of random choices, if the solver makes any.
        check_proofs: see :func:`solve`.

    Raises:
        OptionError: there is no solver of that name, no such parameter, or a value does not fit it.
        MissingDependency: the solver's package is not installed.
    """
    own, given = name_and_parameters(name)
    if own not in SOLVERS:
        raise OptionError(f"no solver {own!r}; there are {', '.join(SOLVERS)}")
    if given and own not in WITH_PARAMETERS:
        raise OptionError(f"{own} has no parameter {next(iter(given))!r}; it has none")
    asked = WITH_PARAMETERS[own](seed, given) if given else SOLVERS[own](seed)
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
    """Return a solver that simplifies queries for this one and checks its models."""
    return Validating(Rewriting(asked))


def query_of(conditions: str | Term | Iterable[str | Term], types: Mapping[str, str] | None = None) -> Query:
    """Return the query that all of these conditions hold.

    Args:
        conditions: Python expressions, or terms of sort Bool; one, or several. No condition at all always holds.
        types: the types of the expressions' variables by name: ``float`` (the default), ``float32``, ``int``,
            ``i8``, ... as for ``--var``. Names that no expression uses are ignored.

    Raises:
        ExpressionError: a text is not a condition; the message names the column.
        OptionError: there is no such type.
        SortError: a term is not of sort Bool, or two variables of different sorts have one name.
    """
    from ..term.expression.parser import parse
    from ..term.expression.typed import DOUBLE, TYPES

    for name, kind in (types or {}).items():
        if kind not in TYPES:
            raise OptionError(f"{name}: {kind}: no such type; choose from {', '.join(TYPES)}")
    known = {name: TYPES[kind] for name, kind in (types or {}).items()}
    several = [conditions] if isinstance(conditions, str) or not isinstance(conditions, Iterable) else conditions
    return Query(tuple(parse(one, known, DOUBLE) if isinstance(one, str) else one for one in several))


def solve(query: Query | str | Term | Iterable[str | Term], budget: Budget | None = None, solver: str = "portfolio",
          seed: int = 0, check_proofs: bool = False, types: Mapping[str, str] | None = None) -> Answer:  # fmt: skip
    """Find values of the variables for which all conditions hold, or prove that there are none.

    Args:
        query: a query, or conditions as for :func:`query_of`.
        budget: seconds and evaluations; None: the default of :class:`zeroin.Budget`, which is 10 seconds.
        solver: a name from ``SOLVERS``, optionally with parameters: ``two-phase-es(mu=20)``.
        seed: the seed of random choices.
        check_proofs: have a second prover confirm a proof, in the time that is left. The ``Proof`` names that prover,
            or has the reason why none confirmed it. If a prover has a model instead, the answer is a ``Disagreement``.
        types: the types of the expressions' variables, see :func:`query_of`; ignored for a :class:`Query`.

    Returns:
        ``Sat`` with a model that satisfies the conditions, ``Unsat`` with a proof, or ``Unknown`` with the reason.

    Raises:
        OptionError: there is no such solver or type.
        ExpressionError: a text is not a condition.
        SortError: a term is not of sort Bool, or two variables of different sorts have one name.
        MissingDependency: the solver's package is not installed.
    """
    asked = query if isinstance(query, Query) else query_of(query, types)
    return solver_named(solver, seed, check_proofs).solve(asked, budget or Budget())
