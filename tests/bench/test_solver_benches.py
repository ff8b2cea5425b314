"""The benches of the solvers count right: on conditions whose answers are plain."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bench.asking import Outcome, ask
from bench.concolic_walk import run as concolic_walk
from bench.concolic_walk.baselines import ABLATIONS
from bench.flopsy.functions import FUNCTIONS, ROTATIONS, SETS, _linear
from bench.flopsy.run import CONFIGURATIONS, EVALUATIONS, differences, render
from bench.qf_fp import run as qf_fp

from zeroin.config import Budget
from zeroin.objective.condition import Condition
from zeroin.solvers.base import Answer, Query, Sat, Solver
from zeroin.solvers.concolic_walk import Walk
from zeroin.solvers.starts import domain_of
from zeroin.term.core.sorts import FLOAT64
from zeroin.term.expression.parser import parse


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("title", SETS)
def test_the_known_zeros_solve_flopsys_functions(title: str, name: str) -> None:
    """By the Python meaning of terms and natively; a quarter away from it along any coordinate they do not."""
    function = SETS[title][name]
    query = Query((parse(function.text, {}, default=FLOAT64),))
    condition = Condition(query.conjuncts, order=query.variables)
    door, words = condition.door(), condition.words(function.model)
    door.open(10)
    assert query.holds(function.model)
    assert door.evaluate(words) == 0.0
    door.open(10)
    for v, value in function.model.items():
        assert door.evaluate(condition.words({**function.model, v: value + 0.25})) > 0.0


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("title", ["shifted", "rotated"])
def test_zeros_of_variants_are_no_values_worth_trying(title: str, name: str) -> None:
    function = SETS[title][name]
    query = Query((parse(function.text, {}, default=FLOAT64),))
    condition = Condition(query.conjuncts, order=query.variables)
    near = {w + d for pool in domain_of(condition).pools for w in pool for d in range(-1000, 1001)}
    assert not near & set(condition.words(function.model))


@pytest.mark.parametrize(("n", "factor"), [(2, 1.25), (3, 0.75), (4, 1.0)])
def test_rotations_are_orthogonal(n: int, factor: float) -> None:
    matrix = ROTATIONS[n]
    rotation = np.array(matrix) / factor
    assert rotation @ rotation.T == pytest.approx(np.eye(len(matrix)))
    assert np.count_nonzero(matrix) == len(matrix) ** 2


def test_a_variant_whose_constant_is_no_double_is_refused() -> None:
    with pytest.raises(ValueError, match="is no double"):
        _linear((0.5, 1.0), (2.0**-20, 2.0**-1000), 1.0)


@pytest.mark.parametrize("title", CONFIGURATIONS)
def test_flopsys_configurations_are_solvers(title: str) -> None:
    """Every configuration solves Beale's function; but uniform words never are exactly right."""
    query = Query((parse(FUNCTIONS["Beale"], {}, default=FLOAT64),))
    budget = Budget(EVALUATIONS, 60.0)
    solved = any(isinstance(CONFIGURATIONS[title](seed).solve(query, budget), Sat) for seed in range(3))
    assert solved == (title != "random alone")


def test_rows_of_the_paper_know_no_constants() -> None:
    """Behind no first phase, only rows that say so start at a constant that nothing else leads to."""
    query = Query((parse("(x1 - 1.2345678901234567e123) * 1e300 == 0", {}, default=FLOAT64),))
    alone = [title for title in CONFIGURATIONS if "alone" in title]
    solved = [t for t in alone if isinstance(CONFIGURATIONS[t](0).solve(query, Budget(100_000, 60.0)), Sat)]
    assert solved == ["AVM alone, from constants", "GA alone, from constants"]  # ES draws 14 parents, once


def test_differences_from_flopsy_are_told_from_what_was_measured() -> None:
    def table(**solved: int) -> dict[str, dict[str, tuple[int, float]]]:
        cells = {title: dict.fromkeys(FUNCTIONS, (10, 0.1)) for title in CONFIGURATIONS}
        for title in cells:
            cells[title]["Powell"] = (0, 0.1)
        cells["+ AVM (paper)"] |= {"Rosenbrock": (0, 0.1), "Beale": (solved["avm_beale"], 0.1)}
        cells["+ ES (paper)"] |= {"Rosenbrock": (solved["es_rosenbrock"], 0.1)}
        return cells

    as_told = [*differences(table(avm_beale=9, es_rosenbrock=10), 10)]
    assert "ES: 5 of 6 functions with every run in the paper; here 5 of 6 with every seed behind Z3" in as_told[1]
    assert all("no function differs" in line for line in as_told[:2])
    avm, es, *_ = differences(table(avm_beale=10, es_rosenbrock=3), 10)
    assert "Beale: 27 of 30 in the paper, 10 of 10 behind Z3" in avm
    assert "here 4 of 6" in es
    assert "Rosenbrock: 30 of 30 in the paper, 3 of 10 behind Z3, 10 alone" in es


def test_the_page_has_every_configuration_and_set() -> None:
    tables = {title: {c: dict.fromkeys(FUNCTIONS, (2, 0.5)) for c in CONFIGURATIONS} for title in SETS}
    tables["rotated"]["portfolio"] = {**tables["rotated"]["portfolio"], "Wood": (1, 0.5)}
    page = render(tables, 2)
    assert page.count("| portfolio | 2 | 2 | 2 | 2 | 2 | 2 | 6 |") == 2
    assert page.count("| portfolio | 2 | 2 | 2 | 2 | 2 | 1 | 5 |") == 1
    assert page.count("| portfolio | 0.50 ") == 1
    assert all(page.count(f"| {title} |") == 4 for title in CONFIGURATIONS)


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


def test_differences_of_the_walk_are_told_with_their_rows() -> None:
    """One condition, two seeds; only what walks again solves it, with one of them."""
    unsolved, solved = ({"a": Outcome(verdict, 0.1, "")} for verdict in ("unknown", "sat"))
    ablated = {key: [unsolved, unsolved] for key in ABLATIONS}
    ablated["again until the time is over"] = [unsolved, solved]
    ablated[[*ablated][-1]] = [solved, solved]
    page = concolic_walk._differences(ablated, ["a"])
    assert "All of these together solve 1 in the median, the paper's algorithm 0." in page
    assert "it solves 0.5 in the median instead of 0 (`again until the time is over`)" in page
    assert "it solves 0 in the median instead of 0 (`overshoot`)" in page
    assert page.count("\n- ") == len(concolic_walk.DIFFERENCES) + len(concolic_walk.NOT_MEASURED)


def test_every_difference_is_one_of_the_rows() -> None:
    """And the rows together are what makes the default another one than the paper's."""
    paper, *_, default = ABLATIONS.values()
    changed = paper
    for title in concolic_walk.DIFFERENCES:
        row = ABLATIONS[title]
        assert row != paper
        fields = {f.name: getattr(row, f.name) for f in dataclasses.fields(row)}
        changed = replace(changed, **{name: v for name, v in fields.items() if v != getattr(paper, name)})
    assert replace(changed, starts=True) == default == Walk()


def test_the_cache_is_measured_where_it_can_help() -> None:
    texts = ("x * x == -1 and y * y == -2", "x * y == 7 and x * x * y == -9", "x > 1 and x < 0")
    queries = [Query((parse(text, {}, default=FLOAT64),)) for text in texts]
    found = concolic_walk.cache_seconds(queries, 3)
    assert (found.conditions, found.helped) == (2, 1)
    assert min(found.without, found.cached) > 0.0
    assert "Of 2 conditions,\n1 have" in concolic_walk._cache(found)
    assert concolic_walk._cache(None) == ""


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
    class Liar(Solver):
        name = "liar"

        def solve(self, query: Query, budget: Budget) -> Answer:
            return Sat({"x": 0.0}, "liar")

    query = Query((parse("x > 1", {}, default=FLOAT64),))
    assert ask(Liar(), query, Budget(seconds=5.0)).verdict == "wrong model"
    assert Outcome("wrong model", 0.0, "").wrong("unknown")
    assert Outcome("unsat", 0.0, "").wrong("sat")
    assert not Outcome("unsat", 0.0, "").wrong("unknown")
    assert not Outcome("unsat", 0.0, "").wrong("unsat")
    assert Outcome("sat", 0.0, "").wrong("unsat")
