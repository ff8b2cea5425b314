"""Which functions of the libraries are covered, and the files that each needs: read off the code that a compiler makes.

A function is chosen by what it is, never by what comes of it. All are functions with branches, and without long double
in their signatures:

- newlib's edition of fdlibm: all that :mod:`bench.fdlibm` does not have, static ones among them;
- musl: all that take or return a float, and are not static;
- ERFA: the first sixty in the order of their files, without static ones and a table's bookkeeping.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from zeroin.languages.c.front import symbols
from zeroin.languages.c.front.compile import compile_all
from zeroin.languages.c.llvm_ir import ir
from zeroin.languages.c.llvm_ir.debug_info import DebugInfo

from ..fdlibm import sources as fdlibm
from ..fdlibm.subjects import ENTRIES
from ..packages.fetch import fetch, musl

_CONDITION = re.compile(r"^\s+(br i1|switch|%\S+ = select i1) ")
_DECLARED = re.compile(r"^(?:declare\b[^@\n]*@|@)([\w$.]+)(?:\(| = external )", re.MULTILINE)
_RUN_TIME = Path(__file__).with_name("newlib.c")
_PROGRAMS = ("erfaversion.c", "t_erfa_c.c", "t_erfa_c_extra.c")
_NO_ASTRONOMY = "erfadatextra.c"  # a table's bookkeeping, as its authors say themselves
_FORTY = frozenset((entry.program, entry.function) for entry in ENTRIES)
# What no code says: how far an index computed from others may go (66 words are 2/pi to the end of the exponents), and
# how long a text is ("UTC").
_ARRAYS = {
    "eraD2dtf": ("scale=4",),
    "eraDtf2d": ("scale=4",),
    "__kernel_rem_pio2": ("x=3,nx", "y=3", "ipio2=66"),
    "__kernel_rem_pio2f": ("x=3,nx", "y=3", "ipio2=66"),
}


@dataclass(frozen=True)
class Entry:
    """One function.

    Attributes:
        library: the name of the one that it is from.
        path: the file that defines it.
        function: its name.
        others: the files of the library that define what it calls, directly or not.
        cc: flags for the compiler.
        arrays: lengths of what its pointer parameters point to, in the notation of ``--array``.
    """

    library: str
    path: Path
    function: str
    others: tuple[Path, ...]
    cc: tuple[str, ...]
    arrays: tuple[str, ...] = ()


class File:
    """A source file, compiled.

    Attributes:
        path: where it is.
        text: LLVM's IR of it.
    """

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.text = path, text

    @cached_property
    def module(self) -> ir.Module:
        """The same in parts."""
        return ir.read(self.text)

    @cached_property
    def own(self) -> list[ir.Function]:
        """The functions that stand in the file itself, with branches, and without long double in their signatures."""
        functions = symbols.own_functions(self.module, DebugInfo(self.text), self.path)
        return [one for one in functions if _branches(one) and "x86_fp80" not in one.header]

    @cached_property
    def needed(self) -> set[str]:
        """What it uses, and does not define."""
        return set(_DECLARED.findall(self.text))


def _branches(function: ir.Function) -> bool:
    return any(_CONDITION.match(line) for block in function.blocks for line in block.lines)


def _static(function: ir.Function) -> bool:
    return "internal" in function.header.partition("@")[0].split()


@dataclass(frozen=True)
class Library:
    """A library on this machine.

    Attributes:
        name: and version.
        paths: all its source files.
        cc: flags for the compiler.
        chosen: whether a function of a file is one of ours.
        most: how many there are at most.
    """

    name: str
    paths: tuple[Path, ...]
    cc: tuple[str, ...]
    chosen: Callable[[File, ir.Function], bool]
    most: int | None = None

    def entries(self) -> Iterator[Entry]:
        """Its functions, in the order of the files."""
        files = [File(path, text) for path, text in zip(self.paths, compile_all(self.paths, self.cc), strict=True)]
        places = {name: file for file in reversed(files) for name in file.module.defined()}
        chosen = ((file, one.name) for file in files for one in file.own if self.chosen(file, one))
        for file, name in islice(chosen, self.most):
            others = tuple(other.path for other in _closure(file, places))
            yield Entry(self.name, file.path, name, others, self.cc, _ARRAYS.get(name, ()))


def _closure(first: File, places: dict[str, File]) -> list[File]:
    """The other files that a file needs."""
    waiting, found = [first], [first]
    while waiting:
        for name in sorted(waiting.pop().needed):
            other = places.get(name)
            if other is not None and other not in found:
                found.append(other)
                waiting.append(other)
    return found[1:]


def entries() -> list[Entry]:
    """All functions of all libraries.

    Raises:
        ZeroinError: the sources are not to be had, or do not compile.
    """
    return [entry for library in (_newlib(), _musl(), _erfa()) for entry in library.entries()]


def _newlib() -> Library:
    found = fdlibm.fetch(Path(fdlibm.__file__).with_name("work"))
    paths = (*(path for folder in found.folders for path in _sources(folder)), _RUN_TIME)
    return Library(found.name, paths, found.cc_flags,
                   lambda file, one: (file.path.name, one.name) not in _FORTY)  # fmt: skip


def _musl() -> Library:
    folder, flags = musl(fetch("ziglang") / "ziglang")
    return Library("musl (ziglang 0.13.0)", tuple(_sources(folder)), flags,
                   lambda _, one: not _static(one) and "float" in one.header.partition(" !dbg")[0])  # fmt: skip


def _erfa() -> Library:
    folder = fetch("pyerfa") / "pyerfa-2.0.1.5" / "liberfa" / "erfa" / "src"
    paths = tuple(path for path in _sources(folder) if path.name not in _PROGRAMS)
    return Library("ERFA 2.0.1", paths, (),
                   lambda file, one: not _static(one) and file.path.name != _NO_ASTRONOMY, most=60)  # fmt: skip


def _sources(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.c"))
