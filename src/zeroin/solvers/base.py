"""What a solver is: ``solve(query, budget)`` answers :class:`Sat`, :class:`Unsat` or :class:`Unknown`.

There are two kinds. A :class:`CompleteSolver` can prove that nothing satisfies a query; only such a solver can make an
``Unsat``, which carries it. A :class:`SearchSolver` looks for a model and returns one or the reason why it stopped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..config import Budget
from ..term.build import conjuncts
from ..term.evaluate import NoValue, default, evaluate
from ..term.nodes import SortError, Term
from ..term.open_values import resting_on
from ..term.sorts import BOOL
from ..term.traversal import variables

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


@dataclass(frozen=True)
class Sat:
    """The query holds for this model.

    Attributes:
        model: values of the variables by name, see :mod:`zeroin.term.evaluate`.
        by: the solver that found it.
        open: what it may owe to values that are left open (:mod:`zeroin.term.open_values`), such as a division by zero:
            for others of these values the query need not hold.
    """

    model: Model
    by: str
    open: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unsat:
    """Nothing satisfies the query, whatever the values are that are left open.

    Attributes:
        by: the solver that proved it.
        confirmed_by: the names of others that were asked and proved it, too.
        unconfirmed: why no other did, where others were asked.

    Raises:
        TypeError: that solver is not complete.
    """

    by: CompleteSolver
    confirmed_by: tuple[str, ...] = ()
    unconfirmed: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.by, CompleteSolver):
            raise TypeError("only a complete solver proves that there is no solution")


@dataclass(frozen=True)
class Unknown:
    """No answer, and why.

    Attributes:
        reason: in words.
        claims_model: whether a solver says that there is a model, but the one that it has does not hold here.
    """

    reason: str
    claims_model: bool = False


@dataclass(frozen=True)
class Disagreement(Unknown):
    """One solver has a proof and another has a model: one of them is wrong."""


Answer = Sat | Unsat | Unknown


class Solver(Protocol):
    """Anything that answers queries."""

    name: str

    def solve(self, query: Query, budget: Budget) -> Answer:
        """Answer within the budget: its seconds, and its evaluations where the solver counts such."""
        ...


class CompleteSolver(ABC):
    """A solver whose "no" is a proof, bit-precise."""

    name: str = "complete"

    @abstractmethod
    def solve(self, query: Query, budget: Budget) -> Answer: ...


@dataclass(frozen=True)
class Stopped:
    """Why a search ended without a model."""

    reason: str


class SearchSolver(ABC):
    """A solver that looks for a model.

    Args:
        seed: of its random choices.
    """

    name: str = "search"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    @abstractmethod
    def search(self, query: Query, budget: Budget) -> Model | Stopped:
        """A model that satisfies the query, or why there is none to show."""

    def solve(self, query: Query, budget: Budget) -> Sat | Unknown:
        """Search; what is found is checked on the query itself."""
        found = self.search(query, budget)
        if isinstance(found, Stopped):
            return Unknown(f"{self.name}: {found.reason}")
        model = query.completed(found)
        if not query.holds(model):
            return Unknown(f"{self.name}: what it found does not hold exactly")
        return Sat(model, self.name)


def truth_of(query: Query) -> bool | None:
    """Whether a query without variables holds; None for others."""
    return None if query.variables else query.holds({})


def restricted(query: Query, constraints: Sequence[Term]) -> Query:
    """The query with other constraints, and the same starts."""
    return Query(tuple(constraints), query.starts)
