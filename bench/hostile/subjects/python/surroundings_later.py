"""Functions that leave something to happen later: threads, signals, handlers."""

import atexit
import signal
import threading
import time


class _Late(Exception):
    pass


def _complain():
    raise ValueError("not yet")


def _too_late(number, frame):
    raise _Late("time is up")


# expects: nothing
def leaves_thread(x: int) -> int:
    if x % 1000 == 7:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    return 2 if x > 100 else 0


# expects: nothing
def leaves_thread_for_a_moment(x: int) -> int:
    if x == 77123:
        threading.Thread(target=time.sleep, args=(0.2,)).start()
    return 2 if x < -100 else 0


# expects: nothing
def fails_in_thread(x: int) -> int:
    if x % 1000 == 7:
        thread = threading.Thread(target=_complain)
        thread.start()
        thread.join()
    return 2 if x > 100 else 0


# expects: nothing
def fails_at_exit(x: int) -> int:
    if x % 7 == 3:
        atexit.register(_complain)
    return 2 if x > 100 else 0


# expects: nothing
def rings_later(x: int) -> int:
    if x == 4:
        signal.alarm(1)
    return 2 if x > 100 else 0


# expects: nothing
def raises_in_handler(x: int) -> int:
    if x == 4:
        signal.signal(signal.SIGALRM, _too_late)
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        time.sleep(5)
    return 2 if x > 100 else 0


# expects: nothing
def ignores_signals(x: int) -> int:
    if x > 5:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return 2 if x > 100 else 0
