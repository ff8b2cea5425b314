"""Plausibility checks of the messages that tasks send.

The code under test may have damaged the process of a task. So inputs and branches that the target does not have are
removed from its messages before they are used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..subject.base import Run, Signature, Words
from ..subject.mutants import Kills
from .messages import (
    Chosen,
    Explained,
    Found,
    Grown,
    Proved,
    Replayed,
    Sampled,
    Searched,
    Strengthened,
    Traced,
    Withdrawn,
)


class MessageChecks:
    """Checks messages about one target.

    Args:
        signature: the target's signature.
        sites: the number of its sites.
    """

    def __init__(self, signature: Signature, sites: int) -> None:
        self._ranges, self._sites = signature.ranges(), sites

    def part(self, message: object) -> object:
        """Return the message without its impossible parts; None if nothing is left. The message itself stays unchanged.

        Messages without inputs and branches are returned as they are.
        """
        match message:
            case Found() | Replayed() | Explained() | Kills():
                return message if self._fits(message.run) else None
            case Chosen():
                faulty = {outcome: run for outcome, run in message.faulty.items() if self._fits(run, (outcome,))}
                return replace(message, runs=[run for run in message.runs if self._fits(run)], faulty=faulty)
            case Strengthened():
                return replace(message, runs=[one for one in message.runs if self._fits(one.run)])
            case Traced():
                return message if self._have(message.covered) else None
            case Proved() | Withdrawn():
                return message if self._have((message.outcome,)) else None
            case Sampled():
                samples = message.samples
                known = [covered for covered in samples.covered if covered is not None]
                return message if self._have((*samples.objectives, *frozenset().union(*known))) else None
            case Searched():
                doubted = {outcome: why for outcome, why in message.doubted.items() if self._have((outcome,))}
                reached = frozenset(site for site in message.reached if 0 <= site < self._sites)
                return replace(message, reached=reached, doubted=doubted)
            case Grown():
                return message if not message.words or self.is_input(message.words) else None
        return message

    def is_input(self, words: Words) -> bool:
        """Return whether these words are an input of the target: their number and ranges fit."""
        within = zip(words, self._ranges, strict=False)
        return len(words) == len(self._ranges) and all(low <= word <= high for word, (low, high) in within)

    def _fits(self, run: Run, outcomes: Iterable[int] = ()) -> bool:
        """Return whether the target has the input of a run, and the branches of the run and ``outcomes``."""
        return self.is_input(run.words) and self._have((*run.covered, *outcomes))

    def _have(self, outcomes: Iterable[int]) -> bool:
        """Return whether the target has all these branches; the path that the user named counts as one."""
        return all(0 <= outcome <= 2 * self._sites for outcome in outcomes)  # 2 * sites: the wanted path
