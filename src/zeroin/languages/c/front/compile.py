"""Compile source files to LLVM IR text, with the Clang in the ``ziglang`` wheel or one that the user names."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .... import scratch
from ....cache import folder as cache_folder
from ....errors import CompileError, MissingDependency, TargetError, ZeroinError
from .build_flags import check_compiler, used_flags, wraps
from .compile_cache import TELL, CacheEntry, cache_entry, locked, without_names
from .inline_functions import ALL, included, may_pass_over, without_unneeded
from .unsequenced import TELLING, marks, without_ranges

C_SUFFIXES = {".c"}
CXX_SUFFIXES = {".cc", ".cpp", ".cxx", ".c++", ".C"}
IR_SUFFIXES = {".ll", ".bc"}
SUFFIXES = C_SUFFIXES | CXX_SUFFIXES | IR_SUFFIXES

RUNTIME_FOLDER = Path(__file__).parents[1] / "run" / "runtime"
LIBCXX = RUNTIME_FOLDER / "libcxx.cpp"
LIBRARY = Path(__file__).parents[1] / "read" / "c_library.c"
RUNTIME = tuple(RUNTIME_FOLDER / name for name in ("runtime.c", "guards.c"))

# -ffp-contract=off, -fno-delete-null-pointer-checks: the code must mean what the source says at every optimisation
# level, and dereferencing a null pointer must crash. -disable-llvm-passes: always_inline functions must not become part
# of their callers. -fstandalone-debug: debug info must have the members of every structure, also of unused ones.
# -ftrivial-auto-var-init (_MARKS): Clang then marks declarations of variables without a value (see _marked).
_ALL_BUILDS = shlex.split(
    "-S -emit-llvm -Xclang -disable-llvm-passes -g -fstandalone-debug -ffp-contract=off -fno-builtin "
    "-fno-stack-protector -fno-semantic-interposition -fomit-frame-pointer"
)
_FLAGS = [
    *_ALL_BUILDS,
    *shlex.split("-O0 -Xclang -disable-O0-optnone -fno-sanitize=all -fno-strict-aliasing"),
    "-fno-delete-null-pointer-checks",
]
_MARKS = "-ftrivial-auto-var-init=zero"
# Comments in IR text: the text has been marked; this instruction would initialise a variable without a value.
MARKED, UNSET = "; zeroin: marked", "; zeroin: unset "
_AUTO_INIT = re.compile(r'^(!\d+) = !\{!"auto-init"\}$', re.M)
# The checks of the sanitized build: undefined behaviour that compilers exploit. The processor traps null pointers and
# divisions by zero. Other undefined behaviour, such as misaligned accesses and shifts of negative numbers, only counts
# if it makes the results of builds differ. -UNDEBUG: ziglang's Clang disables assertions when it optimises.
SANITIZERS = ("bool,bounds,builtin,float-cast-overflow,object-size,return,returns-nonnull-attribute,shift-exponent,"
              "signed-integer-overflow,unreachable,vla-bound")  # fmt: skip
_SANITIZED = [*_ALL_BUILDS, "-O2", "-UNDEBUG", "-fno-sanitize=all", f"-fsanitize={SANITIZERS}",
              f"-fsanitize-trap={SANITIZERS}", "-ftrivial-auto-var-init=zero"]  # fmt: skip
# Accept old C, in which several files may define a variable (-fcommon). -femit-all-decls: a static function is a target
# even if nothing calls it.
_C_ONLY = shlex.split(
    "-femit-all-decls -fcommon -Wno-error=implicit-function-declaration -Wno-error=implicit-int "
    "-Wno-error=int-conversion -Wno-error=incompatible-pointer-types"
)
_EXTERN_INLINE = re.compile(rb"\bextern\s+(?:__)?inline")
_DISK_FULL = re.compile(r"No space left on device|NoSpaceLeft")


def compiler_for(path: Path, cc: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the compiler command for a source file, and the user's flags.

    Args:
        path: the source file.
        cc: the user's ``--cc``: flags, or a compiler followed by flags.

    Raises:
        MissingDependency: the ziglang wheel is not installed, or the named compiler is not on PATH or is not Clang.
    """
    if cc and not cc[0].startswith("-"):
        check_compiler(cc[0])
        return [cc[0]], list(cc[1:])
    return [*_bundled(), "c++" if path.suffix in CXX_SUFFIXES else "cc"], list(cc)


@cache
def _bundled() -> tuple[str, ...]:
    """Return the command of ziglang's compiler: its executable if possible, which starts faster than the module."""
    program = _package() / "zig"
    return (str(program),) if os.access(program, os.X_OK) else (sys.executable, "-P", "-m", "ziglang")


def _package() -> Path:
    """Return the folder of the ziglang package.

    Raises:
        MissingDependency: the package is not installed.
    """
    package = importlib.util.find_spec("ziglang")
    if package is None:
        raise MissingDependency("compiling C needs the ziglang package: pip install 'zeroin[c]'")
    return Path(package.origin or "").parent


def library_flags() -> list[str]:
    """Return the flags for compiling ``LIBCXX``, our build of ziglang's C++ library.

    Raises:
        MissingDependency: the ziglang package is not installed.
    """
    folders = [_package() / "lib" / folder for folder in ("libcxx/src", "libcxxabi/include", "libcxxabi/src")]
    macros = ["-D_LIBCPP_BUILDING_LIBRARY", "-DLIBCXX_BUILDING_LIBCXXABI"]
    return ["-g0", "-std=c++23", *macros, *(f"-I{folder}" for folder in folders)]


def compile_all(paths: Sequence[Path], cc: Sequence[str] = (), sanitized: bool = False) -> list[str]:
    """Compile files in parallel, or take the results from the cache.

    New results go to the cache. If another process compiles one of the files, wait for its result.

    Args:
        paths: source or IR files.
        cc: the user's ``--cc``: flags, or a compiler followed by flags.
        sanitized: whether the code traps when the compiler's sanitizers detect undefined behaviour.

    Returns:
        The IR text of each file, in the order of ``paths``.

    Raises:
        TargetError: a file is missing, or is not C, C++ or LLVM IR.
        CompileError: a file does not compile, or is no IR that LLVM can read; carries the compiler's message.
        OptionError: a flag is not supported.
        MissingDependency: there is no compiler.
        ZeroinError: the disk is full, or no temporary folder can be made.
    """
    for path in paths:
        if not path.is_file():
            raise TargetError(f"{path}: no such file")
        if path.suffix not in SUFFIXES:
            raise TargetError(f"{path}: not a C, C++ or LLVM IR file ({', '.join(sorted(SUFFIXES))})")
    jobs = [_Job(path, cc, sanitized) for path in paths]
    if any(job.text is None for job in jobs):
        with (
            locked([job.place for job in jobs if job.text is None]),
            scratch.folder() as folder,
        ):
            _run(jobs, folder)
    return [job.text or "" for job in jobs]


def compile_ahead(paths: Sequence[Path], cc: Sequence[str]) -> list[threading.Thread]:
    """Start to compile what a worker will need, before the worker runs; its results go to the cache.

    The worker takes the results from the cache or waits for them. Errors are ignored here, as the worker meets them
    again. The C++ library is compiled for every C++ file, since it is not known yet whether the file needs it.
    Nothing is compiled whose result can not be cached.

    Args:
        paths: source files; IR files are ignored.
        cc: the user's ``--cc``.

    Returns:
        The running threads that wait for the compilers.
    """

    def compile_kept(sources: Sequence[Path], sanitized: bool) -> None:
        with contextlib.suppress(ZeroinError, OSError):
            jobs = [_Job(path, cc, sanitized) for path in sources]
            if all(job.place for job in jobs) and any(job.text is None for job in jobs):
                compile_all(sources, cc, sanitized)

    own = [path for path in paths if path.suffix not in IR_SUFFIXES]
    groups = [([*own, *RUNTIME], False), (own, True)]
    groups += [([LIBCXX], False)] if any(path.suffix in CXX_SUFFIXES for path in paths) else []
    threads = [threading.Thread(target=compile_kept, args=group) for group in groups if group[0]]
    for thread in threads:
        thread.start()
    return threads


def preloaded_texts(cc: Sequence[str]) -> list[str] | None:
    """Load the IR texts of ``RUNTIME`` from the cache, and keep them in this process and its children.

    Later compilations in these processes use them without looking for changes.

    Returns:
        The texts in the order of ``RUNTIME``; None if the cache does not have all of them, and then none is kept.

    Raises:
        OptionError, MissingDependency: see :func:`compile_all`.
    """
    jobs = [_Job(path, cc) for path in RUNTIME]
    texts = {job.command: job.text for job in jobs if job.text is not None}
    if len(texts) < len(RUNTIME):
        return None
    _preloaded.update(texts)
    return list(texts.values())


_preloaded: dict[tuple[str, ...], str] = {}  # by command


def _run(jobs: Sequence[_Job], folder: Path) -> None:
    """Run the compilers of all jobs in parallel; if one of them fails, kill the others."""
    try:
        for number, job in enumerate(jobs):
            job.start(folder / str(number))
        for job in jobs:
            job.finish()
    finally:
        for job in jobs:
            job.end()


def _for_inline(path: Path) -> list[str]:
    """Return the flag that makes Clang emit code for ``inline`` functions; empty if the file needs none.

    In C99, a function that is only ``inline`` gets no code; in GNU's C89, one that is ``extern inline`` gets none.
    """
    text = path.read_bytes()
    return ["-fgnu89-inline"] if b"inline" in text and not _EXTERN_INLINE.search(text) else []


class _Job:
    """The compilation of one file; ``text`` is the IR, or None until it is compiled. A cached file has it at once."""

    def __init__(self, path: Path, cc: Sequence[str], sanitized: bool = False) -> None:
        self.path = path
        self.place: CacheEntry | None = None
        self._process: subprocess.Popen[str] | None = None
        if path.suffix in IR_SUFFIXES:
            self.text: str | None = _read_ir(path)
            return
        compiler, flags = compiler_for(path, () if path in (LIBCXX, LIBRARY) else cc)
        flags = used_flags(flags, path.suffix in CXX_SUFFIXES)
        flags = ["-g0", "-fno-common"] if path in (*RUNTIME, LIBRARY) else library_flags() if path == LIBCXX else flags
        self._is_cxx = path.suffix in CXX_SUFFIXES and path != LIBCXX
        files = [path, *included(path)]
        every = [ALL] if self._is_cxx and any(may_pass_over(file.read_bytes()) for file in files) else []
        fixed = (_SANITIZED if sanitized else _FLAGS) + (
            _C_ONLY + _for_inline(path) if path.suffix in C_SUFFIXES else every
        )
        if sanitized and wraps(flags):
            fixed = [*fixed, "-fno-sanitize=signed-integer-overflow"]
        self._has_marks = not sanitized and not any(map(_sets_variables, flags))
        fixed = [*fixed, _MARKS] if self._has_marks else fixed
        self.command = (*compiler, *fixed, *flags, *TELLING, str(path.absolute()))
        self.text = _preloaded.get(self.command)
        if self.text is None:
            made = [*fixed, *TELLING, MARKED * self._has_marks]
            self.place = cache_entry(path, compiler, flags, made, ours=path in (*RUNTIME, LIBCXX, LIBRARY))
            self.text = self.place.read() if self.place else None

    def start(self, output: Path) -> None:
        """Start the compiler, unless another process has compiled the file meanwhile.

        Args:
            output: path of the result without its suffix ``.ll``.
        """
        if self.text is None and self.place is not None:
            self.text = self.place.read()
        if self.text is None:
            self._output = output
            self._process = self._started(self.command)

    def _started(self, command: Sequence[str], keeps: bool = True) -> subprocess.Popen[str]:
        """Start a compiler command, and return its process; for ``keeps``, see :func:`_environment`."""
        tell = [TELL] if self.place is not None else []
        return subprocess.Popen(
            [*command, *tell, "-o", f"{self._output}.ll"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=_environment(self._output.parent, keeps),
        )  # fmt: skip

    def finish(self) -> None:
        """Wait for the compiler, and store its result in ``text`` and in the cache; do nothing if it was not started.

        Raises:
            CompileError: the file does not compile.
            ZeroinError: the disk is full.
        """
        if self._process is None:
            return
        out, err = self._process.communicate()
        if self._process.returncode != 0 and self._is_cxx and ALL in self.command:
            # With -femit-all-decls, code for an unused function may fail to compile: try without.
            self._process = self._started([flag for flag in self.command if flag != ALL])
            out, err = self._process.communicate()
        if self._process.returncode != 0 and _MARKS in out + err:  # Clang before 16 does not know it
            self._has_marks = False
            self._process = self._started([flag for flag in self.command if flag != _MARKS])
            out, err = self._process.communicate()
        if self._process.returncode != 0 and _DISK_FULL.search(out + err):
            self._process = self._started(self.command, keeps=False)
            out, err = self._process.communicate()
        result = Path(f"{self._output}.ll")
        if self._process.returncode != 0 or not result.exists():
            if _DISK_FULL.search(out + err):
                raise ZeroinError(f"{scratch.place()}: the disk is full; make room, or set TMPDIR to another folder")
            said = without_ranges(without_names(out + err))
            raise CompileError(f"{self.path}: does not compile", _without_noise(said))
        text = result.read_text(errors="surrogateescape")
        self.text = without_unneeded(text, self.path) if self._is_cxx else text
        if self._has_marks:
            self.text = _marked(self.text)
        self.text = marks(err) + self.text
        if self.place is not None:
            self.place.write(self.text, self.path, err)

    def end(self) -> None:
        """Kill the compiler if it still runs."""
        if self._process is not None:
            with self._process:  # it may still run if another file failed to compile
                self._process.kill()


def _sets_variables(flag: str) -> bool:
    """Whether a flag of the user makes Clang initialise variables that have no value."""
    return flag.startswith("-ftrivial-auto-var-init=")


def _marked(text: str) -> str:
    """Turn Clang's instructions that initialise variables without a value into comments."""
    found = _AUTO_INIT.search(text)
    if found is not None:
        text = re.sub(rf"^  (.*), !annotation {found[1]}\b.*$", rf"  {UNSET}\1", text, flags=re.M)
    return f"{MARKED}\n{text}"


def _without_noise(output: str) -> str:
    """Return the compiler's message without the driver's warnings about our own flags."""
    return "\n".join(line for line in output.splitlines() if not line.startswith("zig: warning:")).strip()


def _environment(folder: Path, keeps: bool) -> dict[str, str]:
    """Return the environment for the compiler, which decides where Zig has its own cache.

    If no cache folder is writable, Zig would try for ever to create one; it then gets the scratch folder.

    Args:
        folder: scratch folder of this compilation.
        keeps: whether Zig may keep its cache for later compilations.
    """
    name = "ZIG_GLOBAL_CACHE_DIR"
    can = bool(os.environ.get(name)) or cache_folder("code") is not None
    place = os.environ.get(name) if keeps and can else str(folder / "zig")
    return {**os.environ, name: place} if place else dict(os.environ)


def _read_ir(path: Path) -> str:
    """Return the text of an IR or bitcode file.

    Raises:
        CompileError: LLVM can not read the file, or finds it invalid.
    """
    import llvmlite.binding as llvm

    try:
        if path.suffix == ".bc":
            module = llvm.parse_bitcode(path.read_bytes())
        else:
            module = llvm.parse_assembly(path.read_text())
        module.verify()  # damaged bitcode can be parsed, and is invalid: a block without a terminator
    except (RuntimeError, UnicodeDecodeError) as error:
        message = " ".join(str(error).split())
        raise CompileError(f"{path}: is not LLVM IR that LLVM {llvm.llvm_version_info[0]} can read", message) from error
    return str(module)
