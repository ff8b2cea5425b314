"""Subjects as object files: made once, and again when something that goes into them changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from elf import near
from zeroin import cache
from zeroin.errors import MissingSymbol
from zeroin.languages.c.front.compile import RUNTIME, compile_all
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.native import machine

_SUBJECT = """
extern int other(int);
static int made, runs = 1;
__attribute__((constructor)) static void make(void) { made = 41 + runs; }
int f(int x) { if (x > 3) return made + runs++; return other(x); }
"""


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The object files that are made; of our own code there is one."""
    texts = compile_all(RUNTIME)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("zeroin.languages.c.run.engine.compile_all", _compile_with(texts))
    found: list[bytes] = []

    def noted(module: Any, make: Callable[[Any], bytes] = machine.object_file) -> bytes:
        found.append(make(module))
        return found[-1]

    monkeypatch.setattr(machine, "object_file", noted)
    return found


def _compile_with(runtime: list[str]) -> Callable[..., list[str]]:
    """As ``compile_all``, in an empty cache, with the texts of the runtime there already."""
    return lambda paths, cc: [*compile_all(paths[: -len(RUNTIME)], cc), *runtime]


def _loaded(folder: Path, text: str = _SUBJECT, place: str = "one", **options: Any) -> LlvmSubject:
    path, other = folder / place / "a.c", folder / "other.c"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    other.write_text("int other(int x) { return x < 0 ? 7 : 8; }\n")
    subject = LlvmSubject(path, "f", LlvmOptions(others=(other,), calls=1, **options))
    assert [subject.observe((x,)).result for x in (4, 4, 0, -1)] == [43, 43, 8, 7]
    return subject


def _results(subject: LlvmSubject) -> list[Any]:
    return [subject.replay((x,)).result for x in (4, 4, 0, -1)]


def test_what_is_the_same_is_made_once_wherever_it_lies(tmp_path: Path, made: list[bytes]) -> None:
    first = _results(_loaded(tmp_path))
    before = len(made)
    assert before >= 2  # with probes and without
    for place in ("one", "two"):
        assert _results(_loaded(tmp_path, place=place)) == first == [43, 43, 8, 7]
    assert len(made) == before


@pytest.mark.parametrize("change", ["text", "options", "processor", "sources"])
def test_what_goes_into_it_decides(
    tmp_path: Path, made: list[bytes], change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _loaded(tmp_path)
    before = len(made)
    text = _SUBJECT
    options: dict[str, Any] = {}
    if change == "text":
        text = text.replace("x > 3", "x >= 3")
    elif change == "options":
        options = {"allow": ("files",)}
        text += "int unlink(const char *); int g(int x) { return unlink(0) + x; }\n"
        _loaded(tmp_path, text)
        before = len(made)
    elif change == "processor":
        monkeypatch.setattr(machine, "host", lambda host=machine.host: (host()[0], host()[1] + ",-avx512f"))
    else:
        monkeypatch.setattr("zeroin.languages.c.run.object_files.state", lambda: "other sources")
    _loaded(tmp_path, text, **options)
    assert len(made) > before


def test_a_damaged_object_file_is_made_again(tmp_path: Path, made: list[bytes]) -> None:
    _loaded(tmp_path)
    place = cache.folder("code")
    assert place is not None
    (kept,) = (file for file in place.iterdir() if file.read_bytes().endswith(made[-1]))
    content = bytearray(kept.read_bytes())
    content[len(content) // 2] ^= 1
    kept.write_bytes(content)
    before = len(made)
    _loaded(tmp_path)
    assert len(made) == before + 1


def test_what_is_missing_is_named_again(tmp_path: Path, made: list[bytes]) -> None:
    path = tmp_path / "a.c"
    path.write_text("int nowhere(int); int f(int x) { return nowhere(x); }\n")
    for _ in range(2):
        with pytest.raises(MissingSymbol, match="nowhere"):
            LlvmSubject(path, "f", LlvmOptions(calls=1))


def test_the_folder_is_looked_through_once_in_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Path] = []
    monkeypatch.setattr(cache, "keep_newest", lambda place, *_: looks.append(place))
    for _ in range(1000):
        cache.limit_code(tmp_path)
    assert 10 < len(looks) < 200


_FAR = {
    "library.c": """
        #include <math.h>
        #include <stdio.h>
        #include <string.h>
        extern char **environ;
        __attribute__((visibility("hidden"))) extern int missing_hidden __attribute__((weak));
        struct big { int x[100]; };
        int f(double x, unsigned n) {
          struct big a, b;
          memset(&a, n, sizeof a);
          b = a;
          unsigned __int128 wide = (unsigned __int128)n * n;
          if (sin(x) > 0.5 && stdout && environ) return b.x[n % 100];
          return (int)(wide / (n | 1)) + (int)fmod(x, 3) + (&missing_hidden != 0);
        }
        """,
    "exceptions.cpp": """
        #include <string>
        struct Room { double size; Room(double a, double b) : size(a * b) {} ~Room() { size = -1; } };
        static double three() { return 3.0; }
        static Room room(three(), 4.0);
        thread_local int counted;
        extern "C" int f(int x) {
          static Room inner(x, 2.0);
          try { std::string s(x & 7, 'a'); if (s.size() == 3) throw 3; counted++; } catch (int e) { return e; }
          return inner.size > room.size;
        }
        """,
}


@pytest.mark.parametrize("name", _FAR)
def test_external_symbols_may_lie_anywhere(name: str, tmp_path: Path, made: list[bytes]) -> None:
    """In a process that uses much memory they do, and LLVM ended it."""
    (tmp_path / name).write_text(_FAR[name])
    subject = LlvmSubject(tmp_path / name, "f", LlvmOptions())
    subject.observe((0,) * subject.signature.arity)
    subject.replay((0,) * subject.signature.arity)
    assert len(made) >= 3
    assert {symbol for code in made for symbol in near(code)} == set()
