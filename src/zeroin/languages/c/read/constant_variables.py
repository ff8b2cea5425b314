"""Finds the global variables that no code of a module changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..llvm_ir.ir import mentioned

_LOAD = re.compile(r"^\s+%\S+ = load (?!volatile |atomic )")
_STORED = re.compile(r"^(\s+store (?:volatile )?\S+ [^\s,]+), ptr .*$", re.M)  # a plain value
_PART = re.compile(r"^\s+(%\S+) = getelementptr ")
_DEFINITION = re.compile(r'^@("[^"]+"|[-\w$.]+) = ')
_LOCAL = re.compile(r'%(?:"[^"]*"|[-\w$.]+)')
_DEFINE = re.compile(r"^(?=define )", re.M)
_ASSEMBLY = re.compile(r"^module asm ", re.M)


def changed(text: str, variables: Iterable[str]) -> set[str]:
    """Return the variables that may change: all that the code does not only read.

    A variable whose address is stored or passed counts as changed. With assembly in the module, all variables do.

    Args:
        text: the IR of a module.
        variables: the names of the variables that it defines.
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
    """Return the variables whose addresses are used for more than loads and stores, so that other code may get them.

    The arguments are those of :func:`changed`.
    """
    return changed(_STORED.sub(r"\1", text), variables)


def _named(line: str, names: set[str]) -> set[str]:
    """Return the variables that a line mentions, without the one that it defines."""
    definition = _DEFINITION.match(line)
    rest = line[definition.end() :] if definition else line
    return names.intersection(mentioned(rest)) if "@" in rest else set()


def _parts(lines: Sequence[tuple[str, set[str]]]) -> dict[str, set[str]]:
    """Return the global variables into which each local address points; locals without one are left out.

    A local may be used in a line above the one that defines it.
    """
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
