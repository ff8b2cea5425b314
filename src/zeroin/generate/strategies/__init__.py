"""Strategies: who asks which question next. Each is a class in a file of its own and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import Strategy

STRATEGIES: Mapping[str, str] = MappingProxyType({
    "seeds": "seeds:Seeds",
    "minimize": "minimization:Minimization",
    "targets": "targets:Targets",
    "chance": "chance:Chance",
    "random": "random:Random",
})  # fmt: skip


def strategy_class(name: str) -> type[Strategy]:
    """The class of a strategy; a name may also say where it is, as ``module:Class``."""
    module, _, own = STRATEGIES.get(name, name).partition(":")
    found: type[Strategy] = getattr(import_module(f".{module}" if name in STRATEGIES else module, __package__), own)
    return found
