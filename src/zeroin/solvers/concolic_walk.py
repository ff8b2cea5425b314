"""The concolic walk (Dinges & Agha, FSE 2014, section 3).

A linear solver finds a point in the polytope of the linear constraints; a tabu search walks on from there. No
constraint is simplified or replaced by a value of a run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain

import numpy as np

from ..config import Budget
from ..errors import OptionError
from ..minimize import Door, random_state
from ..objective.condition import Condition, value_of, word_of
from ..subject.base import Words
from ..term.core.evaluate import NoValue, evaluate
from ..term.core.nodes import Term
from ..term.core.sorts import INT, REAL
from ..term.core.traversal import variables
from ..term.llvm.compile import Unlowerable
from .base import Model, Query, Search, SearchSolver
from .linear import Linear, inner_point, linear_parts, restored, to_float
from .residuals import ZERO, alternatives
from .starts import starts_of
from .tabu import Memory, Problem, Settings, walk
from .work_clock import EVALUATION, Deadline, compiled, worked


@dataclass(frozen=True)
class Walk:
    """The parameters of a concolic walk (Dinges & Agha 2014, section 5), with the differences from the paper.

    The defaults differ from the paper; ``PAPER`` is the paper's algorithm.

    Attributes:
        steps: I, the number of steps for each constraint that is not linear.
        neighbors: R, the number of random neighbours, and of neighbours by bisection.
        samples: M of algorithm 4, the number of attempts to stay in the polytope.
        s: the standard deviation of a random step in algorithm 4, which has no value in the paper. None: each step
            draws it, a power of two from 2**-12 to 2**11, as the authors' solver does.
        tabu: T divided by the number of variables, where T is the number of steps that a variable stays tabu.
        least_tabu: the least T, as in the authors' solver.
        most_tabu: the largest T, as in the paper; None: no limit.
        bisection: whether zeros are estimated by linear interpolation.
        overshoot: for a violated inequality, how far a step may go beyond the estimated zero, as a multiple of the
            way there; 2.5 in the authors' solver.
        disjunctions: whether the zero of a violated disjunction is estimated from its nearest disjunct (section 5.3).
        cached: whether the errors of constraints without a changed variable are kept (section 5.3).
        starts: whether the first walks start at known models (section 5.3).
        again: whether further walks start at the same point, with other random numbers, until the budget is used up.
            The paper walks once.

    Raises:
        OptionError: a number is negative, not finite, or zero where it must be positive.
    """

    steps: int = 150
    neighbors: int = 10
    samples: int = 25
    s: float | None = None
    tabu: float = 0.5
    least_tabu: int = 3
    most_tabu: int | None = None
    bisection: bool = True
    overshoot: float = 2.5
    disjunctions: bool = True
    cached: bool = True
    starts: bool = True
    again: bool = True

    def __post_init__(self) -> None:
        if min(self.steps, self.neighbors, self.samples) < 1:
            raise OptionError("a concolic walk needs at least one step, one neighbour and one sample")
        if not (0.0 <= self.tabu < math.inf and self.least_tabu >= 0 and (self.most_tabu or 0) >= 0):
            raise OptionError("tabu times must be finite and not negative")
        if self.s is not None and not 0.0 < self.s < math.inf:
            raise OptionError(f"s, the deviation of a random step, must be above 0 and finite, not {self.s}")
        if not 0.0 <= self.overshoot < math.inf:
            raise OptionError(f"the overshoot must be finite and not negative, not {self.overshoot}")

    def tenure(self, variables: int) -> int:
        """Return T, the number of steps that a variable stays tabu, for a walk with this number of variables."""
        most = self.most_tabu if self.most_tabu is not None else math.inf
        return int(min(max(math.ceil(self.tabu * variables), self.least_tabu), most))


PAPER = Walk(least_tabu=0, most_tabu=3, overshoot=0.0, disjunctions=False, cached=False, starts=False, again=False)


class ConcolicWalk(SearchSolver):
    """Tabu search in the polytope of the linear constraints.

    Args:
        seed: the seed of the walks.
        options: the parameters; None: the defaults of :class:`Walk`.
    """

    name = "concolic-walk"
    native = True
    misses = frozenset(("nan", "string"))

    def __init__(self, seed: int = 0, options: Walk | None = None) -> None:
        super().__init__(seed)
        self.options = options or Walk()

    def search(self, query: Query, budget: Budget) -> Search:
        """Yield the models at which the search's objective is 0; see :class:`.base.SearchSolver`."""
        deadline = Deadline(budget)
        parts = query.conjuncts
        found = _start(parts, query.variables)
        if found is None:
            return "the linear part has no solution over the reals"
        linear, point = found
        try:
            condition, problem = prepare(query, parts, linear, self.options.disjunctions)
            size = compiled(query)
        except Unlowerable as error:
            return str(error)
        first = tuple(word_of(v.sort, point[v.data]) for v in query.variables)
        starts = [first, *(starts_of(query, condition)[:-1] if self.options.starts else [])]
        steps = self.options.steps * max(1, len(parts) - len(linear))
        door, left, turn = condition.door(), budget.evaluations, 0
        while left > 0 and not deadline.is_over:
            door.open(left)
            start = starts[turn] if turn < len(starts) else first
            self.walk_from(door, condition, problem, start, steps << min(turn // 8, 10), turn)
            result = door.result()
            worked(EVALUATION * size * result.evaluations)
            if result.value == 0.0:
                yield condition.model(result.words)  # may not hold exactly: reals are computed in doubles
            left, turn = left - max(result.evaluations, 1), turn + 1
            if turn >= len(starts) and not self.options.again:
                return f"{steps} steps did not find a solution"
        return "the time budget is used up" if left > 0 else "the evaluation budget is used up"

    def walk_from(
        self, door: Door, condition: Condition, problem: Problem, start: Words, steps: int, turn: int
    ) -> None:
        """Walk once from a start; the door keeps the solution that the walk finds, or else the start.

        Args:
            door: the open door that counts evaluations, also that of the start.
            condition: the compiled query.
            problem: the constraints as arrays.
            start: the ordered words of the starting point, in the order of the condition's variables.
            steps: the largest number of steps.
            turn: the number of this walk, which selects its random numbers.
        """
        n, p = len(start), len(condition.conjuncts)
        x = np.array(start, dtype=np.int64)
        door.evaluate(start)
        rng = random_state([self.seed, 2, turn])
        walk(door.native, condition.domain.native, x, rng, problem, memory_for(n, p), self.settings(steps, n))

    def settings(self, steps: int, variables: int) -> Settings:
        """Return the parameters of a walk for native code, for numbers of steps and variables.

        If ``s`` is None, the scale is 0, and each step draws its own.
        """
        o = self.options
        return Settings(
            steps, o.neighbors, o.tenure(variables), o.samples, float(o.s or 0.0), int(o.bisection), float(o.overshoot),
            int(o.cached),
        )  # fmt: skip


def memory_for(n: int, p: int) -> Memory:
    """Return new working memory for a walk with n variables and p conjuncts."""
    here, there, best = np.zeros((3, p))
    near, far, chosen = np.zeros((3, n), dtype=np.int64)
    return Memory(here, there, best, np.zeros(n), np.zeros(n, dtype=np.int64), near, far, chosen)


def _start(parts: Sequence[Term], variables: Sequence[Term]) -> tuple[list[Linear], Model] | None:
    """Return the linear constraints, and a point at which they hold, not only over the reals but also as they are.

    The linear solver may return a point slightly outside of the polytope. Points at which the equations hold over the
    rationals are tried, too. A constraint that holds at none of them counts as not linear, and so does one on bit
    vectors that no point satisfies without a wrap-around.

    Returns:
        None if the linear constraints have no solution over the reals.
    """
    linear = linear_parts(parts)
    point = inner_point(linear, variables)
    if point is None:
        linear = [part for part in linear if not any(v.sort.is_bits for v in part.coefficients)]
        point = inner_point(linear, variables)
    if point is None:
        return None
    best, kept = _model(variables, point), list[Linear]()
    for number, each in enumerate(chain([point], restored(linear, variables, point))):
        model = _model(variables, each)
        holding = [part for part in linear if _holds(parts[part.conjunct], model)]
        if number == 0 or len(holding) > len(kept):
            best, kept = model, holding
        if len(kept) == len(linear):
            break
    return kept, best


def _holds(part: Term, model: Model) -> bool:
    """Whether a conjunct holds; false where it has no value."""
    try:
        return evaluate(part, model) is True
    except NoValue:
        return False


def _model(variables: Sequence[Term], point: Sequence[float]) -> Model:
    """Return a point as a model, with values of the variables' sorts."""
    return {v.data: _typed(v, value) for v, value in zip(variables, point, strict=True)}


def _typed(of: Term, value: float) -> object:
    """Return a coordinate of a point as a value of the variable's sort."""
    if of.sort.is_bits:
        return int(value) % (1 << of.sort.width)
    if of.sort.is_float:
        return value_of(of.sort, word_of(of.sort, value))
    return int(value) if of.sort == INT else Fraction(value) if of.sort == REAL else bool(value)


def prepare(query: Query, parts: list[Term], linear: list[Linear],
            disjunctions: bool = True) -> tuple[Condition, Problem]:  # fmt: skip
    """Compile the query's condition, and describe its constraints as arrays for the walk.

    Args:
        query: the query.
        parts: its conjuncts.
        linear: the linear ones.
        disjunctions: whether to estimate zeros of disjunctions. If not, a disjunction counts as of unknown form.

    Raises:
        Unlowerable: the condition, or a difference of operands, can not be compiled.
    """
    ways = [found if disjunctions or len(found) == 1 else [] for found in map(alternatives, parts)]
    disjuncts = [disjunct for way in ways for disjunct in way]
    compared = [pair for disjunct in disjuncts for pair in disjunct]
    condition = Condition(parts, "korel", [difference for difference, _ in compared], query.variables)
    faces = np.zeros(len(parts), dtype=np.int64)
    faces[[face.conjunct for face in linear]] = 1
    place = {v: i for i, v in enumerate(query.variables)}
    uses = np.zeros((len(parts), len(place)), dtype=np.int64)
    for c, part in enumerate(parts):
        uses[c, [place[v] for v in variables([part])]] = 1
    equal = [face for face in linear if face.wanted == ZERO]
    equations = np.zeros((len(equal), len(place) + 1))
    for e, equation in enumerate(equal):
        for v, coefficient in equation.coefficients.items():
            equations[e, place[v]] = to_float(coefficient)
        equations[e, -1] = to_float(equation.constant)
    return condition, Problem(
        _integers(condition.parts), faces, uses, equations, _first_of_each(ways), _first_of_each(disjuncts),
        _integers(condition.value_addresses), _integers(wanted for _, wanted in compared),
    )  # fmt: skip


def _integers(numbers: Iterable[int]) -> object:
    return np.array([*numbers], dtype=np.int64)


def _first_of_each(lists: Iterable[Sequence[object]]) -> object:
    """Return the index of each list's first element in their concatenation, and the total length."""
    return _integers(accumulate(map(len, lists), initial=0))
