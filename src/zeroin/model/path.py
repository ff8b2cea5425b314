"""Path conditions: the conditions on an input under which its run takes a path (Xie et al. 2009, section 2; Dinges &
Agha 2014, section 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ..term.core.build import negation
from ..term.core.evaluate import evaluate
from ..term.core.nodes import Flat, Term, flattened


@dataclass(frozen=True)
class Step:
    """A decision of a path at a site, with the site's condition as a term over the inputs.

    Attributes:
        site: the site's number.
        holds: whether the condition held in the run.
        condition: the condition, a Bool.
        left: the left operand that the probe saw, a float or a bit vector.
        right: the right operand that the probe saw, a float or a bit vector.
        stack: the places of the calls around the decision, the outermost first; equal numbers mean equal places.
    """

    site: int
    holds: bool
    condition: Term
    left: Term
    right: Term
    stack: tuple[int, ...] = ()

    @property
    def constraint(self) -> Term:
        """The condition, or its negation, that holds for inputs that decide here as the run did."""
        return self.condition if self.holds else negation(self.condition)


@dataclass(frozen=True)
class SideConstraint:
    """A constraint of a path that is no decision at a site.

    It is an index that is in bounds, a condition without a probe, or a concretisation: a value that was taken from the
    run, because no term expresses it.

    Attributes:
        constraint: the constraint, a Bool.
        before: the number of the path's steps before it.
        why: a description for people.
        pins: whether it is a concretisation. Then the path condition excludes other inputs that take the path.
        place: for a condition without a probe, a number that identifies its place in the code; otherwise -1.
        stack: for a condition without a probe, the calls around it, see :class:`Step`.
        holds: for a condition without a probe, whether it held in the run.
    """

    constraint: Term
    before: int
    why: str
    pins: bool = False
    place: int = -1
    stack: tuple[int, ...] = ()
    holds: bool = True


@dataclass(frozen=True)
class Choice:
    """A decision of the run, at a site or at a condition without a probe.

    Attributes:
        site: the site's number; for a condition without a probe, ``~place``, a negative number.
        holds: whether the condition held in the run.
        constraint: the constraint on inputs that decide in the same way.
        stack: the calls around it, see :class:`Step`.
        before: the number of constraints of the path condition before it.
    """

    site: int
    holds: bool
    constraint: Term
    stack: tuple[int, ...]
    before: int


@dataclass(frozen=True)
class Truth:
    """A comparison that the run evaluated, with the values of its operands.

    Attributes:
        key: the number of a site; or, for another expression with a truth value, its function, block and instruction.
        holds: the truth value.
        op: the comparison as a set of relations, see :mod:`zeroin.distance`.
        left: the left operand.
        right: the right operand.
    """

    key: int | tuple[str, int, int]
    holds: bool
    op: int
    left: float
    right: float


@dataclass(frozen=True)
class PathCondition:
    """The path condition of a run: a conjunction over the inputs.

    Every input that satisfies it takes the path, as far as the path was followed. Without concretisations, every input
    that takes the path also satisfies it.

    Attributes:
        steps: the decisions at sites, in order.
        asides: the other constraints, in order.
        inputs: the input variables by name, with their values in the run.
        ended: the reason why the path was not followed to its end; empty if it was.
        truths: the evaluated expressions with a truth value that are not at a site.
    """

    steps: tuple[Step, ...]
    asides: tuple[SideConstraint, ...]
    inputs: Mapping[str, object]
    ended: str = ""
    truths: tuple[Truth, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether every input that takes the path satisfies the condition."""
        return not any(aside.pins for aside in self.asides)

    def __reduce__(self) -> tuple[Callable[..., PathCondition], tuple[object, ...]]:
        """Support pickling; parts that terms share are written once."""
        terms = [term for s in self.steps for term in (s.condition, s.left, s.right)] + [
            aside.constraint for aside in self.asides]  # fmt: skip
        steps = [(s.site, s.holds, s.stack) for s in self.steps]
        asides = [(a.before, a.why, a.pins, a.place, a.stack, a.holds) for a in self.asides]
        return _restored, (flattened(terms), steps, asides, self.inputs, self.ended, self.truths)

    def constraints(self) -> list[Term]:
        """Return all constraints in the order of the run, as a new list."""
        return [one.constraint for one in self._entries]

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The decisions of the run, at sites and at conditions without a probe, in order."""
        found = []
        for before, one in enumerate(self._entries):
            if isinstance(one, Step):
                found.append(Choice(one.site, one.holds, one.constraint, one.stack, before))
            elif one.place >= 0:
                found.append(Choice(~one.place, one.holds, one.constraint, one.stack, before))
        return tuple(found)

    def otherwise(self, choice: Choice) -> list[Term]:
        """Return the constraints on an input that takes the path up to a choice and decides that one differently."""
        return [*(one.constraint for one in self._entries[: choice.before]), negation(choice.constraint)]

    def is_exact_before(self, choice: Choice) -> bool:
        """Whether every input that takes the path up to a choice satisfies all constraints before the choice."""
        return not any(isinstance(one, SideConstraint) and one.pins for one in self._entries[: choice.before])

    @cached_property
    def _entries(self) -> list[Step | SideConstraint]:
        """The steps and asides in the order of the run."""
        placed = list[Step | SideConstraint]()
        done = 0
        for aside in self.asides:
            placed += self.steps[done : aside.before]
            placed.append(aside)
            done = aside.before
        return [*placed, *self.steps[done:]]

    def holds(self, inputs: Mapping[str, object]) -> bool:
        """Whether an input satisfies the path condition. Evaluation ends at the first constraint that does not hold.

        Args:
            inputs: the values of the input variables, by name.

        Raises:
            zeroin.term.core.evaluate.NoValue: a constraint has no value, for example because a variable has none.
        """
        memo: dict[Term, object] = {}
        return all(evaluate(term, inputs, memo) for term in self.constraints())


_Aside = tuple[int, str, bool, int, tuple[int, ...], bool]  # the fields of a side constraint, without its term


def _restored(flat: Flat, steps: list[tuple[int, bool, tuple[int, ...]]], asides: list[_Aside],
              inputs: Mapping[str, object], ended: str, truths: tuple[Truth, ...]) -> PathCondition:  # fmt: skip
    terms = iter(flat.terms())
    decided = tuple(Step(site, holds, next(terms), next(terms), next(terms), stack) for site, holds, stack in steps)
    beside = tuple(SideConstraint(next(terms), *rest) for rest in asides)
    return PathCondition(decided, beside, inputs, ended, truths)
