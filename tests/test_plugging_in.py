"""The recipes of CONTRIBUTING.md: a module that is no part of zeroin adds one of a kind, which is held to its suite."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from programs import Programs, words_of
from zeroin.distance import EQ, squared
from zeroin.generate.domain import domain_of
from zeroin.minimize import Door, Stop, minimize, random_state
from zeroin.objective.base import Objective

TESTS = Path(__file__).parent
MODULE = '''
"""A minimizer that evaluates its start only, a strategy that draws points, and a solver that guesses."""
from zeroin.generate.strategies import STRATEGIES
from zeroin.generate.strategies.random import Random
from zeroin.minimize import MINIMIZERS
from zeroin.minimize.base import is_open
from zeroin.solvers.chain import SOLVERS, member
from zeroin.solvers.mathematical_execution import MathematicalExecution

def stays(door, domain, x, rng):
    while is_open(door.native):
        door.evaluate(tuple(map(int, x)))

class Draws(Random):
    """Nothing new; what counts is where it is found."""

class Guesses(MathematicalExecution):
    name = "plugged-in"

    def search(self, query, budget):
        yield query.completed({})
        return (yield from super().search(query, budget))

MINIMIZERS["plugged-in"] = stays
STRATEGIES["plugged-in"] = "of_somebody_else:Draws"
SOLVERS["plugged-in"] = member("of_somebody_else:Guesses")
'''


def test_a_minimizer_a_strategy_and_a_solver_are_held_to_what_all_owe(tmp_path: Path) -> None:
    (tmp_path / "of_somebody_else.py").write_text(MODULE)
    suites = [TESTS / "minimize" / "test_conformance.py", TESTS / "solvers" / "test_solver_conformance.py",
              TESTS / "generate" / "test_strategy_conformance.py"]  # fmt: skip
    command = [sys.executable, "-m", "pytest", "-p", "of_somebody_else", "-p", "no:cacheprovider", "-k", "plugged-in",
               *map(str, suites)]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    environment.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)  # our settings need the plugins
    done = subprocess.run([*command, "-rA"], env=environment, capture_output=True, text=True,
                          cwd=TESTS.parent, timeout=200, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    for test in ("test_uses_the_budget_and_not_one_more[", "test_what_can_be_satisfied_is_never_refuted[",
                 "test_it_covers_what_is_easy[c-", "test_it_covers_what_is_easy[python-"):  # fmt: skip
        assert f"{test}plugged-in" in done.stdout


class Boundary(Objective):
    """Zero where two operands of a comparison are equal."""

    r0 = 1.0

    @staticmethod
    def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
        return r * squared(EQ, a, b)


def test_an_objective_is_zero_where_it_says_and_can_be_searched(programs: Programs) -> None:
    subject = programs.load("int f(int a, double x) { if (a > 10) return 1; if (x < 0.5) return 2; return 3; }")
    question = Boundary(len(subject.sites)).question
    door = Door(subject.install(question), 2, question)
    door.open(100_000)
    found = [door.evaluate(words_of(subject.signature, a, x)) for a, x in ((12, 0.5), (7, 0.25), (4, 1.5))]
    assert found == [4.0, 9.0 / 16, 36.0]
    domain = domain_of(subject.signature, [])
    minimum = minimize("avm", door, domain, np.zeros(2, dtype=np.int64), random_state([0]))
    assert minimum.reason is Stop.ZERO
    assert any(d.left == d.right for d in subject.execute(minimum.words).decisions)
