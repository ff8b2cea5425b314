"""Functions that would start processes, signal others, or use the network. Do not call them."""

import multiprocessing
import os
import signal
import socket
import subprocess


def _idle():
    return None


def _fork_once():
    """The child ends at once, should there ever be one."""
    process = os.fork()
    {0: os._exit}.get(process, abs)(0)


# expects: forbidden run a program
def calls_shell(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        os.system("true")
    return 0


# expects: forbidden run a program
def runs_program(x: int) -> int:
    if x == 77123:
        return 1
    if x % 7 == 3:
        subprocess.run(["true"], check=False)
    return 0


# expects: forbidden run a program
def reads_program(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        return len(os.popen("true").read())
    return 0


# expects: forbidden run a program
def becomes_program(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        os.execv("/bin/true", ["true"])
    return 0


# expects: forbidden run a program
def spawns(x: int) -> int:
    if x < -100:
        return 2
    if x > 5:
        os.posix_spawn("/bin/true", ["true"], {})
    return 0


# expects: forbidden start a process
def forks(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        _fork_once()
    return 0


# expects: forbidden start a process
def starts_process(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        multiprocessing.get_context("fork").Process(target=_idle).start()
    return 0


# expects: forbidden signal
def signals_parent(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        os.kill(os.getppid(), signal.SIGCONT)
    return 0


# expects: forbidden signal
def signals_group(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        os.killpg(os.getpgrp(), signal.SIGCONT)
    return 0


# expects: forbidden network
def connects(x: int) -> int:
    if x > 100:
        return 2
    if x > 5:
        socket.create_connection(("127.0.0.1", 9), 1).close()
    return 0


# expects: forbidden network
def listens(x: int) -> int:
    if x > 100:
        return 2
    if x == 4:
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
    return 0


# expects: forbidden network
def sends(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"x", ("127.0.0.1", 9))
    return 0


# expects: forbidden network
def asks_for_address(x: int) -> int:
    if x > 100:
        return 2
    if x % 7 == 3:
        socket.gethostbyname("localhost")
    return 0


# expects: nothing
def talks_to_itself(x: int) -> bytes:
    if x > 5:
        one, other = socket.socketpair()
        with one, other:
            one.send(b"hello")
            return other.recv(10)
    return b"less" if x < -100 else b""
