"""Minimizers: algorithms that look for a zero of an objective over ordered words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import OptionError
from ..native import Kernel, callback
from ..subject.words import Kind, word_range
from .avm import avm
from .avm_paper import avm_paper
from .base import Domain, Door, Minimum, Stop, random_state, sample
from .basinhopping import basinhopping
from .es import EvolutionStrategy
from .ga import GeneticAlgorithm
from .random import random
from .seeds import binades, combinations, draws

__all__ = ["MINIMIZERS", "Domain", "Door", "EvolutionStrategy", "GeneticAlgorithm", "Minimum", "Stop", "minimize",
           "minimizer_named", "random_state", "warm_up", "warm_up_binades", "warm_up_combinations"]  # fmt: skip

MINIMIZERS: dict[str, Callable[..., None]] = {
    "avm": avm,
    "avm-paper": avm_paper,
    "random": random,
    "basinhopping": basinhopping,
    "es": EvolutionStrategy(),
    "ga": GeneticAlgorithm(),
}


def minimize(name: str, door: Door, domain: Domain, start: Any, rng: Any) -> Minimum:
    """Run a minimizer until the door closes or it gives up; what it reached.

    Args:
        name: a key of ``MINIMIZERS``.
        door: opened with the evaluations to spend.
        domain: where further starts come from.
        start: int64 array, the first start; it is changed.
        rng: see :func:`random_state`.

    Raises:
        OptionError: there is no minimizer of that name.
    """
    minimizer = minimizer_named(name)
    if isinstance(minimizer, Kernel):
        minimizer(door.native, domain.native, start, rng)
    else:
        minimizer(door, domain, start, rng)
    return door.result()


def minimizer_named(name: str) -> Callable[..., None]:
    """The function of a minimizer.

    Raises:
        OptionError: there is no minimizer of that name.
    """
    if name not in MINIMIZERS:
        raise OptionError(f"no minimizer {name!r}; there are {', '.join(MINIMIZERS)}")
    return MINIMIZERS[name]


@callback("float64(cells)")
def _one(words: Any) -> float:
    return 1.0


def warm_up(name: str = "avm", strings: bool = False) -> None:
    """Load (or, the first time on a machine, compile) the native code of a minimizer, so that no search pays for it.

    Args:
        name: a key of ``MINIMIZERS``.
        strings: whether there are characters among the words.
    """
    warm_up_combinations()
    door, domain, x, rng = _trial((Kind.I32, Kind.CHAR) if strings else (Kind.F64,))
    minimize(name, door, domain, x, rng)
    door.open(3)
    draws(door.native, domain.native, x, rng, np.zeros((1, len(x)), dtype=np.int64), x.copy())
    sample(domain.native, x, rng)
    warm_up_binades()


def warm_up_combinations() -> None:
    """The first part of :func:`warm_up`."""
    door, domain, x, rng = _trial()
    combinations(door.native, domain.native, x, rng, 0, 2)


def warm_up_binades() -> None:
    """The last part of :func:`warm_up`."""
    door, domain, x, rng = _trial()
    binades(door.native, domain.native, x, rng, 0, 1)


def _trial(kinds: tuple[Kind, ...] = (Kind.F64,)) -> tuple[Door, Domain, Any, Any]:
    domain = Domain(kinds, tuple(map(word_range, kinds)), ((0, 1),) * len(kinds))
    door = Door(_one.address, len(kinds))
    door.open(3)
    return door, domain, np.zeros(len(kinds), dtype=np.int64), random_state([0])
