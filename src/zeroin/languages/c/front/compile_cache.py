"""What the compiler made of a file is kept until something that went into it changes: the command, the compiler, the
file or a header (its content counts, not its date), or which header an ``#include`` finds. An older version of zeroin
may have made something else of it, so its files are not read."""

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

# Flags that name no file but an include folder. With others, what goes in is not known.
_PLAIN = re.compile(
    r"-[DU].*|-I.*|-std=[\w+:]+|-O\w*|-f[\w-]+(=[\w.+-]+)?|-W[\w=+-]*|-m[\w=.+-]+|-g\w*|-pedantic(-errors)?|-ansi|-pthread|-w"
)
_FOLDER = ("-I", "-iquote", "-isystem", "-idirafter")
_WITH_ARGUMENT = (*_FOLDER, "-D", "-U", "-Xclang")
# Text that means something else tomorrow, or with another file beside it.
_FICKLE = re.compile(rb"__has_(?:include|embed)|__(?:DATE|TIME|TIMESTAMP)__|\.incbin")
TELL = "-H"  # name every header that is read, but for those of -include
_INCLUDED = re.compile(r"^\.+ (.+)$", re.M)
_SYSTEM = ("/usr/", "/lib/")
_ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS")


@dataclass(frozen=True)
class Kept:
    """The place for what one command makes of one file."""

    path: Path
    folders: tuple[Path, ...]  # where includes are looked for, besides the system's

    def read(self) -> str | None:
        """The IR text, if it is still what the compiler would make."""
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
        """Keep the text of a source; ``said`` is what the compiler said with the flag ``TELL``."""
        here = Path.cwd()
        read = [str(source.absolute()), *dict.fromkeys(str(here / name) for name in _INCLUDED.findall(said))]
        own = [path for path in read if not path.startswith(_SYSTEM) and "/ziglang/" not in path]
        if any(_FICKLE.search(Path(path).read_bytes()) for path in own):
            return
        tails = {Path(*Path(path).parts[-n:]) for path in read for n in range(1, min(5, len(Path(path).parts)))}
        # The compiler's own headers are as it is itself, of which the place's name tells.
        folders = [folder for folder in self.folders if "/ziglang/" not in str(folder)]
        hiding = {str(folder / tail) for folder in folders for tail in tails}
        record = {"read": {path: _digest(path) for path in read if "/ziglang/" not in path},
                  "absent": sorted(path for path in hiding if not os.path.exists(path))}  # fmt: skip
        body = zlib.compress(text.encode(errors="surrogateescape"), 1)
        cache.write(self.path, json.dumps(record).encode() + b"\n" + body)
        cache.limit_code(self.path.parent)


def place_for(path: Path, compiler: Sequence[str], flags: Sequence[str], fixed: Sequence[str],
              text: str = "", ours: bool = False) -> Kept | None:  # fmt: skip
    """Where the result of a command is kept; None if it can not be, as what goes into it is not known.

    Args:
        path: the source.
        compiler: the command's beginning.
        flags: the user's flags.
        fixed: ours.
        text: of a source that includes nothing and has no place of its own; the path's suffix is its kind.
        ours: neither source nor flags say anything that depends on the folder where the compiler runs.
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
    return Kept(place / hashlib.sha256(repr(what).encode(errors="surrogateescape")).hexdigest()[:40], tuple(folders))


@once
def _version() -> str:
    """A digest of our own source that makes text of what the compiler makes."""
    makers = ("compile", "build_flags", "compile_cache", "inline_functions", "unsequenced")
    found = hashlib.sha256()
    for name in makers:
        found.update(Path(__file__).with_name(f"{name}.py").read_bytes())
    return found.hexdigest()


@contextlib.contextmanager
def alone(places: Sequence[Kept | None]) -> Iterator[None]:
    """While this process compiles for these places, no other one does: it waits, and finds the result."""
    with contextlib.ExitStack() as stack:
        for path in sorted({place.path for place in places if place is not None}):  # in the same order everywhere
            stack.enter_context(cache.lock(path))
        yield


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def without_names(said: str) -> str:
    """What the compiler said but for the headers that it named."""
    return _INCLUDED.sub("", said)
