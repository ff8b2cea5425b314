"""What depends on the day, the machine or its settings is pinned by no test, and a note says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from zeroin import Budget, Options, Suite, cover
from zeroin.emit.files import deliver
from zeroin.emit.test_header import Batch
from zeroin.languages.python.emit.test_file import PytestFile
from zeroin.languages.python.emit.trial_surroundings import CHANGES

KINDS = """
import datetime
import os
import platform
import time
from pathlib import Path

YEAR = datetime.date.today().year


def when(x: int) -> str:
    if x == 1:
        return time.strftime("%A %Y")
    if x == 2:
        return str(datetime.datetime.now().date())
    if x == 3:
        return str(YEAR)
    return "never"


def where(x: int) -> str:
    if x == 1:
        return os.environ.get("ZEROIN_NOWHERE", "unset")
    if x == 2:
        return os.path.expanduser("~")
    if x == 3:
        return str(datetime.datetime.fromtimestamp(1_000_000_000))
    return "nowhere"


def which(x: int) -> int:
    if x == 1:
        return len(os.listdir(Path(__file__).parent / "inner"))
    if x == 2:
        return sum(1 for _ in os.walk(Path(__file__).parent / "inner"))
    if x == 3:
        return len([*(Path(__file__).parent / "inner").iterdir()])
    return 0


def who(x: int) -> object:
    if x == 1:
        return os.cpu_count()
    if x == 2:
        return platform.node()
    if x == 3:
        return os.uname().release
    return 0


def order(x: int) -> list[str]:
    return list({"a", "b", "c", str(x)}) if x == 3 else []


def spent(x: float) -> float:
    begin, home = time.monotonic(), os.environ.get("HOME")
    for _ in os.listdir("."):
        pass
    begin = time.time() - begin
    return 2 * x if home is None or x > 1 else 3 * x
"""
DEPENDS = {"when": CHANGES["clock"], "where": CHANGES["environment"], "which": CHANGES["folder"],
           "who": CHANGES["machine"], "order": "the order of a set, or a hash"}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kinds")
    (folder / "kinds.py").write_text(KINDS)
    (folder / "inner" / "deep").mkdir(parents=True)
    return folder


def covered(folder: Path, function: str) -> Suite:
    return cover(f"{folder / 'kinds.py'}:{function}", Options(budget=Budget(evaluations=3000, seconds=20.0)))


def run(test: Path, **environment: str) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    done = subprocess.run(command, cwd=test.parent, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("function", DEPENDS)
def test_what_depends_on_it_is_not_pinned_and_a_note_says_why(folder: Path, function: str) -> None:
    suite = covered(folder, function)
    given = {suite.signature.arguments(kept.words)[0]: kept.words for kept in suite.inputs}
    depending = [given[x] for x in (1, 2, 3) if x in given and (x == 3 or function != "order")]
    assert depending
    written = deliver(PytestFile(), Batch((suite,)), folder / "out" / function)
    told = [f"{suite.signature.show(words)} is not compared: its result depends on {DEPENDS[function]}"
            for words in depending]  # fmt: skip
    assert sorted(written.remarks) == sorted(told)
    assert set(told) <= set(suite.notes)
    text = written.path.read_text()
    assert f"    # The result depends on {DEPENDS[function]}.\n    assert type({function}(" in text
    assert f"    assert {function}(" in text  # what does not depend on it is compared
    run(written.path, PYTHONHASHSEED="11", TZ="Asia/Tokyo", HOME="/", ZEROIN_NOWHERE="set")
    run(written.path, PYTHONHASHSEED="12")


def test_to_look_at_it_is_no_reason(folder: Path) -> None:
    suite = covered(folder, "spent")
    written = deliver(PytestFile(), Batch((suite,)), folder / "out" / "spent")
    assert written.remarks == ()
    assert "depends on" not in written.path.read_text()


def test_a_module_that_needs_its_surroundings_is_tested_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZEROIN_LEVEL", "4")
    text = 'import os\nassert os.environ["ZEROIN_LEVEL"] == "4"\ndef f(x: int) -> int:\n    return 4 if x > 3 else x\n'
    (tmp_path / "needs.py").write_text(text)
    suite = cover(f"{tmp_path / 'needs.py'}:f", Options(budget=Budget(evaluations=3000, seconds=20.0)))
    written = deliver(PytestFile(), Batch((suite,)), tmp_path / "out")
    assert written.remarks == ()
    assert "assert f(x) == expected" in written.path.read_text()


CLOCK = """
import datetime, os, time
from zeroin.languages.python.emit.trial_surroundings import change_clock
before, since = time.time(), time.monotonic()
moved = change_clock()
days = [time.time(), time.time_ns() / 1e9, time.mktime(time.localtime()), datetime.datetime.now().timestamp(),
        datetime.datetime(*datetime.date.today().timetuple()[:3]).timestamp() + 43_200]
assert moved == (os.uname().machine == "x86_64"), moved
assert all((day - before > 399 * 86_400) == moved for day in days), days
assert time.monotonic() - since < 60
assert abs(float(os.popen("date +%s").read()) - before) < 60  # of this process alone
"""


def test_the_clock_of_one_process_is_moved() -> None:
    done = subprocess.run([sys.executable, "-c", CLOCK], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
