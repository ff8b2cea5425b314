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
    "astral==3.2": "cb7b49a3f0d4c64ae666be131276d2a3226134c598db10e672028cf8ff855f83",
    "chemicals==1.5.2": "f85ef7f36e77fee634686c26562929ee61026cd548d89cebd57b2251ca843d6e",
    "convertdate==2.5.1": "f78f2c06d27825e6926aa14b2824845b7aeacbfbe426e8097681f160b12bb724",
    "fluids==1.3.1": "d9097efe57c910ac14b89a1984d5e7062ee9df1afc84e089d944fdd85404e361",
    "geopy==2.5.0": "8ad8cc226b505ca4d272ae9a2eeba08b8a2c565fc9a04eaefc33ad49c32b51aa",
    "haversine==2.9.0": "d32031b6b4232e37764730a781a3b8cb248710f92aca6f553b8097524420754d",
    "humanize==4.17.0": "02d0899527760efe18011944f882df4970943b4cdff7b5a0ba7fed43a576ef98",
    "isodate==0.7.2": "28009937d8031054830160fce6d409ed342816b543597cece116d966c6d99e15",
    "numpy_financial==1.0.0": "bae534b357516f12258862d1f0181d911032d0467f215bfcd1c264b4da579047",
    "pygeodesy==26.10.26": "41ed7a02184025e3cb1d50484213b6f0e7b256954631fb61fd7b62be52e8f94b",
    "PyMeeus==0.5.12": "548f7186bd8b96cbc069cf649a8e8e377dce49ac74486709849fe63a99cad684",
    "webcolors==25.10.0": "032c727334856fc0b968f63daa252a1ac93d33db2f5267756623c210e57a4f1d",
    "ziglang==0.13.0": "3ce0c9f16547e5d61b32e0d226926e9a2552ef4b91fccf7ab5ea1a623a77824b",
}
_SOURCE_ONLY = ("pyerfa", "utm", "PyMeeus")
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
                if hasattr(tarfile, "data_filter"):  # since 3.11.4
                    opened_tar.extraction_filter = tarfile.data_filter
                opened_tar.extractall(fresh)
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
