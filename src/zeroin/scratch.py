"""Temporary folders.

The temporary folders of this process and of its workers are all in one folder, their *home*. So a worker can remove
them after this process has been killed.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from .errors import ZeroinError

_HOME = ""
_known = dict[str, Path]()  # the home, once it is known; ``setdefault`` lets only one of several threads choose it


def place() -> Path:
    """Return a folder for temporary files that is writable.

    It tries ``$TMPDIR``, ``$TEMP``, ``$TMP``, the usual folders such as ``/tmp``, and last the current folder.
    The path is absolute and without symbolic links.

    Unlike ``tempfile``, it creates no file to find out: that file would stay if the process were killed just then.

    Raises:
        ZeroinError: no folder can be written to.
    """
    named = filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP")))
    for folder in (*named, "/tmp", "/var/tmp", "/usr/tmp", "."):
        if os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK):
            return Path(os.path.realpath(folder))
    raise _without_folder("none can be written to")


def home() -> Path:
    """Return the home of the temporary folders, without creating it. It stays the same until :func:`inherit`.

    Raises:
        ZeroinError: no folder can be written to.
    """
    if _HOME not in _known:
        _known.setdefault(_HOME, place() / _new_name())
    return _known[_HOME]


def inherit(folder: Path) -> None:
    """Use the home of the parent process for this process, a worker, from now on."""
    _known[_HOME] = folder


def new() -> Path:
    """Return the path of a new temporary folder, which does not exist yet.

    Raises:
        ZeroinError: no folder can be written to.
    """
    return home() / _new_name()


def make(folder: Path) -> None:
    """Create a temporary folder, and its home if needed. Only this user may use them.

    Args:
        folder: a path from :func:`new`.

    Raises:
        ZeroinError: it exists already, or can not be created.
    """
    for _ in range(1000):
        try:
            with contextlib.suppress(FileExistsError):
                home().mkdir(0o700)
            folder.mkdir(0o700)
            return
        except FileNotFoundError as error:  # another process has just removed the home
            if not home().parent.is_dir():
                raise _without_folder(error.strerror) from error
        except OSError as error:
            raise _without_folder(error.strerror) from error
    raise _without_folder("it is removed at once")


def remove(folder: Path) -> None:
    """Remove a temporary folder with its contents, and its home if that is empty then. Errors are ignored."""
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.rmdir(home())


def remove_all() -> None:
    """Remove the home with all temporary folders, after the process that owned it has been killed.

    It makes up to 20 attempts, since children of that process may still write there before they end. It waits 0.01
    seconds after each. If all fail, the rest stays and nothing is raised.
    """
    for _ in range(20):
        shutil.rmtree(home(), ignore_errors=True)
        time.sleep(0.01)
        if not home().exists():
            return


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Yield a new, empty temporary folder, and remove it afterwards.

    Raises:
        ZeroinError: it can not be created.
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
