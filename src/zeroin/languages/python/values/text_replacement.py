"""The texts in the values of words, and the words of values in which other texts stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .containers import Repeated, Str, Union
from .scalars import Product
from .shapes import Shape

Words = tuple[int, ...]
_MOST = 16  # places in a text


class TextPosition(NamedTuple):
    """A text: its shape, its first word, and what it is."""

    shape: Str
    at: int
    text: str

    def with_text(self, words: Words, text: str) -> Words | None:
        """The words with another text there; None if it is too long, or too short."""
        if not self.shape.low <= len(text) <= self.shape.high:
            return None
        return (*words[: self.at], *self.shape.encode(text), *words[self.at + self.shape.arity :])


def texts_in(shape: Shape, words: Sequence[int], at: int = 0) -> Iterator[TextPosition]:
    """The texts in a value; ``at`` is the place of its first word among all of ``words``."""
    if isinstance(shape, Str):
        yield TextPosition(shape, at, shape.build(words[at : at + shape.arity], str))
    elif isinstance(shape, Repeated):
        for number in range(words[at]):
            yield from texts_in(shape.unit, words, at + 1 + number * shape.unit.arity)
    elif isinstance(shape, Union):
        before = sum(part.arity for part in shape.alternatives[: words[at]])
        yield from texts_in(shape.alternatives[words[at]], words, at + 1 + before)
    elif isinstance(shape, Product):
        for part in shape.shapes:
            yield from texts_in(part, words, at)
            at += part.arity


def replaced(text: str, old: str, new: str, separators: Sequence[str] = ()) -> Iterator[str]:
    """The text with the new part in place of the old one, at each place where that stands, upper and lower case alike;
    of an empty one at each place between two characters that are neither letters nor digits, and at the ends, there
    also behind a separator."""
    if old:
        found = re.finditer(re.escape(old), text, re.IGNORECASE)
        spans = [match.span() for match, _ in zip(found, range(_MOST), strict=False)]
    else:
        spans = [(at, at) for at in _gaps(text)]
    for start, end in spans:
        yield text[:start] + new + text[end:]
    for separator in () if old else separators:
        yield text + separator + new


def inserted(text: str, part: str) -> Iterator[str]:
    """The text with a part put in at its ends, and beside each character that is neither a letter nor a digit; also
    with the separator of the part in front of it."""
    separator = re.search(r"[^\w.+-]", part)
    places = [0, len(text), *(at for n, c in enumerate(text) if not c.isalnum() for at in (n, n + 1))]
    for place in list(dict.fromkeys(places))[:_MOST]:
        for put in dict.fromkeys((part, separator[0] + part if separator else part)):
            yield text[:place] + put + text[place:]


def _gaps(text: str) -> list[int]:
    """Where an empty part may have been cut out."""
    inside = [n for n in range(1, len(text)) if not text[n - 1].isalnum() and not text[n].isalnum()]
    return list(dict.fromkeys([len(text), 0, *inside]))[:_MOST]
