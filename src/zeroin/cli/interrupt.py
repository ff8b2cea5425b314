"""Signals that ask to stop: what is found is kept, and the exit status says which signal it was."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType

_ASK_TO_STOP = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop(KeyboardInterrupt):
    """Asked to stop by this signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.status = 128 + number


class Interrupt:
    """The first signal asks to end early, and sets ``status`` to the exit status; a second one raises :class:`Stop`. So
    does the first one if it comes within :meth:`at_once`."""

    def __init__(self) -> None:
        self.status = 0
        self._at_once = False

    def asked(self) -> bool:
        return self.status != 0

    def take(self, number: int) -> None:
        before, self.status = self.status, self.status or Stop(number).status
        if before or self._at_once:
            raise Stop(number)

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """Around what takes long, does not ask, and can be given up."""
        self._at_once = True
        try:
            yield
        finally:
            self._at_once = False


@contextlib.contextmanager
def handled(take: Callable[[int], None]) -> Iterator[None]:
    """Within, ``take`` gets the signals that ask to stop, unless they are ignored (as ``nohup`` wants it)."""

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
    """From now on there is nothing to stop: the process ends with the status that it has earned, whatever comes while
    it does."""
    for number in _ASK_TO_STOP:
        signal.signal(number, signal.SIG_IGN)


def stop(number: int) -> None:
    """Stop now."""
    raise Stop(number)
