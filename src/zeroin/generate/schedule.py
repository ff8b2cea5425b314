"""The schedules, which decide which strategy runs when. All compositions of strategies are in this module."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..config import Options
from ..errors import OptionError
from ..named import name_and_parameters
from .stopped import Stopped
from .strategies import INNER, STRATEGIES, check_parameters, strategy_class, strategy_named

if TYPE_CHECKING:
    from .search import Search
    from .strategies.base import Strategy


class Schedule(ABC):
    """An expression of strategies. Its ``str`` is for the report."""

    @abstractmethod
    def of(self, search: Search) -> Running:
        """Create the strategies for a search."""


class Running(ABC):
    """The strategies of a schedule, working on a search."""

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether there is nothing left to try."""

    @abstractmethod
    def step(self) -> None:
        """Let one strategy spend a slice."""

    def announce(self) -> None:  # noqa: B027
        """Let strategies prepare, because a step may come in a few slices (see :meth:`Strategy.announce`)."""


@dataclass(frozen=True)
class Turns(Schedule):
    """Strategies that take turns, by name. A strategy that is named twice has two turns.

    The longer nothing is found, the longer the slices become, so that less time goes into starting them.
    """

    names: tuple[str, ...]

    def __str__(self) -> str:
        return "in turn " + ", ".join(self.names) if len(self.names) > 1 else self.names[0]

    def of(self, search: Search) -> Running:
        return _Turns(self.names, search)


class _Turns(Running):
    """The strategies of :class:`Turns`, working on a search."""

    def __init__(self, names: tuple[str, ...], search: Search) -> None:
        self._names, self._search = names, search
        self._made: dict[str, Strategy] = {}
        self._turn = self._last_find = self._found = 0

    @property
    def done(self) -> bool:
        return bool(self._made) and all(strategy.done for strategy in self._made.values())

    def step(self) -> None:
        strategies = self._strategies()
        grown = min((self._turn - self._last_find) // 16, 6)
        self._search.strategy = self._names[self._turn % len(strategies)]
        strategies[self._turn % len(strategies)].step(self._search.slice << grown)
        self._turn += 1
        if len(self._search.runs) != self._found:
            self._last_find, self._found = self._turn, len(self._search.runs)

    def announce(self) -> None:
        for name in self._names:
            strategy_class(name_and_parameters(name)[0]).announce(self._search)

    def _strategies(self) -> list[Strategy]:
        """Return the strategy of each turn, in order; a strategy that is named twice is in the list twice.

        They are created at the first call.
        """
        if not self._made:
            with self._search.ledger.compiling():  # a strategy may compile its objective
                self._made = {name: strategy_named(name)(self._search) for name in dict.fromkeys(self._names)}
        return [self._made[name] for name in self._names]


@dataclass(frozen=True)
class Then(Schedule):
    """The first schedule until it is done, then the second; the first again whenever it has something to try."""

    first: Schedule
    second: Schedule

    def __str__(self) -> str:
        return f"{self.first}, then {self.second}"

    def of(self, search: Search) -> Running:
        return _Then(self.first.of(search), self.second.of(search))


class _Then(Running):
    """Two schedules of :class:`Then`, working on a search."""

    def __init__(self, first: Running, second: Running) -> None:
        self._first, self._second = first, second

    @property
    def done(self) -> bool:
        return self._first.done and self._second.done

    def step(self) -> None:
        (self._second if self._first.done else self._first).step()


@dataclass(frozen=True)
class Stalled(Schedule):
    """The first schedule, and steps of the second while the first finds nothing.

    The first runs alone until it has found nothing for ``slices`` slices. Then the second gets a step now and then, but
    not while the first one proves branches infeasible. The more steps of the second bring nothing, the more slices of
    the first lie between them.

    Attributes:
        first: the usual schedule.
        second: the schedule for when the first is stuck.
        slices: the number of slices without a find after which the second begins.
        most: the largest number of slices between two steps of the second.
        slow: the number of slices that a slice of a slow subject counts as.
    """

    first: Schedule
    second: Schedule
    slices: int
    most: int
    slow: int = 8

    def __str__(self) -> str:
        return f"{self.first}, with {self.second} after {self.slices} slices in vain"

    def of(self, search: Search) -> Running:
        return _Stalled(self, search)


class _Stalled(Running):
    """Two schedules of :class:`Stalled`, working on a search."""

    LEAST, MORE = 2, 4  # slices between two steps: after the first in vain, and the factor for each further one
    SOON = 0.25  # the share of ``slices`` after which the second schedule may prepare

    def __init__(self, schedule: Stalled, search: Search) -> None:
        self._schedule, self._search = schedule, search
        self._first, self._second = schedule.first.of(search), schedule.second.of(search)
        self._covered, self._vain, self._proofs = -1, 0, len(search.proofs)
        self._between, self._left = 0, 0
        self._announced = False

    @property
    def done(self) -> bool:
        return self._first.done and self._second.done

    def step(self) -> None:
        slices = self._search.haste * (self._schedule.slow if self._search.subject.slow else 1)
        self._vain = self._vain + slices if self._search.covered == self._covered else 0
        self._covered = self._search.covered
        proofs = len(self._search.proofs)
        is_proving, self._proofs = proofs > self._proofs, proofs
        stalled = (self._vain >= self._schedule.slices or proofs > self._search.easily) and not is_proving
        if not self._announced and self._vain >= self.SOON * self._schedule.slices:
            self._announced = True
            self._second.announce()
        if self._first.done or (stalled and not self._left and not self._second.done):
            self._ask()
        else:
            self._first.step()
            self._left = max(0, self._left - slices)

    def _ask(self) -> None:
        """Let the second schedule do a step, and set the number of slices until its next one."""
        before, slices = self._decided, self._vain
        self._second.step()
        if self._search.trace is not None:
            self._search.trace.note("schedule", turn=str(self._schedule.second), slices_in_vain=slices,
                                    decided=self._decided != before)  # fmt: skip
        least = min(self.LEAST, self._schedule.most)
        in_vain, self._proofs = self._decided == before, len(self._search.proofs)
        self._between = min(self.MORE * max(least, self._between), self._schedule.most) if in_vain else 0
        self._left = self._between

    @property
    def _decided(self) -> tuple[int, int]:
        """The covered branches, and the number of proofs. Both show progress."""
        return self._search.covered, len(self._search.proofs)


@dataclass(frozen=True)
class AfterDeaths(Schedule):
    """The first schedule, or the second one if at least ``deaths`` inputs have killed a process already."""

    first: Schedule
    second: Schedule
    deaths: int

    def __str__(self) -> str:
        return str(self.first)

    def of(self, search: Search) -> Running:
        return (self.first if search.deaths < self.deaths else self.second).of(search)


_SEEDS = Then(Turns(("seeds",)), Turns(("enumerate(bits=20)",)))
_SEARCH = Turns(("minimize", "targets", "chance", "targets"))
SEARCH_ALONE = Then(Turns(("seeds",)), _SEARCH)


def _deciding(search: Schedule) -> Schedule:
    """Return a schedule that goes on after a search, to decide all branches if possible."""
    proving = Stalled(search, Turns(("prove",)), 32, 256, slow=16)
    exploring = Stalled(proving, Turns(("explore",)), 64, 4)
    careful = Stalled(Turns(("explore", "prove")), SEARCH_ALONE, 8, 4)  # makes few runs
    return AfterDeaths(Then(_SEEDS, Stalled(exploring, Turns(("enumerate",)), 48, 4)), careful, 8)


DEFAULT = _deciding(_SEARCH)
_NEAR = Stalled(Turns(("near", "targets", "minimize", "targets", "near", "targets", "chance", "targets")),
                Turns(("refute",)), 2, 4)  # most faults are infeasible  # fmt: skip
FINDING = _deciding(_NEAR)
# With little time, and nothing to decide: solvers are asked for inputs only, late.
USUAL_FAULTS = Then(_SEEDS, Stalled(_NEAR, Turns(("explore",)), 24, 8))
FOLLOWING = Then(Turns(("seeds",)), Turns(("path",)))
AIMING = Then(Turns(("seeds",)), Turns(("objective",)))


_NOTHING_LEFT = (Stopped.NO_BRANCH, Stopped.COVERED, Stopped.DECIDED, Stopped.ABNORMALLY_COVERED)


def schedule_of(options: Options) -> Schedule:
    """Return the schedule for these options.

    A path and a user's objective have their own schedules, and so has the search for faults by default.

    Raises:
        OptionError: see :func:`schedule_named`.
    """
    if options.path:
        return FOLLOWING
    if options.objective:
        return AIMING
    found = schedule_named(options.engine)
    return FINDING if options.find and found is DEFAULT else found


def schedule_named(name: str) -> Schedule:
    """Return the schedule of an engine: ``hybrid`` (the default), or one strategy alone, also with parameters.

    Raises:
        OptionError: there is no such strategy, parameter or value.
    """
    own, given = name_and_parameters(name)
    if own == "hybrid":
        check_parameters(own, given, {})
        return DEFAULT
    if own in INNER:
        raise OptionError(f"--engine {own}: no such engine; choose from hybrid, {', '.join(STRATEGIES)}")
    strategy_named(name)
    return Turns((name.strip() if given else own,))


def generate(search: Search, schedule: Schedule = DEFAULT, patience: float = math.inf) -> Stopped:
    """Search until all branches are covered, the budget is used up, or nothing is left to try; return the reason.

    Args:
        search: the search.
        schedule: the strategies.
        patience: the number of slices without a find or a proof after which nothing is left to try. If it is finite,
            the search goes on until then when no branch is left, as runs may still end in new ways.
    """
    running, looks_on = schedule.of(search), math.isfinite(patience)
    while not (reason := search.stopped) or (looks_on and reason in _NOTHING_LEFT):
        if running.done or (looks_on and search.slices - search.found_at > patience):
            return reason or Stopped.TRIED
        running.step()
    return reason
