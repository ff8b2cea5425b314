"""Exceptions of Python's own that say more of an input than of the function: of a number that is not finite, and of a
size that no machine has."""

from __future__ import annotations

import math
import re
import resource
from collections.abc import Sequence

from ....limits import memory_allowed
from ....subject.base import Termination, Words
from ....words import Kind, decode

_NOT_FINITE = re.compile(r"math domain error|\b(?:in|non-?)?finite\b|infinit|\bnans?\b|\binfs?\b", re.I)
_SIZE = re.compile(
    r"too large to convert to C s?size_t|index-sized integer|too many digits in integer|repeated \w+ (is|are) too long"
    r"|(?:should|must) not exceed \d{15,}|sys\.maxsize|Maximum allowed (?:dimension|size)|array is too big"
)
_LARGE = 1 << 24  # a number that may be a size of which there is not enough
_LITTLE = 0.5  # of the memory that runs may take: what has taken more has asked for it piece by piece


def excuse(outcome: Termination, error: BaseException, kinds: Sequence[Kind], words: Words) -> str:
    """Why a run that ended so is no finding, as it is told of its input; empty if it is one.

    Args:
        outcome: as it would be counted.
        error: what Python has raised.
        kinds: of the words.
        words: the input.
    """
    if outcome is Termination.MEMORY:
        too_large = _largest(kinds, words) >= _LARGE and _taken() < _LITTLE
        return f"asks at once for more memory than there is ({type(error).__name__})" if too_large else ""
    if outcome is not Termination.RAISED or not isinstance(error, ValueError | OverflowError):
        return ""
    message = str(error)
    shown = f"{type(error).__name__}: {message}"
    if _SIZE.search(message) and _largest(kinds, words) >= _LARGE:
        return f"asks for more than any machine has ({shown})"
    if _NOT_FINITE.search(message) and not math.isfinite(_largest(kinds, words)):
        return f"raises {shown}, which no finite input was found to do (--finite leaves such inputs out)"
    return ""


def _largest(kinds: Sequence[Kind], words: Words) -> float:
    """The size of the largest number; infinite, too, if one is no number."""
    sizes = (_size(kind, word) for kind, word in zip(kinds, words, strict=True) if kind is Kind.INT or kind.is_float)
    return max(sizes, default=0.0)


def _size(kind: Kind, word: int) -> float:
    value = decode(kind, word)
    return math.inf if value != value else min(abs(value), 1e300) if kind is Kind.INT else abs(value)


def _taken() -> float:
    """The most memory that this process has had, as a share of what it may have."""
    allowed = memory_allowed()
    return 0.0 if allowed is None else 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / allowed
