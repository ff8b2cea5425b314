"""Compile databases (``compile_commands.json``): the flags with which a project compiles each of its files.

Only flags that change the meaning of a source are used: include folders, macros, the standard, some ``-f`` flags.
The other flags are about object files, warnings, debugging, or another compiler or machine.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ....errors import OptionError
from .build_flags import is_here, is_of_no_use

NAME = "compile_commands.json"
_AGAIN = "make it again on this machine (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make)"
_PATHS = ("-I", "-include", "-imacros", "-isystem", "-iquote", "-idirafter")
_JOINED_PATH = re.compile(r"(-isystem|-iquote|-idirafter|-imacros|-include(?!-)|-I)(.+)")
_TEXTS = ("-D", "-U")
_MEANS_SOMETHING = re.compile(
    r"-[DU].+|-std=.+|-ansi|-pthread|-nostdinc(\+\+)?|-fopenmp-simd|"
    r"-f(no-)?(signed-char|unsigned-char|short-enums|short-wchar|exceptions|rtti|char8_t|ms-extensions|"
    r"fast-math|finite-math-only|math-errno|rounding-math|common|gnu89-inline|freestanding|hosted|coroutines|"
    r"plan9-extensions)|-Ofast"
)
# Common flags that do not change what code computes; users need no notice that they are dropped.
_EVERYDAY = re.compile(
    r"-[Ww].*|-pedantic.*|-f(no-)?(pic|pie|PIC|PIE|plt|visibility.*|diagnostics.*|.*-prefix-map.*|function-sections|"
    r"data-sections|strict-aliasing|builtin.*|wrapv|stack-.*|omit-frame-pointer|asynchronous-.*|unwind-.*|inline.*|"
    r"tree-.*|semantic-interposition|delete-null-pointer-checks|color-diagnostics|working-directory.*)|-mtune=.*"
)
_DROPPED_WITH_ARGUMENT = ("-o", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-l", "-L", "-x", "-arch", "-target", "--param",
                          "-Xclang", "-Xassembler", "-mllvm", "-include-pch", "--sysroot", "-isysroot")  # fmt: skip
_OF_AN_OBJECT = ("-o", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-l", "-L", "-x")


@dataclass
class Database:
    """A compile database.

    Attributes:
        path: the database's file.
        dropped: uncommon flags that were dropped, and how often; only of the files in ``used``.
        used: the source files that have an entry and whose flags have been looked up.
    """

    path: Path
    _entries: dict[Path, tuple[Path, list[str]]]
    dropped: Counter[str] = field(default_factory=Counter)
    used: set[Path] = field(default_factory=set)

    @classmethod
    def read(cls, path: Path) -> Database:
        """Read a database. If it has several entries for a file, the first one counts.

        Raises:
            OptionError: the file can not be read, is no compile database, or comes from another machine.
        """
        try:
            entries = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError) as error:
            raise OptionError(f"{path}: can not be read as a compile database ({error}); {_AGAIN}") from error
        found: dict[Path, tuple[Path, list[str]]] = {}
        for number, entry in enumerate(entries if isinstance(entries, list) else [None]):
            file, folder, words = _entry(entry, f"{path}: entry {number + 1}")
            folder = path.parent.absolute() / folder
            found.setdefault(Path(os.path.normpath(folder / file)), (folder, words))
        if found and not any(file.is_file() for file in found):
            raise OptionError(f"{path}: none of its files exists on this machine ({next(iter(found))}); "
                              f"{_AGAIN}, or give the flags with --cc")  # fmt: skip
        return cls(path, found)

    def flags_of(self, source: Path) -> tuple[str, ...]:
        """Return the flags to use for a source file; empty if it has no entry.

        Paths in the flags are rewritten for the current folder. A file that has an entry is added to :attr:`used`, and
        its uncommon flags to :attr:`dropped` in the first call for this file.

        Raises:
            OptionError: the command names a file of flags (``@FILE``) that can not be read.
        """
        known = self._entries.get(Path(os.path.normpath(source.absolute()))) or self._entries.get(source.resolve())
        if known is None:
            return ()
        first = source not in self.used
        self.used.add(source)
        used, dropped = _sorted(known[1], known[0])
        self.dropped.update(dropped if first else ())
        return tuple(used)


def found_for(place: Path) -> Path | None:
    """Find the compile database of the project that a file or folder belongs to.

    The folder and its parents up to the root of the repository are searched, and a subfolder ``build`` of each. Outside
    a repository, only the folder itself and its ``build`` are searched.

    Returns:
        The path, relative if it lies below the current folder; None if there is no database.
    """
    folder = (place if place.is_dir() else place.parent).absolute()
    around = [folder, *folder.parents]
    roots = [one for one in around if any((one / name).exists() for name in (".git", ".hg", ".svn"))]
    for one in around[: around.index(roots[0]) + 1] if roots else around[:1]:
        for path in (one / NAME, one / "build" / NAME):
            if path.is_file():
                here = Path.cwd()
                return path.relative_to(here) if path.is_relative_to(here) else path
    return None


def _entry(entry: object, where: str) -> tuple[str, Path, list[str]]:
    """Return the file of an entry as it is written, its folder, and the words of its command.

    Without ``directory``, the folder is ``.``. The words come from ``arguments`` or else from ``command``; without
    both, there are none.

    Args:
        entry: the entry, as JSON has it.
        where: the database and the number of the entry, for messages.

    Raises:
        OptionError: the entry has no file, or a part of it has the wrong form.
    """
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise OptionError(f'{where} has no "file": this is not a compile database; {_AGAIN}')
    folder, words = entry.get("directory", "."), entry.get("arguments")
    if words is None:
        try:
            words = shlex.split(entry.get("command", ""))
        except (ValueError, AttributeError) as error:
            raise OptionError(f'{where} has a "command" that can not be read ({error}); {_AGAIN}') from error
    if not isinstance(folder, str) or not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise OptionError(f'{where}: "directory" must be a string, "arguments" a list of strings; {_AGAIN}')
    return entry["file"], Path(folder), words


def _sorted(words: Sequence[str], folder: Path) -> tuple[list[str], list[str]]:
    """Sort a command's words: return the flags to use, and the dropped flags that are uncommon.

    Words that are no flags, such as the compiler and the source file, are in neither list.

    Raises:
        OptionError: a file of flags (``@FILE``) can not be read.
    """
    used, dropped, rest = list[str](), list[str](), list(_expanded(words, folder))
    while rest:
        word = rest.pop(0)
        joined = _JOINED_PATH.fullmatch(word)
        if word in _PATHS and rest:
            used += [word, _from_here(rest.pop(0), folder)]
        elif joined:
            used.append(joined[1] + _from_here(joined[2], folder))
        elif word in _TEXTS and rest:
            used.append(word + rest.pop(0))
        elif word in _DROPPED_WITH_ARGUMENT:
            argument = rest.pop(0) if rest else ""
            dropped += [f"{word} {argument}"] * (word not in _OF_AN_OBJECT)
        elif _MEANS_SOMETHING.fullmatch(word) or (word.startswith("-m") and _is_of_this_machine(word)):
            used.append(word)
        elif word.startswith("-") and len(word) > 1 and not (is_of_no_use(word) or _EVERYDAY.fullmatch(word)):
            dropped.append(word)
    return used, dropped


def from_here(words: Sequence[str], folder: Path) -> Iterator[str]:
    """Yield flags in which the paths of include flags and of ``@FILE`` are rewritten for the current folder.

    Other flags, such as ``-L``, stay as they are. Absolute paths become relative inside the current folder only.

    Args:
        words: the flags.
        folder: the folder that they were written for.
    """
    rest = list(words)
    while rest:
        word = rest.pop(0)
        joined = _JOINED_PATH.fullmatch(word)
        if joined:
            yield joined[1] + _from_here(joined[2], folder)
        elif word.startswith("@"):
            yield f"@{_from_here(word[1:], folder)}"
        else:
            yield word
            if word in _PATHS and rest:
                yield _from_here(rest.pop(0), folder)


def _expanded(words: Sequence[str], folder: Path) -> Iterator[str]:
    """Yield the words, with each ``@FILE`` that exists replaced by the flags in it.

    Raises:
        OptionError: such a file can not be read.
    """
    for word in words:
        path = folder / word[1:]
        if word.startswith("@") and path.is_file():
            try:
                yield from shlex.split(path.read_text())
            except (OSError, ValueError) as error:
                raise OptionError(f"{path}: can not be read ({error})") from error
        else:
            yield word


def _from_here(path: str, folder: Path) -> str:
    """Convert a path from ``folder`` to the current folder; an absolute path outside the current folder stays."""
    whole = os.path.normpath(folder.absolute() / path)
    inside = os.path.relpath(whole)
    return whole if os.path.isabs(path) and inside.startswith("..") else inside


def _is_of_this_machine(flag: str) -> bool:
    """Whether this processor has the features that an ``-m`` flag lets the compiler use."""
    if flag.startswith("-march="):
        return flag == "-march=native" or is_here(flag.removeprefix("-march=").replace("x86-64", "x86_64"))
    name = flag.removeprefix("-m").replace("-", "_").replace(".", "_")
    return _LINUX_NAMES.get(name, name) in _features() or (name == "64" and platform.machine() == "x86_64")


_LINUX_NAMES = {"sse3": "pni", "bmi": "bmi1", "lzcnt": "abm", "pclmul": "pclmulqdq", "rdrnd": "rdrand"}


@cache
def _features() -> frozenset[str]:
    """Return the features of this processor by their names in Linux; empty if they are unknown."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return frozenset()
    return frozenset(word for line in re.findall(r"^(?:flags|Features)\s*:(.*)$", text, re.M) for word in line.split())
