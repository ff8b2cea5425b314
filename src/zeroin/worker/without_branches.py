"""What to show for a function without branches: an input with a result, if there is one."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..generate.search import Search
from ..subject.base import Run

_DRAWN = 200  # random inputs that are tried


def show_one(search: Search) -> None:
    """Run inputs until one returns a result: first the dictionary values in order, then random combinations of them.

    The search keeps the runs worth showing. At first, the n-th input has the n-th value of each word's dictionary; a
    shorter dictionary starts again, and the ends of the range stand for an empty one. If none of these and of 200
    random inputs returns a result, the search goes on without one. An input of one word or none gets no random values.
    """
    rng = random.Random(search.seed)
    pools = [pool or ends for pool, ends in zip(search.domain.pools, search.domain.ranges, strict=True)]
    longest = max((len(pool) for pool in pools), default=1)
    for turn in range(longest + _DRAWN * (len(pools) > 1)):
        words = tuple(pool[turn % len(pool)] if turn < longest else rng.choice(pool) for pool in pools)
        search.x[:] = words
        search.offer(words)
        if any(map(_is_ordinary, search.runs)):
            return


def one_of(runs: Sequence[Run]) -> list[Run]:
    """Return one run to show, with a result if there is one; empty if there are no runs."""
    return [min(runs, key=lambda run: not _is_ordinary(run))] if runs else []


def _is_ordinary(run: Run) -> bool:
    """Return whether a run returned, without an expected exception."""
    return run.returned and not run.end
