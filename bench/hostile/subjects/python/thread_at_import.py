"""A module that starts a thread when it is imported."""

import threading
import time

_ticks = []


def _tick():
    while True:
        time.sleep(0.05)
        _ticks[:] = [time.time()]


threading.Thread(target=_tick, daemon=True).start()


# expects: nothing
def is_beside_thread(x: int) -> int:
    if x > 100:
        return 2
    return 1 if x == 77 else 0
