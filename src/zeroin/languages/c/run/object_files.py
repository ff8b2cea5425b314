"""Subjects as object files, which are kept: what has not changed is neither optimised nor compiled again."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm

from .... import cache as files
from ....native import machine
from ..front.symbols import mutable_globals
from ..llvm_ir import ir
from .linking import Others, link, state
from .runtime_library import Runtime

_SOURCE = re.compile(r"^(?:; ModuleID|source_filename) = .*\n", re.M)  # has no meaning
_CONSTRUCTOR = re.compile(r'\{ i32 \d+, ptr @("[^"]*"|[\w$.]+)')


# What an object has of its own for each function that catches exceptions: of several objects with one name for it, LLVM
# takes the first one, which may lie too far away, and ends the process.
_SHARED = b"DW.ref."


@dataclass(frozen=True)
class Compiled:
    """A subject, linked and optimised.

    Attributes:
        code: object file.
        variables: those that runs write to, and how many bytes each takes.
        declared: names of all that it refers to and does not define.
        constructors: names of the functions to call once it is loaded, in order.
    """

    code: bytes
    variables: dict[str, int]
    declared: frozenset[str]
    constructors: tuple[str, ...]


def compiled(text: str, others: Others | None, runtime: Runtime | None, prefix: str, path: Path,
             level: int = 2) -> Compiled:  # fmt: skip
    """Made now, or by an earlier process of the same.

    Args:
        text: IR of the subject's own file and of what we add to it.
        others: the files that it is linked with.
        runtime: linked with it, too.
        prefix: of the names that it defines.
        path: the subject, for messages.
        level: of optimisation.

    Raises:
        CompileError: they do not go together.
    """
    place = files.folder("code")
    what = (state(), _SOURCE.sub("", text), others and others.key, runtime and runtime.key, prefix, level,
            *machine.host())  # fmt: skip
    kept = place and place / hashlib.sha256(repr(what).encode(errors="surrogateescape")).hexdigest()[:40]

    def make() -> bytes:
        made = _make(text, others, runtime, prefix, path, level)
        files.limit_code(place)
        record = {"variables": made.variables, "declared": sorted(made.declared), "constructors": made.constructors}
        return json.dumps(record).encode() + b"\n" + made.code

    head, _, code = (files.kept(kept, make) or b"").partition(b"\n")
    record = json.loads(head)
    return Compiled(code, record["variables"], frozenset(record["declared"]), tuple(record["constructors"]))


def _make(text: str, others: Others | None, runtime: Runtime | None, prefix: str, path: Path,
          level: int) -> Compiled:  # fmt: skip
    linked = link(text, others, prefix, path, runtime.module() if runtime else None)
    machine.optimise(linked, level)
    things = [*linked.functions, *linked.global_variables]
    declared = frozenset(thing.name for thing in things if thing.is_declaration)
    data = machine.target_machine().target_data
    variables = {name: int(data.get_abi_size(type_)) for name, type_ in mutable_globals(linked)}
    constructors = _constructors(linked)
    code = machine.object_file(linked).replace(_SHARED, _SHARED[:-2] + prefix[:1].encode() + _SHARED[-1:])
    return Compiled(code, variables, declared, constructors)


def _constructors(linked: llvm.ModuleRef) -> tuple[str, ...]:
    """The functions that LLVM would call when it has loaded the module; made visible so that they can be called."""
    table = next((str(v) for v in linked.global_variables if v.name == "llvm.global_ctors"), "")
    names = tuple(ir.bare(name) for name in _CONSTRUCTOR.findall(table))
    for name in names:
        linked.get_function(name).linkage = "external"
    return names
