"""Jobs for the tests of the sandbox."""

from __future__ import annotations

import os
import signal
import time

from zeroin.errors import TargetError
from zeroin.native.cells import ARITY, WORDS, Phase
from zeroin.worker.base import Link


def answer(link: Link, number: int) -> None:
    for n in range(number):
        link.send(("number", n))


def be_killed(link: Link) -> None:
    link.memory[ARITY] = 2
    link.memory[WORDS : WORDS + 2] = (11, 22)
    link.send("before")
    os.kill(os.getpid(), signal.SIGKILL)


def leave(link: Link) -> None:
    os._exit(7)


def refuse(link: Link) -> None:
    raise TargetError("there is no such thing")


def fail(link: Link) -> None:
    raise RuntimeError("a mistake of ours")


def be_silent(link: Link) -> None:
    link.phase(Phase.SEARCHING)
    time.sleep(600)


def compile_long(link: Link, between: Phase) -> None:
    """Loading, and in between; the search itself is never silent for long."""
    for phase in (Phase.LOADING, Phase.SEARCHING, between, Phase.SEARCHING):
        link.phase(phase)
        time.sleep(1.0 if phase in (Phase.LOADING, Phase.THINKING) else 0.5)
    link.send("done")


def send_much(link: Link) -> None:
    for _ in range(20):
        link.send(b"x" * 1_000_000)


def print_noise(link: Link) -> None:
    print("noise", flush=True)
    os.write(1, b"noise")
    os.write(2, b"noise")
    link.send(("done", os.read(0, 10)))


def kill_base(link: Link) -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)


def loop_forever(link: Link) -> None:
    link.send((os.getpid(), os.getppid()))
    while True:
        pass
