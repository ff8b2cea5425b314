"""The trusted configurations, which may start programs or load code into the compiler.

``zeroin trust`` adds a file. The file stays trusted until it changes: its digest is kept in ``$XDG_STATE_HOME``.
That folder is found by hand on purpose, as the folder of :mod:`zeroin.cache` is.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from .. import files
from ..errors import OptionError
from ..languages.c.front.build_flags import expanded

_COMPILER = re.compile(r"(?:[\w.]+-)*(?:clang|clang\+\+|gcc|g\+\+|cc|c\+\+)(?:-[\d.]+)?")
_LOADS = re.compile(r"-B|-fplugin|-fpass-plugin|-f?load|-wrapper|-f?specs|--config|-fuse-ld|--ld-path|--gcc-toolchain")


def trust(path: Path) -> None:
    """Trust a file in its present state: add it to the list in ``$XDG_STATE_HOME``.

    Raises:
        OutputError: the list can not be written.
    """
    files.write(_place(), "".join(f"{mark}\n" for mark in dict.fromkeys([*_known(), _mark(path)])))


def refuse_programs(path: str, said: Iterable[str]) -> None:
    """Check that a configuration only starts compilers found on PATH, unless it is trusted.

    Args:
        path: the path of the configuration.
        said: its values of ``cc``: compiler and flags in one text each, quoted as for a shell.

    Raises:
        OptionError: it starts another program, or makes the compiler load code; or an ``@FILE`` in the flags can not be
            read.
    """
    for text in said:
        word = program_in(shlex.split(text))
        if word and _mark(Path(path)) not in _known():
            raise OptionError(f"{path}: cc: {word} runs something other than a compiler on PATH; check it, then run "
                              f"zeroin trust {shlex.quote(path)}, or give --cc on the command line")  # fmt: skip


def program_in(words: Sequence[str]) -> str:
    """Return the first word that starts a program other than a compiler on PATH, or loads code; empty if there is none.

    Args:
        words: a compiler, which may be missing, and its flags. The flags in each ``@FILE`` are examined, too.

    Raises:
        OptionError: such a file can not be read.
    """
    for number, word in enumerate(expanded(words)):
        if number == 0 and not word.startswith("-"):
            if not _COMPILER.fullmatch(word):
                return word
        elif _LOADS.match(word):
            return word
    return ""


def _mark(path: Path) -> str:
    """Return a digest of the file's real path and content. A file that is missing counts as empty."""
    content = path.read_bytes() if path.is_file() else b""
    return hashlib.sha256(os.fsencode(path.resolve()) + b"\0" + content).hexdigest()


def _place() -> Path:
    """Return the path of the list of trusted files, which need not exist."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "zeroin" / "trusted"


def _known() -> list[str]:
    """Return the digests of the trusted files; an empty list if there is no list, or it can not be read."""
    try:
        return _place().read_text().split()
    except (OSError, UnicodeDecodeError):
        return []
