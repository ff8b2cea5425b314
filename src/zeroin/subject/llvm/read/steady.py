"""Which variables no code of a module changes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..ir import bare, mentioned

_LOAD = re.compile(r"^\s+%\S+ = load (?!volatile |atomic )")
_PART = re.compile(r"^\s+(%\S+) = getelementptr ")
_DEFINITION = re.compile(r'^@("[^"]+"|[-\w$.]+) = ')
_LOCAL = re.compile(r'%(?:"[^"]*"|[-\w$.]+)')
_ASSEMBLY = re.compile(r"^module asm ", re.M)


def changed(text: str, variables: Iterable[str]) -> set[str]:
    """The variables that code may change, or others by an address of theirs that leaves: all that are not only read.

    Args:
        text: a module's.
        variables: names of all that are defined in it.
    """
    names = set(variables)
    if _ASSEMBLY.search(text):
        return names
    found, parts = set[str](), dict[str, set[str]]()
    for line in text.splitlines():
        if line.startswith("define"):
            parts = {}
        here = names.intersection(mentioned(line)) if "@" in line else set()
        definition = _DEFINITION.match(line)
        if definition:
            here -= {bare(definition[1])}
        part = _PART.match(line)
        for local in _LOCAL.findall(line) if parts else ():
            here |= parts.get(local, set())
        if part and here:
            parts[part[1]] = here
        elif not _LOAD.match(line):
            found |= here
    return found
