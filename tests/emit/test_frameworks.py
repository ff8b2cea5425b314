"""Tests of GoogleTest, Unity and CMocka, compiled with stand-ins for these: they pass, and notice what has changed."""

from __future__ import annotations

import dataclasses
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import clang
from c_tests import FRAMEWORKS, STAND_INS, replay_of, run_in, with_replay
from zeroin.config import Options
from zeroin.emit.files import deliver, write
from zeroin.emit.test_header import Batch
from zeroin.errors import ZeroinError
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.c.front.string_parameters import StringSpec
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.plugins import EMITTERS
from zeroin.suite.suite import Suite

MakeSuite = Callable[..., Suite]

SOURCE = """\
enum mode { OFF, SLOW = 5 };
struct s { float x; unsigned char n; enum mode mode; long double wide; };
double f(struct s *s, int *ns, char t[4], enum mode mode)
{
    s->n++; s->x /= 3; s->mode = mode; s->wide *= 2;
    ns[8] = -7;
    t[1] = 'x';
    return mode == SLOW ? 0.1 : -0.0;
}
unsigned long long wide(unsigned long long x) { return x > 3 ? x * 2 : x; }
int counts(int by) { static int n; n += by; return n; }
"""
S = {"x": 1.0, "n": 255, "mode": 0, "wide": 0.5}


@pytest.fixture(params=FRAMEWORKS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def suite_of_f(make_suite: MakeSuite) -> Suite:
    inputs = [[S, list(range(9)), "ab", 5], [S, [0] * 9, "", 0]]
    return make_suite(
        "a.c", SOURCE, "f", inputs, options=LlvmOptions(arrays=(ArraySpec("ns", 9),), strings=(StringSpec("t", 3),))
    )


def test_what_is_compared(name: str, make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = suite_of_f(make_suite)
    status, said = run_in(suite, name, tmp_path / "tests")
    assert status == 0, said
    replay = replay_of(suite.inputs[0])
    assert not isinstance(replay.result, tuple)
    assert replay.result is not None
    changes = [dataclasses.replace(replay, result=replay.result ^ 1)]
    for at, output in enumerate(replay.outputs):
        assert output is not None
        for cell in (0, len(output) - 1):
            outputs = list(replay.outputs)
            outputs[at] = (*output[:cell], output[cell] ^ 1, *output[cell + 1 :])
            changes.append(dataclasses.replace(replay, outputs=tuple(outputs)))
    assert len(changes) == 7
    for changed in changes:
        status, said = run_in(with_replay(suite, 0, changed), name, tmp_path / "tests")
        assert status != 0, said


def test_integers_of_64_bits(name: str, make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("a.c", SOURCE, "wide", [[1 << 62], [3]])
    assert run_in(suite, name, tmp_path / "tests")[0] == 0
    wrong = dataclasses.replace(replay_of(suite.inputs[0]), result=(1 << 63) + (1 << 32))
    assert run_in(with_replay(suite, 0, wrong), name, tmp_path / "tests")[0] != 0


def test_findings_are_not_run(name: str, make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("g.c", "int g(int x) { return 1 / x; }\n", "g", [[1]], crashing=[[0]])
    status, said = run_in(suite, name, tmp_path / "tests")
    assert status == 0, said
    mark = {"googletest": "TEST(G, DISABLED_g_crashes)", "unity": "TEST_IGNORE_MESSAGE(", "cmocka": "skip();"}[name]
    (test,) = (tmp_path / "tests").glob("test_g_g_*.c*")
    assert mark in test.read_text()
    assert ("1 Ignored" in said, "1 skipped" in said, "1 ran" in said) == (
        name == "unity", name == "cmocka", name == "googletest")  # fmt: skip
    omitted = dataclasses.replace(suite, options=Options(findings="omit"))
    assert mark not in write(EMITTERS[name](), omitted, tmp_path / "tests").read_text()


def test_what_remembers_earlier_calls(name: str, make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("a.c", SOURCE, "counts", [[3]])
    suite.inputs[:] = suite.inputs * 3  # as if each were the first
    assert run_in(suite, name, tmp_path / "tests")[0] != 0
    stateful = dataclasses.replace(suite, stateful=True)
    assert run_in(stateful, name, tmp_path / "tests")[0] == 0
    wrong = dataclasses.replace(replay_of(suite.inputs[2]), result=4)
    assert run_in(with_replay(stateful, 2, wrong), name, tmp_path / "tests")[0] != 0


def test_cxx_and_ir(name: str, make_suite: MakeSuite, tmp_path: Path) -> None:
    cxx = "namespace n { enum class e : char { A, B = 7 }; e f(e x, const int &y) { return y > 2 ? e::B : x; } }\n"
    assert run_in(make_suite("a.cpp", cxx, "f", [[0, [3]], [5, [0]]]), name, tmp_path / "tests")[0] == 0
    ir = "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  ret i32 %y\n}\n"
    suite = make_suite("a.ll", ir, "f", [[3], [-1]])
    test = write(EMITTERS[name](), suite, tmp_path / "tests")
    compiler = "c++" if test.suffix == ".cpp" else "cc"
    command = [compiler, f"-I{STAND_INS}", "-Wno-override-module", "-o", "ir", test.name, str(suite.target.path)]
    clang.build(command, tmp_path / "tests")
    assert subprocess.run([str(tmp_path / "tests" / "ir")], capture_output=True).returncode == 0


@pytest.mark.parametrize("there", [True, False])
def test_what_was_tried_is_said(name: str, there: bool, make_suite: MakeSuite, tmp_path: Path) -> None:
    cc = [f"-I{STAND_INS}"] if there else []
    suite = make_suite("a.c", SOURCE, "wide", [[5], [3]], cc=cc)
    claimed = dataclasses.replace(replay_of(suite.inputs[1]), result=4)
    written = deliver(EMITTERS[name](), Batch((with_replay(suite, 1, claimed),)), tmp_path / "src")
    header = {"googletest": "gtest/gtest.h", "unity": "unity.h", "cmocka": "cmocka.h"}[name]
    library = FRAMEWORKS[name].libraries[0]
    assert written.remarks == (
        "wide(3) is left out of the test: it behaves differently",
        "the test was not run: its cases pass without the framework; " + (
            f"with it, they compile, but do not link: cannot find {library} (name its folder with --cc -L)" if there
            else f"{header} was not found (name its folder with --cc -I)"
        ),
    )  # fmt: skip
    assert [path.name for path in sorted((tmp_path / "src").iterdir())] == [
        "a.c", written.path.name, "zeroin_test.h"]  # fmt: skip


def test_what_its_framework_does_not_compile_is_not_written(make_suite: MakeSuite, tmp_path: Path) -> None:
    source = "int f(int class) { return class + 1; }\n"  # no C++
    suite = make_suite("f.c", source, "f", [[5]], cc=[f"-I{STAND_INS}"])
    with pytest.raises(ZeroinError, match=r"f\.c:f: no test is written: it does not compile: "):
        deliver(EMITTERS["googletest"](), Batch((suite,)), tmp_path / "src")
