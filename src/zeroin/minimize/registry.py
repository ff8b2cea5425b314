"""Minimizers by name, optionally with parameters: ``es``, ``es(mu=20, lambda=140)``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..errors import OptionError
from ..named import configured, name_and_parameters
from ..user_objects import is_place, user_object
from .avm import avm
from .avm_paper import AlternatingVariables
from .basinhopping import BasinHopping
from .es import EvolutionStrategy
from .ga import GeneticAlgorithm
from .ga_tournament import TournamentGeneticAlgorithm
from .random import random

Minimizer = Callable[..., None]

MINIMIZERS: dict[str, Minimizer] = {
    "avm": avm,
    "avm-paper": AlternatingVariables(),
    "random": random,
    "basinhopping": BasinHopping(),
    "es": EvolutionStrategy(),
    "ga": GeneticAlgorithm(),
    "ga-tournament": TournamentGeneticAlgorithm(),
}


@cache
def minimizer_named(text: str) -> Minimizer:
    """Return a minimizer by its name, also with parameters: ``basinhopping(n_start=500, local=powell)``.

    The name of a user's own minimizer is ``FILE.py:NAME`` or ``MODULE:NAME``. It is a function or an object that is
    called as ``minimizer(door, domain, x, rng)``, see :func:`zeroin.minimize.minimize`. Equal texts give the same
    object.

    Raises:
        OptionError: there is no such minimizer or parameter, or a value does not fit the parameter.
    """
    name, given = name_and_parameters(text)
    if is_place(name):
        own = user_object(name)
        if not callable(own):
            raise OptionError(f"{name}: a minimizer is called with (door, domain, x, rng), but this is {own!r}")
        return configured(own, name, given)
    if name not in MINIMIZERS:
        raise OptionError(f"no minimizer {name!r}; there are {', '.join(MINIMIZERS)}, or FILE.py:NAME for your own")
    return configured(MINIMIZERS[name], name, given)
