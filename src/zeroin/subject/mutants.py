"""Mutants: copies of a subject with one small change each, which a suite of tests has to notice (DeMillo, Lipton &
Sayward 1978). All of them are in the code at once, and a number says which one runs (mutant schemata: Untch, Offutt &
Harrold 1993)."""

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
        number: from 1 on; 0 is the subject as it is.
        function: in which it is.
        file, line, column: where it stands.
        change: ``< -> <=``, ``1.5 -> 2.5``.
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
class Noticing:
    """A run, and the mutants of which a run with the same words shows something else."""

    run: Run
    mutants: frozenset[int]


class Mutation(Protocol):
    """The mutants of a subject that is loaded in this process, which running them may end.

    Attributes:
        mutants: all of them; the number of each is one more than its index.
        constants: numbers that stand in the code, beside those that it compares with.
        runs: that were made so far.
        slow: whether a run takes a microsecond or more.
    """

    mutants: Sequence[Mutant]
    constants: Sequence[Constant]
    runs: int
    slow: bool

    def differing(self, words: Words, numbers: Sequence[int], note: WordArray) -> bytes:
        """For each of these mutants 1 if a run of it on an input shows something else than the subject's run, else 0.
        What is compared is what tests compare; a mutant differs, too, that needs a hundred times as many loop
        iterations and calls. The first cell of ``note`` is the mutant that runs, in case that it ends the process."""

    def superfluous(self, numbers: Sequence[int], seconds: float) -> set[int]:
        """Those of these mutants of which the compiler makes the same code as of the subject, as far as that can be
        seen in so many seconds: they do the same (Papadakis et al. 2015, trivial compiler equivalence)."""
