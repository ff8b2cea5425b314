"""The commands of an SMT-LIB script, found without parsing their contents."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...errors import ZeroinError


class ScriptError(ZeroinError):
    """A script can not be read. The message gives the line if the parser reports it."""


class UnsupportedTheory(ScriptError):
    """A script uses a feature that terms do not have. The message names it."""


_TOKEN = re.compile(r';[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()";|]+')
_STATUS = re.compile(r":status\s+(sat|unsat|unknown)\b")
_LEVELS = re.compile(r"\(\s*\w+\s+(\d+)")
_GLOBAL = re.compile(r":global-declarations\s+(true|false)")
_ASSUMED = re.compile(r"\(\s*check-sat-assuming\b")
_OPTIMISATION = {"assert-soft", "minimize", "maximize"}
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


@dataclass(frozen=True)
class Check:
    """One query of a script.

    Attributes:
        text: the script with only the commands that hold at the query; all others are blank, so lines keep their
            numbers.
        status: the answer that the script states for it (``:status``): "sat", "unsat" or "unknown"; None if there is
            none. Of several since the query before, the last one counts.
        logic: the logic in ``set-logic``; None if there is none.
    """

    text: str
    status: str | None
    logic: str | None


def checks(text: str) -> list[Check]:
    """Return the queries of a script in order: one for each (check-sat) and (check-sat-assuming ...).

    If there is neither, all commands up to (exit) are the only query. What stands after the last query is not read.

    Raises:
        ScriptError: the script is empty, asserts nothing before its last query, or has more (pop) than (push).
        UnsupportedTheory: it has soft constraints or an objective.
    """
    commands = commands_of(text)
    if not commands:
        raise ScriptError("the script is empty; it needs an (assert ...) and a (check-sat)")
    names = [name for name, _, _ in commands]
    end = names.index("exit") if "exit" in names else len(names)
    scope, found = _Scope(text if end == len(names) else text[: commands[end][1]]), list[Check]()
    for command in commands[:end]:
        if command[0] in ("check-sat", "check-sat-assuming"):
            found.append(scope.check(command))
        else:
            scope.execute(command)
    found = found or [scope.check()]
    if not scope.asserted:
        late = " before its (check-sat) or (exit)" if "assert" in names else ""
        raise ScriptError(f"the script asserts nothing{late}: add an (assert ...)")
    return found


class _Scope:
    """The commands that hold at a place of a script: (push), (pop) and (reset) change them.

    Attributes:
        asserted: whether there was an assertion before the last query.
    """

    def __init__(self, text: str) -> None:
        self.asserted = False
        self._text = text
        self._seen: list[Command] = []
        self._asserts = False
        self._levels: list[list[Command]] = [[]]
        self._for_good: list[Command] = []  # the logic, and declarations that (pop) does not remove
        self._are_global = False
        self._status: str | None = None
        self._logic: str | None = None

    def execute(self, command: Command) -> None:
        """Execute a command that is no query. Commands without a meaning for queries do nothing.

        Raises:
            ScriptError: there are fewer levels than it removes.
            UnsupportedTheory: it states an objective.
        """
        name, start, end = command
        own = self._text[start:end]
        self._seen.append(command)
        if name in _OPTIMISATION:
            raise UnsupportedTheory(f"line {self._line(start)}: {name} is not supported; only (assert ...) counts")
        if name == "set-info":
            self._status = said[1] if (said := _STATUS.search(own)) else self._status
        elif name == "set-option":
            self._are_global = said[1] == "true" if (said := _GLOBAL.search(own)) else self._are_global
        elif name == "set-logic":
            self._logic = own[1:-1].split()[-1]
            self._for_good.append(command)
        elif name == "reset":
            self._levels, self._for_good, self._are_global = [[]], [], False
            self._logic = self._status = None
        elif name == "reset-assertions":
            self._levels = [[]]
        elif name in ("push", "pop"):
            self._change_levels(name, own, start)
        elif name.startswith(("declare-", "define-")):
            (self._for_good if self._are_global else self._levels[-1]).append(command)
        elif name == "assert":
            self._levels[-1].append(command)
            self._asserts = True

    def check(self, command: Command | None = None) -> Check:
        """Return the query that a command asks; None: the query at this place."""
        kept = {*self._for_good, *(one for level in self._levels for one in level)}
        shown = list(self._text[: command[1] if command is not None else len(self._text)])
        for other in self._seen:
            _, start, end = other
            if other not in kept:
                shown[start:end] = [c if c == "\n" else " " for c in self._text[start:end]]
        if command is not None:
            _, start, end = command
            self._seen.append(command)
            if command[0] == "check-sat-assuming":
                shown.append(_as_assertion(self._text[start:end]))
                self._asserts = True
        self.asserted = self.asserted or self._asserts
        status, self._status = self._status, None
        return Check("".join(shown), status, self._logic)

    def _change_levels(self, name: str, own: str, start: int) -> None:
        """Add or remove levels of assertions.

        Raises:
            ScriptError: there are fewer levels than it removes.
        """
        said = _LEVELS.match(own)
        count = int(said[1]) if said else 1
        if name == "push":
            self._levels += [[] for _ in range(count)]
        elif count >= len(self._levels):
            raise ScriptError(f"line {self._line(start)}: (pop {count}) without as many (push)")
        elif count:
            del self._levels[-count:]

    def _line(self, place: int) -> int:
        return self._text.count("\n", 0, place) + 1


def _as_assertion(command: str) -> str:
    """Return an assertion of the literals in ``(check-sat-assuming (...))``, with as many lines."""
    inside = _ASSUMED.sub("", command, count=1).strip()[:-1].strip()
    literals = inside.removeprefix("(")
    return f"(assert (and true {literals})" if literals.strip(") ") else ""


def complaint(said: str) -> str:
    """Return an error message of z3's parser as one line."""
    found = re.search(r"line (\d+) column \d+: (.*?)\s*\"\)", said.replace("\n", " ").replace("\\n", " "))
    return f"line {found[1]}: {found[2]}" if found else f"the script does not parse: {' '.join(said.split())}"
