"""Loop invariants by the Houdini algorithm (Flanagan & Leino): facts about variables whenever a loop's turn begins.

:mod:`zeroin.model.invariants` guesses candidates. This module drops each guess that a model refutes, until the rest is
inductive. The remaining guesses then hold after every way into the loops. They also hold after every way back to a
loop's beginning, if they hold before it. So they hold at the beginning of every turn of every run.

Each guess is about one variable, and each variable has a value that satisfies all its guesses. Therefore the facts
exclude no run that never reaches the loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..config import Budget
from ..model.invariants import Loop, Way, guesses
from ..model.reach import ReachCondition
from ..term.core.build import FALSE, conjuncts, disjunction, equal, negation
from ..term.core.evaluate import default, evaluate
from ..term.core.nodes import Op, Term, constant, variable
from ..term.core.simplify import simplify
from ..term.core.traversal import rebuild, substitute, variables
from .base import Answer, Query, Sat, Solver, Unknown, Unsat
from .decorators import independent
from .work_clock import Deadline

_SHARE = 0.5  # the share of the remaining budget for one query
_TURNS = 50  # the most turns that are simulated from one model
_MOST_VALUES = 32  # the most values of a variable that are collected
_MOST_BITS = 4096  # the largest value in bits; a variable that is squared in each turn soon exceeds it
# Terms that are replaced by unconstrained variables: open values, and operations that are slow to prove facts about.
_ROUGH = frozenset((Op.OPEN, Op.MATH, Op.CALL, Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_FMA, Op.FP_SQRT,
                    Op.FP_REM, Op.FP_ROUND, Op.FP_TO_SIGNED, Op.FP_TO_UNSIGNED, Op.FP_TO_BITS, Op.FP_TO_INT,
                    Op.INT_TO_FP, Op.EXACT_EQ, Op.EXACT_LT, Op.EXACT_LE, Op.QUOTIENT, Op.POWER))  # fmt: skip


@dataclass(frozen=True)
class Facts:
    """Proved facts about the variables of loops.

    Attributes:
        terms: the facts, each about one variable; empty if nothing is known.
        because: the steps of the induction, as conjunctions that have no model. Each belongs to one way to the
            beginning of a loop. It says that the facts about the way's variables hold before the way, and that a fact
            about the loop is violated after it.
    """

    terms: tuple[Term, ...] = ()
    because: tuple[tuple[Term, ...], ...] = ()


class Invariants:
    """The invariants of a function's loops. Each loop is analysed once, and the results are kept.

    Args:
        solver: the solver that proves them.
    """

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._known: dict[Loop, Facts] = {}
        self._below: dict[Loop, tuple[Loop, ...]] = {}
        self._anything, self._memo = dict[Term, Term](), dict[Term, Term]()

    def of(self, reached: ReachCondition, budget: Budget) -> Facts:
        """Return the facts about those variables of a condition that come from loops.

        If the budget is used up before a loop's analysis ends, the loop has no facts, and is not analysed again.

        Args:
            reached: the condition and its loops.
            budget: the budget for the loops that have not been analysed yet.
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
        """Analyse those loops of a set that are not known yet, and keep the results.

        The loops of the set depend on no loops outside it.
        """
        known = [fact for loop in loops if loop in self._known for fact in self._known[loop].terms]
        left = [loop for loop in loops if loop not in self._known]
        rough = [replace(loop, entries=tuple(map(self._roughly, loop.entries)),
                         turns=tuple(map(self._roughly, loop.turns))) for loop in left]  # fmt: skip
        kept = _Houdini(self._solver, rough, known, deadline).kept() if left else []
        self._known |= zip(left, kept, strict=True)
        self._below |= dict.fromkeys(left, loops)

    def _roughly(self, way: Way) -> Way:
        """Return a way with unconstrained variables in place of the terms in ``_ROUGH``."""
        guard, *values = (rebuild(term, self._or_anything, self._memo) for term in (way.guard, *way.values))
        return Way(guard, tuple(values))

    def _or_anything(self, term: Term) -> Term:
        """Return the term; for a term in ``_ROUGH``, an unconstrained variable, the same one each time."""
        if term.op not in _ROUGH:
            return term
        return self._anything.setdefault(term, variable(f"?any {len(self._anything)}", term.sort))


def _closed(wanted: Iterable[Loop], home: Mapping[Term, Loop]) -> list[tuple[Loop, ...]]:
    """Return, for each loop, the set of loops that it depends on, with itself; subsets come first."""
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
    """Return a loop and all loops that it depends on, directly or not."""
    found, waiting = {loop}, [loop]
    while waiting:
        fresh = [one for one in below[waiting.pop()] if one not in found]
        found.update(fresh)
        waiting += fresh
    return found


class _Values:
    """The guess that a variable has one of a few values; it becomes weaker as further values are found."""

    def __init__(self, own: Term) -> None:
        self.own, self._found = own, set[int]()

    def __bool__(self) -> bool:
        return 0 < len(self._found) <= _MOST_VALUES

    def __getitem__(self, at: int) -> Term:
        """Return the guess; a list of guesses has its strongest one at the end, and this is the only one."""
        return disjunction(equal(self.own, constant(self.own.sort, value)) for value in sorted(self._found))

    def add(self, value: int) -> None:
        """Weaken the guess: the variable may have this value, too."""
        self._found.add(value)

    def pop(self) -> None:
        """Drop the guess."""
        self._found.clear()


class _Guesses:
    """The remaining guesses for a loop: of each kind, the strongest guess last, behind the weaker ones."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self._place = {own: at for at, own in enumerate(loop.variables)}
        self._left: list[tuple[Term, list[Term] | _Values]] = [
            (variables(kind[:1])[0], kind[::-1]) for kind in guesses(loop) if kind
        ]
        self._few = [_Values(own) for own in loop.variables if loop.has_few_values]

    def begin(self, values: Sequence[int]) -> None:
        """Begin with a possible initial state, given by the values of the loop's variables."""
        for few in self._few:
            few.add(values[self._place[few.own]])
        self._left += [(few.own, few) for few in self._few]
        self.drop_by(values)

    @property
    def facts(self) -> list[Term]:
        """The strongest remaining guess of each kind."""
        return [kind[-1] for _, kind in self._left if kind]

    def violations(self, values: Sequence[Term]) -> list[Term]:
        """Return the negation of each fact, for these values of the loop's variables."""
        return [simplify(negation(substitute(kind[-1], {own: values[self._place[own]]})))
                for own, kind in self._left if kind]  # fmt: skip

    def drop(self, numbers: set[int]) -> None:
        """Drop those of ``facts`` with these indices; the next weaker guesses replace them."""
        for number, kind in enumerate([kind for _, kind in self._left if kind]):
            if number in numbers:
                kind.pop()

    def drop_by(self, values: Sequence[int]) -> None:
        """Drop the guesses that do not hold for these values of the loop's variables."""
        for own, kind in self._left:
            value = {own.data: values[self._place[own]]}
            if isinstance(kind, _Values):
                kind.add(values[self._place[own]])
                continue
            while kind and not evaluate(kind[-1], value):
                kind.pop()

    def drop_all(self) -> None:
        self._left = []


class _Houdini:
    """Determine which guesses hold, for loops that depend only on each other and on loops with known facts."""

    def __init__(self, solver: Solver, loops: Sequence[Loop], known: Sequence[Term], deadline: Deadline) -> None:
        self._solver, self._known, self._deadline = solver, known, deadline
        self._guesses = [_Guesses(loop) for loop in loops]
        self._refuted = set[tuple[Term, ...]]()

    def kept(self) -> list[Facts]:
        """Return the facts of each loop; no facts if the deadline is over before all guesses are settled."""
        for mine in self._guesses:
            self._begin(mine)
        before = None
        while before != self._facts() and not self._deadline.is_over:
            before = self._facts()
            for mine in self._guesses:
                for way in (*mine.loop.turns, *mine.loop.entries):  # ways back refute most guesses
                    self._hold(mine, way)
        if before != self._facts():
            return [Facts() for _ in self._guesses]
        return [Facts(tuple(mine.facts), tuple(self._because(mine))) for mine in self._guesses]

    def _because(self, mine: _Guesses) -> Iterator[tuple[Term, ...]]:
        """Yield the steps of the induction for a loop's facts, see :class:`Facts`."""
        for way in (*mine.loop.entries, *mine.loop.turns):
            wrong = disjunction(mine.violations(way.values))
            if wrong is not FALSE:
                yield tuple(self._related(way, wrong))

    def _facts(self) -> list[Term]:
        return [fact for mine in self._guesses for fact in mine.facts]

    def _begin(self, mine: _Guesses) -> None:
        """Keep the guesses that hold for one possible initial state; drop all guesses if no state is known."""
        for way in mine.loop.entries:
            answer = self._ask((way.guard, *self._known))
            if isinstance(answer, Sat):
                return mine.begin(_evaluated(way.values, answer.model))
        mine.drop_all()

    def _hold(self, mine: _Guesses, way: Way) -> None:
        """Drop guesses until the remaining ones hold after a way if all hold before it."""
        while mine.facts:
            wrong = mine.violations(way.values)
            answer = self._violated(way, disjunction(wrong))
            if answer is None:
                return
            if isinstance(answer, Sat):
                self._run_on(mine, way, answer.model)
            else:  # the solver does not know: single violations may be easier
                answers = [self._violated(way, one) for one in wrong]
                return mine.drop({at for at, one in enumerate(answers) if one is not None})

    def _run_on(self, mine: _Guesses, way: Way, model: Mapping[str, object]) -> None:
        """Drop the guesses that are violated when a run goes this way, starting from a model, several times."""
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
        """Return the solver's answer to whether a violation after a way is possible; None if it is impossible."""
        asked = tuple(self._related(way, wrong))
        answer = None if asked in self._refuted else self._ask(asked)
        if isinstance(answer, Unsat) and not answer.proof.assumptions:
            self._refuted.add(asked)
            return None
        return answer

    def _related(self, way: Way, wrong: Term) -> list[Term]:
        """Return the violation with the constraints of a way and the facts that share variables with it."""
        parts = independent([wrong, *conjuncts([way.guard]), *self._known, *self._facts()])
        return next(group for group in parts if wrong in group)

    def _ask(self, constraints: Sequence[Term]) -> Answer:
        """Return the solver's answer within a share of the time left; ``Unknown`` if none is left."""
        left = self._deadline.left
        if left is None:
            return Unknown("the time budget is used up")
        return self._solver.solve(Query(tuple(constraints)), left.part(_SHARE))


def _evaluated(values: Sequence[Term], model: Mapping[str, object]) -> list[int]:
    """Return the values of integer terms under a model; missing variables have default values."""
    full = {v.data: default(v.sort) for v in variables(values)} | dict(model)
    return [evaluate(value, full) for value in values]
