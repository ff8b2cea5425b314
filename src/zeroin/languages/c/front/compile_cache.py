"""The cache of compiled source files.

A result is valid until one of its inputs changes: the command, the compiler, the content of the file or of a header, or
which header an ``#include`` finds. Results of other versions of zeroin's compile step are not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path

from .... import cache

# Flags that name no file but an include folder. The inputs of a command with other flags are unknown.
_PLAIN = re.compile(
    r"-[DU].*|-I.*|-std=[\w+:]+|-O\w*|-f[\w-]+(=[\w.+-]+)?|-W[\w=+-]*|-m[\w=.+-]+|-g\w*|-pedantic(-errors)?|-ansi|-pthread|-w"
)
_FOLDER = ("-I", "-iquote", "-isystem", "-idirafter")
_WITH_ARGUMENT = (*_FOLDER, "-D", "-U", "-Xclang")
# Source text whose meaning may change with the date or with the files around it.
_FICKLE = re.compile(rb"__has_(?:include|embed)|__(?:DATE|TIME|TIMESTAMP)__|\.incbin")
TELL = "-H"  # makes the compiler print every header that it reads, except those of -include
_INCLUDED = re.compile(r"^\.+ (.+)$", re.M)
_SYSTEM = ("/usr/", "/lib/")
_ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS")


@dataclass(frozen=True)
class CacheEntry:
    """A cache entry: the result of one compiler command on one file.

    Attributes:
        path: file of the cache entry, which need not exist.
        folders: folders in which includes are searched, besides the system's.
    """

    path: Path
    folders: tuple[Path, ...]

    def read(self) -> str | None:
        """Return the IR text, and mark the entry as used; None if it is not in the cache or no longer valid."""
        content = cache.read(self.path)
        if content is None:
            return None
        head, _, body = content.partition(b"\n")
        record = json.loads(head)
        if any(os.path.exists(path) for path in record["absent"]):
            return None
        if any(_digest(path) != digest for path, digest in record["read"].items()):
            return None
        cache.used(self.path)
        return zlib.decompress(body).decode(errors="surrogateescape")

    def write(self, text: str, source: Path, said: str) -> None:
        """Store the IR text of a source file, unless the source's meaning may change with the date or other files.

        Some calls also remove the oldest entries from the cache.

        Args:
            text: the IR.
            source: the source file.
            said: the compiler's output with the flag ``TELL``, which names the headers.
        """
        here = Path.cwd()
        read = [str(source.absolute()), *dict.fromkeys(str(here / name) for name in _INCLUDED.findall(said))]
        own = [path for path in read if not path.startswith(_SYSTEM) and "/ziglang/" not in path]
        if any(_FICKLE.search(Path(path).read_bytes()) for path in own):
            return
        tails = {Path(*Path(path).parts[-n:]) for path in read for n in range(1, min(5, len(Path(path).parts)))}
        # The compiler's own headers only change with the compiler, which is part of the entry's name.
        folders = [folder for folder in self.folders if "/ziglang/" not in str(folder)]
        hiding = {str(folder / tail) for folder in folders for tail in tails}
        record = {"read": {path: _digest(path) for path in read if "/ziglang/" not in path},
                  "absent": sorted(path for path in hiding if not os.path.exists(path))}  # fmt: skip
        body = zlib.compress(text.encode(errors="surrogateescape"), 1)
        cache.write(self.path, json.dumps(record).encode() + b"\n" + body)
        cache.limit_code(self.path.parent)


def cache_entry(path: Path, compiler: Sequence[str], flags: Sequence[str], fixed: Sequence[str],
              text: str = "", ours: bool = False) -> CacheEntry | None:  # fmt: skip
    """Return the cache entry for a compiler command.

    Args:
        path: the source file.
        compiler: beginning of the command.
        flags: the user's flags.
        fixed: our own flags.
        text: content of a generated source without includes; of its path, only the suffix counts. Empty for any other
            source.
        ours: whether source and flags are our own, so the current folder does not matter.

    Returns:
        The entry; None if there is no cache, if the compiler is not on PATH, or if the command's inputs are unknown.
    """
    folders, rest = [path.absolute().parent], list(flags)
    while rest:
        flag = rest.pop(0)
        if flag in _WITH_ARGUMENT and rest:
            value = rest.pop(0)
            folders += [Path.cwd() / value] if flag in _FOLDER else []
        elif flag.startswith(_FOLDER):
            folders.append(Path.cwd() / re.sub("^-(I|iquote|isystem|idirafter)", "", flag))
        elif not _PLAIN.fullmatch(flag):
            return None
    executable = shutil.which(compiler[0])
    place = cache.folder("code")
    if executable is None or place is None or any(name in os.environ for name in _ENVIRONMENT):
        return None
    binary = Path(executable).resolve()
    state = binary.stat()
    what = (
        _version(),
        *compiler,
        *fixed,
        *flags,
        *((path.suffix, text) if text else (str(path.absolute()), "" if ours else str(Path.cwd()))),
        str(binary),
        state.st_size,
        state.st_mtime_ns,
    )
    return CacheEntry(
        place / hashlib.sha256(repr(what).encode(errors="surrogateescape")).hexdigest()[:40], tuple(folders)
    )


@once
def _version() -> str:
    """Return a digest of our own modules that take part in the compile step."""
    makers = ("compile", "build_flags", "compile_cache", "inline_functions", "unsequenced")
    found = hashlib.sha256()
    for name in makers:
        found.update(Path(__file__).with_name(f"{name}.py").read_bytes())
    return found.hexdigest()


@contextlib.contextmanager
def locked(places: Sequence[CacheEntry | None]) -> Iterator[None]:
    """Lock cache entries while this process compiles them; other processes wait, and then find the results.

    None in place of an entry is ignored.
    """
    with contextlib.ExitStack() as stack:
        # The same order in all processes prevents a deadlock.
        for path in sorted({place.path for place in places if place is not None}):
            stack.enter_context(cache.lock(path))
        yield


def _digest(path: str) -> str:
    """Return the digest of a file's content; empty if the file can not be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def without_names(said: str) -> str:
    """Return the compiler's output without the lines that name headers."""
    return _INCLUDED.sub("", said)
