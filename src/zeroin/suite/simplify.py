"""Simplification of the values of kept inputs, without losing a branch.

Inputs are ordered words: 64-bit integers in the order of the values that they encode (:mod:`zeroin.words`).
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from ..subject.base import Run, Signature, Words
from ..subject.values import Role, Value
from ..words import decode, encode
from .candidates import simpler_texts, simpler_words
from .plausible import cost_of, level, level_of

Again = Callable[[Words], Run]


class NoMore(Exception):
    """Raised instead of running the subject, when the allowance for simplification is used up."""


class Limited:
    """Runs the subject within an allowance: it raises :class:`NoMore` after so many runs, or so many seconds from now.

    Args:
        again: runs the subject.
        runs: the most runs.
        seconds: the most seconds.
    """

    def __init__(self, again: Again, runs: int, seconds: float) -> None:
        self._again, self._left, self._until = again, runs, time.monotonic() + seconds

    def __call__(self, words: Words) -> Run:
        self._left -= 1
        if self._left < 0 or time.monotonic() > self._until:
            raise NoMore
        return self._again(words)

    def part(self, count: int) -> Limited:
        """Return one that also stops after a part of what is left: one in ``count``."""
        return Limited(self, self._left // count, (self._until - time.monotonic()) / count)


_ROUNDS = 3  # through all values of an input
_SIMPLEST = 2  # candidates of each value to try for many values at once
_OF_SHAPE = (Role.CHOICE, Role.SIZE)  # these say which other values there are


def simplify(signature: Signature, runs: Sequence[Run], wanted: frozenset[int], again: Limited,
             polish: bool = True) -> list[Run]:  # fmt: skip
    """Simplify each run that returns, in turn, and return all runs in a new list of the same order.

    A run may lose branches that another run covers. Together the runs keep all wanted branches. Each run gets an equal
    part of the allowance that is left.

    Args:
        signature: the subject's signature; it gives the kinds and ranges of words.
        runs: the kept runs.
        wanted: numbers of the branches to preserve.
        again: runs the subject, within an allowance.
        polish: whether plausible values become simpler, too.
    """
    kept = list(runs)
    times = Counter(outcome for run in kept if run.returned for outcome in run.covered & wanted)
    for number, run in enumerate(kept):
        if run.returned:
            needed = frozenset(outcome for outcome in run.covered & wanted if times[outcome] == 1)
            will_do = partial(_returns_with, needed, run.end > 0)
            part = again.part(len(kept) - number)
            simpler = simplify_one(signature, run, part, will_do, polish=polish)
            times.subtract(run.covered & wanted)
            times.update(simpler.covered & wanted)
            kept[number] = simpler
    return kept


def _returns_with(needed: frozenset[int], may_raise: bool, run: Run) -> bool:
    return run.returned and (may_raise or not run.end) and needed <= run.covered


def simplify_one(signature: Signature, run: Run, again: Again, will_do: Callable[[Run], bool],
                 ordinary: bool = False, polish: bool = True) -> Run:  # fmt: skip
    """Return an acceptable run that does less and has simpler words; the given run itself if none is found.

    :class:`NoMore` ends the search and is not raised: the result is the simplest run so far. Its ``needed`` says which
    values stay implausible although plausible ones were tried.

    Args:
        signature: the subject's signature.
        run: the run to simplify.
        again: runs the subject, or raises :class:`NoMore`.
        will_do: whether another run can replace this one.
        ordinary: avoid 0, 1, -1 and equal values, as they hide differences between operators.
        polish: whether plausible values become simpler, too.
    """
    search = _Simplification(signature, run, again, will_do, ordinary, polish)
    with suppress(NoMore):
        search.run()
    needed = search.needed()
    return search.best if search.best.needed == needed else replace(search.best, needed=needed)


class _Simplification:
    """The simplification of one run, see :func:`simplify_one`.

    Attributes:
        best: the simplest acceptable run so far.
    """

    def __init__(self, signature: Signature, run: Run, again: Again, will_do: Callable[[Run], bool],
                 ordinary: bool, polish: bool) -> None:  # fmt: skip
        self.best = run
        self._signature, self._again, self._will_do, self._ordinary = signature, again, will_do, ordinary
        self._polish = polish
        self._limits = signature.ranges()
        self._tried = dict.fromkeys(run.needed)  # values in vain, by the index of the first word

    def run(self) -> None:
        """Simplify until nothing gets simpler.

        Raises:
            NoMore: the allowance is used up.
        """
        for _ in range(_ROUNDS):
            before = self.best
            while self._takes_any(self._signature.shorter(self.best.words)):
                pass
            if level_of(self._signature, self.best.words):
                self._each(lambda value: value.role in _OF_SHAPE)  # then there are fewer values
                self._all_at_once()
                for nth in range(_SIMPLEST):
                    self._in_parts(self._implausible(), nth)
                self._each(lambda value: level(value, self.best.words) > 0)
            if self._polish:
                self._each(lambda value: level(value, self.best.words) == 0)
            if self.best == before:
                return

    def needed(self) -> tuple[int, ...]:
        """Return the indices of the values that are not plausible although plausible ones were tried."""
        return tuple(value.start for value in self._values() if value.start in self._tried
                     and level(value, self.best.words))  # fmt: skip

    def _values(self) -> list[Value]:
        """Return the values of the best run that may change: not default values, nor the length of a text."""
        values = self._signature.values_in(self.best.words)
        fixed = self._signature.usual(self.best.words).union(one.size for one in values if one.size is not None)
        return [value for value in values if value.start not in fixed]

    def _takes(self, words: Words) -> bool:
        """Run an input. If it will do, it becomes the best one."""
        trial = self._again(words)
        if self._will_do(trial):
            self.best = trial
            return True
        return False

    def _takes_any(self, several: Iterable[Words]) -> bool:
        return any(self._takes(words) for words in several)

    def _implausible(self) -> list[Value]:
        return [value for value in self._values() if level(value, self.best.words)]

    def _each(self, is_meant: Callable[[Value], bool]) -> None:
        """Simplify some of the values, one after the other."""
        number = 0
        while number < len(values := self._values()):
            value = values[number]
            number += 1
            if is_meant(value):
                self._simplify(value)
                self._tried[value.start] = None

    def _in_parts(self, values: Sequence[Value], nth: int) -> None:
        """Replace several values at once by simple ones; if that will not do, first one half of them, then the other.

        Most values of most inputs do not matter. A single value is left alone here.

        Args:
            values: values of the best input.
            nth: which of its candidates each value gets.
        """
        if len(values) < 2:
            return
        words, changed = self.best.words, False
        for value in values:
            found = self._candidates(value, words)
            if len(found) > nth:
                words, changed = found[nth], True
        if changed and not self._takes(words):
            middle = len(values) // 2
            self._in_parts(values[:middle], nth)
            self._in_parts(values[middle:], nth)

    def _candidates(self, value: Value, words: Words) -> list[Words]:
        """Return inputs with simpler values in place of one value, the simplest first."""
        if value.role is Role.TEXT:
            return [value.with_text(words, text) for text in simpler_texts(value, value.text(words))]
        at = value.start
        others = {words[one.start] for one in self._values() if one != value and one.stop > one.start}
        found = simpler_words(value, words[at], self._limits[at], others if self._ordinary else None)
        return [(*words[:at], word, *words[at + 1 :]) for word in found]

    def _simplify(self, value: Value) -> None:
        """Simplify a value until no candidate will do."""
        simpler = self._simpler_text if value.role is Role.TEXT else self._simpler_word
        while simpler(value):
            found = [one for one in self._values() if one.start == value.start and one.role is value.role]
            if not found:
                return
            value = found[0]

    def _simpler_text(self, value: Value) -> bool:
        """Replace a text by the simplest one that will do. Return whether there is one."""
        return self._takes_any(self._candidates(value, self.best.words))

    def _simpler_word(self, value: Value) -> bool:
        """Replace a word, or all words of the same value, by the simplest that will do. Return whether there is one."""
        at, words, values = value.start, self.best.words, self._values()
        found = self._candidates(value, words)
        alike = [one.start for one in values if one.role is value.role and one.kind is value.kind
                 and words[one.start : one.stop] == (words[at],)
                 and self._limits[one.start] == self._limits[at]]  # fmt: skip
        is_count = value.role is Role.NUMBER and not value.kind.is_float  # of elements, possibly
        moves = is_count or value.role in _OF_SHAPE  # words may get or lose their influence
        for places in ([at], alike) if len(alike) > 1 else ([at],):
            for candidate in found:
                changed = list(words)
                for place in places:
                    changed[place] = candidate[at]
                if self._takes_any(self._plain(changed) if moves else [tuple(changed)]):
                    return True
        return False

    def _plain(self, changed: list[int]) -> list[Words]:
        """Return an input, with plain values in words that only now have an influence, if it is simpler than the best.

        Args:
            changed: the words of the input.
        """
        words = tuple(changed)
        before = self._signature.values_in(self.best.words)
        known = {at for value in before for at in range(value.start, value.stop)}
        fresh = [(value, at) for value in self._signature.values_in(words) for at in range(value.start, value.stop)
                 if at not in known]  # fmt: skip
        if not fresh:
            return [words]
        for value, at in fresh:
            low, high = self._limits[at]
            zero = ord("a") if value.role is Role.TEXT else encode(value.kind, 0)
            changed[at] = min(max(zero, low), high)
        words = tuple(changed)
        return [words] if cost_of(self._signature, words) < cost_of(self._signature, self.best.words) else []

    def _all_at_once(self) -> None:
        """Replace all numbers, or those that are not plausible, together: what counts may be how they compare."""
        values = [value for value in self._values() if value.role is Role.NUMBER]
        words = self.best.words
        implausible = [value for value in self._implausible() if value.role is Role.NUMBER]
        if len(implausible) < 2:
            return
        for several in (values, implausible) if len(implausible) < len(values) else (values,):
            for changed in together(several, words):
                inside = all(self._limits[at][0] <= word <= self._limits[at][1] for at, word in enumerate(changed)
                             if word != words[at])  # fmt: skip
                simpler = inside and cost_of(self._signature, changed) < cost_of(self._signature, words)
                if simpler and self._takes(changed):
                    return


def together(values: Sequence[Value], words: Words) -> Iterator[Words]:
    """Yield inputs in which all these numbers are small, and compare with each other as before.

    First their ranks: 1, 2, 3 for three different positive numbers. Then all floats divided by one power of two.
    """
    numbers: dict[int, float] = {value.start: decode(value.kind, words[value.start]) for value in values}
    finite = {at: number for at, number in numbers.items() if number == number}
    kinds = {value.start: value.kind for value in values}
    for step in (1, 10):
        ranks = {0.0: 0}
        for sign in (1, -1):
            sizes = sorted({abs(number) for number in finite.values() if number * sign > 0})
            ranks |= {sign * size: sign * step * (rank + 1) for rank, size in enumerate(sizes)}
        changed = list(words)
        with suppress(ValueError):  # there are more ranks than numbers of a narrow kind
            for at, number in finite.items():
                changed[at] = encode(kinds[at], ranks[number])
            yield tuple(changed)
    floats = {at: abs(number) for at, number in finite.items() if kinds[at].is_float and math.isfinite(number)}
    largest = max(floats.values(), default=0.0)
    if largest:
        exponent = math.frexp(largest)[1]
        changed = list(words)
        for at in floats:
            changed[at] = encode(kinds[at], math.ldexp(float(numbers[at]), -exponent + 1))
        yield tuple(changed)
