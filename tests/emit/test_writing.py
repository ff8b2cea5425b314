"""No file of the user's is lost, none is ever half there, and what is said to be written has passed."""

from __future__ import annotations

import dataclasses
import errno
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from zeroin.emit.files import deliver, free_place, write, write_report
from zeroin.emit.test_header import Batch
from zeroin.emit.trial import Trial, run_inside
from zeroin.errors import OutputError, ZeroinError
from zeroin.generate.stopped import Stopped
from zeroin.languages.c.emit import trial
from zeroin.languages.c.emit.test_file import CTest
from zeroin.languages.c.replay import CReplay
from zeroin.languages.plugins import EMITTERS
from zeroin.languages.python.emit.test_file import PytestFile
from zeroin.subject.base import Termination
from zeroin.suite.suite import Suite

PYTEST_FILE = "zeroin.languages.python.emit.trial_process:pytest_file"

MakeSuite = Callable[..., Suite]
Suites = dict[str, list[Suite]]


def of_function(suite: Suite, function: str, folder: str = ".") -> Suite:
    path = suite.target.path
    target = dataclasses.replace(suite.target, function=function, path=path.parent / folder / path.name)
    return dataclasses.replace(suite, target=target)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def files(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_file_that_is_not_ours_is_kept(covered: Suites, tmp_path: Path) -> None:
    (suite,) = covered["python"]
    by_hand = tmp_path / "test_zeroin_sign_sign.py"
    by_hand.write_text("def test_by_hand():\n    assert True\n")
    first, second = (deliver(PytestFile(), Batch((suite,)), tmp_path) for _ in range(2))
    assert by_hand.read_text().startswith("def test_by_hand")
    assert first.path == second.path != by_hand
    assert first.path.name.startswith("test_zeroin_sign_sign_")
    assert first.remarks == (f"{by_hand} was not written by zeroin and was kept",)
    assert second.remarks == ()
    assert set(files(tmp_path)) == {by_hand.name, first.path.name}
    first.path.write_text("changed")
    with pytest.raises(ZeroinError, match=r"was not written by zeroin and is not overwritten; move it, or choose"):
        write(PytestFile(), suite, tmp_path)


@pytest.mark.parametrize("kind", EMITTERS)
def test_targets_of_one_name_have_files_of_their_own(kind: str, covered: Suites, tmp_path: Path) -> None:
    emitter = EMITTERS[kind]()
    (suite, *_) = covered[emitter.languages[0]]
    targets = [
        suite,
        *(of_function(suite, name) for name in ("Sign", "SIGN", "_sign")),
        of_function(suite, "sign", "b"),
    ]
    places = [write(emitter, one, tmp_path) for one in targets]
    assert places[0].stem in ("test_sign_sign", "test_zeroin_sign_sign", f"test_sign_sign_{kind}")
    assert len({place.name.casefold() for place in places}) == len(targets)
    assert [write(emitter, one, tmp_path) for one in reversed(targets)] == places[::-1]
    places[0].unlink()
    assert [write(emitter, one, tmp_path) for one in targets[1:]] == places[1:]  # each stays where it is


@pytest.mark.parametrize("kind", EMITTERS)
def test_the_longest_names_have_files(kind: str, covered: Suites, tmp_path: Path) -> None:
    emitter = EMITTERS[kind]()
    (suite, *_) = covered[emitter.languages[0]]
    (tmp_path / "test_zeroin_sign_sign.py").touch()
    long = [of_function(suite, name) for name in ("ö" * 250 + "a", "ö" * 250 + "b", "_" + "ö" * 250 + "a")]
    places = [write(emitter, one, tmp_path) for one in long]
    assert len({place.name for place in places}) == 3


def test_reports_have_places_of_their_own_too(covered: Suites, tmp_path: Path) -> None:
    (suite,) = covered["python"]
    target = dataclasses.replace(suite.target, text="a/f.py:f")
    other = dataclasses.replace(suite.target, text="b/f.py:f", path=Path("b/f.py"))
    place = tmp_path / "test_f_f.json"
    first, second = (write_report(f'"{t.text}"', t, place) for t in (target, other))
    assert first == place != second
    assert write_report(f'"{target.text}" again', target, place) == place
    assert files(tmp_path) == {first.name: '"a/f.py:f" again', second.name: '"b/f.py:f"'}


def test_a_folder_of_that_name_is_no_place(tmp_path: Path) -> None:
    (tmp_path / "Test.py").mkdir()
    assert free_place(tmp_path / "test.py", "0123", lambda text: False).name == "test_0123.py"


def test_a_full_disk_loses_no_test(covered: Suites, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (suite,) = covered["python"]
    path = write(PytestFile(), suite, tmp_path)
    before = files(tmp_path)

    def full(self: Path, *_: object, **__: object) -> None:
        self.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OutputError, match=rf"{path}: can not be written to \(No space left on device\); name another"):
        deliver(PytestFile(), Batch((suite,)), tmp_path)
    assert files(tmp_path) == before == {path.name: path.read_text()}


def test_an_interrupted_search_replaces_no_better_test(make_suite: MakeSuite, out: Path) -> None:
    suite = make_suite("f.c", "int f(int x) { return x > 3 ? 1 : 0; }", "f", [[4], [1]])
    write(CTest(), suite, out)
    before = files(out)
    less = dataclasses.replace(suite, inputs=suite.inputs[:1], stopped=Stopped.INTERRUPTED)
    kept = deliver(CTest(), Batch((less,)), out)
    assert (kept.is_new, files(out)) == (False, before)
    why = "it covers 2 branches with 2 inputs, more than the interrupted search"
    assert kept.remarks == (f"{out / 'test_f_f.c'} was kept: {why}",)
    assert deliver(CTest(), Batch((dataclasses.replace(suite, stopped=Stopped.INTERRUPTED),)), out).is_new
    assert deliver(
        CTest(), Batch((dataclasses.replace(less, stopped=Stopped.TIME),)), out
    ).is_new  # it had all its time
    assert "Covers 1 of 2 branches with 1 input" in files(out)["test_f_f.c"]


# ---- several functions of one source ----

TWO = "int f(int x) { return x > 3 ? 1 : 0; }\nint g(int x) { static int n; return n++ + x; }\n"


def test_one_file_for_a_source(make_suite: MakeSuite, out: Path) -> None:
    f, g = make_suite("f.c", TWO, "f", [[4], [1]]), make_suite("f.c", TWO, "g", [[5]])
    alone = deliver(CTest(), Batch((f,)), out).path
    whole = deliver(CTest(), Batch((f, dataclasses.replace(g, stateful=True)), whole=True), out).path
    both = deliver(CTest(), Batch((f, g)), out).path
    assert (alone.name, whole.name, both.name) == ("test_f_f.c", "test_f.c", "test_f_f_g.c")
    assert set(files(out)) == {alone.name, whole.name, both.name, "zeroin_test.h"}
    text = whole.read_text()
    assert "Tests of ../src/f.c, generated" in text
    assert "Covers 2 of 2 branches with 3 inputs (target " in text
    assert re.search(r"    zeroin cover --emit c --seed 7 (?:\\\n \* +)?\S*f\.c\n", text)
    assert re.search(r"    zeroin cover --emit c --seed 7 f\.c:f f\.c:g\n", both.read_text())
    assert re.findall(r"ZEROIN_(?:CASE|ALONE)\(test_(\w)", text) == ["f", "f", "g"]
    assert deliver(CTest(), Batch((g,), whole=True), out).path == whole  # f is gone from the source


def test_a_function_that_does_not_compile_spoils_no_other(make_suite: MakeSuite, out: Path) -> None:
    f, g = make_suite("f.c", TWO, "f", [[4]]), make_suite("f.c", TWO, "g", [[5]])
    f.target.path.write_text("int f(int x) { return x > 3 ? 1 : 0; }\nint g;\n")
    written = deliver(CTest(), Batch((f, g), whole=True), out)
    assert written.is_new
    assert [(suite.target.function, why.partition(":")[0]) for suite, why in written.refused] == [
        ("g", "it does not compile")]  # fmt: skip
    assert re.findall(r"ZEROIN_CASE\(test_(\w)", written.path.read_text()) == ["f"]
    f.target.path.write_text("int f, g;\n")
    with pytest.raises(ZeroinError, match=r"f\.c: no test is written: it does not compile"):
        deliver(CTest(), Batch((f, g), whole=True), out)


def test_inputs_that_fail_are_left_out_of_their_own_suite(make_suite: MakeSuite, out: Path) -> None:
    f, g = make_suite("f.c", TWO, "f", [[4], [1]]), make_suite("f.c", TWO, "g", [[5]])
    f.inputs[1] = dataclasses.replace(f.inputs[1], replay=CReplay(Termination.RETURNED, 7))
    written = deliver(CTest(), Batch((g, f), whole=True), out)
    assert written.remarks == ("f(1) is left out of the test: it behaves differently",)
    assert (f.notes, g.notes) == ([*written.remarks], [])


def test_what_stands_beside_the_tests(make_suite: MakeSuite, out: Path) -> None:
    suite = make_suite("f.c", TWO, "f", [[4]])
    header = deliver(CTest(), Batch((suite,)), out).path.with_name("zeroin_test.h")
    text = header.read_text()
    header.write_text(text.replace("0x22", "0x21"))  # of another version
    deliver(CTest(), Batch((suite,)), out)
    assert header.read_text() == text
    header.write_text("/* mine */")
    with pytest.raises(ZeroinError, match=r"zeroin_test\.h: was not written by zeroin and is not overwritten"):
        deliver(CTest(), Batch((suite,)), out)
    assert header.read_text() == "/* mine */"


# ---- trials ----

AT_EXIT = """\
#include <stdlib.h>
#include <unistd.h>
#include <stdio.h>
#define UNUSED_128(x) ((int)((__int128)(x) * 3 / ((x) + 77)))
static void crashes(void) { abort(); }
static void hangs(void) { for (;;) pause(); }
int f(int x) {
  if (x == 1) atexit(crashes);
  if (x == 2) atexit(hangs);
  if (x == 3) _exit(7);
  if (x == 4) return unlink(DEAR) ? 4 : 5;
  return x + UNUSED_128(0);
}
"""


def test_cases_that_do_not_pass_are_left_out_of_a_c_test(
    make_suite: MakeSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "seconds_for_test", lambda batch: 0.5)
    dear = tmp_path / "dear"
    dear.touch()
    suite = make_suite("f.c", AT_EXIT, "f", [[0], [9]], crashing=[[1], [2], [3], [4]], cc=[f'-DDEAR="{dear}"'])
    claimed = [dataclasses.replace(kept, replay=CReplay(Termination.RETURNED, result)) for kept, result in
               zip(suite.inputs, (0, 8, 1, 2, 3, 5), strict=True)]  # fmt: skip
    suite.inputs[:] = claimed
    written = deliver(CTest(), Batch((suite,)), tmp_path / "src")
    assert written.is_new
    notes = ["f(9) and 1 more input are left out of the test: it behaves differently",
             "f(1) is left out of the test: the test ends with SIGABRT",
             "f(2) is left out of the test: it does not end within 0.5 seconds",
             "f(3) is left out of the test: the test ends with status 7"]  # fmt: skip
    assert list(written.remarks) == suite.notes == notes
    text = written.path.read_text()
    assert "Not tested: f(2): it does not end within 0.5 seconds" in text
    assert text.count("ZEROIN_CASE(") == 1
    assert dear.exists()


def test_cases_that_disturb_each_other_get_processes_of_their_own(make_suite: MakeSuite, out: Path) -> None:
    source = "int f(int x) { static int calls; return x + calls++; }"
    suite = make_suite("f.c", source, "f", [[1]])
    kept = suite.inputs[0]
    suite.inputs[:] = [kept, kept]  # as if each were the first
    assert CTest().tried(write(CTest(), suite, out), Batch((suite,))) == Trial({}, "it behaves differently")
    written = deliver(CTest(), Batch((suite,)), out)
    assert written.remarks == ()
    assert written.path.read_text().count("ZEROIN_ALONE(") == 2


def test_a_test_that_can_not_be_built_is_not_written(make_suite: MakeSuite, out: Path) -> None:
    suite = make_suite("f.c", "int f(int x) { return x; }", "f", [[1]])
    path = write(CTest(), suite, out)
    before = files(out)
    suite.target.path.write_text("int f(double);\nint f(int x) { return x; }\n")
    with pytest.raises(
        ZeroinError, match=r"f\.c:f: no test is written: it does not compile: conflicting types for 'f'$"
    ):
        deliver(CTest(), Batch((suite,)), out)
    assert files(out) == before
    assert path.exists()


def test_what_can_not_be_linked_is_not_written(make_suite: MakeSuite, out: Path) -> None:
    suite = make_suite("f.c", "int f(int x) { return x; }", "f", [[1]])
    suite.target.path.write_text("int elsewhere(int);\nint f(int x) { return elsewhere(x); }\n")
    why = "no test is written: it can not be linked: undefined reference to 'elsewhere'"
    with pytest.raises(ZeroinError, match=rf"f\.c:f: {why}$"):
        deliver(CTest(), Batch((suite,)), out)
    assert list(files(out)) == ["zeroin_test.h"]


SETTER = """\
static int limit;
void set(int v) { limit = v & 127; }
int above(int x) { if (x > limit) limit += 1; return x > limit; }
"""


def test_what_one_function_changes_no_case_of_another_finds(make_suite: MakeSuite, out: Path) -> None:
    setter, above = make_suite("f.c", SETTER, "set", [[9]]), make_suite("f.c", SETTER, "above", [[5]])
    above = dataclasses.replace(above, stateful=True)
    written = deliver(CTest(), Batch((setter, above)), out)
    assert (written.remarks, written.refused) == ((), ())
    assert written.path.read_text().count("ZEROIN_ALONE(") == 2


FOLDER = """\
#include <unistd.h>
#include <fcntl.h>
int marks(int x) { close(open("mark", O_CREAT | O_WRONLY, 0600)); return x; }
int looks(int x) { return access("mark", F_OK) == 0 ? x + 1 : x; }
"""


def test_a_case_that_the_others_disturb_is_left_out_alone(make_suite: MakeSuite, out: Path) -> None:
    harmless = "int marks(int x) { return x; }\nint looks(int x) { return x; }\n"
    suites = [make_suite("f.c", harmless, name, [[x]]) for name, x in (("looks", 2), ("marks", 1), ("looks", 1))]
    suites[0].target.path.write_text(FOLDER)
    written = deliver(CTest(), Batch((suites[0], dataclasses.replace(suites[1], stateful=True), suites[2])), out)
    why = "after the cases before it, it behaves differently"
    assert written.remarks == (f"looks(1) is left out of the test: {why}",)
    text = written.path.read_text()
    assert text.count("ZEROIN_ALONE(") == 2
    assert f"Not tested: looks(1): {why}" in text


def test_what_needs_a_function_that_is_not_there_is_not_linked(make_suite: MakeSuite, out: Path) -> None:
    source = "int other(int);\nint f(int x) { return other(x); }\nint g(int x) { return x > 5 ? 1 : 2; }\n"
    suite = make_suite("two.c", "int g(int x) { return x > 5 ? 1 : 2; }\n", "g", [[6], [5]])
    suite.target.path.write_text(source)
    written = deliver(CTest(), Batch((suite,)), out)
    assert written.remarks == ()
    (command,) = re.findall(r"^ \*     (\S+ -fno-builtin .*)$", written.path.read_text(), re.M)
    for compiler, level in product(("cc", "zig"), ("-O0", "-O2")):
        words = [*shlex.split(command), level]
        words[:1] = ["cc"] if compiler == "cc" else [sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all"]
        subprocess.run(words, cwd=out, check=True, capture_output=True)
        assert subprocess.run([str(written.path.with_suffix(""))]).returncode == 0


def test_what_the_machines_compiler_refuses_the_bundled_one_builds(make_suite: MakeSuite, out: Path) -> None:
    suite = make_suite("f.c", "int f(int x) { return ^(int y) { return y + 1; }(x); }\n", "f", [[4]], cc=["-fblocks"])
    text = deliver(CTest(), Batch((suite,)), out).path.read_text()
    assert " *     python3 -m ziglang cc -fno-builtin " in text


def test_a_subject_may_be_a_test(make_suite: MakeSuite, tmp_path: Path) -> None:
    source = "int returned(int expected, int *i) { return *i + expected; }\n"
    suite = make_suite("f.c", source, "returned", [[1, [1]]])
    first = deliver(CTest(), Batch((suite,)), tmp_path / "src").path.read_text()
    again = make_suite("g.c", first, "zeroin_counts", [[0, 2]])
    assert deliver(CTest(), Batch((again,)), tmp_path / "src").is_new


PLAIN = """\
import pytest


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.xfail(strict=True, raises=ZeroDivisionError, reason="no")
def test_fails_as_expected():
    1 / 0


@pytest.mark.xfail(strict=True, raises=ZeroDivisionError, reason="no")
def test_fails_no_more():
    pass


@pytest.mark.parametrize(
    ("x", "y"),
    [
        pytest.param(1, 1, id="one"),
        pytest.param(1, 2, id="two"),
    ],
)
def test_rows(x, y):
    assert x == y


def test_passes():
    with pytest.raises(ValueError, match=r"^no$"):
        raise ValueError("no")
    with pytest.raises(Exception, match=r"^no$") as caught:
        raise ValueError("no")
    assert type(caught.value).__name__ == "ValueError"
    open("made", "w").close()


def test_finds_an_empty_folder():
    import os

    assert os.listdir() == []


def test_raises_nothing():
    with pytest.raises(ValueError):
        pass


def test_says_something_else():
    with pytest.raises(ValueError, match=r"^yes$"):
        raise ValueError("no")


def test_deletes():
    import os

    os.remove(__file__)


def test_leaves_a_timer():
    import signal

    signal.alarm(60)


def test_hangs():
    import time

    time.sleep(60)


def test_after():
    pass
"""


@pytest.mark.parametrize("there", [True, False], ids=["by pytest", "without pytest"])
def test_each_test_of_a_python_file_is_told_of(there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "pytest.py").write_text("raise ImportError\n")
    if not there:
        monkeypatch.setenv("PYTHONPATH", str(tmp_path / "none"))
    test = tmp_path / "zeroin-test.py"
    test.write_text(PLAIN)
    ended = run_inside(PYTEST_FILE, [str(test), [], ..., 1.0], seconds=60)
    said = {name.removeprefix("test_"): why for name, why in ended.diary.items()}
    assert list(said) == ["fails_as_expected", "fails_no_more", "rows[one]", "rows[two]", "passes",
                          "finds_an_empty_folder", "raises_nothing", "says_something_else", "deletes",
                          "leaves_a_timer", "hangs"]  # fmt: skip
    assert said["passes"] == said["finds_an_empty_folder"] == ""
    assert said["fails_as_expected"] == said["rows[one]"] == ""
    assert "AssertionError" in str(said["rows[two]"]) or "assert 1 == 2" in str(said["rows[two]"])
    assert "XPASS(strict)" in str(said["fails_no_more"]) if there else "DID NOT" in str(said["fails_no_more"])
    assert "DID NOT RAISE" in str(said["raises_nothing"])
    assert "AssertionError" in str(said["says_something_else"])
    assert "tries to delete a file" in str(said["deletes"])
    assert said["leaves_a_timer"] == "it changes a timer for the tests after it"
    assert said["hangs"] is None
    assert ended.status == 1
    assert test.exists()
    alone = run_inside(PYTEST_FILE, [str(test), ["test_after"], ..., 1.0], seconds=60)
    assert (alone.status, alone.diary) == (0, {"test_after": ""})
