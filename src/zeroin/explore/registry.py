"""Frontiers by name."""

from __future__ import annotations

from ..errors import OptionError
from .fitnex import Fitnex
from .frontier import (
    BreadthFirst,
    CallStackTracePrioritized,
    CappedBranchCoveragePrioritized,
    CodeLocationFrequencyPrioritized,
    CodeLocationPrioritized,
    DepthFirst,
    DepthPrioritized,
    Frontier,
    IterativeDeepening,
    Random,
    RoundRobin,
    ShortCircuit,
    Shortest,
    ShortestThroughAllCodeBranches,
)


def pex(*fittest: Frontier) -> Frontier:
    """Return the description of Pex's default strategy (Xie et al. 2009, section 4.2).

    Args:
        fittest: descriptions of Fitnex frontiers that take turns with the others; none: Pex without Fitnex.
    """
    return ShortCircuit(
        CodeLocationPrioritized(Shortest()),
        RoundRobin(
            CodeLocationPrioritized(ShortestThroughAllCodeBranches()),
            CodeLocationPrioritized(
                CallStackTracePrioritized(
                    ShortCircuit(
                        Shortest(),
                        CappedBranchCoveragePrioritized(Random())))),
            CodeLocationPrioritized(
                CodeLocationFrequencyPrioritized(
                    DepthPrioritized(Random()))),
            CallStackTracePrioritized(
                CodeLocationPrioritized(
                    ShortCircuit(
                        Shortest(),
                        DepthPrioritized(Random())))),
            *fittest))  # fmt: skip


FITTEST = Fitnex(
    RoundRobin(
        CallStackTracePrioritized(IterativeDeepening()),
        CodeLocationPrioritized(IterativeDeepening())))  # fmt: skip

FRONTIERS: dict[str, Frontier] = {
    "fitnex": pex(FITTEST),
    "without-fitnex": pex(),
    "random": Random(),
    "iterative-deepening": IterativeDeepening(),
    "depth-first": DepthFirst(),
    "breadth-first": BreadthFirst(),
}


def frontier_named(name: str) -> Frontier:
    """Return the description of a frontier, a shared object; :meth:`.frontier.Frontier.empty` makes a working one.

    Args:
        name: a name from ``FRONTIERS``.

    Raises:
        OptionError: there is no frontier of that name.
    """
    if name not in FRONTIERS:
        raise OptionError(f"no frontier {name!r}; there are {', '.join(FRONTIERS)}")
    return FRONTIERS[name]
