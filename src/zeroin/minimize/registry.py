"""Minimizers by name, optionally with parameters: ``es``, ``es(mu=20, lambda=140)``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from ..errors import OptionError
from ..named import name_and_parameters
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
_TRUTH = {"true": True, "false": False}


@cache
def minimizer_named(text: str) -> Minimizer:
    """Return a minimizer by its name, also with parameters: ``basinhopping(n_start=500, local=powell)``.

    Equal texts give the same object.

    Raises:
        OptionError: there is no such minimizer or parameter, or a value does not fit the parameter.
    """
    name, given = name_and_parameters(text)
    if name not in MINIMIZERS:
        raise OptionError(f"no minimizer {name!r}; there are {', '.join(MINIMIZERS)}")
    found = MINIMIZERS[name]
    if not given:
        return found
    known: dict[str, Any] = {f.name.rstrip("_"): f for f in fields(found)} if is_dataclass(found) else {}
    chosen: dict[str, Any] = {}
    for key, value in given.items():
        if key not in known:
            raise OptionError(f"{name} has no parameter {key!r}; {_listed(list(known))}")
        chosen[known[key].name] = _converted(name, key, value, type(getattr(found, known[key].name)))
    kind: Any = type(found)
    try:
        made: Minimizer = kind(**chosen)
    except OptionError as error:
        raise OptionError(f"{name}: {error}") from error
    return made


def _listed(known: list[str]) -> str:
    """Return the known parameters, for messages."""
    return f"there are {', '.join(known)}" if known else "it has none"


def _converted(name: str, key: str, text: str, kind: type) -> Any:
    """Return the value of a parameter that is given as text.

    Raises:
        OptionError: the text is no value of the parameter's type.
    """
    if kind is bool:
        if text not in _TRUTH:
            raise OptionError(f"{name}: {key}={text}: give true or false")
        return _TRUTH[text]
    try:
        return kind(text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise OptionError(f"{name}: {key}={text}: give {wanted}") from None
