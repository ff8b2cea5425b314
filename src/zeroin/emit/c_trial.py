"""A C test is compiled as its subject was, and linked as a shared library: an executable needs the C library's start
files, which the bundled compiler has to make first, and that takes a minute."""

from __future__ import annotations

import contextlib
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .. import cache, scratch
from ..errors import CompileError, MissingDependency
from ..subject.llvm.compile import CXX_SUFFIXES, LIBCXX, compiler_for, library_flags
from ..subject.llvm.kept import Kept, place_for
from ..subject.llvm.language import CTarget
from .header import Batch
from .inside import ENTRY, UNLOADABLE
from .trial import SECONDS, START, Ended, Place, Trial, run_inside

# What makes a compiler mean by the source what the plain function meant when the expected values were taken.
SEMANTICS = ("-fno-builtin", "-ffp-contract=off", "-fno-strict-aliasing", "-fwrapv")
# Old C (no prototypes, implicit int) is an error to newer compilers unless they are told.
LENIENT = ("-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion",
           "-Wno-error=incompatible-pointer-types")  # fmt: skip

_FLAGS = ("-w", "-g0", "-fPIC", "-fno-sanitize=all", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections")
_ALWAYS = (*SEMANTICS, *_FLAGS, "-c")
_OF_CXX = re.compile(r"undefined symbol: _ZN?K?St")
_LINK = ("-shared", "--gc-sections", "-Bsymbolic", "--eh-frame-hdr")
# The library's entry, and what the C library has only for those who link with it.
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


def tried(test: Path, cases: dict[str, Place], batch: Batch, target: CTarget, sources: Sequence[Path]) -> Trial:
    """Compile and run a test, which needs further sources; of its cases, all of these."""
    with scratch.folder() as folder:
        names = [*cases, ""]
        try:
            objects = _objects([test, *sources], target.cc, folder)
            library = _linked(objects, [test, *sources], target.cc, folder)
            if not cases:
                return Trial()
            ended = _run(library, names, batch)
            if _OF_CXX.search(ended.diary.get(UNLOADABLE) or "") and _is_bundled(target.cc):
                library = _linked([*objects, _cxx_library(folder)], [test, *sources], target.cc, folder)
                ended = _run(library, names, batch)
        except CompileError as error:
            return Trial(whole=f"{error}: {_first_error(error.output)}")
        except MissingDependency as error:
            return Trial(untried=str(error))
    if UNLOADABLE in ended.diary:
        return Trial(untried=f"it can not be loaded: {ended.diary[UNLOADABLE]}")
    why = {name: ended.cause if why is None else why for name, why in ended.diary.items() if why != ""}
    failed = {place: why[name] for name, place in cases.items() if name in why}
    complete = len(ended.diary) == len(names)
    return Trial(failed, "" if failed or (complete and not why) else why.get("", ended.cause))


def _run(library: Path, names: Sequence[str], batch: Batch) -> Ended:
    return run_inside("zeroin.emit.inside:library", [str(library), names, ..., SECONDS],
                      allow=batch.options.allow, seconds=START + SECONDS * len(names))  # fmt: skip


def compiles(test: Path, cc: Sequence[str], headers: Sequence[str]) -> Trial:
    """Compile a test whose cases have passed, if its framework is there."""
    with scratch.folder() as folder, _compiler(test, cc, str(folder / "test.o")) as process:
        said = process.communicate()[0]
    if not process.returncode:
        return Trial(untried="its cases have passed without the framework; in it, it was compiled, not linked")
    missing = next((name for name in (header.strip('<>"') for header in headers) if f"'{name}' file not found" in said
                    or f"{name}: No such file" in said), "")  # fmt: skip
    if missing:
        return Trial(untried=f"its cases have passed without the framework; there is no {missing} to compile it with "
                     "(--cc -I names its folder)")  # fmt: skip
    return Trial(whole=f"it does not compile: {_first_error(said)}")


def _objects(sources: Sequence[Path], cc: Sequence[str], folder: Path) -> list[str]:
    """Object files, also of what every library needs."""
    objects = [str(folder / f"{n}.o") for n in range(len(sources))]
    with contextlib.ExitStack() as stack:
        compilers = [stack.enter_context(_compiler(path, cc, output))
                     for path, output in zip(sources, objects, strict=True)]  # fmt: skip
        for path, process in zip(sources, compilers, strict=True):
            said = process.communicate()[0]
            if process.returncode:
                raise CompileError("it does not compile" if path == sources[0] else f"{path} does not compile", said)
    return [*objects, _support(cc, folder)]


def _linked(objects: Sequence[str], sources: Sequence[Path], cc: Sequence[str], folder: Path) -> Path:
    """The objects of the sources, and further ones, as a library."""
    library = folder / "test.so"
    compiler, _ = compiler_for(sources[0], cc)
    if _is_bundled(cc):
        command = [*compiler[:-1], "ld.lld", *_LINK, *objects]
    else:
        cxx = any(path.suffix in CXX_SUFFIXES for path in sources)
        command = [*compiler, _LINK[0], *(f"-Wl,{flag}" for flag in _LINK[1:]), *objects, *["-lstdc++"] * cxx, "-lm"]
    done = subprocess.run([*command, "-o", str(library)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace")  # fmt: skip
    if done.returncode:
        raise CompileError("it can not be linked", done.stdout + done.stderr)
    return library


def _is_bundled(cc: Sequence[str]) -> bool:
    """Whether the compiler is that of the ziglang package."""
    return not cc or cc[0].startswith("-")


def _cxx_library(folder: Path) -> str:
    """The object file of the parts of Clang's C++ library that are not in its headers; it is kept."""
    compiler, _ = compiler_for(LIBCXX, ())
    flags, output = library_flags(), folder / "libcxx.o"
    place = place_for(LIBCXX, compiler, flags, _ALWAYS, LIBCXX.read_text())
    return _object(LIBCXX, flags, output, place)


def _support(cc: Sequence[str], folder: Path) -> str:
    """The object file of what every library needs, which is C; it is kept."""
    cc = [flag for flag in cc if not flag.startswith("-std=")]
    source, output = folder / "support.c", folder / "support.o"
    compiler, flags = compiler_for(source, cc)
    source.write_text(_SUPPORT)
    return _object(source, cc, output, place_for(source, compiler, flags, _ALWAYS, _SUPPORT))


def _object(source: Path, cc: Sequence[str], output: Path, place: Kept | None) -> str:
    """The object file of a source, which is made where it is not kept."""

    def make() -> bytes:
        with _compiler(source, cc, str(output)) as process:
            said = process.communicate()[0]
        if process.returncode:
            raise CompileError(f"{source} does not compile", said)
        return output.read_bytes()

    output.write_bytes(cache.kept(place.path if place else None, make) or b"")
    return str(output)


def _compiler(path: Path, cc: Sequence[str], output: str) -> subprocess.Popen[str]:
    compiler, flags = compiler_for(path, cc)
    lenient = LENIENT if path.suffix == ".c" else ()
    command = [*compiler, *_ALWAYS, *lenient, *flags, str(path.absolute()), "-o", output]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True, errors="replace")  # fmt: skip


def _first_error(said: str) -> str:
    lines = said.strip().splitlines() or ["the compiler does not say why"]
    return next((line.partition("error: ")[2] for line in lines if "error: " in line), lines[-1])
