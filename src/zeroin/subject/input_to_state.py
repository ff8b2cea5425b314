"""Texts that runs compare, and what to put in their place in the input that they came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class TextReplacement(NamedTuple):
    """Where the first text stands in an input, the second one might make a condition turn out otherwise."""

    old: str
    new: str


@dataclass(frozen=True)
class Compared:
    """One evaluation of a site that compared texts.

    Attributes:
        site: its number.
        holds: how it turned out.
        exchanges: what might change that.
    """

    site: int
    holds: bool
    exchanges: tuple[TextReplacement, ...]
