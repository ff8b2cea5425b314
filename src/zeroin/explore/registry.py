"""The frontiers that there are by name: how they are composed is said here and nowhere else."""

from __future__ import annotations

from ..errors import OptionError
from .fitnex import Fittest
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
    """Pex's default strategy, as Xie et al. 2009 print it in section 4.2."""
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


FITTEST = Fittest(
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
    """A frontier's description.

    Raises:
        OptionError: there is none of that name.
    """
    if name not in FRONTIERS:
        raise OptionError(f"no frontier {name!r}; there are {', '.join(FRONTIERS)}")
    return FRONTIERS[name]
