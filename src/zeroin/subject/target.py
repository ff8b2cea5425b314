"""Targets: the functions that the user named."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Target:
    """A function that the user named. A language may have a subclass with more fields.

    Attributes:
        text: the target as the user wrote it, with the function's name.
        path: the source file.
        function: the function's name in the source.
        language: a key of :data:`zeroin.languages.registry.LANGUAGES`.
        guess: how many guesses of the parameters' types were already tried and given up.
        refuted: the branches that are infeasible for those guesses.
        rooms: the numbers of elements that runs need in arrays, strings and lists of unknown length, by parameter.
    """

    text: str
    path: Path
    function: str
    language: str
    rooms: tuple[tuple[str, int], ...] = field(default=(), kw_only=True)
    guess: int = field(default=0, kw_only=True)
    refuted: frozenset[int] = field(default=frozenset(), kw_only=True)

    @property
    def where(self) -> str:
        """The file or module that the user named."""
        return str(self.path)

    @property
    def installed_module(self) -> str:
        """The module, if it can be imported without a path. Empty if it can not."""
        return ""
