"""A file is compiled once, and again when something that goes into it changes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from zeroin import cache
from zeroin.errors import ZeroinError
from zeroin.languages.c.front.compile import LIBCXX, RUNTIME, _Job, compile_ahead, compile_all
from zeroin.languages.c.front.compile_cache import CacheEntry
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.run.engine import LlvmSubject

TWELVE = "".join(f"int f{n}(double x) {{ if (x > {n}.5) return {n}; return 0; }}\n" for n in range(12))


@pytest.fixture
def kernels() -> Path | None:
    """Where compiled kernels are kept; to be asked for before another cache is set."""
    place = cache.kernels()
    return None if place is None else place.parent


def test_our_own_files_are_compiled_once_for_all_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the user are not: what they include may be found from there, and debugging tells of the folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    theirs = tmp_path / "f.c"
    theirs.write_text("int f(int x) { return x > 3; }\n")
    places = {}
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        jobs = [_Job(path, ()) for path in (LIBCXX, *RUNTIME, theirs)]
        places[folder] = [job.place.path if job.place else None for job in jobs]
    assert places["one"][:-1] == places["two"][:-1]
    assert None not in places["one"]
    assert places["one"][-1] != places["two"][-1]


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own, and a compiler ``cc`` on the path that counts how often it is called."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    compiler = tmp_path / "bin" / "cc-that-counts"
    compiler.parent.mkdir()
    compiler.write_text(f'#!/bin/sh\necho >> {tmp_path}/calls\nexec {sys.executable} -m ziglang cc "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", f"{compiler.parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def calls(folder: Path) -> int:
    file = folder / "calls"
    return len(file.read_text().splitlines()) if file.exists() else 0


def compiled(path: Path, *flags: str) -> str:
    return compile_all([path], ["cc-that-counts", *flags])[0]


def cover(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "zeroin", "cover", "--emit", "none", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_of_many_functions_is_compiled_once_and_what_it_calls_too(
    kernels: Path | None, counted: Path, jobs: str
) -> None:
    if kernels is not None:
        (counted / "cache" / "zeroin").mkdir(parents=True)
        (counted / "cache" / "zeroin" / "kernels").symlink_to(kernels)
    (counted / "many.c").write_text("int helper(int);\n" + TWELVE + "int last(int x) { return helper(x) > 3; }\n")
    (counted / "other.c").write_text("int helper(int x) { return x * x; }\n")
    target = (
        str(counted / "many.c"),
        "--with",
        str(counted / "other.c"),
        "--cc",
        "cc-that-counts",
        "--jobs",
        jobs,
        "--suite",
        "small",
    )
    first = cover(*target)
    assert (first.returncode, first.stdout.count("2 covered by 2")) == (0, 12), first.stdout + first.stderr
    assert calls(counted) == 6  # each with sanitizers, too; with the two files of the code that runs beside it
    assert cover(*target).stdout.count("2 covered by 2") == 12
    assert calls(counted) == 6


def test_a_changed_file_of_with_is_noticed(counted: Path) -> None:
    path, other = counted / "a.c", counted / "other.c"
    path.write_text("static int own; int helper(int);\nint f(int x) { own += helper(x); return own; }\n")
    results = []
    for body in ("return x + 1;", "return x + 1;", "static int calls; return x + 2 + calls++;"):
        other.write_text(f"int helper(int x) {{ {body} }}\n")
        subject = LlvmSubject(path, "f", LlvmOptions(others=(other,), calls=1))
        results += [subject.replay((5,)).result, subject.replay((5,)).result]  # variables are put back
    assert results == [6, 6, 6, 6, 7, 7]


def test_what_is_kept_is_what_the_compiler_wrote(counted: Path) -> None:
    path = counted / "a.c"
    path.write_text('const char *f(void) { return "é\\xff"; }\n')
    first = compiled(path)
    assert compiled(path) == first
    assert calls(counted) == 1


def test_what_goes_into_a_file_decides(counted: Path) -> None:
    path, header = counted / "a.c", counted / "inc" / "size of it.h"
    header.parent.mkdir()
    header.write_text("#define SIZE 111\n")
    path.write_text('#include "size of it.h"\nint f(void) { return SIZE + EXTRA; }\n')
    flags = (f"-I{header.parent}", "-DEXTRA=0")
    assert "ret i32 111" in compiled(path, *flags)
    assert "ret i32 111" in compiled(path, *flags)
    assert calls(counted) == 1
    header.write_text("#define SIZE 222\n")  # of the same length
    assert "ret i32 222" in compiled(path, *flags)
    assert "ret i32 229" in compiled(path, flags[0], "-DEXTRA=7")
    (counted / "size of it.h").write_text("#define SIZE 333\n")  # is found first
    assert "ret i32 333" in compiled(path, *flags)
    path.write_text('#include "size of it.h"\nint f(void) { return SIZE + 1; }\n')
    assert "ret i32 334" in compiled(path, *flags)
    assert calls(counted) == 5


def test_the_compilers_own_folders_are_as_the_compiler_is(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("#include <stddef.h>\nint f(void) { return 1; }\n")
    place = CacheEntry(tmp_path / "kept", (tmp_path, tmp_path / "more", Path("/x/ziglang/lib/libcxx/src")))
    place.write("text", path, ". /x/ziglang/include/stddef.h\n")
    assert place.read() == "text"
    content = cache.read(place.path)
    assert content is not None
    absent = json.loads(content.partition(b"\n")[0])["absent"]
    assert str(tmp_path / "more" / "stddef.h") in absent
    assert not [name for name in absent if name.startswith("/x/ziglang/")]


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ('#if __has_include("later.h")\n#endif\nint f(void) { return 1; }\n', ()),
        ("int f(void) { return sizeof __TIME__; }\n", ()),
        ("int f(void) { return 1; }\n", ("-include", "stddef.h")),
        ("int f(void) { return 1; }\n", ("-fxray-attr-list=/dev/null",)),
    ],
)
def test_what_can_not_be_known_is_not_kept(counted: Path, text: str, flags: tuple[str, ...]) -> None:
    path = counted / "a.c"
    path.write_text(text)
    assert compiled(path, *flags) == compiled(path, *flags)
    assert calls(counted) == 2


@pytest.mark.parametrize("damage", [b"", b"x" * 400, None])
def test_a_damaged_file_is_made_again(counted: Path, damage: bytes | None) -> None:
    path = counted / "a.c"
    path.write_text("int f(void) { return 1; }\n")
    first = compiled(path)
    (kept,) = [p for p in (counted / "cache" / "zeroin" / "code").iterdir() if p.suffix != ".lock"]
    kept.write_bytes(kept.read_bytes()[:-3] if damage is None else damage)
    assert compiled(path) == first
    assert compiled(path) == first
    assert calls(counted) == 2


def test_an_older_version_has_made_something_else(counted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = counted / "a.c"
    path.write_text("int f(void) { return 1; }\n")
    with monkeypatch.context() as older:
        older.setattr("zeroin.languages.c.front.compile_cache._version", lambda: "0.0")
        older.setattr("zeroin.languages.c.front.compile._marked", lambda text: "made otherwise")
        assert compiled(path).endswith("made otherwise")
    assert not compiled(path).endswith("made otherwise")
    assert calls(counted) == 2


def test_a_full_disk_is_told_of_and_where_only_the_cache_is_on_it_it_does_without(
    counted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Zig has a cache of its own; the compiler here fails where that is the usual one."""
    compiler = counted / "bin" / "cc-that-counts"
    works = compiler.read_text().splitlines()[-1]
    path = counted / "a.c"
    path.write_text("int f(void) { return 1; }\n")
    full = "{ echo error: NoSpaceLeft; exit 1; }"
    compiler.write_text(f"#!/bin/sh\necho >> {counted}/calls\n{full}\n")
    with pytest.raises(ZeroinError, match="the disk is full; make room, or set TMPDIR to another folder"):
        compiled(path)
    assert calls(counted) == 2
    compiler.write_text(f'#!/bin/sh\n[ "$ZIG_GLOBAL_CACHE_DIR" ] || {full}\n{works}\n')
    monkeypatch.delenv("ZIG_GLOBAL_CACHE_DIR", raising=False)
    assert "define" in compiled(path)


def test_several_at_once_compile_once(counted: Path) -> None:
    path = counted / "a.c"
    path.write_text(TWELVE)
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(lambda _: compiled(path), range(4)))) == 1
    assert calls(counted) == 1


def test_what_is_compiled_ahead_is_found(counted: Path) -> None:
    path = counted / "a.c"
    path.write_text("int f(int x) { return x > 3; }\n")
    ahead, sanitized = compile_ahead([path], ["cc-that-counts"])
    assert "@f" in compile_all([path, *RUNTIME], ["cc-that-counts"])[0]  # waits for the thread, if need be
    ahead.join()
    sanitized.join()
    assert calls(counted) == 4
    for again in compile_ahead([path], ["cc-that-counts"]):
        again.join()
    assert calls(counted) == 4


def test_the_library_of_cxx_is_compiled_beside(counted: Path) -> None:
    """No source that does not need it waits for it."""
    path = counted / "a.cpp"
    path.write_text("int f(int x) { return x > 3; }\n")
    ahead = compile_ahead([path], [])
    assert len(ahead) == 3  # one with sanitizers
    for thread in ahead:
        thread.join()
    places = [_Job(source, ()).place for source in (path, LIBCXX)]
    assert all(place is not None and place.read() is not None for place in places)


@pytest.mark.parametrize("text", [None, "int f(int x) { return x > }\n"])
def test_what_does_not_compile_ahead_is_for_others_to_say(counted: Path, text: str | None) -> None:
    path = counted / "a.c"
    if text is not None:
        path.write_text(text)
    ahead = compile_ahead([path], ["cc-that-counts"])
    with pytest.raises(ZeroinError, match="no such file" if text is None else "does not compile"):
        compile_all([path], ["cc-that-counts"])
    for thread in ahead:
        thread.join()  # it would call the next test's compiler


def test_what_can_not_be_kept_is_not_compiled_ahead(counted: Path) -> None:
    path = counted / "a.c"
    path.write_text("int f(int x) { return x > 3; }\n")
    compile_ahead([path], ["cc-that-counts", "-include", str(path)])[0].join()
    assert calls(counted) == 0


def test_without_a_place_for_it_nothing_is_kept(counted: Path) -> None:
    (counted / "cache").mkdir()
    (counted / "cache" / "zeroin").write_text("no folder")
    path = counted / "a.c"
    path.write_text("int f(void) { return 1; }\n")
    assert compiled(path) == compiled(path)
    assert calls(counted) == 2


def test_the_oldest_files_go_first(tmp_path: Path) -> None:
    for n in range(6):
        cache.write(tmp_path / str(n), b"x" * 100)
        os.utime(tmp_path / str(n), (n, n))
    cache.used(tmp_path / "0")
    cache.keep_newest(tmp_path, 4)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["0", "3", "4", "5"]
    cache.keep_newest(tmp_path, 4, 300)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["0", "5"]


def test_what_another_process_is_making_is_waited_for(tmp_path: Path) -> None:
    made: list[float] = []

    def make() -> bytes:
        time.sleep(0.2)
        made.append(time.monotonic())
        return b"content"

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: cache.kept(tmp_path / "x", make), range(4)))
    assert (found, len(made)) == ([b"content"] * 4, 1)
    assert cache.kept(tmp_path / "y", lambda: None) is None
    assert cache.kept(tmp_path / "y", lambda: b"later") == b"later"
