"""Random testing: every word uniform over its range, so every bit pattern is as likely as any other."""

from __future__ import annotations

from typing import Any

from ..native.kernel import kernel
from .base import evaluate, is_open, random_between


@kernel
def random(door: Any, domain: Any, x: Any, rng: Any) -> None:
    """Evaluate random words until the door closes; the start is not one of them."""
    while is_open(door):
        for i in range(len(x)):
            x[i] = random_between(rng, domain.low[i], domain.high[i])
        evaluate(door, x)
