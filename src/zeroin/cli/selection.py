"""The targets that the command line selects, each with its own options."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..config import Options
from ..errors import OptionError
from ..languages.c.front.compile_databases import CompileDatabases
from ..languages.registry import LANGUAGES
from ..subject.base import Target
from ..subject.language import Skipped
from ..worker.locations import Location
from ..worker.parent import targets_of
from ..worker.worker import Worker
from .configuration import CommandLine
from .options import read_options

_SPEC_OF_ONE = re.compile(r"(.*[^:]):(\w+=.*)")  # f:xs=8,n
_TYPES_OF_ONE = re.compile(r"(\S.*?):\s+(\*{0,2}\w+\s*:.*)", re.DOTALL)  # f: x: float
_CONDITION_OF_ONE = re.compile(r"\s*([^\s=!,()\[\]]+?)\s*(?<!:):(?!:)\s*([^:]*)", re.DOTALL)  # f: x > 0
_OF_ONE = {"arrays": ("--array", _SPEC_OF_ONE), "strings": ("--string", _SPEC_OF_ONE),
           "types": ("--types", _TYPES_OF_ONE), "assume": ("--assume", _CONDITION_OF_ONE)}  # fmt: skip


@dataclass(frozen=True)
class Selection:
    """The selected targets.

    Attributes:
        options: the options of each target, in the order of the command line. A target that is selected several times
            occurs once.
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


def select_targets(particular: TargetOptions, locations: Sequence[Location], worker: Worker) -> Selection:
    """Find the targets of a request.

    Args:
        particular: the options of each target.
        locations: the files, folders, modules and functions that the command line names.
        worker: the worker in which files are compiled and modules imported.

    Raises:
        ZeroinError: a target is not found, or an option is invalid; the message says what to do.
    """
    options, skipped, named = dict[Target, Options](), list[Skipped](), set[Target]()
    groups = {one: targets_of(one, particular.common, worker, particular.of_file) for one in locations}
    several = len({target for found in groups.values() for target in found.targets}) > 1
    for location, found in groups.items():
        skipped += found.skipped
        for target in found.targets:
            own = replace(particular.of(target, several), link=location.is_folder)
            target = LANGUAGES[target.language].with_options(target, own)
            options[target] = own
            if location.function is not None:
                named.add(target)
    particular.check(list(options), named)
    particular.databases.tell()
    return Selection(options, skipped, named)


class TargetOptions:
    """The options of each target.

    Per-target options override global ones; the command line overrides the configuration.

    Args:
        line: the command line.
        note: called with each line for the user.

    Attributes:
        databases: the compile databases.
        common: the options without those of single targets.

    Raises:
        OptionError: an option is invalid, or the compile database that the user named can not be read.
    """

    def __init__(self, line: CommandLine, note: Callable[[str], None]) -> None:
        self._line, self._note, values = line, note, vars(line.parsed)
        self.databases = CompileDatabases(values["compile_commands"], note)
        self._of_one = {name: _of_one(values[name], pattern) for name, (_, pattern) in _OF_ONE.items()}
        self.common = self._read(None)

    def of_file(self, file: Path) -> Options:
        """Return the options for finding the targets of a file: :attr:`common`, with its flags from the databases."""
        return self.databases.applied(self.common, file)

    def of(self, target: Target, several: bool) -> Options:
        """Return the options of a target.

        Args:
            target: the target.
            several: whether there are several targets. Then a precondition or an expected end for all targets that does
                not fit this one is only noted.

        Raises:
            OptionError: an option for this target is invalid.
        """
        return self.databases.applied(self._read(target, several), target.path)

    def check(self, targets: Sequence[Target], named: Collection[Target]) -> None:
        """Check that all options for single functions name a target.

        If a configuration names a function that its file lacks, the user gets a note only.

        Args:
            targets: all selected targets.
            named: those that the user named one by one. The note needs a target that is not among them.

        Raises:
            OptionError: no target has the name; the message lists similar names.
        """
        for name, (option, _) in _OF_ONE.items():
            for function, text in self._of_one[name] if name in self._line.given else ():
                if function and not any(is_called(target, function) for target in targets):
                    names = [target.function for target in targets]
                    near = difflib.get_close_matches(function.rpartition(":")[2], names, 3) or names[:3]
                    sign = ": " if name in ("types", "assume") else ":"
                    raise OptionError(f"{option} {function}{sign}{text.strip()}: no target is called {function}; there "
                                      f"{'is' if len(near) == 1 else 'are'} {', '.join(near)}")  # fmt: skip
        for meant, _ in self._line.configuration.tables:
            whole = [target for target in targets if target not in named]
            if any(map(meant.is_in, whole)) and not any(map(meant.is_of, targets)):
                self._note(f'the configuration\'s target "{meant.text}" matches no target')

    def _read(self, target: Target | None, several: bool = False) -> Options:
        """Return the options of a target; those for all targets if it is None."""
        line, own = self._line, dict[str, Any]()
        for meant, values in line.configuration.tables if target else ():
            if target is not None and meant.is_of(target):
                own |= {name: value for name, value in values.items() if name not in line.given}
        shared = list[str]()
        for name, given in self._of_one.items():
            alone = [text for function, text in given if function and target and is_called(target, function)]
            of_all = [text for function, text in given if not function]
            if name == "assume":  # preconditions add up instead of overriding each other
                alone = [*own.get(name, of_all), *alone]
                shared = of_all if several or name not in line.given else []
            own[name] = alone or own.get(name, of_all)
            if name == "types" and alone:
                own[name] = [", ".join(alone)]
        if own["assume"]:
            from ..subject.preconditions import parsed  # slow import, rarely needed

            parsed(own["assume"])  # invalid conditions are reported now
        options = read_options(argparse.Namespace(**{**vars(line.parsed), **own}))
        for_all = "expect" not in own and (several or "expect" not in line.given)
        return replace(options, shared=(*shared, *(options.expect if for_all else ())))


def _of_one(texts: Sequence[str], pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    """Split each text into the name of its function, empty if it concerns all functions, and the rest."""
    found = [(text, pattern.fullmatch(text)) for text in texts]
    return [(one[1], one[2]) if one else ("", text) for text, one in found]


def is_called(target: Target, name: str) -> bool:
    """Return whether a name denotes this target: by its function or by its full text."""
    return name in (target.function, target.text)
