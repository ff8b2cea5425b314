"""How ordinary the numbers of an input are. The parent process imports this, so it imports little."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..subject.base import Words
from ..words import LARGE, ORDINARY, Kind, decode

_LEAST = 1e-9  # the least size of an ordinary float that is not 0


def is_finite(kinds: Sequence[Kind], words: Words) -> bool:
    """Return whether no float (F64 or F32) among the words is infinite or a NaN. Other kinds do not count."""
    return not strange(kinds, words)


def is_moderate(kinds: Sequence[Kind], words: Words) -> bool:
    """Return whether no number of an input is larger than 1e6, infinite or a NaN. It may be tiny."""
    return all(size <= ORDINARY for size, _ in _sizes(kinds, words))


def is_ordinary(kinds: Sequence[Kind], words: Words) -> bool:
    """Return whether the numbers of an input are finite and of moderate size: 0, or at least 1e-9 and at most 1e6."""
    return all(size <= ORDINARY and (size == 0 or size >= _LEAST or not is_float)
               for size, is_float in _sizes(kinds, words))  # fmt: skip


def _sizes(kinds: Sequence[Kind], words: Words) -> Iterator[tuple[float, bool]]:
    """Yield the size of each number, and whether it is a float. Characters and small integers are left out."""
    for kind, word in zip(kinds, words, strict=True):
        if kind in LARGE:
            yield abs(decode(kind, word)), kind.is_float


def strange(kinds: Sequence[Kind], words: Words) -> list[int]:
    """Return the indices of words that encode an infinity or a NaN."""
    return [at for at, (kind, word) in enumerate(zip(kinds, words, strict=True))
            if kind.is_float and not math.isfinite(decode(kind, word))]  # fmt: skip
