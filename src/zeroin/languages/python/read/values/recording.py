"""What is written down while values that carry terms ride along a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .....model.memory import Unreadable
from .....model.path import PathCondition, SideConstraint, Step
from .....subject.base import Decision
from .....term.core.build import TRUE, equal, negation
from .....term.core.evaluate import NoValue, evaluate
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.simplify import simplify
from .....term.core.sorts import INT

MOST_TURNS = 200_000  # of loops, and calls, of a run that is followed
DEEPEST = 300  # calls inside of calls


class Left(Unreadable):
    """The run that was followed went another way than the one it repeats."""


class Stop(BaseException):
    """The run is not followed any further."""


class Recording:
    """One run that is followed: its decisions as terms, and what else holds along its way.

    Args:
        inputs: what the variables are.
        ranges: for variables that not every value of their sort is one of, what holds of them.
        decisions: of the run that this one repeats, as the probes wrote them down.
        truncated: whether there were more of them.

    Attributes:
        live: whether anything is still written down; values that carry terms are plain ones otherwise.
        stack: the calls that the run is in, by place.
        place: where in the code the run is, nearly: of the call that was made last.
        left: why it went another way.
    """

    def __init__(self, inputs: Mapping[str, object], ranges: Mapping[str, Term], decisions: Sequence[Decision],
                 truncated: bool) -> None:  # fmt: skip
        self.inputs, self._ranges = inputs, dict(ranges)
        self._decisions, self._truncated = decisions, truncated
        self.stack: tuple[int, ...] = ()
        self.live, self.place, self.left = True, 0, ""
        self._ended, self._turns = "", 0
        self._steps: list[Step] = []
        self._asides: list[SideConstraint] = []
        self._known: dict[Term, object] = {}
        self._smaller: dict[Term, Term] = {}
        self._seen: set[Term] = set()
        self._patterns: list[tuple[Term, bool]] | None = None  # comparisons made to match a pattern

    def path(self) -> PathCondition:
        """What was written down.

        Raises:
            Left: this run went another way than the one that it repeats.
        """
        if not self.left and not self._ended and len(self._steps) < len(self._decisions):
            self.left = f"it took {len(self._decisions)} decisions, and {len(self._steps)} when it was run again"
        if self.left:
            raise Left(f"the same input does not take the same path again: {self.left}")
        return PathCondition(tuple(self._steps), tuple(self._asides), self.inputs, self._ended)

    # ---- what holds ----

    def value(self, term: Term) -> Any:
        """What a term is in this run."""
        try:
            return evaluate(term, self.inputs, self._known)
        except NoValue as error:
            raise self.stop(str(error)) from None

    def decide(self, site: int, condition: Term, holds: bool, left: Term = TRUE, right: Term = TRUE) -> None:
        """A decision at a site.

        Args:
            condition: of the site.
            holds: how it was decided.
            left, right: what was compared.
        """
        if not self.live:
            return
        self.settle_patterns()
        number = len(self._steps)
        if number >= len(self._decisions):
            raise self.stop(f"only its first {number:,} decisions were recorded" if self._truncated
                            else "the run ended here")  # fmt: skip
        decision = self._decisions[number]
        if (decision.site, decision.holds) != (site, holds):
            self.left = f"decision {number} was at site {decision.site}, {decision.holds}, and then at {site}, {holds}"
            raise self.stop(self.left)
        self._steps.append(Step(site, holds, self._checked(condition, holds), left, right, self.stack))

    def choose(self, condition: Term, holds: bool, why: str, place: int) -> None:
        """Something that the run decides without a site.

        Args:
            condition: if it is a constant, nothing is written down.
            holds: what it is in this run.
            place: where in the code.
        """
        if self.live and not condition.is_constant:
            self.settle_patterns()
            found = self._checked(condition, holds)
            constraint = found if holds else negation(found)
            self._asides.append(SideConstraint(constraint, len(self._steps), why, False, place, self.stack, holds))

    def holds(self, condition: Term, why: str, place: int) -> bool:
        """A condition that this run decides by its inputs alone; see :meth:`choose`."""
        found = bool(self.value(condition))
        self.choose(condition, found, why, place)
        return found

    def fails(self, condition: Term, why: str, place: int) -> bool:
        """Whether an exception is raised; of several causes, which is a choice, too."""
        if not self.holds(condition, why, place):
            return False
        for cause in condition.args if condition.op is Op.OR else ():
            if self.holds(cause, why, place):
                break
        return True

    def counted(self, term: Term, why: str, place: int) -> int:
        """A number from 0 that has to be known, found by choices that every run makes in the same order: is it above 0,
        is it above 1, and so on."""
        value = int(self.value(term))
        for number in range(value + 1):
            self.choose(make(Op.LT, constant(INT, number), term), number < value, why, place)
        return value

    def narrowed(self, term: Term, why: str, place: int) -> int:
        """A number that has to be known, found likewise: its sign, its size to a power of two, and then by halves."""
        value = int(self.value(term))
        zero, size = constant(INT, 0), term
        self.choose(make(Op.LT, term, zero), value < 0, why, place)
        if value < 0:
            size = make(Op.SUB, make(Op.NEG, term), constant(INT, 1))
        found, low, high = (-value - 1 if value < 0 else value), 0, 1
        while True:
            self.choose(make(Op.LT, size, constant(INT, high)), found < high, why, place)
            if found < high:
                break
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            self.choose(make(Op.LT, size, constant(INT, middle)), found < middle, why, place)
            low, high = (low, middle) if found < middle else (middle, high)
        return value

    def pin(self, term: Term, why: str) -> object:
        """A value that has to be known: what it is in this run."""
        value = self.value(term)
        if self.live and not term.is_constant:
            self.settle_patterns()
            self._note(equal(term, constant(term.sort, value)), why, pins=True)
        return value

    def _note(self, constraint: Term, why: str, pins: bool = False) -> None:
        self._bound(constraint)
        self._asides.append(SideConstraint(constraint, len(self._steps), why, pins))

    def _checked(self, condition: Term, holds: bool) -> Term:
        """The condition, which has to be what the run decided."""
        found = simplify(condition, self._smaller)
        if bool(self.value(found)) is not holds:
            raise self.stop(f"zeroin's model of it differs from the run, which is a bug of zeroin: {found!r}")
        self._bound(found)
        return found

    def _bound(self, term: Term) -> None:
        """Note what holds of the variables that appear for the first time."""
        waiting = [term]
        while waiting:
            part = waiting.pop()
            if part in self._seen:
                continue
            self._seen.add(part)
            waiting += part.args
            if part.op is Op.VARIABLE and part.data in self._ranges:
                self._asides.append(
                    SideConstraint(self._ranges.pop(part.data), len(self._steps), f"what {part.data} may be")
                )

    # ---- patterns ----

    def begin_pattern(self) -> None:
        """Comparisons without a site belong to a pattern from now on."""
        self._patterns = []

    def note_pattern(self, condition: Term, holds: bool) -> bool:
        """A comparison without a site; False if it belongs to no pattern."""
        if self._patterns is None:
            return False
        self._patterns.append((condition, holds))
        return True

    def end_pattern(self) -> list[tuple[Term, bool]]:
        """The comparisons of the pattern, and whether they held."""
        found, self._patterns = self._patterns or [], None
        return found

    def settle_patterns(self) -> None:
        """Comparisons that turn out to belong to no pattern are choices."""
        found, self._patterns = self._patterns or [], None
        for condition, holds in found:
            self.choose(condition, holds, "a comparison without a probe", self.place)

    # ---- the run ----

    def stop(self, why: str) -> Stop:
        """Follow it no further; to be raised."""
        if self.live:
            self._ended, self.live = why, False
        return Stop(why)

    def over(self) -> None:
        """The run has ended."""
        if self.live:
            self.settle_patterns()
        self.live = False

    def burn(self) -> None:
        """One turn of a loop, or one call."""
        self._turns += 1
        if self.live and self._turns > MOST_TURNS:
            raise self.stop(f"it takes more than {MOST_TURNS:,} turns of loops and calls")

    def inside(self, place: int, function: Callable[..., object], arguments: Sequence[object],
               named: Mapping[str, object]) -> object:  # fmt: skip
        """A call of a function that is followed, too."""
        before = self.stack
        if len(before) >= DEEPEST and self.live:
            raise self.stop(f"calls are nested more than {DEEPEST} deep")
        self.stack = *before, place
        try:
            return function(*arguments, **named)
        finally:
            self.stack = before
