"""The user's compiler flags: keep those that change the meaning of a source, drop or refuse the others."""

from __future__ import annotations

import platform
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from ....errors import MissingDependency, OptionError

# Flags about other output, optimisation, linking, instrumentation and warnings.
_OF_NO_USE = re.compile(
    r"-M(?:[DMGP]|MD|[FTQJ].+)?|-o.+|-[cSEs]|-emit-llvm|-fsyntax-only|-pipe|-save-temps\S*|-g(?!cc-)\S*|-O\S*|-Werror\S*|-pedantic-errors|-w|"
    r"-f(?:no-)?(?:profile|coverage|test-coverage|lto|fat-lto|sanitize-|stack-protector|omit-frame-pointer)\S*|"
    r"-fno-sanitize\S*|--coverage|-Wl,\S*|-[lL].*|-shared|-static\S*|-rdynamic"
)
_OF_NO_USE_WITH_ARGUMENT = ("-o", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-l", "-L")
_REFUSED = {
    r"-fsanitize=.*": "sanitizers can not be used",
    r"-m(?:16|32|x32)|-arch": "code for another machine can not be run here",
}
_WITH_ARGUMENT = ("-I", "-D", "-U", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "-x",
                  "-Xclang", "-Xpreprocessor", "-mllvm", "--param")  # fmt: skip
_MAYBE_GCC = re.compile(r"(?:.*-)?(?:gcc|g\+\+|cc|c\+\+)(?:-[\d.]+)?")


def used_flags(flags: Sequence[str], cxx: bool) -> list[str]:
    """Return the flags that change the meaning of a source.

    Args:
        flags: the user's flags.
        cxx: whether the source is C++; ``-std`` flags for the other language are dropped.

    Raises:
        OptionError: a flag is not supported, is no flag, or names a file of flags that can not be read.
    """
    used, rest = [], list(expanded(flags))
    while rest:
        flag = rest.pop(0)
        for refused, why in _REFUSED.items():
            if re.fullmatch(refused, flag):
                raise OptionError(f"--cc {flag}: {why}; leave it out")
        if not flag.startswith("-"):
            raise OptionError(f"--cc: {flag!r} is not a flag; name other source files with --with FILE")
        if flag in ("-target", "--target"):
            flag = f"--target={''.join(rest[:1])}"
            rest = rest[1:]
        if flag.startswith("--target=") and not is_here(flag.removeprefix("--target=")):
            raise OptionError(f"--cc {flag}: code for another machine can not be run here; leave it out")
        if flag in _OF_NO_USE_WITH_ARGUMENT:
            rest = rest[1:]
        elif flag in _WITH_ARGUMENT:
            used += [flag, *rest[:1]]
            rest = rest[1:]
        elif flag == "-Ofast":
            used.append("-ffast-math")
        elif flag.startswith("-std=") and ("++" in flag) != cxx:
            continue
        elif not _OF_NO_USE.fullmatch(flag):
            used.append(flag)
    return used


def is_of_no_use(flag: str) -> bool:
    """Whether a flag does not change the meaning of a source, so it is dropped silently.

    ``-o`` and ``-MF`` in front of a separate argument do not count.
    """
    return _OF_NO_USE.fullmatch(flag) is not None


def is_here(target: str) -> bool:
    """Whether this machine runs code for a target triple such as ``x86_64-linux-musl``; any C library is accepted."""
    machine, _, system = target.partition("-")
    return machine in (platform.machine(), "native") and "linux" in (system or "linux")


def expanded(flags: Sequence[str]) -> Iterator[str]:
    """Yield the flags, with each ``@FILE`` replaced by the flags in that file, which may name further files.

    Raises:
        OptionError: a file can not be read.
    """
    for flag in flags:
        if not flag.startswith("@"):
            yield flag
            continue
        try:
            yield from expanded(shlex.split(Path(flag[1:]).read_text()))
        except (OSError, ValueError, RecursionError) as error:
            raise OptionError(f"--cc {flag}: can not be read ({error})") from error


@cache
def check_compiler(name: str) -> None:
    """Check that a compiler exists and is Clang. A name that passed is not checked again.

    Only a compiler with a name such as ``gcc`` or ``c++`` is run to find out; any other name is taken for Clang.

    Raises:
        MissingDependency: it does not, or is another compiler, which can not make LLVM IR.
    """
    found = shutil.which(name)
    if found is None:
        raise MissingDependency(f"--cc: no compiler {name!r} on PATH; leave the name out to use the bundled Clang")
    if not _MAYBE_GCC.fullmatch(Path(name).name):
        return
    said = subprocess.run([found, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if "clang" not in said.stdout.lower():
        raise MissingDependency(f"--cc {name}: is not Clang, and only Clang makes LLVM IR; leave the name out to use "
                                "the bundled Clang with the same flags")  # fmt: skip


def wraps(flags: Sequence[str]) -> bool:
    """Whether the flags define signed integer overflow as wrapping; the last such flag counts, False without one."""
    said = {"-fwrapv": True, "-fno-strict-overflow": True, "-fno-wrapv": False, "-fstrict-overflow": False}
    return next((said[flag] for flag in reversed(flags) if flag in said), False)
