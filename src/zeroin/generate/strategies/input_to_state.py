"""Texts that a run compares, in each other's place in its input: most tokens and checksums stand there as they are, or
in digits (input-to-state correspondence; Aschermann et al., REDQUEEN, 2019)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TypeAlias

from ...distance import EQ, NE
from ...subject.base import Decision, Execution, Run, Termination, Words
from ...subject.input_to_state import Compared, TextReplacement
from ..search import Search, bits_in

_REPAIRS = 2  # comparisons that one change has spoilt, one after the other
_MOST = 16  # inputs for one condition
_IN_TURN = 16  # inputs like a known one
_DIGITS = ("d", "X", "x", "02X", "02x", "04X", "04x", "08x")  # how numbers may be written
_LARGEST = 1 << 64


_Inputs: TypeAlias = "Iterator[tuple[Words, frozenset[int]]]"


class InputToState:
    """Goes on from the runs of a search, in turn, the last one first; texts that are worth trying are put into their
    texts where there is nothing left to exchange.

    What is changed may spoil what was right before, as a checksum: then what that compares is exchanged, too.
    """

    def __init__(self, search: Search) -> None:
        self._search, self._runs = search, 0
        self._exchanging, self._extending = deque[_Inputs](), deque[_Inputs]()
        self._left = 0

    def step(self, evaluations: int) -> bool:
        """Make about so many runs, or those that there are; whether any brought news."""
        search, self._left, before = self._search, evaluations, len(self._search.runs)
        while search.subject.takes_texts and self._left > 0 and search.stopped is None:
            for run in search.runs[self._runs :]:
                self._exchanging.append(self._exchanged(run.words))
                self._extending.append(self._extended(run))
            self._runs = len(search.runs)
            if not (waiting := self._exchanging or self._extending):
                break
            inputs = waiting.pop()
            found = any(self._is_news(words, taken, _REPAIRS) for words, taken in islice(inputs, _IN_TURN))
            if found:
                waiting.append(inputs)
            elif (one := next(inputs, None)) is not None:
                waiting.appendleft(chain([one], inputs))
        return len(search.runs) > before

    def _exchanged(self, words: Words) -> _Inputs:
        """Inputs like a known one, in which what it compares is exchanged, and what that takes."""
        execution, compared = self._run(words)
        for site in dict.fromkeys(decision.site for decision in execution.decisions):
            for holds in (True, False):
                if self._search.missing >> (2 * site + holds) & 1:  # what is missing is that it does not
                    for other in self._otherwise(words, site, holds, execution, compared):
                        yield other, execution.covered

    def _extended(self, run: Run) -> _Inputs:
        """Inputs like a known one, in which there is more, and what that takes."""
        return ((other, run.covered) for other in self._search.subject.extended(run.words))

    def _otherwise(self, words: Words, site: int, holds: bool, execution: Execution,
                   compared: Sequence[Compared]) -> Iterator[Words]:  # fmt: skip
        """Inputs that may decide a site otherwise than it was last decided so."""
        texts = [one.exchanges for one in compared if (one.site, one.holds) == (site, holds)]
        numbers = [one for one in execution.decisions if (one.site, one.holds) == (site, holds)]
        exchanges = texts[-1] if texts else of_numbers(numbers[-1]) if numbers else ()
        made = (other for old, new in exchanges for other in self._search.subject.exchanged(words, old, new))
        return islice(made, _MOST)

    def _is_news(self, words: Words, before: frozenset[int], repairs: int) -> bool:
        """Whether it brings news, or does so when what it decides otherwise than before is put right."""
        known = len(self._search.runs)
        execution, compared = self._run(words)
        if len(self._search.runs) != known:
            return True
        spoilt = [one for one in execution.decisions if 2 * one.site + (not one.holds) not in before
                  and 2 * one.site + one.holds in before]  # fmt: skip
        if not repairs or not spoilt or self._search.stopped is not None:
            return False
        site, holds = spoilt[-1].site, spoilt[-1].holds
        others = self._otherwise(words, site, holds, execution, compared)
        return any(self._is_news(other, before, repairs - 1) for other in others)

    def _run(self, words: Words) -> tuple[Execution, Sequence[Compared]]:
        search = self._search
        search.x[:] = words  # what a process that dies was running
        execution, compared = search.subject.compare(words, search.subject.patience)
        search.ledger.evaluations += 1
        self._left -= 1
        if execution.outcome is not Termination.RETURNED or bits_in(execution.covered) & ~search.covered:
            search.offer(words)
        return execution, compared


def of_numbers(decision: Decision) -> Iterator[TextReplacement]:
    """Of two integers that are not equal, which may stand in a text: in each other's place, in digits."""
    one, other = decision.left, decision.right
    if decision.op in (EQ, NE) and isinstance(one, int) and isinstance(other, int) and one != other:
        for old, new in ((other, one), (one, other)):
            if 0 <= new < _LARGEST and 0 <= old < _LARGEST:
                yield from dict.fromkeys(
                    TextReplacement(format(old, digits), format(new, digits)) for digits in _DIGITS
                )
