"""Files that users get."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from .errors import OutputError


def write(path: Path, text: str) -> None:
    """Write a whole file, in UTF-8; if that is not possible, what was there before stays.

    Raises:
        OutputError: it is not; says why.
    """
    content = _encoded(text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)  # somebody may have removed it while we searched
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


def _encoded(text: str) -> bytes:
    """Bytes of file names that are no UTF-8 stand for themselves; other lone surrogates have no form in a file."""
    try:
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode(errors="backslashreplace")
