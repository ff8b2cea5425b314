"""What a strategy is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from ..search import Search


class Strategy(ABC):
    """Spends evaluations of a search on questions of its choice. What it finds ends up in the search.

    Attributes:
        minimizes: it needs the minimizer.
    """

    minimizes: ClassVar[bool] = False

    def __init__(self, search: Search) -> None:
        self.search = search

    def prepare(self) -> None:
        """Load, or compile, what it needs; called once, before the first step, when the time does not count."""
        if self.minimizes:
            self.search.load_minimizer()

    @property
    def done(self) -> bool:
        """Whether there is nothing left that it could try; that may change again."""
        return False

    @abstractmethod
    def step(self, evaluations: int) -> None:
        """Spend about so many evaluations; fewer if there is news."""
