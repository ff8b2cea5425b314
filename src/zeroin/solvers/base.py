"""What a solver is: ``solve(query, budget)`` answers :class:`Sat`, :class:`Unsat` or :class:`Unknown`.

There are two kinds. A :class:`CompleteSolver` can prove that nothing satisfies a query; only such a solver can make the
:class:`Proof` that ``Unsat`` carries. A :class:`SearchSolver` proposes models, and says why it stopped. Solvers that
are made of others are in :mod:`.decorators`; what can be asked for by name, and how it is composed, in :mod:`.chain`.
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
from ..term.core.sorts import BOOL, FLOAT64
from ..term.core.traversal import variables

Model = dict[str, Any]


@dataclass(frozen=True)
class Query:
    """A conjunction to satisfy.

    Attributes:
        constraints: terms of sort Bool.
        starts: models worth starting a search at, such as solutions of similar queries; they may lack variables.

    Raises:
        SortError: a constraint is not Bool, or two variables of different sorts have one name.
    """

    constraints: tuple[Term, ...]
    starts: tuple[Mapping[str, Any], ...] = ()
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
        """The constraints, taken apart."""
        return conjuncts(self.constraints)

    def holds(self, model: Mapping[str, Any]) -> bool:
        """Whether a model satisfies every constraint, by the Python meaning of terms."""
        memo: dict[Term, Any] = {}
        try:
            return all(evaluate(constraint, model, memo) is True for constraint in self.constraints)
        except NoValue:
            return False

    def resting_on(self, model: Mapping[str, Any]) -> tuple[str, ...]:
        """What is left open of which a model that satisfies the constraints makes use; see :class:`Sat`."""
        return resting_on(self.constraints, model)

    def completed(self, model: Mapping[str, Any]) -> Model:
        """The model with a value for every variable."""
        return {v.data: model[v.data] if v.data in model else default(v.sort) for v in self.variables}

    def restricted(self, constraints: Sequence[Term]) -> Query:
        """The query with other constraints, and the same starts."""
        return Query(tuple(constraints), self.starts)


@dataclass(frozen=True)
class Sat:
    """The query holds for this model.

    Attributes:
        model: values of the variables by name, see :mod:`zeroin.term.core.evaluate`.
        by: the solver that found it.
        open: the open values (``term.core.open_values``) that it depends on, such as a division by zero. With other
            values for these the query may not hold.
    """

    model: Model
    by: str
    open: tuple[str, ...] = ()


class Prover:
    """Whose "no" is a proof.

    Attributes:
        name: as verdicts have it.
    """

    name: str


@dataclass(frozen=True)
class Proof:
    """That nothing satisfies a query, whatever the values are that are left open; and who says so.

    Args:
        prover: who found it, or the proof that this one adds to.

    Attributes:
        solver: the name of who found it.
        method: how it did, in words.
        seconds: that it needed; proofs that differ only in this are equal.
        assumptions: what it takes for granted, each in words.
        confirmed_by: proofs of the same by other solvers that were asked, too.
        unconfirmed: why no other has one, where others were asked.
        query: what was asked, as an SMT-LIB script without its last command; empty where nobody wanted to keep it, or
            where it has no such text.

    Raises:
        TypeError: the solver is not complete: a search proves nothing.
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
            raise TypeError("only a complete solver, or who has tried all there is, proves that there is no solution")
        if not all(isinstance(other, Proof) for other in self.confirmed_by):
            raise TypeError("only another proof confirms a proof")
        object.__setattr__(self, "solver", prover.solver if isinstance(prover, Proof) else prover.name)


@dataclass(frozen=True)
class Unsat:
    """Nothing satisfies the query.

    Raises:
        TypeError: without a proof.
    """

    proof: Proof

    def __post_init__(self) -> None:
        if not isinstance(self.proof, Proof):
            raise TypeError("that there is no solution needs the proof of a complete solver")

    @property
    def by(self) -> str:
        """The solver that proved it."""
        return self.proof.solver


@dataclass(frozen=True)
class Unknown:
    """No answer, and why.

    Attributes:
        reason: in words.
        claims_model: whether a solver says that there is a model, but the one that it has does not hold here.
        coarse: whether it has a model of the text that SMT solvers are given, so that none of them has a proof.
    """

    reason: str
    claims_model: bool = False
    coarse: bool = False


@dataclass(frozen=True)
class Disagreement(Unknown):
    """One solver has a proof and another has a model: one of them is wrong."""


Answer = Sat | Unsat | Unknown


def is_known(answer: Answer) -> bool:
    """Whether it is a model or a proof."""
    return not isinstance(answer, Unknown)


def is_settled(answer: Answer) -> bool:
    """Whether it is known, or known that no SMT solver has a proof."""
    return not isinstance(answer, Unknown) or answer.coarse


class Solver(ABC):
    """Anything that answers queries. It prints as it was made.

    Attributes:
        name: who it is, in answers.
        seeded: whether it is made from a seed, for its random choices.
        proves: whether it refutes what has no solution, floats bit by bit.
        keeps_time: whether it ends with its budget; if not, it is run in a process that is ended.
        native: whether it searches by native code, through a door that counts its evaluations.
        misses: what it need not find where it is: ``nan`` (as a value), the value of a ``function`` such as sin, or
            values of a sort: ``int``, ``real``, ``bits``, ``bool``, ``string``.
        parts: the solvers that it is made of.
    """

    name: str
    seeded: bool = False
    proves: bool = False
    keeps_time: bool = True
    native: bool = False
    misses: frozenset[str] = frozenset()
    parts: tuple[Solver, ...] = ()
    _written: str

    def __new__(cls, *args: Any, **options: Any) -> Self:
        made = super().__new__(cls)
        given = [*map(repr, args), *(f"{name}={value!r}" for name, value in options.items())]
        made._written = f"{cls.__name__}({', '.join(given)})"
        return made

    def __repr__(self) -> str:
        return self._written

    def ready(self) -> None:
        """Load or compile what it needs, so that no budget pays for that."""
        for part in self.parts:
            part.ready()

    @abstractmethod
    def solve(self, query: Query, budget: Budget) -> Answer:
        """Answer within the budget: its seconds, and its evaluations where the solver counts such."""


class CompleteSolver(Solver, Prover):
    """A solver whose "no" is a proof."""

    proves = True


Search = Generator[Model, None, str]  # what may be a model, until one is; then why there is no more


class SearchSolver(Solver):
    """A solver that looks for a model.

    Args:
        seed: of its random choices.
    """

    seeded = True

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    @abstractmethod
    def search(self, query: Query, budget: Budget) -> Search:
        """Yield what may be a model of a query with variables, going on where it is none; return why it stopped."""

    @final
    def solve(self, query: Query, budget: Budget) -> Sat | Unknown:
        """Search; what it yields is evaluated on the query, here and nowhere else in the search."""
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
        """Search once, if that is native."""
        if self.native and self.name not in _READY:
            _READY.add(self.name)
            for _ in self.search(_SQUARE, Budget(9000, 60.0)):
                pass


_READY = set[str]()
_X = variable("x", FLOAT64)
_SQUARE = Query((make(Op.FP_EQ, make(Op.FP_MUL, RNE, _X, _X), constant(FLOAT64, 2.0)),))  # has no solution in floats
