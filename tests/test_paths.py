"""Paths of classes and functions."""

from __future__ import annotations

import importlib
import sys
import threading
import time
from pathlib import Path

import pytest

import zeroin
from zeroin.paths import object_at, path_of
from zeroin.subject.base import Termination


def test_there_and_back() -> None:
    assert object_at(path_of(Termination)) is Termination
    assert object_at("zeroin.subject.base:Termination.finding") is vars(Termination)["finding"]


@pytest.mark.parametrize("path", ["os:system", "zeroin.__main__:main", "zeroinish.x:y"])
def test_nothing_else_is_looked_into(path: str) -> None:
    with pytest.raises(ValueError, match="is not ours"):
        object_at(path)


def test_what_another_thread_is_importing_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slowly_made.py").write_text("import time\ntime.sleep(0.3)\nMADE = 7\n")
    monkeypatch.setattr(zeroin, "__path__", [*zeroin.__path__, str(tmp_path)])
    name = "zeroin.slowly_made"
    other = threading.Thread(target=importlib.import_module, args=(name,))
    other.start()
    try:
        while name not in sys.modules:
            time.sleep(0.001)
        assert object_at(f"{name}:MADE") == 7
    finally:
        other.join()
        sys.modules.pop(name, None)
