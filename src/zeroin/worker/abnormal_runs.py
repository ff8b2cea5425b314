"""Selection of the abnormal runs to show."""

from __future__ import annotations

from functools import partial

from ..subject.base import Run, Signature, Termination, Words
from ..suite.finite import finite
from ..suite.plausible import cost_of, is_finite, is_ordinary
from ..suite.simplify import Again, Limited, simplify_one

_MOST = 20  # reported abnormal runs of one target


def abnormal_runs(signature: Signature, runs: list[Run], lethal: frozenset[Words], again: Again,
                  simpler: Limited, finish: Limited) -> list[Run]:  # fmt: skip
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
        finish: does the same with another allowance, for values that are plausible already.
    """
    found: dict[tuple[Termination, object], Run] = {}
    hopeless = set[tuple[Termination, object]]()  # of runs that are not run again
    for run in runs:
        if run.returned and not run.end:
            continue
        if run.outcome in (Termination.KILLED, Termination.HUNG) or run.words in lethal:
            found.setdefault((run.outcome, run.covered), run)
            hopeless.add((run.outcome, run.covered))
            continue
        here = again(run.words)  # ends may be numbered differently in this process
        way: tuple[Termination, object] = here.outcome, here.end
        better = way not in found or cost_of(signature, run.words) < cost_of(signature, found[way].words)
        if here.outcome is run.outcome and better:
            found[way] = here
    ways: dict[tuple[Termination, object], Run] = dict(list(found.items())[:_MOST])
    ends = {way: partial(_ends_alike, run, signature) for way, run in ways.items() if way not in hopeless}
    for left, (way, will_do) in zip(range(len(ends), 0, -1), ends.items(), strict=True):
        part = simpler.part(left)
        ways[way] = finite(signature, simplify_one(signature, ways[way], part, will_do, polish=False), part, will_do)
    for left, (way, will_do) in zip(range(len(ends), 0, -1), ends.items(), strict=True):
        ways[way] = simplify_one(signature, ways[way], finish.part(left), will_do)
    return list(ways.values())


def _rank(signature: Signature, run: Run) -> tuple[bool, bool]:
    """Return whether the input of a run is ordinary, and whether it is finite: the higher, the better."""
    return is_ordinary(signature, run.words), is_finite(signature, run.words)


def _ends_alike(one: Run, signature: Signature, other: Run) -> bool:
    """Return whether the other run ends in the same way and takes the same branches or more.

    If the first run's input is ordinary, or finite, the other's has to be so, too.
    """
    same = (one.outcome, one.end) == (other.outcome, other.end) and one.covered <= other.covered
    ranks = zip(_rank(signature, one), _rank(signature, other), strict=True)
    return same and all(after >= before for before, after in ranks)
