"""Run all inputs if there are few of them. A branch that none of them takes is infeasible."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ...minimize import Door
from ...minimize.seeds import every
from ...objective.coverage import CoverageObjective
from ...solvers.base import Proof, Prover
from ..proof_requests import Vouch
from ..search import Search, bits_of
from .base import Strategy

_MOST_BITS = "32", "20"
_ALL_THE_FUEL = 1 << 10
_SLICES = 1 << 16, 1 << 22  # the number of inputs in the first slice and in all others
_ENOUGH = 1 << 20  # the number of inputs after which the total time can be estimated


class Enumerate(Strategy, Prover):
    """A strategy that runs all inputs in its only step, if the budget suffices.

    Args:
        search: the search.
        bits: the largest number of bits of an input, all words together; half as many for a slow subject.

    Attributes:
        why: the reason why nothing is proved. Empty if something is proved, or will be.
    """

    name = "enumeration"
    choices: ClassVar[Mapping[str, Sequence[str]]] = {"bits": _MOST_BITS}

    def __init__(self, search: Search, bits: str = _MOST_BITS[0]) -> None:
        super().__init__(search)
        self._size = math.prod(high - low + 1 for low, high in search.domain.ranges)
        self._state = np.zeros(2, dtype=np.int64)  # see :func:`every`
        most = int(bits) // 2 if search.subject.slow else int(bits)
        self._over = self._size > 1 << most
        self.why = ""
        search.remarks.append(self._told)

    def _told(self) -> str:
        """Return the reason why nothing was proved, as a remark for the report."""
        return self.why if self.search.missing else ""

    @property
    def done(self) -> bool:
        return self._over

    def step(self, evaluations: int) -> None:
        if self._over:
            return
        search, before = self.search, self.search.seconds
        if self._size > search.ledger.evaluations_left:
            return self._give_up(f"{self._size:,} are more than the remaining evaluations (--evals)")
        with search.ledger.compiling():
            objective = CoverageObjective(len(search.subject.sites), search.settings.distance)
        while not search.stopped and (tried := int(self._state[0])) < self._size:
            left = (self._size - tried) * (search.seconds - before) / tried if tried >= _ENOUGH else 0.0
            if left > search.ledger.seconds_left:
                return self._give_up(f"the rest would take {left:,.0f} s, more than the remaining time (--budget)")
            objective.update(-1, search.covered, search.seen)
            search.run(objective.question, _SLICES[tried >= _SLICES[0]], self._body, _ALL_THE_FUEL)
        if self._state[0] == self._size:
            self._prove(search.seconds - before)

    def _give_up(self, why: str) -> None:
        """End without a proof, for this reason."""
        self._over, self.why = True, f"not all of the {self._size:,} inputs were tried: {why}"

    def _prove(self, seconds: float) -> None:
        """Prove that branches that no input took are infeasible, if runs can be repeated."""
        search, tried = self.search, f"all {self._size:,} inputs were run"
        self._over = True
        if search.turns_inputs_away:
            self.why = f"{tried}, which proves nothing: some may violate preconditions"
        elif self._state[1]:
            self.why = f"{tried}, which proves nothing: {int(self._state[1]):,} runs did not end"
        elif search.missing:
            open_ = tuple(bits_of(search.missing & ~search.seen))  # a run that does not return may take more
            with search.ledger.compiling():
                vouched = search.ask(Vouch(open_, Proof(self, tried, seconds), depends_on_machine=True))
            if vouched.proof is None:
                self.why = f"{tried}, which proves nothing: {vouched.why}"
                return
            for outcome in open_:
                search.prove(outcome, vouched.proof)

    def _body(self, door: Door) -> None:
        every(door.native, self.search.domain.native, self.search.x, self._state)
