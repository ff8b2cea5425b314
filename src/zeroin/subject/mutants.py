"""Mutants: copies of a subject with one small change each, which tests have to kill (DeMillo et al. 1978).

The code contains all mutants at once, and a number selects the one that runs (mutant schemata, Untch et al. 1993).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .base import Run, WordArray, Words
from .constant import Constant


@dataclass(frozen=True)
class Mutant:
    """A change of one operator or constant.

    Attributes:
        number: the number of the mutant, from 1. The number 0 is the unchanged subject.
        function: the name of the function that contains the change.
        file, line, column: the position in the source.
        change: the change as text: ``< -> <=``, ``1.5 -> 2.5``.
    """

    number: int
    function: str
    file: str
    line: int
    column: int
    change: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.change}"


@dataclass(frozen=True)
class Kills:
    """A run, and the numbers of the mutants that it kills: with the same input they behave differently."""

    run: Run
    mutants: frozenset[int]


class Mutation(Protocol):
    """The mutants of a subject that is loaded in this process. A run of a mutant may end the process.

    Attributes:
        mutants: all mutants, in the order of their numbers.
        constants: the constants in the code, other than those that it compares with.
        runs: the number of runs so far, those of the unchanged subject included.
        slow: whether a run takes a microsecond or more.
    """

    mutants: Sequence[Mutant]
    constants: Sequence[Constant]
    runs: int
    slow: bool

    def differing(self, words: Words, numbers: Sequence[int], note: WordArray) -> bytes:
        """Return, for each mutant, whether an input kills it.

        The comparison covers everything that tests compare. A mutant that needs a hundred times as many loop iterations
        and calls also counts as killed.

        Args:
            words: the input.
            numbers: the numbers of the mutants.
            note: memory whose first cell gets the number of the running mutant, in case that it ends the process.
                Afterwards the cell is 0.

        Returns:
            One byte for each mutant, in the order of ``numbers``: 1 if the input kills it, else 0.
        """

    def equivalent(self, numbers: Sequence[int], seconds: float) -> set[int]:
        """Return the numbers of the mutants that are equivalent because the compiler makes the same code of them.

        This is trivial compiler equivalence (Papadakis et al. 2015). Mutants that were not checked within ``seconds``
        are left out. In Python, which has no such compiler, the result is empty.
        """
