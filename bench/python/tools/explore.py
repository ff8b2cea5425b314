"""zeroin's exploration alone, by its command line."""

from __future__ import annotations

from . import zeroin
from .base import ToolRun, Work

TITLE = "zeroin: `cover --engine explore`"
MODES = ("explore",)
DETERMINISTIC = False
version = zeroin.version


def run(work: Work) -> ToolRun:
    """As the default engine."""
    return zeroin.run(work, "--engine", "explore")
