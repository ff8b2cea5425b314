"""The dictionary of a parameter: values to try that take several ordered words (``shapes.py``), such as texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from .arrays import ArrayND
from .containers import Repeated, Str, Union
from .scalars import Product
from .shapes import Shape

Run = tuple[int, tuple[tuple[int, ...], ...]]  # (index of the first word, alternative values of the words from there)

_MOST = 8  # strings of one parameter that get the texts


def dictionary_of(shape: Shape, texts: Sequence[str]) -> tuple[Run, ...]:
    """Return the words to try: the ``texts`` for each string in a shape, and the usual lengths of arrays.

    Texts that are too short or too long for a string are left out. At most 8 strings and arrays get entries.

    Returns:
        The entries: (index of the first word in the shape, alternative values of the words from there).
    """
    return tuple(islice(_runs(shape, 0, texts), _MOST))


def _runs(shape: Shape, at: int, texts: Sequence[str]) -> Iterator[Run]:
    """Yield the entries of a shape whose first word has the index ``at``."""
    if isinstance(shape, Str):
        several = tuple(shape.encode(text) for text in texts if shape.low <= len(text) <= shape.high)
        if several:
            yield at, several
    elif isinstance(shape, ArrayND):
        if lengths := shape.usual_lengths():
            yield at, (lengths,)
    elif isinstance(shape, Repeated):
        for number in range(shape.high):
            yield from _runs(shape.unit, at + 1 + number * shape.unit.arity, texts)
    elif isinstance(shape, Union):
        before: tuple[int, ...] = ()
        for number, alternative in enumerate(shape.alternatives):
            for first, several in _runs(alternative, at + 1 + len(before), texts):
                if isinstance(alternative, Str | ArrayND):  # include the word that selects it
                    yield at, tuple((number, *before, *words) for words in several)
                else:
                    yield first, several
            before += alternative.plain()
    elif isinstance(shape, Product):
        for part in shape.shapes:
            yield from _runs(part, at, texts)
            at += part.arity
