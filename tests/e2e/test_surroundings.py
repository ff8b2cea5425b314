"""A machine that has no room, no streams, few files or few characters: one line says so, and what can be done is."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from zeroin.cli.main import main
from zeroin.cli.streams import Stream

ZEROIN = str(Path(sys.executable).parent / "zeroin")
C = "double f(double x) { return x > 2 ? 1 : 0; }\n"
TEST = "zeroin-out/test_f_f.c"


@dataclass(frozen=True)
class Case:
    """A command of the shell: its exit status, what the one line on stderr says, the files that it leaves."""

    command: str
    status: int
    line: str = ""
    files: tuple[str, ...] = ()


CASES = {
    "full stdout": Case("$ZEROIN cover f.c:f --json r > /dev/full", 2,
                        "zeroin: stdout can not be written to (No space left on device)", (TEST, "r")),
    "full report": Case("$ZEROIN cover f.c:f --json /dev/full", 2,
                        "zeroin: /dev/full: can not be written to (No space left on device)", (TEST,)),
    "full stderr": Case("$ZEROIN show f.c:f f.c:g 2> /dev/full", 2),
    "nobody reads": Case("set -o pipefail; $ZEROIN cover f.c:f 2>&1 | true", 2, "", (TEST,)),
    "stdin and stderr closed": Case("$ZEROIN cover f.c:f <&- 2>&-", 0, "", (TEST,)),
    "all closed": Case("$ZEROIN show f.c:f <&- >&- 2>&-", 2),
    "folder for a report": Case("$ZEROIN cover f.c:f --json .", 2, "zeroin: --json .: can not be written to (Is a dir"),
    "no current folder": Case("mkdir d; cd d; rmdir ../d; $ZEROIN show ../f.c:f", 2, "zeroin: the current folder is"),
    "few open files": Case("ulimit -n 8; $ZEROIN show f.c:f", 2, "Too many open files: allow more open files"),
    "fewer than a job needs": Case("ulimit -n 11; $ZEROIN show f.c:f", 2, "Too many open files: allow more"),
    "little memory": Case("ulimit -v 400000; $ZEROIN show f.c:f", 2, "zeroin: the limit of 390 MB (ulimit -v) is too"),
    "small files": Case("ulimit -f 0; $ZEROIN cover f.c:f", 2, "zeroin: File too large: allow larger files"),
    "no value": Case("$ZEROIN cover f.c:f --seed=--", 2, "zeroin: argument --seed: -- is not a value"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_one_line_says_what_to_do_and_the_rest_is_done(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    (tmp_path / "f.c").write_text(C)
    done = subprocess.run(["bash", "-c", case.command], cwd=tmp_path, env={**os.environ, "ZEROIN": ZEROIN},
                          capture_output=True, text=True, timeout=120, check=False)  # fmt: skip
    assert done.returncode == case.status, done.stderr
    assert len(done.stderr.splitlines()) == bool(case.line), done.stderr
    assert not case.line or done.stderr.startswith("zeroin: ")
    assert case.line in done.stderr
    for file in case.files:
        assert (tmp_path / file).stat().st_size > 100, file


def test_text_that_a_terminal_or_a_file_does_not_know(tmp_path: Path) -> None:
    """Names, messages and sources beyond ASCII, lone surrogates, and a file whose name is no text."""
    source = ("def gr\xf6\xdfe(\xe4: float) -> str:\n    if \xe4 > 2:\n"
              "        raise ValueError('\u2603\\ud800')\n    return ''\n")  # fmt: skip
    path = os.fsencode(tmp_path) + b"/\xff.py"
    Path(os.fsdecode(path)).write_text(source)
    done = subprocess.run([ZEROIN, "cover", path + ":gr\xf6\xdfe".encode(), "--json", "r"], cwd=tmp_path,
                          env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "raises ValueError: \\u2603\\ud800" in done.stdout
    (report,) = json.loads((tmp_path / "r").read_text())["targets"]
    assert {branch["verdict"] for branch in report["branches"]} == {"covered"}
    (test,) = (tmp_path / "zeroin-out").glob("test_*")
    ran = subprocess.run([sys.executable, "-m", "pytest", "-q", test], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def test_other_results_follow_one_that_can_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("f.c").write_text(C)
    Path("g.c").write_text(C)
    (tmp_path / TEST).mkdir(parents=True)  # no file can take its place
    assert main(["cover", "f.c:f", "--evals", "1000"]) == 0
    (second,) = (tmp_path / "zeroin-out").glob("test_f_f_*")
    second.write_text("by hand")
    assert main(["cover", "f.c:f", "g.c:f", "--json", "r", "--evals", "1000"]) == 2
    assert (tmp_path / "zeroin-out" / "test_g_f.c").is_file()
    assert len(json.loads(Path("r").read_text())["targets"]) == 2


def test_what_a_file_does_not_stand_for_is_told(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text("async def fetch(): pass\ndef f(x: float): return x > 2\n")
    (tmp_path / "none.py").write_text("async def fetch(): pass\n")
    done = [subprocess.run([ZEROIN, "show", name], cwd=tmp_path, capture_output=True, text=True, check=False)
            for name in ("some.py", "none.py")]  # fmt: skip
    assert [one.returncode for one in done] == [0, 2]
    assert done[0].stderr == "zeroin: some.py: skipped: fetch (a coroutine)\n"
    assert done[1].stderr == ("zeroin: none.py: defines no function that can be tested; there is "
                              "fetch (a coroutine)\n")  # fmt: skip


def test_a_package_is_all_its_modules(tmp_path: Path) -> None:
    for name, text in {
        "__init__": "def top(x: float): return x > 2\n",
        "__main__": "print('hello')\n",
        "none": "X = 1\n",
        "lacks": "import some_module_that_nobody_has\ndef f(x: float): return x > 2\n",
        "leaves": "import os\nos._exit(3)\n",
        "parts/__init__": "",
        "parts/inner": "async def fetch(): pass\ndef f(x: float):\n    if x > 2 and x < 1: return 1\n",
        "parts/test_inner": "def test_f(): pass\n",
    }.items():  # fmt: skip
        (path := tmp_path / "pack" / f"{name}.py").parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
    done = subprocess.run([ZEROIN, "cover", "pack", "--evals", "1000", "--emit", "none", "--json", "r"],
                          cwd=tmp_path, capture_output=True, text=True, check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:5] == [
        "complete       2 of 2     pack:top",
        "incomplete     3 of 4     pack.parts.inner:f",
        "",
        "inner.py:3: x < 1 true, of f: no input found in 750 evaluations",
        "",
    ]
    assert done.stdout[done.stdout.index("skipped  ") :].splitlines() == [
        "skipped  pack.__main__ (a program: importing it would run it)",
        "skipped  pack.parts.test_inner (tests; covered if they are named)",
        "skipped  pack.lacks (importing it raises ModuleNotFoundError: No module named 'some_module_that_"
        f"nobody_has' (line 1 of {tmp_path}/pack/lacks.py); run zeroin in the environment and the folder that "
        "the module needs)",
        "skipped  pack.leaves (the worker process died while loading it (exit status 3))",
        "skipped  pack.parts.inner:fetch (a coroutine)",
        "",
        "2 functions: 1 complete, 1 incomplete, 5 skipped.",
        "6 branches: 5 covered, 1 undecided (83.3 % decided).",
        "1 branch undecided: the evaluation budget is used up; a larger --evals may decide more.",
    ]
    report = json.loads((tmp_path / "r").read_text())
    assert [one["target"] for one in report["skipped"]] == [
        "pack.__main__", "pack.parts.test_inner", "pack.lacks", "pack.leaves", "pack.parts.inner:fetch"
    ]  # fmt: skip


def test_a_package_without_functions_is_refused(tmp_path: Path) -> None:
    for name in ("__init__", "part"):
        (path := tmp_path / "pack" / f"{name}.py").parent.mkdir(exist_ok=True)
        path.write_text("raise ValueError(3)\n" if name == "part" else "")
    done = subprocess.run([ZEROIN, "cover", "pack"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "zeroin: pack: none of its modules defines a function that can be tested; pack.part: importing it raises "
        f"ValueError: 3 (line 1 of {tmp_path}/pack/part.py); make it importable first\n"
    )


def test_a_stream_writes_what_its_encoding_has(tmp_path: Path) -> None:
    raw = io.BytesIO()
    stream = Stream(io.TextIOWrapper(raw, "latin-1"))
    print("\xe4 \u2603 \udcff", file=stream)
    assert raw.getvalue() == b"\xe4 \\u2603 \\udcff\n"
    assert stream.error is None


def test_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(C)
    environment = {**os.environ, "XDG_CACHE_HOME": "/proc"}
    code = "from pathlib import Path; from zeroin.languages.c.front.compile import compile_all; "
    code += "print('fcmp' in compile_all([Path('f.c')])[0])"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True,
                          timeout=120, check=False)  # fmt: skip
    assert done.stdout == "True\n", done.stderr


def test_a_file_may_have_the_name_of_a_module_that_zeroin_imports(tmp_path: Path) -> None:
    decoy = tmp_path / "ran"
    (tmp_path / "shlex.py").write_text(f"open({str(decoy)!r}, 'w')\n")
    (tmp_path / "f.c").write_text(C)
    done = subprocess.run([sys.executable, "-m", "zeroin", "cover", "f.c:f", "--emit", "none"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert (done.returncode, "2 covered by" in done.stdout) == (0, True), done.stderr
    assert not decoy.exists()
