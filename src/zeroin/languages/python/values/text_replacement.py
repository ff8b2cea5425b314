"""Find the texts inside a value that is given as ordered words (``shapes.py``), and replace them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .containers import Repeated, Str, Union
from .scalars import Product
from .shapes import Shape

Words = tuple[int, ...]
_MOST = 16  # places in a text that are changed


class TextPosition(NamedTuple):
    """One text inside a value.

    Attributes:
        shape: the shape of the text.
        at: the index of its first word among all words of the value.
        text: the text itself.
    """

    shape: Str
    at: int
    text: str

    def with_text(self, words: Words, text: str) -> Words | None:
        """Return the words with another text at this position; None if its length is out of range."""
        if not self.shape.low <= len(text) <= self.shape.high:
            return None
        return (*words[: self.at], *self.shape.encode(text), *words[self.at + self.shape.arity :])


def texts_in(shape: Shape, words: Sequence[int], at: int = 0) -> Iterator[TextPosition]:
    """Yield the texts inside a value, in the order of their words; not those beyond a length or in other alternatives.

    Args:
        shape: the shape of the value.
        words: all words; those of the value are a part of them.
        at: the index of the value's first word in ``words``.
    """
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
    """Yield the text with one occurrence of ``old`` replaced by ``new``, for at most 16 occurrences. Case is ignored.

    Nothing is yielded if ``old`` does not occur. If ``old`` is empty, ``new`` is inserted at both ends and between two
    characters that are neither letters nor digits. It is also appended behind each of the ``separators``.
    """
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
    """Yield the text with ``part`` inserted at its ends and beside each character that is neither a letter nor a digit.

    At most 16 places are tried. If ``part`` contains a separator, such as ``=`` or a space, it is also inserted with
    this separator in front.
    """
    separator = re.search(r"[^\w.+-]", part)
    places = [0, len(text), *(at for n, c in enumerate(text) if not c.isalnum() for at in (n, n + 1))]
    for place in list(dict.fromkeys(places))[:_MOST]:
        for put in dict.fromkeys((part, separator[0] + part if separator else part)):
            yield text[:place] + put + text[place:]


def _gaps(text: str) -> list[int]:
    """Return at most 16 indices where an empty part may have been cut out: the end, the start, then inner ones in
    order.

    An inner one lies between two characters that are neither letters nor digits.
    """
    inside = [n for n in range(1, len(text)) if not text[n - 1].isalnum() and not text[n].isalnum()]
    return list(dict.fromkeys([len(text), 0, *inside]))[:_MOST]
