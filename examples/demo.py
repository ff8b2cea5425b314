"""``make demo``: cover a function of Python's standard library and one of a C library, and run the tests that come out.

The C function is musl's ``expm1``; its source comes with the ``ziglang`` package, which brings the C compiler anyway.
"""

from __future__ import annotations

import platform
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import ziglang


def main() -> int:
    """Run the demonstration; 0 if the tests that zeroin wrote pass."""
    with tempfile.TemporaryDirectory() as folder:
        return _python(folder) or _c(folder)


def _python(folder: str) -> int:
    target = "fractions:Fraction.limit_denominator"
    print(f"$ zeroin cover {target}\n", flush=True)
    if status := subprocess.call([sys.executable, "-m", "zeroin", "cover", target, "--out", folder]):
        return status
    test = Path(folder) / "test_zeroin_fractions_fraction_limit_denominator.py"
    print(f"\n$ pytest {test.name}", flush=True)
    return subprocess.call(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", folder, str(test)]
    )


def _c(folder: str) -> int:
    musl = Path(ziglang.__file__).parent / "lib" / "libc" / "musl"
    machine = platform.machine()
    folders = [musl / "arch" / "generic", musl / "arch" / machine, musl / "src" / "internal", musl / "src" / "include"]
    flags = [f"-target {machine}-linux-musl", *(f"-I{folder}" for folder in folders)]
    source = musl / "src" / "math" / "expm1.c"
    cover = ["zeroin", "cover", f"{source}:expm1", "--cc", " ".join(flags), "--out", folder]
    print("\n$ zeroin cover musl/src/math/expm1.c:expm1\n", flush=True)
    if subprocess.call([sys.executable, "-m", *cover]) != 0:
        return 1
    return _run_test(Path(folder) / "test_expm1_expm1.c", shlex.split(" ".join(flags)))


def _run_test(test: Path, flags: list[str]) -> int:
    program = test.with_suffix("")
    print(f"\n$ cc {test.name} && ./{program.name}", flush=True)
    options = ["-w", "-fno-builtin", "-ffp-contract=off", "-fno-sanitize=all"]
    clang, object_ = [sys.executable, "-m", "ziglang", "cc"], str(program.with_suffix(".o"))
    commands = [
        [*clang, *options, *flags, "-c", str(test), "-o", object_],
        [*clang, object_, "-o", str(program), "-lm"],
        [str(program)],
    ]
    return next((status for command in commands if (status := subprocess.call(command))), 0)


if __name__ == "__main__":
    sys.exit(main())
