"""Pointers to functions as parameters: which functions are given, and what is read and proved of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from c_tests import check
from programs import Programs, words_of
from proofs import refuted
from zeroin import Budget, Options, cover
from zeroin.errors import OptionError, UnsupportedParameter
from zeroin.languages.c.front.compile import compile_all
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.solvers.smt import Bitwuzla
from zeroin.suite.suite import Suite

MakeSuite = Callable[..., Suite]

FUNCTIONS = """\
typedef double real;
double square(double x) { return x * x; }
real shifted(const real x) { return x - 7; }
static double cube(double x) { return x * x * x; }
float single(float x) { return x; }
double two(double x, double y) { return x + y; }
int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int compare_others(void *a, void *b) { return a == b; }
double calls(void) { return cube(2); }
"""
SOLVE = """\
int f(double (*g)(double), double x)
{
    if (!g) return -1;
    double y = g(x);
    if (y == -5) return 1;
    if (g == cube && y == 27) return 2;
    return 0;
}
"""


def names(subject: LlvmSubject, at: int = 0) -> list[str]:
    callback = subject.signature.parameters[at].callback
    assert callback is not None
    return [callee.name for callee in callback.callees]


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("double (*g)(double)", ["square", "shifted", "cube", "f_g_stub"]),
        ("double g(real)", ["square", "shifted", "cube", "f_g_stub"]),
        ("double (*const g)(double, double)", ["two", "f_g_stub"]),
        ("int (*g)(const void *, const void *)", ["compare", "f_g_stub"]),
        ("int (*g)(void *, void *)", ["compare_others", "f_g_stub"]),
        ("double (*g)(void)", ["calls", "f_g_stub"]),
    ],
)
def test_functions_of_the_type(programs: Programs, parameter: str, expected: list[str]) -> None:
    subject = programs.load(f"{FUNCTIONS}int f({parameter}) {{ return g == 0; }}")
    assert names(subject) == expected


def test_none_of_the_type(programs: Programs) -> None:
    text = "struct pair { int a, b; };\n"
    with pytest.raises(UnsupportedParameter) as caught:
        programs.load(f"{text}int f(struct pair (*g)(int), int x) {{ return g(x).a; }}")
    assert str(caught.value) == (
        "f: parameter 'g' has type 'struct pair (*)(int)', a pointer to a function, but the file defines and uses no "
        "function of this type; add one that is not static"
    )
    subject = programs.load(f"{text}int f(struct pair (*g)(int), int x) {{ if (g) return g(x).a; return 3; }}")
    assert subject.signature.ranges()[0] == (0, 0)
    assert subject.replay(words_of(subject.signature, None, 1)).result == 3


def test_values(programs: Programs) -> None:
    subject = programs.load(FUNCTIONS + SOLVE)
    signature = subject.signature
    assert signature.prototype == "int f(double (*g)(double), double x)"
    assert signature.parameters[0].driven == "a function: square, shifted, cube, f_g_stub; or NULL"
    assert signature.ranges()[0] == (0, 4)
    given = {"square": 25.0, "shifted": 2.0, "cube": 3.0, None: 1.0}
    results = [subject.replay(words_of(signature, name, x)).result for name, x in given.items()]
    assert results == [0, 1, 2, (1 << 32) - 1]
    assert [signature.show(words_of(signature, name, 2.0)) for name in ("cube", None)] == [
        "f(cube, 2.0)",
        "f(NULL, 2.0)",
    ]
    assert signature.arguments(words_of(signature, "cube", 2.0)) == ["cube", 2.0]
    assert signature.words_of("'cube', 2.0") == words_of(signature, "cube", 2.0)
    with pytest.raises(
        OptionError, match="'single' does not fit; it is a function: square, shifted, cube, f_g_stub; or NULL"
    ):
        signature.words_of("'single', 2.0")


def test_both_builds_call_the_same(programs: Programs) -> None:
    subject = programs.load(FUNCTIONS + SOLVE)
    for number in range(5):
        for x in (-5.0, 2.0, 3.0):
            words = (number, *words_of(subject.signature, None, x)[1:])
            assert subject.observe(words) == subject.replay(words)


def test_paths_say_which(programs: Programs) -> None:
    subject = programs.load(FUNCTIONS + SOLVE)
    paths = {}
    for name in ("square", "shifted", "cube", "f_g_stub", None):
        words = words_of(subject.signature, name, 2.0)
        paths[words] = subject.along(words, subject.execute(words))
    for words, path in paths.items():
        assert (path.ended, path.is_exact, path.holds(path.inputs)) == ("", True, True)
        assert subject.words_with(path.inputs) == words
        assert [path.holds(subject.model.inputs(other)) for other in paths] == [other == words for other in paths]


def test_nothing_is_proved_of_what_a_function_may_do(programs: Programs) -> None:
    text = """static int state;
    int set(int x) { state = x; return 0; }
    static int sees(int x) { if (x == 7) return 1; return state; }
    int f(int (*g)(int), int x) {
        state = 0;
        int y = x;
        g(7);
        if (state == 7) return 1;
        if (y != x) return 2;
        return x > 3 && x < 2 ? sees(3) : 0; }"""
    subject = programs.load(text, callees=True)
    never = {f"{subject.sites[n // 2].condition} {'TF'[n % 2]}" for n in refuted(subject, Bitwuzla())[0]}
    assert never == {"y != x T", "x < 2 T"}


def test_all_branches(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(FUNCTIONS + SOLVE)
    suite = cover(f"{tmp_path}/f.c:f", Options(budget=Budget(seconds=10.0)))
    assert {verdict.verdict for verdict in suite.verdicts} == {"covered"}
    assert suite.findings == []


@pytest.mark.parametrize("file", ["a.c", "a.cpp", "a.ll"])
def test_emitted(make_suite: MakeSuite, tmp_path: Path, file: str) -> None:
    text = FUNCTIONS.replace("static ", "") + SOLVE
    if file == "a.ll":
        (tmp_path / "b.c").write_text(text)
        text = compile_all([tmp_path / "b.c"])[0]
    if file == "a.cpp":
        text = f"namespace n {{\n{text}}}\n"
    inside = "n::" if file == "a.cpp" else ""
    suite = make_suite(file, text, f"{inside}f", [[f"{inside}cube", 3.0], [None, 1.0], [f"{inside}square", 1.0]])
    written = check(suite, tmp_path / "tests")
    cube, null = {"a.c": ("cube", "(void *)0"), "a.cpp": ("n::cube", "0"), "a.ll": ("callee_2", "(void *)0")}[file]
    assert f"({cube}, 3.0)" in written
    assert f"({null}, 1.0)" in written


def test_a_static_function_of_ir_is_none_that_a_test_can_name(programs: Programs, tmp_path: Path) -> None:
    (tmp_path / "b.c").write_text(FUNCTIONS + SOLVE)
    subject = programs.load(compile_all([tmp_path / "b.c"])[0], "f", ".ll")
    assert names(subject) == ["square", "shifted"]
