"""Link a subject with our runtime and with the files of ``--with``.

These files are prepared once and kept in the cache, not prepared again for each function under test.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import llvmlite.binding as llvm

from .... import cache as files
from ....errors import CompileError
from ....native import machine
from ..front.symbols import declare_ours, hide, missing, parse, renamed
from ..llvm_ir import ir
from ..llvm_ir.debug_info import DebugInfo

_SOURCE = re.compile(r'source_filename = "(.*)"')
Change = Callable[[ir.Module, DebugInfo], object]  # changes a module in place

_STRONG = re.compile(r"^define (?!(?:dso_local )?(?:internal|private|weak|linkonce))(?:dso_local )?")


@dataclass(frozen=True)
class Others:
    """The files of ``--with``, linked with each other.

    They are not optimised: a subject uses little of them, and the rest is removed before optimisation.

    Attributes:
        defined: the names that they define, as in the source.
        bitcode: their code, with prefixed names.
        key: a digest of all that the code was made from.
    """

    defined: frozenset[str]
    bitcode: bytes
    key: str

    def module(self) -> llvm.ModuleRef:
        """Return the code as a new LLVM module."""
        return llvm.parse_bitcode(self.bitcode)


def renaming(module: ir.Module, defined: Collection[str], prefix: str,
             allow: Collection[str]) -> Callable[[str], str | None]:  # fmt: skip
    """Return a function from a symbol's name to its name for linking; None: the symbol's address is null.

    Weak symbols that are defined nowhere become null.

    Args:
        module: the module whose symbols are renamed.
        defined: names that the subject defines: they get the prefix.
        prefix: the prefix.
        allow: the kinds of calls that need no guard. Other dangerous calls, and those that would end the process, go to
            functions of the runtime.
    """
    names: dict[str, str | None] = {**renamed(allow)}
    names |= {name: prefix + name for name in defined if not name.startswith("llvm.")}
    names |= {name: None for name in module.weak() if name not in names and not machine.has_symbol(name)}
    return lambda name: names.get(name, name)


def link_in(into: llvm.ModuleRef, module: llvm.ModuleRef, prefix: str, path: Path) -> None:
    """Link a module into another one. ``module`` can not be used afterwards.

    Args:
        into: the module that gets the code.
        module: the module to link.
        prefix: the prefix of the subject's names, which messages leave out.
        path: the subject's file, for messages.

    Raises:
        CompileError: the modules can not be linked, for example because both define a name.
    """
    try:
        into.link_in(module)
    except RuntimeError as error:
        twice = re.search(r"globals named '(.+)': symbol multiply defined", str(error))
        if twice is None:
            raise CompileError(f"{path}: can not be linked with the files of --with: {error}") from error
        name = twice[1].removeprefix(prefix)
        raise CompileError(f"{path}: {name} is defined in more than one of the files: leave one out of --with, or make "
                           "it static") from error  # fmt: skip


def link_others(texts: Sequence[str], entry: Collection[str], prefix: str, change: Change, path: Path,
               allow: Collection[str]) -> Others | None:  # fmt: skip
    """Link the files of ``--with``, or load them from the cache if they have not changed; None if there are no files.

    Args:
        texts: the IR of the files.
        entry: the names that the subject's own file defines.
        prefix: the prefix for all defined names.
        change: changes the module of each file.
        path: the subject's file, for messages.
        allow: the kinds of calls that need no guard.

    Raises:
        CompileError: the files can not be linked.
    """
    if not texts:
        return None
    place = files.folder("code")
    digests = [hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest() for text in texts]
    used = sorted(_foreign(texts, digests).intersection(entry))
    key = _key(digests, used, prefix, change.__qualname__, sorted(allow))

    def make() -> bytes:
        defined, linked = _make(texts, used, prefix, change, path, allow)
        files.limit_code(place)
        return json.dumps(sorted(defined)).encode() + b"\n" + bytes(linked.as_bitcode())

    defined, _, bitcode = (files.kept(place and place / key, make) or b"").partition(b"\n")
    return Others(frozenset(json.loads(defined)), bitcode, key)


def _key(*what: object) -> str:
    """Return the key in the cache for a result that depends on these values and on :func:`state`."""
    return hashlib.sha256(repr((state(), *what)).encode(errors="surrogateescape")).hexdigest()[:40]


def _foreign(texts: Sequence[str], digests: Sequence[str]) -> frozenset[str]:
    """Return the names that some file mentions and none defines. Only these can refer to the subject's own file.

    Args:
        texts: the IR of the files.
        digests: a digest of each text, for the key in the cache.
    """
    place = files.folder("code")

    def make() -> bytes:
        mentioned = {name for text in texts for name in ir.mentioned(text)}
        return json.dumps(sorted(mentioned.difference(*(ir.read(text).defined() for text in texts)))).encode()

    return frozenset(json.loads(files.kept(place and place / _key("foreign", digests), make) or b""))


def _make(texts: Sequence[str], entry: Collection[str], prefix: str, change: Change, path: Path,
          allow: Collection[str]) -> tuple[frozenset[str], llvm.ModuleRef]:  # fmt: skip
    """Link the files of ``--with``. Return the names that they define, as in the source, and the linked module."""
    modules = [ir.read(text) for text in texts]
    defined = frozenset().union(*(module.defined() for module in modules))
    linked: llvm.ModuleRef | None = None
    for text, module in zip(texts, modules, strict=True):
        debug = DebugInfo(text)
        change(module, debug)
        _share_inlines(module, debug)
        ir.strip_debug(module)
        new = renaming(module, {*defined, *entry}, prefix, allow)
        parsed = parse(declare_ours(ir.rename(module.text(), new)), path)
        if linked is None:
            linked = parsed
        else:
            link_in(linked, parsed, prefix, path)
    assert linked is not None
    return defined, linked


def _share_inlines(module: ir.Module, debug: DebugInfo) -> None:
    """Mark functions that come from headers so that several files may define them, in place."""
    source = next((m[1] for part in module.parts if isinstance(part, str) and (m := _SOURCE.match(part))), "")
    for function in module.functions.values():
        described = debug.fields(function.subprogram)
        file = debug.fields(described.get("file")).get("filename", "")
        if file and Path(file).name != Path(ir.unescaped(source)).name:
            function.header = _STRONG.sub("define linkonce_odr ", function.header)


@cache
def state() -> str:
    """Return a digest of the code that turns IR into bitcode and machine code: LLVM and our sources.

    It is computed once per process.
    """
    found = hashlib.sha256(repr(llvm.llvm_version_info).encode())
    for source in (Path(machine.__file__), *sorted(Path(__file__).parents[1].rglob("*.py"))):
        found.update(source.read_bytes())
    return found.hexdigest()


def text_of(module: ir.Module, others: Others | None, ours: str, prefix: str, allow: Collection[str]) -> str:
    """Return the IR of the subject's own file, with its names changed for linking.

    Args:
        module: the module of the file. Its debug info is removed, in place.
        others: the files of ``--with``; None: there are none.
        ours: further IR to add. Its names do not change.
        prefix: the prefix for all defined names.
        allow: the kinds of calls that need no guard.
    """
    defined = module.defined() | (others.defined if others else set())
    ir.strip_debug(module)
    return declare_ours(ir.rename(module.text(), renaming(module, defined, prefix, allow)) + ours)


def link(text: str, others: Others | None, prefix: str, path: Path, into: llvm.ModuleRef | None) -> llvm.ModuleRef:
    """Link a subject's file, the files of ``--with`` and the runtime into one module that exports only zeroin's names.

    Args:
        text: the IR of the subject's file.
        others: the files of ``--with``; None: there are none.
        prefix: the prefix of the subject's names.
        path: the subject's file, for messages.
        into: the runtime's module, which changes and becomes the result; None: link without it.

    Raises:
        CompileError: the files can not be linked.
    """
    linked = parse(text, path)
    if into is not None:
        into.link_in(linked)
        linked = into
    if others is not None:
        link_in(linked, others.module(), prefix, path)
    hide(linked)
    return linked


def check_symbols(declared: Iterable[str], prefix: str, path: Path) -> None:
    """Check that every symbol that a subject declares is defined in this process.

    Args:
        declared: names that the linked subject refers to but does not define.
        prefix: the prefix of the subject's names.
        path: the subject's file, for messages.

    Raises:
        MissingSymbol: a symbol is defined nowhere; the message says which file may define it.
    """
    for name in sorted(declared):
        if name.startswith(("llvm.", "zeroin_")):
            continue
        if name.startswith(prefix) or not machine.has_symbol(name):
            raise missing(name.removeprefix(prefix), path)
