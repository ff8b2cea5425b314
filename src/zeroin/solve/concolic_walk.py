"""Concolic walk: a linear solver finds a point in the polytope of the linear constraints, a tabu search walks on from
there (Dinges & Agha, FSE 2014, section 3; rows CW1 to CW6). Nothing is simplified or replaced by run-time values.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ..config import Budget
from ..errors import OptionError
from ..minimize import random_state
from ..objective.condition import Condition, word_of
from ..subject.base import Words
from ..term.build import RNE
from ..term.nodes import Op, Term, constant, make, variable
from ..term.sorts import FLOAT64, INT
from ..term.to_llvm import Unlowerable
from ..term.walk import variables
from .base import Model, Query, SearchSolver, Stopped
from .linear import Linear, inner_point, linear_parts
from .residuals import ZERO, residuals
from .starts import starts_of
from .walk import Memory, Problem, Settings, walk

SAMPLES = 25  # M of algorithm 4


@dataclass(frozen=True)
class Walk:
    """The parameters (section 5; CW6), and which of the improvements of section 5.3 are on.

    Attributes:
        steps: I, for each constraint that is not linear.
        neighbors: R, random ones and as many by bisection.
        tabu: steps that a variable is tabu, for each variable; at least ``least_tabu``.
        bisection: whether zeros are estimated linearly.
        cached: errors of constraints without the changed variable are kept.
        starts: known models are walked from first.
        again: new walks, from random points of the polytope, until the budget is used up; the paper walks once.

    Raises:
        OptionError: a number that is not positive.
    """

    steps: int = 150
    neighbors: int = 10
    tabu: float = 0.5
    least_tabu: int = 3
    bisection: bool = True
    cached: bool = True
    starts: bool = True
    again: bool = True

    def __post_init__(self) -> None:
        if min(self.steps, self.neighbors) < 1 or self.tabu < 0 or self.least_tabu < 0:
            raise OptionError("a concolic walk needs at least one step and one neighbour, and tabu times >= 0")


PAPER = Walk(cached=False, starts=False, again=False)


class ConcolicWalk(SearchSolver):
    """Tabu search in the linear polytope.

    Args:
        seed: of the walk.
        options: by default the paper's parameters with the improvements; ``PAPER`` is without.
    """

    name = "concolic-walk"

    def __init__(self, seed: int = 0, options: Walk | None = None) -> None:
        super().__init__(seed)
        self.options = options or Walk()

    def search(self, query: Query, budget: Budget) -> Model | Stopped:
        """See the module."""
        warm_up()
        return self._search(query, budget)

    def _search(self, query: Query, budget: Budget) -> Model | Stopped:
        deadline = time.monotonic() + budget.seconds
        parts = query.conjuncts
        linear = linear_parts(parts)
        try:
            condition, problem = prepare(query, parts, linear)
        except Unlowerable as error:
            return Stopped(str(error))
        point = inner_point(linear, query.variables)
        if point is None:
            return Stopped("the linear part has no solution over the reals")
        first = tuple(word_of(v.sort, _typed(v, value)) for v, value in zip(query.variables, point, strict=True))
        starts = [first, *(starts_of(query, condition)[:-1] if self.options.starts else [])]
        steps = self.options.steps * max(1, len(parts) - len(linear))
        left, turn = budget.evaluations, 0
        while left > 0 and time.monotonic() < deadline:
            start = starts[turn] if turn < len(starts) else first
            words, spent = self._walk(condition, problem, start, left, steps << min(turn // 8, 10), turn)
            if words is not None:
                return condition.model(words)
            left, turn = left - max(spent, 1), turn + 1
            if turn >= len(starts) and not self.options.again:
                return Stopped(f"{steps} steps did not find a solution")
        return Stopped("the time budget is used up" if left > 0 else "the evaluation budget is used up")

    def _walk(self, condition: Condition, problem: Problem, start: Words, left: int, steps: int,
              turn: int) -> tuple[Words | None, int]:  # fmt: skip
        """One walk; the words of a solution, and the evaluations spent."""
        n, p = len(start), len(condition.conjuncts)
        options, x = self.options, np.array(start, dtype=np.int64)
        door = condition.door()
        door.open(left)
        door.evaluate(start)
        tabu = max(round(options.tabu * n), options.least_tabu)
        settings = Settings(steps, options.neighbors, tabu, SAMPLES, int(options.bisection), int(options.cached))
        here, there, best = np.zeros((3, p))
        near, far, chosen = np.zeros((3, n), dtype=np.int64)
        memory = Memory(here, there, best, np.zeros(n), np.zeros(n, dtype=np.int64), near, far, chosen)
        walk(door.native, condition.domain.native, x, random_state([self.seed, 2, turn]), problem, memory, settings)
        result = door.result()
        return (result.words if result.value == 0.0 else None), result.evaluations


@cache
def warm_up() -> None:
    """Load the native code of the walk (or, the first time on a machine, compile it), so that no budget pays for it."""
    x = variable("x", FLOAT64)
    square = make(Op.FP_EQ, make(Op.FP_MUL, RNE, x, x), constant(FLOAT64, 2.0))
    ConcolicWalk()._search(Query((square,)), Budget(300, 60.0))


def _typed(of: Term, value: float) -> Any:
    if of.sort == INT or of.sort.is_bits:
        return int(value)
    return value


def prepare(query: Query, parts: list[Term], linear: list[Linear]) -> tuple[Condition, Problem]:
    """Compile the condition, and lay out what the walk needs of it."""
    compared = residuals(parts)
    condition = Condition(parts, "korel", [r.difference for r in compared], query.variables)
    difference, inequality = np.zeros((2, len(parts)), dtype=np.int64)
    for residual, address in zip(compared, condition.value_addresses, strict=True):
        difference[residual.conjunct] = address
        inequality[residual.conjunct] = residual.wanted != ZERO
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
            equations[e, place[v]] = float(coefficient)
        equations[e, -1] = float(equation.constant)
    return condition, Problem(np.array(condition.parts, dtype=np.int64), difference, faces, inequality, uses, equations)
