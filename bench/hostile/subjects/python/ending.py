"""Functions that end the process, or try to."""

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time


def _leave(depth, status):
    if depth > 0:
        _leave(depth - 1, status)
    else:
        sys.exit(status)


def _quit(number, frame):
    sys.exit(number)


# expects: crash exit() was called
def exits(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        sys.exit(0)
    return 0


# expects: crash exit() was called
def exits_with_words(x: int) -> int:
    if x == 77123:
        return 1
    if x % 7 == 3:
        sys.exit("that is enough")
    return 0


# expects: crash exit() was called
def exits_by_raise(x: float) -> int:
    if x < -100.0:
        return 2
    if x > 5.0:
        raise SystemExit
    return 0


# expects: crash exit() was called
def exits_far_down(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        _leave(x % 5, 3)
    return 0


# expects: crash exit() was called
def exits_by_builtin(x: int) -> int:
    if x == 77123:
        return 1
    if x == 4:
        exit(2)
    return 0


# expects: crash exit() was called
def exits_from_handler(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        signal.signal(signal.SIGUSR1, _quit)
        signal.raise_signal(signal.SIGUSR1)
    return 0


# expects: nothing
def catches_exit(x: int) -> int:
    try:
        if x > 5:
            sys.exit(1)
    except SystemExit:
        return 2 if x > 100 else 1
    return 0


# expects: nothing
def suppresses_exit(x: int) -> int:
    with contextlib.suppress(SystemExit):
        if x > 5:
            sys.exit("never mind")
    return 2 if x > 100 else 0


# A thread that exits ends alone, and silently.
# expects: nothing
def exits_in_thread(x: int) -> int:
    if x == 77123:
        return 1
    if x == 4:
        thread = threading.Thread(target=sys.exit)
        thread.start()
        thread.join()
    return 0


# expects: crash exit status 0
def exits_at_once(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        os._exit(0)
    return 0


# expects: crash exit status 3
def exits_at_once_with_3(n: int) -> int:
    if n == 77123:
        return 1
    if n % 7 == 3:
        os._exit(3)
    return 0


# expects: crash SIGABRT
def aborts(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        os.abort()
    return 0


# expects: crash SIGKILL
def kills_itself(x: int) -> int:
    if x < -100:
        return -1
    if x > 5:
        os.kill(os.getpid(), 9)
    return 0


# expects: crash SIGTERM
def terminates_itself(x: int) -> int:
    if x > 100:
        return 2
    if x % 7 == 3:
        signal.raise_signal(signal.SIGTERM)
    return 0


# expects: hang
def stops_itself(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        signal.raise_signal(signal.SIGSTOP)
    return 0


# expects: nothing
def signals_nothing(x: int) -> int:
    if x > 5:
        os.kill(os.getpid(), 0)
    return 2 if x > 100 else 0


# expects: crash SIGALRM
def is_woken(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        time.sleep(1)
    return 0


# expects: crash SIGSEGV
def reads_null(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        ctypes.string_at(0)
    return 0


# expects: crash SIGSEGV
def writes_null(x: float) -> int:
    if x < -100.0:
        return 2
    if x > 5.0:
        ctypes.memset(0, 0, 8)
    return 0
