"""Python's side of a compiled subject's clock (``runtime/clock.c``) and of its signal handlers."""

from __future__ import annotations

import ctypes

from ....limits import LONGEST_SILENCE
from ....native import machine
from ....native.cells import Disturbs
from .runtime_library import TICKS_PER_SECOND, guard


class WithClock:
    """The part of a subject that limits the time of runs and of searches."""

    _code: machine.MachineCode
    _disturbs: Disturbs
    _cells: dict[str, ctypes.c_int64]

    def guard(self, patience: float = LONGEST_SILENCE) -> None:
        """Install the signal handlers and the clock in this process.

        Args:
            patience: seconds after which the parent process ends a silent run. The clock ends a run after half of it,
                but not before 0.2 seconds. Once it has ended one, it ends those of a search sooner.
        """
        guard(self._code, self._disturbs, patience / 2)

    @property
    def has_waited(self) -> bool:
        """Whether the clock has ended a run in this process so far."""
        return bool(self._cells["hasty"].value)

    def limit_time(self, seconds: float | None, door: int) -> None:
        """Close a door after so many seconds. This replaces an earlier limit, and needs the clock of :meth:`guard`.

        Args:
            seconds: the time from now on, which the clock counts in steps of 0.05 seconds; None: no limit.
            door: the address of the door's cells.
        """
        self._cells["stop"].value = 0 if seconds is None else door
        self._cells["ticks_left"].value = -1 if seconds is None else max(1, int(seconds * TICKS_PER_SECOND))
