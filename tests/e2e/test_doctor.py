"""``zeroin doctor``: it tries everything in earnest, and what is wrong is a line that says what to do."""

from __future__ import annotations

import dataclasses
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from zeroin import Suite, Worker
from zeroin.cli import doctor
from zeroin.cli.doctor import NOTE, OK, PROBLEM, DoctorLine
from zeroin.errors import MissingDependency, WorkerDied

Suites = dict[str, list[Suite]]


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "zeroin", "doctor"], env={**os.environ, **environment},
                          capture_output=True, text=True, timeout=200, check=False)  # fmt: skip


def test_all_is_well_here() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[-1] == "Everything that zeroin needs works."
    assert {line.split()[0] for line in lines[:-2]} <= {OK, NOTE}
    assert any("a function was compiled, run and covered" in line for line in lines)
    assert any("a function was compiled by Numba and run" in line for line in lines)
    assert any(f"packages: numpy {__import__('numpy').__version__}, numba" in line for line in lines)


def test_packages_for_work_on_zeroin_itself_are_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: "")
    lines = [str(line) for line in doctor.packages()]
    assert any("ziglang is not installed" in line for line in lines)
    assert not [line for line in lines if any(name in line for name in ("mkdocs", "twine", "mypy"))]


def test_without_a_place_for_what_is_compiled_there_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "zeroin").write_text("no folder")
    done = run(XDG_CACHE_HOME=str(tmp_path))
    assert done.returncode == 1
    assert "problem  there is no usable cache folder" in done.stdout
    assert "set XDG_CACHE_HOME to a folder" in done.stdout
    assert done.stdout.endswith("There is a problem.\n")


def test_what_is_missing_is_a_note_and_what_fails_a_problem() -> None:
    def raising(error: Exception) -> Callable[[], Iterator[DoctorLine]]:
        def look() -> Iterator[DoctorLine]:
            raise error
            yield

        return look

    missing = MissingDependency("compiling C needs the ziglang package: pip install 'zeroin[c]'")
    assert [*doctor._lines(raising(missing))] == [DoctorLine(NOTE, str(missing))]
    assert [*doctor._lines(raising(WorkerDied("it died")))] == [DoctorLine(PROBLEM, "it died")]
    (line,) = doctor._lines(raising(MemoryError()))
    assert line.state == PROBLEM


def test_another_machine_or_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    (line,) = doctor.python()
    assert line.state == PROBLEM
    assert "zeroin is for Linux on x86_64 and aarch64" in line.text
    for version, state in ((0, NOTE), (-1, NOTE), (1, NOTE), (2, NOTE), (3, OK), (7, OK)):
        monkeypatch.setattr(doctor, "landlock_version", lambda version=version: version)
        assert [line.state for line in doctor.landlock()] == [state]


def test_packages_that_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: "" if name in ("scipy", "cvc5") else "1.0")
    lines = [*doctor.packages()]
    assert [(line.state, line.text) for line in lines[1:]] == [
        (PROBLEM, "scipy is not installed: pip install scipy"),
        (NOTE, "cvc5 is not installed, it is optional: pip install 'zeroin[smt]'"),
    ]
    assert "scipy" not in lines[0].text


def test_too_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "memory_allowed", lambda: 100 << 20)
    (line,) = doctor.memory()
    assert line.state == PROBLEM
    assert "a limit of 100 MB for each process (ulimit -v): a worker process needs 600 MB" in line.text


def test_functions_that_do_not_work_are_problems(covered: Suites, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = dataclasses.replace(covered["c"][0], inputs=[])
    monkeypatch.setattr(doctor, "cover", lambda *_: nothing)
    with Worker() as sandbox:
        assert [line.state for line in doctor.c(sandbox)] == [PROBLEM, OK]
    slow = dataclasses.replace(nothing, engine="interpreted, because f is no number")
    monkeypatch.setattr(doctor, "cover", lambda *_: slow)
    with Worker() as sandbox:
        (line,) = doctor.native(sandbox)
    assert line == DoctorLine(
        PROBLEM, "Python: a function was not compiled by Numba: interpreted, because f is no number"
    )
