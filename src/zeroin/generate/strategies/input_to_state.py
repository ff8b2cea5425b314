"""Input-to-state: replace a text of the input by the text with which the run compared it (Aschermann et al. 2019).

Most tokens and checksums occur in the input as they are, or as digits (REDQUEEN).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import TypeAlias

from ...distance import EQ, NE
from ...subject.base import Decision, Execution, Run, Termination, Words
from ...subject.input_to_state import Compared, TextReplacement
from ..search import Search, bits_in

_REPAIRS = 2  # the most comparisons to repair after a change
_MOST = 16  # the most inputs for one condition
_IN_TURN = 16  # the inputs to try for a known one in its turn
_DIGITS = ("d", "X", "x", "02X", "02x", "04X", "04x", "08x")  # formats of numbers in texts
_LARGEST = 1 << 64


_Inputs: TypeAlias = "Iterator[tuple[Words, frozenset[int]]]"


class InputToState:
    """Changes texts in the inputs of known runs, the last run first.

    When no replacement is left, it inserts texts of the dictionary. A change may break what was right before, such as a
    checksum. Then the broken comparison is repaired in the same way.
    """

    def __init__(self, search: Search) -> None:
        self._search, self._runs = search, 0
        self._exchanging, self._extending = deque[_Inputs](), deque[_Inputs]()
        self._left = 0

    def step(self, evaluations: int) -> bool:
        """Make about so many runs, none if inputs have no texts; return whether one of them was news."""
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
        """Yield variants of an input with a compared text replaced, and the branches that the input takes."""
        execution, compared = self._run(words)
        for site in dict.fromkeys(decision.site for decision in execution.decisions):
            for holds in (True, False):
                if self._search.missing >> (2 * site + holds) & 1:  # the other branch is missing
                    for other in self._otherwise(words, site, holds, execution, compared):
                        yield other, execution.covered

    def _extended(self, run: Run) -> _Inputs:
        """Yield variants of an input with a text of the dictionary inserted, and the branches that the input takes."""
        return ((other, run.covered) for other in self._search.subject.extended(run.words))

    def _otherwise(self, words: Words, site: int, holds: bool, execution: Execution,
                   compared: Sequence[Compared]) -> Iterator[Words]:  # fmt: skip
        """Return up to ``_MOST`` variants of an input that may change the last decision ``holds`` of a site."""
        texts = [one.exchanges for one in compared if (one.site, one.holds) == (site, holds)]
        numbers = [one for one in execution.decisions if (one.site, one.holds) == (site, holds)]
        exchanges = texts[-1] if texts else of_numbers(numbers[-1]) if numbers else ()
        made = (other for old, new in exchanges for other in self._search.subject.exchanged(words, old, new))
        return islice(made, _MOST)

    def _is_news(self, words: Words, before: frozenset[int], repairs: int) -> bool:
        """Return whether an input is news, or is so after repairs of the comparisons that it broke.

        Args:
            words: the input.
            before: the branches that the unchanged input takes.
            repairs: the number of repairs left.
        """
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
        """Run an input and count it as an evaluation; return the run and the compared texts. News is kept."""
        search = self._search
        search.x[:] = words  # the input, for the parent process, in case that this process dies
        execution, compared = search.subject.compare(words, search.subject.patience)
        search.ledger.evaluations += 1
        self._left -= 1
        if execution.outcome is not Termination.RETURNED or bits_in(execution.covered) & ~search.covered:
            search.offer(words)
        return execution, compared


def of_numbers(decision: Decision) -> Iterator[TextReplacement]:
    """Yield replacements for two unequal integers that were compared, in the usual formats of numbers.

    Both directions are yielded; nothing for other decisions and for negative integers.
    """
    one, other = decision.left, decision.right
    if decision.op in (EQ, NE) and isinstance(one, int) and isinstance(other, int) and one != other:
        for old, new in ((other, one), (one, other)):
            if 0 <= new < _LARGEST and 0 <= old < _LARGEST:
                yield from dict.fromkeys(
                    TextReplacement(format(old, digits), format(new, digits)) for digits in _DIGITS
                )
