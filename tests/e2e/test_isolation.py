"""Code under test stays inside: from its first line on, whatever it sends, and whatever lies beside it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Zeroin = Callable[..., "subprocess.CompletedProcess[str]"]

# A module that sends what a parent that unpickles would run; through the objects that it finds, or past them.
MESSAGE = """\
import gc
import os
import pickle


class Evil:
    def __reduce__(self):
        return os.system, ("touch " + os.environ["DECOY"] + "/unpickled",)


for one in gc.get_objects():
    if type(one).__name__ == "MessageStream":
        SEND


def f(x: int) -> int:
    return 1 if x > 3 else 0
"""
SENDS = {"an object": "one.send(Evil())", "a pickle": "one.forward(pickle.dumps(Evil()))",
         "its bytes": "os.write(one.descriptor, pickle.dumps(Evil()))"}  # fmt: skip

CONSTRUCTOR = """\
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wordexp.h>
static int seen;
__attribute__((constructor)) static void begin(void)
{
    char path[512];
    wordexp_t words = {0};
    snprintf(path, sizeof path, "$(touch %s/from_a_shell)", getenv("DECOY"));
    if (!wordexp(path, &words, 0)) seen |= 1;
    snprintf(path, sizeof path, "%s/from_a_system_call", getenv("DECOY"));
    if (syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, 0600) >= 0) seen |= 2;
}
int f(int x) { return x == 1 ? seen : 0; }
"""
INITIALISER = """\
#include <cstdio>
#include <cstdlib>
#include <string>
static std::FILE *made = std::fopen((std::string(std::getenv("DECOY")) + "/from_cpp").c_str(), "w");
int f(int x) { return x == 1 && made; }
"""
PLANTS = """\
import os


def f(x: int) -> int:
    if x == 1:
        for folder, _, _ in os.walk(os.environ["XDG_CACHE_HOME"]):
            with open(os.path.join(folder, "planted"), "w") as file:
                file.write("hello")
    return x
"""
PLANTS_IN_C = """\
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int f(int x)
{
    if (x == 1) {
        char path[512];
        snprintf(path, sizeof path, "%s/zeroin/code/planted", getenv("XDG_CACHE_HOME"));
        if (syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, 0600) >= 0) return 1;
        snprintf(path, sizeof path, "%s/zeroin/kernels/planted", getenv("XDG_CACHE_HOME"));
        if (syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, 0600) >= 0) return 2;
    }
    return 0;
}
"""
SHADOW = "import os, pathlib\npathlib.Path(os.environ['DECOY'], 'imported').touch()\n"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A place of our own for what is compiled, where the usual one can be seen."""
    place = tmp_path_factory.mktemp("cache")
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "zeroin"
    (place / "zeroin").mkdir(mode=0o755)
    for name in ("kernels", "code"):
        subprocess.run(["cp", "-a", "--reflink=auto", usual / name, place / "zeroin"], check=False)
    return place


@pytest.fixture
def zeroin(tmp_path: Path, cache: Path) -> Zeroin:
    (tmp_path / "decoy").mkdir()

    def run(*arguments: object, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "DECOY": str(tmp_path / "decoy"), "XDG_CACHE_HOME": str(cache), **more}
        return subprocess.run([sys.executable, "-P", "-m", "zeroin", *map(str, arguments)], cwd=tmp_path, text=True,
                              env=environment, capture_output=True, timeout=200, check=False)  # fmt: skip

    return run


def escaped(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "decoy").iterdir())


@pytest.mark.parametrize("command", ["show", "cover"])
@pytest.mark.parametrize("send", SENDS.values(), ids=SENDS)
def test_a_message_is_not_run(send: str, command: str, zeroin: Zeroin, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(MESSAGE.replace("SEND", send))
    done = zeroin(command, "m.py:f")
    assert escaped(tmp_path) == []
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(("name", "text"), [("c.c", CONSTRUCTOR), ("i.cpp", INITIALISER)])
def test_what_runs_before_a_call_is_inside(name: str, text: str, zeroin: Zeroin, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    assert zeroin("show", f"{name}:f").returncode == 0
    done = zeroin("cover", f"{name}:f", "--budget", "2")
    assert escaped(tmp_path) == []
    assert done.returncode in (0, 1), done.stderr
    assert "f(1) = 0" in done.stdout


@pytest.mark.parametrize(("name", "text"), [("p.py", PLANTS), ("p.c", PLANTS_IN_C)])
def test_no_run_writes_where_compiled_code_is_kept(
    name: str, text: str, zeroin: Zeroin, cache: Path, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    done = zeroin("cover", f"{name}:f", "--budget", "2")
    assert list(cache.rglob("planted*")) == []
    assert done.returncode in (0, 1), done.stderr
    if name == "p.py":
        assert re.search(r"^forbidden  (#\d+ )?f\(1\): tries to write a file: open", done.stdout, re.M)


def test_what_lies_beside_the_target_is_not_imported_outside(zeroin: Zeroin, tmp_path: Path) -> None:
    for name in ("types", "pytest", "coverage", "ruff", "json"):
        (tmp_path / f"{name}.py").write_text(SHADOW)
    (tmp_path / "ok.py").write_text("def g(x: int) -> int:\n    return 1 if x > 3 else 0\n")
    done = zeroin("cover", "ok.py:g", "--measure", "coverage")
    assert escaped(tmp_path) == []
    assert done.returncode == 0, done.stderr
    assert "2 branches: 2 covered" in done.stdout


def test_a_folder_that_others_could_write_to_is_emptied_and_shut(zeroin: Zeroin, tmp_path: Path) -> None:
    code = tmp_path / "open" / "zeroin" / "code"
    code.mkdir(parents=True)
    (code / "planted").touch()
    code.chmod(0o777)
    (tmp_path / "f.c").write_text("int f(int x) { return x > 3; }\n")
    done = zeroin("cover", "f.c:f", "--budget", "1", XDG_CACHE_HOME=str(tmp_path / "open"))
    assert done.returncode == 0, done.stderr
    assert code.stat().st_mode & 0o077 == 0
    assert not (code / "planted").exists()
    assert list(code.iterdir())
