"""The plain function in several builds, as its users may make them. What they do not agree about rests on undefined
behaviour, says the language, and so does what the compiler's sanitizers do not let pass.

====================  ==========================================================================================
``-O2``               optimised as a release build
``-O0``               not optimised; variables and memory of the heap that nothing initialises hold a pattern, and so
                      does what was freed; then another pattern; then zeros, and what was freed stays as it was
sanitized, ``-O2``    compiled with the sanitizers and strict aliasing; such variables hold zeros, and a pattern when
                      their scope has ended; the heap is as with ``-O0``
====================  ==========================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import c_int64
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ....errors import CompileError, MissingSymbol
from ....subject.base import Replay, Termination, Words
from ..front import symbols
from ..front.adapters import adapted
from ..front.compile import IR_SUFFIXES, LIBCXX, compile_all
from ..front.parameters import CSignature
from ..llvm_ir import ir
from ..llvm_ir.control_flow import add_fuel
from ..llvm_ir.debug_info import DebugInfo
from ..options import LlvmOptions
from ..replay import CReplay
from .arrays import Arrays
from .copies import Copy
from .linking import Change
from .undefined_behaviour import add_checks, catch_traps

if TYPE_CHECKING:
    from .engine import LlvmSubject

OPTIMISED, UNOPTIMISED, SANITIZED = "-O2", "-O0", "-O2 with sanitizers"
PREFIXES = {OPTIMISED: "p.", UNOPTIMISED: "q.", SANITIZED: "z."}  # of the names that a build defines
ENTRIES = {OPTIMISED: "zeroin_call_plain", UNOPTIMISED: "zeroin_call_unoptimised", SANITIZED: "zeroin_call_sanitized"}

# How runs end that say nothing of other builds, as they take too much of something; and what the processor ends.
_SAYS_NOTHING = (Termination.HUNG, Termination.STACK, Termination.MEMORY, Termination.KILLED, Termination.BEYOND)
_CRASHED = (Termination.SEGV, Termination.FPE, Termination.ILL, Termination.HEAP)
_LOCAL = re.compile(r"\s+(%\S+) = alloca (.+?)(?:, align \d+)?(?:, !.*)?$")
_COUNTED = re.compile(r", i\d+ \S+$")  # a variable whose size is known when it runs
_SCOPE_ENDS = re.compile(r"\s+call void @llvm\.lifetime\.end\.p0\((?:i64 [^,]+, )?ptr (?:\w+ )*(%[^ )]+)\)")
_OF_PATTERN = "it depends on memory that nothing has initialised, or that is no longer there"
_KEEPS = 0x100  # heap.c knows it by that name
_PATTERNS = (0xAA, 0x55, _KEEPS)  # first no addresses, no small numbers, and of either sign
_PATTERN = "  %zu.pattern = load i8, ptr @zeroin_pattern"
_MEMSET = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"


@dataclass(frozen=True)
class Build:
    """A build that is loaded.

    Attributes:
        name: of it.
        address: of what calls it.
        pattern: a byte, of which variables of the stack and blocks of the heap are full at first, if it is not 0; and
            ``_KEEPS`` where what is freed stays as it was.
    """

    name: str
    address: int
    pattern: int = 0

    @contextmanager
    def called(self, address: c_int64, pattern: c_int64) -> Iterator[None]:
        """These cells say that runs are of this build, and then what they said before."""
        before = address.value, pattern.value
        address.value, pattern.value = self.address, self.pattern
        try:
            yield
        finally:
            address.value, pattern.value = before


def complete(texts: Sequence[str]) -> list[str]:
    """IR of files, with the library of C++ where that is needed, and no names that are ours."""
    library = compile_all([LIBCXX]) if symbols.needs_library(texts) else []
    return [symbols.apart_from_ours(text) for text in (*texts, *library)]


def sanitized(path: Path, function: str, options: LlvmOptions) -> list[str]:
    """IR of a subject's files with traps of the compiler's sanitizers; empty if that is not wanted, or if the compiler
    has none."""
    if not options.sanitized or path.suffix in IR_SUFFIXES:
        return []
    try:
        texts = compile_all([path, *options.others], options.cc, sanitized=True)
        return complete(adapted(path, function, texts, options, sanitized=True))
    except CompileError:
        return []


def left_out(path: Path, options: LlvmOptions, sanitized: Sequence[str], builds: Sequence[Build]) -> Iterator[str]:
    """A line for each build that is wanted, and in which inputs are not replayed.

    Args:
        sanitized: IR with traps; empty if there is none.
        builds: those that are loaded; none before anything is replayed.
    """
    if options.sanitized and not sanitized and path.suffix not in IR_SUFFIXES:
        yield "the compiler has no sanitizers for it: inputs were replayed in builds with -O0 and -O2 only"
    loaded = {build.name for build in builds}
    wanted = [UNOPTIMISED, *([SANITIZED] if sanitized else [])] if builds else []
    yield from (f"it can not be linked in a build with {name}: inputs were not replayed in it"
                for name in wanted if name not in loaded)  # fmt: skip


def for_search(module: ir.Module, debug: DebugInfo) -> None:
    """Have a file that is linked with a subject burn fuel, and end runs that do what is undefined."""
    add_checks(module, debug, described=True)
    ir.wrap(module)
    for function in module.functions.values():
        add_fuel(function)


def load(subject: LlvmSubject, texts: Sequence[str], sanitized: Sequence[str]) -> list[Build]:
    """Load the builds of a subject; without those that refer to what is defined nowhere, and the first one does not.

    Args:
        texts: IR of its files.
        sanitized: the same with traps; empty if there is none.
    """
    found = list[Build]()
    for name, copy in copies(subject, texts, sanitized).items():
        try:
            entry = subject.load_beside(copy)
        except MissingSymbol:
            if not found:
                raise
            continue
        patterns = {OPTIMISED: (0,), UNOPTIMISED: _PATTERNS, SANITIZED: _PATTERNS[:1]}[name]
        found += [Build(name, entry, pattern) for pattern in patterns]
    return found


def copies(subject: LlvmSubject, texts: Sequence[str], sanitized: Sequence[str]) -> dict[str, Copy]:
    """How each of the builds is made. The arguments are those of :func:`load`."""

    def made(its: Sequence[str], change: Change) -> ir.Module:
        module = subject.module(its)
        change(module, DebugInfo(its[0]))
        return module

    wanted = [
        (OPTIMISED, texts, leave, 2),
        (UNOPTIMISED, texts, fill_variables, 0),
        (SANITIZED, sanitized, catch_all, 2),
    ]
    return {name: Copy(PREFIXES[name], ENTRIES[name], its, partial(made, its, change), change, level)
            for name, its, change, level in wanted if its}  # fmt: skip


def leave(module: ir.Module, debug: DebugInfo) -> None:
    """Change nothing."""


def wrap(module: ir.Module, debug: DebugInfo) -> None:
    """Have signed integers wrap, as they do in what is searched."""
    ir.wrap(module)


def fill_variables(module: ir.Module, debug: DebugInfo) -> None:
    """Have variables of the stack be full of ``zeroin_pattern`` at first, in place."""
    for function in module.functions.values():
        lines = [_PATTERN]
        for line in function.blocks[0].lines:
            lines.append(line)
            if (match := _LOCAL.match(line)) and not _COUNTED.search(match[2]):
                lines.append(_filled(match[1], match[2]))
        function.blocks[0].lines[:] = lines
    _declare_memset(module)


def catch_all(module: ir.Module, debug: DebugInfo) -> None:
    """Catch traps, and have variables of the stack be full of a pattern where their scope ends, in place."""
    catch_traps(module, debug)
    for function in module.functions.values():
        locals_ = [match for line in function.blocks[0].lines if (match := _LOCAL.match(line))]
        types = {match[1]: match[2] for match in locals_ if not _COUNTED.search(match[2])}
        for block in function.blocks:
            for at, line in enumerate(block.lines):
                if (end := _SCOPE_ENDS.match(line)) and end[1] in types:
                    block.lines[at] = _filled(end[1], types[end[1]])
        function.blocks[0].lines.insert(0, _PATTERN)
    _declare_memset(module)


def _filled(variable: str, type_: str) -> str:
    size = f"ptrtoint (ptr getelementptr ({type_}, ptr null, i32 1) to i64)"
    return f"  call void @llvm.memset.p0.i64(ptr {variable}, i8 %zu.pattern, i64 {size}, i1 false)"


def _declare_memset(module: ir.Module) -> None:
    if not any(isinstance(part, str) and "@llvm.memset.p0.i64(" in part for part in module.parts):
        module.parts.append(_MEMSET)


def shown(signature: CSignature, words: Words, replay: Replay) -> str:
    """What a run returned and left, for people."""
    left = (f"{name} = {value}" for name, value in signature.show_left(words, replay).items())
    return ", ".join(filter(None, (signature.show_result(replay).strip(), *left)))


@dataclass(frozen=True)
class Surroundings:
    """What a run may depend on besides its input.

    Attributes:
        arrays: where lies what its pointers lead to.
        kinds: of surroundings that it may ask for, by number (:data:`zeroin.languages.c.front.symbols.SURROUNDINGS`).
        cell: says which of these are changed, a bit for each.
    """

    arrays: Arrays
    kinds: Mapping[int, str]
    cell: c_int64


def replayed(builds: Sequence[Build], run: Callable[[Build], CReplay], observe: Callable[[], CReplay],
             same: Callable[[CReplay, CReplay], bool], shown: Callable[[CReplay], str],
             around: Surroundings) -> CReplay:  # fmt: skip
    """What the first build does, that it is undefined, or what of its surroundings it depends on.

    Args:
        builds: those that are loaded.
        run: one of them.
        observe: what is searched.
        same: whether two do the same.
        shown: what one did, for people.
        around: what is changed in further runs.
    """
    again = partial(run, builds[0])
    found = _in_any_order(agreed(builds, run, observe, same, shown), around.arrays, again, same)
    return _elsewhere(found, around, again, same)


def agreed(builds: Sequence[Build], run: Callable[[Build], CReplay], observe: Callable[[], CReplay],
           same: Callable[[CReplay, CReplay], bool], shown: Callable[[CReplay], str]) -> CReplay:  # fmt: skip
    """What the first build does, or that it is undefined; see :func:`replayed`."""
    first = run(builds[0])
    if first.outcome in (*_SAYS_NOTHING, Termination.HEAP):  # memory was misused, whatever other builds do
        return first
    others = [(build, run(build)) for build in builds[1:]]
    differing = [
        (build, did) for build, did in others
        if did.outcome not in _SAYS_NOTHING and not {first.outcome, did.outcome} <= {*_CRASHED} and not same(first, did)
    ]  # fmt: skip
    if differing and first.outcome in _CRASHED:  # which says more
        return first
    if trapped := [did for _, did in differing if did.outcome is Termination.UNDEFINED]:
        return trapped[0]
    if not differing or not same(first, run(builds[0])):  # it depends on something else than the build
        return first
    patterned = [did for build, did in others if build.name == UNOPTIMISED]
    last, did = differing[-1]
    alike = all(same(patterned[0], one) for one in patterned[1:])
    if not alike or (last.name == SANITIZED and not same(did, run(replace(last, pattern=_PATTERNS[1])))):
        return CReplay(Termination.UNDEFINED, detail=_OF_PATTERN)
    if not same(first, observe()):  # on addresses, say
        return first
    build, did = differing[0]
    one, another = shown(first), shown(did)
    said = f"{one} in a build with {builds[0].name}, {another} in one with {build.name}"
    if one == another:
        said = f"what it leaves differs between builds with {builds[0].name} and {build.name}"
    return CReplay(Termination.UNDEFINED, detail=said)


def _in_any_order(found: CReplay, arrays: Arrays, run: Callable[[], CReplay],
                  same: Callable[[CReplay, CReplay], bool]) -> CReplay:  # fmt: skip
    """What a run did, or that it is undefined, as that depends on which of two objects comes first in memory."""
    if found.outcome is not Termination.RETURNED or len(arrays) < 2:
        return found
    with arrays.moved(turned=True):
        turned = run()
    with arrays.moved(turned=False):  # it may tell addresses
        moved = run()
    if same(found, turned) or not same(found, moved):
        return found
    return CReplay(Termination.UNDEFINED, detail="it depends on which of two objects comes first in memory")


def _elsewhere(found: CReplay, around: Surroundings, run: Callable[[], CReplay],
               same: Callable[[CReplay, CReplay], bool]) -> CReplay:  # fmt: skip
    """What a run did, and what of its surroundings that depends on: it is made again with one of them changed."""
    for number, what in around.kinds.items() if found.outcome is Termination.RETURNED else ():
        around.cell.value = 1 << number
        try:
            again = run()
        finally:
            around.cell.value = 0
        if not same(found, again):
            return replace(found, varies=what)
    return found
