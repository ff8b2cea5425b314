"""Basin hopping as CoverMe uses it (Fu & Su 2016, Algorithm 1 and section 5.1): SciPy's, over doubles.

``n_start`` starting points, ``n_iter`` Monte Carlo moves from each, Powell's method as the local minimiser. SciPy calls
back into Python once an evaluation, so this is the paper's configuration to compare with, not the one to use.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .base import Domain, Door, is_open, sample, value_of_word, word_of_value

N_START = 500
N_ITER = 5
LOCAL = "powell"


class _Closed(Exception):
    """The door closed in the middle of SciPy's loop."""


def basinhopping(door: Door, domain: Domain, x: Any, rng: Any, n_start: int = N_START, n_iter: int = N_ITER,
                 local: str = LOCAL) -> None:  # fmt: skip
    """Minimise from ``x``, then from ``n_start - 1`` drawn starts, until the door closes."""
    from scipy.optimize import basinhopping as scipy_basinhopping

    native = domain.native
    stream = np.random.default_rng(int(rng[0]))

    def f(values: Any) -> float:
        words = [word_of_value(k, float(v), low, high)
                 for k, v, low, high in zip(native.kinds, values, native.low, native.high, strict=False)]  # fmt: skip
        value = door.evaluate(tuple(int(w) for w in words))
        if not is_open(door.native):
            raise _Closed
        return value

    for _ in range(n_start):
        start = np.array([value_of_word(k, w) for k, w in zip(native.kinds, x, strict=False)])
        start = np.nan_to_num(start, nan=0.0, posinf=1.7e308, neginf=-1.7e308)
        try:
            with np.errstate(all="ignore"):
                scipy_basinhopping(f, start, niter=n_iter, minimizer_kwargs={"method": local}, rng=stream)
        except _Closed:
            return
        sample(native, x, rng)
