"""The commands of an SMT-LIB script, found without parsing their contents."""

from __future__ import annotations

import re

from ...errors import ZeroinError


class ScriptError(ZeroinError):
    """A script can not be read. The message gives the line if the parser reports it."""


class UnsupportedTheory(ScriptError):
    """A script uses a feature that terms do not have. The message names it."""


_TOKEN = re.compile(r';[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()";|]+')
_STATUS = re.compile(r":status\s+(sat|unsat|unknown)\b")
_SEVERAL = {"push", "pop", "check-sat-assuming", "reset", "reset-assertions"}
Command = tuple[str, int, int]  # the name, and the offsets of the start and the end in the text


def commands_of(text: str) -> list[Command]:
    """Return the top-level commands of a script, in order. If the last one is not closed, it ends with the text."""
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
    return found if depth <= 0 else [*found, (name, start, len(text))]  # unclosed: the parser reports it


def asked(commands: list[Command]) -> list[Command]:
    """Return the commands of the script's only query: all before its (check-sat) or (exit), whichever comes first.

    If there is neither, these are all commands.

    Raises:
        ScriptError: the script is empty, asserts nothing before the query, or has more than one query.
    """
    if not commands:
        raise ScriptError("the script is empty; it needs an (assert ...) and a (check-sat)")
    names = [name for name, _, _ in commands]
    end = names.index("exit") if "exit" in names else len(names)
    several = [name for name in names[:end] if name in _SEVERAL]
    if several or names[:end].count("check-sat") > 1:
        what = several[0] if several else "several check-sat"
        raise ScriptError(f"the script has {what}: only one query is solved; give a file with one (check-sat)")
    end = names.index("check-sat") if "check-sat" in names[:end] else end
    if "assert" not in names[:end]:
        late = " before its (check-sat) or (exit)" if "assert" in names else ""
        raise ScriptError(f"the script asserts nothing{late}: one query is solved; add an (assert ...)")
    return commands[:end]


def status(text: str, commands: list[Command]) -> str | None:
    """Return the answer in the script's ``:status``: "sat", "unsat" or "unknown"; None if there is none.

    Of several, the last one counts.
    """
    statements = [text[start:end] for name, start, end in commands if name == "set-info"]
    said = [found[1] for found in map(_STATUS.search, statements) if found]
    return said[-1] if said else None


def logic(text: str, commands: list[Command]) -> str | None:
    """Return the logic in the script's first ``set-logic``; None if there is none."""
    for name, start, end in commands:
        if name == "set-logic":
            return text[start + 1 : end - 1].split()[-1]
    return None


def complaint(said: str) -> str:
    """Return an error message of z3's parser as one line."""
    found = re.search(r"line (\d+) column \d+: (.*?)\s*\"\)", said.replace("\n", " ").replace("\\n", " "))
    return f"line {found[1]}: {found[2]}" if found else f"the script does not parse: {' '.join(said.split())}"
