"""Inputs without infinities and NaNs, where these are not what it takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product

from ..subject.base import Run, Signature, Words
from ..words import Kind, decode, encode
from .simplify import Again, NoMore

_MOST = 200  # inputs that are tried
_SIZES = (1.7976931348623157e308, 1.0, 1e16, 0.0, 1e300, 1000.0, 1e-300)


def is_finite(kinds: Sequence[Kind], words: Words) -> bool:
    """Whether no float among the words is infinite or a NaN."""
    return not _strange(kinds, words)


def finite(signature: Signature, run: Run, again: Again, will_do: Callable[[Run], bool]) -> Run:
    """The run with finite numbers in place of those that are not, if such a run will do; else the run as it is.

    Args:
        signature: of the subject; it says what the words are.
        run: the run.
        again: runs the subject, or raises :class:`NoMore`.
        will_do: whether a run is as good.
    """
    places = _strange(signature.kinds, run.words)
    limits = signature.ranges()
    choices = [[word for word in _instead(signature.kinds[at], run.words[at]) if limits[at][0] <= word <= limits[at][1]]
               for at in places]  # fmt: skip
    try:
        for chosen in islice(_combined(choices), _MOST if places else 0):
            words = list(run.words)
            for at, word in zip(places, chosen, strict=True):
                words[at] = word
            trial = again(tuple(words))
            if will_do(trial):
                return trial
    except NoMore:
        return run
    return run


def _strange(kinds: Sequence[Kind], words: Words) -> list[int]:
    return [at for at, (kind, word) in enumerate(zip(kinds, words, strict=True))
            if kind.is_float and not math.isfinite(decode(kind, word))]  # fmt: skip


def _instead(kind: Kind, word: int) -> Iterator[int]:
    """The words of finite numbers; of an infinity those of its sign first."""
    sign = math.copysign(1.0, decode(kind, word))
    for one in (sign, -sign):
        for size in _SIZES:
            value = math.copysign(size, one)
            if math.isfinite(decode(kind, found := encode(kind, value))):  # the largest is none of a small float
                yield found


def _combined(choices: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """One of each: alike ones first, then all."""
    yield from zip(*choices, strict=False)
    yield from product(*choices)
