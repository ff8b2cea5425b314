"""Text comparisons of a run, and replacements for these texts in the input (input-to-state, REDQUEEN)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class TextReplacement(NamedTuple):
    """A text to find in the input, and a text to replace it with so that a condition may change."""

    old: str
    new: str


@dataclass(frozen=True)
class Compared:
    """One evaluation of a site that compared texts.

    Attributes:
        site: the number of the site.
        holds: whether the comparison held.
        exchanges: the replacements that may change whether it holds.
    """

    site: int
    holds: bool
    exchanges: tuple[TextReplacement, ...]
