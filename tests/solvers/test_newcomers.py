"""A solver is a class in a file and a line in ``SOLVERS``: the conformance suite then runs it by itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

SUITE = Path(__file__).parent / "test_solver_conformance.py"
NEWCOMERS = """
from zeroin.solvers.base import CompleteSolver, Proof, SearchSolver, Unsat
from zeroin.solvers.chain import SOLVERS, member

SOLVERS["new-honest"] = member("newcomers:Honest")
SOLVERS["new-lazy"] = member("newcomers:Lazy")
SOLVERS["new-rash"] = member("newcomers:Rash")
SOLVERS["new-boaster"] = member("newcomers:Boaster")
SOLVERS["new-uncounted"] = member("newcomers:Uncounted")
SOLVERS["new-moody"] = member("newcomers:Moody")


class Honest(SearchSolver):
    name = "honest"
    misses = frozenset(("float", "two floats", "single", "int", "real", "bits", "bool", "nan", "function", "string"))

    def search(self, query, budget):
        yield {v.data: 4.0 for v in query.variables if v.sort.is_float}
        return "it was another one"


class Lazy(Honest):
    misses = Honest.misses - {"function"}


class Rash(CompleteSolver):
    name = "rash"

    def solve(self, query, budget):
        return Unsat(Proof(self, "a hunch"))


class Boaster(Honest):
    proves = True


class Uncounted(Honest):
    native = True


class Moody(Honest):
    made = 0

    def search(self, query, budget):
        Moody.made += 1
        yield {"x": 1.0, "y": 2.0 + Moody.made}
        return "it was another one"
"""


def test_newcomers_are_held_to_what_they_say(tmp_path: Path) -> None:
    (tmp_path / "newcomers.py").write_text(NEWCOMERS)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    environment.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)  # our settings need the plugins
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "newcomers", "-p", "no:cacheprovider", "-k", "new-", "-rA", str(SUITE)],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    told_of = re.findall(r"^(PASSED|FAILED) \S*::test_(\w+)\[new-(\w+)", told.stdout, re.M)
    failed = {(who, check) for result, check, who in told_of if result == "FAILED"}
    assert failed == {
        ("lazy", "what_can_be_satisfied_is_never_refuted"),
        ("rash", "what_can_be_satisfied_is_never_refuted"),
        ("boaster", "a_member_says_what_it_is"),
        ("boaster", "what_is_impossible_gets_no_model"),
        ("uncounted", "a_search_spends_its_evaluations_and_no_more"),
        ("moody", "same_seed_same_model"),
    }, told.stdout + told.stderr
    passed = [check for result, check, who in told_of if (result, who) == ("PASSED", "honest")]
    assert len(passed) == 1 + 12 + 4 + 1  # what it is, what can be satisfied and what not, its seed
