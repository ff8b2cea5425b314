"""What end-to-end tests share."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from zeroin.cli.main import main

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """``here(*arguments, cwd=folder)``: the command in this process, for what it refuses before anything else."""

    def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(cwd)
        capfd.readouterr()
        try:
            status: object = main([*map(str, arguments)])
        except SystemExit as end:
            status = end.code
        out, err = capfd.readouterr()
        assert isinstance(status, int)
        return subprocess.CompletedProcess([*map(str, arguments)], status, out, err)

    return run
