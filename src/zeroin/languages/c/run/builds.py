"""Replay an input in several builds of the plain function, to detect undefined behaviour.

Builds of a correct program agree. If they do not, or if a sanitizer of the compiler stops the run, the input causes
undefined behaviour.

====================  ==========================================================================================
``-O2``               Optimised as a release build.
``-O0``               Not optimised. Replayed three times: uninitialised variables and heap blocks, and freed blocks,
                      hold a pattern; then another pattern; then zeros, while freed blocks keep their content.
sanitized, ``-O2``    Compiled with the sanitizers and strict aliasing. Uninitialised variables hold zeros, and a
                      pattern after the end of their scope. The heap holds the first pattern of ``-O0``.
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

# Terminations that say nothing about other builds, since the run used too much of a resource; and crashes.
_SAYS_NOTHING = (Termination.HUNG, Termination.STACK, Termination.MEMORY, Termination.KILLED, Termination.BEYOND)
_CRASHED = (Termination.SEGV, Termination.FPE, Termination.ILL, Termination.HEAP)
_LOCAL = re.compile(r"\s+(%\S+) = alloca (.+?)(?:, align \d+)?(?:, !.*)?$")
_COUNTED = re.compile(r", i\d+ \S+$")  # a variable whose size is known only at run time
_SCOPE_ENDS = re.compile(r"\s+call void @llvm\.lifetime\.end\.p0\((?:i64 [^,]+, )?ptr (?:\w+ )*(%[^ )]+)\)")
_OF_PATTERN = "it depends on memory that nothing has initialised, or that is no longer there"
_KEEPS = 0x100  # a flag beside the pattern's byte: freed blocks keep their content (KEEPS in heap.c)
_PATTERNS = (0xAA, 0x55, _KEEPS)  # the first two make no addresses and no small numbers; one is negative, one positive
_PATTERN = "  %zu.pattern = load i8, ptr @zeroin_pattern"
_MEMSET = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"


@dataclass(frozen=True)
class Build:
    """A build of the plain function that is loaded.

    Attributes:
        name: how messages call it, such as ``-O2``.
        address: the address of the function that calls it with words.
        pattern: the byte that fills uninitialised variables and heap blocks; 0: no pattern. With ``_KEEPS`` added,
            freed blocks keep their content.
    """

    name: str
    address: int
    pattern: int = 0

    @contextmanager
    def called(self, address: c_int64, pattern: c_int64) -> Iterator[None]:
        """Within this context, replays run this build. Afterwards, the cells have their earlier values.

        Args:
            address: the runtime's cell for the address of the plain function.
            pattern: the runtime's cell for the pattern.
        """
        before = address.value, pattern.value
        address.value, pattern.value = self.address, self.pattern
        try:
            yield
        finally:
            address.value, pattern.value = before


def complete(texts: Sequence[str]) -> list[str]:
    """Return the IR of a subject's files, plus the C++ library if they need it. No name in it clashes with ours.

    Raises:
        ZeroinError: the C++ library is needed and can not be compiled.
    """
    library = compile_all([LIBCXX]) if symbols.needs_library(texts) else []
    return [symbols.apart_from_ours(text) for text in (*texts, *library)]


def sanitized(path: Path, function: str, options: LlvmOptions) -> list[str]:
    """Compile a subject's files with the compiler's sanitizers, as traps, and return the IR.

    The list is empty if ``options`` exclude the sanitizers, if the subject is LLVM IR, or if compiling fails.
    """
    if not options.sanitized or path.suffix in IR_SUFFIXES:
        return []
    try:
        texts = compile_all([path, *options.others], options.cc, sanitized=True)
        return complete(adapted(path, function, texts, options, sanitized=True))
    except CompileError:
        return []


def left_out(path: Path, options: LlvmOptions, sanitized: Sequence[str], builds: Sequence[Build]) -> Iterator[str]:
    """Yield a remark for each build that is wanted but missing, so that inputs are not replayed in it.

    Args:
        path: the subject's file.
        options: how the subject is compiled.
        sanitized: the subject's IR with sanitizer traps; empty if there is none.
        builds: the loaded builds; empty before the first replay.
    """
    if options.sanitized and not sanitized and path.suffix not in IR_SUFFIXES:
        yield "the compiler has no sanitizers for it: inputs were replayed in builds with -O0 and -O2 only"
    loaded = {build.name for build in builds}
    wanted = [UNOPTIMISED, *([SANITIZED] if sanitized else [])] if builds else []
    yield from (f"it can not be linked in a build with {name}: inputs were not replayed in it"
                for name in wanted if name not in loaded)  # fmt: skip


def for_search(module: ir.Module, debug: DebugInfo) -> None:
    """Change a file of ``--with`` for searches, in place.

    Its code burns fuel, its signed integers wrap, and a run with undefined behaviour in it ends as undefined.
    """
    add_checks(module, debug, described=True)
    ir.wrap(module)
    for function in module.functions.values():
        add_fuel(function)


def load(subject: LlvmSubject, texts: Sequence[str], sanitized: Sequence[str]) -> list[Build]:
    """Load the builds of a subject, and run their constructors.

    A build that refers to a symbol which is defined nowhere is left out, except for the first one.

    Args:
        subject: the subject, beside which they are loaded.
        texts: IR of its files.
        sanitized: IR of its files with sanitizer traps; empty if there is none.

    Returns:
        The builds, that with ``-O2`` first. The code with ``-O0`` counts as three builds, one for each pattern.

    Raises:
        MissingSymbol: the first build refers to a symbol that is defined nowhere.
        CompileError: the files can not be linked.
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
    """Return, by name, how to make each build, that with ``-O2`` first. The arguments are those of :func:`load`.

    Without sanitized texts, there is no sanitized build.
    """

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
    """Change nothing: the ``-O2`` build is compiled as it is."""


def wrap(module: ir.Module, debug: DebugInfo) -> None:
    """Let signed integers wrap, as they do in the code that is searched."""
    ir.wrap(module)


def fill_variables(module: ir.Module, debug: DebugInfo) -> None:
    """Fill each stack variable with ``zeroin_pattern`` at the function's start, in place.

    Variables whose size is known only at run time are left out.
    """
    for function in module.functions.values():
        lines = [_PATTERN]
        for line in function.blocks[0].lines:
            lines.append(line)
            if (match := _LOCAL.match(line)) and not _COUNTED.search(match[2]):
                lines.append(_filled(match[1], match[2]))
        function.blocks[0].lines[:] = lines
    _declare_memset(module)


def catch_all(module: ir.Module, debug: DebugInfo) -> None:
    """Turn sanitizer traps into undefined behaviour, and fill stack variables at the end of their scope, in place."""
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
    """Return the instruction that fills a stack variable with the pattern's byte."""
    size = f"ptrtoint (ptr getelementptr ({type_}, ptr null, i32 1) to i64)"
    return f"  call void @llvm.memset.p0.i64(ptr {variable}, i8 %zu.pattern, i64 {size}, i1 false)"


def _declare_memset(module: ir.Module) -> None:
    """Declare the function that fills memory, unless the module has its declaration already."""
    if not any(isinstance(part, str) and "@llvm.memset.p0.i64(" in part for part in module.parts):
        module.parts.append(_MEMSET)


def shown(signature: CSignature, words: Words, replay: Replay) -> str:
    """Return, for people, what a run returned and what it left behind its pointers; empty if there is nothing."""
    left = (f"{name} = {value}" for name, value in signature.show_left(words, replay).items())
    return ", ".join(filter(None, (signature.show_result(replay).strip(), *left)))


@dataclass(frozen=True)
class Surroundings:
    """The environment of a run: what its result may depend on besides the input, such as addresses and the clock.

    Attributes:
        arrays: the memory behind the pointer parameters.
        kinds: the parts of the environment that the code may read, by number
            (:data:`zeroin.languages.c.front.symbols.SURROUNDINGS`).
        cell: the runtime's cell that says which parts are changed, one bit each.
    """

    arrays: Arrays
    kinds: Mapping[int, str]
    cell: c_int64


def replayed(builds: Sequence[Build], run: Callable[[Build], CReplay], observe: Callable[[], CReplay],
             same: Callable[[CReplay, CReplay], bool], shown: Callable[[CReplay], str],
             around: Surroundings) -> CReplay:  # fmt: skip
    """Replay an input in all builds and in changed environments.

    Args:
        builds: the loaded builds; the first one gives the result.
        run: runs the input in a build.
        observe: runs the input in the instrumented code.
        same: whether two results are equal.
        shown: describes a result for people.
        around: the environment that is changed in further runs.

    Returns:
        The result of the first build. If builds disagree, or if the result depends on the order of objects in memory,
        it is undefined behaviour. If it depends on another part of the environment, ``varies`` names that part.
    """
    again = partial(run, builds[0])
    found = _in_any_order(agreed(builds, run, observe, same, shown), around.arrays, again, same)
    return _elsewhere(found, around, again, same)


def agreed(builds: Sequence[Build], run: Callable[[Build], CReplay], observe: Callable[[], CReplay],
           same: Callable[[CReplay, CReplay], bool], shown: Callable[[CReplay], str]) -> CReplay:  # fmt: skip
    """Return the result of the first build, or undefined behaviour if the builds disagree; see :func:`replayed`.

    The result of the first build stands if its run crashed, misused the heap, or used too much of a resource. Else the
    undefined behaviour that a sanitizer has found counts. Other differences count only if the first result can be
    repeated. Unless uninitialised memory explains them, the instrumented code must also have the first result.
    """
    first = run(builds[0])
    if first.outcome in (*_SAYS_NOTHING, Termination.HEAP):  # memory was misused, whatever other builds do
        return first
    others = [(build, run(build)) for build in builds[1:]]
    differing = [
        (build, did) for build, did in others
        if did.outcome not in _SAYS_NOTHING and not {first.outcome, did.outcome} <= {*_CRASHED} and not same(first, did)
    ]  # fmt: skip
    if differing and first.outcome in _CRASHED:  # a crash says more than "undefined"
        return first
    if trapped := [did for _, did in differing if did.outcome is Termination.UNDEFINED]:
        return trapped[0]
    if not differing or not same(first, run(builds[0])):  # not repeatable: the difference is not the build's
        return first
    patterned = [did for build, did in others if build.name == UNOPTIMISED]
    last, did = differing[-1]
    alike = all(same(patterned[0], one) for one in patterned[1:])
    if not alike or (last.name == SANITIZED and not same(did, run(replace(last, pattern=_PATTERNS[1])))):
        return CReplay(Termination.UNDEFINED, detail=_OF_PATTERN)
    if not same(first, observe()):  # it may depend on addresses
        return first
    build, did = differing[0]
    one, another = shown(first), shown(did)
    said = f"{one} in a build with {builds[0].name}, {another} in one with {build.name}"
    if one == another:
        said = f"what it leaves differs between builds with {builds[0].name} and {build.name}"
    return CReplay(Termination.UNDEFINED, detail=said)


def _in_any_order(found: CReplay, arrays: Arrays, run: Callable[[], CReplay],
                  same: Callable[[CReplay, CReplay], bool]) -> CReplay:  # fmt: skip
    """Rerun an input with the arrays of its pointer parameters in reverse order.

    Return the given result, or undefined behaviour if it depends on the order. If it already changes when the arrays
    only move, it depends on addresses and not on their order; then the given result is returned.
    """
    if found.outcome is not Termination.RETURNED or len(arrays) < 2:
        return found
    with arrays.moved(turned=True):
        turned = run()
    with arrays.moved(turned=False):  # a result that changes here as well depends on addresses, not on their order
        moved = run()
    if same(found, turned) or not same(found, moved):
        return found
    return CReplay(Termination.UNDEFINED, detail="it depends on which of two objects comes first in memory")


def _elsewhere(found: CReplay, around: Surroundings, run: Callable[[], CReplay],
               same: Callable[[CReplay, CReplay], bool]) -> CReplay:  # fmt: skip
    """Rerun an input with one part of the environment changed at a time.

    Return the result with the name of the first part that it depends on in ``varies``. If there is none, or if the run
    did not return, return the given result.
    """
    for number, what in around.kinds.items() if found.outcome is Termination.RETURNED else ():
        around.cell.value = 1 << number
        try:
            again = run()
        finally:
            around.cell.value = 0
        if not same(found, again):
            return replace(found, varies=what)
    return found
