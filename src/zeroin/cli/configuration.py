"""The configuration file: ``zeroin.toml``, or the table ``[tool.zeroin]`` of ``pyproject.toml``.

Its keys are the long names of command line options. The command line overrides a table for single targets, which
overrides the values for all targets.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import OptionError
from ..user_objects import absolute
from .target_patterns import FindingPattern, TargetPattern

OWN, SHARED = "zeroin.toml", "pyproject.toml"
_TARGET, _ALLOW = "target", "allow-findings"
# Not allowed in a configuration: options that select it, or state the goal of one request.
_NEVER = ("help", "version", "config", "no-config", "line", "branch", "path")
# Not allowed in a table for single targets, like all options of the group "the result".
_OF_ALL = ("jobs", "exclude", "compile-commands", "resume")
_PATHS = ("out", "with", "compile-commands", "baseline", "html")
_NO_PATH = ("-", "none")
_OWN_OBJECTS = ("objective", "minimizer")
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)$")

Actions = dict[str, argparse.Action]


@dataclass(frozen=True)
class Configuration:
    """The content of a configuration. Options have the names of the parsed command line's attributes.

    Values have the types that argparse gives them. Relative paths are rewritten for the current folder.

    Attributes:
        path: the file; empty if there is none.
        values: options for all targets; an option that the file does not set is missing.
        tables: options for single targets: a pattern of targets and the values, in the order of the file. If several
            patterns match a target, the last one that sets an option counts.
        allowed: findings that are known and do not count.
        keys: for each key in the file, the name of the attribute.
    """

    path: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    tables: tuple[tuple[TargetPattern, dict[str, object]], ...] = ()
    allowed: tuple[FindingPattern, ...] = ()
    keys: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CommandLine:
    """The command line, completed with the configuration.

    Attributes:
        parsed: the value of each option. Nothing changes it.
        given: names of the attributes that the command line itself sets.
        configuration: the configuration; one without content if there is none.
    """

    parsed: argparse.Namespace
    given: frozenset[str] = frozenset()
    configuration: Configuration = Configuration()

    def blames(self, error: OptionError) -> OptionError:
        """Return a copy of the error, with a hint to the configuration if that set an option named in the message.

        The error itself is returned if the configuration did not set any.
        """
        keys = self.configuration.keys
        named = dict.fromkeys(re.findall(r"--([\w-]+)", str(error)))
        its = [key for key in named if key in keys and keys[key] not in self.given]
        return OptionError(f"{error} ({self.configuration.path} says {', '.join(its)})") if its else error


def configured(parsed: argparse.Namespace, given: Set[str],
               commands: Mapping[str, argparse.ArgumentParser]) -> CommandLine:  # fmt: skip
    """Return a parsed command line, completed with the values of the configuration.

    A value of the command line wins, except that reports of both are written. Options that the command does not have
    are left out.

    Args:
        parsed: the command line; it is not changed.
        given: names of the attributes that the command line sets.
        commands: the parsers of all commands that use a configuration, by name.

    Raises:
        OptionError: the configuration can not be read, is invalid, or starts a program without being trusted; the
            message names the file.
    """
    path = place_of(parsed.config, parsed.no_config)
    found = Configuration() if path is None else _read(path, commands)
    if "cc" not in given and (said := [values["cc"] for values in _all_values(found) if "cc" in values]):
        from .trusted import refuse_programs

        refuse_programs(found.path, said)
    values = vars(parsed)
    added = {name: value for name, value in found.values.items() if name not in given and name in values}
    if "reports" in found.values and "reports" in values:
        added["reports"] = list({**dict(found.values["reports"]), **dict(parsed.reports)}.items())
    return CommandLine(argparse.Namespace(**{**values, **added}), frozenset(given), found)


def _all_values(found: Configuration) -> list[dict[str, Any]]:
    """Return the values for all targets, followed by those of each table."""
    return [found.values, *(values for _, values in found.tables)]


def says_of_compilers(path: Path, commands: Mapping[str, argparse.ArgumentParser]) -> list[str]:
    """Return the values of ``cc`` in a configuration, for all targets and for single ones: flags as a shell's words.

    Raises:
        OptionError: the configuration can not be read or is invalid.
    """
    return [values["cc"] for values in _all_values(_read(path, commands)) if "cc" in values]


def place_of(given: str | None, no_config: bool) -> Path | None:
    """Return the path of the configuration to use; None if there is none.

    Args:
        given: the path on the command line; None: the nearest configuration, from the current folder upwards.
        no_config: use none.

    Raises:
        OptionError: the given file does not exist, or a ``pyproject.toml`` on the way can not be read, or is no TOML
            although it mentions zeroin.
    """
    if no_config:
        return None
    if given is not None:
        path = Path(given)
        if not path.is_file():
            raise OptionError(f"--config {given}: no such file")
        return path
    for folder in (Path(), *Path.cwd().parents):
        if (folder / OWN).is_file():
            return folder / OWN
        if (folder / SHARED).is_file() and "zeroin" in _tables(folder / SHARED, b"zeroin").get("tool", {}):
            return folder / SHARED
    return None


def _tables(path: Path, needed: bytes = b"") -> dict[str, Any]:
    """Return the content of a TOML file; an empty dictionary if the file does not contain the needed text.

    Raises:
        OptionError: it can not be read, or is no valid TOML.
    """
    try:
        content = path.read_bytes()
        if needed not in content:
            return {}
        import tomllib  # slow import, rarely needed

        return tomllib.loads(content.decode())
    except OSError as error:
        raise OptionError(f"{path}: can not be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise OptionError(f"{path}:{line}: is not UTF-8; save the file as UTF-8") from error
    except ValueError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else content.count(b"\n") + 1
        column = f", column {place[2]}" if place and place[2] else ""
        said = _PLACE.sub("", str(error))
        raise OptionError(f"{path}:{line}: is not TOML: {said}{column}; fix it, or use --no-config") from error


def _read(path: Path, commands: Mapping[str, argparse.ArgumentParser]) -> Configuration:
    """Read a configuration, and check its keys and the types of its values.

    Raises:
        OptionError: it can not be read or is invalid.
    """
    said = _tables(path)
    if path.name == SHARED:
        said = said.get("tool", {}).get("zeroin")
        if said is None:
            raise OptionError(f"{path}: has no table [tool.zeroin]")
    if not isinstance(said, dict):
        raise OptionError(f"{path}: [tool.zeroin] must be a table")
    known = actions_of(commands)
    own = {key: action for key, action in known.items() if key not in _OF_ALL and not _of_the_result(action)}
    tables, allowed = said.get(_TARGET, {}), said.get(_ALLOW, [])
    if not isinstance(tables, dict) or not all(isinstance(table, dict) for table in tables.values()):
        raise OptionError(f'{path}: {_TARGET}: give tables of targets, such as [{_TARGET}."src/pid.c:step"]')
    if not isinstance(allowed, list) or not all(isinstance(text, str) for text in allowed):
        raise OptionError(f'{path}: {_ALLOW}: give strings, such as ["src/pid.c:step: crash"], not {_toml(allowed)}')
    here = path.parent
    rest = {key: value for key, value in said.items() if key not in (_TARGET, _ALLOW)}
    keys = dict.fromkeys([*rest, *(key for table in tables.values() for key in table)])
    return Configuration(
        str(path), _values(rest, known, [_TARGET, _ALLOW], f"{path}: ", here),
        tuple((TargetPattern.of(text, here), _values(table, own, [], f'{path}: {_TARGET} "{text}": ', here))
              for text, table in tables.items()),
        tuple(FindingPattern.of(text, here, f"{path}: {_ALLOW}") for text in allowed),
        {key: known[key].dest for key in keys if key in known},
    )  # fmt: skip


def actions_of(commands: Mapping[str, argparse.ArgumentParser]) -> Actions:
    """Return the options that a configuration may set, by their long names without ``--``.

    Of options with the same name, that of the last command counts.
    """
    found: Actions = {}
    for command in commands.values():
        for action in command._actions:
            names = [name[2:] for name in action.option_strings if name.startswith("--")]
            found |= {name: action for name in names if name not in _NEVER}
    return found


def _of_the_result(action: argparse.Action) -> bool:
    """Whether an option belongs to the group "the result" of the help text."""
    return getattr(getattr(action, "container", None), "title", "") == "the result"


def _values(
    said: Mapping[str, object], known: Actions, others: Sequence[str], where: str, folder: Path
) -> dict[str, object]:
    """Return the values of a table, by the names of the parsed command line's attributes.

    Relative paths, which start at the configuration's folder, are rewritten for the current folder.

    Args:
        said: the table.
        known: the allowed options.
        others: keys that are allowed but must not be in ``said``; an error message may suggest them.
        where: the beginning of error messages.
        folder: the folder of the configuration.

    Raises:
        OptionError: a key is not in ``known``, or its value is invalid.
    """
    values: dict[str, Any] = {}
    for key, value in said.items():
        if key not in known:
            raise OptionError(f"{where}unknown key {key!r}{_instead(key, [*known, *others])}")
        action = known[key]
        one = _value(key, action, value, f"{where}{key}: ", folder)
        values[action.dest] = (
            [*values[action.dest], *one] if action.dest == "reports" and values.get("reports") else one
        )
    return values


def _instead(key: str, known: Sequence[str]) -> str:
    """Return the end of a message about an unknown key: the most similar known key, or all of them if none is."""
    near = difflib.get_close_matches(key.lower().replace("_", "-"), known, 1, 0.5)
    return f"; did you mean {near[0]}?" if near else f"; there are {', '.join(sorted(known))}"


def _value(key: str, action: argparse.Action, value: object, where: str, folder: Path) -> Any:
    """Return the value of a key as argparse would store it.

    Raises:
        OptionError: the value is invalid.
    """
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise OptionError(f"{where}give true or false, not {_toml(value)}")
        return action.const if value else action.default
    if key == "cc" and isinstance(value, list) and all(isinstance(word, str) for word in value):
        value = shlex.join(value)
    if isinstance(action, argparse._AppendAction):
        several = value if isinstance(value, list) else [value]
        return [_one(key, action, each, where, folder, "a string, or a list of strings") for each in several]
    return _one(key, action, value, where, folder, "a string")


def _one(key: str, action: argparse.Action, value: Any, where: str, folder: Path, texts: str) -> object:
    """Return a single value, converted as argparse would. A path is rewritten for the current folder.

    Raises:
        OptionError: the value has the wrong type or is no valid choice. ``texts`` says what to give instead.
    """
    numbers = {int: (int, "a whole number"), float: ((int, float), "a number")}
    kind, what = numbers.get(action.type, (str, texts))  # type: ignore[call-overload]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise OptionError(f"{where}give {what}, not {_toml(value)}")
    if action.choices is not None and value not in action.choices:
        raise OptionError(f"{where}choose from {', '.join(map(str, action.choices))}, not {_toml(value)}")
    if key == "cc":
        value = _flags(value, where, folder)
    elif (key in _PATHS or action.dest == "reports") and value not in _NO_PATH:
        value = os.path.relpath(folder / value) if folder != Path() else value
    elif key in _OWN_OBJECTS:
        value = absolute(value, folder)
    return action.type(value) if callable(action.type) else value


def _flags(text: str, where: str, folder: Path) -> str:
    """Return the flags of a compiler, with include paths relative to ``folder`` rewritten for the current folder.

    Args:
        text: the flags, with quotes as in a shell. So is the result.
        where: the beginning of an error message.
        folder: the folder of the configuration file.

    Raises:
        OptionError: the quotes in the text do not match.
    """
    from ..languages.c.front.compile_commands import from_here

    try:
        return shlex.join(from_here(shlex.split(text), folder))
    except ValueError as error:
        raise OptionError(f"{where}{error}") from error


def _toml(value: object) -> str:
    """Return a value in TOML's notation, for messages; ``a table`` for a table."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else "a table" if isinstance(value, dict) else str(value)
