"""The programs of bench/concolic_walk, the baselines that explore them, and what the page says."""

from __future__ import annotations

import argparse
import math
import struct
from pathlib import Path

import pytest
from bench.concolic_walk.baselines import Concretising, linear
from bench.concolic_walk.explore import (
    ENGINES,
    OF_THE_WALK,
    Measured,
    Row,
    apart,
    chance,
    feasible,
    first_input,
    measure,
    render,
    weighted,
)
from bench.concolic_walk.programs import Place, Program, coral_source, programs

from zeroin import Budget
from zeroin.solvers import Query, Sat, Solver, Unknown, solver_named
from zeroin.solvers.base import Answer
from zeroin.term import FLOAT64, RNE, Op, bits, constant, make, variable

KNOWN = {program.name: program for program in programs(None, Path())}
CONDITIONS = Path(__file__).parents[2] / "bench" / "smoke" / "conditions.json"
X, Y = variable("x", bits(32)), variable("y", bits(32))
OPTIONS = argparse.Namespace(
    runs=1, seconds=5.0, target_seconds=None, conditions=None, only=["blind"], engine=[], walk=False
)


def test_each_program_has_its_functions_and_the_branches_that_its_source_excludes() -> None:
    assert {name: len(program.functions) for name, program in KNOWN.items()} == {
        "blind": 1, "hash": 5, "opti": 6, "dart": 1, "power": 1, "ray": 5, "sine": 1, "stat": 1, "tcas": 1, "tsafe": 2
    }  # fmt: skip
    assert [name for name, program in KNOWN.items() if program.is_benchmark] == ["blind", "hash", "opti"]
    stat = KNOWN["stat"]
    goals = stat.goals(stat.load("statistics")).values()
    assert (len(goals), sum(map(stat.is_feasible, goals))) == (12, 8)


def test_the_target_is_the_last_condition_of_its_line() -> None:
    opti = KNOWN["opti"]
    (place,) = opti.goals(opti.load("wood")).values()
    assert opti.text[place.line - 1].strip().startswith("if (pow(10.0, -0.5)")
    assert place.label == "true"


def test_the_sine_is_a_sine() -> None:
    subject = KNOWN["sine"].load("sine")
    for x in (0.0, -0.5, 1.0, -2.0, 3.0, 5.0, 100.0, -12345.678, 1e-3, 1e-200, 5e-324, math.nan, math.inf, 1e300):
        bits_of_result = subject.replay(subject.words_of(repr(x))).result
        (result,) = struct.unpack("<d", struct.pack("<Q", bits_of_result))
        wanted = math.nan if not math.isfinite(x) else math.sin(x) if x < 1e300 else 0.0
        assert result == pytest.approx(wanted, rel=1e-12, abs=0.0, nan_ok=True), x


def test_hash_has_the_bits_of_its_constant() -> None:
    (number,) = struct.unpack("<q", struct.pack("<d", 3.14159e123))
    assert f"0x{number:X}" in KNOWN["hash"].source.read_text()


def test_conditions_become_functions(tmp_path: Path) -> None:
    source = coral_source(CONDITIONS)
    assert "int sine(double x, int n) {\n  if (sin(x) > 0.5 && n == 3) return 1; /* target */\n" in source
    assert "nothing" not in source  # is not the paper's
    coral, *others = programs(CONDITIONS, tmp_path)
    assert (coral.functions, len(others)) == (["sine", "square"], len(KNOWN))
    assert len(coral.goals(coral.load("square"))) == 1


# ---- concretisation ----


def test_of_a_product_one_factor_is_its_value() -> None:
    product = make(Op.BV_MUL, X, Y)
    assert linear(product, {"x": 3, "y": 5}) is make(Op.BV_MUL, constant(bits(32), 3), Y)
    assert linear(make(Op.BV_MUL, X, constant(bits(32), 7)), {"x": 3}) is make(Op.BV_MUL, X, constant(bits(32), 7))


def test_what_else_is_not_linear_is_its_value() -> None:
    both = make(Op.BV_ADD, make(Op.BV_XOR, X, Y), Y)
    assert linear(both, {"x": 6, "y": 5}) is make(Op.BV_ADD, constant(bits(32), 3), Y)
    z = variable("z", FLOAT64)
    sine = make(Op.MATH, z, data="sin")
    assert linear(make(Op.FP_ADD, RNE, sine, z), {"z": 0.0}) is make(Op.FP_ADD, RNE, constant(FLOAT64, 0.0), z)


class Recording(Solver):
    """Answers as z3 does, and keeps what it was asked."""

    name = "recording"

    def __init__(self) -> None:
        self.asked: list[Query] = []

    def solve(self, query: Query, budget: Budget) -> Answer:
        self.asked.append(query)
        return solver_named("z3").solve(query, budget)


def test_a_model_of_the_approximation_is_an_answer_and_its_refutation_is_none() -> None:
    square = make(Op.EQUAL, make(Op.BV_MUL, X, X), constant(bits(32), 12))
    inner = Recording()
    answer = Concretising(inner).solve(Query((square,), ({"x": 3, "y": 9},)), Budget(seconds=20.0))
    assert inner.asked[0].constraints == (linear(square, {"x": 3}),)
    assert isinstance(answer, Sat)
    assert answer.model["x"] == 4  # though 16 is not 12
    even = Concretising(inner).solve(Query((square,), ({"x": 8},)), Budget(seconds=20.0))
    assert isinstance(even, Unknown)


def test_first_inputs_are_drawn_by_the_seed() -> None:
    signature = KNOWN["dart"].load("dart").signature
    assert first_input(signature, 1) == first_input(signature, 1) != first_input(signature, 2)


# ---- measuring ----


def test_the_page_of_the_walk_starts_with_the_papers_and_ends_with_ours() -> None:
    row = measure(KNOWN["blind"], OF_THE_WALK, 1, 20.0)
    assert [row.percents(engine) for engine in ("paper", "walk", "explore", "default")] == [[100.0]] * 4
    page = render([row], argparse.Namespace(**{**vars(OPTIONS), "walk": True}))
    assert page.startswith("# The programs of the Concolic Walk paper, by the walk alone\n")
    assert "| paper | no tabu | no bisection | 50 steps | 500 steps | 1 neighbour | 50 neighbours | walk |" in page
    assert "`python -m bench.concolic_walk.explore --runs 1 --seconds 5 --only blind --walk --write`" in page


def test_exploration_solves_what_concretisation_is_blind_to() -> None:
    row = measure(KNOWN["blind"], ENGINES, 1, 20.0)
    assert {engine: row.percents(engine) for engine in row.runs} == {
        engine: [0.0 if engine == "concretisation" else 100.0] for engine in ENGINES
    }
    page = render([row], OPTIONS)
    assert "| blind | 17 | 6 | 1 | 1 targets | 1 | 100.0 | 100.0 | 0.0 | 100.0 | 100.0 | 100.0 | 100.0 | 100 |" in page
    assert "`python -m bench.concolic_walk.explore --runs 1 --seconds 5 --only blind --write`" in page
    assert "Not tested" in page
    row.runs = {engine: runs * 4 for engine, runs in row.runs.items()}
    assert "\n| blind | 1.000, 0.029 | 0.029, 0.029 | 1.000, " in render(
        [row], argparse.Namespace(**{**vars(OPTIONS), "runs": 4})
    )


def test_runs_that_abort_count() -> None:
    dart = KNOWN["dart"]
    subject = dart.load("dart")
    wanted = sum(1 << outcome for outcome in dart.goals(subject))
    found = apart(subject, wanted, "default", 0, 20.0)
    assert found is not None
    assert found[0] & wanted == wanted


def test_a_branch_that_is_taken_though_the_source_excludes_it_is_an_error(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text("int wrong(int x) {\n  if (x > 0) return 1; /* never false: x is positive */\n  return 0;\n}\n")
    row = measure(Program("wrong", 1, 0, source), ["default"], 1, 5.0)
    assert [(place.line, place.label) for place in row.wrong] == [(2, "false")]


def test_averages_are_of_medians_by_lines() -> None:
    places = [Place(1, 1, "true"), Place(1, 1, "false")]
    all_, half = Measured(set(places)), Measured(set(places[:1]))
    stat = [p for p in KNOWN.values() if p.name in ("dart", "tsafe")]  # 18 and 88 lines
    rows = [Row(stat[0], set(places), {"explore": [all_, half, half]}), Row(stat[1], set(places), {"explore": [all_]})]
    assert weighted(rows, "explore") == pytest.approx((18 * 50 + 88 * 100) / 106)
    assert feasible(rows, "explore") == weighted(rows, "explore")


def test_chance_is_counted_over_all_permutations() -> None:
    assert chance([1.0, 1.0], [1.0, 1.0]) == 1.0
    assert chance([1.0, 1.0], [2.0, 2.0]) == pytest.approx(2 / 6)
    assert chance([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]) == pytest.approx(2 / 70)
    assert chance([1.0] * 7, [2.0] * 7) == pytest.approx(2 / 3432)
