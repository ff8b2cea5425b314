"""The emitted C test compiles with the command that it names, passes, and fails when an expectation is wrong."""

from __future__ import annotations

import dataclasses
import math
import os
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from c_tests import build, check, names_in, replay_of, run, with_replay
from zeroin.config import Options
from zeroin.emit.files import write
from zeroin.emit.test_header import Batch
from zeroin.emit.trial import Trial
from zeroin.languages.c.emit.test_file import CTest, compile_command, target_of
from zeroin.languages.c.emit.values import Writer
from zeroin.languages.c.front.layout import Array, Scalar
from zeroin.languages.c.front.parameters import CParameter
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.replay import CReplay
from zeroin.subject.base import Termination
from zeroin.suite.suite import Suite
from zeroin.words import Kind, decode, encode, word_from_bits, word_range

MakeSuite = Callable[..., Suite]

STATIC = """\
#include <stdio.h>
#include <math.h>
static double half(double x)
{
    if (x < 0x1p-28)
        return 0;
    return x / 2;
}
int main(void) { printf("%g", half(floor(2))); return 0; }
"""


def test_static_function_beside_a_main(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("half.c", STATIC, "half", [[3.0], [-0.0], [math.inf], [-5e-324]])
    text = check(suite, tmp_path / "tests")
    assert CTest().file_name(Batch((suite,))) == "test_half_half.c"
    assert '#include "../src/half.c"' in text
    assert "/* line 5: x < 0x1p-28 -> false */\nstatic void test_half_x_lt_0x1p_28_false(void)\n" in text
    assert "static void test_half_x_lt_0x1p_28_true(void)" in text
    assert "    ZEROIN_EQ_DOUBLE(half(3.0), 1.5);\n" in text
    assert "    ZEROIN_EQ_DOUBLE(half(ZEROIN_INFINITY), ZEROIN_INFINITY);\n" in text
    assert not re.search(r"#include <", text)
    assert "#define main zeroin_subject_main\n" in text


def test_old_style_definition(make_suite: MakeSuite, tmp_path: Path) -> None:
    source = """\
extern int counted();
enum mode { UP, DOWN = -3 };
double old(x, n, c, mode, p) float x; long n; char c; enum mode mode; double *p;
{
    if (p) *p = x;
    if (x > n) return c;
    return mode == DOWN ? counted(n) : -1;
}
"""
    suite = make_suite(
        "old.c",
        source + "int counted(n) long n; { return n > 5; }\n",
        "old",
        [[1.5, -(2**63), -128, 0, [0.0]], [0.1, 2**63 - 1, 127, -3, None], [math.nan, 9, 0, 0, [math.nan]]],
        cc=["-std=gnu89"],
    )
    text = check(suite, tmp_path / "tests")
    assert "(-9223372036854775807LL - 1)" in text
    assert "(void *)0" in text


SIN = """\
#include <stdlib.h>
double floor(double x) { return x < 0 ? -1 : 1; }
int abs(int x) { return x < 0 ? x : -x; }
void *getline(int x) { return 0; }
double sin(double x)
{
    if (x != x) return x - x;
    return floor(x) * abs(3);
}
"""


def test_a_function_with_a_name_of_the_library(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("sin.c", SIN, "sin", [[1.0], [-1.0], [math.nan]])
    assert [replay_of(kept).result for kept in suite.inputs][:2] == [0xC008 << 48, 0x4008 << 48]
    check(suite, tmp_path / "tests")


def test_nan_with_payload_goes_in_and_any_nan_may_come_out(make_suite: MakeSuite, tmp_path: Path) -> None:
    source = (
        "#include <string.h>\n#include <stdint.h>\n"
        "uint64_t bits(double x, float y)\n"
        "{ uint64_t a; uint32_t b; memcpy(&a, &x, 8); memcpy(&b, &y, 4); return a + b; }\n"
        "double same(double x) { return x; }\n"
    )
    suite = make_suite("bits.c", source, "bits", [[0.0, 0.0]])
    words = (word_from_bits(Kind.F64, 0xFFF8_0000_DEAD_BEEF), word_from_bits(Kind.F32, 0xFFC0_0123))
    kept = dataclasses.replace(suite.inputs[0], words=words)
    expected = CReplay(kept.outcome, (0xFFF8_0000_DEAD_BEEF + 0xFFC0_0123) % 2**64)
    text = check(dataclasses.replace(suite, inputs=[dataclasses.replace(kept, replay=expected)]), tmp_path / "tests")
    assert "zeroin_double(0xfff80000deadbeefULL /* -nan(0x80000deadbeef) */)" in text

    suite = make_suite("bits.c", source, "same", [[math.nan]])
    other = with_replay(suite, 0, CReplay(kept.outcome, 0xFFF0_0000_0000_0001))
    check(other, tmp_path / "tests")
    number = with_replay(suite, 0, CReplay(kept.outcome, 0x7FF0_0000_0000_0000))
    status, (line, last) = run(build(number, tmp_path / "tests"))
    assert (status, [re.sub(r":\d+:", ":LINE:", line), last]) == (
        1,
        ["test_bits_same.c:LINE: test_same_x_nan: same(ZEROIN_NAN) = nan, expected inf", "0 passed, 1 failed"],
    )


KINDS = """\
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
typedef enum { RED, GREEN = 7 } color;
typedef unsigned char byte;
color mix(bool on, byte b, int64_t wide, uint64_t large, color c, short s, size_t z, const volatile uint16_t *u,
          bool *flag, color *mixed, int64_t *sum)
{
    *flag = !*flag;
    *mixed = on ? c : RED;
    *sum = wide + b + s + *u;
    if (large > INT64_MAX && z) return GREEN;
    return c;
}
"""


def test_all_kinds_of_integers(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("mix.c", KINDS, "mix", [
        [True, 255, -(2**63), 2**64 - 1, 7, -(2**15), 2**64 - 1, [65535], [True], [0], [5]],
        [False, 0, 2**63 - 1, 0, 0, 2**15 - 1, 0, [0], [False], [7], [-(2**63)]],
    ])  # fmt: skip
    text = check(suite, tmp_path / "tests")
    assert "0xffffffffffffffffULL" in text
    assert (
        "    ZEROIN_EQ_UINT(mix(1, 255, (-9223372036854775807LL - 1), 0xffffffffffffffffULL, GREEN, -32768,\n" in text
    )
    assert "UINT(u, " not in text  # const: not compared
    wrong = dataclasses.replace(replay_of(suite.inputs[0]), outputs=(None, (1,), (9,), (0,)), result=0)
    status, lines = run(build(with_replay(suite, 0, wrong), tmp_path / "tests"))
    assert status == 1
    assert [line.rpartition(": ")[2] for line in lines[1:]] == [
        "flag = 0, expected 1",
        "mixed = 7, expected 9",
        "sum = -9223372036854742786, expected 0",
        "1 passed, 1 failed",
    ]
    said = r"test_mix_mix\.c:\d+: test_mix_z_true_wide_huge_large_huge: mix\(1, .*\) = 7, expected 0$"
    assert re.match(said, lines[0])


ARRAYS = """\
int fill(const double xs[3], int n, double *restrict largest, int matrix[2][2])
{
    if (!largest) return -1;
    *largest = xs[0];
    for (int i = 1; i < n; i++)
        if (xs[i] > *largest) *largest = xs[i];
    matrix[1][1] = n;
    return 0;
}
void nothing(float *x) { if (*x > 0) *x = -*x; }
int seven(void) { return 7; }
"""


def test_arrays_null_and_outputs(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("fill.c", ARRAYS, "fill", [
        [[1.0, -math.inf, 3.5], 3, [0.0], [1, 2, 3, 4]],
        [[math.nan, 1.0, 2.0], 2, None, [0, 0, 0, -(2**31)]],
    ], options=LlvmOptions(arrays=(ArraySpec("xs", 3),)))  # fmt: skip
    text = check(suite, tmp_path / "tests")
    assert "(-2147483647 - 1)" in text
    first, _ = suite.inputs
    outputs = (replay_of(first).outputs[0], (0x4000 << 48,), replay_of(first).outputs[2])
    wrong = dataclasses.replace(replay_of(first), outputs=outputs)
    status, lines = run(build(with_replay(suite, 0, wrong), tmp_path / "tests"))
    assert status == 1
    assert lines[0].endswith(": largest = 3.5, expected 2")


def test_void_function_and_function_without_parameters(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("fill.c", ARRAYS, "nothing", [[[2.5]], [[-1.0]]])
    assert "    float x = 2.5f;\n    nothing(&x);\n    ZEROIN_EQ_FLOAT(x, -2.5f);\n" in check(suite, tmp_path / "tests")
    check(make_suite("fill.c", ARRAYS, "seven", [[]]), tmp_path / "tests")


def test_one_case_alone(make_suite: MakeSuite, tmp_path: Path) -> None:
    source = "int next(int by) { static int sum; sum += by; return sum > 10 ? sum : -sum; }"
    suite = make_suite("next.c", source, "next", [[7], [8], [11]])
    program = build(suite, tmp_path / "tests")
    assert [run(program, name) for name in names_in(suite)] == [(0, ["1 passed, 0 failed"])] * 3
    assert run(program, "test_nothing") == (2, ["there is no case test_nothing"])
    status, lines = run(program)  # the variable keeps its value between cases, as the header says
    assert (status, lines[-1]) == (1, "1 passed, 2 failed")


def test_crashing_inputs_are_run_when_they_are_asked_for(make_suite: MakeSuite, tmp_path: Path) -> None:
    source = "int f(int x) { return x ? 10 / x : 1 / x; }"
    suite = make_suite("f.c", source, "f", [[2]], crashing=[[0]])
    text = check(suite, tmp_path / "tests")
    what = "f(0): arithmetic fault (SIGFPE): an integer division by zero or overflow"
    assert f"/* Run only when it is named: {what} */\nstatic void test_f_crashes(void)\n" in text
    assert run(tmp_path / "tests" / "test_f_f", "test_f_crashes") == (-signal.SIGFPE, [])
    omitted = dataclasses.replace(suite, options=Options(findings="omit"), inputs=suite.inputs[:1])
    assert "crash" not in check(dataclasses.replace(omitted, inputs=suite.inputs[:1]), tmp_path / "omitted")
    check(dataclasses.replace(suite, inputs=[]), tmp_path / "empty")
    (forbidden,) = with_replay(suite, 1, CReplay(Termination.FORBIDDEN, detail="tries to fork")).inputs[1:]
    test = write(CTest(), dataclasses.replace(suite, inputs=[forbidden]), tmp_path / "harmless")
    assert "/* Not tested: f(0): tries to fork */" in test.read_text()


@pytest.mark.parametrize(("name", "source"), [
    ("walls.c", "#include <sys/mman.h>\nint f(short xs[3], char *s, int i) { s[0] = 1; return xs[i]; }"),
    ("walls.cpp", "#include <sys/mman.h>\nint f(short (&xs)[3], char &s, int i) { s = 1; return xs[i]; }"),
])  # fmt: skip
def test_arrays_of_crashing_inputs_lie_between_walls(
    name: str, source: str, make_suite: MakeSuite, tmp_path: Path
) -> None:
    values = [[[1, 2, 3], [0], i] for i in (2, -1, 3, 0)]
    suite = make_suite(name, source, "f", [], crashing=values)
    program = build(suite, tmp_path / "tests")
    statuses = [run(program, name)[0] for name in names_in(suite)]
    assert statuses == [0, -signal.SIGSEGV, -signal.SIGSEGV, 0]


def test_other_files_flags_and_folders(make_suite: MakeSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my include").mkdir()
    (tmp_path / "my include" / "limit.h").write_text("#define LIMIT 4.0\nextern double twice(double);\n")
    other = tmp_path / "twice.c"
    other.write_text("double twice(double x) { return 2 * x * SCALE; }\n")
    monkeypatch.chdir(tmp_path)
    suite = make_suite("f.c", '#include "limit.h"\ndouble f(double x) { return x < LIMIT ? twice(x) : x; }\n', "f",
                       [[1.0], [9.0]], cc=["-Imy include", "-DSCALE=2"], others=[Path("twice.c")])  # fmt: skip
    text = check(suite, tmp_path / "deep" / "tests")
    assert "-o test_f_f test_f_f.c ../../twice.c '-I../../my include' -DSCALE=2 -lm" in text
    assert str(tmp_path) not in text


def test_a_named_compiler_and_paths_in_flags(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("g.c", "int g(int x) { return x; }", "g", [[1]])
    flags = ("gcc-13", "-isystem", "/opt/include", "-include", "math.h", "-L/opt/lib", "-std=c99")
    target = dataclasses.replace(target_of(suite), cc=flags)
    command = compile_command(target, tmp_path, "test_g_g.c")
    assert command[0] == "gcc-13"
    assert command[command.index("test_g_g.c") + 1 :] == [*flags[1:], "-lm"]


def test_before_hexadecimal_floats(make_suite: MakeSuite, tmp_path: Path) -> None:
    source = "double g(double x, float y) { if (x > y) return x; return y; }"
    suite = make_suite("g.c", source, "g", [[0.1, 0.5], [1.5, -0.0]], cc=["-std=c89", "-pedantic-errors"])
    suite.target.path.write_text(source + "\n")
    strict = dataclasses.replace(suite, target=dataclasses.replace(target_of(suite), cc=("-std=c89",)))
    assert "g(0.1, 0.5f)" in check(strict, tmp_path / "tests")


CXX = """\
#include <cmath>
namespace ns {
enum class color : unsigned char { red, green };
typedef long mylong;
static double f(double x, color c, const long &r, mylong *p, bool &on, double (&arr)[3], color &out)
{
    if (p == nullptr) return std::fabs(x);
    if (x > r && c == color::red && on) { *p = 3; out = color::green; }
    arr[1] = x;
    return x;
}
namespace { bool hidden(unsigned char x) { return x > 2; } }
struct S { static color g(unsigned char c, color d); };
color S::g(unsigned char c, color d) { return c > 3 ? d : color::red; }
template <class T> T size(T x) { return x > 0 ? x : -x; }
double use(double x)
{
    bool on = true;
    double arr[3] = {};
    color out = color::red;
    return size<double>(x) + hidden(2) + f(x, color::red, 1, nullptr, on, arr, out);
}
}
"""


def test_cxx_scopes_references_and_enumerations(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("a.cpp", CXX, "f", [
        [2.5, 0, [1], [8], [True], [0.0, 0.0, 1.0], [0]],
        [-2.5, 1, [-(2**63)], None, [False], [0.0, math.nan, 1.0], [1]],
    ])  # fmt: skip
    text = check(suite, tmp_path / "tests")
    assert CTest().file_name(Batch((suite,))) == "test_a_f.cpp"
    assert "ns::f(2.5, ns::color::red, r, " in text
    wrong = dataclasses.replace(replay_of(suite.inputs[0]), outputs=((1,), (8,), (1,), (0, 0, 0), (1,)))
    status, lines = run(build(with_replay(suite, 0, wrong), tmp_path / "tests"))
    assert status == 1
    assert [re.sub(r".*: ", "", line) for line in lines] == [
        "p = 3, expected 8",
        "arr[1] = 2.5, expected 0",
        "arr[2] = 1, expected 0",
        "1 passed, 1 failed",
    ]


@pytest.mark.parametrize(
    ("function", "inputs"), [("hidden", [[3], [0]]), ("g", [[4, 1], [0, 1]]), ("size<double>", [[-1.5], [0.0]])]
)
def test_cxx_names(make_suite: MakeSuite, tmp_path: Path, function: str, inputs: list[list[float]]) -> None:
    check(make_suite("a.cpp", CXX, function, inputs), tmp_path / "tests")


def test_cxx_overloads(make_suite: MakeSuite, tmp_path: Path) -> None:
    source = (
        "int f(unsigned char x) { return x > 1 ? 1 : 2; }\nint f(int x) { return x > 1 ? 3 : 4; }\n"
        "int f(float *x) { return x ? 5 : 6; }\nint f(double *x) { return x ? 7 : 8; }\n"
    )
    for symbol, inputs in (("_Z1fh", [[2], [0]]), ("_Z1fi", [[2], [-1]]), ("_Z1fPf", [[[1.0]], [None]])):
        check(make_suite("f.cc", source, symbol, inputs), tmp_path / "tests")


def test_llvm_ir_is_linked(make_suite: MakeSuite, tmp_path: Path) -> None:
    source = """\
define double @"my.f"(double %x, i64 %n) {
  %c = fcmp olt double %x, 2.0
  br i1 %c, label %low, label %high
low:
  ret double %x
high:
  %f = sitofp i64 %n to double
  ret double %f
}
"""
    suite = make_suite("f.ll", source, "my.f", [[1.0, 5], [3.0, -5]])
    assert suite.target.language == "llvm"
    text = check(suite, tmp_path / "tests")
    assert "f.ll" not in text.partition("*/")[2]
    assert 'extern double subject_0_my_f(double, long long) __asm__("my.f");' in text


@pytest.mark.parametrize("kind", list(Kind))
def test_literals_of_extremes(kind: Kind) -> None:
    low, high = word_range(kind)
    for word in (low, high, encode(kind, 1), encode(kind, 0)):
        literal = Writer(cxx=False).literal(kind, word)
        if kind.is_float:
            number = literal.replace("(float)", "").replace("ZEROIN_INFINITY", "inf")
            assert "zeroin_" in literal or float(number.removesuffix("f" * ("in" not in number))) == decode(kind, word)
        else:
            assert eval(re.sub(r"[UL]", "", literal)) == decode(kind, word)


def test_argument_texts() -> None:
    unsigned = CParameter("u", "unsigned char", Scalar(Kind.U8))
    assert Writer(cxx=True).value(unsigned, 3) == "(unsigned char)3"
    assert Writer(cxx=False).value(unsigned, 3) == "3"
    constant = CParameter("p", "const double *", Array(Scalar(Kind.F64), 2), is_pointer=True)
    assert Writer(cxx=True).pointer(constant, None) == "(double *)0"
    assert Writer(cxx=False).pointer(constant, "a") == "a"
    named = CParameter("p", "real *", constant.layout, is_pointer=True)
    assert Writer(cxx=False).pointer(named, "a") == "(void *)a"


def test_names_of_folders_end_no_comment(make_suite: MakeSuite, tmp_path: Path) -> None:
    """The command in the head is what a shell takes for the same."""
    text = "int f(int x)\n{\n    return x > 3;\n}\n"
    suite = make_suite("a.c", text, "f", [(4,), (3,)])
    folder = tmp_path / "st*" / "*x"
    folder.mkdir(parents=True)
    path = folder / "a.c"
    path.write_text(text)
    where = f"{path}:f"
    suite = dataclasses.replace(suite, target=dataclasses.replace(suite.target, path=path, text=where))
    written = CTest().text(Batch((suite,)), tmp_path)
    head = written[: written.index("*/")]
    (command,) = [line for line in head.splitlines() if "zeroin cover" in line or ":f" in line][-1:]
    word = command.split()[-1].replace("\\", "")
    told = subprocess.run(["sh", "-c", f"printf %s {word}"], cwd=tmp_path, capture_output=True, text=True).stdout
    assert told == os.path.relpath(where)
    assert "/*" not in head[2:]
    assert CTest().tried(write(CTest(), suite, tmp_path), Batch((suite,))) == Trial()
