"""Which runs to show of those that do not return."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..subject.base import Run, Signature, Termination, Words
from ..suite.finite import finite, is_finite
from ..suite.simplify import Again, simplify_one
from ..words import Kind

_MOST = 20  # runs that crash or hang and are reported, for one target


def abnormal_runs(signature: Signature, runs: list[Run], lethal: frozenset[Words], again: Again,
                  simpler: Again) -> list[Run]:  # fmt: skip
    """The runs that did not return, or ended with an exception that is expected, one for each way and place of ending,
    as simple as that allows, and finite if they can be; as they are where they are lethal or slow."""
    kinds = signature.kinds
    found: dict[tuple[Termination, object], Run] = {}
    for run in runs:
        if run.returned and not run.end:
            continue
        if run.outcome in (Termination.KILLED, Termination.HUNG) or run.words in lethal:
            found.setdefault((run.outcome, run.covered), run)
            continue
        here = again(run.words)  # an end's number may be another one in this process
        way = here.outcome, here.end
        better = way not in found or is_finite(kinds, run.words) > is_finite(kinds, found[way].words)
        if here.outcome is run.outcome and better:
            will_do = partial(_ends_alike, here, kinds)
            found[way] = finite(signature, simplify_one(signature, run, simpler, will_do), simpler, will_do)
    return list(found.values())[:_MOST]


def _ends_alike(one: Run, kinds: Sequence[Kind], other: Run) -> bool:
    """Whether the other is as good: it has no number that is not finite if this one has none."""
    same = (one.outcome, one.end) == (other.outcome, other.end) and one.covered <= other.covered
    return same and (is_finite(kinds, other.words) or not is_finite(kinds, one.words))
