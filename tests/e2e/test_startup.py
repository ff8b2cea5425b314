"""What a run loads, and what it does when the compiled kernels are not as they should be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

from zeroin import cache
from zeroin.worker.job import compile_kernels, prepare

EXAMPLES = Path(__file__).parents[2] / "examples"
TARGETS = [f"{EXAMPLES}/kepler.c:solve", f"{EXAMPLES}/orbit.py:solve_kepler"]
HEAVY = ("numpy", "numba", "llvmlite", "scipy")


def cover(target: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process that says at its end what it has imported."""
    script = (f"import sys; from zeroin.cli.main import main; main(['cover', {target!r}, '--emit', 'none']); "
              f"print(*(m for m in {HEAVY} if m in sys.modules), file=sys.stderr)")  # fmt: skip
    return subprocess.run([sys.executable, "-P", "-c", script], env={**os.environ, **environment}, capture_output=True,
                          text=True, timeout=200, check=True)  # fmt: skip


def table(output: str) -> list[str]:
    """Return the table of branches. How many inputs the search for faults adds depends on the machine's load."""
    return [line for line in output.splitlines() if "|" in line]


@pytest.fixture(scope="module")
def warm() -> None:
    prepare()
    compile_kernels(lambda: None, lambda: None)


@pytest.mark.parametrize("target", TARGETS, ids=["c", "python"])
def test_a_warm_run_imports_no_numba_and_the_parent_no_numpy(target: str, warm: None, tmp_path: Path) -> None:
    expected = cover(target)
    version = Path(numba.__file__).with_name("_version.py")
    (tmp_path / "numba").mkdir()
    shutil.copy(version, tmp_path / "numba")  # the cache belongs to it
    (tmp_path / "numba" / "__init__.py").write_text(f"open({str(tmp_path / 'imported')!r}, 'w').close()\n1 / 0\n")
    result = cover(target, PYTHONPATH=str(tmp_path))
    assert table(result.stdout) == table(expected.stdout) != []
    assert not (tmp_path / "imported").exists()
    assert result.stderr.splitlines()[-1].strip() == ""


def truncated(content: bytes) -> bytes:
    return content[:-9]


def changed(content: bytes) -> bytes:
    return content[:40] + b"x" + content[41:]


def emptied(content: bytes) -> bytes:
    return b""


def test_damaged_kernels_are_compiled_again(warm: None, tmp_path: Path) -> None:
    place = cache.kernels()
    assert place is not None
    copy = tmp_path / "zeroin" / "kernels" / place.name
    shutil.copytree(place, copy)
    files = sorted(copy.glob("zeroin_*"))
    assert len(files) > 10
    expected = table(cover(TARGETS[0]).stdout)
    for damages in ((emptied,), (truncated, changed, emptied)):
        for number, file in enumerate(files):
            file.write_bytes(damages[number % len(damages)](file.read_bytes()))
            assert cache.read(file) is None
        assert table(cover(TARGETS[0], XDG_CACHE_HOME=str(tmp_path)).stdout) == expected != []
        needed = [file for file in files if cache.read(file) is not None]
        assert damages == (emptied,) or needed == files
        files = needed  # of these there are all kinds, the second time
        assert len(files) >= 3


def test_what_few_searches_need_is_compiled_beside_a_search_that_lasts(warm: None, tmp_path: Path) -> None:
    place = cache.kernels()
    assert place is not None
    copy = tmp_path / "zeroin" / "kernels" / place.name
    shutil.copytree(place, copy)
    (copy / cache.FOR_ALL).unlink()
    subject = tmp_path / "never.py"
    subject.write_text("def f(x: float) -> int:\n    return 1 if x * x == -1.0 else 0\n")
    command = [sys.executable, "-m", "zeroin", "cover", f"{subject}:f", "--emit", "none", "--engine", "minimize",
               "--evals", "1000000000"]  # fmt: skip
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    with subprocess.Popen([*command, "--budget", "90"], env=environment) as lasting:
        until = time.monotonic() + 80.0
        while cache.read(copy / cache.FOR_ALL) is None and time.monotonic() < until:
            time.sleep(0.1)
        lasting.terminate()
    assert cache.read(copy / cache.FOR_ALL) is not None


def test_two_first_runs_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "zeroin", "cover", TARGETS[0], "--emit", "none"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    runs = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [run.communicate(timeout=200)[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert table(outputs[0]) == table(outputs[1]) != []


def test_without_a_place_for_kernels(tmp_path: Path) -> None:
    (tmp_path / "zeroin").write_text("no folder")
    assert table(cover(TARGETS[0], XDG_CACHE_HOME=str(tmp_path)).stdout) == table(cover(TARGETS[0]).stdout) != []


def test_a_module_named_like_one_of_pythons_own_does_not_reach_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("def f(x: float) -> int:\n    return 1 if x * x == 2.25 and x < 0 else 0\n")
    command = [sys.executable, "-P", "-m", "zeroin", "cover", "random.py:f", "--emit", "none", "--fail-under", "100"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
