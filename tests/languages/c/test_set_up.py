"""What a test does before the call: setters, stubs for function pointers, addresses of global variables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from c_tests import FRAMEWORKS, check, run_in
from programs import Programs
from proofs import refuted
from zeroin import Budget, Options, Suite, cover
from zeroin.languages.c.front.call_sequence import SequenceSignature
from zeroin.languages.c.front.set_up import setters_in
from zeroin.solvers.smt import Bitwuzla

SETTER = """\
static unsigned char mode = 1;
static double gain, unread;
int kept;
void set_mode(unsigned char v) { mode = v & 3; }
int scale(double by, int sign) { gain = sign < 0 ? -by : by; return 0; }
void reset(void) { mode = 2; }
static void hidden(int v) { mode = v; }
void into(const int *from) { mode = *from; }
unsigned char *leak(void) { return &mode; }
struct large { long a, b, c; };
struct large made(int v) { struct large s = {v, v, v}; mode = v; return s; }
void other(double v) { unread = v; }
int f(int x)
{
    if (mode == 3) return x == 77 ? 1 : 2;
    if (gain < -2.5) return 3;
    if (mode > 3) return 4;
    return 0;
}
int calls_all(int x) { hidden(x); return unread > 0; }
"""
STUBS = """\
enum color { RED, GREEN = 7 };
int f(int (*read)(const char *, unsigned), enum color (*next)(void), void (*log)(double), int n)
{
    int a = read("a", 1), b = read("b", 2);
    log(2.0);
    if (a == 1234 && b == -a) return read("c", 3) == 9 ? 1 : 2;
    if (next() == GREEN) return next() == RED ? 3 : 4;
    return n;
}
"""
PLACES = """\
int level = 3;
static int own = 4;
const int fixed = 5;
double other = 6;
int f(int *p, int x)
{
    *p = x;
    level = 6;
    if (*p == 6 && x != 6) return own + fixed + (other > 0);
    return 0;
}
"""


def covered(tmp_path: Path, text: str, name: str = "a.c", function: str = "f", engine: str = "") -> Suite:
    (tmp_path / name).write_text(text)
    options = Options(budget=Budget(200_000, 20.0))
    return cover(f"{tmp_path / name}:{function}", replace(options, engine=engine) if engine else options)


def decided(suite: Suite) -> dict[str, str]:
    return {f"{v.branch.site.condition} {v.branch.label}": v.verdict for v in suite.verdicts}


@pytest.mark.parametrize("engine", ["", "explore"])
@pytest.mark.parametrize("name", ["a.c", "a.cpp"])
def test_setters_are_called_first(tmp_path: Path, name: str, engine: str) -> None:
    suite = covered(tmp_path, SETTER, name, engine=engine)
    assert suite.signature.prototype == (
        "int f(int x), also after void set_mode(unsigned char v), int scale(double by, int sign), void reset(void)"
    )
    verdicts = decided(suite)
    assert [branch for branch, verdict in verdicts.items() if verdict == "undecided"] in ([], ["mode > 3 true"])
    written = check(suite, tmp_path / "tests")
    assert "set_mode(" in written
    assert "scale(" in written
    shown = [suite.signature.show(kept.words) for kept in suite.inputs]
    assert any("set_mode(" in text and text.endswith("f(77)") for text in shown)
    for framework in FRAMEWORKS:
        assert run_in(suite, framework, tmp_path / framework)[0] == 0


COUNTED = """\
static int top, stack[4], size;
void push(void) { top++; }
int full(void) { return top == 3 ? 1 : 0; }
int put(int v) { if (size == 4) return -1; stack[size++] = v; return 0; }
int take(void)
{
    if (size == 0) return -1;
    int v = stack[--size];
    return v == 4444 && size == 2 ? 7 : v;
}
"""


@pytest.mark.parametrize("engine", ["", "explore"])
@pytest.mark.parametrize("function", ["full", "take"])
def test_setters_are_called_several_times(tmp_path: Path, function: str, engine: str) -> None:
    suite = covered(tmp_path, COUNTED, function=function, engine=engine)
    assert set(decided(suite).values()) == {"covered"}
    assert any("3 times" in text for kept in suite.inputs for text in [suite.signature.show(kept.words)])
    check(suite, tmp_path / "tests")


def test_only_what_a_test_can_call(programs: Programs) -> None:
    subject = programs.load(SETTER, calls=8)
    assert setters_in(subject.signature) == ["set_mode", "scale", "reset"]
    assert setters_in(programs.load(SETTER).signature) == []
    assert setters_in(programs.load(SETTER, "calls_all", calls=8).signature) == ["other"]
    plain = subject.signature.words_of("5")
    assert subject.signature.called_first(plain) == []
    assert subject.signature.show(plain) == "f(5)"


def test_setters_between_the_calls_of_a_sequence(tmp_path: Path) -> None:
    text = """static int limit = 100, seen;
    void set_limit(int v) { limit = v > 0 ? v : 100; }
    int f(int x) {
        seen += x & 3;
        if (seen > limit) { if (limit == 41) return 2; return 1; }
        return 0; }"""
    suite = covered(tmp_path, text)
    assert isinstance(suite.signature, SequenceSignature)
    assert set(decided(suite).values()) == {"covered"}
    assert "set_limit(41);" in check(suite, tmp_path / "tests")


def test_branches_of_a_setter_count_where_callees_do(tmp_path: Path) -> None:
    text = """static int mode;
    void set_mode(int v) { if (v == 1234) mode = 5; else mode = 0; }
    int f(int x) { if (x == 7) set_mode(1); if (mode == 5) return x == 8 ? 1 : 2; return 0; }"""
    (tmp_path / "a.c").write_text(text)
    suite = cover(f"{tmp_path}/a.c:f", Options(budget=Budget(200_000, 20.0), callees=True))
    assert set(decided(suite).values()) == {"covered"}
    check(suite, tmp_path / "tests")


@pytest.mark.parametrize("engine", ["", "explore"])
@pytest.mark.parametrize("name", ["a.c", "a.cpp"])
def test_stubs_return_what_is_needed(tmp_path: Path, name: str, engine: str) -> None:
    suite = covered(tmp_path, STUBS, name, engine=engine)
    assert set(decided(suite).values()) == {"covered"}
    written = check(suite, tmp_path / "tests")
    assert "static int f_read_stub(const char *given0, unsigned int given1)" in written
    assert "f_read_stub_returns[0] = 1234;" in written
    assert "static void f_log_stub(double given0)" in written
    for framework in FRAMEWORKS:
        assert run_in(suite, framework, tmp_path / framework)[0] == 0


def test_the_last_result_of_a_stub_comes_again(programs: Programs) -> None:
    text = "int f(int (*g)(void)) { int s = 0; for (int i = 0; i < 6; i++) s = s * 10 + g(); return s; }"
    subject = programs.load(text)
    words = (0, 1, 2, 3, 4)
    assert subject.signature.show(words) == "f_g_stub returns 1, 2, 3, 4; f(f_g_stub)"
    assert [subject.replay(words).result, subject.replay(words).result] == [123444, 123444]
    path = subject.along(words, subject.execute(words))
    assert (path.ended, path.holds(path.inputs)) == ("", True)


@pytest.mark.parametrize("engine", ["", "explore"])
@pytest.mark.parametrize("name", ["a.c", "a.cpp"])
def test_stubs_set_variables_that_the_function_compares(tmp_path: Path, name: str, engine: str) -> None:
    text = """int level = 1, stop; static int own; unsigned char mode;
    int f(void (*step)(int), int (*read)(void), int n) {
        step(n);
        if (level == 5 && read() == 7) return 1;
        if (own == 3) return 2;
        switch (mode) { case 200: return 3; default: break; }
        if (stop == 1) return 4;
        step(n);
        if (level > 90) return 5;
        return 0;
    }"""
    suite = covered(tmp_path, text, name, engine=engine)
    verdicts = decided(suite)
    assert {branch for branch, verdict in verdicts.items() if verdict != "covered"} == {"own == 3 true"}
    written = check(suite, tmp_path / "tests")
    assert "f_step_stub_effect = " in written
    assert any("f_step_stub sets level to 5" in suite.signature.show(kept.words) for kept in suite.inputs)
    for framework in FRAMEWORKS:
        assert run_in(suite, framework, tmp_path / framework)[0] == 0


def test_a_stub_has_a_name_of_its_own(tmp_path: Path) -> None:
    text = "int f_g_stub; int f(int (*g)(int)) { f_g_stub = 2; if (g(1) == 5) return 1; return 0; }"
    suite = covered(tmp_path, text)
    assert set(decided(suite).values()) == {"covered"}
    assert "f_g_stub_(" in check(suite, tmp_path / "tests")


@pytest.mark.parametrize("engine", ["", "explore"])
@pytest.mark.parametrize("name", ["a.c", "a.cpp"])
def test_a_pointer_may_lead_to_a_global_variable(tmp_path: Path, name: str, engine: str) -> None:
    suite = covered(tmp_path, PLACES, name, engine=engine)
    assert {v for branch, v in decided(suite).items() if not branch.startswith("other")} == {"covered"}
    assert "f(&level, " in check(suite, tmp_path / "tests")
    assert {"p": "&level"} in [suite.signature.aliases(kept.words) for kept in suite.inputs]


def test_a_sequence_may_give_another_address_to_each_call(tmp_path: Path) -> None:
    text = """int total;
    int f(int *p, int x) {
        total += x & 1; *p = 50;
        if (total == 50 && x == 3) return 1;
        return 0; }"""
    suite = covered(tmp_path, text)
    assert isinstance(suite.signature, SequenceSignature)
    assert set(decided(suite).values()) == {"covered"}
    check(suite, tmp_path / "tests")


@pytest.mark.parametrize("text", [SETTER, STUBS, PLACES], ids=["setter", "stubs", "places"])
def test_proofs_are_those_of_the_function_alone(programs: Programs, text: str) -> None:
    never = {f"{subject.sites[n // 2].condition} {'TF'[n % 2]}" for subject in [programs.load(text, calls=8)]
             for n in refuted(subject, Bitwuzla())[0]}  # fmt: skip
    assert never == set()
