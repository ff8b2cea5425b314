"""The walls around code under test: an attempt to reach beyond them is a finding; a machine without some is told so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ZEROIN = str(Path(sys.executable).with_name("zeroin"))
C = """#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
static int child(void *p) { (void)p; return 4; }
static char stack[1 << 16];
int f(int x) {
  struct rlimit none = {0, 0};
  cpu_set_t one;
  CPU_ZERO(&one);
  (void)none; (void)child; (void)stack;
  if (x == 77123) return 1;
  if (x > 5) { BODY; }
  return 0;
}
"""
PYTHON = """import ctypes, os
libc = ctypes.CDLL(None)
def f(x: int) -> int:
    if x == 77123:
        return 1
    if x > 5:
        BODY
    return 0
"""
# What is tried: the language, the code, and the call that is told. DECOY is a folder of the user's.
ATTEMPTS = {
    "limits of others": (C, "prlimit(getppid(), RLIMIT_CPU, &none, 0)", "prlimit"),
    "priority of others": (C, "setpriority(PRIO_PROCESS, getppid(), 7)", "setpriority"),
    "processors of others": (C, "sched_setaffinity(getppid(), sizeof one, &one)", "sched_setaffinity"),
    "clone": (C, "clone(child, stack + sizeof stack, 0, 0)", "clone"),
    "a raw fork": (C, "syscall(SYS_clone, 17, 0, 0, 0, 0)", "clone"),
    "a raw signal": (C, "syscall(SYS_kill, getppid(), 10)", "kill"),
    "a raw mode": (C, 'syscall(SYS_fchmodat, AT_FDCWD, "DECOY", 0777)', "fchmodat"),
    "a raw lock": (C, 'syscall(SYS_flock, open("DECOY", O_RDONLY), LOCK_EX)', "flock"),
    "ptrace": (C, "syscall(SYS_ptrace, 16, getppid(), 0, 0)", "ptrace"),
    "limits of others, Python": (PYTHON, "libc.prlimit(os.getppid(), 0, None, None)", "prlimit"),
    "priority of others, Python": (PYTHON, "os.setpriority(os.PRIO_PROCESS, os.getppid(), 7)", "setpriority"),
    "a raw mode, Python": (PYTHON, "libc.syscall(268, -100, b'DECOY', 0o777)", "fchmodat"),
    "a fork, Python": (PYTHON, "libc.fork()", "clone"),
    "a session, Python": (PYTHON, "os.setsid()", "setsid"),
}
FINE = {
    "C": (
        C,
        'int d = open("own", O_CREAT | O_RDWR, 0600); fchmod(d, 0644); flock(d, LOCK_EX); chmod("own", 0600); close(d)',
    ),
    "Python": (
        PYTHON,
        "import pathlib, shutil; p = pathlib.Path('own'); p.touch(); p.chmod(0o600); shutil.copy2(p, 'b')",
    ),
}


def covered(text: str, body: str, folder: Path, *options: str, **more: Any) -> tuple[dict[str, Any], str]:
    source = folder / ("f.c" if text is C else "subject.py")
    source.write_text(text.replace("BODY", body))
    command = [ZEROIN, "cover", f"{source.name}:f", "--evals", "3000", "--json", "-", "--emit", "none", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False, **more)
    assert done.stdout, done.stderr
    (report,) = json.loads(done.stdout)["targets"]
    return report, done.stderr


@pytest.mark.parametrize("what", ATTEMPTS)
def test_what_reaches_beyond_a_run_is_a_finding_and_does_nothing(what: str, tmp_path: Path) -> None:
    text, body, call = ATTEMPTS[what]
    if "syscall(268" in body and os.uname().machine != "x86_64":
        body, call = body.replace("268", "53"), "fchmodat"
    decoy = tmp_path / "decoy"
    decoy.mkdir(mode=0o700)
    report, _ = covered(text, body.replace("DECOY", str(decoy)), tmp_path)
    (found,) = report["findings"]
    assert (found["kind"], found["message"].split()[-1]) == ("forbidden", call)
    assert all(branch["verdict"] == "covered" for branch in report["branches"])
    assert decoy.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("language", FINE)
def test_what_a_run_does_with_files_of_its_own_is_none(language: str, tmp_path: Path) -> None:
    report, _ = covered(*FINE[language], tmp_path)
    assert report["findings"] == []
    assert all(branch["verdict"] == "covered" for branch in report["branches"])


def test_what_is_allowed_is_none(tmp_path: Path) -> None:
    body = "pid = os.fork(); os._exit(0) if pid == 0 else os.waitpid(pid, 0)"
    report, _ = covered(PYTHON, body, tmp_path, "--allow", "processes")
    assert report["findings"] == []


# ---- a machine that lacks walls: these calls do not exist there ----

WITHOUT = """
import os, sys
from zeroin.sandbox import seccomp as s
numbers, absent = s._numbers(), sys.argv[1].split(",")
rules = {name: s._always(s._NO_SUCH_CALL) for name in absent}
s._install([*s._begin(), *s._by_number(rules, numbers), *s._always(s._ALLOW)])
os.execv(sys.argv[2], sys.argv[2:])
"""
LACKS = {
    "landlock_create_ruleset": "the kernel has no Landlock",
    "seccomp": "the kernel has no seccomp filters that zeroin supports",
}


def without(calls: str, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", WITHOUT, calls, ZEROIN, *command], cwd=folder, capture_output=True,
                          text=True, timeout=120, check=False)  # fmt: skip


@pytest.mark.parametrize("call", LACKS)
def test_a_machine_without_a_wall_is_told_so_and_goes_on(call: str, tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("int f(int x) { return x == 77123 ? 1 : 0; }\n")
    (tmp_path / "subject.py").write_text("def f(x: int) -> int:\n    return 1 if x == 77123 else 0\n")
    for name in ("f.c", "subject.py"):
        done = without(call, tmp_path, "cover", f"{name}:f", "--emit", "none", "--evals", "3000")
        assert done.returncode == 0, done.stderr
        assert done.stderr.splitlines()[0] == (
            f"zeroin: note: {LACKS[call]}: the sandbox around code under test is incomplete"
        )
        assert "2 covered" in done.stdout


@pytest.mark.parametrize("call", LACKS)
@pytest.mark.parametrize("command", ["cover", "show"])
def test_who_requires_the_walls_is_refused_there(call: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "subject.py").write_text("def f(x: int) -> int:\n    return 1 if x == 77123 else 0\n")
    done = without(call, tmp_path, command, "subject.py:f", "--sandbox", "require")
    assert done.returncode == 2
    assert done.stderr == f"zeroin: --sandbox require: {LACKS[call]}; run zeroin doctor for details\n"


def test_where_all_walls_stand_they_can_be_required(tmp_path: Path) -> None:
    report, errors = covered(PYTHON, "pass", tmp_path, "--sandbox", "require")
    assert "note" not in errors
    assert report["findings"] == []
