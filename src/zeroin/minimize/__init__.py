"""Minimizers: algorithms that look for a zero of an objective over ordered words."""

from __future__ import annotations

import traceback
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import OptionError, ZeroinError
from ..native.cells import Stop
from ..native.kernel import Kernel, callback
from ..user_objects import is_place
from ..words import Kind, word_range
from .avm_paper import AlternatingVariables
from .base import Domain, Door, Minimum, Random, random_state, sample
from .basinhopping import BasinHopping
from .es import EvolutionStrategy
from .ga import GeneticAlgorithm
from .ga_tournament import TournamentGeneticAlgorithm
from .registry import MINIMIZERS, Minimizer, minimizer_named
from .seeds import LETTERS, beside, binades, combinations, draws

__all__ = ["MINIMIZERS", "AlternatingVariables", "BasinHopping", "Domain", "Door", "EvolutionStrategy",
           "GeneticAlgorithm", "Minimum", "Stop", "TournamentGeneticAlgorithm", "minimize", "minimizer_named",
           "random_state", "warm_up", "warm_up_combinations", "warm_up_minimizer", "warm_up_named"]  # fmt: skip


def minimize(name: str, door: Door, domain: Domain, start: object, rng: Random) -> Minimum:
    """Run a minimizer until the door closes or the minimizer gives up; return the result.

    Args:
        name: a key of ``MINIMIZERS``, also with parameters (see :func:`minimizer_named`).
        door: a door that is open for the evaluations to spend.
        domain: the domain to draw further starts from.
        start: the first start, an int64 array. It is changed.
        rng: the state of a random stream (see :func:`random_state`). It is changed.

    Raises:
        OptionError: there is no such minimizer, or a user's own one raises an exception.
    """
    minimizer = minimizer_named(name)
    if isinstance(minimizer, Kernel):
        minimizer(door.native, domain.native, start, rng)
    elif is_place(name):
        _call_own(name, minimizer, door, domain, start, rng)
    else:
        minimizer(door, domain, start, rng)
    return door.result()


def _call_own(name: str, minimizer: Minimizer, door: Door, domain: Domain, start: object, rng: Random) -> None:
    """Call a user's own minimizer. Words that it evaluates outside of the domain become the nearest ones inside.

    Raises:
        OptionError: it raises an exception.
    """
    door.limits = (domain.native.low, domain.native.high)
    try:
        minimizer(door, domain, start, rng)
    except ZeroinError:
        raise
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(at.filename).name}:{at.lineno}"
        raise OptionError(f"--minimizer {name}: it raised {type(error).__name__}: {error} ({place})") from error


@callback("float64(cells)")
def _one(words: object) -> float:
    return 1.0


def warm_up(name: str = "avm", strings: bool = False) -> None:
    """Load the native code of a minimizer, or compile it if it is not in the cache, before a search needs it.

    Args:
        name: as in :func:`minimize`.
        strings: whether there are characters among the words.
    """
    warm_up_combinations()
    warm_up_minimizer(name, strings)
    door, domain, x, rng = _trial()
    letters = np.zeros(LETTERS, dtype=np.int64)
    draws(door.native, domain.native, x, rng, np.zeros((1, len(x)), dtype=np.int64), x.copy(), x.copy(), letters)
    beside(door.native, domain.native, x, rng, np.zeros((1, len(x)), dtype=np.int64))
    binades(door.native, domain.native, x, rng, 0, 1)


def warm_up_combinations() -> None:
    """Do the first part of :func:`warm_up`: load the code for combinations of values worth trying."""
    door, domain, x, rng = _trial()
    combinations(door.native, domain.native, x, rng, 0, 2)


def warm_up_minimizer(name: str = "avm", strings: bool = False) -> None:
    """Do the second part of :func:`warm_up`: load the code of the minimizer. The arguments are the same."""
    door, domain, x, rng = _trial((Kind.I32, Kind.CHAR) if strings else (Kind.F64,))
    minimize(name, door, domain, x, rng)
    sample(domain.native, x, rng)


@cache
def warm_up_named(name: str) -> None:
    """Do the same as :func:`warm_up_minimizer` for a minimizer of zeroin other than the default.

    A process calls this before it forks others, because its children can not write the cache. An unknown name is
    ignored, and so is a second call with the same name. A user's own minimizer is not imported: that is the job's
    work, in the sandbox.
    """
    with suppress(OptionError):
        if name != "avm" and not is_place(name) and type(minimizer_named(name)).__module__.startswith("zeroin."):
            warm_up_minimizer(name)


def _trial(kinds: tuple[Kind, ...] = (Kind.F64,)) -> tuple[Door, Domain, Any, Any]:
    """Return a door that is open for 3 evaluations, a domain, memory for an input, and a random state."""
    domain = Domain(kinds, tuple(map(word_range, kinds)), ((0, 1),) * len(kinds))
    door = Door(_one.address, len(kinds))
    door.open(3)
    return door, domain, np.zeros(len(kinds), dtype=np.int64), random_state([0])
