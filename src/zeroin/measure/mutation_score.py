"""The mutation score of a suite: how many of the changes of operators and constants its tests notice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import ZeroinError
from . import Share, of

if TYPE_CHECKING:
    from ..subject.mutants import Mutant
    from ..suite.suite import Suite

_MOST = 40  # mutants that are listed


@dataclass(frozen=True)
class Score:
    """How many mutants a suite was found to notice when it was made, see :mod:`zeroin.subject.mutants`; as a string,
    the score and the mutants that were not noticed.

    Attributes:
        noticed: of those that may do something else than the subject.
        superfluous: mutants that do the same, and are not counted.
        left: those that no test notices.
    """

    noticed: Share
    superfluous: int
    left: tuple[Mutant, ...]

    @classmethod
    def of(cls, suite: Suite) -> Score:
        """Of a suite that was made with :attr:`zeroin.config.Options.mutants`.

        Raises:
            ZeroinError: mutants were not run.
        """
        found = suite.mutants
        if found is None:
            raise ZeroinError(f"{suite.target.text}: no mutant was run, as no input returns")
        total = len(found.all) - len(found.superfluous)
        return cls((len(found.killed), total), len(found.superfluous), tuple(found.left))

    def __str__(self) -> str:
        count, total = self.noticed
        percent = f" ({100 * count / total:.0f} %)" if total else ""
        same = f"; {self.superfluous} more do the same" if self.superfluous else ""
        lines = [f"  not noticed  {mutant}" for mutant in self.left[:_MOST]]
        if len(self.left) > _MOST:
            lines.append(f"  and {len(self.left) - _MOST} more")
        return "\n".join([f"mutants: {of(self.noticed)} noticed{percent}{same}", *lines])
