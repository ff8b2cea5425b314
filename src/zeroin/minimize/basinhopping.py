"""Basin hopping as in CoverMe (Fu & Su 2016, Algorithm 1 and section 5.1): SciPy's, over doubles.

It makes ``n_iter`` Monte Carlo moves from each of ``n_start`` starts, with Powell's method as the local minimiser.
SciPy calls Python for every evaluation, so this minimizer is slow; it exists for comparisons with the paper. Choices of
ours: a value beyond the range of its word becomes the end of the range, and starts are made finite. The paper draws its
starts with Hypothesis and does not say from which distribution; ``starts`` offers three.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import OptionError
from ..native.words import value_of_word, word_of_value
from ..subject.base import WordArray
from .base import ALL_BITS, SMALL, Domain, Door, Random, is_open, sample, sample_all

if TYPE_CHECKING:
    from numpy.typing import NDArray

# SciPy's local minimisers that need no derivatives.
LOCAL = ("powell", "nelder-mead", "cg", "bfgs", "l-bfgs-b", "tnc", "cobyla", "slsqp", "trust-constr")
_WAYS = {"bits": ALL_BITS, "small": SMALL}
STARTS = ("mixed", *_WAYS)


class _Closed(Exception):
    """The door closed while SciPy's loop was running."""


@dataclass(frozen=True)
class BasinHopping:
    """CoverMe's minimizer. The defaults are those of the paper's evaluation (section 6.1).

    Args:
        n_start: the number of starts.
        n_iter: the number of Monte Carlo moves from each start.
        local: the local minimiser (LM), one of ``LOCAL``.
        pools: whether starts also use values worth trying.
        starts: how starts are drawn. ``bits``: all bit patterns are equally likely. ``small``: values of magnitudes up
            to 2048. ``mixed``: as those of the other minimizers, five eighths are bits.

    Raises:
        OptionError: there is no start, the number of moves is negative, or the local minimiser or the kind of starts
            is unknown.
    """

    n_start: int = 500
    n_iter: int = 5
    local: str = "powell"
    pools: bool = False
    starts: str = "mixed"

    def __post_init__(self) -> None:
        if self.n_start < 1:
            raise OptionError(f"n_start must be at least 1, not {self.n_start}")
        if self.n_iter < 0:
            raise OptionError(f"n_iter must be at least 0, not {self.n_iter}")
        if self.local not in LOCAL:
            raise OptionError(f"no local {self.local!r}; there are {', '.join(LOCAL)}")
        if self.starts not in STARTS:
            raise OptionError(f"no starts {self.starts!r}; there are {', '.join(STARTS)}")

    def __call__(self, door: Door, domain: Domain, x: WordArray, rng: Random) -> None:
        """Minimise from ``x``, then from ``n_start - 1`` drawn starts, until the door closes.

        If all starts are drawn in one way, so is the first, and ``x`` is not used.
        """
        from scipy.optimize import basinhopping

        native = (domain if self.pools else domain.plain).native
        stream = np.random.default_rng(int(rng[0]))

        def f(values: NDArray[np.float64]) -> float:
            ranges = zip(native.kinds, values, native.low, native.high, strict=True)
            value = door.evaluate(tuple(int(word_of_value(k, float(v), low, high)) for k, v, low, high in ranges))
            if not is_open(door.native):
                raise _Closed
            return value

        for number in range(self.n_start):
            if self.starts in _WAYS:
                sample_all(native, x, _WAYS[self.starts], rng)
            elif number:
                sample(native, x, rng)
            start = np.array([value_of_word(k, w) for k, w in zip(native.kinds, x, strict=False)])
            start = np.nan_to_num(start, nan=0.0, posinf=1.7e308, neginf=-1.7e308)
            try:
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # about steps that make no sense to SciPy
                    basinhopping(f, start, niter=self.n_iter, minimizer_kwargs={"method": self.local}, rng=stream)
            except _Closed:
                return
