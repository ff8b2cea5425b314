"""The bundled Clang, as a compiler for emitted tests."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from zeroin.languages.c.front.compile import CXX_SUFFIXES


def build(command: Sequence[str], folder: Path) -> None:
    """Run a compiler's command in a folder. What is C++ is compiled as such and linked with the machine's own C++
    library, for exceptions: Clang's has to be built first (a minute and a half) wherever nobody has."""
    compiler, *rest = command
    if compiler == "c++":
        at = rest.index("-o")
        sources = [word for word in rest if Path(word).suffix in CXX_SUFFIXES]
        assert sources
        assert not any(word.endswith(".c") for word in rest)
        libraries = [word for word in rest if word.startswith("-l")]
        kept = [word for word in [*rest[:at], *rest[at + 2 :]] if word not in (*sources, *libraries)]
        objects = [f"{rest[at + 1]}.{number}.o" for number in range(len(sources))]
        for source, made in zip(sources, objects, strict=True):
            _run(["c++", *kept, "-c", source, "-o", made], folder)
        compiler, rest = "cc", [*objects, "-o", rest[at + 1], *libraries, *_cxx_library()]
    _run([compiler, *rest], folder)


def _cxx_library() -> list[str]:
    """The files of that library, as this process finds them."""
    ctypes.CDLL("libstdc++.so.6")
    return sorted(set(re.findall(r"/\S+/lib(?:stdc\+\+|gcc_s)\.so\S*", Path("/proc/self/maps").read_text())))


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "ziglang", command[0], "-fno-sanitize=all", *command[1:]], cwd=folder,
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr
