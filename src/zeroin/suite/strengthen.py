"""Additional or alternative inputs that kill more mutants than branch coverage alone does.

Inputs are ordered words: 64-bit integers in the order of the values that they encode (:mod:`zeroin.words`).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice

from ..subject.base import Run, Signature, Words
from ..subject.constant import Constant
from ..subject.mutants import Kills
from ..words import OWN_WORDS, Kind, decode, encode, value_range, word_from_bits, word_range
from .plausible import level_of
from .simplify import Again, NoMore, simplify_one

Differing = Callable[[Words, Sequence[int]], frozenset[int]]  # returns which of these mutants an input kills
MOST_TIMES = 3  # kept inputs, as a multiple of the inputs that branch coverage needs
LEAST = 4  # inputs always allowed, for straight-line code
_FEW_IN_VAIN, _IN_VAIN = 200, 40  # unsuccessful candidates before the end: fixed, and per survivor
_IN_TURN = 20  # candidates from each source before the other source's turn
_SHARE_OF_SEARCH = 0.6  # of the allowance; the rest simplifies the chosen inputs


def strengthen(signature: Signature, pools: Sequence[Sequence[int]], base: Sequence[Run], others: Sequence[Run],
               wanted: frozenset[int], mutants: Iterable[int], constants: Iterable[Constant], again: Again,
               differing: Differing, spent: Callable[[], float], seed: int,
               tell: Callable[[Kills], None]) -> list[Kills]:  # fmt: skip
    """Return inputs that cover the wanted branches and kill many mutants, each with the mutants that it kills.

    Args:
        signature: the subject's signature.
        pools: for each word, its dictionary: values worth trying.
        base: the fewest runs that cover the wanted branches; at least one.
        others: further known runs.
        wanted: numbers of branches that must stay covered.
        mutants: numbers of the mutants to kill.
        constants: constants that the subject compares with.
        again: runs the subject.
        differing: runs mutants and returns those that an input kills.
        spent: returns the share of the allowance used so far. At 0.6 the search ends, and at 1 the simplification.
        seed: the seed of the random choices.
        tell: called at once with each run that kills another mutant, but not with those of ``base``.

    Returns:
        The chosen inputs, simplified, at most three times as many as ``base`` (or 4 if that is more). Only coverage and
        inputs of ``base`` with an expected exception may exceed it.
    """
    everything = sorted(mutants)
    found = [Kills(run, differing(run.words, everything)) for run in base]
    left = set(everything).difference(*(one.mutants for one in found))
    rng = random.Random(seed)
    candidates = Candidates(signature, constants, pools, rng)
    for run in [*base, *others]:
        candidates.add(run.words)
    vain = 0
    seen = {run.words for run in base}
    first = sorted((run.words for run in others), key=partial(level_of, signature))  # plausible ones come first
    for words in chain(first, candidates):
        if not left or vain >= _FEW_IN_VAIN + _IN_VAIN * len(left) or spent() > _SHARE_OF_SEARCH:
            break
        vain += 1
        if words in seen:
            continue
        seen.add(words)
        run = again(words)
        new = differing(words, sorted(left)) if run.returned else frozenset()
        if new:
            vain = 0
            left -= new
            found.append(Kills(run, differing(words, everything)))
            tell(found[-1])
            candidates.add(words)
    chosen = choose(found, wanted, max(LEAST, MOST_TIMES * len(base)), partial(level_of, signature))
    # An input with an expected exception stays, too.
    chosen += [one for one in found[: len(base)] if one.run.end and one not in chosen]
    return _simplified(signature, chosen, wanted, everything, again, differing, spent)


def choose(found: Sequence[Kills], wanted: frozenset[int], most: int,
           level: Callable[[Words], int] = lambda words: 0) -> list[Kills]:  # fmt: skip
    """Select runs that keep all covered wanted branches and kill the most mutants, in the order of ``found``.

    The choice is greedy. If no run covers or kills anything, the first one is selected; without runs, none.

    Args:
        found: all runs, each with the mutants it kills.
        wanted: numbers of branches.
        most: the largest number of runs. Only coverage may exceed it.
        level: the level of an input, which decides between runs that cover and kill as much: the lower, the better.
    """
    levels = {id(one): level(one.run.words) for one in found}
    outcomes = set(wanted).intersection(frozenset().union(*(one.run.covered for one in found)))
    mutants = set[int]().union(*(one.mutants for one in found))
    chosen, left = list[Kills](), list(found)
    while left:
        best = max(left, key=lambda one: (len(one.run.covered & outcomes), len(one.mutants & mutants),
                                          -levels[id(one)]))  # fmt: skip
        if not best.run.covered & outcomes and not (best.mutants & mutants and len(chosen) < most):
            break
        left.remove(best)
        chosen.append(best)
        outcomes -= best.run.covered
        mutants -= best.mutants
    chosen = chosen or list(found[:1])  # without branches and mutants, show one input all the same
    order = {id(one): number for number, one in enumerate(found)}
    return sorted(chosen, key=lambda one: order[id(one)])


def _simplified(signature: Signature, chosen: Sequence[Kills], wanted: frozenset[int], everything: Sequence[int],
                again: Again, differing: Differing, spent: Callable[[], float]) -> list[Kills]:  # fmt: skip
    """Simplify the chosen inputs. Each keeps the branches and mutants that only it covers or kills."""
    result = list(chosen)
    for polish in (False, True):  # plausible values of all inputs come before the finish of a single one
        order = sorted(range(len(result)), key=lambda n: -level_of(signature, result[n].run.words))
        for number in order:
            one = result[number]
            others = [other for at, other in enumerate(result) if at != number]
            outcomes = (one.run.covered & wanted).difference(*(other.run.covered for other in others))
            mutants = one.mutants.difference(*(other.mutants for other in others))
            will_do = _Keeping(one.run, outcomes, sorted(mutants), differing)
            simpler = simplify_one(signature, one.run, _until(again, spent), will_do, ordinary=True, polish=polish)
            if simpler is not one.run:
                same = simpler.words == one.run.words
                result[number] = Kills(simpler, one.mutants if same else differing(simpler.words, everything))
    return result


class _Keeping:
    """Whether a run ends as another one, and keeps branches and mutants. Most runs that do not are found by one mutant.

    Args:
        run: the other run.
        outcomes: the branches to take.
        mutants: the mutants to kill.
        differing: runs mutants and returns those that an input kills.
    """

    def __init__(self, run: Run, outcomes: frozenset[int], mutants: list[int], differing: Differing) -> None:
        self._raises, self._outcomes, self._mutants, self._differing = run.end > 0, outcomes, mutants, differing

    def __call__(self, run: Run) -> bool:
        if not run.returned or (run.end > 0) != self._raises or not self._outcomes <= run.covered:
            return False
        mutants = self._mutants
        for part in (mutants[:1], mutants[1:]):
            survivors = set(part) - self._differing(run.words, part) if part else set()
            if survivors:  # ask for one of them first from now on
                mutants.sort(key=lambda mutant: mutant not in survivors)
                return False
        return True


def _until(again: Again, spent: Callable[[], float]) -> Again:
    """Return ``again``, which raises :class:`NoMore` once the allowance is used up."""

    def once(words: Words) -> Run:
        if spent() > 1.0:
            raise NoMore
        return again(words)

    return once


# ---- candidates ----


class Candidates:
    """An endless iterable of inputs to try, close to known inputs or far from them; empty if inputs have no words.

    At least one known input has to be added before the iteration; more may be added during it. Inputs may repeat.

    Two sources take turns. One replaces each word of a known input by each constant of the code and its neighbours. The
    other mutates known inputs at random.

    Args:
        signature: the subject's signature.
        constants: constants that the subject compares with.
        pools: for each word, its dictionary: values worth trying.
        rng: the source of randomness.
    """

    def __init__(self, signature: Signature, constants: Iterable[Constant], pools: Sequence[Sequence[int]],
                 rng: random.Random) -> None:  # fmt: skip
        self._ranges, self._kinds, self._pools, self._rng = signature.ranges(), signature.kinds, pools, rng
        known = list(constants)
        self._beside = {kind: _beside(kind, known) for kind in set(self._kinds)}
        self._bases: list[Words] = []
        self._swept = self._at = self._number = 0

    def add(self, words: Words) -> None:
        """Add a known input to start from."""
        self._bases.append(words)

    def __iter__(self) -> Iterator[Words]:
        while self._kinds:
            yield from islice(self._sweep(), _IN_TURN)
            for _ in range(_IN_TURN):
                yield self._drawn()

    def _sweep(self) -> Iterator[Words]:
        """Yield known inputs with one word replaced by a constant or its neighbour; continue after the last call's."""
        while self._swept < len(self._bases):
            base = self._bases[self._swept]
            while self._at < len(base):
                low, high = self._ranges[self._at]
                words = self._beside[self._kinds[self._at]]
                while self._number < len(words):
                    word = words[self._number]
                    self._number += 1
                    if low <= word <= high:
                        yield (*base[: self._at], word, *base[self._at + 1 :])
                self._at, self._number = self._at + 1, 0
            self._swept, self._at = self._swept + 1, 0

    def _drawn(self) -> Words:
        """Return a known input with some words replaced at random."""
        rng = self._rng
        words = list(rng.choice(self._bases))
        most = rng.choice((1, 1, 2, len(words)))
        for at in rng.sample(range(len(words)), min(most, len(words))):
            low, high = self._ranges[at]
            words[at] = min(max(self._another(words[at], at), low), high)
        return tuple(words)

    def _another(self, word: int, at: int) -> int:
        """Return a random replacement for the word at this index."""
        rng, kind = self._rng, self._kinds[at]
        way = rng.randrange(9)
        if way < 3:
            return ordinary(kind, rng)
        if way == 3:
            return word + rng.choice((-1, 1))
        if way == 4 and self._pools[at]:
            return rng.choice(self._pools[at])
        if way == 5:
            return word + rng.choice((-1, 1)) * (1 << rng.randrange(53 if kind is Kind.F64 else 24))
        if way == 6 and self._beside[kind]:
            return rng.choice(self._beside[kind])
        return rng.choice(rng.choice(self._bases)) if way == 7 else rng.choice(self._bases)[at]


def _beside(kind: Kind, constants: Iterable[Constant]) -> list[int]:
    """Return the words of constants, of their direct neighbours, and of numbers one or a half above and below.

    Constants that are not finite, or do not fit the kind, are left out. For F80 and F16 the result is empty.
    """
    found = dict[int, None]()
    low, high = word_range(kind)
    for constant in constants:
        value = decode(constant.kind, word_from_bits(constant.kind, constant.bits))
        if kind in OWN_WORDS or (not kind.is_float and (isinstance(value, float) and not value.is_integer())):
            continue
        if isinstance(value, float) and not math.isfinite(value):
            continue
        steps = (0.0, 1.0, -1.0, 0.5, -0.5) if kind.is_float else (0, 1, -1)
        for step in steps:
            try:
                word = encode(kind, value + step if kind.is_float else int(value) + int(step))
            except (ValueError, OverflowError):  # the value does not fit into this kind
                continue
            found |= dict.fromkeys(w for w in (word, word + 1, word - 1) if low <= w <= high)
    return list(found)


def ordinary(kind: Kind, rng: random.Random) -> int:
    """Return the word of a random number, or character, of the sort that people write; always 0 for F80 and F16."""
    if kind is Kind.BOOL:
        return rng.randrange(2)
    if kind in (Kind.BYTE, Kind.CHAR):
        return rng.choice(b"abcdefxyzABCXYZ0123456789 .,:-+/_\\0")
    if kind in OWN_WORDS:
        return 0
    scale = 10 ** rng.choice((0, 0, 0, 1, 1, 2, 3))
    if kind.is_float:
        return encode(kind, round(rng.uniform(-10, 10), rng.choice((0, 1, 2))) * scale)
    number = rng.randrange(-3, 16) * scale + rng.randrange(8)
    if kind.name.startswith("U") or kind.bits == 8:
        number = abs(number) % (min(255, value_range(kind)[1]) + 1)
    return encode(kind, number)
