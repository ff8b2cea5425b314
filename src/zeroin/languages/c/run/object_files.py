"""Compile subjects to object files and keep them in the cache: unchanged code is not compiled again."""

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

_SOURCE = re.compile(r"^(?:; ModuleID|source_filename) = .*\n", re.M)  # names that do not influence the code
_CONSTRUCTOR = re.compile(r'\{ i32 \d+, ptr @("[^"]*"|[\w$.]+)')


# The names of an object file's references to the functions that handle exceptions. If several object files share such a
# name, LLVM uses the first one, which may be too far away, and then ends the process. So each file gets its own names.
_SHARED = b"DW.ref."


@dataclass(frozen=True)
class Compiled:
    """A linked, optimised and compiled subject.

    Attributes:
        code: the object file.
        variables: the names of the variables that runs may write, and their sizes in bytes.
        declared: names of symbols that the code refers to but does not define.
        constructors: names of the functions to call after loading, in order.
    """

    code: bytes
    variables: dict[str, int]
    declared: frozenset[str]
    constructors: tuple[str, ...]


def compiled(text: str, others: Others | None, runtime: Runtime | None, prefix: str, path: Path,
             level: int = 2) -> Compiled:  # fmt: skip
    """Compile a subject, or load its object file from the cache.

    Args:
        text: the IR of the subject's own file, and of the code that we add to it.
        others: the files of ``--with``; None: there are none.
        runtime: the runtime to link in; None: link without it.
        prefix: the prefix of the names that the subject defines.
        path: the subject's file, for messages.
        level: the optimisation level, as in ``-O2``.

    Raises:
        CompileError: the files can not be linked.
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
    """Link, optimise and compile a subject. The arguments are those of :func:`compiled`."""
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
    """Return the names of the module's constructors, and export them so that we can call them.

    They are in the order of LLVM's table of constructors; their priorities are ignored.
    """
    table = next((str(v) for v in linked.global_variables if v.name == "llvm.global_ctors"), "")
    names = tuple(ir.bare(name) for name in _CONSTRUCTOR.findall(table))
    for name in names:
        linked.get_function(name).linkage = "external"
    return names
