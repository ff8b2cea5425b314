"""Temporary folders: all of this process, and of those that work for it, are in one, so that a worker can remove them
when this process has been killed."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from .errors import ZeroinError

_home: Path | None = None


def place() -> Path:
    """Where temporary files can be written. ``tempfile`` tries that with a file, and leaves it if the process is killed
    just then.

    Raises:
        ZeroinError: no folder can be written to.
    """
    named = filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP")))
    for folder in (*named, "/tmp", "/var/tmp", "/usr/tmp", "."):
        if os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK):
            return Path(os.path.realpath(folder))
    raise _without_folder("none can be written to")


def home() -> Path:
    """Where they are. There is none while nobody needs one.

    Raises:
        ZeroinError: no folder can be written to.
    """
    global _home
    if _home is None:
        _home = place() / _new_name()
    return _home


def inherit(folder: Path) -> None:
    """Have them there from now on, where those of the process that this one works for are."""
    global _home
    _home = folder


def new() -> Path:
    """A folder that does not exist yet."""
    return home() / _new_name()


def make(folder: Path) -> None:
    """Make one of them.

    Raises:
        ZeroinError: that is not possible.
    """
    for _ in range(1000):
        try:
            with contextlib.suppress(FileExistsError):
                home().mkdir(0o700)
            folder.mkdir(0o700)
            return
        except FileNotFoundError as error:  # what they are in has just been removed
            if not home().parent.is_dir():
                raise _without_folder(error.strerror) from error
        except OSError as error:
            raise _without_folder(error.strerror) from error
    raise _without_folder("it is removed at once")


def remove(folder: Path) -> None:
    """Remove one of them, with all that is in it."""
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.rmdir(home())


def remove_all() -> None:
    """Remove them in the place of a process that has been killed, whose children may be about to end."""
    for _ in range(20):
        shutil.rmtree(home(), ignore_errors=True)
        time.sleep(0.01)
        if not home().exists():
            return


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """One of them, empty at first.

    Raises:
        ZeroinError: it can not be made.
    """
    made = new()
    make(made)
    try:
        yield made
    finally:
        remove(made)


def _new_name() -> str:
    return f"zeroin-{os.urandom(8).hex()}"


def _without_folder(why: str | None) -> ZeroinError:
    return ZeroinError(f"no temporary folder can be made ({why}); set TMPDIR to a folder that can be written to")
