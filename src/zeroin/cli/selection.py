"""The targets that the command line selects, each with its own options."""

from __future__ import annotations

import argparse
import difflib
import os
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..config import Options
from ..errors import OptionError
from ..languages.c.front.compile_commands import NAME, Database, found_for
from ..languages.c.language import C, CTarget
from ..subject.base import Target
from ..subject.language import Skipped
from ..worker.parent import parse_target, targets_of
from ..worker.worker import Worker
from .options import read_options

_SPEC_OF_ONE = re.compile(r"(.*[^:]):(\w+=.*)")  # f:xs=8,n
_TYPES_OF_ONE = re.compile(r"(\S.*?):\s+(\*{0,2}\w+\s*:.*)", re.DOTALL)  # f: x: float
_CONDITION_OF_ONE = re.compile(r"\s*([^\s=!,()\[\]]+?)\s*(?<!:):(?!:)\s*([^:]*)", re.DOTALL)  # f: x > 0
_OF_ONE = {"arrays": ("--array", _SPEC_OF_ONE), "strings": ("--string", _SPEC_OF_ONE),
           "types": ("--types", _TYPES_OF_ONE), "assume": ("--assume", _CONDITION_OF_ONE)}  # fmt: skip
_MOST_FLAGS = 8  # unused flags named in a note


@dataclass(frozen=True)
class Selection:
    """The selected targets.

    Attributes:
        options: the options of each target, in the order of the command line.
        skipped: functions, files and modules that are no targets, with reasons.
        named: the targets that the user named one by one, not through a file or folder.
    """

    options: dict[Target, Options]
    skipped: list[Skipped]
    named: set[Target]

    @property
    def targets(self) -> list[Target]:
        """The targets, in the order of the command line."""
        return list(self.options)


def select_targets(parsed: argparse.Namespace, worker: Worker, note: Callable[[str], None]) -> Selection:
    """Find the targets of a command line.

    Args:
        parsed: the command line, with the values of the configuration.
        worker: the worker in which files are compiled and modules imported.
        note: called with each line that tells the user about an automatic decision.

    Raises:
        ZeroinError: a target is not found, or an option is invalid; the message says what to do.
    """
    particular = TargetOptions(parsed, note)
    options, skipped, named = dict[Target, Options](), list[Skipped](), set[Target]()
    groups = {text: targets_of(text, particular.common, worker, particular.of_file) for text in parsed.targets}
    several = len({target for found in groups.values() for target in found.targets}) > 1
    for text, found in groups.items():
        skipped += found.skipped
        for target in found.targets:
            own = particular.of(target, several)
            if isinstance(target, CTarget):
                target = replace(target, cc=own.cc, others=own.others)
            options[target] = replace(own, link=os.path.isdir(text))  # unlike Path.is_dir, it accepts overlong names
            if parse_target(text)[1] is not None:
                named.add(target)
    particular.check(list(options), named)
    particular.databases.tell()
    return Selection(options, skipped, named)


class TargetOptions:
    """The options of each target.

    Per-target options override global ones; the command line overrides the configuration.

    Args:
        parsed: the command line, with the values of the configuration.
        note: called with each line for the user.

    Attributes:
        databases: the compile databases.
        common: the options without those of single targets.
    """

    def __init__(self, parsed: argparse.Namespace, note: Callable[[str], None]) -> None:
        self._parsed, self._note = parsed, note
        self.databases = Databases(parsed.compile_commands, note)
        self._of_one = {name: _of_one(getattr(parsed, name), pattern) for name, (_, pattern) in _OF_ONE.items()}
        self.common = self._read(None)

    def of_file(self, file: Path) -> Options:
        """Return the options for finding the targets of a file."""
        return self.databases.applied(self.common, file)

    def of(self, target: Target, several: bool) -> Options:
        """Return the options of a target.

        Args:
            target: the target.
            several: whether there are several targets.
        """
        return self.databases.applied(self._read(target, several), target.path)

    def check(self, targets: Sequence[Target], named: Collection[Target]) -> None:
        """Check that all options for single functions name a target.

        If a configuration names a function that its file lacks, the user gets a note only.

        Raises:
            OptionError: no target has the name; the message lists similar names.
        """
        for name, (option, _) in _OF_ONE.items():
            for function, text in self._of_one[name] if name in self._parsed.given else ():
                if function and not any(is_called(target, function) for target in targets):
                    names = [target.function for target in targets]
                    near = difflib.get_close_matches(function.rpartition(":")[2], names, 3) or names[:3]
                    sign = ": " if name in ("types", "assume") else ":"
                    raise OptionError(f"{option} {function}{sign}{text.strip()}: no target is called {function}; there "
                                      f"{'is' if len(near) == 1 else 'are'} {', '.join(near)}")  # fmt: skip
        for meant, _ in self._parsed.tables:
            whole = [target for target in targets if target not in named]
            if any(map(meant.is_in, whole)) and not any(map(meant.is_of, targets)):
                self._note(f'the configuration\'s target "{meant.text}" is none of the targets')

    def _read(self, target: Target | None, several: bool = False) -> Options:
        """Return the options of a target; those for all targets if it is None."""
        own = argparse.Namespace(**vars(self._parsed))
        for meant, values in self._parsed.tables if target else ():
            if target is not None and meant.is_of(target):
                vars(own).update((name, value) for name, value in values.items() if name not in own.given)
        for name, given in self._of_one.items():
            alone = [text for function, text in given if function and target and is_called(target, function)]
            of_all = [text for function, text in given if not function]
            changed = getattr(own, name) is not getattr(self._parsed, name)
            if name == "assume":  # preconditions add up instead of overriding each other
                alone = [*(own.assume if changed else of_all), *alone]
                own.shared = of_all if several or name not in own.given else []
            setattr(own, name, alone or (getattr(own, name) if changed else of_all))
            if name == "types" and alone:
                own.types = [", ".join(alone)]
        if own.assume:
            from ..subject.preconditions import parsed  # slow import, rarely needed

            parsed(own.assume)  # invalid conditions are reported now
        options, for_all = read_options(own), own.expect is self._parsed.expect
        expected = options.expect if for_all and (several or "expect" not in own.given) else ()
        return replace(options, shared=(*options.shared, *expected))


def _of_one(texts: Sequence[str], pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Split each text into the name of its function, empty if it concerns all functions, and the rest."""
    found = [(text, pattern.fullmatch(text)) for text in texts]
    return [(one[1], one[2]) if one else ("", text) for text, one in found]


def is_called(target: Target, name: str) -> bool:
    """Return whether a name denotes this target: by its function or by its full text."""
    return name in (target.function, target.text)


class Databases:
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
        """Return the options with the flags that the database has for a file. The user's flags follow them."""
        if self._none or file.suffix not in C.suffixes:
            return options
        database = self._named or self._found(file)
        flags = database.flags_of(file) if database is not None else ()
        of_user = 1 if options.cc and not options.cc[0].startswith("-") else 0  # the name of a compiler comes first
        return replace(options, cc=(*options.cc[:of_user], *flags, *options.cc[of_user:])) if flags else options

    def tell(self) -> None:
        """Tell the user which databases were used, and which of their flags were not."""
        for database in [self._named, *self._of_path.values()]:
            if database is None:
                continue
            count = len(database.used)
            if count == 0 and database is self._named:
                self._note(f"{database.path} has no entry for any of the files; their flags are those of --cc")
            if count == 0:
                continue
            names = [flag for flag, _ in database.dropped.most_common()]
            more = f" and {len(names) - _MOST_FLAGS} more" if len(names) > _MOST_FLAGS else ""
            dropped = f"; not used of them: {', '.join(names[:_MOST_FLAGS])}{more}" if names else ""
            self._note(f"flags of {count} file{'s' * (count != 1)} from {database.path}{dropped}")

    def _found(self, file: Path) -> Database | None:
        folder = file.parent.absolute()
        if folder not in self._of_folder:
            path = found_for(file)
            if path is not None and path not in self._of_path:
                self._of_path[path] = self._read(path)
            self._of_folder[folder] = self._of_path[path] if path is not None else None
        return self._of_folder[folder]

    def _read(self, path: Path) -> Database | None:
        """Read a database that was found automatically. An invalid one is only noted."""
        try:
            return Database.read(path)
        except OptionError as error:
            self._note(f"{error}; it is not used (--compile-commands none: no such line)")
            return None


def _file(named: str) -> Path:
    path = Path(named)
    if path.is_dir():
        there = [one for one in (path / NAME, path / "build" / NAME) if one.is_file()]
        if not there:
            raise OptionError(f"--compile-commands {named}: has no {NAME}; name the file, or the folder that it is in")
        return there[0]
    if not path.is_file():
        raise OptionError(f"--compile-commands {named}: no such file or folder")
    return path
