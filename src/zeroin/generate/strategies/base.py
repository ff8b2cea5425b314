"""The base class of strategies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from ..search import Search


class Strategy(ABC):
    """A way to spend evaluations: it chooses search problems and starts. The results are kept in the search.

    Attributes:
        choices: the parameters, each with its possible values, the default first.
        checks: the parameters with other values, each with a function that raises an ``OptionError`` for a wrong value.
    """

    choices: ClassVar[Mapping[str, Sequence[str]]] = {}
    checks: ClassVar[Mapping[str, Callable[[str], object]]] = {}

    def __init__(self, search: Search) -> None:
        self.search = search

    @classmethod  # noqa: B027
    def announce(cls, search: Search) -> None:
        """Prepare in the background: the strategy may be created in a few slices, or never. By default, do nothing."""

    @property
    def done(self) -> bool:
        """Whether there is nothing left to try at present. It may have something to try again later."""
        return False

    @abstractmethod
    def step(self, evaluations: int) -> None:
        """Spend about so many evaluations, or fewer if a run is news."""
