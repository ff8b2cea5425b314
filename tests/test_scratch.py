"""Temporary folders, which come and go in many threads and processes at once."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from zeroin import scratch
from zeroin.errors import ZeroinError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(scratch, "_known", {"": tmp_path / "home"})
    return tmp_path / "home"


def test_one_is_made_while_another_removes_what_they_are_in(home: Path) -> None:
    def come_and_go(_: int) -> None:
        with scratch.folder() as folder:
            assert folder.parent == home

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert len(list(threads.map(come_and_go, range(10_000)))) == 10_000
    finally:
        sys.setswitchinterval(before)
    assert not home.exists()


def test_without_a_folder_to_be_in_none_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch, "_known", {"": tmp_path / "gone" / "home"})
    with pytest.raises(ZeroinError, match="set TMPDIR"), scratch.folder():
        pass


def test_threads_that_begin_together_have_one_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that comes second must not choose another one: its folders would be in a home that nobody makes."""
    begin = threading.Barrier(2)

    def slow_place() -> Path:
        begin.wait(10.0)
        return tmp_path

    monkeypatch.setattr(scratch, "_known", {})
    monkeypatch.setattr(scratch, "place", slow_place)
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(lambda _: scratch.home(), range(2))
    assert one == other == scratch.home()
