"""Functions that do what test subjects must not do. The comment says what zeroin reports."""

import os
import random
import signal
import sys
import threading
import time

calls = 0
cache: dict[int, int] = {}


def loops(x: int) -> int:  # hang, out of fuel
    if x == 99:
        while True:
            pass
    return x


def never_equal(x: float) -> float:  # hang, out of fuel
    while x == x:
        x = x + 1.0
    return x


def swallows(x: int) -> int:  # hang, although everything is caught
    while True:
        try:
            if x > 5:
                continue
            return x
        except:  # noqa: E722
            pass


def sleeps(x: int) -> int:  # hang, the clock
    if x > 5:
        time.sleep(1000)
    return x


def exits(x: int) -> int:  # crash, SystemExit
    if x > 5:
        sys.exit(3)
    return x


def leaves(x: int) -> int:  # crash, exit status
    if x > 5:
        os._exit(3)
    return x


def kills(x: int) -> int:  # crash, the process is gone
    if x > 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def closes_everything(x: int) -> int:  # crash, the process can not go on
    if x > 5:
        os.closerange(0, 256)
    return x


def hoards(x: int) -> int:  # crash, memory
    if x > 5:
        return len([0] * 10**12)
    return x


def grows(x: int) -> int:  # crash, memory
    data = [bytes(1_000_000)]
    while x > 5:
        data.append(bytes(2 * len(data[-1])))
    return x


def limit(n: int) -> int:  # hang: nothing else ends it
    sys.setrecursionlimit(10**9)
    if n > 5:
        return limit(n + 1)
    return n


def threads(x: int) -> int:  # a note
    if x == 7:
        threading.Thread(target=time.sleep, args=(1000,)).start()
    return x


def counts(x: int) -> int:  # a note, and a test that claims nothing
    global calls
    calls += 1
    if x > 5:
        return calls
    return x


def caches(x: int) -> int:  # a note
    cache[x] = x
    return 1 if x > 5 else 0


def rolls(x: float) -> float:  # a test that claims nothing
    if x > 5:
        return random.random()
    return x


def mutates(xs: list[float]) -> int:
    xs.append(1.0)
    if len(xs) > 2:
        xs.clear()
    return len(xs)


def prints(x: int) -> int:
    print("noise", x)
    print("noise", file=sys.stderr)
    os.write(1, b"noise\n")
    if x > 5:
        return 1
    return x


def closes_stdout(x: int) -> int:
    if x > 5:
        sys.stdout.close()
        return 1
    return x


def alarm(x: int) -> int:
    signal.alarm(1)
    return 1 if x > 5 else 0
