"""Try an emitted C or C++ test: compile, link and run it with the command in its header.

If the machine has no compiler, the compiler of the ziglang package makes a shared library instead of an executable. For
an executable, that compiler would first have to build the C library's start files, which takes a minute.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import repeat
from pathlib import Path

from .... import cache, scratch
from ....emit.test_header import Batch
from ....emit.trial import START, Ended, InputKey, Trial, run_inside, seconds_for_test
from ....errors import CompileError, MissingDependency
from ..front.compile import LIBCXX, compiler_for, library_flags
from ..front.compile_cache import CacheEntry, cache_entry
from ..language import CTarget
from .frameworks import Framework
from .trial_process import ENTRY, UNLOADABLE

PROCESS = "zeroin.languages.c.emit.trial_process"

# Flags that give the source the same meaning as when the expected values were recorded.
SEMANTICS = ("-fno-builtin", "-ffp-contract=off", "-fno-strict-aliasing")
# Further flags: a test is tried with its own command, and also optimised.
LEVELS: tuple[tuple[str, ...], ...] = ((), ("-O2",))
# Newer compilers reject old C (no prototypes, implicit int) without these flags.
LENIENT = ("-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion",
           "-Wno-error=incompatible-pointer-types")  # fmt: skip
# With these flags, functions that no case calls are left out, so that symbols which only they need may be missing.
SECTIONS = ("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections")

_ZIGLANG = ("python3", "-m", "ziglang")
_UNDEFINED = re.compile(r"undefined (?:reference|symbol)")
_NO_LIBRARY = re.compile(r"cannot find -l[^\s:]+|unable to find library -l\S+|library not found: \S+")
_FLAGS = ("-w", "-g0", "-fPIC", "-fno-sanitize=all", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections")
_ALWAYS = (*SEMANTICS, *_FLAGS, "-c")
_OF_CXX = re.compile(r"undefined symbol: _ZN?K?St")
_LINK = ("-shared", "--gc-sections", "-Bsymbolic", "--eh-frame-hdr")
# The shared library's entry, and functions that programs get from the C library's static part (libc_nonshared.a).
_SUPPORT = f"""\
#define OURS __attribute__((weak, visibility("hidden")))
extern int main();
extern int __cxa_atexit(void *, void *, void *), __cxa_at_quick_exit(void *, void *);
extern int __register_atfork(void *, void *, void *, void *);
OURS void *__dso_handle;
OURS int atexit(void *f) {{ return __cxa_atexit(f, 0, 0); }}
OURS int at_quick_exit(void *f) {{ return __cxa_at_quick_exit(f, 0); }}
OURS int pthread_atfork(void *a, void *b, void *c) {{ return __register_atfork(a, b, c, 0); }}
__attribute__((visibility("default"))) int {ENTRY}(int n, char **words) {{ return main(n, words); }}
"""


def usual(cxx: bool, ir: bool) -> tuple[str, ...]:
    """Return the command of the compiler for tests: the machine's own, or that of the ziglang package.

    Args:
        cxx: whether the test is C++.
        ir: whether the subject is LLVM IR, which only Clang compiles.
    """
    name = ("clang++" if cxx else "clang") if ir else "c++" if cxx else "cc"
    return (name,) if shutil.which(name) else bundled(cxx)


def bundled(cxx: bool) -> tuple[str, ...]:
    """Return the command of the compiler in the ziglang package, for C or for C++. It may not be installed."""
    return (*_ZIGLANG, "c++" if cxx else "cc")


def tried(test: Path, cases: dict[str, InputKey], batch: Batch, target: CTarget, command: Sequence[str],
          sources: Sequence[Path]) -> Trial:  # fmt: skip
    """Compile a test and run its cases, with each of the flags in ``LEVELS``.

    If the command uses the compiler of the ziglang package, the test becomes a shared library.

    Args:
        test: the test's file.
        cases: the inputs of the cases to run, by the cases' names.
        batch: the suites in the test.
        target: the target that the test includes.
        command: the command in the test's header, for the test's folder.
        sources: further files to compile.

    Returns:
        The cases that fail, and why. If the test does not compile, but may with another command, ``instead`` is a batch
        with that command. ``untried`` says why if there is no compiler, or the library can not be loaded.
    """
    names = [*cases, ""]
    try:
        if command[: len(_ZIGLANG)] == list(_ZIGLANG):
            runs = [_as_library(test, names, batch, target, sources, level) for level in LEVELS]
        else:
            with scratch.folder() as folder, ThreadPoolExecutor(len(LEVELS)) as compilers:
                programs = [folder / f"program{number}" for number in range(len(LEVELS))]
                commands = [[*command, *level] for level in LEVELS]
                for said in compilers.map(_built, commands, repeat(test.parent), programs):
                    if said is None:
                        continue
                    other = _another_way(batch, said, command, test.suffix == ".c", target)
                    what = "it can not be linked" if _UNDEFINED.search(said) else "it does not compile"
                    return Trial(whole=f"{what}: {_first_error(said)}" if other is None else "", instead=other)
                runs = [_run("executable", program, names, batch) if cases else Ended(0, "", dict.fromkeys(names, ""))
                        for program in programs]  # fmt: skip
    except CompileError as error:
        return Trial(whole=f"{error}: {_first_error(error.output)}")
    except MissingDependency as error:
        return Trial(untried=str(error))
    why: dict[str, str] = {}
    for level, ended in zip(LEVELS, runs, strict=True):
        if UNLOADABLE in ended.diary:
            return Trial(untried=f"it can not be loaded: {ended.diary[UNLOADABLE]}")
        found = {name: ended.cause if said is None else said for name, said in ended.diary.items() if said != ""}
        if len(ended.diary) < len(names) and not found:
            found = {"": ended.cause}
        why = {**{name: " ".join((*level, said)) if said else said for name, said in found.items()}, **why}
    failed = {place: why[name] for name, place in cases.items() if name in why}
    return Trial(failed, "" if failed else why.get("", ""))


def _another_way(batch: Batch, said: str, command: Sequence[str], is_c: bool, target: CTarget) -> Batch | None:
    """Return the batch with further flags, or another compiler, after compiling its test failed; None: give up."""
    if _UNDEFINED.search(said):
        return None if {*SECTIONS} <= {*command} else replace(batch, flags=(*batch.flags, *SECTIONS))
    if is_c and not {*LENIENT} <= {*command}:
        return replace(batch, flags=(*batch.flags, *LENIENT))
    if target.cc and not target.cc[0].startswith("-"):
        return None  # the user chose the compiler
    flags = (*SECTIONS, *(LENIENT if is_c else ()), "-fno-sanitize=all")
    return replace(batch, compiler=bundled(command[0].endswith("++")), flags=flags)


def _built(command: Sequence[str], folder: Path, program: Path) -> str | None:
    """Run a compiler's command in a folder, with another output path. Return its messages if it fails, else None.

    There is no time limit.

    Raises:
        OSError: the compiler can not be started.
        ValueError: the command has no ``-o``.
    """
    at = command.index("-o")
    elsewhere = [*command[:at], "-o", str(program), *command[at + 2 :]]
    done = subprocess.run(elsewhere, cwd=folder, env={**os.environ, "LC_ALL": "C"}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace")  # fmt: skip
    return None if done.returncode == 0 else done.stdout + done.stderr


def _as_library(test: Path, names: Sequence[str], batch: Batch, target: CTarget, sources: Sequence[Path],
                level: Sequence[str]) -> Ended:  # fmt: skip
    """Build the test as a shared library and run its cases. Without cases, it is only built.

    Raises:
        CompileError, MissingDependency: the library can not be built.
    """
    with scratch.folder() as folder:
        objects = _objects([test, *sources], target.cc, folder, level)
        library = _linked(objects, folder)
        if len(names) == 1:
            return Ended(0, "", dict.fromkeys(names, ""))
        ended = _run("library", library, names, batch)
        if _OF_CXX.search(ended.diary.get(UNLOADABLE) or ""):
            ended = _run("library", _linked([*objects, _cxx_library(folder)], folder), names, batch)
        return ended


def _run(how: str, program: Path, names: Sequence[str], batch: Batch) -> Ended:
    """Run cases of a test in the sandbox.

    Args:
        how: ``executable`` or ``library``: what the test was linked as.
        program: its file.
        names: the cases, each run in a process of its own; an empty name stands for all cases in one process.
        batch: what the test is of.
    """
    seconds = seconds_for_test(batch)
    return run_inside(f"{PROCESS}:{how}", [str(program), names, ..., seconds, batch.stateful],
                      allow=batch.options.allow, seconds=START + seconds * len(names))  # fmt: skip


def tried_in(framework: Framework, test: Path, batch: Batch, command: Sequence[str]) -> Trial:
    """Compile, link and run a test in its framework, if that is installed.

    Args:
        framework: the framework.
        test: the test's file. Its cases have passed without the framework already.
        batch: the suites in the test.
        command: the command in the test's header, for the test's folder.

    Returns:
        A trial that passes, or fails as a whole. ``untried`` says what is missing if the framework is not installed.
    """
    with scratch.folder() as folder:
        program = folder / "program"
        said = _built(command, test.parent, program)
        if said is None:
            ended = _run("executable", program, [""], batch)
            why = next((why for why in ended.diary.values() if why != ""), "")
            return Trial(whole=f"in the framework, {ended.cause if why is None else why}" if why != "" else "")
    headers = [header.strip('<>"') for header in framework.headers]
    missing = next((name for name in headers if f"'{name}' file not found" in said
                    or f"{name}: No such file" in said), "")  # fmt: skip
    if missing:
        return Trial(untried=f"its cases pass without the framework; {missing} was not found (name its folder with "
                     "--cc -I)")  # fmt: skip
    if lacking := _NO_LIBRARY.search(said):
        return Trial(untried="its cases pass without the framework; with it, they compile, but do not link: "
                     f"{lacking[0]} (name its folder with --cc -L)")  # fmt: skip
    return Trial(whole=f"it does not compile: {_first_error(said)}")


def _objects(sources: Sequence[Path], cc: Sequence[str], folder: Path, level: Sequence[str]) -> list[str]:
    """Compile sources to object files, and add the object file that every shared library needs.

    Raises:
        CompileError: a source does not compile.
    """
    objects = [str(folder / f"{n}.o") for n in range(len(sources))]
    with contextlib.ExitStack() as stack:
        compilers = [stack.enter_context(_compiler(path, cc, output, level))
                     for path, output in zip(sources, objects, strict=True)]  # fmt: skip
        for path, process in zip(sources, compilers, strict=True):
            said = process.communicate()[0]
            if process.returncode:
                raise CompileError("it does not compile" if path == sources[0] else f"{path} does not compile", said)
    return [*objects, _support(cc, folder)]


def _linked(objects: Sequence[str], folder: Path) -> Path:
    """Link object files to a shared library, ``test.so`` in the folder. An earlier one is overwritten.

    Raises:
        CompileError: they can not be linked.
    """
    library = folder / "test.so"
    compiler, _ = compiler_for(LIBCXX, ())
    command = [*compiler[:-1], "ld.lld", *_LINK, *objects]
    done = subprocess.run([*command, "-o", str(library)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace")  # fmt: skip
    if done.returncode:
        raise CompileError("it can not be linked", done.stdout + done.stderr)
    return library


def _cxx_library(folder: Path) -> str:
    """Return the path of the object file of Clang's C++ library (``libcxx.cpp``), compiled or from the cache.

    Raises:
        CompileError, MissingDependency: it can not be compiled.
    """
    compiler, _ = compiler_for(LIBCXX, ())
    flags, output = library_flags(), folder / "libcxx.o"
    place = cache_entry(LIBCXX, compiler, flags, _ALWAYS, LIBCXX.read_text())
    return _object(LIBCXX, flags, output, place)


def _support(cc: Sequence[str], folder: Path) -> str:
    """Return the path of the object file that every shared library needs, compiled or from the cache.

    Raises:
        CompileError, MissingDependency: it can not be compiled.
    """
    cc = [flag for flag in cc if not flag.startswith("-std=")]
    source, output = folder / "support.c", folder / "support.o"
    compiler, flags = compiler_for(source, cc)
    source.write_text(_SUPPORT)
    return _object(source, cc, output, cache_entry(source, compiler, flags, _ALWAYS, _SUPPORT))


def _object(source: Path, cc: Sequence[str], output: Path, place: CacheEntry | None) -> str:
    """Compile a source, or take its object file from the cache; None as ``place``: do not use the cache.

    Return the path of the object file, which is ``output``.

    Raises:
        CompileError: the source does not compile.
    """

    def make() -> bytes:
        with _compiler(source, cc, str(output)) as process:
            said = process.communicate()[0]
        if process.returncode:
            raise CompileError(f"{source} does not compile", said)
        return output.read_bytes()

    output.write_bytes(cache.kept(place.path if place else None, make) or b"")
    return str(output)


def _compiler(path: Path, cc: Sequence[str], output: str, level: Sequence[str] = ()) -> subprocess.Popen[str]:
    """Start the compiler for one source, without waiting for it. Its stdout is a pipe with all its messages.

    Raises:
        MissingDependency: there is no compiler.
    """
    compiler, flags = compiler_for(path, cc)
    lenient = LENIENT if path.suffix == ".c" else ()
    command = [*compiler, *_ALWAYS, *lenient, *flags, *level, str(path.absolute()), "-o", output]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, errors="replace")  # fmt: skip


def _first_error(said: str) -> str:
    """Return the first error in the messages of a compiler or linker; without one, their last line."""
    lines = said.strip().splitlines() or ["the compiler does not say why"]
    if undefined := re.search(rf"{_UNDEFINED.pattern}.*", said):
        return undefined[0].replace("`", "'")
    return next((line.partition("error: ")[2] for line in lines if "error: " in line), lines[-1])
