"""``zeroin cover --find``: inputs with which an operation goes wrong, or proofs that there are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zeroin.cli.main import build_parser, main
from zeroin.config import FAULTS

C = """#include <math.h>
static int table[8];
double f(double x, double y, int n)
{
    if (x > 1e200 && y > 2.0)
        return x * y;
    table[n & 7] = n + 1;
    return sqrt(fabs(x)) / (1.0 + y * y);
}
int crashes(int a, int b) { return a > 3 ? 100 / (b ^ 7) : 0; }
int walks(int i) { int local[4] = {1, 2, 3, 4}; return local[i]; }
int straight(int a) { return (a & 7) + 1; }
double harmless(double a) { return (a / 3.0) * 0.5; }
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "f.c"
    path.write_text(C)
    return path


def found(source: Path, function: str, *options: str, status: int = 1) -> dict[str, Any]:
    report = source.parent / "report.json"
    command = ["cover", f"{source}:{function}", "--out", str(source.parent / "out"), "--json", str(report), *options]
    assert main(command) == status
    (target,) = json.loads(report.read_text())["targets"]
    assert isinstance(target, dict)
    return target


def test_faults_are_found_or_proved_impossible(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = found(source, "f", "--find", "all")
    verdicts = {fault["id"]: fault["verdict"] for fault in target["faults"]}
    assert {name for name, verdict in verdicts.items() if verdict == "found"} == {
        "overflow@6:18", "intoverflow@7:22", "overflow@8:37", "nan@8:26"}  # fmt: skip
    assert {name for name, verdict in verdicts.items() if verdict == "infeasible"} == {
        "nan@6:18", "bounds@7:5", "overflow@8:12", "nan@8:12", "nan@8:37", "overflow@8:33", "cancel@8:33",
        "overflow@8:26", "divzero@8:26"}  # fmt: skip
    assert all(fault["proof"] for fault in target["faults"] if fault["verdict"] == "infeasible")
    first = target["findings"][0]
    assert (first["kind"], first["fault"]) == ("overflow", "overflow@6:18")
    assert first["message"].startswith("line 6: ")
    assert first["message"].endswith(" = inf (x * y)")
    x, y, _ = first["args"]
    assert x > 1e200
    assert x * y == float("inf")
    assert len(target["findings"]) == 4
    printed = capsys.readouterr().out
    assert "    6 | x * y " in printed
    assert "overflow found  no nan" in printed
    assert "13 faults of 7 operations: 4 found, 9 proved impossible, 0 undecided." in printed


def test_branches_are_what_they_are_without_it(source: Path) -> None:
    target, plain = found(source, "f", "--find", "overflow,nan"), found(source, "f", "--find", "none", status=0)
    assert {fault["kind"] for fault in target["faults"]} == {"overflow", "nan"}
    assert "faults" not in plain
    for key in ("id", "line", "condition", "outcome", "verdict"):
        assert [branch[key] for branch in target["branches"]] == [branch[key] for branch in plain["branches"]]
    taken = {name for kept in target["inputs"] for name in kept["branches"]}
    assert taken == {branch["id"] for branch in plain["branches"]}


def test_a_crash_is_one_finding(source: Path) -> None:
    target = found(source, "crashes", "--find", "divzero")
    (finding,) = target["findings"]
    assert finding["kind"] == "divzero"
    assert finding["message"] == "line 10: 100 / 0 (100 / (b ^ 7)); the run crashed"
    assert [v["verdict"] for v in target["branches"]] == ["covered", "covered"]


def test_an_index_out_of_bounds(source: Path) -> None:
    (finding,) = found(source, "walks", "--find", "bounds")["findings"]
    (i,) = finding["args"]
    assert not 0 <= i < 4
    assert f"index {i} of 4 elements (local[i])" in finding["message"]


def test_nothing_goes_wrong(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = found(source, "straight", "--find", "all", status=0)
    assert {fault["verdict"] for fault in target["faults"]} == {"infeasible"}
    assert "1 fault of 1 operation: 0 found, 1 proved impossible, 0 undecided." in capsys.readouterr().out
    assert found(source, "harmless", "--find", "all", status=0)["faults"] == []
    assert "No operation can have these faults." in capsys.readouterr().out


def test_each_proof_is_a_query(source: Path) -> None:
    queries = source.parent / "queries.smt2"
    target = found(source, "straight", "--find", "intoverflow", "--smt2", str(queries), status=0)
    assert [fault["id"] for fault in target["faults"]] == ["intoverflow@12:38"]
    assert queries.read_text().count("(check-sat)") == len(target["faults"])


@pytest.mark.parametrize("given", ["overflows", "nan,", ""])
def test_unknown_faults(source: Path, capsys: pytest.CaptureFixture[str], given: str) -> None:
    assert main(["cover", f"{source}:f", "--find", given]) == 2
    name = given.removeprefix("nan,")
    assert f"--find {name}: no such fault; choose from overflow, nan, " in capsys.readouterr().err


def test_python(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def f(x: float):\n    return x * x if x > 3.0 else x - x / 2.0\n")
    target = found(tmp_path / "m.py", "f", "--find", "overflow,nan", "--emit", "none")
    verdicts = {fault["id"]: fault["verdict"] for fault in target["faults"]}
    assert {name for name, verdict in verdicts.items() if verdict == "found"} == {"overflow@2:14", "nan@2:36"}
    assert {name for name, verdict in verdicts.items() if verdict == "infeasible"} == {
        "nan@2:14", "overflow@2:36", "overflow@2:40", "nan@2:40"}  # fmt: skip


def test_the_help_names_them() -> None:
    parser = build_parser()
    (commands,) = [action for action in parser._actions if action.dest == "command"]
    text = " ".join(commands.choices["cover"].format_help().split())  # type: ignore[index]
    assert ", ".join(FAULTS) in text


MACRO = """#define BOTH(a, b) (table[(a)] + table[(b)])
static int table[4];
int f(int i) { return BOTH(i, i & 3); }
int g(double *p, int n, double x) { if (x > 3.0) p[n] = x; return 100 / n; }
"""


def test_what_is_found_at_a_place_says_nothing_of_others_there(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(MACRO)
    target = found(tmp_path / "f.c", "f", "--find", "bounds")
    assert len({(fault["line"], fault["column"]) for fault in target["faults"]}) == 1
    assert [fault["verdict"] for fault in target["faults"]] == ["found", "infeasible"]
    (finding,) = target["findings"]
    assert finding["fault"] == target["faults"][0]["id"]


def test_code_without_lines(tmp_path: Path) -> None:
    """IR of somebody else: each operation is a place of its own."""
    (tmp_path / "f.ll").write_text("""define i32 @f(i32 %a, i32 %b) {
  %1 = add nsw i32 %a, 1
  %2 = and i32 %b, 7
  %3 = add nsw i32 %2, 1
  %4 = sdiv i32 %1, %b
  %5 = add i32 %4, %3
  ret i32 %5
}
""")
    target = found(tmp_path / "f.ll", "f", "--find", "intoverflow,divzero")
    verdicts = [(fault["kind"], fault["verdict"]) for fault in target["faults"]]
    assert verdicts == [("intoverflow", "found"), ("intoverflow", "infeasible"), ("divzero", "found"),
                        ("intoverflow", "found")]  # fmt: skip
    messages = {finding["fault"]: finding["message"] for finding in target["findings"]}
    assert [messages[fault["id"]] for fault in target["faults"] if fault["verdict"] == "found"] == [
        "2147483647 + 1 (%1 = add nsw i32 %a, 1)",
        "1 / 0 (%4 = sdiv i32 %1, %b); the run crashed",
        "-2147483648 / -1 (%4 = sdiv i32 %1, %b)",
    ]


def test_an_input_that_ends_the_process_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("""#include <signal.h>
int f(int a, double x) {
    int b = a + 1;
    if (a == 2147483647) raise(SIGKILL);
    return b + (int) x;
}
""")
    target = found(tmp_path / "f.c", "f", "--find", "intoverflow,cast", "--allow", "processes")
    assert {finding["kind"] for finding in target["findings"]} >= {"intoverflow", "cast"}
    messages = {finding["kind"]: finding["message"] for finding in target["findings"]}
    assert messages["cast"].startswith("line 5: (int32_t) ")


def test_an_overflow_on_purpose_is_no_usual_fault(tmp_path: Path) -> None:
    path = tmp_path / "f.c"
    path.write_text("double f(double x) { return x > 700 ? x * 0x1p1023 : x; }\n")
    command = ["cover", f"{path}:f", "--evals", "200000", "--emit", "none"]
    assert main(command) == 0
    assert main([*command, "--find", "overflow"]) == 1
