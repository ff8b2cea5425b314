"""What is shown of a function without a branch: an input that has a result, if there is one."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ..generate.search import Search
from ..subject.base import Run

_DRAWN = 200  # inputs that are drawn to find one that has a result


def show_one(search: Search) -> None:
    """Without a branch to look for, any input will do that has a result: the first values worth trying that give one,
    alike for all words at first, then drawn for each."""
    pools, rng = search.domain.pools, random.Random(search.seed)
    longest = max((len(pool) for pool in pools), default=1)
    for turn in range(longest + _DRAWN * (len(pools) > 1)):
        words = tuple(pool[turn % len(pool)] if turn < longest else rng.choice(pool) for pool in pools)
        search.x[:] = words
        search.offer(words)
        if any(map(_is_ordinary, search.runs)):
            return


def one_of(runs: Sequence[Run]) -> list[Run]:
    """What there is to show without a branch: a run that has a result, if there is one."""
    return [min(runs, key=lambda run: not _is_ordinary(run))] if runs else []


def _is_ordinary(run: Run) -> bool:
    """Whether it has returned, with no exception that is expected either."""
    return run.returned and not run.end
