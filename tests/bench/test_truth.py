"""bench/truth: programs are the same for the same seed, the truth is right, and what is wrong is noticed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from bench.truth import run
from bench.truth.c import check as in_c
from bench.truth.c.code import HOISTED, Driver, File, Text, Written, put_together
from bench.truth.c.emitted import check_cases, check_runs
from bench.truth.c.features import FEATURES, program
from bench.truth.c.truth import truths
from bench.truth.page import page
from bench.truth.verdicts import PATH, Branch, Checked, Counted, Program, Truth, contradictions

from zeroin import COVERED, INFEASIBLE, UNDECIDED
from zeroin.subject.base import Branch as Named
from zeroin.subject.base import Site
from zeroin.suite.suite import Verdict

TOGETHER = 4  # programs in each of the tests that ask zeroin
CHECKED, SEED = 8, 2  # make truth checks more


def written(lines: Sequence[str], conditions: Sequence[str], driver: Driver, cases: Sequence[int] = ()) -> Written:
    """A program; ``@0`` stands for the first condition, and the last one may be the value of a ``switch``."""
    code = Text()
    for number, condition in enumerate(conditions):
        code.condition(condition, cases if number == len(conditions) - 1 else ())
    for line in lines:
        for number, condition in enumerate(conditions):
            line = line.replace(f"@{number}", f"«{number}|{condition}»")
        code.add(line)
    return Written(7, "by hand", "f7", code, driver)


def truth_of(one: Written, folder: Path) -> Truth:
    return truths(put_together([one]), folder)[7]


def taken(truth: Truth) -> set[tuple[int, str]]:
    return {(branch.line, branch.label) for branch, example in truth.branches.items() if example is not None}


# ---- programs ----


def _every_feature(seed: int) -> File:
    return put_together([program(seed, number, feature) for number, feature in enumerate(FEATURES)])


def test_the_seed_makes_the_programs() -> None:
    one, again, other = (_every_feature(seed) for seed in (3, 3, 4))
    assert one == again
    assert one.plain != other.plain
    assert [p.feature for p in one.programs] == list(FEATURES)


def test_plain_and_noting_have_the_same_lines() -> None:
    file = _every_feature(5)
    plain, twin = file.plain.splitlines(), file.twin.splitlines()
    hoisted = next(n for n, line in enumerate(twin) if line.startswith(plain[0]))
    assert not {"«", HOISTED} & {*file.plain, *file.twin}
    for number, line in enumerate(plain, 1):
        noting = "zt_cond(" in twin[number - 1 + hoisted] or "zt_switch(" in twin[number - 1 + hoisted]
        assert noting is any(branch.line == number for branch in file.branches), line


# ---- the truth ----


def test_pointers_that_are_equal(tmp_path: Path) -> None:
    driver = Driver(2, "int a, b; zt_result(f7(&a, i ? &a : &b));")
    lines = ["int f7(int *p, int *q) {", "*p = 5; *q = 7;", "if (@0) return 1;", "return @1 ? 2 : 3;", "}"]
    truth = truth_of(written(lines, ["*p == 7", "p == q"], driver), tmp_path)
    assert taken(truth) == {(3, "true"), (3, "false"), (4, "false")}
    assert truth.branches[Branch(3, "true")] == "input 1"


def test_undefined_behaviour_takes_nothing(tmp_path: Path) -> None:
    driver = Driver(64, "zt_result(f7((int)i));")
    lines = ["int f7(int a) {", "int x = 1 << a;", "if (@0)", "return (int)(x * 1e9);", "return 1;", "}"]
    assert taken(truth_of(written(lines, ["a > 31"], driver), tmp_path)) == {(3, "false")}
    assert taken(truth_of(written(lines, ["a > 2"], driver), tmp_path)) == {(3, "false")}
    assert taken(truth_of(written(lines, ["a > 30"], driver), tmp_path)) == {(3, "false")}
    assert taken(truth_of(written(lines, ["a == 1"], driver), tmp_path)) == {(3, "true"), (3, "false")}


def test_what_calls_leave_behind(tmp_path: Path) -> None:
    driver = Driver(2, "if (i >= 2) { set7((int)i); return; }\nzt_result(f7((int)i));", (), 1, ("n7", "mode7"))
    lines = ["static int mode7;", "void set7(int v) { mode7 = v; }", "int f7(int a) {", f"{HOISTED}static int n7;",
             "if (a && n7 < 5) n7++;", "if (@0) return 1;", "if (@1) return 2;", "return @2;", "}"]  # fmt: skip
    truth = truth_of(written(lines, ["n7 == 5", "n7 > 5", "mode7 == 2"], driver), tmp_path)
    assert taken(truth) == {(6, "true"), (6, "false"), (7, "false"), (8, "true"), (8, "false")}
    assert truth.paths == {}


def test_cases_and_paths(tmp_path: Path) -> None:
    driver = Driver(4, "zt_result(f7((int)i));")
    lines = ["int f7(int a) {", "if (@0) return 9;", "switch (@1) { case 1: case 2: return 1; case 8: return 2; }",
             "return 0;", "}"]  # fmt: skip
    truth = truth_of(written(lines, ["a > 2", "a"], driver, (1, 2, 8)), tmp_path)
    assert taken(truth) == {(2, "true"), (2, "false"), (3, "case 1"), (3, "case 2"), (3, "default")}
    high, low = Branch(2, "true"), Branch(2, "false")
    assert truth.paths[low, Branch(3, "case 2")] == "input 2"
    assert truth.paths[low, Branch(3, "case 8")] is None
    assert truth.paths[(high,)] == "input 3"
    assert (high, low) not in truth.paths


# ---- what is wrong ----


def claim(line: int, label: str, verdict: str, why: str = "") -> Verdict:
    site = Site(0, "f7", "x.c", line, 1, "c")
    return Verdict(Named("0T", site, 0, label), verdict, None, why)


TRUTH = Truth({Branch(1, "true"): "input 3", Branch(1, "false"): None}, {(Branch(1, "true"),): "input 3"})
PROGRAM = Program("c", 7, "by hand", "f7", "", TRUTH)


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ((COVERED, INFEASIBLE), []),
        ((UNDECIDED, UNDECIDED), []),
        ((INFEASIBLE, INFEASIBLE), ["line 1: true: infeasible (by magic), and input 3 takes it"]),
        ((COVERED, COVERED), ["line 1: false: covered, and no input takes it"]),
    ],
)
def test_a_wrong_verdict_is_noticed(verdicts: Sequence[str], said: list[str]) -> None:
    claims = [claim(1, label, verdict, "by magic") for label, verdict in zip(("true", "false"), verdicts, strict=True)]
    assert [*contradictions(TRUTH, claims)] == said


def test_branches_have_to_be_the_same() -> None:
    assert [*contradictions(TRUTH, [claim(1, "true", COVERED), claim(2, "true", UNDECIDED)])] == [
        "line 2: c true: the program has no such branch",
        "line 1: false: nothing is said of it",
    ]


def test_a_wrong_path_is_noticed() -> None:
    checked = Checked(PROGRAM)
    checked.compare_path((Branch(1, "true"),), COVERED)
    assert checked.against == []
    checked.compare_path((Branch(1, "true"),), INFEASIBLE, "by magic")
    checked.refused_path((Branch(1, "true"),), "not in the code")
    assert checked.verdicts == Counter({Counted(PATH, COVERED, True): 1, Counted(PATH, INFEASIBLE, True): 1})
    assert [str(one) for one in checked.wrong] == [
        "c 7 (by hand), f7, path: line 1: true: infeasible (by magic), and input 3 takes it",
        "c 7 (by hand), f7, path: line 1: true: refused: not in the code",
    ]


TEST = """/* A test.
 *     cc -o test_x test_x.c
 */
#include <string.h>
#define ZEROIN_EQ_INT(got, expected) failed |= (got) != (expected)
static int failed;
static int f7(int a) {{ return {body}; }}

static void test_f7_one(void)
{{
    {check}
}}

int main(int argc, char **argv)
{{
    if (argc < 2 || !strcmp(argv[1], "test_f7_one")) test_f7_one();
    return failed;
}}
"""
RIGHT = "ZEROIN_EQ_INT(f7(40), 40);"


@pytest.mark.parametrize(
    ("body", "check", "failing", "silent"),
    [
        ("a", RIGHT, "", 0),
        ("a + 1", RIGHT, "Clang -O0: test_f7_one ends with 1", 0),
        ("a + 0 * (1 << a)", RIGHT, "Clang's sanitizer for undefined behaviour: test_f7_one ends with", 0),
        ("a", "f7(40);", "", 1),
    ],
)
def test_a_wrong_test_is_noticed(tmp_path: Path, body: str, check: str, failing: str, silent: int) -> None:
    test, one = tmp_path / "test_x.c", Checked(PROGRAM)
    test.write_text(TEST.format(body=body, check=check))
    check_cases(test.read_text(), {"f7": one})
    check_runs(test, {"f7": one})
    assert (one.tests, len(one.silent), bool(one.failing)) == (1, silent, bool(failing))
    assert all(failing in wrong.what for wrong in one.failing[:1])


def test_a_crash_is_no_test_without_an_assertion() -> None:
    one = Checked(PROGRAM)
    check_cases(TEST.format(body="a", check="f7(40);") + "ZEROIN_DISABLED(test_f7_one)", {"f7": one})
    assert (one.tests, [wrong.what for wrong in one.silent]) == (0, ["there is no test of it"])


def test_the_page_tells_what_is_wrong() -> None:
    right, wrong = Checked(PROGRAM), Checked(PROGRAM)
    right.verdicts.update({
        Counted("prove", COVERED, True): 3,
        Counted("prove", UNDECIDED, True): 1,
        Counted("prove", INFEASIBLE, False): 2,
    })  # fmt: skip
    wrong.fails("it ends with 1")
    text = page([right, wrong], {"c": {"unions": "not yet"}}, ["bench"], 1.0)
    assert "| c | 2 | 4 | 2 | 0 | 0 | 0 | 1 | 0 |" in text
    taken, never = text.split("## Branches that no input takes")
    assert "| c: by hand | 2 |  |  | 3 of 4 (75.0%) |  |  |" in taken
    assert "| c: by hand | 2 |  |  | 2 of 2 (100.0%) |  |  |" in never
    assert "- c 7 (by hand), f7, test: it ends with 1\n" in text
    assert "- c, unions: not yet\n" in text


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked = dict[str, Sequence[int]]()

    def answer(numbers: Mapping[str, Sequence[int]], seed: int, jobs: int) -> list[Checked]:
        asked.update(numbers)
        found = Checked(PROGRAM)
        found.asserts_nothing(f"seed {seed}")
        return [found, Checked(replace(PROGRAM, number=8))]

    monkeypatch.setattr(run, "run", answer)
    assert run.main(["--language", "c", "--programs", "5", "--seed", "3"]) == 1
    assert asked == {"c": range(5)}
    assert "test: seed 3" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        run.main(["--programs", "0"])


# ---- zeroin ----


@pytest.mark.parametrize("first", range(0, CHECKED, TOGETHER))
def test_nothing_that_zeroin_says_of_programs_in_c_is_wrong(tmp_path: Path, first: int) -> None:
    numbers = range(first, first + TOGETHER)
    checked = in_c.check(numbers, SEED, tmp_path)
    assert [one.program.number for one in checked] == [*numbers]
    assert [str(wrong) for one in checked for wrong in one.against] == []
    assert all(one.tests for one in checked)
