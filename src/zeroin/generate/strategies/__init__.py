"""Strategies: the ways to spend evaluations. Each is a class in a module of its own, with an entry here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from ...errors import OptionError
from ...named import name_and_parameters

if TYPE_CHECKING:
    from ..search import Search
    from .base import Strategy

# name -> module and class; the module is imported when the strategy is created
STRATEGIES: dict[str, str] = {
    "seeds": ".seeds:Seeds",
    "minimize": ".coverme:CoverMe",
    "targets": ".targets:Targets",
    "chance": ".havoc:Havoc",
    "near": ".near:Near",
    "random": ".random:Random",
    "enumerate": ".enumeration:Enumerate",
    "explore": ".explore:Explore",
    "prove": ".prove:Prove",
    "product": ".boundary_product:BoundaryProduct",
}
# the same for strategies that have their own schedules and no name for users
INNER: dict[str, str] = {
    "path": ".path:FollowPath", "refute": ".refute:Refute", "objective": ".own_objective:OwnObjective"
}  # fmt: skip


def strategy_class(name: str) -> type[Strategy]:
    """Return the class of a strategy, given a key of ``STRATEGIES`` or ``INNER``. Its module is imported."""
    module, _, own = {**STRATEGIES, **INNER}[name].partition(":")
    found: type[Strategy] = getattr(import_module(module, __package__), own)
    return found


def strategy_named(text: str) -> Callable[[Search], Strategy]:
    """Return a function that creates a strategy, by name and optional parameters: ``targets(fitness=enhanced)``.

    The strategy itself may raise an ``OptionError``, too, if the subject has not what it needs.

    Raises:
        OptionError: there is no such strategy, parameter or value.
    """
    name, given = name_and_parameters(text)
    if name not in STRATEGIES and name not in INNER:
        raise OptionError(f"--engine {name}: no such engine; choose from hybrid, {', '.join(STRATEGIES)}")
    if not given:
        return lambda search: strategy_class(name)(search)
    check_parameters(name, given, strategy_class(name).choices, strategy_class(name).checks)
    made: Callable[..., Strategy] = strategy_class(name)
    return partial(made, **given)


def check_parameters(name: str, given: Mapping[str, str], choices: Mapping[str, Sequence[str]],
                     checks: Mapping[str, Callable[[str], object]] = {}) -> None:  # fmt: skip
    """Check the parameters of a strategy that ``--engine`` names, as in ``targets(fitness=enhanced)``.

    Args:
        name: the name of the strategy, for messages.
        given: the parameters that the user gives.
        choices: for each parameter of the strategy, its possible values.
        checks: for each other parameter, a function that raises an ``OptionError`` for a wrong value.

    Raises:
        OptionError: there is no such parameter or value.
    """
    for key, value in given.items():
        if key in checks:
            checks[key](value)
        elif key not in choices:
            known = f"there are {', '.join((*choices, *checks))}" if choices or checks else "it has none"
            raise OptionError(f"--engine {name} has no parameter {key!r}; {known}")
        elif value not in choices[key]:
            raise OptionError(f"--engine {name}: {key}={value}: choose from {', '.join(choices[key])}")
