"""Strategies: who asks which question next. Each is a class in a file of its own and a line here."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import Strategy

# name -> module and class; the module is imported when the strategy is made
STRATEGIES: dict[str, str] = {
    "seeds": ".seeds:Seeds",
    "minimize": ".minimization:Minimization",
    "targets": ".targets:Targets",
    "chance": ".chance:Chance",
    "random": ".random:Random",
    "explore": ".explore:Explore",
}


def strategy_class(name: str) -> type[Strategy]:
    """The class of a strategy."""
    module, _, own = STRATEGIES[name].partition(":")
    found: type[Strategy] = getattr(import_module(module, __package__), own)
    return found
