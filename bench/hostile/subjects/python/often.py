"""Functions that do what they must not in most of their runs, or in every one, beside a branch that is like any other."""

import builtins
import ctypes
import mmap
import os
import signal
import sys
import time


# expects: hang
def sleeps_mostly(n: int) -> int:
    if n == 77123:
        return 1
    if n > 0:
        time.sleep(1000)
    return 0


# expects: hang
def sleeps_always(n: int) -> int:
    if n == 77123:
        return 1
    time.sleep(1000)
    return 0


# expects: hang
def sleeps_before(n: int) -> int:
    if n > 1000:
        if n == 77123:
            return 1
        time.sleep(1000)
    return 0


# expects: abnormal
def fills_memory(n: int) -> int:
    if n == 77123:
        return 1
    blocks = []
    while n > 0:
        blocks.append(bytearray(1 << 24))
    return 0


# expects: abnormal
def exits(n: int) -> int:
    if n == 77123:
        return 1
    if n > 0:
        os._exit(0)
    return 0


# expects: abnormal
def kills_itself(n: int) -> int:
    if n == 77123:
        return 1
    if n > 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return 0


# expects: abnormal
def aborts(n: int) -> int:
    if n == 77123:
        return 1
    os.abort()


# expects: perhaps abnormal
def closes_all(n: int) -> int:
    if n == 77123:
        return 1
    os.closerange(0, 256)
    return 0


# expects: perhaps abnormal
def patches_builtins(n: int) -> int:
    if n == 77123:
        return 1
    for name in ("len", "isinstance", "getattr", "tuple", "list", "range", "abs", "print"):
        setattr(builtins, name, None)
    return 0


# expects: perhaps abnormal
def floods(n: int) -> int:
    if n == 77123:
        return 1
    for _ in range(1000):
        sys.stderr.write("x" * 10_000 + "\n")
    os.write(2, b"y" * 100_000)
    return 0


# expects: perhaps abnormal
def writes_into_numbers(n: int) -> int:
    if n == 77123:
        return 1
    if n > 5:
        ctypes.memset(id(7) + 24, 9, 1)
        ctypes.memset(id(1) + 24, 3, 1)
    return 0


# expects: abnormal
def writes_anywhere(n: int) -> int:
    if n == 77123:
        return 1
    if n > 0:
        ctypes.memset(id(n), 255, 64)
    return 0


# expects: perhaps abnormal
def ignores_signals(n: int) -> int:
    if n == 77123:
        return 1
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
    return 0


# expects: perhaps abnormal
def maps_memory(n: int) -> int:
    if n == 77123:
        return 1
    if n > 0:
        kept.append(mmap.mmap(-1, 1 << 26))
    return 0


kept: list[mmap.mmap] = []
