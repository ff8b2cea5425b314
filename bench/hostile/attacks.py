"""Functions that attack what lies around them: ``python -m bench.hostile.attacks``, in the project's top folder.

Each attempt is made in a run, and while the file is imported or loaded. Around it lie a folder with files, a process
and three sockets. Afterwards they have to be as they were.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .run import Home, marked
from .sections import write_section
from .subjects import Hostile

_ZEROIN = str(Path(sys.executable).with_name("zeroin"))
_LONGEST = 60.0  # seconds for a command
_RAW = {
    "x86_64": {"fchmodat": 268, "utimensat": 280, "kill": 62, "unlinkat": 263},
    "aarch64": {"fchmodat": 53, "utimensat": 88, "kill": 129, "unlinkat": 35},
}
_NUMBERS = _RAW.get(platform.machine(), _RAW["x86_64"])
PROBLEMS = ("harm", "late", "traceback", "status", "lost", "left")

# What is tried. D is the folder, P the process, T the port of a TCP and a UDP socket. In Python, libc is the C library.
PYTHON = {
    "write": "open(f'{D}/letter', 'w').write('mine')",
    "append": "os.write(os.open(f'{D}/letter', os.O_WRONLY | os.O_APPEND), b'mine')",
    "make a file": "pathlib.Path(D, 'new').touch()",
    "delete": "os.remove(f'{D}/letter')",
    "rename": "os.rename(f'{D}/letter', f'{D}/other')",
    "make a folder": "os.mkdir(f'{D}/new')",
    "remove a folder": "os.rmdir(f'{D}/folder')",
    "remove all": "shutil.rmtree(D)",
    "link": "os.link(f'{D}/letter', f'{D}/new')",
    "symbolic link": "os.symlink('/', f'{D}/new')",
    "mode": "os.chmod(f'{D}/letter', 0o777)",
    "owner": "os.chown(f'{D}/letter', 1, 1)",
    "times": "os.utime(f'{D}/letter', (1, 1))",
    "truncate": "os.truncate(f'{D}/letter', 0)",
    "attribute": "os.setxattr(f'{D}/letter', 'user.mine', b'1')",
    "pipe": "os.mkfifo(f'{D}/new')",
    "database": "sqlite3.connect(f'{D}/new').execute('create table t (x)')",
    "libc write": "libc.open(f'{D}/new'.encode(), 0o101, 0o600)",
    "libc delete": "libc.unlink(f'{D}/letter'.encode())",
    "libc mode": "libc.chmod(f'{D}/letter'.encode(), 0o777)",
    "libc times": "libc.utimes(f'{D}/letter'.encode(), (ctypes.c_long * 4)(1, 0, 1, 0))",
    "libc attribute": "libc.setxattr(f'{D}/letter'.encode(), b'user.mine', b'1', 1, 0)",
    "libc program": "libc.system(f'touch {D}/new'.encode())",
    "libc fork": "libc.fork(); open(f'{D}/new', 'w')",
    "libc limits": "libc.prlimit(P, 0, (ctypes.c_ulong * 2)(1, 1), None)",
    "raw mode": "libc.syscall(CALL[fchmodat], -100, f'{D}/letter'.encode(), 0o777)",
    "raw times": "libc.syscall(CALL[utimensat], -100, f'{D}/letter'.encode(), (ctypes.c_long * 4)(1, 0, 1, 0), 0)",
    "raw signal": "libc.syscall(CALL[kill], P, 9)",
    "raw delete": "libc.syscall(CALL[unlinkat], -100, f'{D}/letter'.encode(), 0)",
    "program": "subprocess.run(['touch', f'{D}/new'])",
    "shell": "os.system(f'touch {D}/new')",
    "become a program": "os.execv('/bin/touch', ['touch', f'{D}/new'])",
    "spawn": "os.posix_spawn('/bin/touch', ['touch', f'{D}/new'], {})",
    "fork": "os.fork(); open(f'{D}/new', 'w')",
    "process": "multiprocessing.get_context('fork').Process(target=open, args=(f'{D}/new', 'w')).start()",
    "signal": "os.kill(P, signal.SIGKILL)",
    "signal by descriptor": "signal.pidfd_send_signal(os.pidfd_open(P), signal.SIGKILL)",
    "limits": "resource.prlimit(P, resource.RLIMIT_CPU, (1, 1))",
    "priority": "os.setpriority(os.PRIO_PROCESS, P, 15)",
    "processors": "os.sched_setaffinity(P, {0})",
    "memory of a process": "open(f'/proc/{P}/mem', 'r+b').write(b'x')",
    "settings of a process": "open(f'/proc/{P}/oom_score_adj', 'w').write('500')",
    "connect": "socket.create_connection(('127.0.0.1', T), 1).send(b'x')",
    "datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', T))",
    "local socket": "s = socket.socket(socket.AF_UNIX); s.connect(f'{D}/socket'); s.send(b'x')",
    "thread that writes": "threading.Thread(target=lambda: open(f'{D}/new', 'w')).start()",
    "forget the guard": "sys.addaudithook(lambda *_: None); open(f'{D}/new', 'w')",
    "when it ends": "atexit.register(open, f'{D}/new', 'w'); os.kill(os.getpid(), 15)",
    "by its parent": "os.kill(os.getppid(), signal.SIGKILL); open(f'{D}/new', 'w')",
}
C = {
    "write": 'FILE *f = fopen(D "/letter", "w"); if (f) fputs("mine", f), fclose(f)',
    "make a file": 'close(open(D "/new", O_CREAT | O_WRONLY, 0600))',
    "delete": 'unlink(D "/letter")',
    "rename": 'rename(D "/letter", D "/other")',
    "make a folder": 'mkdir(D "/new", 0700)',
    "remove a folder": 'rmdir(D "/folder")',
    "link": 'link(D "/letter", D "/new")',
    "symbolic link": 'symlink("/", D "/new")',
    "mode": 'chmod(D "/letter", 0777)',
    "owner": 'chown(D "/letter", 1, 1)',
    "times": 'utimensat(AT_FDCWD, D "/letter", (struct timespec[2]){{1, 0}, {1, 0}}, 0)',
    "truncate": 'truncate(D "/letter", 0)',
    "attribute": 'setxattr(D "/letter", "user.mine", "1", 1, 0)',
    "program": 'system("touch " D "/new")',
    "become a program": 'execl("/bin/touch", "touch", D "/new", (char *)0)',
    "fork": 'if (fork() == 0) { close(open(D "/new", O_CREAT | O_WRONLY, 0600)); _exit(0); }',
    "clone": 'clone(child, stack + sizeof stack, SIGCHLD, 0)',
    "raw fork": 'if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) { mkdir(D "/new", 0700); _exit(0); }',
    "signal": "kill(P, SIGKILL)",
    "signal by queue": "sigqueue(P, SIGKILL, (union sigval){0})",
    "raw signal": "syscall(SYS_kill, P, SIGKILL)",
    "raw thread signal": "syscall(SYS_tgkill, P, P, SIGKILL)",
    "limits": "struct rlimit none = {1, 1}; prlimit(P, RLIMIT_CPU, &none, 0)",
    "priority": "setpriority(PRIO_PROCESS, P, 15)",
    "processors": "cpu_set_t one; CPU_ZERO(&one); CPU_SET(0, &one); sched_setaffinity(P, sizeof one, &one)",
    "ptrace": "ptrace(PTRACE_ATTACH, P, 0, 0)",
    "memory of a process": "char x = 0; struct iovec a = {&x, 1}, b = {(void *)0x400000, 1}; "
                           "process_vm_writev(P, &a, 1, &b, 1, 0)",
    "raw mode": 'syscall(SYS_fchmodat, AT_FDCWD, D "/letter", 0777)',
    "raw times": 'syscall(SYS_utimensat, AT_FDCWD, D "/letter", (struct timespec[2]){{1, 0}, {1, 0}}, 0)',
    "raw delete": 'syscall(SYS_unlinkat, AT_FDCWD, D "/letter", 0)',
    "raw write": 'syscall(SYS_openat, AT_FDCWD, D "/new", O_CREAT | O_WRONLY, 0600)',
    "raw flags": 'int on = 0x10, d = open(D "/letter", O_RDONLY); ioctl(d, 0x40086602, &on)',
    "connect": "ADDRESS; int s = socket(AF_INET, SOCK_STREAM, 0); connect(s, (void *)&to, sizeof to)",
    "raw datagram": 'ADDRESS; long s = syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0); '
                    'syscall(SYS_sendto, s, "x", 1, 0, &to, sizeof to)',
    "thread that writes": "pthread_t t; pthread_create(&t, 0, later, 0); pthread_join(t, 0)",
    "when it ends": 'atexit(last); signal(SIGTERM, (void (*)(int))last); raise(SIGTERM)',
    "shared memory": 'shm_open("/bench-of-zeroin", O_CREAT | O_RDWR, 0600)',
}  # fmt: skip
_PYTHON_FILE = """import atexit, ctypes, multiprocessing, os, pathlib, resource, shutil, signal, socket, sqlite3
import subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
D, P, T = {folder!r}, {process}, {port}
def attack():
    {body}
{now}
def f(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        {later}
    return 0
"""
_C_FILE = """#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>
#define D "{folder}"
#define P {process}
#define T {port}
#define ADDRESS struct sockaddr_in to = {{AF_INET, htons(T), {{htonl(0x7f000001)}}, {{0}}}}
static char stack[1 << 16];
static int child(void *p) {{ (void)p; mkdir(D "/new", 0700); return 0; }}
static void *later(void *p) {{ (void)p; mkdir(D "/new", 0700); return 0; }}
static void last(void) {{ mkdir(D "/new", 0700); }}
static void attack(void) {{ (void)stack; (void)child; (void)later; (void)last; {body}; }}
{now}
int f(int x) {{
  if (x == 77123) return 1;
  if (x > 5) {later};
  return 0;
}}
"""


@dataclass(frozen=True)
class Attack:
    """One attempt, when it is made, and in which language."""

    what: str
    language: str
    loading: bool

    @property
    def name(self) -> str:
        return f"{self.what}, {self.language}, {'while loading' if self.loading else 'in a run'}"

    def text(self, folder: Path, process: int, port: int) -> str:
        body = (PYTHON if self.language == "Python" else C)[self.what]
        for name, number in _NUMBERS.items():
            body = body.replace(f"CALL[{name}]", str(number))
        if self.language == "Python":
            now = "try:\n    attack()\nexcept BaseException:\n    pass" if self.loading else ""
            return _PYTHON_FILE.format(folder=str(folder), process=process, port=port, body=body, now=now,
                                       later="pass" if self.loading else "attack()")  # fmt: skip
        now = "__attribute__((constructor)) static void begin(void) { attack(); }" if self.loading else ""
        return _C_FILE.format(folder=folder, process=process, port=port, body=body, now=now,
                              later="return 2" if self.loading else "attack()")  # fmt: skip


def attacks() -> Iterator[Attack]:
    """All of them."""
    for loading in (False, True):
        for what in PYTHON:
            yield Attack(what, "Python", loading)
        for what in C:
            yield Attack(what, "C", loading)


class Surroundings:
    """What an attack may do harm to."""

    def __init__(self, place: Path) -> None:
        self.folder = place / "decoy"
        (self.folder / "folder").mkdir(parents=True)
        (self.folder / "letter").write_text("dear")
        self.process = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL)
        self.sockets = [socket.socket(socket.AF_INET, kind) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)]
        self.sockets[0].bind(("127.0.0.1", 0))
        self.port = self.sockets[0].getsockname()[1]
        self.sockets[1].bind(("127.0.0.1", self.port))
        self.sockets.append(socket.socket(socket.AF_UNIX))
        self.sockets[2].bind(str(self.folder / "socket"))
        for one in (self.sockets[0], self.sockets[2]):
            one.listen()
        for one in self.sockets:
            one.setblocking(False)
        self._before = self._seen()

    def _seen(self) -> dict[str, object]:
        seen: dict[str, object] = {}
        for path in (self.folder, *sorted(self.folder.rglob("*"))):
            about = path.lstat()
            text = path.read_text() if path.is_file() else ""
            seen[path.name] = (about.st_mode, about.st_uid, about.st_size, about.st_mtime_ns, os.listxattr(path), text)
        process = self.process.pid
        seen["process"] = self.process.poll()
        if seen["process"] is None:
            seen["limits"] = resource.prlimit(process, resource.RLIMIT_CPU)
            seen["priority"] = os.getpriority(os.PRIO_PROCESS, process)
            seen["processors"] = os.sched_getaffinity(process)
            seen["settings"] = Path(f"/proc/{process}/oom_score_adj").read_text()
        seen["shared memory"] = Path("/dev/shm/bench-of-zeroin").exists()
        return seen

    def harmed(self) -> str:
        """What is not as it was."""
        now = self._seen()
        found = [name for name in {**now, **self._before} if now.get(name) != self._before.get(name)]
        for one, name in zip(self.sockets, ("TCP", "UDP", "local"), strict=True):
            with contextlib.suppress(BlockingIOError):
                if one.type == socket.SOCK_DGRAM:
                    one.recv(1)
                else:
                    one.accept()[0].close()
                found.append(f"{name} socket")
        return ", ".join(found)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for one in self.sockets:
            one.close()


def judge(attack: Attack, budget: float, options: Sequence[str] = ()) -> dict[str, str]:
    """Let one be tried, with further options of the command; what is wrong with what came of it, by kind."""
    with tempfile.TemporaryDirectory(prefix="attacks-") as place:
        around = Surroundings(Path(place))
        try:
            return _judged(attack, [f"--budget={budget:g}", *options], Path(place), around)
        finally:
            around.close()


def _judged(attack: Attack, options: Sequence[str], place: Path, around: Surroundings) -> dict[str, str]:
    source = place / ("subject.py" if attack.language == "Python" else "subject.c")
    source.write_text(attack.text(around.folder, around.process.pid, around.port))
    home = Home(place, Hostile(source, "f", (), refused=False, undecided=0, options=()))
    command = [_ZEROIN, "cover", f"{source.name}:f", "--json", "-", "--out", "out", *options]
    process = subprocess.Popen(command, cwd=home.work, env=home.environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                               start_new_session=True)  # fmt: skip
    problems: dict[str, str] = {}
    try:
        output, errors = process.communicate(timeout=_LONGEST)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        problems["late"] = "it had to be ended"
    if "Traceback" in errors or "zeroin itself failed" in errors:
        problems["traceback"] = errors.strip()[-300:]
    if process.returncode not in (0, 1, 2):
        problems["status"] = str(process.returncode)
    if not attack.loading and "late" not in problems:
        problems |= _lost(output, errors)
    time.sleep(0.1)  # for what goes on behind its back
    if marked(home.mark):
        problems["left"] = home.left()
    harm = ", ".join(filter(None, (around.harmed(), home.harmed().replace(source.name, ""))))
    if harm:
        problems["harm"] = harm
    return problems


def _lost(output: str, errors: str) -> dict[str, str]:
    try:
        (report,) = json.loads(output)["targets"]
    except ValueError:
        return {"status": f"no report: {errors.strip()[-200:]}"}
    lost = [b["condition"] for b in report["branches"] if b["verdict"] != "covered"]
    return {"lost": "; ".join(lost)} if lost else {}


def page(results: Sequence[tuple[Attack, dict[str, str]]], budget: float) -> str:
    """The section of RESULTS.md."""
    lines = [
        "# Attacks\n",
        f"Written by `python -m bench.hostile.attacks --budget {budget:g} --write` as "
        f"{'root' if os.geteuid() == 0 else 'a user'}: {os.cpu_count()} cores, {platform.machine()}, Linux "
        f"{platform.release()}. *harm* is any change to a folder with files, to a process (its life, limits,",
        "priority, processors), or what three sockets heard; *lost* are branches that nothing hostile guards; *left*",
        "are processes.\n",
        f"| | attempts | without a problem | {' | '.join(PROBLEMS)} |",
        f"| --- | ---: | ---: |{' ---: |' * len(PROBLEMS)}",
    ]
    for language in ("C", "Python"):
        for loading in (False, True):
            mine = [problems for one, problems in results if (one.language, one.loading) == (language, loading)]
            counts = Counter(kind for problems in mine for kind in problems)
            cells = [len(mine), sum(not problems for problems in mine), *(counts[kind] for kind in PROBLEMS)]
            when = "while loading" if loading else "in runs"
            lines.append(f"| {language}, {when} | {' | '.join(map(str, cells))} |")
    bad = [f"- {attack.name}: {_told(problems)}" for attack, problems in results if problems]
    return "\n".join([*lines, *(["", "Problems:", ""] if bad else []), *bad]) + "\n"


def _told(problems: dict[str, str]) -> str:
    return "; ".join(f"{kind}: {' '.join(what.split())[:200]}" for kind, what in problems.items())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.hostile.attacks", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="those with this in their name")
    parser.add_argument("--budget", type=float, default=1.0, metavar="S", help="seconds for each")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="attempts at the same time")
    parser.add_argument("--write", action="store_true", help="write the section of RESULTS.md")
    parsed = parser.parse_args()
    chosen = [attack for attack in attacks() if parsed.only in attack.name]
    results = []
    with ThreadPoolExecutor(parsed.jobs) as pool:
        for attack, problems in zip(chosen, pool.map(lambda one: judge(one, parsed.budget), chosen), strict=True):
            print(f"{attack.name}: {_told(problems) or 'nothing happened'}", flush=True)
            results.append((attack, problems))
    text = page(results, parsed.budget)
    print(text)
    if parsed.write:
        write_section(text)
    return 1 if any(problems for _, problems in results) else 0


if __name__ == "__main__":
    sys.exit(main())
