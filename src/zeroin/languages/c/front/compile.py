"""From source files to LLVM IR text, with the Clang inside the ``ziglang`` wheel or one that the user names."""

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
from .compile_cache import TELL, Kept, alone, place_for, without_names
from .inline_functions import ALL, included, may_pass_over, needed
from .unsequenced import TELLING, marks, without_ranges

C_SUFFIXES = {".c"}
CXX_SUFFIXES = {".cc", ".cpp", ".cxx", ".c++", ".C"}
IR_SUFFIXES = {".ll", ".bc"}
SUFFIXES = C_SUFFIXES | CXX_SUFFIXES | IR_SUFFIXES

RUNTIME_FOLDER = Path(__file__).parents[1] / "run" / "runtime"
LIBCXX = RUNTIME_FOLDER / "libcxx.cpp"
RUNTIME = tuple(RUNTIME_FOLDER / name for name in ("runtime.c", "guards.c"))

# -ffp-contract=off, -fno-delete-null-pointer-checks: the compiled code must mean what the source says at every
# optimisation level, and a null pointer that is followed must crash. -disable-llvm-passes: what is always inlined is no
# part of who calls it. -fstandalone-debug: what is in a structure is said even where that looks superfluous.
# -ftrivial-auto-var-init: Clang marks where variables are declared without a value (see _marked).
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
# Comments in the text of IR: that it has been marked, and in front of what would set a variable that nothing sets.
MARKED, UNSET = "; zeroin: marked", "; zeroin: unset "
_AUTO_INIT = re.compile(r'^(!\d+) = !\{!"auto-init"\}$', re.M)
# What the sanitizers of a second build look for: what compilers exploit. The processor finds null pointers and
# divisions by zero. Misaligned accesses, negative numbers that are shifted and the like count where results differ.
# -UNDEBUG: the compiler of the ziglang package takes assertions out where it optimises, which the user did not ask for.
SANITIZERS = ("bool,bounds,builtin,float-cast-overflow,object-size,return,returns-nonnull-attribute,shift-exponent,"
              "signed-integer-overflow,unreachable,vla-bound")  # fmt: skip
_SANITIZED = [*_ALL_BUILDS, "-O2", "-UNDEBUG", "-fno-sanitize=all", f"-fsanitize={SANITIZERS}",
              f"-fsanitize-trap={SANITIZERS}", "-ftrivial-auto-var-init=zero"]  # fmt: skip
# Old C is C too, where several files may define a variable; and a static function that nothing calls is a target like
# any other.
_C_ONLY = shlex.split(
    "-femit-all-decls -fcommon -Wno-error=implicit-function-declaration -Wno-error=implicit-int "
    "-Wno-error=int-conversion -Wno-error=incompatible-pointer-types"
)
_EXTERN_INLINE = re.compile(rb"\bextern\s+(?:__)?inline")
_DISK_FULL = re.compile(r"No space left on device|NoSpaceLeft")


def compiler_for(path: Path, cc: Sequence[str]) -> tuple[list[str], list[str]]:
    """The compiler command for a source file and the user's flags. ``cc`` is the user's ``--cc``: flags, or a
    compiler followed by flags.

    Raises:
        MissingDependency: no compiler: the ziglang wheel is not installed, or the named one not on PATH or not Clang.
    """
    if cc and not cc[0].startswith("-"):
        check_compiler(cc[0])
        return [cc[0]], list(cc[1:])
    return [*_bundled(), "c++" if path.suffix in CXX_SUFFIXES else "cc"], list(cc)


@cache
def _bundled() -> tuple[str, ...]:
    """The command of the ziglang package: its program, without the detour through Python where that is possible."""
    program = _package() / "zig"
    return (str(program),) if os.access(program, os.X_OK) else (sys.executable, "-P", "-m", "ziglang")


def _package() -> Path:
    """The folder of the ziglang package."""
    package = importlib.util.find_spec("ziglang")
    if package is None:
        raise MissingDependency("compiling C needs the ziglang package: pip install 'zeroin[c]'")
    return Path(package.origin or "").parent


def library_flags() -> list[str]:
    """The flags with which the compiler of the ziglang package makes code of ``LIBCXX``."""
    folders = [_package() / "lib" / folder for folder in ("libcxx/src", "libcxxabi/include", "libcxxabi/src")]
    macros = ["-D_LIBCPP_BUILDING_LIBRARY", "-DLIBCXX_BUILDING_LIBCXXABI"]
    return ["-g0", "-std=c++23", *macros, *(f"-I{folder}" for folder in folders)]


def compile_all(paths: Sequence[Path], cc: Sequence[str] = (), sanitized: bool = False) -> list[str]:
    """Compile the files side by side; the IR text of each, in order; if ``sanitized``, with traps where the compiler's
    sanitizers find undefined behaviour.

    Raises:
        TargetError: a file is missing, unreadable or of a kind that is not C, C++ or LLVM IR.
        CompileError: the compiler refused one; carries its message.
        OptionError: a flag can not be honoured.
    """
    for path in paths:
        if not path.is_file():
            raise TargetError(f"{path}: no such file")
        if path.suffix not in SUFFIXES:
            raise TargetError(f"{path}: not a C, C++ or LLVM IR file ({', '.join(sorted(SUFFIXES))})")
    jobs = [_Job(path, cc, sanitized) for path in paths]
    if any(job.text is None for job in jobs):
        with (
            alone([job.place for job in jobs if job.text is None]),
            scratch.folder() as folder,
        ):
            _run(jobs, folder)
    return [job.text or "" for job in jobs]


def compile_ahead(paths: Sequence[Path], cc: Sequence[str]) -> list[threading.Thread]:
    """Compile in threads, which are returned, what a worker that does not run yet will need, unless it is kept: the
    worker finds the result, or waits for it. What goes wrong, it will find, too. Whether C++ needs its library is not
    known yet."""

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
    """The IR texts of ``RUNTIME``, if an earlier process has kept them; this one and its children will not look for
    changes of them."""
    jobs = [_Job(path, cc) for path in RUNTIME]
    texts = {job.command: job.text for job in jobs if job.text is not None}
    if len(texts) < len(RUNTIME):
        return None
    _preloaded.update(texts)
    return list(texts.values())


_preloaded: dict[tuple[str, ...], str] = {}  # by command


def _run(jobs: Sequence[_Job], folder: Path) -> None:
    try:
        for number, job in enumerate(jobs):
            job.start(folder / str(number))
        for job in jobs:
            job.finish()
    finally:
        for job in jobs:
            job.end()


def _for_inline(path: Path) -> list[str]:
    """In C99 ``inline`` alone makes no code of a function, in GNU's C89 ``extern inline`` makes none."""
    text = path.read_bytes()
    return ["-fgnu89-inline"] if b"inline" in text and not _EXTERN_INLINE.search(text) else []


class _Job:
    """One file and the compiler at work on it; its text is there already if it was kept."""

    def __init__(self, path: Path, cc: Sequence[str], sanitized: bool = False) -> None:
        self.path = path
        self.place: Kept | None = None
        self._process: subprocess.Popen[str] | None = None
        if path.suffix in IR_SUFFIXES:
            self.text: str | None = _read_ir(path)
            return
        compiler, flags = compiler_for(path, () if path == LIBCXX else cc)
        flags = used_flags(flags, path.suffix in CXX_SUFFIXES)
        flags = ["-g0", "-fno-common"] if path in RUNTIME else library_flags() if path == LIBCXX else flags
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
            self.place = place_for(path, compiler, flags, made, ours=path in (*RUNTIME, LIBCXX))
            self.text = self.place.read() if self.place else None

    def start(self, output: Path) -> None:
        """Compile, unless another process just has."""
        if self.text is None and self.place is not None:
            self.text = self.place.read()
        if self.text is None:
            self._output = output
            self._process = self._started(self.command)

    def _started(self, command: Sequence[str], keeps: bool = True) -> subprocess.Popen[str]:
        tell = [TELL] if self.place is not None else []
        return subprocess.Popen(
            [*command, *tell, "-o", f"{self._output}.ll"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=_environment(self._output.parent, keeps),
        )  # fmt: skip

    def finish(self) -> None:
        """Wait for the compiler.

        Raises:
            CompileError: it refused the file.
            ZeroinError: the disk is full.
        """
        if self._process is None:
            return
        out, err = self._process.communicate()
        if self._process.returncode != 0 and self._is_cxx and ALL in self.command:
            # A function that nobody uses may be one of which no code can be made here.
            self._process = self._started([flag for flag in self.command if flag != ALL])
            out, err = self._process.communicate()
        if self._process.returncode != 0 and _MARKS in out + err:  # it was made before Clang 16
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
        self.text = needed(text, self.path) if self._is_cxx else text
        if self._has_marks:
            self.text = _marked(self.text)
        self.text = marks(err) + self.text
        if self.place is not None:
            self.place.write(self.text, self.path, err)

    def end(self) -> None:
        if self._process is not None:
            with self._process:  # still runs when an earlier one failed
                self._process.kill()


def _sets_variables(flag: str) -> bool:
    """Whether a flag of the user's has variables set that nothing else sets."""
    return flag.startswith("-ftrivial-auto-var-init=")


def _marked(text: str) -> str:
    """IR in which comments say where a variable is declared without a value; Clang's own instructions there go."""
    found = _AUTO_INIT.search(text)
    if found is not None:
        text = re.sub(rf"^  (.*), !annotation {found[1]}\b.*$", rf"  {UNSET}\1", text, flags=re.M)
    return f"{MARKED}\n{text}"


def _without_noise(output: str) -> str:
    """The compiler's message without the remarks that its driver makes about our own flags."""
    return "\n".join(line for line in output.splitlines() if not line.startswith("zig: warning:")).strip()


def _environment(folder: Path, keeps: bool) -> dict[str, str]:
    """The compiler's environment. Zig keeps a cache of its own if it should, and can: without a folder that can be
    written to it would try for ever to make one."""
    name = "ZIG_GLOBAL_CACHE_DIR"
    can = bool(os.environ.get(name)) or cache_folder("code") is not None
    place = os.environ.get(name) if keeps and can else str(folder / "zig")
    return {**os.environ, name: place} if place else dict(os.environ)


def _read_ir(path: Path) -> str:
    import llvmlite.binding as llvm

    try:
        if path.suffix == ".bc":
            module = llvm.parse_bitcode(path.read_bytes())
        else:
            module = llvm.parse_assembly(path.read_text())
        module.verify()  # bitcode may be read, and be none: a block without an end
    except (RuntimeError, UnicodeDecodeError) as error:
        message = " ".join(str(error).split())
        raise CompileError(f"{path}: not LLVM IR that LLVM {llvm.llvm_version_info[0]} reads", message) from error
    return str(module)
