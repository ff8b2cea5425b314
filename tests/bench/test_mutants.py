"""bench/mutants: which mutants are made, and that those are killed whose function is another one for the test."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.mutants import in_c, in_python
from bench.mutants.equivalent import EQUIVALENT, IN_PYTHON, equivalent
from bench.mutants.functions import Function, functions
from bench.mutants.judge import JudgeError, Judgement, judge, lines_of, main
from bench.mutants.mutant import Mutant, mutant, spread
from bench.mutants.run import Row, measure, page

C = b"""#define TWICE(x) (2 * (x))
/* 1 + 1 */
int f(int *p, double x)
{
    const char *s = "a + b";
    int y = *p + (int)-x;   // 3 < 4
    p->n <<= 2;
    for (int i = 0; i < 3; i++)
        *p = &y == p && !y;
    return sizeof(int) - 1.5f;
}
int g(void) { return f(0, 1.0) + 7; }
"""
PYTHON = b'''def f(x: int, y: float = 1.5) -> "3 + 3":
    """1 + 1"""
    x += 2  # 3 < 4
    if not (x) < (y) and x is not None:
        return f"{x + 1}"
    return -1 if x in (y, True) else ~x


class A:
    def g(self): return 1 << 2
'''


def changes(found: list[Mutant]) -> set[tuple[int, str, str]]:
    return {(one.line, one.old, one.new) for one in found}


def test_mutants_of_c_are_those_of_its_operators_and_numbers() -> None:
    found = changes(in_c.mutants(C, *in_c.lines_of(C, "f")))
    assert {(old, new) for line, old, new in found if line == 6} == {("+", "-"), ("+", "*"), ("-", "")}
    assert (7, "<<=", ">>=") in found
    assert not [old for line, old, _ in found if old in ("->", "*")]
    assert {(8, "++", "--"), (8, "<", "<="), (8, "<", ">="), (8, "3", "4"), (8, "3", "2"), (8, "0", "(-1)")} <= found
    assert {(old, new) for line, old, new in found if line == 9} == {
        ("==", "!="), ("==", "<="), ("==", ">="), ("&&", "||"), ("!", "")}  # fmt: skip
    assert {(old, new) for line, old, new in found if line == 10} == {
        ("-", "+"), ("1.5f", "2.5f"), ("1.5f", "0.0f"), ("1.5f", "(-1.5f)"), ("1.5f", "2.25f")}  # fmt: skip
    assert {line for line, _, _ in found} == {6, 7, 8, 9, 10}


def test_functions_of_c_are_found_where_they_are_defined() -> None:
    old_style = b"double f();\nint h(void) { return f(1.0); }\n#ifdef A\ndouble f(double x)\n#else\n" \
                b"double f(x)\ndouble x;\n#endif\n{\n  return x;\n}\n"  # fmt: skip
    assert in_c.lines_of(C, "g") == (12, 12)
    assert in_c.lines_of(old_style, "f") == (4, 11)
    assert in_c.lines_of(b"namespace a { struct B { int f() const { return 1; } }; }", "a::B::f") == (1, 1)
    with pytest.raises(LookupError):
        in_c.lines_of(b"double f(double);", "f")


def test_mutants_of_python_are_those_of_its_operators_and_numbers() -> None:
    found = changes(in_python.mutants(PYTHON, *in_python.lines_of(PYTHON, "f")))
    assert {(old, new) for line, old, new in found if line == 1} == {
        ("1.5", "2.5"), ("1.5", "0.0"), ("1.5", "(-1.5)"), ("1.5", "2.25")}  # fmt: skip
    assert {(old, new) for line, old, new in found if line == 3} == {
        ("+=", "-="), ("2", "3"), ("2", "1"), ("2", "0")}  # fmt: skip
    assert {(old, new) for line, old, new in found if line == 4} == {
        ("not", ""), ("<", "<="), ("<", ">="), ("and", "or"), ("is not", "is")}  # fmt: skip
    assert {(old, new) for line, old, new in found if line == 6} == {
        ("-", ""), ("1", "2"), ("1", "0"), ("in", "not in"), ("True", "False"), ("~", "")}  # fmt: skip
    assert {line for line, _, _ in found} == {1, 3, 4, 6}


def test_methods_and_classes_have_lines() -> None:
    assert in_python.lines_of(PYTHON, "A.g") == (10, 10)
    assert in_python.lines_of(PYTHON, "A") == (9, 10)
    with pytest.raises(LookupError):
        in_python.lines_of(PYTHON, "A.h")


def test_a_sample_is_evenly_spread() -> None:
    every = [mutant(b"x" * 100, i, i + 1, "y") for i in range(100)]
    assert [one.start for one in spread(every, 4)] == [0, 25, 50, 75]
    assert spread(every, 100) == every


def project(folder: Path, suffix: str, asked: str) -> Path:
    """A function, and a test in a folder below, that asks what it says."""
    (folder / "out").mkdir(parents=True)
    if suffix == "py":
        (folder / "source.py").write_text("def f(n):\n    if n > 10:\n        n -= 3\n    return n * 1\n")
        (folder / "out/test_f.py").write_text(
            "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parents[1]))\n"
            f"from source import f\n\n\ndef test_f():\n    {asked}\n"
        )
    else:
        (folder / "source.c").write_text("int f(int n)\n{\n    if (n > 10)\n        n -= 3;\n    return n + 0;\n}\n")
        (folder / "out/test_f.c").write_text(
            f'/* A test.\n *     cc -o test_f test_f.c\n */\n#include "../source.c"\nint main(void) {{ {asked} }}\n'
        )
    return folder


@pytest.mark.parametrize(("suffix", "weak", "strong"), [
    ("py", "assert f(5) == 5", "assert (f(5), f(10), f(11)) == (5, 10, 8)"),
    ("c", "return f(5) != 5;", "return f(5) != 5 || f(10) != 10 || f(11) != 8;"),
])  # fmt: skip
def test_a_better_test_kills_more(tmp_path: Path, suffix: str, weak: str, strong: str) -> None:
    judged = {}
    for name, asked in (("weak", weak), ("strong", strong)):
        folder = project(tmp_path / name, suffix, asked)
        lines = lines_of(folder / f"source.{suffix}", "f")
        judged[name] = judge(folder, f"source.{suffix}", lines, f"out/test_f.{suffix}", 60)

    def told(found: tuple[Mutant, ...]) -> list[str]:
        return [str(one).partition(" ")[2] for one in found]

    assert "> -> >=" in told(judged["weak"].survived)
    assert "-= -> +=" in told(judged["weak"].survived)
    assert {"> -> >=", "-= -> +=", "> -> <=", "3 -> 4"} <= {*told(judged["strong"].killed)}
    assert {*judged["weak"].killed} < {*judged["strong"].killed}
    # n * 1 and n / 1 are equal in Python; of n + 0 and n - 0 the compiler knows.
    assert told(judged["strong"].survived) == (["* -> /"] if suffix == "py" else [])
    assert told(judged["strong"].same) == ([] if suffix == "py" else ["+ -> -"])


def test_the_function_may_be_in_a_package() -> None:
    row = measure(next(one for one in functions("python") if one.name == "weekday_name"), 2.0, 4)
    assert (row.why, row.mutants) == ("", 4)


def test_code_that_the_flags_leave_out_has_no_mutants_that_count(tmp_path: Path) -> None:
    folder = project(tmp_path / "flags", "c", "return f(5) != 5;")
    source, test = folder / "source.c", folder / "out/test_f.c"
    source.write_text("int f(int n)\n{\n#if SMALL\n    n = n > 3;\n#endif\n    return n + SMALL;\n}\n")
    test.write_text(test.read_text().replace("test_f.c\n", "test_f.c -DSMALL=0 -lm\n"))
    judged = judge(folder, "source.c", lines_of(source, "f"), "out/test_f.c", 60)
    assert {one.line for one in judged.same} == {4, 6}
    assert not judged.survived
    assert [str(one) for one in judged.killed] == ["6:14 + -> *"]


def test_a_test_that_does_not_pass_or_reads_another_file_is_refused(tmp_path: Path) -> None:
    folder = project(tmp_path / "failing", "py", "assert f(5) == 6")
    with pytest.raises(JudgeError, match="does not pass"):
        judge(folder, "source.py", (1, 4), "out/test_f.py", 60)
    other = project(tmp_path / "other", "py", "assert True")
    (other / "out/test_f.py").write_text("def test_f():\n    pass\n")
    with pytest.raises(JudgeError, match="does not read the source"):
        judge(other, "source.py", (1, 4), "out/test_f.py", 60)


def test_the_judge_alone_prints_survivors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = project(tmp_path / "alone", "py", "assert f(5) == 5")
    assert main([str(folder / "source.py"), "1", "4", str(folder / "out/test_f.py")]) == 0
    assert "survived  2:10 > -> >=\n" in capsys.readouterr().out
    for arguments, said in (
        (["source.py", "1", "4", "../test_f.py"], "test_f.py is not in "),
        (["none.py", "1", "4", "out/test_f.py"], "there is no "),
        (["source.py", "90", "99", "out/test_f.py"], "nothing to mutate from line 90 to 99"),
        (["source.py", "1", "4", "out/test_g.py"], "there is no "),
    ):
        source, first, last, test = arguments
        assert main([str(folder / source), first, last, str(folder / test)]) == 2
        assert said in capsys.readouterr().err


def test_forty_functions_that_are_there() -> None:
    realistic = functions("realistic")
    assert (len(realistic), len({one.target for one in realistic})) == (40, 40)
    assert sum(one.is_python for one in realistic) == 20
    for one in realistic:
        assert lines_of(one.project / one.source, one.name)
    assert len(functions("python")) > 50


def test_equivalent_mutants_are_mutants() -> None:
    for which, found in (("realistic", EQUIVALENT), ("python", IN_PYTHON)):
        every = {one.target: one for one in functions(which)}
        for target, known in found.items():
            source = every[target].project / every[target].source
            find = in_python.mutants if source.suffix == ".py" else in_c.mutants
            there = map(str, find(source.read_bytes(), *lines_of(source, every[target].name)))
            assert known == equivalent(every[target])
            assert {*known} <= {*there}, target


def test_one_from_the_command_to_the_page() -> None:
    row = measure(next(one for one in functions("realistic") if one.name == "bcd_decode"), 2.0, 8)
    assert (row.why, row.mutants + len(row.equivalent)) == ("", 8)
    assert row.killed >= 4
    unjudged = Row(Function(Path(), "b.py:g"), 0, 1.0, Judgement((), tuple(row.judged.killed)), "no test")
    text = page([row, unjudged], "realistic", ["bench"], 8)
    assert "- `b.py:g`: no test" in text
    assert f"| **all** | 2 | 1 | {row.mutants + row.killed} | {row.killed} |" in text
