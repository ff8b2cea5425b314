"""The wall of system calls: what passes, what does not, and what is told of it."""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zeroin.sandbox import forking, seccomp
from zeroin.sandbox.seccomp import AllowedCalls
from zeroin.sandbox.system_calls import AARCH64, MACHINES, X86_64, attempt, known, name_of

LIBC, NOTHING = ctypes.CDLL(None, use_errno=True), AllowedCalls()


def inside(work: Callable[[], Any], calls: AllowedCalls = NOTHING, narrow: bool = False) -> tuple[str, str]:
    """What some work comes to in a process behind the wall, and the call that was stopped there; ``narrow``: where no
    more processes are started."""
    seccomp.handler()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            assert seccomp.install_filter(calls)
            if narrow:
                seccomp.no_more_processes()
            try:
                said = repr(work())
            except OSError as error:
                said = type(error).__name__
            os.write(writing, f"{said}\n{seccomp.stopped_call()}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        text = file.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, f"the process ended: {status}"
    said, _, stopped = text.partition("\n")
    return said, stopped.rpartition(" ")[2]


def start_and_join() -> str:
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    return "joined"


def start_process() -> str:
    child = os.fork()
    if child == 0:
        os._exit(0)
    return f"ended {os.waitpid(child, 0)[1]}"


def raw(name: str, *arguments: int) -> int:
    return int(LIBC.syscall(X86_64[name] if os.uname().machine == "x86_64" else AARCH64[name], *arguments))


FINE: dict[str, Callable[[], Any]] = {
    "own limits": lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
    "a thread": start_and_join,
    "own priority": lambda: os.nice(1),
    "a pair of sockets": lambda: [one.detach() for one in socket.socketpair()] and None,
    "own processors": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "a pipe": lambda: os.pipe() and None,
    "what an open file is like": lambda: os.isatty(0),
    "users": lambda: __import__("pwd").getpwuid(0).pw_uid,
    "a name": lambda: socket.gethostname() and None,
    "the clock": lambda: signal.setitimer(signal.ITIMER_REAL, 0) and None,
}
STOPPED: dict[str, tuple[str, Callable[[], Any]]] = {
    "prlimit64": ("-1", lambda: raw("prlimit64", os.getppid(), 0, 0, 0)),
    "setpriority": ("PermissionError", lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 3)),
    "sched_setaffinity": ("PermissionError", lambda: os.sched_setaffinity(os.getppid(), {0})),
    "ptrace": ("-1", lambda: raw("ptrace", 16, os.getppid(), 0, 0)),
    "process_vm_writev": ("-1", lambda: raw("process_vm_writev", os.getppid(), 0, 0, 0, 0, 0)),
    "pidfd_getfd": ("-1", lambda: raw("pidfd_getfd", 0, 0, 0)),
    "setxattr": ("-1", lambda: raw("setxattr", 0, 0, 0, 0, 0)),
    "utimensat": ("PermissionError", lambda: os.utime("/dev/null")),
    "flock": ("PermissionError", lambda: fcntl.flock(0, fcntl.LOCK_SH)),
    "socket": ("PermissionError", lambda: socket.socket(socket.AF_INET)),
    "unshare": ("-1", lambda: raw("unshare", 0x10000000)),
    "mount": ("-1", lambda: raw("mount", 0, 0, 0, 0, 0)),
    "bpf": ("-1", lambda: raw("bpf", 0, 0, 0)),
    "keyctl": ("-1", lambda: raw("keyctl", 0, 0, 0, 0, 0)),
    "shmget": ("-1", lambda: raw("shmget", 0, 4096, 0o1600)),
    "ioctl": ("-1", lambda: raw("ioctl", 0, 0x40086602, 0)),  # FS_IOC_SETFLAGS
    "fcntl": ("PermissionError", lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())),
    "prctl": ("-1", lambda: raw("prctl", 36, 1, 0, 0, 0)),  # PR_SET_CHILD_SUBREAPER
    "clone": ("PermissionError", start_process),
}


@pytest.mark.parametrize("what", FINE)
def test_what_a_process_does_with_itself_passes(what: str) -> None:
    said, stopped = inside(FINE[what])
    assert stopped == ""
    assert "Error" not in said


@pytest.mark.parametrize("name", STOPPED)
def test_what_reaches_others_is_stopped_and_told(name: str) -> None:
    assert inside(STOPPED[name][1]) == (STOPPED[name][0], name.replace("prlimit64", "prlimit"))


def test_there_is_no_io_uring_and_no_local_socket_and_nothing_is_told() -> None:
    assert inside(lambda: raw("io_uring_setup", 1, 0)) == ("-1", "")
    assert inside(lambda: socket.socket(socket.AF_UNIX)) == ("PermissionError", "")


def test_what_is_allowed_passes() -> None:
    assert inside(lambda: socket.socket(socket.AF_INET).close(), AllowedCalls(network=True)) == ("None", "")
    assert inside(lambda: fcntl.flock(0, fcntl.LOCK_SH), AllowedCalls(files=True)) == ("None", "")
    assert inside(start_process, AllowedCalls(forks=True)) == ("'ended 0'", "")
    assert inside(start_process, AllowedCalls(processes=True), narrow=True) == ("'ended 0'", "")


def test_runs_start_no_processes_and_send_no_signals() -> None:
    forks = AllowedCalls(forks=True)
    assert inside(lambda: os.kill(os.getpid(), 0), forks, narrow=True) == ("None", "")
    assert inside(start_process, forks, narrow=True) == ("PermissionError", "clone")
    assert inside(lambda: os.kill(os.getppid(), signal.SIGUSR1), forks, narrow=True) == ("PermissionError", "kill")
    assert inside(lambda: os.kill(os.getppid(), 0), forks, narrow=True) == ("None", "")
    assert inside(os.setsid, forks, narrow=True) == ("PermissionError", "setsid")
    assert inside(start_and_join, forks, narrow=True) == ("'joined'", "")


def test_our_own_processes_are_started_and_ended_all_the_same() -> None:
    """Racing solvers, and what ends them."""

    def start_and_end() -> list[object]:
        quick = forking.fork()
        if quick == 0:
            os._exit(7)
        slow = forking.fork()
        if slow == 0:
            threading.Thread(target=time.sleep, args=(60,)).start()
            time.sleep(60 if threading.active_count() == 2 else 0)
            os._exit(1)
        time.sleep(0.05)
        forking.end(slow)
        return [os.waitstatus_to_exitcode(os.waitpid(one, 0)[1]) for one in (quick, slow)]

    assert inside(start_and_end, AllowedCalls(forks=True), narrow=True) == ("[7, -9]", "")


def test_who_knows_the_path_permits_one_call(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")

    def change() -> str:
        trap = seccomp.trap()
        assert trap is not None
        trap.permit()
        file.chmod(0o604)
        try:
            file.chmod(0o600)
        except PermissionError:
            return oct(file.stat().st_mode)
        return "twice"

    assert inside(change) == ("'0o100604'", "chmod" if os.uname().machine == "x86_64" else "fchmodat")


def test_what_is_permitted_in_one_run_is_not_in_the_next(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    def change() -> None:
        trap = seccomp.trap()
        assert trap is not None
        trap.permit()
        seccomp.stopped_call()  # as at the end of a run
        (tmp_path / "file").chmod(0o604)

    assert inside(change)[0] == "PermissionError"


@pytest.mark.parametrize("space", [0x00020000, 0x10000000, 0x40000000])
def test_no_thread_has_a_namespace_of_its_own(space: int) -> None:
    """Of mounts, users, the network: root could make one."""
    thread = 0x100 | 0x800 | 0x10000  # CLONE_VM, CLONE_SIGHAND, CLONE_THREAD
    assert inside(lambda: raw("clone", thread | space, 0, 0, 0, 0), AllowedCalls(forks=True)) == ("-1", "clone")


def test_only_the_first_stopped_call_is_told_and_once() -> None:
    def several() -> list[str]:
        for name in ("ptrace", "bpf"):
            raw(name, 0, 0, 0, 0)
        return [seccomp.stopped_call(), seccomp.stopped_call()]

    assert inside(several) == ("['tries to make the system call ptrace', '']", "")


def test_what_is_tried_is_told_in_the_words_of_the_guards() -> None:
    numbers = known()
    assert numbers is not None
    told = [attempt(numbers[1][name]) for name in ("socket", "clone", "kill", "fchmod", "flock", "bpf")]
    assert told == [
        "tries to use the network: socket",
        "tries to start a process: clone",
        "tries to signal other processes: kill",
        "tries to change a file: fchmod",
        "tries to lock a file: flock",
        "tries to make the system call bpf",
    ]


def test_without_a_wall_nothing_changes() -> None:
    assert seccomp.trap() is None
    assert seccomp.stopped_call() == ""
    seccomp.no_more_processes()
    assert start_process() == "ended 0"


@pytest.mark.parametrize("machine", seccomp.HANDLERS)
def test_the_handler_is_what_its_assembly_says(machine: str, tmp_path: Path) -> None:
    source = Path(seccomp.__file__).with_name(f"trap_{machine}.S")
    made, plain = tmp_path / "handler.o", tmp_path / "handler.bin"
    zig = [sys.executable, "-m", "ziglang"]
    subprocess.run([*zig, "cc", "-target", f"{machine}-linux-gnu", "-c", source, "-o", made], check=True)
    subprocess.run([*zig, "objcopy", "-O", "binary", "--only-section=.text", made, plain], check=True)
    assert plain.read_bytes() == seccomp.HANDLERS[machine]


def test_calls_are_known_by_name() -> None:
    assert (X86_64["read"], X86_64["prlimit64"], X86_64["seccomp"], X86_64["clone3"]) == (0, 302, 317, 435)
    assert (AARCH64["io_setup"], AARCH64["prlimit64"], AARCH64["clone"], AARCH64["seccomp"]) == (0, 261, 220, 277)
    for _, calls in MACHINES.values():
        assert len(set(calls.values())) == len(calls)
    assert known() is not None
    assert name_of(100_000) == "100000"
