"""Simplification of the values of kept inputs, without losing a branch.

Inputs are ordered words: 64-bit integers in the order of the values that they encode (:mod:`zeroin.words`).
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial

from ..minimize.dictionary import nearest, word_near
from ..subject.base import Run, Signature, Words
from ..words import OWN_WORDS, Kind, Number, decode, encode, readable, value_range

Again = Callable[[Words], Run]


class NoMore(Exception):
    """Raised instead of running the subject, when the allowance for simplification is used up."""


def limited(again: Again, runs: int, seconds: float) -> Again:
    """Return ``again`` with a limit: it raises :class:`NoMore` after so many runs, or so many seconds from now."""
    until, left = time.monotonic() + seconds, runs

    def once(words: Words) -> Run:
        nonlocal left
        left -= 1
        if left < 0 or time.monotonic() > until:
            raise NoMore
        return again(words)

    return once


_LARGEST_EXACT = 2**53
_PLAIN = (0, 1, -1, 2, -2, 3, 0.5, -0.5, 4, 5, 10, 100)
_NEUTRAL, _AGAIN = 2.5, 1.0  # extra cost of 0, 1 and -1, and of a value that another word has


def simplify(signature: Signature, runs: Sequence[Run], wanted: frozenset[int], again: Again) -> list[Run]:
    """Simplify each run that returns, in turn, and return all runs in a new list of the same order.

    A run may lose branches that another run covers. Together the runs keep all wanted branches. Once ``again`` raises
    :class:`NoMore`, the remaining runs stay as they are.

    Args:
        signature: the subject's signature; it gives the kinds and ranges of words.
        runs: the kept runs.
        wanted: numbers of the branches to preserve.
        again: runs the subject, or raises :class:`NoMore`, see :func:`limited`.
    """
    kept = list(runs)
    times = Counter(outcome for run in kept if run.returned for outcome in run.covered & wanted)
    for number, run in enumerate(kept):
        if run.returned:
            needed = frozenset(outcome for outcome in run.covered & wanted if times[outcome] == 1)
            simpler = simplify_one(signature, run, again, partial(_returns_with, needed, run.end > 0))
            if simpler is not run:
                times.subtract(run.covered & wanted)
                times.update(simpler.covered & wanted)
                kept[number] = simpler
    return kept


def _returns_with(needed: frozenset[int], may_raise: bool, run: Run) -> bool:
    return run.returned and (may_raise or not run.end) and needed <= run.covered


def simplify_one(signature: Signature, run: Run, again: Again, will_do: Callable[[Run], bool],
                 ordinary: bool = False) -> Run:  # fmt: skip
    """Return an acceptable run that does less and has simpler words; the given run itself if none is found.

    :class:`NoMore` ends the search and is not raised: the result is the simplest run so far.

    Args:
        signature: the subject's signature.
        run: the run to simplify.
        again: runs the subject, or raises :class:`NoMore`.
        will_do: whether another run can replace this one.
        ordinary: avoid 0, 1, -1 and equal values, as they hide differences between operators.
    """
    best, simpler = None, run
    words = list(zip(signature.kinds, signature.ranges(), strict=True))
    try:
        for rounds_left in (2, 1, 0):
            while (shorter := _shorter(signature, simpler, again, will_do)) is not None:
                simpler = shorter
            if not rounds_left or simpler == best:
                break
            best = simpler
            for at, (kind, limits) in enumerate(words):
                if at in signature.usual(simpler.words):
                    continue
                others = {*simpler.words[:at], *simpler.words[at + 1 :]} if ordinary else None
                alike = [n for n, one in enumerate(simpler.words) if one == simpler.words[at] and words[n] == words[at]]
                for places in ([at], alike) if len(alike) > 1 else ([at],):
                    before = simpler
                    simpler = _simplify_words(kind, limits, simpler, places, again, will_do, others)
                    if simpler is not before:
                        break
    except NoMore:
        return simpler
    return simpler


def _shorter(signature: Signature, run: Run, again: Again, will_do: Callable[[Run], bool]) -> Run | None:
    """Return the first acceptable run of an input that omits a part of this one; None if there is none."""
    trials = map(again, signature.shorter(run.words))
    return next((trial for trial in trials if will_do(trial)), None)


def _simplify_words(kind: Kind, limits: tuple[int, int], run: Run, places: Sequence[int], again: Again,
                    will_do: Callable[[Run], bool], others: Set[int] | None) -> Run:  # fmt: skip
    """Return the acceptable run with the simplest word at these indices; the given run if none is simpler.

    The words at these indices are equal, and stay equal.
    """
    for candidate in _simpler(kind, run.words[places[0]], others):
        if limits[0] <= candidate <= limits[1]:
            words = list(run.words)
            for at in places:
                words[at] = candidate
            trial = again(tuple(words))
            if will_do(trial):
                return trial
    return run


def _simpler(kind: Kind, word: int, others: Set[int] | None) -> Iterator[int]:
    """Yield words of simpler values, simplest first.

    Args:
        kind: the kind of the word.
        word: the word to simplify.
        others: the input's other words, which should differ from this one; None if that does not matter.
    """
    now = _cost(kind, word) + _oddity(kind, word, others)
    if now == 0.0:
        return
    seen: dict[int, float] = {}
    for value in _candidates(kind, decode(kind, word)):
        candidate = encode(kind, value)
        cost = _cost(kind, candidate) + _oddity(kind, candidate, others)
        if cost < now and candidate not in seen:
            seen[candidate] = cost
    yield from sorted(seen, key=lambda w: (seen[w], abs(w - word)))


def _oddity(kind: Kind, word: int, others: Set[int] | None) -> float:
    """Return the extra cost of a value that may hide mutants: for 0, 1 and -1, or two equal values, operators agree."""
    if others is None or kind in (Kind.BOOL, Kind.BYTE, Kind.CHAR, *OWN_WORDS):
        return 0.0
    return _NEUTRAL * (decode(kind, word) in (0, 1, -1)) + _AGAIN * (word in others)


def _cost(kind: Kind, word: int) -> float:
    """Return how complex a value is to read: its number of characters, with surcharges for signs and unusual values."""
    if kind in OWN_WORDS:
        return _cost(Kind.F64, encode(Kind.F64, nearest(kind, word)))
    text = readable(kind, word)
    if kind is Kind.BYTE:
        return 0.0 if word == 0 else 1.0 if word == ord("a") else 1.5 if 48 <= word < 127 and chr(word).isalnum() else (
            2.0 if 32 <= word < 127 else 4.0)  # fmt: skip
    if kind is Kind.CHAR:
        return 0.0 if text == "'a'" else (0.5 if text[1:-1].isalnum() else 1.0) + len(text) - 3
    value = decode(kind, word)
    if isinstance(value, float) and not math.isfinite(value):
        return 10.0 if math.isinf(value) else 11.0
    digits = text.lower().removeprefix("-").removesuffix(".0")
    plain = value in _PLAIN
    zeros = len(digits) - len(digits.rstrip("0")) if digits.isdigit() else 0  # 12000 reads better than 12345
    cost = len(digits) - 0.5 * zeros + 0.5 * text.startswith("-") + 0.25 * ("." in digits) + 2.0 * ("e" in digits)
    return (0.0 if value == 0 and not text.startswith("-") else 0.5 + 0.1 * cost) if plain else 1.0 + cost


def _candidates(kind: Kind, value: Number) -> Iterator[Number]:
    """Yield values, near the given one or well known, that may be simpler; some repeatedly, and in no order."""
    if kind is Kind.BOOL:
        yield False
        return
    if kind in OWN_WORDS:
        floats = _candidates(Kind.F64, nearest(kind, int(value)))
        yield from (word_near(kind, one) for one in floats if isinstance(one, float))
        return
    if kind is Kind.BYTE:
        yield from b"\0aA0 bxz1.-"
        return
    if kind is Kind.CHAR:
        yield from map(ord, "aA0 bxz1.-")
        return
    if not isinstance(value, float):
        low, high = value_range(kind)
        numbers = [*(int(v) for v in _PLAIN if v == int(v)), -value, *_rounded_integers(int(value))]
        yield from (n for n in numbers if low <= n <= high)
        return
    yield from (float(v) for v in _PLAIN)
    if not math.isfinite(value):
        yield from (1e300, math.copysign(math.inf, value)) if math.isnan(value) else (math.copysign(1e300, value),)
        yield math.nan
        return
    yield from (-value, math.copysign(math.inf, value))
    if abs(value) >= _LARGEST_EXACT:
        yield from (math.copysign(size, value) for size in (1e16, 1e20, 1e100, 1e200))
    else:
        yield from (float(math.floor(value)), float(math.ceil(value)), math.trunc(value * 2) / 2)
    if value != 0.0:
        exponent = math.frexp(value)[1]
        yield from (math.copysign(math.ldexp(1.0, min(exponent - d, 1023)), value) for d in (0, 1))
        for digits in range(17):
            for direction in (0, 1, -1):
                yield from _rounded(value, digits, direction)


def _rounded(value: float, digits: int, direction: int) -> Iterator[float]:
    """Yield the value rounded to so many digits after the first, plus ``direction`` units of the last digit.

    Nothing is yielded if the result is infinite.
    """
    mantissa, _, exponent = f"{value:.{digits}e}".partition("e")
    if direction:
        scaled = int(mantissa.replace(".", "")) + direction
        text = f"{scaled}e{int(exponent) - digits}"
    else:
        text = f"{mantissa}e{exponent}"
    result = float(text)
    if math.isfinite(result):
        yield result


def _rounded_integers(value: int) -> Iterator[int]:
    """Yield the value rounded down and up to multiples of 10, 100, and so on."""
    for digits in range(1, 20):
        step = 10**digits
        if step > abs(value) * 10:
            return
        yield from (value // step * step, -(-value // step) * step)
