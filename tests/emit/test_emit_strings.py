"""Emitted tests of functions that take strings: these are literals, and nothing is warned of."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from c_tests import build, check, replay_of, run, with_replay
from zeroin.emit.test_header import Batch
from zeroin.languages.c.emit.test_file import CTest
from zeroin.languages.c.front.string_parameters import StringSpec
from zeroin.languages.c.options import LlvmOptions
from zeroin.report.json import as_json
from zeroin.suite.suite import Suite

MakeSuite = Callable[..., Suite]

C = """\
#include <string.h>
int same(const char *s, const char *t) { return !s ? 7 : strcmp(s, t) == 0; }
int fill(char *s, int n)
{
    memset(s, 'x', (size_t)n);
    return s[0] == '\\n';
}
int bytes(const unsigned char *s) { return s[0] == 255; }
int beyond(const char *s) { return s[30]; }
"""
AWKWARD = '?\x3f="\\\n*/\xff1'  # a trigraph, an escape, the end of a comment, and a digit behind an octal number


@pytest.mark.parametrize("file", ["a.c", "a.cpp"])
def test_strings_that_stay_are_literals(make_suite: MakeSuite, tmp_path: Path, file: str) -> None:
    suite = make_suite(file, C, "same", [["a", "a"], [AWKWARD, ""], [None, "b"]])
    text = check(suite, tmp_path / "tests")
    null = "(char *)0" if file == "a.cpp" else "(void *)0"
    assert re.findall(r"EQ_INT\((same\(.*\)), ", text) == [
        'same("a", "a")', r'same("?\?=\"\\\n*/\3771", "")', f'same({null}, "b")']  # fmt: skip


@pytest.mark.parametrize("file", ["a.c", "a.cpp"])
def test_buffers(make_suite: MakeSuite, tmp_path: Path, file: str) -> None:
    suite = make_suite(file, C, "fill", [["abc", 2], ["\n", 0], ["", 16]],
                       options=LlvmOptions(strings=(StringSpec("s", 15),)))  # fmt: skip
    text = check(suite, tmp_path / "tests")
    assert 'char s[16] = "abc";\n    const char expected_s[16] = "xxc";' in text
    assert "const char expected_s[16] = {'x', 'x'," in text  # no 0 is left in it
    replay = replay_of(suite.inputs[0])
    wrong = dataclasses.replace(replay, outputs=((*b"xyc", *[0] * 12, 1),))
    status, lines = run(build(with_replay(suite, 0, wrong), tmp_path / "tests"))
    shown = r's = "xxc", expected "xyc\000\000\000\000\000\000\000\000\000\000\000\000\001"'
    assert (status, [line.rpartition(": ")[2] for line in lines[:-1]]) == (1, [shown])


@pytest.mark.parametrize("file", ["a.c", "a.cpp"])
def test_strings_of_other_bytes(make_suite: MakeSuite, tmp_path: Path, file: str) -> None:
    suite = make_suite(file, C, "bytes", [["\xff"], ["a"]], options=LlvmOptions(strings=(StringSpec("s", 3),)))
    assert 'unsigned char s[4] = "\\377";' in check(suite, tmp_path / "tests")


def test_a_string_is_read_beyond_its_end_in_the_test_too(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("a.c", C, "beyond", [], crashing=[["ab"]], options=LlvmOptions(strings=(StringSpec("s", 40),)))
    program = build(suite, tmp_path / "tests")
    assert run(program) == (0, ["0 passed, 0 failed, 1 disabled"])
    assert run(program, "test_beyond_crashes")[0] < 0
    assert ' s[3] = "ab";' in (tmp_path / "tests" / CTest().file_name(Batch((suite,)))).read_text()


def test_a_function_of_ir(make_suite: MakeSuite, tmp_path: Path) -> None:
    from zeroin.languages.c.front.compile import compile_all

    (tmp_path / "a.c").write_text(C)
    suite = make_suite("a.ll", compile_all([tmp_path / "a.c"])[0], "same", [["a", "a"], ["b\n", "c"]])
    assert '((void *)"' not in check(suite, tmp_path / "tests")


def test_json_has_literals(make_suite: MakeSuite) -> None:
    suite = make_suite("a.c", C, "fill", [["\xff\n", 1]], options=LlvmOptions(strings=(StringSpec("s", 15),)))
    (kept,) = as_json([suite])["targets"][0]["inputs"]
    assert (kept["args"], kept["exact"]) == (["\xff\n", 1], ['"\\377\\n"', "1"])
    assert kept["outputs"] == {"s": '"x\\n"'}
