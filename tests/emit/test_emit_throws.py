"""Emitted tests of functions of C++ that throw: they pass, and notice when nothing, or something else, is thrown."""

from __future__ import annotations

from pathlib import Path

import pytest

import c_tests
from c_tests import run_in
from suites import MakeSuite
from zeroin.emit.files import deliver
from zeroin.emit.test_header import Batch
from zeroin.languages.plugins import EMITTERS

SOURCE = """#include <stdexcept>
template <class T, int n> struct Error {};
namespace lab { struct Odd : std::runtime_error { using std::runtime_error::runtime_error; }; }
double f(int x)
{
    struct Local {};
    if (x == 1) throw std::invalid_argument("no values");
    if (x == 2) throw lab::Odd("");
    if (x == 3) throw "text";
    if (x == 4) throw Error<int, 3>();
    if (x == 5) throw Local();
    return x;
}
"""
INPUTS = [[x] for x in range(6)]


def test_they_pass_and_are_readable(make_suite: MakeSuite, tmp_path: Path) -> None:
    text = c_tests.check(make_suite("a.cpp", SOURCE, "f", INPUTS), tmp_path / "tests")
    for line in ("ZEROIN_EQ_DOUBLE(f(0), 0.0);", "ZEROIN_THROWS(f(1), std::invalid_argument);",
                 "ZEROIN_THROWS(f(2), lab::Odd);", "ZEROIN_THROWS(f(3), char const*);", "using thrown = Error<int, 3>;",
                 "ZEROIN_THROWS(f(4), thrown);", "ZEROIN_THROWS_ANY(f(5));"):  # fmt: skip
        assert f"    {line}\n" in text


@pytest.mark.parametrize("name", ["googletest", "unity", "cmocka"])
def test_frameworks(make_suite: MakeSuite, tmp_path: Path, name: str) -> None:
    status, said = run_in(make_suite("a.cpp", SOURCE, "f", INPUTS), name, tmp_path / "tests")
    assert status == 0, said


@pytest.mark.parametrize("name", ["googletest", "unity", "cmocka"])
@pytest.mark.parametrize("other", ["return 1", "throw 1"])
def test_frameworks_notice(make_suite: MakeSuite, tmp_path: Path, name: str, other: str) -> None:
    suite = make_suite("a.cpp", SOURCE, "f", INPUTS[:2])
    suite.target.path.write_text(SOURCE.replace('throw std::invalid_argument("no values")', other))
    assert run_in(suite, name, tmp_path / "tests")[0] != 0


@pytest.mark.parametrize("other", ["return 1", "throw 1"])
def test_a_plain_test_notices(make_suite: MakeSuite, tmp_path: Path, other: str) -> None:
    suite = make_suite("a.cpp", SOURCE, "f", INPUTS[:2])
    suite.target.path.write_text(SOURCE.replace('throw std::invalid_argument("no values")', other))
    status, lines = c_tests.run(c_tests.build(suite, tmp_path / "tests"))
    assert (status, lines[-1]) == (1, "1 passed, 1 failed")
    assert lines[0].endswith("f(1) does not throw std::invalid_argument")


def test_the_trial_has_what_the_library_of_clang_has(make_suite: MakeSuite, tmp_path: Path) -> None:
    text = '#include <string>\nint f(int x) { if (x > 3) throw std::stoi("7"); return std::to_string(x).size(); }\n'
    suite = make_suite("a.cpp", text, "f", [[3], [4]])
    delivered = deliver(EMITTERS["c"](), Batch((suite,)), tmp_path / "tests")
    assert delivered.remarks == ()
    assert "ZEROIN_THROWS(f(4), int);" in next((tmp_path / "tests").glob("*.cpp")).read_text()
