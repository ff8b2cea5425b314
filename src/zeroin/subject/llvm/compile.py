"""From source files to LLVM IR text, with the Clang inside the ``ziglang`` wheel or one that the user names."""

from __future__ import annotations

import importlib.util
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ...errors import CompileError, MissingDependency, TargetError

C_SUFFIXES = {".c"}
CXX_SUFFIXES = {".cc", ".cpp", ".cxx", ".c++", ".C"}
IR_SUFFIXES = {".ll", ".bc"}
SUFFIXES = C_SUFFIXES | CXX_SUFFIXES | IR_SUFFIXES

RUNTIME = Path(__file__).with_name("runtime.c")

# -ffp-contract=off, -fwrapv, -fno-delete-null-pointer-checks: the compiled code must mean what the source says at every
# optimisation level, and a null pointer that is followed must crash.
_FLAGS = shlex.split(
    "-S -emit-llvm -O0 -Xclang -disable-O0-optnone -g -fno-sanitize=all -ffp-contract=off -fno-builtin "
    "-fno-strict-aliasing -fwrapv -fno-delete-null-pointer-checks -fno-stack-protector "
    "-fno-semantic-interposition -fomit-frame-pointer"
)
# Old C is C too; and a static function that nothing calls is a target like any other.
_C_ONLY = shlex.split(
    "-femit-all-decls -Wno-error=implicit-function-declaration -Wno-error=implicit-int -Wno-error=int-conversion "
    "-Wno-error=incompatible-pointer-types"
)


def compiler_for(path: Path, cc: Sequence[str]) -> tuple[list[str], list[str]]:
    """The compiler command for a source file and the user's flags. ``cc`` is the user's ``--cc``: flags, or a
    compiler followed by flags.

    Raises:
        MissingDependency: no compiler: the ziglang wheel is not installed, or the named one is not on PATH.
    """
    if cc and not cc[0].startswith("-"):
        if shutil.which(cc[0]) is None:
            raise MissingDependency(f"--cc: no compiler {cc[0]!r} on PATH; leave the name out to use the bundled Clang")
        return [cc[0]], list(cc[1:])
    if importlib.util.find_spec("ziglang") is None:
        raise MissingDependency("compiling C needs the ziglang package: pip install 'zeroin[c]'")
    return [sys.executable, "-m", "ziglang", "c++" if path.suffix in CXX_SUFFIXES else "cc"], list(cc)


def compile_all(paths: Sequence[Path], cc: Sequence[str] = ()) -> list[str]:
    """Compile the files side by side; the IR text of each, in order.

    Raises:
        TargetError: a file is missing, unreadable or of a kind that is not C, C++ or LLVM IR.
        CompileError: the compiler refused one; carries its message.
    """
    for path in paths:
        if not path.is_file():
            raise TargetError(f"{path}: no such file")
        if path.suffix not in SUFFIXES:
            raise TargetError(f"{path}: not a C, C++ or LLVM IR file ({', '.join(sorted(SUFFIXES))})")
    with tempfile.TemporaryDirectory(prefix="zeroin-") as folder:
        jobs = [_start(path, cc, Path(folder) / f"{number}.ll") for number, path in enumerate(paths)]
        try:
            return [
                _finish(path, job, Path(folder) / f"{number}.ll")
                for number, (path, job) in enumerate(zip(paths, jobs, strict=True))
            ]
        finally:
            for job in jobs:
                if job is not None:
                    with job:  # still runs when an earlier one failed
                        job.kill()


def _start(path: Path, cc: Sequence[str], output: Path) -> subprocess.Popen[str] | None:
    if path.suffix in IR_SUFFIXES:
        return None
    compiler, flags = compiler_for(path, cc)
    flags = [] if path == RUNTIME else flags
    lenient = _C_ONLY if path.suffix in C_SUFFIXES else []
    command = [*compiler, *_FLAGS, *lenient, *flags, str(path.absolute()), "-o", str(output)]
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _finish(path: Path, job: subprocess.Popen[str] | None, output: Path) -> str:
    if job is None:
        return _read_ir(path)
    out, err = job.communicate()
    if job.returncode != 0 or not output.exists():
        raise CompileError(f"{path}: does not compile", _without_noise(out + err))
    return output.read_text(errors="surrogateescape")


def _without_noise(output: str) -> str:
    """The compiler's message without the remarks that its driver makes about our own flags."""
    return "\n".join(line for line in output.splitlines() if not line.startswith("zig: warning:")).strip()


def _read_ir(path: Path) -> str:
    import llvmlite.binding as llvm

    try:
        if path.suffix == ".bc":
            module = llvm.parse_bitcode(path.read_bytes())
        else:
            module = llvm.parse_assembly(path.read_text())
    except (RuntimeError, UnicodeDecodeError) as error:
        message = " ".join(str(error).split())
        raise CompileError(f"{path}: not LLVM IR that LLVM {llvm.llvm_version_info[0]} reads", message) from error
    return str(module)
