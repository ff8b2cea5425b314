"""What holds of the variables of loops, whenever a run comes to the beginning of one (after Houdini, Flanagan & Leino).

Of all guesses (:mod:`zeroin.model.invariants`) those are dropped that a model refutes, until the rest holds on every
way into the loops, and on every way back if it holds before. By induction over a run, each time that it comes to the
beginning of a loop what is left holds there. A guess is of one variable alone, and each variable has a value for which
all its guesses hold: so they exclude no run that does not come to the loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..config import Budget
from ..model.invariants import Loop, Way, guesses
from ..model.reach import Reached
from ..term.core.build import FALSE, conjuncts, disjunction, negation
from ..term.core.evaluate import default, evaluate
from ..term.core.nodes import Op, Term, variable
from ..term.core.simplify import simplify
from ..term.core.traversal import rebuild, substitute, variables
from .base import Answer, Query, Sat, Solver, Unknown, Unsat
from .decorators import independent
from .work_clock import Deadline

_SHARE = 0.5  # of what is left, for one question
_TURNS = 50  # that are taken from one model
_MOST_BITS = 4096  # of a value; a variable that is squared in each turn soon has more
# In whose place anything is put: what is open, and what takes provers long.
_ROUGH = frozenset((Op.OPEN, Op.MATH, Op.CALL, Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_FMA, Op.FP_SQRT,
                    Op.FP_REM, Op.FP_ROUND, Op.FP_TO_SIGNED, Op.FP_TO_UNSIGNED, Op.FP_TO_BITS, Op.FP_TO_INT,
                    Op.INT_TO_FP, Op.EXACT_EQ, Op.EXACT_LT, Op.EXACT_LE, Op.QUOTIENT, Op.POWER))  # fmt: skip


@dataclass(frozen=True)
class Facts:
    """What holds of variables from loops.

    Attributes:
        terms: that hold.
        because: conjunctions that nothing satisfies: one for each way to the beginning of a loop, that all holds before
            it, where it is a way back or comes from another loop, and something does not hold after it.
    """

    terms: tuple[Term, ...] = ()
    because: tuple[tuple[Term, ...], ...] = ()


class Invariants:
    """Of the loops of a function; each is looked at once.

    Args:
        solver: whose proofs count.
    """

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._known: dict[Loop, Facts] = {}
        self._below: dict[Loop, tuple[Loop, ...]] = {}
        self._anything, self._memo = dict[Term, Term](), dict[Term, Term]()

    def of(self, reached: Reached, budget: Budget) -> Facts:
        """What holds of the variables that a condition has from loops.

        Args:
            reached: with the condition.
            budget: for loops that were not looked at yet.
        """
        home = {own: loop for loop in reached.loops for own in loop.variables}
        asked = dict.fromkeys(variables([reached.condition]))
        wanted = dict.fromkeys(home[own] for own in asked if own in home)
        if not all(loop in self._known for loop in wanted):
            deadline = Deadline(budget)
            for together in _closed(wanted, home):
                self._look_at(together, deadline)
        terms = tuple(fact for loop in wanted for fact in self._known[loop].terms if variables([fact])[0] in asked)
        used = dict.fromkeys(below for fact in terms for below in self._below[home[variables([fact])[0]]])
        return Facts(terms, tuple(why for loop in used for why in self._known[loop].because))

    def _look_at(self, loops: tuple[Loop, ...], deadline: Deadline) -> None:
        """Loops that depend on no others."""
        known = [fact for loop in loops if loop in self._known for fact in self._known[loop].terms]
        left = [loop for loop in loops if loop not in self._known]
        rough = [Loop(loop.variables, *(tuple(map(self._roughly, ways)) for ways in (loop.entries, loop.turns)))
                 for loop in left]  # fmt: skip
        kept = _Houdini(self._solver, rough, known, deadline).kept() if left else []
        self._known |= zip(left, kept, strict=True)
        self._below |= dict.fromkeys(left, loops)

    def _roughly(self, way: Way) -> Way:
        guard, *values = (rebuild(term, self._or_anything, self._memo) for term in (way.guard, *way.values))
        return Way(guard, tuple(values))

    def _or_anything(self, term: Term) -> Term:
        if term.op not in _ROUGH:
            return term
        return self._anything.setdefault(term, variable(f"?any {len(self._anything)}", term.sort))


def _closed(wanted: Iterable[Loop], home: Mapping[Term, Loop]) -> list[tuple[Loop, ...]]:
    """The loops with all that they depend on, each such set after those that are parts of it."""
    below: dict[Loop, list[Loop]] = {}
    waiting = list(wanted)
    while waiting:
        loop = waiting.pop()
        if loop not in below:
            below[loop] = list(dict.fromkeys(home[v] for v in variables(loop.terms) if v in home))
            waiting += below[loop]
    order = {loop: at for at, loop in enumerate(dict.fromkeys(home.values()))}
    sets = {tuple(sorted(_all_below(loop, below), key=order.__getitem__)) for loop in below}
    return sorted(sets, key=lambda loops: (len(loops), [order[loop] for loop in loops]))


def _all_below(loop: Loop, below: Mapping[Loop, Sequence[Loop]]) -> set[Loop]:
    found, waiting = {loop}, [loop]
    while waiting:
        fresh = [one for one in below[waiting.pop()] if one not in found]
        found.update(fresh)
        waiting += fresh
    return found


class _Guesses:
    """What is left of the guesses for a loop: of each kind, the strongest one and what may take its place."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self._place = {own: at for at, own in enumerate(loop.variables)}
        self._left = [(variables(kind[:1])[0], kind[::-1]) for kind in guesses(loop) if kind]

    @property
    def facts(self) -> list[Term]:
        return [kind[-1] for _, kind in self._left if kind]

    def violations(self, values: Sequence[Term]) -> list[Term]:
        """For each of the facts, what holds if it does not hold for these values of the variables."""
        return [simplify(negation(substitute(kind[-1], {own: values[self._place[own]]})))
                for own, kind in self._left if kind]  # fmt: skip

    def drop(self, numbers: set[int]) -> None:
        """Those of the facts with these numbers."""
        for number, kind in enumerate([kind for _, kind in self._left if kind]):
            if number in numbers:
                kind.pop()

    def drop_by(self, values: Sequence[int]) -> None:
        """Those that do not hold for these values of the variables."""
        for own, kind in self._left:
            value = {own.data: values[self._place[own]]}
            while kind and not evaluate(kind[-1], value):
                kind.pop()

    def drop_all(self) -> None:
        self._left = []


class _Houdini:
    """Finds out which guesses hold of loops that depend on no others than each other, and those of which facts are
    known."""

    def __init__(self, solver: Solver, loops: Sequence[Loop], known: Sequence[Term], deadline: Deadline) -> None:
        self._solver, self._known, self._deadline = solver, known, deadline
        self._guesses = [_Guesses(loop) for loop in loops]
        self._refuted = set[tuple[Term, ...]]()

    def kept(self) -> list[Facts]:
        """For each loop what holds; nothing that is not confirmed in time."""
        for mine in self._guesses:
            self._begin(mine)
        before = None
        while before != self._facts() and not self._deadline.is_over:
            before = self._facts()
            for mine in self._guesses:
                for way in (*mine.loop.turns, *mine.loop.entries):  # most guesses fall on the way back
                    self._hold(mine, way)
        if before != self._facts():
            return [Facts() for _ in self._guesses]
        return [Facts(tuple(mine.facts), tuple(self._because(mine))) for mine in self._guesses]

    def _because(self, mine: _Guesses) -> Iterator[tuple[Term, ...]]:
        for way in (*mine.loop.entries, *mine.loop.turns):
            wrong = disjunction(mine.violations(way.values))
            if wrong is not FALSE:
                yield tuple(self._related(way, wrong))

    def _facts(self) -> list[Term]:
        return [fact for mine in self._guesses for fact in mine.facts]

    def _begin(self, mine: _Guesses) -> None:
        """Keep what holds of some values that the variables may begin with; nothing if none are known."""
        for way in mine.loop.entries:
            answer = self._ask((way.guard, *self._known))
            if isinstance(answer, Sat):
                return mine.drop_by(_evaluated(way.values, answer.model))
        mine.drop_all()

    def _hold(self, mine: _Guesses, way: Way) -> None:
        """Drop the guesses that are violated after a way on which all hold before."""
        while mine.facts:
            wrong = mine.violations(way.values)
            answer = self._violated(way, disjunction(wrong))
            if answer is None:
                return
            if isinstance(answer, Sat):
                self._run_on(mine, way, answer.model)
            else:  # one by one they may be easier
                answers = [self._violated(way, one) for one in wrong]
                return mine.drop({at for at, one in enumerate(answers) if one is not None})

    def _run_on(self, mine: _Guesses, way: Way, model: Mapping[str, Any]) -> None:
        """Drop what does not hold after a way, nor after the same way again."""
        guard = [part for part in conjuncts([way.guard]) if all(v.data in model for v in variables([part]))]
        for _ in range(_TURNS):
            values = _evaluated(way.values, model)
            if any(abs(value) >> _MOST_BITS for value in values):
                return mine.drop_all()
            mine.drop_by(values)
            model = {**model, **{own.data: value for own, value in zip(mine.loop.variables, values, strict=True)}}
            if not mine.facts or way in mine.loop.entries or not all(evaluate(part, model) for part in guard):
                return

    def _violated(self, way: Way, wrong: Term) -> Answer | None:
        """An answer to whether a violation after a way may be; None if it can not."""
        asked = tuple(self._related(way, wrong))
        answer = None if asked in self._refuted else self._ask(asked)
        if isinstance(answer, Unsat) and not answer.proof.assumptions:
            self._refuted.add(asked)
            return None
        return answer

    def _related(self, way: Way, wrong: Term) -> list[Term]:
        """What has to do with a violation after a way."""
        parts = independent([wrong, *conjuncts([way.guard]), *self._known, *self._facts()])
        return next(group for group in parts if wrong in group)

    def _ask(self, constraints: Sequence[Term]) -> Answer:
        left = self._deadline.left
        if left is None:
            return Unknown("the time budget is used up")
        return self._solver.solve(Query(tuple(constraints)), left.part(_SHARE))


def _evaluated(values: Sequence[Term], model: Mapping[str, Any]) -> list[int]:
    """What they are for a model, which may lack variables."""
    full = {v.data: default(v.sort) for v in variables(values)} | dict(model)
    return [evaluate(value, full) for value in values]
