"""Expressions that change a variable and use it, in no order: a run that evaluates one is undefined, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroin.cli.main import main
from zeroin.errors import CompileError
from zeroin.languages.c.front.compile import compile_all
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import Termination

EXPRESSIONS = """
#include "own.h"
#define SUM(a, c) (a++ + ((c) ? a : 0))
#define ADDED(a) (a + i)
static int h(int a, int b) { return a - b; }
int place(int i, int c) { int a[4] = {0}; i &= 1; a[i] = i++; return a[0] + 10 * i; }
int twice(int i, int c) { i = i++ + 1; return i; }
int arguments(int i, int c) { return h(i++, i); }
int arm(int i, int c) { return i++ + (c ? i : 0); }
int changed_in_arm(int i, int c) { return (c && i++) + i; }
int used_in_arm(int i, int c) { return (c && i > 3) + i++; }
int looped(int i, int c) { int n = 0; while (c-- > 0) n += (c & 1 ? i : 0) + i++; return n; }
int of_macro(int i, int c) { return SUM(i, c); }
int of_argument(int i, int c) { return c ? ADDED(i++) : 0; }
int of_header(int i, int c) { return c ? own(i) : 0; }
int of_global(int i, int c) { static int n; n = i; return c ? n++ + n : 0; }
int of_lines(int i, int c) {
    return c ? i++
               + i : 0; }
int both_arms(int i, int c) { int n = 0; while (c-- > 0) n += (c & 1 && i++) + (c & 2 ? i : 0); return n; }
int ordered(int i, int c) { int a = (i++, i) + c; i = c ? i++ ? 1 : 2 : 3;
    return i && i++ && i > sizeof(i++ + i) ? a : i; }
"""
OWN = "static inline int own(int i) { return i++ + i; }\n"
USED, TWICE = "i is changed and used, in no order", "i is changed twice, in no order"


def subject_of(tmp_path: Path, text: str, function: str, *cc: str, name: str = "f.c") -> LlvmSubject:
    (tmp_path / name).write_text(text)
    (tmp_path / "own.h").write_text(OWN)
    subject = LlvmSubject(tmp_path / name, function, LlvmOptions(cc=cc, sanitized=True))
    subject.guard()
    return subject


@pytest.mark.parametrize(
    ("function", "fine", "undefined", "said"),
    [
        ("place", None, "0, 0", f"{USED} (f.c:6)"),
        ("twice", None, "0, 0", f"{TWICE} (f.c:7)"),
        ("arguments", None, "0, 0", f"{USED} (f.c:8)"),
        ("arm", "3, 0", "3, 1", f"{USED} (f.c:9)"),
        ("changed_in_arm", "3, 0", "3, 1", f"{USED} (f.c:10)"),
        ("used_in_arm", "3, 0", "3, 1", f"{USED} (f.c:11)"),
        ("looped", "3, 1", "3, 2", f"{USED} (f.c:12)"),
        ("of_macro", "3, 0", "3, 1", f"{USED} (f.c:13)"),
        ("of_argument", "3, 0", "3, 1", f"{USED} (f.c:14)"),
        ("of_header", "3, 0", "3, 1", f"{USED} (own.h:1)"),
        ("of_global", "3, 0", "3, 1", "n is changed and used, in no order (f.c:16)"),
        ("of_lines", "3, 0", "3, 1", f"{USED} (f.c:18)"),
    ],
)  # fmt: skip
def test_what_has_no_order_is_undefined(
    function: str, fine: str | None, undefined: str, said: str, tmp_path: Path
) -> None:
    subject = subject_of(tmp_path, EXPRESSIONS, function)
    if fine:
        assert subject.run(subject.words_of(fine)).returned
        assert subject.replay(subject.words_of(fine)).outcome is Termination.RETURNED
    words = subject.words_of(undefined)
    assert subject.run(words).outcome is Termination.UNDEFINED
    assert subject.observe(words).ending == subject.replay(words).ending == f"undefined behaviour: {said}"


@pytest.mark.parametrize(("function", "values"), [("both_arms", "3, 3"), ("ordered", "3, 1"), ("ordered", "3, 0")])
def test_what_has_an_order_or_may_have_been_passed_over(function: str, values: str, tmp_path: Path) -> None:
    """In the first one, no turn of the loop evaluates both places."""
    subject = subject_of(tmp_path, EXPRESSIONS, function)
    words = subject.words_of(values)
    assert subject.run(words).returned
    assert subject.replay(words).outcome is Termination.RETURNED


@pytest.mark.parametrize("flag", ["-w", "-Wno-everything", "-Wno-unsequenced", "-Werror", "-fcolor-diagnostics"])
def test_it_is_known_whatever_flags_say_of_warnings(flag: str, tmp_path: Path) -> None:
    subject = subject_of(tmp_path, EXPRESSIONS, "twice", flag)
    assert subject.run((0, 0)).outcome is Termination.UNDEFINED


@pytest.mark.parametrize(
    ("standard", "function", "undefined"),
    [("-std=c++14", "twice", True), ("-std=c++17", "twice", False), ("-std=c++17", "place", False),
     ("-std=c++17", "arguments", True), ("-std=c++17", "arm", True)],
)  # fmt: skip
def test_cxx_has_orders_that_c_has_not(standard: str, function: str, undefined: bool, tmp_path: Path) -> None:
    subject = subject_of(tmp_path, EXPRESSIONS, function, standard, name="f.cpp")
    assert (subject.run((0, 1)).outcome is Termination.UNDEFINED) is undefined
    assert (subject.replay((0, 1)).outcome is Termination.UNDEFINED) is undefined


def test_variables_of_cxx(tmp_path: Path) -> None:
    text = """
    struct counted { int n; int next() { return n++ + n; } };
    struct own { int n; own operator++(int) { own old = *this; n += 1; return old; } operator int() { return n; } };
    template <class T> int sum(T x) { return (int)(x++ + x); }
    int member(int i) { counted c{i}; return c.next(); }
    int reference(int i) { int &r = i; return r++ + r; }
    int number(int i) { return sum(i) + sum(own{i}); }
    int object(int i) { return sum(own{i}); }
    """
    for function, said in (
        ("member", "n is changed and used, in no order (f.cpp:2)"),
        ("reference", "r is changed and used, in no order (f.cpp:6)"),
        ("number", "x is changed and used, in no order (f.cpp:4)"),
    ):
        subject = subject_of(tmp_path, text, function, name="f.cpp")
        assert subject.observe((3,)).ending == subject.replay((3,)).ending == f"undefined behaviour: {said}"
    assert subject_of(tmp_path, text, "object", name="f.cpp").run((3,)).returned


def test_headers_of_the_system_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "system").mkdir()
    (tmp_path / "system" / "own.h").write_text(OWN)
    (tmp_path / "f.c").write_text("#include <own.h>\nint f(int i) { return own(i); }\n")
    (text,) = compile_all([tmp_path / "f.c"], ["-isystem", str(tmp_path / "system")])
    assert "unordered" not in text


def test_what_is_kept_says_so_too(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("int f(int i) { return i++ + i; }\n")
    first = compile_all([tmp_path / "f.c"])
    assert first[0].startswith('; zeroin: unordered ["f.c", 1, 24, 1, 29, 1, 30, false, "i"]\n')
    assert compile_all([tmp_path / "f.c"]) == first


def test_a_file_that_does_not_compile_is_told_as_before(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("int f(int i) { return i++ + j; }\n")
    with pytest.raises(CompileError) as raised:
        compile_all([tmp_path / "f.c"])
    assert raised.value.output.startswith(f"{tmp_path}/f.c:1:29: error: use of undeclared identifier 'j'\n")


def test_no_test_pins_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    text = "int f(int i, int c) { int r = i++ + (c == 7 ? i : 0); if (r == 5) return 1; return 0; }\n"
    (tmp_path / "f.c").write_text(text)
    assert main(["cover", "f.c:f", "--seed", "1"]) == 1
    said = capsys.readouterr().out
    assert "c == 7 | T undecided (only undefined behaviour takes it)  F #" in said
    assert "undefined  f.c:1: f(" in said
    assert "undefined behaviour: i is changed and used, in no order" in said
    assert not [line for line in said.splitlines() if line.startswith("  #") and ", 7) = " in line]
