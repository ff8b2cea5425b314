"""Where the libraries come from: PyPI, by version and checked by sha256; musl is a part of the ziglang wheel."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from zeroin import ZeroinError

_WORK = Path(__file__).with_name("work")
_SHA256 = {
    "pyerfa==2.0.1.5": "17d6b24fe4846c65d5e7d8c362dcb08199dc63b30a236aedd73875cc83e1f6c0",
    "geographiclib==2.0": "6b7225248e45ff7edcee32becc4e0a1504c606ac5ee163a5656d482e0cd38734",
    "utm==0.7.0": "3c9a3650e98bb6eecec535418d0dfd4db8f88c8ceaca112a0ff0787e116566e2",
    "ziglang==0.13.0": "3ce0c9f16547e5d61b32e0d226926e9a2552ef4b91fccf7ab5ea1a623a77824b",
}
_SOURCE_ONLY = ("pyerfa", "utm")
_PLATFORM = {"ziglang": "manylinux_2_12_x86_64"}  # whatever this machine is
_WANTED = {"ziglang": ("ziglang/lib/libc/musl/", "ziglang/lib/libc/include/")}


def fetch(name: str) -> Path:
    """The folder of an unpacked distribution, of which there is one version.

    Raises:
        ZeroinError: pip can not download it, or it is another one.
    """
    requirement = next(known for known in _SHA256 if known.startswith(f"{name}=="))
    place = _WORK / requirement
    if not place.exists():
        archive = _download(requirement, name)
        fresh = place.with_suffix(".fresh")
        shutil.rmtree(fresh, ignore_errors=True)
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as opened:
                wanted = [member for member in opened.namelist() if member.startswith(_WANTED.get(name, ""))]
                opened.extractall(fresh, wanted)
        else:
            with tarfile.open(archive) as opened_tar:
                opened_tar.extractall(fresh, filter="data")
        fresh.rename(place)
    return place


def _download(requirement: str, name: str) -> Path:
    folder = _WORK / "downloads" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    kind = ["--no-binary", name] if name in _SOURCE_ONLY else ["--only-binary", name]
    kind += ["--platform", _PLATFORM[name]] if name in _PLATFORM else []
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *kind, "-d", str(folder), requirement]
    done = subprocess.run(command, capture_output=True, text=True)
    found = [*folder.iterdir()]
    if done.returncode or len(found) != 1:
        raise ZeroinError(f"{requirement} can not be downloaded; to see why: {' '.join(command)}")
    if hashlib.sha256(found[0].read_bytes()).hexdigest() != _SHA256[requirement]:
        raise ZeroinError(f"{requirement}: {found[0].name} is not the file that the benchmark is about")
    return found[0]


def musl(package: Path | None = None) -> tuple[Path, tuple[str, ...]]:
    """The folder of its mathematics, and the flags to compile that.

    Args:
        package: the folder of ziglang; of the one that is installed, which lacks what Zig has of its own by now, if not
            given.

    Raises:
        ZeroinError: ziglang is not installed.
    """
    library = (package or _installed()) / "lib" / "libc"
    folders = [library / "musl" / part for part in ("src/include", "src/internal", "arch/x86_64", "arch/generic")]
    folders += [library / "include" / part for part in ("x86_64-linux-musl", "generic-musl")]
    return library / "musl" / "src" / "math", (*(f"-I{folder}" for folder in folders), "-D_XOPEN_SOURCE=700")


def _installed() -> Path:
    package = importlib.util.find_spec("ziglang")
    if package is None or package.origin is None:
        raise ZeroinError("musl's sources come with ziglang: pip install 'zeroin[c]'")
    return Path(package.origin).parent
