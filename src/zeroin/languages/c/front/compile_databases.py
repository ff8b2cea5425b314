"""The compile databases that the files of a request use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ....config import Options
from ....errors import OptionError
from .compile import C_SUFFIXES, CXX_SUFFIXES
from .compile_commands import NAME, Database, found_for

_SUFFIXES = C_SUFFIXES | CXX_SUFFIXES
_MOST_FLAGS = 8  # unused flags named in a note


class CompileDatabases:
    """The compile databases (``compile_commands.json``): a named one, or those of the projects that files belong to.

    Args:
        named: the path of the option ``--compile-commands``; ``none``: use no database; None: find them.
        note: called with each line for the user.

    Raises:
        OptionError: the named database is missing or invalid.
    """

    def __init__(self, named: str | None, note: Callable[[str], None]) -> None:
        self._note, self._none = note, named == "none"
        self._of_folder: dict[Path, Database | None] = {}
        self._of_path: dict[Path, Database | None] = {}
        self._named = Database.read(_file(named)) if named is not None and not self._none else None

    def applied(self, options: Options, file: Path) -> Options:
        """Return the options with the flags that the database has for a file. The user's flags follow them.

        Without such flags, and for files that are not C or C++, the options are returned unchanged.

        Raises:
            OptionError: the database names a file of flags (``@FILE``) that can not be read.
        """
        if self._none or file.suffix not in _SUFFIXES:
            return options
        database = self._named or self._found(file)
        flags = database.flags_of(file) if database is not None else ()
        of_user = 1 if options.cc and not options.cc[0].startswith("-") else 0  # the name of a compiler comes first
        return replace(options, cc=(*options.cc[:of_user], *flags, *options.cc[of_user:])) if flags else options

    def tell(self) -> None:
        """Note for the user which databases were used by :meth:`applied` so far, and which of their flags were not."""
        for database in [self._named, *self._of_path.values()]:
            if database is None:
                continue
            count = len(database.used)
            if count == 0 and database is self._named:
                self._note(f"{database.path} has no entry for any of the files; they get the flags of --cc only")
            if count == 0:
                continue
            names = [flag for flag, _ in database.dropped.most_common()]
            more = f" and {len(names) - _MOST_FLAGS} more" if len(names) > _MOST_FLAGS else ""
            dropped = f"; ignored flags: {', '.join(names[:_MOST_FLAGS])}{more}" if names else ""
            self._note(f"flags of {count} file{'s' * (count != 1)} from {database.path}{dropped}")

    def _found(self, file: Path) -> Database | None:
        """Return the database of the project that a file belongs to; None if there is none, or an invalid one.

        Each database is read once.
        """
        folder = file.parent.absolute()
        if folder not in self._of_folder:
            path = found_for(file)
            if path is not None and path not in self._of_path:
                self._of_path[path] = self._read(path)
            self._of_folder[folder] = self._of_path[path] if path is not None else None
        return self._of_folder[folder]

    def _read(self, path: Path) -> Database | None:
        """Read a database that was found automatically. An invalid one is only noted, and the result is None."""
        try:
            return Database.read(path)
        except OptionError as error:
            self._note(f"{error}; the file is ignored (--compile-commands none hides this note)")
            return None


def _file(named: str) -> Path:
    """Return the path of the database that the user named; for a folder, of the database in it or in its ``build``.

    Raises:
        OptionError: there is none.
    """
    path = Path(named)
    if path.is_dir():
        there = [one for one in (path / NAME, path / "build" / NAME) if one.is_file()]
        if not there:
            raise OptionError(f"--compile-commands {named}: has no {NAME}; name the file, or the folder that it is in")
        return there[0]
    if not path.is_file():
        raise OptionError(f"--compile-commands {named}: no such file or folder")
    return path
