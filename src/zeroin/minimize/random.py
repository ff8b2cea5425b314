"""Random testing: every word uniform over its range, so every bit pattern is as likely as any other."""

from __future__ import annotations

from ..native.kernel import kernel
from ..subject.base import WordArray
from .base import NativeDomain, Random, evaluate, is_open, random_between


@kernel
def random(door: int, domain: NativeDomain, x: WordArray, rng: Random) -> None:
    """Evaluate random words until the door closes; the start is not one of them."""
    while is_open(door):
        for i in range(len(x)):
            x[i] = random_between(rng, domain.low[i], domain.high[i])
        evaluate(door, x)
