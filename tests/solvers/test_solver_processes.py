"""Solvers in processes of their own: crashes, hangs, lies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from zeroin.config import Budget
from zeroin.errors import OptionError
from zeroin.solvers.base import Answer, CompleteSolver, Disagreement, Proof, Query, Sat, Unknown, Unsat
from zeroin.solvers.solver_processes import Race, race
from zeroin.term.core.nodes import Op, constant, make, variable
from zeroin.term.core.sorts import FLOAT64

X = variable("x", FLOAT64)
QUERY = Query((make(Op.FP_LT, constant(FLOAT64, 1.0), X),))


class Behaves(CompleteSolver):
    """Does what its name says."""

    def __init__(self, name: str) -> None:
        self.name = name

    def solve(self, query: Query, budget: Budget) -> Answer:
        match self.name:
            case "crashes":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "hangs":
                while True:
                    time.sleep(10.0)
            case "exits":
                os._exit(3)
            case "raises":
                raise ValueError("oh no")
            case "refuses":
                raise OptionError("not this one")
            case "eats":
                return Unknown(str(len(bytearray(1 << 45))))
            case "disagrees":
                return Disagreement("one of them is wrong")
            case "unsat":
                return Unsat(Proof(self, "by heart", 1.5, ("nothing",)))
            case "sat":
                return Sat({"x": 2.0}, self.name)
        return Unknown(f"{self.name}: no idea")


def test_the_first_answer_wins() -> None:
    """The second place is free for the third solver only when the second has crashed."""
    answer = race([Behaves(n) for n in ("hangs", "crashes", "sat", "unsat")], QUERY, Budget(seconds=60.0), 2)
    assert answer == Sat({"x": 2.0}, "sat")


def test_answers_arrive_as_they_were_made() -> None:
    answer = race([Behaves(n) for n in ("hangs", "unsat")], QUERY, Budget(seconds=60.0), 2)
    assert answer == Unsat(Proof(Behaves("unsat"), "by heart", assumptions=("nothing",)))
    assert isinstance(answer, Unsat)
    assert answer.proof.seconds == 1.5
    assert Race(Behaves("disagrees")).solve(QUERY, Budget(seconds=60.0)) == Unknown("one of them is wrong")
    answer = race([Behaves("disagrees")], QUERY, Budget(seconds=60.0), 1, lambda answer: True)
    assert answer == Disagreement("one of them is wrong")


def test_every_failure_has_its_reason() -> None:
    names = ("crashes", "exits", "raises", "refuses", "eats", "shrugs")
    answer = race([Behaves(name) for name in names], QUERY, Budget(seconds=60.0), 3)
    assert isinstance(answer, Unknown)
    assert sorted(answer.reason.split("; ")) == [
        "crashes: its process ended without an answer",
        "eats: out of memory",
        "exits: its process ended without an answer",
        "raises failed: ValueError: oh no",
        "refuses: not this one",
        "shrugs: no idea",
    ]


def test_the_budget_ends_what_runs_away() -> None:
    answer = race([Behaves("hangs"), Behaves("idle"), Behaves("sat")], QUERY, Budget(seconds=0.2), 1)
    assert isinstance(answer, Unknown)
    late = {f"{name}: the time budget is used up" for name in ("hangs", "idle", "sat")}
    assert set(answer.reason.split("; ")) == late
    try:
        children = os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        children = (0, 0)
    assert children == (0, 0), "no process is left behind"


def test_nobody_to_ask() -> None:
    assert race([], QUERY, Budget(seconds=1.0), 2) == Unknown("no solver was asked")


class Delegates(CompleteSolver):
    """Asks a solver that hangs, in one more process, whose number it leaves in a file."""

    name = "delegates"

    def __init__(self, file: Path) -> None:
        self.file = file

    def solve(self, query: Query, budget: Budget) -> Answer:
        outer = self

        class Hangs(CompleteSolver):
            name = "hangs"

            def solve(self, query: Query, budget: Budget) -> Answer:
                outer.file.write_text(str(os.getpid()))
                while True:
                    time.sleep(10.0)

        return race([Hangs()], query, Budget(seconds=600.0), 1)


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_race_that_is_ended_leaves_nobody_running(tmp_path: Path) -> None:
    file = tmp_path / "process"
    answer = race([Delegates(file)], QUERY, Budget(seconds=1.0), 1)
    assert isinstance(answer, Unknown)
    process = int(file.read_text())
    deadline = time.monotonic() + 10.0
    while is_running(process) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(process)


def test_a_guard_of_the_code_under_test_lets_solvers_start() -> None:
    """It refuses every fork but those of :mod:`zeroin.sandbox.forking`."""
    text = """
import sys
from zeroin.sandbox import forking
def hook(event, arguments):
    if event in ("os.fork", "os.kill", "os.killpg") and sys._getframe(1).f_code.co_filename != forking.__file__:
        raise PermissionError(event)
sys.addaudithook(hook)
from zeroin.config import Budget
from zeroin.solvers.solver_processes import race
from zeroin.solvers.base import Query
from zeroin.solvers.mathematical_execution import MathematicalExecution
from zeroin.term import FLOAT64, parse
query = Query((parse("x * x == 2.25", {"x": FLOAT64}),))
print(race([MathematicalExecution(0)], query, Budget(seconds=20.0), 1))
"""
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert run.stdout.startswith("Sat"), run.stderr
