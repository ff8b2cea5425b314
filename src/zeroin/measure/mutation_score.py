"""The mutation score of a suite: how many mutants its tests kill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import ZeroinError
from . import Share, of

if TYPE_CHECKING:
    from ..subject.mutants import Mutant
    from ..suite.suite import Suite

_MOST = 40  # the most mutants that the text lists


@dataclass(frozen=True)
class Score:
    """How many mutants (:mod:`zeroin.subject.mutants`) a suite kills, as measured when the suite was made.

    Its ``str`` gives the score and the mutants that survive, at most 40 of them.

    Attributes:
        killed: the number of killed mutants, and of all mutants that are not known to be equivalent.
        equivalent: the number of mutants that are known to be equivalent.
        left: the mutants that survive, in the order of their numbers.
    """

    killed: Share
    equivalent: int
    left: tuple[Mutant, ...]

    @classmethod
    def of(cls, suite: Suite) -> Score:
        """Return the score of a suite that was made with the option ``mutants`` (:class:`zeroin.config.Options`).

        Raises:
            ZeroinError: no mutants were run.
        """
        found = suite.mutants
        if found is None:
            raise ZeroinError(f"{suite.target.text}: no mutant was run, as no input returns")
        total = len(found.all) - len(found.equivalent)
        return cls((len(found.killed), total), len(found.equivalent), tuple(found.left))

    def __str__(self) -> str:
        count, total = self.killed
        percent = f" ({100 * count / total:.0f} %)" if total else ""
        same = f"; {self.equivalent} more are equivalent" if self.equivalent else ""
        lines = [f"  survived  {mutant}" for mutant in self.left[:_MOST]]
        if len(self.left) > _MOST:
            lines.append(f"  and {len(self.left) - _MOST} more")
        return "\n".join([f"mutants: {of(self.killed)} killed{percent}{same}", *lines])
