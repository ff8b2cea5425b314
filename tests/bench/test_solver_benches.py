"""The benches of the solvers count right: on conditions whose answers are plain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.asking import Outcome, ask
from bench.concolic_walk import run as concolic_walk
from bench.flopsy.functions import FUNCTIONS, PAPER
from bench.flopsy.run import CONFIGURATIONS
from bench.qf_fp import run as qf_fp

from zeroin.config import Budget
from zeroin.solve.base import Answer, Query, Sat, Unknown
from zeroin.term.expression import parse
from zeroin.term.sorts import FLOAT64

SOLUTIONS = {
    "Beale": {"x1": 1.5, "x2": 0.0},
    "Freudenstein and Roth": {"x1": 5.0, "x2": 4.0},
    "Helical valley": {"x1": 1.0, "x2": 0.0, "x3": 0.0},
    "Powell": {"x1": 1.0981593296998995e-05, "x2": 9.106146739865844},
    "Rosenbrock": {"x1": 1.0, "x2": 1.0},
    "Wood": {"x1": 1.0, "x2": 1.0, "x3": 1.0, "x4": 1.0},
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_published_minima_solve_flopsys_functions(name: str) -> None:
    query = Query((parse(FUNCTIONS[name], {}, default=FLOAT64),))
    if name == "Freudenstein and Roth" or name != "Powell":  # the sum of both terms is 0 there, and each term is
        assert query.holds(SOLUTIONS[name])
    assert not query.holds({v.data: 0.125 for v in query.variables})
    assert name in PAPER


def test_flopsys_configurations_are_solvers() -> None:
    query = Query((parse(FUNCTIONS["Beale"], {}, default=FLOAT64),))
    for title, make in CONFIGURATIONS.items():
        outcome = ask(make(0), query, Budget(100_000, 20.0))
        assert outcome.verdict in ("sat", "unknown"), title
        assert not outcome.wrong("sat")


def test_the_corpus_rounds_as_java_does() -> None:
    entry = {"variables": [{"name": "x", "type": "double"}], "condition": "round(x) == 3 and x < 2.75"}
    query = concolic_walk.query_of(entry)
    assert query.holds({"x": 2.5})
    assert not query.holds({"x": 2.25})


def test_conditions_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def entry(name: str, condition: str, status: str, inside: bool) -> dict[str, object]:
        variables = [{"name": "x", "type": "double"}, {"name": "n", "type": "int"}]
        return {"id": name, "variables": variables, "condition": condition, "known_status": status,
                "in_concolic_walk_corpus": inside}  # fmt: skip

    entries = [
        entry("a", "sin(x) > 0.5 and n == 3", "sat", True),
        entry("b", "x > 1 and x < 1", "unsat", True),
        entry("c", "x * x == 2.25 and n > 0", "sat", False),
    ]
    file = tmp_path / "conditions.json"
    file.write_text(json.dumps({"conditions": entries}))
    assert concolic_walk.main([str(file), "--seeds", "2", "--budget", "5", "--solver", "portfolio"]) == 0
    assert "| portfolio | 2 | 1 | 1 | 1 | 0 | 1 | 0 |" in capsys.readouterr().out
    entries[1]["known_status"] = "sat"
    file.write_text(json.dumps({"conditions": entries}))
    assert concolic_walk.main([str(file), "--seeds", "1", "--budget", "5", "--solver", "portfolio"]) == 1
    assert concolic_walk.main([str(tmp_path / "none.json")]) == 2


def test_files_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qf_fp, "_WORK", tmp_path / "work")
    head = "(set-logic QF_FP)(declare-fun x () (_ FloatingPoint 8 24))"
    files = {"a.smt2": f"{head}(assert (fp.lt x x))", "b.smt2": f"{head}(assert (fp.eq x x))"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "labels.json").write_text(json.dumps({"a.smt2": "unsat", "b.smt2": "unknown"}))
    assert qf_fp.main([str(tmp_path), "--budget", "5", "--solver", "portfolio", "--solver", "z3"]) == 0
    page = capsys.readouterr().out
    assert "| portfolio | 1 | 1 | 1 | 0 |" in page
    assert "| a.smt2 | unsat | unsat | unsat |" in page
    assert qf_fp.main([str(tmp_path), "--render"]) == 0
    assert "| portfolio | 1 | 1 | 1 | 0 |" in capsys.readouterr().out
    (tmp_path / "labels.json").write_text(json.dumps({"a.smt2": "sat"}))
    assert qf_fp.main([str(tmp_path), "--budget", "5", "--solver", "z3"]) == 1
    assert qf_fp.main([str(tmp_path / "none")]) == 2


def test_a_wrong_model_is_told() -> None:
    class Liar:
        name = "liar"

        def solve(self, query: Query, budget: Budget) -> Answer:
            return Sat({"x": 0.0}, "liar")

    query = Query((parse("x > 1", {}, default=FLOAT64),))
    assert ask(Liar(), query, Budget(seconds=5.0)).verdict == "wrong model"
    assert Outcome("wrong model", 0.0, "").wrong("unknown")
    assert Outcome("unsat", 0.0, "").wrong("sat")
    assert not Outcome("unsat", 0.0, "").wrong("unknown")
    assert isinstance(Unknown("x"), Answer)
