"""The solver interface: ``solve(query, budget)`` returns :class:`Sat`, :class:`Unsat` or :class:`Unknown`.

There are two kinds of solvers. A :class:`CompleteSolver` can prove that a query has no model; only such a solver can
make the :class:`Proof` that ``Unsat`` carries. A :class:`SearchSolver` proposes candidate models, and gives a reason
when it stops without a model. :mod:`.decorators` has solvers that are made of other solvers. :mod:`.chain` composes
solvers and gives them names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import Any, Self, final

from ..config import Budget
from ..term.core.build import RNE, conjuncts
from ..term.core.evaluate import NoValue, default, evaluate
from ..term.core.nodes import Op, SortError, Term, constant, make, variable
from ..term.core.open_values import resting_on
from ..term.core.sorts import BOOL, FLOAT64, MACHINE_FLOATS
from ..term.core.traversal import variables

Model = dict[str, Any]


@dataclass(frozen=True)
class Query:
    """A conjunction to satisfy.

    Attributes:
        constraints: terms of sort Bool, all of which have to hold.
        starts: models at which searches should start, such as models of similar queries. They need not have a value
            for every variable.
        variables: the variables of the constraints.

    Raises:
        SortError: a constraint is not Bool, or two variables of different sorts have one name.
    """

    constraints: tuple[Term, ...]
    starts: tuple[Mapping[str, object], ...] = ()
    variables: tuple[Term, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        for constraint in self.constraints:
            if constraint.sort != BOOL:
                raise SortError(f"a constraint has to be Bool, this one is {constraint.sort}: {constraint!r}")
        object.__setattr__(self, "variables", tuple(variables(self.constraints)))
        sorts: dict[str, Term] = {}
        for v in self.variables:
            if sorts.setdefault(v.data, v) is not v:
                raise SortError(f"the variable {v.data} is {v.sort} and {sorts[v.data].sort}")

    @property
    def conjuncts(self) -> list[Term]:
        """The constraints, with each conjunction split into its parts."""
        return conjuncts(self.constraints)

    def holds(self, model: Mapping[str, object]) -> bool:
        """Whether a model satisfies every constraint, by evaluation in Python (:mod:`zeroin.term.core.evaluate`).

        False, too, if a constraint can not be evaluated, for example because the model lacks a variable.
        """
        memo: dict[Term, object] = {}
        try:
            return all(evaluate(constraint, model, memo) is True for constraint in self.constraints)
        except NoValue:
            return False

    def resting_on(self, model: Mapping[str, object]) -> tuple[str, ...]:
        """Return the open values that the constraints depend on under a model that satisfies them; see :class:`Sat`.

        They are sorted; empty if there are none.

        Raises:
            NoValue: a constraint can not be evaluated.
        """
        return resting_on(self.constraints, model)

    def completed(self, model: Mapping[str, object]) -> Model:
        """Return a new model with a value for every variable; missing ones get the default value of their sort.

        Names that are no variables of the query are left out.
        """
        return {v.data: model[v.data] if v.data in model else default(v.sort) for v in self.variables}

    def restricted(self, constraints: Sequence[Term]) -> Query:
        """Return a query with other constraints and the same starts."""
        return Query(tuple(constraints), self.starts)


@dataclass(frozen=True)
class Sat:
    """The query holds for this model.

    Attributes:
        model: the values of the variables by name, see :mod:`zeroin.term.core.evaluate`.
        by: the name of the solver that found the model.
        open: the open values that the model depends on, such as the result of a division by zero. The language leaves
            them undefined (:mod:`zeroin.term.core.open_values`). With other open values, the query may not hold. Only
            :class:`.decorators.Validating` finds them; without it, they are empty.
    """

    model: Model
    by: str
    open: tuple[str, ...] = ()


class Prover:
    """Anything that can prove that a query has no model.

    Attributes:
        name: its name in verdicts.
    """

    name: str


@dataclass(frozen=True)
class Proof:
    """A proof that a query has no model, whatever its open values are (:mod:`zeroin.term.core.open_values`).

    Args:
        prover: the prover that found the proof, or the proof that this one extends.

    Attributes:
        solver: the name of the prover that found the proof.
        method: a description of the method.
        seconds: the time that the prover needed; proofs that differ only in this are equal.
        assumptions: descriptions of the assumptions that the proof rests on.
        confirmed_by: proofs of the same query by other provers.
        unconfirmed: the reason why no other prover confirmed the proof; None if one did, or if none had to.
        query: the query as an SMT-LIB script without its last command. Empty if it was not kept, or if SMT-LIB can
            not express it.

    Raises:
        TypeError: the prover is not a complete solver, as a search proves nothing; or ``confirmed_by`` has something
            else than proofs.
    """

    solver: str = field(init=False)
    prover: InitVar[Prover | Proof]
    method: str
    seconds: float = field(default=0.0, compare=False)
    assumptions: tuple[str, ...] = ()
    confirmed_by: tuple[Proof, ...] = ()
    unconfirmed: str | None = None
    query: str = field(default="", compare=False, repr=False)

    def __post_init__(self, prover: Prover | Proof) -> None:
        if not isinstance(prover, Prover | Proof) or isinstance(prover, SearchSolver):
            raise TypeError("only a complete solver, or one that tried everything, proves that there is no solution")
        if not all(isinstance(other, Proof) for other in self.confirmed_by):
            raise TypeError("only another proof confirms a proof")
        object.__setattr__(self, "solver", prover.solver if isinstance(prover, Proof) else prover.name)


@dataclass(frozen=True)
class Unsat:
    """The query has no model.

    Raises:
        TypeError: ``proof`` is not a proof.
    """

    proof: Proof

    def __post_init__(self) -> None:
        if not isinstance(self.proof, Proof):
            raise TypeError("that there is no solution needs the proof of a complete solver")

    @property
    def by(self) -> str:
        """The name of the solver that proved it."""
        return self.proof.solver


@dataclass(frozen=True)
class Unknown:
    """The solver does not know whether the query has a model.

    Attributes:
        reason: the reason, for people.
        claims_model: whether a solver reports that there is a model, although its model does not satisfy the query.
        coarse: whether the SMT-LIB script, which abstracts the query, has a model. Then no SMT solver has a proof.
    """

    reason: str
    claims_model: bool = False
    coarse: bool = False


@dataclass(frozen=True)
class Disagreement(Unknown):
    """One solver has a proof and another has a model: one of them is wrong."""


Answer = Sat | Unsat | Unknown


def is_known(answer: Answer) -> bool:
    """Whether the answer is a model or a proof."""
    return not isinstance(answer, Unknown)


def is_settled(answer: Answer) -> bool:
    """Whether the answer is a model or a proof, or shows that no SMT solver has a proof."""
    return not isinstance(answer, Unknown) or answer.coarse


class Solver(ABC):
    """The base class of solvers. The ``repr`` of a solver is the call that made it.

    Attributes:
        name: its name in answers.
        seeded: whether its constructor takes a seed for random choices.
        proves: whether it can prove that a query has no model, with bit-precise floats.
        keeps_time: whether it stops by itself when its budget is used up. If not, :func:`.chain.solver_named` runs it
            in a process that can be killed.
        native: whether its search is native code. Every evaluation of such a search passes through a door, which
            counts and stops (:mod:`zeroin.minimize.base`).
        misses: the kinds of models that it may fail to find. ``nan``: models with NaN. ``function``: with the value of
            a function such as sin. ``int``, ``real``, ``bits``, ``bool``, ``string``: with values of these sorts.
        parts: the solvers that it is made of; empty if there are none.
    """

    name: str
    seeded: bool = False
    proves: bool = False
    keeps_time: bool = True
    native: bool = False
    misses: frozenset[str] = frozenset()
    parts: tuple[Solver, ...] = ()
    _written: str

    def __new__(cls, *args: object, **options: object) -> Self:
        made = super().__new__(cls)
        given = [*map(repr, args), *(f"{name}={value!r}" for name, value in options.items())]
        made._written = f"{cls.__name__}({', '.join(given)})"
        return made

    def __repr__(self) -> str:
        return self._written

    def ready(self) -> None:
        """Load or compile the code that the solver needs, so that this costs nothing of a budget. Repeatable."""
        for part in self.parts:
            part.ready()

    @abstractmethod
    def solve(self, query: Query, budget: Budget) -> Answer:
        """Answer a query within the budget: its seconds, its work, and its evaluations if the solver counts those.

        Returns:
            ``Sat``, ``Unsat`` or ``Unknown``. ``Unknown`` also if the budget is used up or the query is not supported.
        """


class CompleteSolver(Solver, Prover):
    """A solver that can prove that a query has no model."""

    proves = True


Search = Generator[Model, None, str]  # yields candidate models, and returns the reason why it stopped


class SearchSolver(Solver):
    """A solver that searches for a model and proves nothing.

    Args:
        seed: the seed of its random choices.
    """

    seeded = True

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    @abstractmethod
    def search(self, query: Query, budget: Budget) -> Search:
        """Yield candidate models of a query that has variables, and return the reason why the search stopped.

        The search goes on if a candidate does not satisfy the query. It need not check candidates: :meth:`solve` does.
        Variables that a candidate lacks get the default value of their sort.
        """

    @final
    def solve(self, query: Query, budget: Budget) -> Sat | Unknown:
        """Search for a model. Candidates are evaluated on the query here, and only here.

        Returns:
            ``Sat`` with the first candidate that satisfies the query. ``Unknown`` with the reason why the search
            stopped. A query without variables is only evaluated.
        """
        foreign = [v.sort for v in query.variables if v.sort.is_float and v.sort not in MACHINE_FLOATS]
        if foreign:
            return Unknown(f"{self.name}: {foreign[0]} is not searched")
        if not query.variables:
            return Sat({}, self.name) if query.holds({}) else Unknown(f"{self.name}: there is nothing to search for")
        self.ready()
        search = self.search(query, budget)
        while True:
            try:
                model = query.completed(next(search))
            except StopIteration as stopped:
                return Unknown(f"{self.name}: {stopped.value}")
            if query.holds(model):
                return Sat(model, self.name)

    def ready(self) -> None:
        """Run one search, if the solver is native, to compile its code: once for each solver's name and process."""
        if self.native and self.name not in _READY:
            _READY.add(self.name)
            for _ in self.search(_SQUARE, Budget(9000, 60.0)):
                pass


_READY = set[str]()
_X = variable("x", FLOAT64)
# In floats, x * x == 2.0 has no solution.
_SQUARE = Query((make(Op.FP_EQ, make(Op.FP_MUL, RNE, _X, _X), constant(FLOAT64, 2.0)),))
