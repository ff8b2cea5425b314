"""Replacement of infinities and NaNs in inputs by finite numbers, wherever the input keeps its purpose.

Inputs are ordered words: 64-bit integers in the order of the values that they encode (:mod:`zeroin.words`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product

from ..subject.base import Run, Signature
from ..words import Kind, decode, encode
from .plausible import Level, level
from .simplify import Again, NoMore

_MOST = 200  # inputs tried
_SIZES = (1.7976931348623157e308, 1.0, 1e16, 0.0, 1e300, 1000.0, 1e-300)


def finite(signature: Signature, run: Run, again: Again, will_do: Callable[[Run], bool]) -> Run:
    """Return an acceptable run with finite numbers in place of infinities and NaNs; the given run if none is found.

    At most 200 inputs are tried. :class:`NoMore` ends the search and is not raised.

    Args:
        signature: the subject's signature; it gives the kinds and ranges of words.
        run: the run to replace.
        again: runs the subject; raises :class:`NoMore` when the allowance is used up.
        will_do: whether another run can replace this one.
    """
    values = signature.values_in(run.words)
    places = [value.start for value in values if level(value, run.words) is Level.NOT_FINITE and value.kind.is_float]
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


def _instead(kind: Kind, word: int) -> Iterator[int]:
    """Yield the words of finite numbers to use in place of this one; those of its sign come first."""
    sign = math.copysign(1.0, decode(kind, word))
    for one in (sign, -sign):
        for size in _SIZES:
            value = math.copysign(size, one)
            if math.isfinite(decode(kind, found := encode(kind, value))):  # may overflow a narrower float
                yield found


def _combined(choices: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Yield combinations of one item per sequence: items at equal indices first, then all combinations."""
    yield from zip(*choices, strict=False)
    yield from product(*choices)
