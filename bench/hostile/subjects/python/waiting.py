"""Functions that wait for what never comes; and some that only look like it."""

import asyncio
import os
import queue
import select
import signal
import sys
import threading
import time


# expects: hang
def sleeps_long(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        time.sleep(1000)
    return 0


# expects: nothing
def sleeps_a_moment(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        time.sleep(0.01)
    return 0


# expects: hang
def waits_for_event(x: int) -> int:
    if x == 77123:
        return 1
    if x == 4:
        threading.Event().wait()
    return 0


# expects: hang
def locks_twice(x: int) -> int:
    lock = threading.Lock()
    lock.acquire()
    if x > 100:
        return 2
    if x == 4:
        lock.acquire()
    return 0


# expects: exception BrokenBarrierError
def waits_alone(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        threading.Barrier(2).wait(0.01)
    return 0


# expects: hang
def waits_for_thread(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        thread = threading.Thread(target=time.sleep, args=(1000,), daemon=True)
        thread.start()
        thread.join()
    return 0


# expects: hang
def waits_for_queue(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        queue.Queue().get()
    return 0


# expects: exception Empty
def asks_empty_queue(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        queue.Queue().get_nowait()
    return 0


# The standard input is empty.
# expects: exception EOFError
def asks_user(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        input("Go on? ")
    return 0


# expects: nothing | undecided 1
def reads_input(x: int) -> int:
    if x > 5:
        if sys.stdin.read():
            return 3
    return 2 if x > 100 else 0


# expects: hang
def reads_pipe(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        reading, _ = os.pipe()
        os.read(reading, 1)
    return 0


# expects: hang
def selects_for_ever(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        select.select([], [], [])
    return 0


# expects: hang
def pauses(x: int) -> int:
    if x < -100:
        return 2
    if x == 4:
        signal.pause()
    return 0


# expects: hang
def sleeps_in_event_loop(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        asyncio.run(asyncio.sleep(1000))
    return 0


# expects: nothing
def uses_event_loop(x: int) -> int:
    if x > 100:
        return 2
    return asyncio.run(asyncio.sleep(0, 3)) if x == 4 else 0
