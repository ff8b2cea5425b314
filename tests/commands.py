"""The command ``zeroin`` in the process of the tests, which saves the start of two processes."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from zeroin.cli.main import main

Done = subprocess.CompletedProcess[str]


@contextlib.contextmanager
def _streams(out: IO[bytes], err: IO[bytes]) -> Iterator[None]:
    """For a while, standard output and error lead into these files, and standard input is empty."""
    kept = [os.dup(number) for number in range(3)]
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, descriptor in enumerate((nothing, out.fileno(), err.fileno())):
        os.dup2(descriptor, number)
    os.close(nothing)
    before = sys.stdin
    try:
        with (
            open(0, closefd=False) as sys.stdin,
            open(1, "w", closefd=False) as now_out,
            open(2, "w", closefd=False) as now_err,
            contextlib.redirect_stdout(now_out),
            contextlib.redirect_stderr(now_err),
        ):
            yield
    finally:
        sys.stdin = before
        for number, descriptor in enumerate(kept):
            os.dup2(descriptor, number)
            os.close(descriptor)


def zeroin(*arguments: object, cwd: Path | str) -> Done:
    """``zeroin ...`` as if started in the folder ``cwd``, but in this process and with a shared worker."""
    words = [*map(str, arguments)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with contextlib.chdir(cwd), _streams(out, err):
            status = main(words)
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess(words, status, out.read().decode(), err.read().decode())
