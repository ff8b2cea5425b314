"""Frontiers by name, and composed of others in a text, as Xie et al. 2009 print them in section 4.2."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..errors import OptionError
from .fitnex import Fitnex
from .frontier import (
    BreadthFirst,
    CallStackTracePrioritized,
    CappedBranchCoveragePrioritized,
    CodeLocationFrequencyPrioritized,
    CodeLocationPrioritized,
    DepthFirst,
    DepthPrioritized,
    Frontier,
    IterativeDeepening,
    Random,
    RoundRobin,
    ShortCircuit,
    Shortest,
    ShortestThroughAllCodeBranches,
)


def pex(*fittest: Frontier) -> Frontier:
    """Return the description of Pex's default strategy (Xie et al. 2009, section 4.2).

    Args:
        fittest: descriptions of Fitnex frontiers that take turns with the others; none: Pex without Fitnex.
    """
    return ShortCircuit(
        CodeLocationPrioritized(Shortest()),
        RoundRobin(
            CodeLocationPrioritized(ShortestThroughAllCodeBranches()),
            CodeLocationPrioritized(
                CallStackTracePrioritized(
                    ShortCircuit(
                        Shortest(),
                        CappedBranchCoveragePrioritized(Random())))),
            CodeLocationPrioritized(
                CodeLocationFrequencyPrioritized(
                    DepthPrioritized(Random()))),
            CallStackTracePrioritized(
                CodeLocationPrioritized(
                    ShortCircuit(
                        Shortest(),
                        DepthPrioritized(Random())))),
            *fittest))  # fmt: skip


FITTEST = Fitnex(
    RoundRobin(
        CallStackTracePrioritized(IterativeDeepening()),
        CodeLocationPrioritized(IterativeDeepening())))  # fmt: skip

FRONTIERS: dict[str, Frontier] = {
    "fitnex": pex(FITTEST),
    "without-fitnex": pex(),
    "random": Random(),
    "iterative-deepening": IterativeDeepening(),
    "depth-first": DepthFirst(),
    "breadth-first": BreadthFirst(),
}


# The frontiers that a text can compose, and the least and the largest number of frontiers inside; None: any number.
_PARTS: dict[str, tuple[Callable[..., Frontier], int, int | None]] = {
    **{kind.__name__: (kind, 0, 0) for kind in (
        Random, IterativeDeepening, DepthFirst, BreadthFirst, Shortest, ShortestThroughAllCodeBranches)},
    **{kind.__name__: (kind, 1, 1) for kind in (
        CodeLocationPrioritized, CallStackTracePrioritized, CodeLocationFrequencyPrioritized, DepthPrioritized,
        CappedBranchCoveragePrioritized, Fitnex)},
    **{kind.__name__: (kind, 1, None) for kind in (ShortCircuit, RoundRobin)},
    "Fittest": (Fitnex, 1, 1), "Depth": (DepthFirst, 0, 0), "Breadth": (BreadthFirst, 0, 0),
}  # fmt: skip
_TOKEN = re.compile(r"\s*([\w-]+|[()\[\],])?")


def frontier_named(text: str) -> Frontier:
    """Return the description of a frontier; :meth:`.frontier.Frontier.empty` makes a working one.

    Args:
        text: a name from ``FRONTIERS``, or frontiers with others in parentheses or brackets:
            ``RoundRobin(CodeLocationPrioritized[Shortest], Random)``. Upper case and hyphens make no difference.

    Raises:
        OptionError: there is no frontier of a name, it has another number of frontiers inside, or the text is no such
            expression. The message names the column.
    """
    if text in FRONTIERS:
        return FRONTIERS[text]
    return _Parser(text).whole()


def _plain(name: str) -> str:
    """Return a name without hyphens, in lower case."""
    return name.replace("-", "").lower()


_NAMED = {_plain(name): name for name in _PARTS}
_READY = {_plain(name): frontier for name, frontier in FRONTIERS.items()}
_CLOSING = {"(": ")", "[": "]"}


class _Parser:
    """Reads a frontier from a text, from left to right.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def whole(self) -> Frontier:
        """Return the frontier that the whole text describes."""
        found = self._frontier()
        if self._peek():
            raise self._error(f"{self._peek()!r} after the end")
        return found

    def _frontier(self) -> Frontier:
        """Read one frontier with those inside."""
        start = self._column
        name = self._take()
        if not re.match(r"\w", name):
            raise self._error(f"a frontier is missing before {name!r}" if name else "a frontier is missing", start)
        key, inside = _plain(name), list[Frontier]()
        if key not in _NAMED and key not in _READY:
            known = dict.fromkeys((*FRONTIERS, *_PARTS))
            raise self._error(f"no frontier {name!r}; there are {', '.join(known)}", start)
        if (opening := self._peek()) in _CLOSING:
            self._take()
            inside = self._several(_CLOSING[opening])
        if not inside and key in _READY:
            return _READY[key]
        kind, least, most = _PARTS[_NAMED[key]] if key in _NAMED else (Random, 0, 0)
        if len(inside) < least or (most is not None and len(inside) > most):
            wanted = "no frontier" if most == 0 else "one frontier" if most == 1 else "at least one frontier"
            raise self._error(f"{name} has {wanted} inside, not {len(inside)}", start)
        return kind(*inside)

    def _several(self, closing: str) -> list[Frontier]:
        """Read the frontiers up to a closing bracket, separated by commas."""
        found = list[Frontier]()
        while self._peek() != closing:
            found.append(self._frontier())
            if self._peek() == ",":
                self._take()
            elif self._peek() != closing:
                raise self._error(f"{closing!r} is missing")
        self._take()
        return found

    @property
    def _column(self) -> int:
        """The column of the next token, from 1 on."""
        rest = self._text[self._at :]
        return self._at + len(rest) - len(rest.lstrip()) + 1

    def _peek(self) -> str:
        """Return the next token; empty at the end."""
        found = _TOKEN.match(self._text, self._at)
        return (found and found[1]) or self._text[self._at :].strip()[:1]

    def _take(self) -> str:
        """Return the next token and move on."""
        token = self._peek()
        self._at = self._column - 1 + len(token)
        return token

    def _error(self, why: str, column: int | None = None) -> OptionError:
        """Return the error for a place in the text; None: the next token."""
        return OptionError(f"frontier {self._text}: column {column or self._column}: {why}")
