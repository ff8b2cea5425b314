"""Files are written whole, or not at all."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from zeroin import files
from zeroin.errors import OutputError
from zeroin.limits import described


def test_what_was_there_stays_when_there_is_no_room(tmp_path: Path) -> None:
    path = tmp_path / "test_f.c"
    path.write_text("before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(OutputError, match=r"can not be written to .File too large.; name another place"):
            files.write(path, "x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["test_f.c"]


def test_links_devices_and_folders_that_are_gone(tmp_path: Path) -> None:
    (tmp_path / "own").write_text("before")
    (tmp_path / "own").chmod(0o640)
    (tmp_path / "link").symlink_to("own")
    files.write(tmp_path / "link", "after")
    assert (tmp_path / "link").is_symlink()
    files.write(tmp_path / "own", "later")
    assert (tmp_path / "own").stat().st_mode & 0o777 == 0o640
    files.write(tmp_path / "gone" / "new", "later")
    assert (tmp_path / "own").read_text() == (tmp_path / "gone" / "new").read_text() == "later"
    files.write(Path(os.devnull), "nothing")
    with pytest.raises(OutputError, match=r"/dev/full: can not be written to .No space left on device"):
        files.write(Path("/dev/full"), "nothing")


def test_any_text_can_be_written(tmp_path: Path) -> None:
    files.write(tmp_path / "names", "h\xe4\udcff")
    assert (tmp_path / "names").read_bytes() == b"h\xc3\xa4\xff"
    files.write(tmp_path / "texts", "h\xe4\ud800")
    assert (tmp_path / "texts").read_bytes() == b"h\xc3\xa4\\ud800"


def test_an_error_of_the_machine_is_one_line() -> None:
    assert described(OSError(36, "File name too long", "a\nb")) == "a b: File name too long"
    assert described(MemoryError()) == "out of memory: give it more memory (ulimit -v)"
