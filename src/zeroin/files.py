"""Writing of result files, and the names of files in results."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from .errors import OutputError


def write(path: Path, text: str) -> None:
    """Write a file in UTF-8, atomically: if writing fails, an existing file stays unchanged.

    An existing file is replaced; the new one has its permissions. The folder is created if it is missing. A device, a
    pipe or a symbolic link is written to directly.

    Raises:
        OutputError: the file can not be written; the message says why.
    """
    content = _encoded(text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)  # it may have been removed during the search
        if path.exists() and not (path.is_file() and not path.is_symlink()):
            path.write_bytes(content)  # a device, a pipe, a link
            return
        new = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            new.write_bytes(content)
            if path.exists():
                new.chmod(path.stat().st_mode)
            new.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                new.unlink()
            raise
    except OSError as error:
        raise OutputError(f"{path}: can not be written to ({error.strerror}); name another place") from error


def name_of(path: Path | str) -> str:
    """Return a path as results show it: relative if the file is below the current folder, else as it is."""
    try:
        shown = os.path.relpath(path)
    except (OSError, ValueError):  # the current folder is gone; a name with a zero byte
        return str(path)
    return str(path) if shown.startswith("..") else shown


def _encoded(text: str) -> bytes:
    """Encode as UTF-8. Undecodable bytes of file names are restored, other lone surrogates become escapes."""
    try:
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode(errors="backslashreplace")
