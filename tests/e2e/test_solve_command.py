"""``zeroin solve``, as a user runs it."""

from __future__ import annotations

import json
import math
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import zeroin
from e2e.conftest import Command
from zeroin.cli import solve as command
from zeroin.cli.main import main
from zeroin.errors import MissingDependency
from zeroin.solvers import SOLVERS
from zeroin.solvers.base import Answer, CompleteSolver, Disagreement, Proof, Query, Sat, Unknown, Unsat
from zeroin.term.core.sorts import FLOAT64
from zeroin.term.expression.parser import parse


def solve(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return zeroin("solve", *arguments, cwd=cwd)


def model(text: str) -> dict[str, str]:
    """The lines ``x = value`` below ``sat``."""
    first, *rest = text.strip().splitlines()
    assert first == "sat"
    return dict(line.split(" = ", 1) for line in rest)


# ---- expressions ----


def test_the_page_shows_what_is_printed(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "solve-a-condition.md").read_text()
    shown = re.findall(r"^\$ zeroin solve (-e .*)\n((?:[^$`\n].*\n)+)", page, re.M)
    assert len(shown) >= 4
    for arguments, output in shown:
        if not {"--stats", "--check-proofs"} & set(arguments.split()) and ".smt2" not in arguments:
            result = solve(*shlex.split(arguments), cwd=tmp_path)
            assert result.stdout.splitlines() == output.splitlines()


def test_the_example(tmp_path: Path) -> None:
    result = solve("-e", "2**x <= 5 and x*x >= 5 and x >= 0", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    x = float(model(result.stdout)["x"].split()[0])
    assert 2**x <= 5 and x * x >= 5 and x >= 0  # noqa: PT018
    assert result.stderr == ""


def test_no_solution(tmp_path: Path) -> None:
    result = solve("-e", "x > 3", "-e", "x*x < 4", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "unsat\n")


def test_no_answer_has_a_reason(tmp_path: Path) -> None:
    search = ("--solver", "mathematical-execution", "--evals", 2000)
    result = solve("-e", "sin(x) == 2", *search, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "unknown\n")
    assert result.stderr.startswith("unknown: mathematical-execution: ")
    assert len(result.stderr.splitlines()) == 1


def test_every_type(tmp_path: Path) -> None:
    kinds = {"n": "int", "u": "u8", "i": "i8", "f": "float32", "b": "bool", "d": "double", "w": "u64"}
    declared = [text for name, kind in kinds.items() for text in ("--var", f"{name}:{kind}")]
    text = (
        "n == -7 and u == 255 and i == -128 and float32(0.1) == f and b and d == -inf and w == 2**64 - 1 and 4*z == 1"
    )
    result = solve("-e", text, *declared, "--json", "answer.json", "--stats", cwd=tmp_path)
    assert model(result.stdout) == {
        "n": "-7", "u": "255", "i": "-128", "f": "0.1  (0x1.99999ap-4)", "b": "True", "d": "-inf", "z": "0.25",
        "w": "18446744073709551615",
    }  # fmt: skip
    assert result.stderr.startswith("answered by ")
    assert " s, 8 variables, 8 conditions, " in result.stderr
    report = json.loads((tmp_path / "answer.json").read_text())
    assert report["model"] == {
        "n": -7,
        "u": 255,
        "i": -128,
        "f": 0.1,
        "b": True,
        "d": "-inf",
        "z": 0.25,
        "w": 2**64 - 1,
    }
    assert report["exact"]["f"] == "0x1.99999ap-4"
    assert report["types"] | {"z": "float", "d": "double"} == {**kinds, "z": "float"}


def test_json_on_stdout_is_all_there_is(tmp_path: Path) -> None:
    result = solve("-e", "x == 0.1", "--json", "-", cwd=tmp_path)
    report = json.loads(result.stdout)
    assert (report["schema"], report["answer"], report["model"]) == (1, "sat", {"x": 0.1})
    assert report["exact"] == {"x": "0x1.999999999999ap-4"}
    assert "x = 0.1  (0x1.999999999999ap-4)" in result.stderr


def test_a_type_that_nothing_has_is_pointed_out(tmp_path: Path) -> None:
    result = solve("-e", "x == 1", "--var", "y:int", cwd=tmp_path)
    assert model(result.stdout) == {"x": "1.0"}
    assert result.stderr == "zeroin: --var y:int: no expression has a variable y\n"


def test_no_variables(tmp_path: Path) -> None:
    assert solve("-e", "1 < 2", cwd=tmp_path).stdout == "sat\n"
    assert solve("-e", "1 > 2", cwd=tmp_path).stdout == "unsat\n"


# ---- files ----

SMT = """(set-logic QF_BVFP)
(set-info :status sat)
(declare-const |a b| Float64)
(declare-const v (_ BitVec 8))
(declare-fun p () Bool)
(assert (fp.eq |a b| ((_ to_fp 11 53) RNE 0.1)))
(assert (= v #x2a))
(assert (not p))
(check-sat)
"""


def test_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.smt2").write_text(SMT)
    result = solve("a.smt2", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert model(result.stdout) == {"|a b|": "0.1  (0x1.999999999999ap-4)", "v": "#x2a", "p": "false"}
    assert result.stderr == ""


def test_a_file_that_is_wrong_about_itself(tmp_path: Path) -> None:
    (tmp_path / "a.smt2").write_text(SMT.replace(":status sat", ":status unsat"))
    result = solve("a.smt2", cwd=tmp_path)
    assert result.returncode == 0
    assert result.stderr == "zeroin: the :status of the file is unsat\n"


def test_a_value_of_our_choice_is_no_proof(tmp_path: Path) -> None:
    text = "(declare-const n Int)(declare-const d Int)(assert (= (div n d) {}))(assert (= d 0))(check-sat)"
    (tmp_path / "a.smt2").write_text(text.format(5))
    result = solve("a.smt2", cwd=tmp_path)  # SMT-LIB lets a solver choose what a division by zero is
    assert (result.returncode, result.stdout) == (0, "unknown\n")
    assert "a division by zero" in result.stderr
    (tmp_path / "a.smt2").write_text(text.format(0))
    result = solve("a.smt2", "--json", "a.json", cwd=tmp_path)
    assert model(result.stdout)["d"] == "0"
    assert "depends on zeroin's value for a division by zero" in result.stderr
    assert json.loads((tmp_path / "a.json").read_text())["open"] == ["a division by zero"]
    (tmp_path / "a.smt2").write_text(text.format("(+ 1 (div n d))"))
    result = solve("a.smt2", cwd=tmp_path)
    assert (result.stdout, result.stderr) == ("unsat\n", "")  # whatever it is


def test_what_follows_the_question_is_not_asked(tmp_path: Path) -> None:
    (tmp_path / "a.smt2").write_text(SMT + "(assert false)(exit)(check-sat)")
    assert model(solve("a.smt2", cwd=tmp_path).stdout)["v"] == "#x2a"


def test_each_check_has_an_answer(tmp_path: Path) -> None:
    text = (
        SMT + "(push 1)(assert p)(set-info :status sat)(check-sat)\n(pop 1)(check-sat-assuming ((= v #x2b)))(check-sat)"
    )
    (tmp_path / "a.smt2").write_text(text)
    result = solve("a.smt2", "--json", "a.json", "--stats", cwd=tmp_path)
    assert result.returncode == 0
    first, values = "sat\n|a b| = 0.1  (0x1.999999999999ap-4)\nv = #x2a\n", "p = false\n"
    assert result.stdout == f"{first}{values}unsat\nunsat\n{first}{values}"
    assert "zeroin: the :status of the file is sat" in result.stderr
    assert result.stderr.count("answered by") == 4
    report = json.loads((tmp_path / "a.json").read_text())
    assert report["schema"] == 1
    assert [one["answer"] for one in report["answers"]] == ["sat", "unsat", "unsat", "sat"]


def test_the_queries_of_a_file_share_the_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = []

    def answer(query: Query, budget: Any, *_: object) -> Answer:
        shares.append(budget.seconds)
        return Unknown("nothing was tried")

    monkeypatch.setattr(command, "solve", answer)
    (tmp_path / "a.smt2").write_text("(declare-const p Bool)(assert p)" + "(check-sat)" * 4)
    assert main(["solve", str(tmp_path / "a.smt2"), "--budget", "8"]) == 0
    assert [round(share, 1) for share in shares] == [2.0, 2.7, 4.0, 8.0]


def test_floats_of_other_widths(tmp_path: Path) -> None:
    text = "(declare-const h Float16)(declare-const b (_ FloatingPoint 8 8))(declare-const n (_ FloatingPoint 3 5))"
    text += (
        "(assert (fp.eq h ((_ to_fp 5 11) RNE 0.1)))(assert (fp.eq b ((_ to_fp 8 8) RNE (- 3.0))))(assert (fp.isNaN n))"
    )
    (tmp_path / "a.smt2").write_text(text)
    result = solve("a.smt2", "--json", "a.json", cwd=tmp_path)
    assert model(result.stdout) == {"h": "0.0999755859375", "b": "-3.0", "n": "nan"}
    report = json.loads((tmp_path / "a.json").read_text())
    assert report["model"] == {"h": 0.0999755859375, "b": -3.0, "n": "nan"}
    assert report["exact"]["h"] == "0x1.9980000000000p-4"
    (tmp_path / "a.smt2").write_text("(declare-const q Float128)(assert (fp.isNaN q))")
    result = solve("a.smt2", cwd=tmp_path)
    assert result.returncode == 2
    assert "the sort (_ FloatingPoint 15 113) is not supported" in result.stderr


def test_a_nan_is_shown_as_far_as_it_matters(tmp_path: Path) -> None:
    asked = ("(declare-const x Float64)(assert (fp.isNaN x))"
             "(assert (= (fp.to_ieee_bv x) #x7ff8000000000000))(check-sat)")  # fmt: skip
    (tmp_path / "a.smt2").write_text(asked)
    result = solve("a.smt2", cwd=tmp_path)
    assert model(result.stdout) == {"x": "nan"}
    assert "depends on zeroin's value for the bits of NaN" in result.stderr
    assert model(solve("-e", "x != x and copysign(1, x) < 0", cwd=tmp_path).stdout)["x"].startswith("-nan")


# ---- requests that can not be carried out ----

ONE_LINE = [
    ([], "give a FILE.smt2 or -e EXPRESSION"),
    (["ok.smt2", "-e", "x > 1"], "not both"),
    (["ok.smt2", "--var", "x:int"], "--var x:int: works with -e only"),
    (["missing.smt2"], "missing.smt2: no such file"),
    (["."], ".: is a folder"),
    (["empty.smt2"], "empty.smt2: the file is empty"),
    (["binary.smt2"], "binary.smt2: is not a text file"),
    (["broken.smt2"], "broken.smt2: "),
    (["sorts.smt2"], "sorts.smt2: "),
    (["ok.smt2", "other.smt2"], "unrecognized arguments: other.smt2"),
    (["-e", "x > 1", "--solver", "magic"], "--solver magic: no such solver; choose from portfolio"),
    (["-e", "x > 1", "--budget", "0"], "--budget 0: give a positive number"),
    (["-e", "x > 1", "--budget", "-1"], "--budget -1"),
    (["-e", "x > 1", "--budget", "nan"], "--budget nan"),
    (["-e", "x > 1", "--budget", "ten"], "argument --budget"),
    (["-e", "x > 1", "--evals", "0"], "--evals 0"),
    (["-e", "x > 1", "--seed", "-1"], "--seed -1"),
    (["-e", "x > 1", "--json", "/nowhere/x.json"], "--json /nowhere/x.json: can not be written to"),
    (["-e", "x > 1", "--var", "x"], "--var x: write NAME:TYPE"),
    (["-e", "x > 1", "--var", "2x:int"], "--var 2x:int: write NAME:TYPE"),
    (["-e", "x > 1", "--var", "x:i7"], "--var x:i7: no such type; choose from float, double, float32, int, i8"),
    (["-e", "x > 1", "--var", "x:i8", "--var", "x:u8"], "x already has the type i8"),
    (["-e", ""], "the expression is empty"),
    (["-e", "x >"], "column 4: invalid syntax"),
    (["-e", "x > 1\nand 'a'"], "line 2, column 5: a string is not a number"),
    (["-e", "frob(x) > 1"], "column 1: there is no function frob"),
    (["-e", "x + 1"], "the expression is a float, not a condition"),
    (["-e", "x > 300", "--var", "x:u8"], "300 does not fit u8"),
    (["-e"], "argument -e: expected one argument"),
]


@pytest.mark.parametrize(("arguments", "message"), ONE_LINE, ids=lambda value: repr(value)[:50])
def test_bad_requests_get_one_line(here: Command, arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "empty.smt2").touch()
    (tmp_path / "binary.smt2").write_bytes(bytes(range(128, 256)))
    (tmp_path / "broken.smt2").write_text("(assert (> x 1)")
    (tmp_path / "sorts.smt2").write_text("(declare-sort A 0)(declare-const x A)(assert (= x x))(check-sat)")
    (tmp_path / "ok.smt2").write_text(SMT)
    result = here("solve", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert result.stdout == ""


def test_a_file_that_can_not_be_read(tmp_path: Path) -> None:
    """Not even by root: the first page of a process is never there."""
    (tmp_path / "a.smt2").symlink_to("/proc/self/mem")
    result = solve("a.smt2", cwd=tmp_path)
    assert result.returncode == 2
    assert "a.smt2: can not be read (Input/output error)" in result.stderr


# ---- solvers of ours that behave badly ----


class Prover(CompleteSolver):
    """Proves everything."""

    name = "prover"

    def solve(self, query: Query, budget: Any) -> Answer:
        return Unsat(Proof(self, "by heart", 1.5, ("nothing",)))


class Liar(CompleteSolver):
    """Has the same model for everything."""

    name = "liar"

    def solve(self, query: Query, budget: Any) -> Answer:
        return Sat({"x": 0.5}, "liar")


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Callable[[Answer | Exception], None]:
    """Makes the command's solver give an answer."""

    def use(answer: Answer | Exception) -> None:
        def fake(query: Query, budget: Any, solver: str, seed: int, check_proofs: bool) -> Answer:
            if isinstance(answer, Exception):
                raise answer
            return answer

        monkeypatch.setattr(command, "solve", fake)

    return use


def test_a_model_that_does_not_hold_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """For a solver that is asked by its name as for any other."""
    monkeypatch.setitem(SOLVERS, "liar", lambda seed: Liar())
    assert main(["solve", "-e", "x < 1", "--solver", "liar"]) == 0
    assert capsys.readouterr() == ("sat\nx = 0.5\n", "")
    assert main(["solve", "-e", "x > 1", "--solver", "liar"]) == 0
    out, err = capsys.readouterr()
    assert out == "unknown\n"
    assert err == "unknown: liar: its model does not hold; please report this query\n"


def test_a_reason_is_one_line(answering: Any, capsys: pytest.CaptureFixture[str]) -> None:
    answering(Unknown("first\n  second"))
    assert main(["solve", "-e", "x > 1", "--stats"]) == 0
    out, err = capsys.readouterr()
    assert out == "unknown\n"
    assert err.splitlines()[0] == "unknown: first second"
    assert err.splitlines()[1].startswith("answered by nobody, ")


def test_the_prover_is_named(answering: Any, capsys: pytest.CaptureFixture[str]) -> None:
    answering(Unsat(Proof(Prover(), "by heart")))
    assert main(["solve", "-e", "x > 1", "--stats"]) == 0
    out, err = capsys.readouterr()
    assert out == "unsat\n"
    assert err.startswith("answered by prover, ")
    assert err.endswith(" s, 1 variable, 1 condition, 3 parts\n")


def test_a_second_prover_is_asked(tmp_path: Path) -> None:
    asked = ("-e", "x > 3", "-e", "x*x < 4", "--check-proofs", "--json", "a.json")
    result = solve(*asked, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "unsat\n")
    first, second = re.fullmatch(r"zeroin: proved by (\w+), confirmed by (\w+)\n", result.stderr).groups()  # type: ignore[union-attr]
    assert first != second
    report = json.loads((tmp_path / "a.json").read_text())
    assert (report["by"], report["confirmed_by"], report["unconfirmed"]) == (first, [second], None)
    assert (report["proof"]["solver"], report["proof"]["confirmed_by"][0]["solver"]) == (first, second)
    assert solve("-e", "x > 3", "--check-proofs", cwd=tmp_path).stderr == ""


def test_a_proof_is_told_in_full(answering: Any, tmp_path: Path) -> None:
    answering(Unsat(Proof(Prover(), "by heart", 1.5, ("nothing",))))
    place = tmp_path / "a.json"
    assert main(["solve", "-e", "x > 1", "--json", str(place)]) == 0
    assert json.loads(place.read_text())["proof"] == {
        "solver": "prover", "method": "by heart", "seconds": 1.5, "assumptions": ["nothing"], "confirmed_by": [],
        "unconfirmed": None,
    }  # fmt: skip
    answering(Unknown("no idea"))
    assert main(["solve", "-e", "x > 1", "--json", str(place)]) == 0
    assert json.loads(place.read_text())["proof"] is None


def test_a_proof_that_nobody_confirms_says_so(answering: Any, capsys: pytest.CaptureFixture[str]) -> None:
    answering(Unsat(Proof(Prover(), "by heart", unconfirmed="z3: it gave up")))
    assert main(["solve", "-e", "x > 1", "--check-proofs"]) == 0
    told = "zeroin: proved by prover, not confirmed by a second prover: z3: it gave up\n"
    assert capsys.readouterr() == ("unsat\n", told)


def test_provers_that_disagree_are_an_error(answering: Any, capsys: pytest.CaptureFixture[str]) -> None:
    answering(Disagreement("one of them is wrong"))
    assert main(["solve", "-e", "x > 1", "--check-proofs"]) == 1
    assert capsys.readouterr() == ("unknown\n", "unknown: THE PROVERS DISAGREE: one of them is wrong\n")


def test_a_missing_package_is_one_line(answering: Any, capsys: pytest.CaptureFixture[str]) -> None:
    answering(MissingDependency("z3 is not installed: pip install 'zeroin[smt]'"))
    assert main(["solve", "-e", "x > 1"]) == 2
    assert capsys.readouterr() == ("", "zeroin: z3 is not installed: pip install 'zeroin[smt]'\n")


# ---- the library ----


def test_solving_is_a_function_of_the_package() -> None:
    import zeroin.solvers.base

    query = Query((parse("x*x == 4 and x < 0", {"x": FLOAT64}),))
    answer = zeroin.solve(query, zeroin.Budget(seconds=5.0))
    assert isinstance(answer, zeroin.solvers.base.Sat)
    assert math.isclose(answer.model["x"], -2)
    assert zeroin.solvers.solve is zeroin.solve
