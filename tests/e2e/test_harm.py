"""Subjects that would harm the user: nothing happens, and each attempt is a finding."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SUBJECTS = Path(__file__).parents[1] / "subjects"
ZEROIN = str(Path(sys.executable).parent / "zeroin")

PYTHON = {
    "cleanup": "tries to delete a file: os.remove 'a",
    "deletes": "tries to delete a file: os.remove '/",
    "swallows": "tries to delete a file: os.remove '/",
    "loops": "tries to delete a file: os.remove '/",
    "raises_after": "tries to delete a file: os.remove '/",
    "deletes_tree": "tries to remove a folder: shutil.rmtree 'notes'",
    "deletes_later": "tries to delete a file: os.remove '/",
    "renames": "tries to rename a file: os.rename '/",
    "overwrites": "tries to write a file: open '../",
    "truncates": "tries to change a file: os.truncate '/",
    "hides": "tries to change a file: os.chmod '/",
    "follows_link": "tries to write a file: open 'link'",
    "links": "tries to make a link: os.link '/",
    "litters": "tries to change a file: os.utime '/",
    "makes_folder": "tries to make a folder: os.mkdir '/",
    "makes_pipe": "tries to make a file: os.mkfifo '/",
    "opens_database": "tries to open a database: sqlite3.connect '/",
    "runs": "tries to run a program: subprocess.Popen ['touch', ",
    "calls_shell": "tries to run a program: os.system \"touch '",
    "spawns": "tries to run a program: os.posix_spawn '/bin/sh'",
    "multiplies": "tries to run a program: _posixsubprocess.fork_exec [",
    "forks": "tries to start a process: os.fork",
    "kills": "tries to signal other processes: os.kill 9",
    "connects": "tries to use the network: socket.getaddrinfo '127.0.0.1'",
}
C = {
    "deletes": "tries to delete a file: unlink '/",
    "deletes_there": "tries to delete a file: unlink 'keep.txt'",
    "removes": "tries to delete a file: remove '/",
    "removes_below": "tries to delete a file: unlinkat 'keep.txt'",
    "through_pointer": "tries to delete a file: unlink '/",
    "renames": "tries to rename a file: rename '/",
    "overwrites": "tries to write a file: fopen '/",
    "climbs": "tries to write a file: open '../",
    "truncates": "tries to change a file: truncate '/",
    "hides": "tries to change a file: chmod '/",
    "follows_link": "tries to write a file: creat 'link'",
    "follows_new_link": "tries to write a file: creat 'link'",
    "links": "tries to make a link: link '/",
    "litters": "tries to write a file: open '/",
    "makes_folder": "tries to make a folder: mkdir '/",
    "calls_shell": "tries to run a program: system 'touch ",
    "pipes": "tries to run a program: popen 'touch ",
    "becomes": "tries to run a program: execl '/bin/sh'",
    "spawns": "tries to run a program: posix_spawn '/bin/sh'",
    "forks": "tries to start a process: fork",
    "kills": "tries to signal other processes: kill",
    "connects": "tries to use the network: socket",
    "shares": "tries to share memory with other processes: shm_open '/zeroin-shared'",
    "shares_key": "tries to share memory with other processes: shmget",
}

Report = dict[str, Any]


class Home:
    """A folder with files that are dear to somebody, and a folder for temporary files."""

    def __init__(self, place: Path, *sources: Path) -> None:
        self.cc = f"--cc=-DHERE='\"{place / 'home'}\"'"
        self.folder, self.temporary = place / "home", place / "temporary"
        (self.folder / "notes").mkdir(parents=True)
        self.temporary.mkdir()
        for name in ("keep.txt", "aaa", "notes/more.txt"):
            (self.folder / name).write_text("dear")
        for source in sources:
            (self.folder / source.name).write_bytes(source.read_bytes())
        self._before = self._content()

    def zeroin(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        command = [ZEROIN, "cover", self.cc, *map(str, arguments)]
        return subprocess.run(command, cwd=self.folder, env=environment, text=True, capture_output=True, timeout=200,
                              stdin=subprocess.DEVNULL)  # fmt: skip

    def _content(self) -> dict[str, tuple[int, bytes]]:
        paths = [path for path in self.folder.rglob("*") if "zeroin-out" not in path.parts]
        return {str(path): (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"") for path in paths}

    @property
    def is_unharmed(self) -> bool:
        assert self._content() == self._before
        assert list(self.temporary.iterdir()) == []
        return True


@pytest.fixture(scope="module", params=["python", "c"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def home(language: str, tmp_path_factory: pytest.TempPathFactory) -> Home:
    suffix = {"python": "py", "c": "c"}[language]
    return Home(tmp_path_factory.mktemp("harm"), SUBJECTS / language / f"harmful.{suffix}")


@pytest.fixture(scope="module")
def done(language: str, home: Home) -> subprocess.CompletedProcess[str]:
    """All functions of the file, covered."""
    names = [*({"python": PYTHON, "c": C}[language]), "reads", "writes", *ALLOWED[language]]
    source = f"harmful.{'py' if language == 'python' else 'c'}"
    return home.zeroin(*(f"{source}:{name}" for name in names), "--evals", 1500, "--jobs", 2, "--json", "-")


ALLOWED = {"python": ["prints"], "c": ["deletes_own"]}


@pytest.fixture(scope="module")
def targets(done: subprocess.CompletedProcess[str]) -> dict[str, Report]:
    return {target["target"].rpartition(":")[2]: target for target in json.loads(done.stdout)["targets"]}


def test_nothing_is_harmed(home: Home, done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 1, done.stderr
    assert home.is_unharmed


def test_attempts_are_findings(language: str, targets: dict[str, Report]) -> None:
    for name, message in {"python": PYTHON, "c": C}[language].items():
        found = [f for f in targets[name]["findings"] if f["kind"] == "forbidden"]
        assert found, name
        assert found[0]["message"].startswith(message)
        kept = targets[name]["inputs"][found[0]["input"]]
        assert kept["outcome"] == "forbidden"
        assert kept["message"] == found[0]["message"]
        assert kept["result"] is None


def test_what_does_no_harm_is_no_finding(language: str, targets: dict[str, Report]) -> None:
    for name in ("reads", "writes", *ALLOWED[language]):
        assert targets[name]["findings"] == [], name
        assert {branch["verdict"] for branch in targets[name]["branches"]} == {"covered"}, name


def test_every_input_starts_in_an_empty_folder(language: str, targets: dict[str, Report]) -> None:
    results = {str(kept["result"]) for kept in targets["writes"]["inputs"]}
    assert results == {"python": {"['\"full\"']", "[]"}, "c": {"0", "10"}}[language]


def test_no_test_does_what_was_forbidden(language: str, home: Home, done: subprocess.CompletedProcess[str]) -> None:
    tests = home.folder / "zeroin-out"
    if language == "python":
        (test,) = tests.glob("test_zeroin_harmful_*.py")
        text = test.read_text()
        assert "\n# - overwrites(" in text.partition("# Inputs without a test:\n")[2]
        command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "zeroin-out"]
        run = subprocess.run(command, cwd=home.folder, capture_output=True, text=True)
        assert run.returncode == 0, run.stdout
    else:
        (test,) = tests.glob("test_harmful_*.c")
        text = test.read_text()
        assert "Not tested: overwrites(" in text
    assert len(re.findall(r"overwrites\([^\n]*(\n \* )?[^\n]*tries to write a file", text)) == 1
    assert home.is_unharmed


def test_measuring_does_no_harm_either(language: str, tmp_path: Path) -> None:
    source = SUBJECTS / language / f"harmful.{'py' if language == 'python' else 'c'}"
    home = Home(tmp_path, source)
    judge = {"python": "coverage", "c": "gcov"}[language]
    targets = [f"{source.name}:{name}" for name in ("overwrites", "writes")]
    done = home.zeroin(*targets, "--evals", 1500, "--measure", judge)
    assert done.returncode == 1, done.stderr
    assert re.search(r"^forbidden  (\S+: )?(#\d+ )?overwrites\(", done.stdout, re.M)
    assert "tests fail" not in done.stdout
    assert home.is_unharmed


def test_permissions(language: str, tmp_path: Path) -> None:
    source = SUBJECTS / language / f"harmful.{'py' if language == 'python' else 'c'}"
    home = Home(tmp_path, source)
    targets = [f"{source.name}:{name}" for name in ("overwrites", "calls_shell")]
    done = home.zeroin(*targets, "--evals", 1500, "--allow", "files", "--emit", "none")
    assert not re.search(r"^forbidden .* overwrites\(", done.stdout, re.M)
    assert re.search(r"^forbidden  (\S+: )?(#\d+ )?calls_shell\(", done.stdout, re.M)
    assert (home.folder / "keep.txt").read_text() != "dear"
    assert not (home.folder / "marker").exists()
    done = home.zeroin(targets[1], "--evals", 100, "--allow", "files,processes", "--emit", "none")
    assert "forbidden" not in done.stdout
    assert (home.folder / "marker").exists()
    done = home.zeroin(f"{source.name}:kills", "--allow", "everything")
    assert (done.returncode, done.stderr) == (2, "zeroin: --allow everything: choose from files, network, processes\n")


IMPORTED = """\
import os
from pathlib import Path
{statement}
DATA = Path("keep.txt").read_text()
def f(x: int):
    return DATA if x > 3 else ""
"""


def test_imports_may_read_but_do_no_harm(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(IMPORTED.format(statement=""))
    home = Home(tmp_path / "again", module)
    done = home.zeroin("module.py:f", "--evals", 1000, "--emit", "none")
    assert (done.returncode, "= 'dear'" in done.stdout or '= "dear"' in done.stdout) == (0, True), done.stderr
    assert home.is_unharmed
    module.write_text(IMPORTED.format(statement="os.remove('keep.txt')"))
    home = Home(tmp_path / "harm", module)
    done = home.zeroin("module.py:f")
    assert done.returncode == 2
    assert "importing it raises Denied: tries to delete a file: os.remove 'keep.txt'" in done.stderr
    assert "--allow" in done.stderr
    assert home.is_unharmed
