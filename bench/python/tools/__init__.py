"""The tools that are compared. Each is a module with one function ``run`` and what the table says of it."""

from __future__ import annotations

from typing import Protocol

from . import atheris, crosshair, explore, hypothesis, pynguin, zeroin
from .base import ToolRun, Unavailable
from .base import Work as Work


class Tool(Protocol):
    """What a module of this package offers.

    Attributes:
        TITLE: name and what is special about the way it is run.
        MODES: ways to run it; a user could run all of them, so their branches are united.
        DETERMINISTIC: another seed gives nothing new.
    """

    @property
    def TITLE(self) -> str: ...

    @property
    def MODES(self) -> tuple[str, ...]: ...

    @property
    def DETERMINISTIC(self) -> bool: ...

    def version(self) -> str: ...

    def run(self, work: Work) -> ToolRun: ...


TOOLS: dict[str, Tool] = {
    "zeroin": zeroin,
    "explore": explore,
    "crosshair": crosshair,
    "pynguin": pynguin,
    "hypothesis": hypothesis,
    "atheris": atheris,
}

__all__ = ["TOOLS", "Tool", "ToolRun", "Unavailable", "Work"]
