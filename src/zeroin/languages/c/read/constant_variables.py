"""Which variables no code of a module changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..llvm_ir.ir import bare, mentioned

_LOAD = re.compile(r"^\s+%\S+ = load (?!volatile |atomic )")
_STORED = re.compile(r"^(\s+store (?:volatile )?\S+ [^\s,]+), ptr .*$", re.M)  # a plain value
_PART = re.compile(r"^\s+(%\S+) = getelementptr ")
_DEFINITION = re.compile(r'^@("[^"]+"|[-\w$.]+) = ')
_LOCAL = re.compile(r'%(?:"[^"]*"|[-\w$.]+)')
_DEFINE = re.compile(r"^(?=define )", re.M)
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
    found = set[str]()
    for block in _DEFINE.split(text):  # what stands before the first function, and each function
        lines = [(line, _named(line, names)) for line in block.splitlines()]
        parts = _parts(lines)
        for line, here in lines:
            if not (_LOAD.match(line) or _PART.match(line)):
                found |= here.union(*(parts.get(local, ()) for local in _LOCAL.findall(line) if parts))
    return found


def leaving(text: str, variables: Iterable[str]) -> set[str]:
    """The variables whose addresses are more than places to read or write: others may come to have them."""
    return changed(_STORED.sub(r"\1", text), variables)


def _named(line: str, names: set[str]) -> set[str]:
    """The variables that a line names, but for one that it defines."""
    here = names.intersection(mentioned(line)) if "@" in line else set[str]()
    definition = _DEFINITION.match(line)
    return here - {bare(definition[1])} if definition else here


def _parts(lines: Sequence[tuple[str, set[str]]]) -> dict[str, set[str]]:
    """Of which variables the locals of a function are addresses of parts; one may be used above where it is made."""
    parts = {found[1]: (line, here) for line, here in lines if (found := _PART.match(line))}
    known = {local: here for local, (_, here) in parts.items() if here}
    grows = True
    while grows:
        grows = False
        for local, (line, here) in parts.items():
            of = here.union(*(known.get(other, ()) for other in _LOCAL.findall(line) if other != local))
            grows |= of != known.get(local, set())
            known[local] = of
    return {local: of for local, of in known.items() if of}
