"""The commands of an SMT-LIB script, found without reading what stands in them."""

from __future__ import annotations

import re

from ..errors import ZeroinError


class ScriptError(ZeroinError):
    """A script can not be read; says the line where the parser knows it."""


class UnsupportedTheory(ScriptError):
    """A script uses something that terms do not have; names it."""


_TOKEN = re.compile(r';[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()";|]+')
_SEVERAL = {"push", "pop", "check-sat-assuming", "reset", "reset-assertions"}
Command = tuple[str, int, int]  # its name, and where it starts and ends


def commands_of(text: str) -> list[Command]:
    """The commands at the top of a script."""
    found: list[Command] = []
    depth, start, name = 0, 0, ""
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark == "(":
            depth += 1
            if depth == 1:
                start, name = token.start(), ""
        elif mark == ")":
            depth -= 1
            if depth == 0:
                found.append((name, start, token.end()))
        elif depth == 1 and not name and mark[0] != ";":
            name = mark
    return found if depth <= 0 else [*found, (name, start, len(text))]  # the parser will say what is missing


def check(names: list[str]) -> None:
    """That the commands ask one thing.

    Raises:
        ScriptError: nothing, or more than one.
    """
    if not names:
        raise ScriptError("the script is empty; it needs an (assert ...) and a (check-sat)")
    several = [name for name in names if name in _SEVERAL]
    if several or names.count("check-sat") > 1:
        what = several[0] if several else "several check-sat"
        raise ScriptError(f"the script has {what}: only one query is solved; give a file with one (check-sat)")
    if "assert" not in names:
        raise ScriptError("the script asserts nothing: one query is solved, and there is none; add an (assert ...)")


def status(text: str, commands: list[Command]) -> str | None:
    """The answer that the script says it has."""
    for name, start, end in commands:
        found = name == "set-info" and re.search(r":status\s+(sat|unsat|unknown)\b", text[start:end])
        if found:
            return found[1]
    return None


def logic(text: str, commands: list[Command]) -> str | None:
    """The logic that the script names."""
    for name, start, end in commands:
        if name == "set-logic":
            return text[start + 1 : end - 1].split()[-1]
    return None


def complaint(said: str) -> str:
    """An error of z3's parser in one line."""
    found = re.search(r"line (\d+) column \d+: (.*?)\s*\"\)", said.replace("\n", " ").replace("\\n", " "))
    return f"line {found[1]}: {found[2]}" if found else f"the script does not parse: {' '.join(said.split())}"
