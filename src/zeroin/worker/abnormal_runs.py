"""Selection of the abnormal runs to show."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..subject.base import Run, Signature, Termination, Words
from ..suite.finite import finite
from ..suite.ordinary import is_finite, is_ordinary
from ..suite.simplify import Again, simplify_one
from ..words import Kind

_MOST = 20  # reported abnormal runs of one target


def abnormal_runs(signature: Signature, runs: list[Run], lethal: frozenset[Words], again: Again,
                  simpler: Again) -> list[Run]:  # fmt: skip
    """Return simplified runs that did not return or ended with an expected exception, one for each way of ending.

    Numbers in them are of moderate size, or at least finite, where possible. Runs that hang, or end their process, are
    returned as they are, one for each set of branches. A run that ends otherwise in this process is left out. At most
    20 runs are returned.

    Args:
        signature: the subject's signature.
        runs: all runs of the search.
        lethal: inputs that are not run again.
        again: runs the subject.
        simpler: runs the subject; raises :class:`zeroin.suite.simplify.NoMore` when the allowance is used up.
    """
    kinds = signature.kinds
    found: dict[tuple[Termination, object], Run] = {}
    for run in runs:
        if run.returned and not run.end:
            continue
        if run.outcome in (Termination.KILLED, Termination.HUNG) or run.words in lethal:
            found.setdefault((run.outcome, run.covered), run)
            continue
        here = again(run.words)  # ends may be numbered differently in this process
        way = here.outcome, here.end
        better = way not in found or _rank(kinds, run) > _rank(kinds, found[way])
        if here.outcome is run.outcome and better:
            will_do = partial(_ends_alike, here, kinds)
            found[way] = finite(signature, simplify_one(signature, run, simpler, will_do), simpler, will_do)
    return list(found.values())[:_MOST]


def _rank(kinds: Sequence[Kind], run: Run) -> tuple[bool, bool]:
    """Return whether the input of a run is ordinary, and whether it is finite: the higher, the better."""
    return is_ordinary(kinds, run.words), is_finite(kinds, run.words)


def _ends_alike(one: Run, kinds: Sequence[Kind], other: Run) -> bool:
    """Return whether the other run ends in the same way and takes the same branches or more.

    If the first run's input is ordinary, or finite, the other's has to be so, too.
    """
    same = (one.outcome, one.end) == (other.outcome, other.end) and one.covered <= other.covered
    return same and all(after >= before for before, after in zip(_rank(kinds, one), _rank(kinds, other), strict=True))
