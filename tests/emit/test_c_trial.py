"""What it takes to try a C test is made once, where it is the same for all."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from zeroin.languages.c.emit import trial
from zeroin.languages.c.emit.trial_process import ENTRY


def test_what_every_library_needs_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    compiled: list[str] = []

    def noted(path: Path, *arguments: Any, start: Any = trial._compiler) -> Any:
        compiled.append(path.name)
        return start(path, *arguments)

    monkeypatch.setattr(trial, "_compiler", noted)
    for result in (3, 4):
        folder = tmp_path / str(result)
        folder.mkdir()
        source = folder / "a.c"
        source.write_text(
            f"#include <stdlib.h>\nstatic void end(void) {{}}\nint main(void) {{ atexit(end); return {result}; }}\n"
        )
        monkeypatch.chdir(folder)
        assert ctypes.CDLL(str(_linked(source, (), folder)))[ENTRY](0, None) == result
    assert compiled == ["a.c", "support.c", "a.c"]
    _linked(source, ("-DMORE",), folder)
    assert compiled[3:] == ["a.c", "support.c"]
    monkeypatch.setenv("CPATH", str(tmp_path))  # what goes into it is not known
    for _ in range(2):
        _linked(source, (), folder)
    assert compiled[5:] == ["a.c", "support.c"] * 2


def _linked(source: Path, flags: Sequence[str], folder: Path) -> Path:
    return trial._linked(trial._objects([source], flags, folder, ()), folder)
