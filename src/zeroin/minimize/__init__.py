"""Minimizers: algorithms that look for a zero of an objective over ordered words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .avm import avm
from .avm_paper import avm_paper
from .base import Domain, Door, Minimum, Stop, random_state
from .basinhopping import basinhopping
from .random import random

__all__ = ["MINIMIZERS", "Domain", "Door", "Minimum", "Stop", "minimize", "random_state"]

MINIMIZERS: dict[str, Callable[..., None]] = {
    "avm": avm,
    "avm-paper": avm_paper,
    "random": random,
    "basinhopping": basinhopping,
}


def minimize(name: str, door: Door, domain: Domain, start: Any, rng: Any) -> Minimum:
    """Run a minimizer until the door closes or it gives up; what it reached.

    Args:
        name: a key of ``MINIMIZERS``.
        door: opened with the evaluations to spend.
        domain: where further starts come from.
        start: int64 array, the first start; it is changed.
        rng: see :func:`random_state`.
    """
    minimizer = MINIMIZERS[name]
    if hasattr(minimizer, "py_func"):
        minimizer(door.native, domain.native, start, rng)
    else:
        minimizer(door, domain, start, rng)
    return door.result()
