"""Emit code for the inline C++ functions of a source file, whether they are used or not.

By default Clang emits only the inline functions that are used. With ``-femit-all-decls`` it emits all, including those
in headers. This module removes what the source's own functions do not need.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from ..llvm_ir import ir
from ..llvm_ir.debug_info import DebugInfo

ALL = "-femit-all-decls"
ADAPTER = "adapter_"  # prefix of the file names of generated adapters
# Keywords without which a source defines no function that Clang would omit.
_MAY_BE_UNUSED = re.compile(rb"\b(?:inline|constexpr|class|struct|union|static)\b|\bnamespace\s*\{")
_THOUSANDS = re.compile(rb"^\s*#\s*include\s*<\w*intrin\.h>", re.M)  # headers with thousands of inline functions
_NAME = re.compile(r'(?:(?:define|declare)\b[^@]*)?[@$]("[^"]+"|[-\w$.]+)(?: = |\()')  # also the name of a COMDAT group
_MENTIONED = re.compile(r'[@$]("[^"]+"|[-\w$.]+)')
_LINKAGES = "linkonce|linkonce_odr|internal|private|available_externally|external|extern_weak"  # not needed by itself
_DISCARDABLE = re.compile(rf"declare\b|(?:define|@.+? =) (?:dso_local )?(?:{_LINKAGES}) ")
_NODE = re.compile(r"!\d+")
_LISTS = re.compile(r", (?:enums|retainedTypes|globals|imports|macros): !\d+")  # lists in a compile unit


def may_pass_over(source: bytes) -> bool:
    """Whether a source may define functions that Clang omits by default.

    False for sources with intrinsics headers, whose inline functions would take seconds to compile.
    """
    return bool(_MAY_BE_UNUSED.search(source)) and not _THOUSANDS.search(source)


def without_unneeded(text: str, path: Path) -> str:
    """Return the IR of a source without the symbols that are not needed.

    Needed are the source's own functions, externally visible symbols, and everything that these refer to.

    Args:
        text: the IR.
        path: the source. For a generated adapter, the functions of the source that it includes are needed as well.
    """
    from .symbols import own_functions  # imports LLVM, which a fully cached start avoids

    module, debug = ir.read(text), DebugInfo(text)
    own = {function.name for file in (path, *included(path)) for function in own_functions(module, debug, file)}
    parts = [_LISTS.sub("", part) if "!DICompileUnit(" in part else part for part in _parts(text.splitlines())]
    named = {name: part for part in parts if (name := _name(part)) and not part.startswith("$")}
    begin = [name for name, part in named.items() if name in own or not _DISCARDABLE.match(part)]
    kept = _reached(begin, {name: map(ir.bare, _MENTIONED.findall(part)) for name, part in named.items()})
    kept.add("")
    parts = [part for part in parts if _name(part) in kept]
    nodes = {match[0]: part for part in parts if (match := _NODE.match(part))}
    begin = [node for part in parts if not _NODE.match(part) for node in _NODE.findall(part)]
    described = _reached(begin, {node: _NODE.findall(part) for node, part in nodes.items()})
    return "".join(f"{part}\n" for part in parts if not (match := _NODE.match(part)) or match[0] in described)


def included(path: Path) -> list[Path]:
    """Return the source file that a generated adapter includes, as a list of one; empty for other files."""
    if not path.name.startswith(ADAPTER):
        return []
    with path.open(errors="surrogateescape") as file:
        return [Path(file.readline().partition('"')[2].rpartition('"')[0].replace('\\"', '"').replace("\\\\", "\\"))]


@cache
def _name(part: str) -> str:
    """Return the symbol that a part defines or declares; empty if it is something else."""
    match = _NAME.match(part)
    return ir.bare(match[1]) if match else ""


def _parts(lines: Iterable[str]) -> Iterator[str]:
    """Split IR into parts: each function definition is one, and each line between them."""
    function = list[str]()
    for line in lines:
        if function or line.startswith("define "):
            function.append(line)
        else:
            yield line
        if function and line == "}":
            yield "\n".join(function)
            function.clear()


def _reached(begin: Iterable[str], mentions: Mapping[str, Iterable[str]]) -> set[str]:
    """Return the names in ``begin``, and those that can be reached from them by mentions, directly or not."""
    found = set(begin)
    queue = list(found)
    while queue:
        new = set(mentions.get(queue.pop(), ())) - found
        found |= new
        queue += new
    return found
