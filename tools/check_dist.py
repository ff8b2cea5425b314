"""Check the wheel and the sdist in a folder, as ``make dist`` does: ``python tools/check_dist.py dist``.

1. The sdist has every file that git tracks, except for hidden ones. The wheel has every file of ``src/zeroin``.
   Neither has more than that.
2. ``CHANGELOG.md`` has a section with a date for the version.
3. The README's commands work outside of the repository: a new environment gets the wheel, as each ``pip install`` of
   the README says. Then each command runs, and prints what the README shows.

In step 3, ``PATH`` has only the new environment. So no compiler of this machine helps.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_GENERATED = re.compile(r"PKG-INFO|setup\.cfg|src/zeroin\.egg-info/.*")  # files that only the sdist has
_TIMES = re.compile(r"\d+\.\d+ s\b|\(\d+\.\d+ M/s\)")


def main(folder: Path) -> None:
    """Make all checks; end the process with a message if one fails.

    Args:
        folder: holds one wheel and one sdist.
    """
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    check_files(wheel, sdist)
    check_changelog(wheel.name.split("-")[1], (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="zeroin-dist-") as place:
        check_readme(wheel.resolve(), Path(place))
    print(f"{wheel.name} and {sdist.name} are complete, and the README's commands work with the wheel.")


def check_files(wheel: Path, sdist: Path) -> None:
    """Compare the files of the wheel and of the sdist with those that git tracks."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    tracked = {name for name in listed.split("\0") if name and not name.startswith(".")}
    with tarfile.open(sdist) as archive:
        names = {one.name.partition("/")[2] for one in archive if one.isfile()}
    _same(sdist.name, {name for name in names if not _GENERATED.fullmatch(name)}, tracked)
    with zipfile.ZipFile(wheel) as contents:
        packed = {name for name in contents.namelist() if ".dist-info/" not in name}
    _same(wheel.name, packed, {name.removeprefix("src/") for name in tracked if name.startswith("src/zeroin/")})


def _same(archive: str, names: set[str], expected: set[str]) -> None:
    missing, extra = sorted(expected - names), sorted(names - expected)
    if missing or extra:
        sys.exit(f"{archive} lacks {missing or 'nothing'}, and has {extra or 'nothing'} that git does not track.")


def check_changelog(version: str, changelog: str) -> None:
    """Check that a version which is no development version has a section with a date."""
    if ".dev" not in version and not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.M):
        sys.exit(f'CHANGELOG.md has no section "## [{version}] - YYYY-MM-DD".')


def check_readme(wheel: Path, place: Path) -> None:
    """Install the wheel as the README says, and run the README's commands.

    Args:
        wheel: the absolute path of the wheel.
        place: an empty folder. It gets the environment, and a copy of the examples that the README uses.
    """
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    bin_ = place / "venv" / "bin"
    venv.create(place / "venv", with_pip=True)
    shutil.copytree(ROOT / "examples", place / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment = {"PIP_CACHE_DIR": str(Path.home() / ".cache" / "pip"), **kept, "PATH": str(bin_),
                   "XDG_CACHE_HOME": str(place / "cache")}  # fmt: skip

    def run(command: str, statuses: Iterable[int] = (0,)) -> str:
        """Run a command in the place, and return what it writes to stdout."""
        print(f"$ {command}", flush=True)
        name, *arguments = shlex.split(command)
        program = [str(bin_ / name), *arguments]
        result = subprocess.run(program, cwd=place, env=environment, stdout=subprocess.PIPE, text=True)
        if result.returncode not in statuses:
            sys.exit(f"{result.stdout}\nThe command above ends with status {result.returncode}.")
        return result.stdout

    requirements, shown_commands = re.findall(r"`pip install ([^`]+)`", readme), [*commands(readme)]
    if not requirements or not shown_commands:
        sys.exit("README.md shows no command that installs zeroin, or none that runs it.")
    for requirement in requirements:
        extras = shlex.split(requirement)[0].removeprefix("zeroin")
        run(f"pip install --quiet --only-binary :all: '{wheel}{extras}'")
        run("zeroin doctor")
    for command, shown in shown_commands:
        printed = run(command, statuses=(0, 1))  # 1: the example has a finding
        if shown and _comparable(printed) != _comparable(shown):
            sys.exit("\n".join(difflib.ndiff(_comparable(shown), _comparable(printed))))
    for name, options in described(readme):
        text = run(f"zeroin {name} --help")
        if unknown := [option for option in options if option not in text]:
            sys.exit(f"README.md: zeroin {name} has no option {', '.join(unknown)}.")
    run("pytest -q zeroin-out")


def commands(readme: str) -> Iterator[tuple[str, str]]:
    """Yield the README's commands of zeroin that can be run as they stand, each with the output that it shows.

    These are the lines ``$ zeroin ...`` of blocks, and the commands in a sentence. Those have no output.
    """
    for block in re.findall(r"^```\w*\n(.*?)^```", readme, re.M | re.S):
        for command, shown in re.findall(r"^\$ (zeroin .*)\n((?:(?!\$ ).*\n)*)", block, re.M):
            yield command, shown
    for command in re.findall(r"`(zeroin [^`]+)`", readme):
        yield command, ""


def described(readme: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the commands of the README's table, such as ``zeroin reach TARGET --line N``, with their options."""
    for name, usage in re.findall(r"^ {4}zeroin (\w+)(.*?)(?: {3}.*)?$", readme, re.M):
        yield name, re.findall(r"(?<!\S)--?[a-z-]+", usage)


def _comparable(text: str) -> list[str]:
    """Return the lines of an output, without times and speeds."""
    return [_TIMES.sub("N", line).rstrip() for line in text.strip().splitlines()]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
