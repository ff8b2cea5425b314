"""Where the benchmark's C files come from: newlib's edition of fdlibm in a Debian package, or a folder of netlib's."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from zeroin import ZeroinError

from .subjects import ENTRIES, Entry

PACKAGE = "newlib-source"
VERSION = "3.3.0-1.3+deb12u1"
DEB_SHA256 = "b9a825a86064e6ffd1f8d1b91a3f7c6a5baf3ab3d246e5ed132ba22c42f6fef1"
TREE_SHA256 = "d3c98adbce11070334acf39ee3af3b18d2819e3779bece5e6fe9e68d3ec264d2"

_TARBALL = "usr/src/newlib/newlib-3.3.0.tar.xz"
_FOLDERS = ("libc/include", "libm/math", "libm/common")
_OFFER = "give the package with --deb FILE, or a folder of fdlibm 5.3 with --source DIR"

# The obsolete mathematics is fdlibm's; newlib's errno needs newlib's run-time system. Clang must not add the host's
# limits.h to newlib's (-ffreestanding), and must be taken for a gcc that knows __builtin_isnan, as gcc itself is.
_NEWLIB = ("-D__OBSOLETE_MATH=1", "-D__OBSOLETE_MATH_DOUBLE=1", "-D__IEEE_LITTLE_ENDIAN", "-DWANT_ERRNO=0")
_NEWLIB_CLANG = ("-ffreestanding", "-fgnuc-version=12")
# Netlib's wrappers (sqrt) without its error handling.
_NETLIB = ("-D__LITTLE_ENDIAN", "-D_IEEE_LIBM")
_GCC = ("-O0", "-std=gnu89", "-fno-builtin", "-fno-strict-aliasing", "-fwrapv", "-ffp-contract=off")

_ONLY_IN_NEWLIB = frozenset({"math_err.c", "s_nan.c"})
_ONLY_IN_NETLIB = frozenset({"w_sqrt.c", "s_isnan.c"})


class SourceError(ZeroinError):
    """The sources are not to be had; the message says what to do."""


@dataclass(frozen=True)
class Library:
    """One edition of fdlibm on this machine.

    Attributes:
        name: the edition and its version.
        folders: where its C files are.
        cc_flags: what zeroin's compiler must be told.
        gcc_flags: what gcc must be told for the same functions, unoptimised; add ``--coverage`` to measure.
        unused: files of :attr:`Entry.others` that this edition does not need.
    """

    name: str
    folders: tuple[Path, ...]
    cc_flags: tuple[str, ...]
    gcc_flags: tuple[str, ...]
    unused: frozenset[str]

    def source(self, entry: Entry) -> Path:
        """The file that defines the function."""
        return self._find(entry.program)

    def others(self, entry: Entry) -> tuple[Path, ...]:
        """The files that define what the function calls."""
        return tuple(self._find(name) for name in entry.others if name not in self.unused)

    def files(self) -> set[str]:
        """Names of all files that the benchmark compiles."""
        return {name for entry in ENTRIES for name in (entry.program, *entry.others)} - self.unused

    def _find(self, name: str) -> Path:
        for folder in self.folders:
            if (folder / name).is_file():
                return folder / name
        raise SourceError(f"{self.name}: no {name} in {', '.join(map(str, self.folders))}; {_OFFER}")


def netlib(directory: Path) -> Library:
    """The fdlibm 5.3 that the user has in a folder.

    Raises:
        SourceError: the folder lacks files.
    """
    directory = directory.absolute()
    library = Library("netlib 5.3", (directory,), _NETLIB, (*_GCC, *_NETLIB), _ONLY_IN_NEWLIB)
    missing = sorted(name for name in {*library.files(), "fdlibm.h"} if not (directory / name).is_file())
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise SourceError(f"--source {directory}: not a folder of fdlibm 5.3, it lacks {', '.join(missing[:3])}{more}")
    return library


def fetch(workdir: Path, deb: Path | None = None) -> Library:
    """newlib's edition, in a work folder: downloaded and unpacked unless it is there already, complete and unchanged.

    Args:
        deb: the Debian package, where it need not be downloaded.

    Raises:
        SourceError: the package can not be downloaded, or is not the one that the benchmark is about.
    """
    root = workdir.absolute() / "newlib-3.3.0"
    if _digest(root) != TREE_SHA256:
        _install(root, deb)
    includes = tuple(f"-I{root / folder}" for folder in _FOLDERS)
    flags = (*_NEWLIB, *includes)
    folders = (root / "libm/math", root / "libm/common")
    return Library("newlib 3.3.0", folders, (*flags, *_NEWLIB_CLANG), (*_GCC, *flags), _ONLY_IN_NETLIB)


def _install(root: Path, deb: Path | None) -> None:
    """Unpack beside the final place and move there at the end: what stands there is complete."""
    root.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="unpack-", dir=root.parent) as folder:
        data = _verified(deb or _download(Path(folder)))
        tree = Path(folder) / "tree"
        _unpack(data, tree)
        if _digest(tree) != TREE_SHA256:
            raise SourceError(f"{PACKAGE} {VERSION}: unpacked to other files than expected; {_OFFER}")
        shutil.rmtree(root, ignore_errors=True)
        os.replace(tree, root)


def _digest(root: Path) -> str:
    """SHA-256 over the names and contents of the C files and headers."""
    total = hashlib.sha256()
    names = (path.relative_to(root).as_posix() for path in root.rglob("*.[ch]") if path.is_file())
    for name in sorted(names):
        content = (root / name).read_bytes()
        total.update(f"{name}\0{len(content)}\0".encode() + content)
    return total.hexdigest()


# ---- the package ----


def _download(folder: Path) -> Path:
    """Let apt-get fetch the package; it updates its lists once if it does not know the version."""
    if shutil.which("apt-get") is None:
        raise SourceError(f"no apt-get on this machine to download {PACKAGE} {VERSION}; {_OFFER}")
    download = ("download", f"{PACKAGE}={VERSION}")
    failure = _apt(folder, *download)
    if failure:
        _apt(folder, "update")
        failure = _apt(folder, *download)
    found = list(folder.glob("*.deb"))
    if failure or not found:
        raise SourceError(f"apt-get can not download {PACKAGE} {VERSION} ({failure or 'no file came'}); {_OFFER}")
    return found[0]


def _apt(folder: Path, *arguments: str) -> str:
    """Run apt-get in the folder; its first complaint, or nothing when it went well."""
    environment = {**os.environ, "LC_ALL": "C"}
    command = ["apt-get", "-qq", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    complaints = [line for line in done.stderr.splitlines() if line.startswith("E:")] or [f"status {done.returncode}"]
    return complaints[0] if done.returncode else ""


def _verified(deb: Path) -> bytes:
    try:
        data = deb.read_bytes()
    except OSError as error:
        raise SourceError(f"--deb {deb}: {error.strerror}") from error
    found = hashlib.sha256(data).hexdigest()
    if found != DEB_SHA256:
        raise SourceError(f"{deb}: not {PACKAGE} {VERSION}: its SHA-256 is {found}, not {DEB_SHA256}")
    return data


def _unpack(deb: bytes, target: Path) -> None:
    """The C files and headers that the benchmark needs: a tar.xz, in a tar.xz, in an ar archive."""
    outer = io.BytesIO(dict(_ar_members(deb))["data.tar.xz"])
    with tarfile.open(fileobj=outer, mode="r:xz") as package:
        inner = next(member for member in package if member.name.removeprefix("./") == _TARBALL)
        with tarfile.open(fileobj=package.extractfile(inner), mode="r|xz") as sources:
            for member in sources:
                name = _wanted(member)
                if name:
                    (target / name).parent.mkdir(parents=True, exist_ok=True)
                    (target / name).write_bytes(cast(IO[bytes], sources.extractfile(member)).read())


def _ar_members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Names and contents of an ar archive: headers of 60 bytes, contents padded to even lengths."""
    at = len(b"!<arch>\n")
    while at + 60 <= len(data):
        name, size = data[at : at + 16].decode().rstrip(" /"), int(data[at + 48 : at + 58])
        yield name, data[at + 60 : at + 60 + size]
        at += 60 + size + size % 2


def _wanted(member: tarfile.TarInfo) -> str | None:
    """The name of a member below ``newlib/``; None when the benchmark has no use for it."""
    _, _, name = member.name.partition("/newlib/")
    if member.isfile() and name.endswith((".c", ".h")) and name.startswith(tuple(f"{f}/" for f in _FOLDERS)):
        return name
    return None
