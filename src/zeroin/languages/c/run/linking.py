"""Linking a subject with our own code and the files of ``--with``, which are made ready once, not once for each
function that is covered."""

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
Change = Callable[[ir.Module, DebugInfo], object]  # made to a module, in place

_STRONG = re.compile(r"^define (?!(?:dso_local )?(?:internal|private|weak|linkonce))(?:dso_local )?")


@dataclass(frozen=True)
class Others:
    """The files linked. They are not optimised: a subject reaches little of them, and the rest is removed first.

    Attributes:
        defined: the names that they define, as the source has them.
        bitcode: with the names that linking needs.
        key: says what they were made of.
    """

    defined: frozenset[str]
    bitcode: bytes
    key: str

    def module(self) -> llvm.ModuleRef:
        return llvm.parse_bitcode(self.bitcode)


def renaming(module: ir.Module, defined: Collection[str], prefix: str,
             allow: Collection[str]) -> Callable[[str], str | None]:  # fmt: skip
    """What is defined gets a prefix; what would end this process, or is not allowed, becomes our own function; what the
    module only perhaps needs, and nobody has, is null."""
    names: dict[str, str | None] = {**renamed(allow)}
    names |= {name: prefix + name for name in defined if not name.startswith("llvm.")}
    names |= {name: None for name in module.weak() if name not in names and not machine.has_symbol(name)}
    return lambda name: names.get(name, name)


def link_in(into: llvm.ModuleRef, module: llvm.ModuleRef, prefix: str, path: Path) -> None:
    """Add a module to another one, which uses it up.

    Raises:
        CompileError: they do not go together; says why.
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


def make_ready(texts: Sequence[str], entry: Collection[str], prefix: str, change: Change, path: Path,
               allow: Collection[str]) -> Others | None:  # fmt: skip
    """The others, from an earlier run if they were the same then; None if there are none.

    Args:
        texts: their IR.
        entry: the names that the subject's own file defines.
        prefix: of defined names.
        change: made to each of them.
        path: the subject, for messages.
        allow: what is not guarded.
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
    """Of what is made of this."""
    return hashlib.sha256(repr((state(), *what)).encode(errors="surrogateescape")).hexdigest()[:40]


def _foreign(texts: Sequence[str], digests: Sequence[str]) -> frozenset[str]:
    """The names that the files mention and do not define; of a subject's own names no other concerns them."""
    place = files.folder("code")

    def make() -> bytes:
        mentioned = {name for text in texts for name in ir.mentioned(text)}
        return json.dumps(sorted(mentioned.difference(*(ir.read(text).defined() for text in texts)))).encode()

    return frozenset(json.loads(files.kept(place and place / _key("foreign", digests), make) or b""))


def _make(texts: Sequence[str], entry: Collection[str], prefix: str, change: Change, path: Path,
          allow: Collection[str]) -> tuple[frozenset[str], llvm.ModuleRef]:  # fmt: skip
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
    """Functions from headers are inline; each file that includes one may have it."""
    source = next((m[1] for part in module.parts if isinstance(part, str) and (m := _SOURCE.match(part))), "")
    for function in module.functions.values():
        described = debug.fields(function.subprogram)
        file = debug.fields(described.get("file")).get("filename", "")
        if file and Path(file).name != Path(ir.unescaped(source)).name:
            function.header = _STRONG.sub("define linkonce_odr ", function.header)


@cache
def state() -> str:
    """Of what makes bitcode and machine code of text."""
    found = hashlib.sha256(repr(llvm.llvm_version_info).encode())
    for source in (Path(machine.__file__), *sorted(Path(__file__).parents[1].rglob("*.py"))):
        found.update(source.read_bytes())
    return found.hexdigest()


def text_of(module: ir.Module, others: Others | None, ours: str, prefix: str, allow: Collection[str]) -> str:
    """IR of the subject's own file, with the names that linking needs; ``ours`` is IR that we add to it."""
    defined = module.defined() | (others.defined if others else set())
    ir.strip_debug(module)
    return declare_ours(ir.rename(module.text(), renaming(module, defined, prefix, allow)) + ours)


def link(text: str, others: Others | None, prefix: str, path: Path, into: llvm.ModuleRef | None) -> llvm.ModuleRef:
    """The subject's own file, the others and, if there is one, the runtime as one module, in which only our own names
    are visible."""
    linked = parse(text, path)
    if into is not None:
        into.link_in(linked)
        linked = into
    if others is not None:
        link_in(linked, others.module(), prefix, path)
    hide(linked)
    return linked


def check_symbols(declared: Iterable[str], prefix: str, path: Path) -> None:
    """Everything is there that a subject refers to and does not define.

    Raises:
        MissingSymbol: it is not; says which file has it.
    """
    for name in sorted(declared):
        if name.startswith(("llvm.", "zeroin_")):
            continue
        if name.startswith(prefix) or not machine.has_symbol(name):
            raise missing(name.removeprefix(prefix), path)
