"""What was asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Target:
    """What was asked for; a language whose functions need more to be found has its own.

    Attributes:
        text: as the user wrote it, with the function's name.
        path: the source file.
        function: the function's name in the source.
        language: a key of :data:`zeroin.languages.registry.LANGUAGES`.
        guess, refuted: how many guesses of its parameters' types did not do, and the outcomes impossible for these.
        rooms: of C: elements of arrays whose length nobody says, by parameter, as far as runs are known to need them.
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
        """What was named: a file or a module."""
        return str(self.path)

    @property
    def installed_module(self) -> str:
        """The module to import, where that needs no path; empty where it does."""
        return ""
