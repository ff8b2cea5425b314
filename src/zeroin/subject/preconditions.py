"""What the user says of a function's inputs (``--assume "0 < x <= 1e3"``): ranges of its words where they can say it,
and conditions that stand in front of the function where they can not.

A condition is Python's, over numbers of the inputs by their names: ``x``, ``p.x``, ``xs[0]``, ``len(xs)``; a list, or
an array, stands for each of its items. It says nothing of inputs that have no such number: of an item that is not
there, of None and of NULL.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..config import FINITE, Options
from ..errors import OptionError
from ..model.path import Aside, PathCondition
from ..term.core.build import conjunction
from ..term.core.evaluate import evaluate
from ..term.core.nodes import Term
from ..term.expression.typed import ExpressionError
from .base import Signature, Words
from .bounds import Bounds
from .input_names import InputNames, Leaf
from .precondition_syntax import Condition, bounds_of, condition_of, conjuncts, names_in, tree_of, used

if TYPE_CHECKING:
    from ..model.reach import Reached


@dataclass(frozen=True)
class Assumed:
    """What holds of all inputs of a subject, as its user says.

    Attributes:
        signature: of the subject, with the ranges that are assumed.
        conditions: beside the ranges.
        leaves: the numbers that these are about, by their words.
        ranges: what the ranges say that path conditions do not know by themselves.
        ignored: lines about what was assumed of others.
        start: an input that satisfies all of it; empty if none is known.
    """

    signature: Signature
    conditions: tuple[Condition, ...] = ()
    leaves: Mapping[int, Leaf] = field(default_factory=dict)
    ranges: tuple[Term, ...] = ()
    ignored: tuple[str, ...] = ()
    start: Words = ()

    @cached_property
    def given(self) -> tuple[tuple[Term, str], ...]:
        """What path conditions and proofs may take for granted, and in words what it is from."""
        why = ", ".join(self.signature.assumed)
        return (*((term, why) for term in self.ranges),
                *((one.model, one.text) for one in self.conditions if one.model is not None))  # fmt: skip

    @cached_property
    def _limits(self) -> list[tuple[int, int]]:
        return self.signature.ranges()

    def holds(self, words: Words) -> bool:
        """Whether words are an input that may be run."""
        if any(not low <= word <= high for word, (low, high) in zip(words, self._limits, strict=True)):
            return False
        values = {leaf.variable.data: leaf.value(words[at]) for at, leaf in self.leaves.items()}
        return all(evaluate(one.term, values) for one in self.conditions)

    def and_others(self, taken: Sequence[str]) -> tuple[str, ...]:
        """What is assumed, and what else a proof takes for granted, each in words."""
        said = {*self.signature.assumed, *(why for _, why in self.given)}
        return (*self.signature.assumed, *(one for one in taken if one not in said))

    def along(self, path: PathCondition) -> PathCondition:
        """A path condition, and before it what is assumed."""
        return replace(path, asides=(*(Aside(term, 0, why) for term, why in self.given), *path.asides))

    def reached(self, reached: Reached) -> Reached:
        """What every input satisfies that takes a branch, and is one that is assumed."""
        return replace(reached, condition=conjunction([*(term for term, _ in self.given), reached.condition]))


def parsed(given: Iterable[str]) -> list[str]:
    """The conditions of some ``--assume``, one by one, such as those of ``0 < x, x == x``.

    Raises:
        OptionError: one is no expression of Python.
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
    try:
        return tree_of(source)
    except ExpressionError as error:
        raise OptionError(f'--assume "{text}": {error}; write conditions of Python, such as "0 < x <= 1e3"') from None


def assumed_of(names: InputNames, options: Options, function: str) -> Assumed | None:
    """What is assumed of a function's inputs; None if nothing is.

    Args:
        names: of its numbers; their ranges are made smaller.
        options: ``assume``, ``finite``, and what of that is ``shared`` with other targets: if it is of numbers that the
            function does not have, it is ignored, and told.
        function: its name.

    Raises:
        OptionError: a condition names no number of the inputs, or is none; or the ranges leave no value.
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
            raise OptionError(f'--assume "{one}": {function} has no number called {strange[0]}; there is {there}')
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
    return Assumed(signature, conditions, used(conditions, leaves), tuple(names.given()), tuple(ignored))


def _condition(text: str, part: ast.expr, leaves: Sequence[Leaf]) -> Condition:
    try:
        return condition_of(text, part, leaves)
    except ExpressionError as error:
        raise OptionError(f'--assume "{text}": {error}') from None


def _shown(names: Iterable[str]) -> list[str]:
    """Some of the names, those of single items left out."""
    return sorted(name for name in names if not re.search(r"\[\d+\]", name))[:8]
