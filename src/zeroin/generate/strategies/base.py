"""What a strategy is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from ..search import Search


class Strategy(ABC):
    """Spends evaluations of a search on questions of its choice. What it finds ends up in the search.

    Attributes:
        choices: its parameters, in each case with the values that there are, the default first.
    """

    choices: ClassVar[Mapping[str, Sequence[str]]] = {}

    def __init__(self, search: Search) -> None:
        self.search = search

    @classmethod  # noqa: B027
    def announce(cls, search: Search) -> None:
        """Called some slices before it may be made: start what takes time beside the search. It need not be made."""

    @property
    def done(self) -> bool:
        """Whether there is nothing left that it could try; that may change again."""
        return False

    @abstractmethod
    def step(self, evaluations: int) -> None:
        """Spend about so many evaluations; fewer if there is news."""
