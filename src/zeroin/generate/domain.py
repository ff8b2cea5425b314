"""The domain of a search: the ranges of the words, and the values worth trying for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..minimize import Domain
from ..minimize.dictionary import derived, special
from ..subject.base import Signature, Words
from ..subject.constant import Constant
from ..words import LARGE, ORDINARY, Kind, encode

_SMALL, _HUGE = 1 << 14, 1 << 24


def domain_of(signature: Signature, constants: Iterable[Constant]) -> Domain:
    """Return the domain of a subject. Values outside of a word's range are not worth trying.

    Args:
        signature: the signature of the subject.
        constants: the constants that the subject compares with.
    """
    known = list(constants)
    pools: list[tuple[int, ...]] = []
    ranges = signature.ranges()
    for parameter in signature.parameters:
        for kind, hints in zip(parameter.kinds, parameter.hints(), strict=True):
            words = list(dict.fromkeys([*special(kind), *hints, *(w for c in known for w in derived(kind, c))]))
            low, high = ranges[len(pools)]
            pools.append(tuple(w for w in words if low <= w <= high))
    return Domain(signature.kinds, tuple(ranges), tuple(pools), _runs(signature, ranges))


def _runs(signature: Signature, ranges: Sequence[tuple[int, int]]) -> tuple[tuple[int, tuple[Words, ...]], ...]:
    """Return values worth trying for several words of a parameter together, if all these words are in their ranges.

    Returns:
        The index of the first word, among all words of the input, and the values. A parameter may have several entries.
    """
    found, at = list[tuple[int, tuple[Words, ...]]](), 0
    for parameter in signature.parameters:
        for first, several in parameter.runs():
            fitting = tuple(words for words in several if _fits(words, ranges[at + first :]))
            found += [(at + first, fitting)] if fitting else []
        at += parameter.arity
    return tuple(found)


def _fits(words: Words, ranges: Sequence[tuple[int, int]]) -> bool:
    """Return whether each word is in its range."""
    return all(low <= word <= high for word, (low, high) in zip(words, ranges, strict=False))


def without(domain: Domain, places: Sequence[int]) -> Domain:
    """Return a domain in which the words with these indices are always 0."""
    ranges, pools = list(domain.ranges), list(domain.pools)
    for place in places:
        ranges[place], pools[place] = (0, 0), (0,)
    return Domain(domain.kinds, tuple(ranges), tuple(pools), domain.runs)


def opened(domain: Domain, whole: Domain, places: Sequence[int]) -> Domain:
    """Return a domain in which the words with these indices have the ranges and values of another domain."""
    ranges, pools = list(domain.ranges), list(domain.pools)
    for place in places:
        ranges[place], pools[place] = whole.ranges[place], whole.pools[place]
    return Domain(domain.kinds, tuple(ranges), tuple(pools), domain.runs)


def hurried(domain: Domain, constants: Iterable[Constant]) -> Domain:
    """Return the domain with the values worth trying in another order, for a subject with time for few runs only.

    One of its runs took long or killed its process. Values from the subject's constants come first: the constants
    themselves, the largest first, then their neighbours. 0 and 1 were already tried.
    """
    known, pools = list(constants), []
    for kind, pool in zip(domain.kinds, domain.pools, strict=True):
        means = [words for constant in known if (words := derived(kind, constant))]
        itself = sorted((words[0] for words in means), key=abs, reverse=True)
        ordered = dict.fromkeys([*itself, *(word for words in means for word in words), *pool])
        pools.append(tuple(word for word in ordered if word in pool))
    return Domain(domain.kinds, domain.ranges, tuple(pools), domain.runs)


def ordinary(domain: Domain) -> Domain:
    """Return a domain in which numbers are finite and of moderate size, at most 1e6; characters and lengths stay.

    A range that is completely outside stays as it is.
    """
    ranges = []
    for kind, (low, high) in zip(domain.kinds, domain.ranges, strict=True):
        if kind in LARGE:
            size = float(ORDINARY) if kind.is_float else ORDINARY
            least = encode(kind, -size) if kind not in (Kind.U32, Kind.U64) else low
            most = encode(kind, size)
            low, high = (max(low, least), min(high, most)) if low <= most and high >= least else (low, high)
        ranges.append((low, high))
    pools = tuple(
        tuple(w for w in pool if low <= w <= high) for pool, (low, high) in zip(domain.pools, ranges, strict=True)
    )
    return Domain(domain.kinds, tuple(ranges), pools, domain.runs)


def narrowed(domain: Domain, constants: Iterable[Constant]) -> Domain:
    """Return a domain in which Python's unbounded integers are small, for use after a run that did not return.

    Code such as ``10**n`` or ``range(n)`` does not return for large n. The limit of the size is 2**14, or about
    twice the subject's largest constant below 2**24. A range that is completely outside stays as it is.

    Values worth trying are dropped if they are outside; those for several words together stay.
    """
    known = (abs(word) for constant in constants for word in derived(Kind.INT, constant))
    limit = max([_SMALL, *(2 * size for size in known if size < _HUGE)])
    ranges = tuple(
        (max(low, -limit), min(high, limit)) if kind is Kind.INT and low <= limit and high >= -limit else (low, high)
        for kind, (low, high) in zip(domain.kinds, domain.ranges, strict=True)
    )
    pools = tuple(
        tuple(w for w in pool if low <= w <= high) for pool, (low, high) in zip(domain.pools, ranges, strict=True)
    )
    return Domain(domain.kinds, ranges, pools, domain.runs)
