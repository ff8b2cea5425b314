"""Recognise Python exceptions that are the input's fault: non-finite numbers, and sizes that no machine has."""

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
_LARGE = 1 << 24  # a number of this size or more may be a size that exceeds the memory
_LITTLE = 0.5  # a share of the allowed memory; a process that used more of it has allocated it piece by piece


def excuse(outcome: Termination, error: BaseException, kinds: Sequence[Kind], words: Words) -> str:
    """Return the reason why an exception is no finding, as a clause about the input; empty if it is a finding.

    Args:
        outcome: the termination of the run; only RAISED and MEMORY may be excused.
        error: the exception.
        kinds: the kinds of the words.
        words: the input, as ordered words.
    """
    if outcome is Termination.MEMORY:
        too_large = _largest(kinds, words) >= _LARGE and _taken() < _LITTLE
        return f"requests more memory at once than there is ({type(error).__name__})" if too_large else ""
    if outcome is not Termination.RAISED or not isinstance(error, ValueError | OverflowError):
        return ""
    message = str(error)
    shown = f"{type(error).__name__}: {message}"
    if _SIZE.search(message) and _largest(kinds, words) >= _LARGE:
        return f"requests a size that no machine has ({shown})"
    if _NOT_FINITE.search(message) and not math.isfinite(_largest(kinds, words)):
        return f"raises {shown}, which no finite input does, as far as known (--finite leaves such inputs out)"
    return ""


def _largest(kinds: Sequence[Kind], words: Words) -> float:
    """Return the largest absolute value of the input's ints and floats; 0 if there are none.

    Words of other kinds, such as lengths, do not count. A NaN counts as infinity, and an int as 1e300 at most.
    """
    sizes = (_size(kind, word) for kind, word in zip(kinds, words, strict=True) if kind is Kind.INT or kind.is_float)
    return max(sizes, default=0.0)


def _size(kind: Kind, word: int) -> float:
    """Return the absolute value of a number; infinity for NaN, and at most 1e300 for an int."""
    value = decode(kind, word)
    return math.inf if value != value else min(abs(value), 1e300) if kind is Kind.INT else abs(value)


def _taken() -> float:
    """Return the peak memory use of this process as a share of its limit; 0 without a limit."""
    allowed = memory_allowed()
    return 0.0 if allowed is None else 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / allowed
