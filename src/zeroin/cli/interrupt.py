"""Signals that ask to stop. The results so far are kept, and the exit status names the signal."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType

_ASK_TO_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop(KeyboardInterrupt):
    """Raised when a signal asks to stop. As a KeyboardInterrupt, it passes ``except Exception``.

    Attributes:
        status: the exit status: 128 and the number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.status = 128 + number


class Interrupt:
    """The handler of signals that ask to stop.

    The first signal asks to end early. A second one raises :class:`Stop`; so does the first one within :meth:`at_once`.

    Attributes:
        status: the exit status, 128 and the number of the first signal; 0 before the first signal.
    """

    def __init__(self) -> None:
        self.status = 0
        self._at_once = False

    def asked(self) -> bool:
        """Return whether a signal has arrived."""
        return self.status != 0

    def take(self, number: int) -> None:
        """Handle a signal.

        Raises:
            Stop: it is the second signal, or arrives within :meth:`at_once`.
        """
        before, self.status = self.status, self.status or Stop(number).status
        if before or self._at_once:
            raise Stop(number)

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """Let the first signal raise :class:`Stop`, in a block that takes long and does not poll :meth:`asked`."""
        self._at_once = True
        try:
            yield
        finally:
            self._at_once = False


@contextlib.contextmanager
def handling_signals(take: Callable[[int], None]) -> Iterator[None]:
    """Let ``take`` handle the signals that ask to stop, except those that are ignored, as under ``nohup``.

    Afterwards the old handlers are restored, except for signals that are ignored by then. Only the main thread may
    enter this context.

    Args:
        take: called with the number of the signal, in the main thread.
    """

    def handler(number: int, frame: FrameType | None) -> None:
        take(number)

    heeded = [number for number in _ASK_TO_STOP if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in heeded}
    try:
        yield
    finally:
        for number, old in before.items():
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, old)


def ignore() -> None:
    """Ignore signals that ask to stop, for good, so that they can not change the exit status while the process ends."""
    for number in _ASK_TO_STOP:
        signal.signal(number, signal.SIG_IGN)


def stop(number: int) -> None:
    """Handle a signal by stopping now.

    Raises:
        Stop: always.
    """
    raise Stop(number)
