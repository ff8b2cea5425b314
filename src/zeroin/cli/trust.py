"""``zeroin trust``: let a configuration start programs, or load code into the compiler, as its author says. A project
that somebody else wrote has a configuration, too, so nothing of that kind happens before its user has said so."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from .. import files
from ..errors import OptionError
from ..languages.c.front.build_flags import expanded
from .main import DONE

_COMPILER = re.compile(r"(?:[\w.]+-)*(?:clang|clang\+\+|gcc|g\+\+|cc|c\+\+)(?:-[\d.]+)?")
_LOADS = re.compile(r"-B|-fplugin|-fpass-plugin|-f?load|-wrapper|-f?specs|--config|-fuse-ld|--ld-path|--gcc-toolchain")


def run(parsed: argparse.Namespace) -> int:
    """Trust a file as it is now; the exit status."""
    from .configuration import place_of, says_of_compilers

    path = place_of(parsed.file, no_config=False)
    if path is None:
        raise OptionError("there is no configuration here: name one, as zeroin trust project/zeroin.toml")
    files.write(_place(), "".join(f"{mark}\n" for mark in dict.fromkeys([*_known(), _mark(path)])))
    found = [word for text in says_of_compilers(path) if (word := program_in(shlex.split(text)))]
    what = f"it starts, or loads, {', '.join(dict.fromkeys(found))}" if found else "it starts no program of its own"
    print(f"{path} is trusted until it is changed: {what}.")
    return DONE


def refuse_programs(path: str, said: Iterable[str]) -> None:
    """Make sure that a configuration starts compilers found on PATH alone, unless it is trusted.

    Args:
        path: the configuration.
        said: what it says of compilers, ``CC`` and flags in one text each.

    Raises:
        OptionError: it would start something else, or have the compiler load it.
    """
    for text in said:
        word = program_in(shlex.split(text))
        if word and _mark(Path(path)) not in _known():
            raise OptionError(f"{path}: cc: {word} has more than a compiler on PATH run. Look at what that is; then "
                              f"zeroin trust {shlex.quote(path)}, or say --cc on the command line")  # fmt: skip


def program_in(words: Sequence[str]) -> str:
    """The first of the words that has a program started which is no compiler on PATH, or code loaded into a compiler;
    empty if there is none."""
    for number, word in enumerate(expanded(words)):
        if number == 0 and not word.startswith("-"):
            if not _COMPILER.fullmatch(word):
                return word
        elif _LOADS.match(word):
            return word
    return ""


def _mark(path: Path) -> str:
    """Says which file this is, and what stands in it."""
    content = path.read_bytes() if path.is_file() else b""
    return hashlib.sha256(os.fsencode(path.resolve()) + b"\0" + content).hexdigest()


def _place() -> Path:
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "zeroin" / "trusted"


def _known() -> list[str]:
    try:
        return _place().read_text().split()
    except (OSError, UnicodeDecodeError):
        return []
