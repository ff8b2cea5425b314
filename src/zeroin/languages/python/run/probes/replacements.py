"""Input-to-state for texts: which replacements in an input's texts may change the result of a condition."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from .....subject.input_to_state import TextReplacement

_MOST = 32  # items of a container that are used
_SEQUENCES = (list, tuple)  # exactly these, as subclasses may define other methods


def of_comparison(a: Any, b: Any) -> Iterator[TextReplacement]:
    """Yield the replacements for ``a == b`` and ``a != b``, of unequal texts, or of lists and tuples of texts.

    There are none for equal texts, for sequences of different lengths, and for other values.
    """
    if type(a) is str and type(b) is str:
        if a != b:
            yield from (TextReplacement(b, a), TextReplacement(a, b))
    elif type(a) in _SEQUENCES and type(b) in _SEQUENCES and len(a) == len(b):
        for one, other in islice(zip(a, b, strict=True), _MOST):
            if type(one) is str and type(other) is str:
                yield from of_comparison(one, other)


def of_membership(a: object, b: Any) -> Iterator[TextReplacement]:
    """Yield the replacements for ``a in b``, of a text ``a`` that is not in ``b``, which the caller has checked.

    ``b`` is a text or a container, of which the first 32 items count.
    """
    if type(a) is not str:
        return
    if type(b) is str:
        yield from (TextReplacement(b, b + a), TextReplacement(b, a + b))
    elif type(b) in (*_SEQUENCES, dict, set, frozenset):
        texts = sorted(one for one in islice(b, _MOST) if type(one) is str)
        yield from (TextReplacement(a, text) for text in texts)


def of_call(name: str, on: object, arguments: tuple[object, ...]) -> Iterator[TextReplacement]:
    """Yield the replacements for ``on.startswith(prefix)`` and ``on.endswith(suffix)``, after these were false.

    There are none for calls of other methods, and for other arguments than a text or a tuple of texts.
    """
    if name not in ("startswith", "endswith") or type(on) is not str or not arguments:
        return
    for part in arguments[0] if type(arguments[0]) is tuple else arguments[:1]:
        if type(part) is str and name == "startswith":
            yield from (TextReplacement(on, part + on), TextReplacement(on, part + on[len(part) :]))
        elif type(part) is str:
            yield from (TextReplacement(on, on + part), TextReplacement(on, on[: len(on) - len(part)] + part))
