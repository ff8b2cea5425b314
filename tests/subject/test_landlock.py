"""Each of the things that keep subjects from doing harm, without the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from programs import run_alone
from zeroin.sandbox import landlock, seccomp

KERNEL = """
    import ctypes, json, os, sys
    from pathlib import Path
    from zeroin.sandbox.landlock import Sandbox

    home, scratch = map(Path, sys.argv[1:])
    fence, libc = Sandbox(scratch), ctypes.CDLL(None)
    closed = fence.close()
    fence.fresh()

    def refused(action):
        try:
            action()
        except PermissionError:
            return True
        return False

    def write(path):
        path.write_text("x")

    outside = {
        "delete": refused(lambda: (home / "dear").unlink()),
        "write": refused(lambda: write(home / "there")),
        "new": refused(lambda: write(home / "new")),
        "folder": refused(lambda: (home / "folder").mkdir()),
        "signal": refused(lambda: os.kill(os.getppid(), 0)),
        "program": refused(lambda: os.execv("/bin/true", ["true"])) if closed else False,
    }
    write(Path("mine"))
    os.rename("mine", "yours")
    os.makedirs("a/b")
    os.rename("yours", "a/b/yours")
    write(Path(os.devnull))
    kept = (home / "there").read_text()
    fence.fresh()
    print(json.dumps([closed, outside, kept, os.listdir(), os.getcwd()]))
"""

PYTHON = """
    import json, os, sys
    from pathlib import Path
    from zeroin.sandbox.landlock import Sandbox
    from zeroin.languages.python.run.audit_hook import Denied, Forbidden, PythonGuard

    home, scratch = map(Path, sys.argv[1:])
    dear, told = str(home / "dear"), []
    guard = PythonGuard(Sandbox(scratch))
    guard.install()
    guard.sandbox.fresh()
    folder = os.open(home, os.O_RDONLY)
    Path("mine").touch()
    os.symlink(dear, "link")
    os.symlink(home / "new", "dangling")
    os.symlink(home, "house")
    attempts = [
        lambda: os.remove(dear),
        lambda: os.remove(os.path.relpath(dear).encode()),
        lambda: os.remove("not-there"),
        lambda: os.remove("house/dear"),
        lambda: os.remove("dear", dir_fd=folder),
        lambda: open("link", "r+"),
        lambda: open("dangling", "w"),
        lambda: os.open(dear, os.O_RDONLY | os.O_TRUNC),
        lambda: os.truncate("link", 0),
        lambda: os.truncate(os.open(dear, os.O_RDONLY), 0),
        lambda: os.chmod(folder, 0),
        lambda: os.replace("mine", dear),
        lambda: os.replace(dear, "mine"),
        lambda: os.link(dear, "hard"),
        lambda: os.rmdir("."),
        lambda: os.mkfifo(home / "new"),
        lambda: os.mkfifo(path=home / "new"),
        lambda: os.mkdir(scratch.with_name(scratch.name + "2")),
        lambda: os.killpg(0, 9),
    ]

    def kind(action):
        try:
            action()
        except BaseException as error:
            return type(error).__name__
        return "done"

    imported = [kind(attempt) for attempt in attempts]
    guard.watch(lambda what, frame: told.append(what))
    run = [kind(attempt) for attempt in attempts]
    allowed = [
        lambda: open(dear).close(), lambda: os.listdir(home), lambda: os.remove("link"), lambda: os.remove("mine"),
        lambda: os.fdopen(os.pipe()[1], "w").close(), lambda: os.kill(os.getpid(), 0), lambda: open(os.devnull, "w"),
    ]
    print(json.dumps([imported, run, len(told), [kind(action) for action in allowed]]))
"""

C = """
    import json, sys
    from pathlib import Path
    from zeroin.subject.base import Termination
    from zeroin.sandbox.landlock import Sandbox
    from zeroin.languages.c.front.compile import RUNTIME, compile_all
    from zeroin.languages.c.run.engine import LlvmSubject
    from zeroin.languages.c.options import LlvmOptions
    from zeroin.languages.c.front.symbols import functions_of

    home, scratch, source = map(Path, sys.argv[1:])
    texts = compile_all([source, *RUNTIME], [f'-DHERE="{home}"'])
    ends = {}

    class Closed(Sandbox):
        def close(self, programs=False):
            return True

    fence = Sandbox(scratch)
    for name in functions_of(source, texts):
        subject = LlvmSubject(source, name, LlvmOptions(calls=1), texts, fence)
        subject.guard()
        fence = Closed(scratch)  # there may be 16, one within the other
        ends[name] = sorted({subject.observe((10,)).outcome.name, subject.replay((10,)).outcome.name})
    print(json.dumps(ends))
"""


@pytest.fixture
def places(tmp_path: Path) -> tuple[str, str]:
    """A folder with files, and an empty one."""
    home, scratch = tmp_path / "home", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()
    for name in ("dear", "there", "keep.txt"):
        (home / name).write_text("dear")
    return str(home), str(scratch)


def content(home: str) -> dict[str, str]:
    return {path.name: path.read_text() for path in Path(home).iterdir()}


def test_the_kernel_alone(places: tuple[str, str]) -> None:
    """What each version of Landlock brings: files, then signals; where there is none, all is as without a fence."""
    closed, outside, kept, left, folder = json.loads(run_alone(KERNEL, *places))
    files = {outside[what] for what in ("delete", "write", "new", "folder", "program")}
    assert files == {closed}
    assert (kept == "dear") == closed
    assert (content(places[0]) == dict.fromkeys(("dear", "there", "keep.txt"), "dear")) == closed
    assert outside["signal"] in (False, closed)
    assert (left, folder) == ([], places[1])


def test_the_audit_hook_alone(places: tuple[str, str]) -> None:
    imported, run, told, allowed = json.loads(run_alone(PYTHON, *places))
    assert set(imported) == {"Denied"}
    assert set(run) == {"Forbidden"}
    assert told == len(run)
    assert set(allowed) == {"done"}
    assert content(places[0]) == dict.fromkeys(("dear", "there", "keep.txt"), "dear")


def test_the_functions_in_place_of_the_c_librarys_alone(places: tuple[str, str]) -> None:
    source = Path(__file__).parents[1] / "subjects" / "c" / "harmful.c"
    ends = json.loads(run_alone(C, *places, str(source)))
    allowed = {name: ends.pop(name) for name in ("reads", "writes", "deletes_own")}
    assert set(map(tuple, ends.values())) == {("FORBIDDEN",)}
    assert len(ends) > 20
    assert set(map(tuple, allowed.values())) == {("RETURNED",)}
    assert content(places[0]) == dict.fromkeys(("dear", "there", "keep.txt"), "dear")


@pytest.mark.parametrize(("version", "missing"), [
    (-1, ["the kernel has no Landlock"]), (0, ["the kernel has no Landlock"]),
    (2, ["Landlock 2 of the kernel does not keep files from being emptied"]), (3, []), (7, []),
])  # fmt: skip
def test_what_a_kernel_does_not_guard(version: int, missing: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "landlock_version", lambda: version)
    monkeypatch.setattr(seccomp, "is_supported", lambda: True)
    assert landlock.missing_protections() == missing
