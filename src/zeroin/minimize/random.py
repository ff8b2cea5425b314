"""Random testing: every word is uniform over its range, so all bit patterns are equally likely."""

from __future__ import annotations

from ..native.kernel import kernel
from ..subject.base import WordArray
from .base import NativeDomain, Random, evaluate, is_open, random_between


@kernel
def random(door: int, domain: NativeDomain, x: WordArray, rng: Random) -> None:
    """Evaluate random words until the door closes. The start ``x`` itself is not evaluated."""
    while is_open(door):
        for i in range(len(x)):
            x[i] = random_between(rng, domain.low[i], domain.high[i])
        evaluate(door, x)
