"""Our own code beside a subject: loaded as it was made once, wherever there is room."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zeroin import cache
from zeroin.languages.c.front.compile import RUNTIME, compile_all
from zeroin.languages.c.run import runtime_library
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.native import machine
from zeroin.subject.base import Termination

_SUBJECT = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int f(int x) {
  char *block = malloc(8);
  strcpy(block, "1234567");
  if (x == 1) return *(volatile int *)8;
  if (x == 2) abort();
  if (x == 3) block[9] = 1;
  if (x == 4) return unlink("/etc/passwd");
  if (x == 5) for (;;) continue;
  volatile int used;
  LARGE
  int length = strlen(block);
  free(block);
  return length;
}
""".replace("LARGE", 1000 * "used = 1; ")  # code that no rest of a page has room for

_WITH_PIECES_FAR_APART = """
import ctypes, sys
from pathlib import Path
from zeroin.languages.c.run.engine import LlvmSubject
def loaded():
    subject = LlvmSubject(Path(sys.argv[1]), "f")
    subject.prepare_replay()
    return subject
loaded()
libc, page = ctypes.CDLL(None), 4096
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
take = lambda size: libc.mmap(None, size, 0, 0x4022, -1, 0)  # private, anonymous, without reserve
size = (3 << 30) + 1024 * page
region = take(size)
while take(page) > region:
    pass  # until there is no room above
for n in range(1, 64):  # for the subject, but not for the guards
    libc.munmap(region + size - 48 * n * page, 24 * page)
subject = loaded()
code = subject._code
print(abs(code.function("zeroin_guard") - code.function("zeroin_objective")) > 1 << 31)
subject.guard()
print(*(subject.run((x,)).outcome.name for x in range(6)))
print(*(subject.replay((x,)).outcome.name for x in range(6)))
"""


_THROWING = """
#include <stdexcept>
#include <string>
static int checked(int x) { if (x > 3) throw std::out_of_range(std::to_string(x)); return x; }
int f(int x) { try { return checked(x); } catch (const std::exception &) { return -1; } }
"""

_WITH_BUILDS_FAR_AWAY = """
import ctypes, gc, sys
from pathlib import Path
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.languages.c.options import LlvmOptions
def loaded():
    return LlvmSubject(Path(sys.argv[1]), "f", LlvmOptions(sanitized=True))
loaded().prepare_replay()  # so that nothing is compiled once there is no room
gc.collect()
subject = loaded()
here = subject._code.function("zeroin_objective")
libc, page = ctypes.CDLL(None), 4096
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
def fill():
    for size in (1 << 30, 1 << 24, 1 << 20, 1 << 16, page):  # until there is no room nearby
        while abs(libc.mmap(None, size, 0, 0x4022, -1, 0) - here) < 4 << 30:
            pass
load = subject.load_beside
subject.load_beside = lambda *given: (fill(), load(*given))[1]  # what is freed in between is room, too
subject.prepare_replay()
print(max(abs(build.address - here) for build in subject._builds) > 1 << 31, len(subject._builds))
subject.guard()
print(*(subject.replay((x,)).result for x in (3, 4)))
"""


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    path = tmp_path / "ends.c"
    path.write_text(_SUBJECT)
    return path


def test_a_subject_and_the_guards_may_lie_far_apart(subject: Path) -> None:
    """LLVM ends the process if they refer to each other but by tables."""
    done = subprocess.run([sys.executable, "-c", _WITH_PIECES_FAR_APART, str(subject)], capture_output=True, text=True,
                          check=False)  # fmt: skip
    ends = "RETURNED SEGV ABORT HEAP FORBIDDEN HUNG\n"
    assert (done.stdout, done.returncode) == (f"True\n{ends}{ends}", 0), done.stderr[-300:]


def test_builds_that_catch_exceptions_may_lie_far_away(tmp_path: Path) -> None:
    """LLVM ends the process if they share a name for what catches."""
    (tmp_path / "f.cpp").write_text(_THROWING)
    command = [sys.executable, "-c", _WITH_BUILDS_FAR_AWAY, str(tmp_path / "f.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (f"True 5\n3 {0xFFFFFFFF}\n", 0), done.stderr[-300:]


def test_the_guards_are_made_once_and_again_if_they_are_damaged(
    subject: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made: list[bytes] = []

    def noted(module: Any, make: Callable[[Any], bytes] = machine.object_file) -> bytes:
        made.append(make(module))
        return made[-1]

    monkeypatch.setattr(machine, "object_file", noted)
    texts = compile_all([subject, *RUNTIME])
    for _ in range(2):
        runtime_library.runtime_of.cache_clear()
        first = runtime_library.runtime_of(*texts[1:])
    assert len(made) == 1
    place = cache.folder("code")
    assert place is not None
    (kept,) = (file for file in place.iterdir() if first.guards in file.read_bytes())
    content = bytearray(kept.read_bytes())
    content[-100] ^= 1
    kept.write_bytes(content)
    runtime_library.runtime_of.cache_clear()
    assert runtime_library.runtime_of(*texts[1:]).guards == first.guards
    assert len(made) == 2
    assert LlvmSubject(subject, "f", texts=texts).run((0,)).outcome is Termination.RETURNED


def test_guards_of_what_the_c_library_does_not_have_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "has_symbol", lambda name, has=machine.has_symbol: name != "renameat2" and has(name))
    made = runtime_library._make(*compile_all(RUNTIME))
    assert b"zeroin_renameat\0" in made
    assert b"renameat2\0" not in made
