"""The thread that ends searches of Python subjects in time."""

from __future__ import annotations

import gc
import threading
import time

import numpy as np

from zeroin.languages.python.run.deadline import DeadlineThread
from zeroin.native.cells import CLOSED, LEFT, Stop


def _clocks() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "zeroin-clock"}


def test_it_closes_a_door_that_is_opened_again() -> None:
    cells = np.array([10**15, 0], dtype=np.int64)
    clock = DeadlineThread()
    clock.limit(0.01, cells.ctypes.data)
    for _ in range(2):
        while cells[LEFT] > 0:
            time.sleep(0.001)
        assert cells.tolist() == [-(10**15), Stop.TIME]
        cells[CLOSED] = 0
        cells[LEFT] = 10**15


def test_it_ends_with_its_subject() -> None:
    before = _clocks()
    clock = DeadlineThread()
    clock.limit(1000.0, 0)
    (thread,) = _clocks() - before
    del clock
    gc.collect()
    thread.join(60)
    assert not thread.is_alive()
