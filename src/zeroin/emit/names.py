"""What a target's function is called: in a source file that includes it, and by the linker."""

from __future__ import annotations

from dataclasses import dataclass

from ..subject.base import Target
from ..subject.llvm import ir
from ..subject.llvm.compile import CXX_SUFFIXES, IR_SUFFIXES, compile_all
from ..subject.llvm.debuginfo import DebugInfo


@dataclass(frozen=True)
class EntryName:
    """``call`` is the qualified name in the source (``ns::f``), ``symbol`` the linker's (``_ZN2ns1fEd``)."""

    call: str
    symbol: str


def is_cxx(target: Target) -> bool:
    """Whether the target's own file is C++."""
    return target.path.suffix in CXX_SUFFIXES


def is_ir(target: Target) -> bool:
    """Whether the target's own file is LLVM IR."""
    return target.path.suffix in IR_SUFFIXES


def entry_name(target: Target) -> EntryName:
    """The names of the target's function. C needs no look at the file; C++ is compiled to see its scopes.

    Raises:
        TargetError, CompileError, MissingDependency: the file is gone, or does not compile any more.
    """
    if not is_cxx(target) and not is_ir(target):
        return EntryName(target.function, target.function)
    text = compile_all([target.path], target.cc)[0]
    debug = DebugInfo(text)
    for function in ir.read(text).functions.values():
        described = debug.fields(function.subprogram)
        if target.function in (function.name, described.get("name")):
            return EntryName(_qualified(debug, described) or function.name, function.name)
    return EntryName(target.function, target.function)


def _qualified(debug: DebugInfo, described: dict[str, str]) -> str:
    """``ns::S::g``; anonymous namespaces need no name, and a file has none."""
    parts = [described.get("name", "")]
    scope = debug.fields(described.get("scope"))
    while scope:
        if "filename" not in scope and scope.get("name"):
            parts.append(scope["name"])
        scope = debug.fields(scope.get("scope"))
    return "::".join(reversed(parts))
