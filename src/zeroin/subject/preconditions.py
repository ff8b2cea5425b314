"""Preconditions on a function's inputs that the user states (``--assume "0 < x <= 1e3"``).

Simple conditions narrow the ranges of words. All others are checked before each run.

A condition is a Python expression over names of numbers in the inputs: ``x``, ``p.x``, ``xs[0]``, ``len(xs)``. The name
of a list or an array stands for each of its items. A condition does not restrict inputs without such a number: a
missing item, None or NULL.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..config import FINITE, InputOptions
from ..errors import OptionError
from ..model.path import PathCondition, SideConstraint
from ..term.core.build import conjunction
from ..term.core.evaluate import evaluate
from ..term.core.nodes import Term
from ..term.expression.typed import ExpressionError
from .base import Signature, Words
from .bounds import Bounds
from .input_names import InputNames, Leaf
from .precondition_syntax import Condition, bounds_of, condition_of, conjuncts, names_in, tree_of, used

if TYPE_CHECKING:
    from ..model.reach import ReachCondition


@dataclass(frozen=True)
class Preconditions:
    """The preconditions on all inputs of a subject.

    Attributes:
        signature: the subject's signature, with narrowed ranges.
        conditions: the conditions that ranges can not express.
        leaves: the numbers in these conditions, by the index of their word.
        ranges: the narrowed ranges as terms, where path conditions do not already contain them.
        ignored: messages about preconditions that name numbers which only other targets have.
        start: an input that satisfies all preconditions. Empty if none is known.
    """

    signature: Signature
    conditions: tuple[Condition, ...] = ()
    leaves: Mapping[int, Leaf] = field(default_factory=dict)
    ranges: tuple[Term, ...] = ()
    ignored: tuple[str, ...] = ()
    start: Words = ()

    @cached_property
    def given(self) -> tuple[tuple[Term, str], ...]:
        """The preconditions that path conditions and proofs rely on, as terms, each with its text.

        Conditions on numbers that path conditions do not contain are left out.
        """
        why = ", ".join(self.signature.assumed)
        return (*((term, why) for term in self.ranges),
                *((one.model, one.text) for one in self.conditions if one.model is not None))  # fmt: skip

    @cached_property
    def _limits(self) -> list[tuple[int, int]]:
        return self.signature.ranges()

    def holds(self, words: Words) -> bool:
        """Return whether an input satisfies the preconditions and lies in the ranges of all words."""
        if any(not low <= word <= high for word, (low, high) in zip(words, self._limits, strict=True)):
            return False
        values = {leaf.variable.data: leaf.value(words[at]) for at, leaf in self.leaves.items()}
        return all(evaluate(one.term, values) for one in self.conditions)

    def and_others(self, taken: Sequence[str]) -> tuple[str, ...]:
        """Return the preconditions and the other assumptions of a proof, as texts without duplicates."""
        said = {*self.signature.assumed, *(why for _, why in self.given)}
        return (*self.signature.assumed, *(one for one in taken if one not in said))

    def along(self, path: PathCondition) -> PathCondition:
        """Return a copy of a path condition that begins with the preconditions."""
        return replace(path, asides=(*(SideConstraint(term, 0, why) for term, why in self.given), *path.asides))

    def reached(self, reached: ReachCondition) -> ReachCondition:
        """Return a copy of a reach condition that includes the preconditions."""
        return replace(reached, condition=conjunction([*(term for term, _ in self.given), reached.condition]))


def parsed(given: Iterable[str]) -> list[str]:
    """Split the texts of ``--assume`` into conditions: ``0 < x, x == x`` has two. ``->`` becomes ``.``.

    Raises:
        OptionError: a text is not a Python expression, or is empty.
    """
    found = []
    for text in given:
        source = f"({text.replace('->', '.').strip()})"
        tree = _tree(source, text)
        parts = tree.elts if isinstance(tree, ast.Tuple) else [tree]
        if not parts:
            raise OptionError(f'--assume "{text}": write a condition, such as "0 < x <= 1e3"')
        found += [ast.get_source_segment(source, part) or source for part in parts]
    return found


def _tree(source: str, text: str) -> ast.expr:
    """Parse an expression.

    Args:
        source: the expression.
        text: the same as the user wrote it, for the message.

    Raises:
        OptionError: it is not a Python expression.
    """
    try:
        return tree_of(source)
    except ExpressionError as error:
        raise OptionError(f'--assume "{text}": {error}; write Python conditions, such as "0 < x <= 1e3"') from None


def preconditions_of(names: InputNames, options: InputOptions, function: str) -> Preconditions | None:
    """Return the preconditions on a function's inputs, without ``start``. None if the options state none.

    If all conditions are ignored, the result still has the messages.

    Args:
        names: the numbers in the inputs. Their ranges are narrowed.
        options: ``assume`` and ``finite``. Conditions in ``shared`` apply to several targets: they are ignored, with a
            message, if the function lacks their numbers.
        function: the function's name.

    Raises:
        OptionError: a condition names an unknown number or is invalid, or no value satisfies the ranges.
    """
    wanted, shared = parsed(options.assume), parsed(text for text in options.assume if text in options.shared)
    if not wanted and not options.finite:
        return None
    texts, ignored, further = list[str](), list[str](), list[tuple[str, ast.expr]]()
    bounded, together = set(names.bounded), dict[str, Bounds]()
    known = {*bounded, *(name for leaf in names.leaves() for name in (leaf.name, leaf.group))}
    for one in wanted:
        tree = _tree(f"({one})", one)
        strange = [name for name in names_in(tree, known) if name not in known]
        if strange and one in shared:
            ignored.append(f'--assume "{one}" is ignored: {function} has no number called {strange[0]}')
            continue
        if strange:
            there = ", ".join(_shown(known)) or "none"
            raise OptionError(f'--assume "{one}": {function} has no number called {strange[0]} (it has: {there})')
        texts.append(one)
        for part in conjuncts(tree):
            simple = bounds_of(part, known)
            if simple is None or simple[0] not in bounded:
                further.append((one, part))
                continue
            name, bounds = simple
            together[name] = together.get(name, Bounds()).within(bounds)
            try:
                names.bound(name, bounds)
            except ValueError:
                raise OptionError(f'--assume "{one}": no value of {name} is {together[name]}') from None
    if options.finite:
        texts.append(FINITE)
        try:
            names.keep_finite()
        except ValueError as error:
            raise OptionError(f"--finite: {error}") from None
    leaves = names.leaves()
    conditions = tuple(_condition(text, part, leaves) for text, part in further)
    signature = replace(names.signature, assumed=tuple(texts))
    return Preconditions(signature, conditions, used(conditions, leaves), tuple(names.given()), tuple(ignored))


def _condition(text: str, part: ast.expr, leaves: Sequence[Leaf]) -> Condition:
    """Do the same as :func:`.condition_of`, but raise :class:`OptionError` for an invalid condition."""
    try:
        return condition_of(text, part, leaves)
    except ExpressionError as error:
        raise OptionError(f'--assume "{text}": {error}') from None


def _shown(names: Iterable[str]) -> list[str]:
    """Return at most eight of the names, without those of single items."""
    return sorted(name for name in names if not re.search(r"\[\d+\]", name))[:8]
