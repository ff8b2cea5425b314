"""Jobs for the tests of the sandbox."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable

from zeroin.errors import TargetError
from zeroin.native.cells import ARITY, WORDS, Phase
from zeroin.process.message_stream import MessageStream
from zeroin.worker.base_process import Link
from zeroin.worker.messages import AideEnded
from zeroin.worker.task_supervisor import Aide, Work


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


def compile_then_think(link: Link) -> None:
    """Each phase is within its limit."""
    for phase, seconds in ((Phase.COMPILING, 1.2), (Phase.THINKING, 0.4)):
        link.phase(phase)
        time.sleep(seconds)
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


# ---- a job that waits for tasks ----

loaded: list[int] = []


def wait_for_tasks(link: Link) -> None:
    """What the tasks change is theirs alone; ``before`` changes what all later ones see."""
    loaded.append(1)

    def before(task: str) -> None:
        if task == "count":
            loaded.append(len(loaded) + 1)

    tasks: dict[str, Callable[..., None]] = {
             "count": _count, "answer": answer, "die": _die, "be_silent": be_silent, "leave": leave, "end": _end,
             "scribble": _scribble, "close": _close, "refuse": refuse, "kill_job": kill_base, "multiply": _multiply,
             "damage": _damage}  # fmt: skip
    works = {name: Work(run, (object,)) for name, run in tasks.items()}
    aide = Aide(_help, (str,), (tuple,))
    works |= {name: Work(run, (str, list), aide, (str, AideEnded)) for name, run in HELPED.items()}
    link.serve(works, before)


def _count(link: Link) -> None:
    link.send(list(loaded))
    loaded.clear()


def _die(link: Link, *words: int) -> None:
    link.phase(Phase.SEARCHING)
    link.memory[ARITY] = len(words)
    link.memory[WORDS : WORDS + len(words)] = words
    os.kill(os.getpid(), signal.SIGSEGV)


def _end(link: Link) -> None:
    link.send("before")
    os._exit(0)


def _scribble(link: Link) -> None:
    for descriptor in range(3, 40):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"garbage" * 100)
    time.sleep(600)


def _close(link: Link) -> None:
    os.closerange(3, 100)
    time.sleep(600)


def _multiply(link: Link) -> None:
    for _ in range(3):
        if os.fork() == 0:
            time.sleep(600)
    link.send("multiplied")


def _damage(link: Link) -> None:
    link.memory[:] = -7
    os.kill(os.getpid(), signal.SIGKILL)


# ---- tasks with an aide ----


def _help(task: MessageStream, parent: MessageStream) -> None:
    """Answer what is asked with it and the number of requests so far, and tell the parent first."""
    asked = list[str]()
    while True:
        asked.append(task.receive())
        if asked[-1] == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if asked[-1] == "fail":
            raise RuntimeError("a mistake of ours")
        parent.send(["not accepted"] if asked[-1] == "lie" else ("told", asked[-1], len(loaded)))
        task.send(f"{asked[-1]} {len(asked)}")


def _ask(link: Link, *questions: str) -> None:
    """Say what the aide says; the task's own process spoils what was loaded, which the aide does not see."""
    loaded.extend(range(100))
    assert link.aide is not None
    for question in questions:
        link.aide.send(question)
        answer = link.aide.receive()
        link.send(answer if isinstance(answer, str) else [type(answer).__name__])


def _tell_of_aide(link: Link) -> None:
    """Send what only the aide may send."""
    link.send(("told", "by the task", 0))
    time.sleep(600)


def _ask_nonsense(link: Link) -> None:
    assert link.aide is not None
    os.write(link.aide.descriptor, b"nonsense" * 1000)
    answer = link.aide.receive()
    link.send([type(answer).__name__])


def _ask_for_ever(link: Link) -> None:
    """Until nobody answers any more."""
    assert link.aide is not None
    deaths = 0
    with contextlib.suppress(EOFError, OSError):
        while True:
            link.aide.send("die")
            deaths += type(link.aide.receive()) is AideEnded
    link.send(f"{deaths} deaths")


HELPED: dict[str, Callable[..., None]] = {
    "ask": _ask, "tell_of_aide": _tell_of_aide, "ask_nonsense": _ask_nonsense, "ask_for_ever": _ask_for_ever,
}  # fmt: skip
