"""``make demo``: cover a real libm function, show its branches, and run the C test that was written.

The function is musl's ``expm1``; its source comes with the ``ziglang`` package, which brings the C compiler anyway.
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
    """Run the demonstration; 0 if the test that zeroin wrote passes."""
    musl = Path(ziglang.__file__).parent / "lib" / "libc" / "musl"
    machine = platform.machine()
    folders = [musl / "arch" / "generic", musl / "arch" / machine, musl / "src" / "internal", musl / "src" / "include"]
    flags = [f"-target {machine}-linux-musl", *(f"-I{folder}" for folder in folders)]
    source = musl / "src" / "math" / "expm1.c"
    with tempfile.TemporaryDirectory() as folder:
        cover = ["zeroin", "cover", f"{source}:expm1", "--cc", " ".join(flags), "--out", folder]
        print("$ zeroin cover musl/src/math/expm1.c:expm1\n", flush=True)
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
