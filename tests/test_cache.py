"""What is kept is what was made, by a process that may write, for this user alone."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from zeroin import cache


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "zeroin"


def alone(script: str, *arguments: object) -> str:
    """What a script prints, in a process of its own."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)], capture_output=True,
                          text=True, check=False, timeout=60)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("mask", [0o000, 0o002, 0o022])
def test_folders_are_for_this_user_alone(mask: int, home: Path) -> None:
    before = os.umask(mask)
    try:
        place = cache.folder("kernels/state")
    finally:
        os.umask(before)
    assert place == home / "kernels" / "state"
    assert {one.stat().st_mode & 0o777 for one in (home, home / "kernels", place)} == {0o700}


def test_a_folder_that_others_could_write_to_is_emptied(home: Path) -> None:
    code = cache.folder("code")
    assert code is not None
    cache.write(code / "one", b"kept")
    (code / "more").mkdir()
    (code / "more" / "two").touch()
    home.chmod(0o775)
    assert cache.folder("code") == code
    assert cache.read(code / "one") is None
    assert home.stat().st_mode & 0o777 == 0o700
    assert list(code.iterdir()) == []


def test_a_folder_of_another_user_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = cache.folder("code")
    assert place is not None
    if os.geteuid() == 0:
        os.chown(home, 12345, 12345)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert cache.folder("code") is None


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_to_is_not_read(mode: int, home: Path) -> None:
    place = cache.folder("code")
    assert place is not None
    cache.write(place / "one", b"kept")
    assert cache.read(place / "one") == b"kept"
    (place / "one").chmod(mode)
    assert cache.read(place / "one") is None
    assert cache.kept(place / "one", lambda: b"again") == b"again"
    assert cache.read(place / "one") == b"again"


def test_who_may_only_read_writes_nothing(home: Path) -> None:
    script = """
        import sys
        from pathlib import Path
        from zeroin import cache
        place = cache.folder("code")
        cache.kept(place / "one", lambda: b"kept")
        cache.read_only()
        before = sorted((one.name, one.stat().st_mtime_ns) for one in place.iterdir())
        again = cache.kept(place / "one", lambda: b"made"), cache.kept(place / "two", lambda: b"made")
        cache.write(place / "three", b"made")
        cache.limit_code(place)
        after = sorted((one.name, one.stat().st_mtime_ns) for one in place.iterdir())
        print(again, before == after, cache.folder("code") == place, cache.folder("new"), cache.is_writable())
    """
    assert alone(script) == "(b'kept', b'made') True True None False\n"


def test_a_helper_makes_what_is_not_kept(home: Path) -> None:
    script = """
        import os
        from zeroin import cache
        from zeroin.sandbox.helper import Helper
        place = cache.folder("code")

        def serve(name):
            if name == b"wrong":
                raise RuntimeError
            cache.kept(place / name.decode(), lambda: b"helped")

        helper = Helper(serve)
        cache.read_only()
        found = []
        for name in ("one", "wrong", "two"):
            with cache.made_by(lambda: helper.ask(name.encode())):
                found.append(cache.kept(place / name, lambda: b"by myself"))
        child = os.fork()
        if not child:
            with cache.made_by(lambda: helper.ask(b"three")):
                os._exit(cache.kept(place / "three", lambda: b"by myself") != b"helped")
        found.append(os.waitpid(child, 0)[1])
        print(found, cache.read(place / "two"))
    """
    assert alone(script) == "[b'helped', b'by myself', b'helped', 0] b'helped'\n"


def test_a_helper_that_is_gone_keeps_nobody_waiting(home: Path) -> None:
    script = """
        import os
        from zeroin.sandbox.helper import Helper
        helper = Helper(lambda request: os._exit(0))
        helper.ask(b"die")
        helper.ask(b"again")
        os.close(helper._line.detach())
        helper.ask(b"and again") if helper._line.fileno() >= 0 else None
        print("done")
    """
    assert alone(script) == "done\n"


def test_a_helper_ends_with_who_asks_it() -> None:
    script = """
        import os
        from zeroin.sandbox.helper import Helper
        reading, writing = os.pipe()
        Helper(lambda request: os.write(writing, str(os.getpid()).encode())).ask(b"who")
        print(os.read(reading, 20).decode())
    """
    process = int(alone(script))
    for _ in range(1000):
        if not Path(f"/proc/{process}").exists():
            return
        os.sched_yield()
        subprocess.run(["sleep", "0.01"], check=True)
    pytest.fail("it still runs")
