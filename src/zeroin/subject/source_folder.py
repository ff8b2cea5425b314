"""The source files in a folder that the user named as a whole, and the files and folders that are skipped."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path

from .language import Skipped

TESTS = "tests; covered if they are named"
PROGRAM = "a program: importing it would run it"
_TEST_FOLDERS = ("test", "tests")
_TEST_FILE = re.compile(r"conftest|tests?|test_.+|.+_tests?")
_BUILD_FOLDERS = ("build", "dist", "_build", "CMakeFiles")
_BUILT = ("CMakeCache.txt", "build.ninja", "CACHEDIR.TAG")
_OF_NO_INTEREST = ("__pycache__", ".git", ".hg", ".svn")
_OURS = "the output of zeroin"
_MOST_LOOKED_AT = 2000  # the most folders to look at inside a skipped one


def is_test(file: str) -> bool:
    """Return whether a file contains tests, by its name."""
    return _TEST_FILE.fullmatch(Path(file).stem) is not None


def sources_of(folder: Path, suffixes: Collection[str], excluded: Sequence[str] = (),
               out: Path | None = None) -> tuple[list[Path], list[Skipped]]:  # fmt: skip
    """Return the source files below a folder, and the skipped files and folders with reasons.

    A folder's files are sorted by name and come before those of its subfolders. Neither list contains empty files,
    files with other suffixes, skipped folders without sources, and zeroin's own output. Folders that do not exist or
    can not be read count as empty.

    Args:
        folder: the folder.
        suffixes: the suffixes of source files, with the dot.
        excluded: patterns (``*``, ``?``) of files and folders to skip: names, or ends of paths below the folder.
        out: the folder of zeroin's own output. None: only folders that look like one count as output.
    """
    found, skipped = list[Path](), list[Skipped]()
    for place, folders, files in os.walk(folder):
        here = Path(place)
        for name in sorted(folders):
            path = here / name
            why = _excluded(path, folder, excluded) or _why_no_folder(path, out)
            if not why:
                continue
            folders.remove(name)
            if name not in _OF_NO_INTEREST and why != _OURS and _has_sources(path, suffixes):
                skipped.append(Skipped(str(path), why))
        folders.sort()
        for name in sorted(files):
            path = here / name
            if path.suffix not in suffixes or not path.is_file() or not path.stat().st_size:
                continue
            why = _excluded(path, folder, excluded) or _why_no_file(path, files)
            if why:
                skipped.append(Skipped(str(path), why))
            else:
                found.append(path)
    return found, skipped


def own_files(folder: Path, suffix: str) -> Iterator[Path]:
    """Yield the files with a suffix below a folder, also programs, without tests and the folders that are skipped.

    A folder's files are sorted by name and come before those of its subfolders. Skipped are for example virtual
    environments, third-party packages and build folders.
    """
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _why_no_folder(Path(place, name), None))
        yield from (Path(place, name) for name in sorted(files) if name.endswith(suffix) and not is_test(name))


def _excluded(path: Path, folder: Path, patterns: Sequence[str]) -> str:
    """Return the ``--exclude`` option that excludes a path below the folder. Empty if there is none."""
    inside = path.relative_to(folder)
    return next((f"--exclude {pattern}" for pattern in patterns if inside.match(pattern)), "")


def _why_no_folder(path: Path, out: Path | None) -> str:
    """Return the reason to skip a folder. Empty if there is none."""
    if path.is_symlink():
        return "a link to a folder"
    if (path / ".found").is_dir() or (out is not None and path.resolve() == out.resolve()):
        return _OURS
    if (path / "pyvenv.cfg").is_file():
        return "a virtual environment"
    if path.name.startswith(".") or path.name in _OF_NO_INTEREST:
        return "a hidden folder"
    if path.name in ("node_modules", "site-packages"):
        return "third-party packages"
    if path.name in _TEST_FOLDERS:
        return TESTS
    is_built = path.name in _BUILD_FOLDERS or path.name.startswith("cmake-build")
    if (is_built and not (path / "__init__.py").exists()) or any((path / name).is_file() for name in _BUILT):
        return "a build folder"
    return ""


def _why_no_file(path: Path, beside: Collection[str]) -> str:
    """Return the reason to skip a file, given the names of all files in its folder. Empty if there is none."""
    if path.name in ("__main__.py", "setup.py"):
        return PROGRAM
    if _TEST_FILE.fullmatch(path.stem):
        return TESTS
    sources = [path.with_suffix(suffix).name for suffix in (".c", ".cpp", ".cc", ".cxx")]
    made_of = next((name for name in sources if path.suffix in (".ll", ".bc") and name in beside), "")
    return f"compiled from {made_of}" if made_of else ""


def _has_sources(folder: Path, suffixes: Collection[str]) -> bool:
    """Return whether a skipped folder contains sources, so that the report should mention it.

    At most 2000 folders in it are searched.
    """
    names: Iterator[list[str]] = (files for _, _, files in os.walk(folder))
    return any(Path(name).suffix in suffixes for files in islice(names, _MOST_LOOKED_AT) for name in files)
