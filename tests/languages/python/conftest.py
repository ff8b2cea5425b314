"""What the tests of Python subjects share."""

from __future__ import annotations

from pathlib import Path

import pytest

from languages.python.modules import Modules


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Modules:
    monkeypatch.syspath_prepend(str(tmp_path))  # what importing adds to the path is taken away again
    return Modules(tmp_path)
