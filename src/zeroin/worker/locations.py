"""The texts that name targets on the command line."""

from __future__ import annotations

import difflib
import os
import re
from pathlib import Path
from typing import NamedTuple

from ..errors import TargetError
from ..languages.registry import language_of
from ..subject.language import Language

_COLON = re.compile(r"(?<!:):(?!:[^:])")  # a colon that is not part of ::


class Location(NamedTuple):
    """The place that a text names.

    Attributes:
        where: the path of a file or folder, or the name of a module.
        function: the function, method or class, or a line in it; None: all functions.
    """

    where: str
    function: str | None

    @property
    def language(self) -> Language:
        """The language of the file or module; C for an unknown one. For a folder it has no meaning."""
        return language_of(self.where)

    @property
    def is_folder(self) -> bool:
        """Whether the place is a folder of source files, not a package."""
        # Unlike Path.is_dir, this accepts names that are too long.
        return os.path.isdir(self.where) and not self.language.is_module(self.where)


def parse_target(text: str) -> Location:
    """Split a target's text into its file or module and its function.

    Accepted are ``file.c:function``, ``file.c:12`` (the function at line 12), ``package.module:function``, and a file,
    folder or module alone. A function's name may contain ``::``. pytest's notation ``file.py::Class::method`` works as
    well.

    Neither a module nor a function has to exist.

    Raises:
        TargetError: there is no such file or folder, the file is empty, the function's name is missing after the colon,
            or a function is named in a folder that is no package.
    """
    file, _, inside = text.partition("::")
    if inside and not inside.startswith(":") and Path(file).is_file():
        return parse_target(f"{file}:{inside.replace('::', '.') if file.endswith('.py') else inside}")
    parts = [(text[: colon.start()], text[colon.end() :]) for colon in _COLON.finditer(text) if colon.start()]
    files = [part for part in parts if Path(part[0]).is_file()]
    others = [part for part in parts if "/" not in part[1]]
    where, function = files[0] if files else others[-1] if others else (text, None)
    if function == "":
        raise TargetError(f"{text}: a function's name is missing after the colon")
    if not Path(where).exists() and function is not None and Path(text).exists():
        where, function = text, None
    if language_of(where).is_module(where):
        return Location(where, function)
    path = Path(where)
    if path.is_dir() and function is None:
        return Location(where, None)
    if not path.is_file():
        what = "is a folder; name a file in it" if path.is_dir() else "no such file" + _near(path)
        raise TargetError(f"{path}: {what}; a target is FILE.c:FUNCTION, FILE.py:FUNCTION or PACKAGE.MODULE:FUNCTION, "
                          "or a file, folder or module alone for all its functions")  # fmt: skip
    if path.stat().st_size == 0:
        raise TargetError(f"{path}: the file is empty")
    return Location(where, function)


def _near(path: Path) -> str:
    """Return a parenthesis that lists files with a similar name in the same folder; empty if there are none."""
    there = [one.name for one in path.parent.iterdir()] if path.parent.is_dir() else []
    near = [str(path.parent / name) for name in difflib.get_close_matches(path.name, there, 3)]
    return f" (there {'is' if len(near) == 1 else 'are'} {', '.join(near)})" if near else ""
