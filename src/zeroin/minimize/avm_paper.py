"""The alternating variable method of FloPSy (Lakhotia et al. 2010, sections 2.3 and 3.2).

It works on values, not on ordered words: a move adds ``2**it * dir * 10**-prec``. When no move helps, it raises the
precision of the variables, where this has an effect. The limit is 15 digits for double, 7 for float and 0 for integers.
When no precision can be raised, a local restart (``10**-prec * r`` is added to every variable) and a global one take
turns.

The summand is computed as a double and converted to the variable's type before the addition (section 3.2, "Neighborhood
Moves"). So a float is a float after every move, and a 64-bit integer keeps all its bits. A choice of ours: a move
beyond the range of the type stops at the end of the range.

With ``fixed=2, restart=random`` it is the method of Baars et al. 2011, section V-A.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import OptionError
from ..native.kernel import allocating, inlined, kernel
from ..native.words import value_of_word, word_of_value
from ..subject.base import WordArray
from ..words import Kind
from .base import Domain, Door, NativeDomain, Random, evaluate, is_open, moved, random_unit, sample, uniform

RESTARTS = ("both", "local", "global", "random")
_LOCAL, _GLOBAL, _RANDOM = 1, 2, 3  # indices in RESTARTS
_F32, _INT = int(Kind.F32), int(Kind.INT)
_LAST_EXACT = (1 << 62) - 1  # larger words of Kind.INT are not the integers themselves


@dataclass(frozen=True)
class AlternatingVariables:
    """FloPSy's alternating variable method, a minimizer. The defaults are those of the paper.

    Args:
        prec_double: the highest precision of a double, in decimal digits.
        prec_float: the highest precision of a float, in decimal digits.
        restart: ``both`` (local and global restarts in turn), ``local``, ``global``, or ``random`` (all values of the
            domain are equally likely).
        fixed: a precision of floats that is never raised. -1: it starts at 0 and is raised.
        pools: whether starts also use values worth trying. Those of the paper are random.

    Raises:
        OptionError: a precision is beyond that of the type, or the restart is unknown.
    """

    prec_double: int = 15
    prec_float: int = 7
    restart: str = "both"
    fixed: int = -1
    pools: bool = False

    def __post_init__(self) -> None:
        for name, most in (("prec_double", 15), ("prec_float", 7)):
            if not 0 <= getattr(self, name) <= most:
                raise OptionError(f"{name} must be from 0 to {most}, not {getattr(self, name)}")
        if not -1 <= self.fixed <= 15:
            raise OptionError(f"fixed must be from 0 to 15, or -1, not {self.fixed}")
        if self.restart not in RESTARTS:
            raise OptionError(f"no restart {self.restart!r}; there are {', '.join(RESTARTS)}")

    def __call__(self, door: Door, domain: Domain, x: WordArray, rng: Random) -> None:
        """Minimise from ``x`` until the door closes."""
        drawn_from = domain if self.pools else domain.plain
        limits = (self.prec_double, self.prec_float, self.fixed)
        _alternate(door.native, drawn_from.native, x, rng, limits, RESTARTS.index(self.restart))


@allocating
def _alternate(door: int, domain: NativeDomain, x: WordArray, rng: Random, limits: object, restart: int) -> None:
    """Run the main loop."""
    n = len(x)
    precision = np.zeros(n, dtype=np.int64)
    _begin(domain, precision, limits)
    local_next = restart != _GLOBAL and restart != _RANDOM
    while is_open(door):
        best = evaluate(door, x)
        _climb(door, domain, x, precision, best, limits)
        if local_next:
            for i in range(n):
                x[i] = added(domain, i, x[i], 10.0 ** -float(precision[i]) * random_unit(rng))
        elif restart == _RANDOM:
            for i in range(n):
                x[i] = uniform(domain, i, rng)
            _begin(domain, precision, limits)
        else:
            sample(domain, x, rng)
            _begin(domain, precision, limits)
        if restart == 0:
            local_next = not local_next


@kernel
def _begin(domain: NativeDomain, precision: Any, limits: Any) -> None:
    """Set the precisions with which a climb begins."""
    for i in range(len(precision)):
        precision[i] = max(0, limits[2]) if domain.kinds[i] <= _F32 else 0


@inlined
def added(domain: NativeDomain, i: int, word: object, delta: float) -> Any:
    """Return variable i's word after an addition to its value. The delta is first converted to the type."""
    return _added(domain.kinds[i], domain.low[i], domain.high[i], word, delta)


@kernel
def _added(kind: Any, low: Any, high: Any, word: Any, delta: float) -> Any:
    """Do the same as :func:`added`, with the kind and the range of the variable."""
    if kind == _F32:
        delta = float(np.float32(delta))
    if kind <= _F32:
        return word_of_value(kind, value_of_word(kind, word) + delta, low, high)
    whole = np.trunc(delta)
    if abs(whole) < 2.0**62:
        there = moved(word, np.int64(whole), low, high)
        if kind != _INT or (abs(word) <= _LAST_EXACT and abs(there) <= _LAST_EXACT):
            return there
    elif kind != _INT:
        return high if whole > 0.0 else low
    return word_of_value(kind, value_of_word(kind, word) + whole, low, high)


@kernel
def _climb(door: int, domain: NativeDomain, x: WordArray, precision: Any, best: float, limits: Any) -> None:
    """Make exploratory and pattern moves, and raise the precision, until nothing helps."""
    n = len(x)
    i = 0
    while is_open(door):
        improved = False
        for direction in (-1.0, 1.0):
            step = direction * 10.0 ** -float(precision[i])
            value = _try(door, domain, x, i, step, best)
            if value < best:
                best = _pattern(door, domain, x, i, step, value)
                improved = True
                break
        if improved:
            i = 0
            continue
        i += 1
        if i == n:
            if not _raise_precision(domain, x, precision, limits):
                return
            i = 0


@kernel
def _try(door: int, domain: NativeDomain, x: WordArray, i: int, delta: float, best: float) -> float:
    """Add the delta to variable i if that helps; return the objective reached."""
    here = x[i]
    x[i] = added(domain, i, here, delta)
    value = evaluate(door, x)
    if not value < best:
        x[i] = here
        return best
    return value


@kernel
def _pattern(door: int, domain: NativeDomain, x: WordArray, i: int, delta: float, best: float) -> float:
    """Make ever larger moves in the same direction while they help; return the objective reached."""
    it = 1
    while is_open(door) and it < 1100:
        value = _try(door, domain, x, i, 2.0**it * delta, best)
        if not value < best:
            break
        best = value
        it += 1
    return best


@kernel
def _raise_precision(domain: NativeDomain, x: WordArray, precision: Any, limits: Any) -> bool:
    """Raise the precision of each variable for which this has an effect; return whether there was one."""
    raised = False
    for i in range(len(x)):
        kind = domain.kinds[i]
        limit = limits[kind] if kind <= _F32 and limits[2] < 0 else 0
        if precision[i] < limit and added(domain, i, x[i], 10.0 ** -float(precision[i] + 1)) != x[i]:
            precision[i] += 1
            raised = True
    return raised
