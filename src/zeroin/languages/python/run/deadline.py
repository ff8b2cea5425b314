"""End a search in time: a thread that sleeps until the deadline and then closes the door.

The door is the object that every evaluation of a search passes through. A closed door ends the search.
"""

from __future__ import annotations

import ctypes
import threading
import time
import weakref

from ....native.cells import CLOSED, LEFT, Stop

_PAUSE = 0.001
_STACK = 1 << 19  # bytes; with 8 MB each, hundreds of stacks would push machine code out of the reach of jumps


class DeadlineThread:
    """A thread that ends the searches of one subject in time. It ends with this object."""

    def __init__(self) -> None:
        self._alarm = alarm = _Alarm()
        weakref.finalize(self, alarm.end).atexit = False
        before = threading.stack_size(_STACK)
        try:
            threading.Thread(target=alarm.run, daemon=True, name="zeroin-clock").start()
        finally:
            threading.stack_size(before)

    def limit(self, seconds: float | None, door: int) -> None:
        """Close the door at the address ``door`` after so many seconds; None: never."""
        self._alarm.set(seconds, door)


class _Alarm:
    """What the thread waits for. It does not refer to the :class:`DeadlineThread`, whose end it would prevent."""

    def __init__(self) -> None:
        # A reentrant lock: the garbage collector may call end() while this thread holds it.
        self._changed = threading.Condition(threading.RLock())
        self._deadline: float | None = None
        self._door = 0
        self._over = False

    def set(self, seconds: float | None, door: int) -> None:
        with self._changed:
            self._deadline = None if seconds is None else time.monotonic() + seconds
            self._door = door
            self._changed.notify()

    def end(self) -> None:
        with self._changed:
            self._over = True
            self._changed.notify()

    def run(self) -> None:
        with self._changed:
            while not self._over:
                if self._deadline is None:
                    self._changed.wait()
                    continue
                left = self._deadline - time.monotonic()
                if left <= 0:
                    self._close()
                # After the deadline too: the search may have overwritten the closed cell at the same moment.
                self._changed.wait(left if left > 0 else _PAUSE)

    def _close(self) -> None:
        cells = (ctypes.c_int64 * 2).from_address(self._door)
        if cells[LEFT] > 0:
            cells[CLOSED] = Stop.TIME
            cells[LEFT] = -cells[LEFT]
