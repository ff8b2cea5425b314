"""Verdicts do not come from a process that ran the code under test, whatever that code makes it say."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from zeroin import Budget, Options
from zeroin.suite.suite import Suite
from zeroin.worker.parent import cover
from zeroin.worker.worker import Worker

# A module whose function, once it is run with 3, has the process that runs it say something false.
MODULE = """\
import gc
import math
from zeroin.generate.proof_requests import Conclusion, Vouch
from zeroin.generate.search import Search
from zeroin.generate.stopped import Stopped
from zeroin.solvers.base import Proof, Prover, Query
from zeroin.subject.base import Termination, Run
from zeroin.languages.python.replay import PythonReplay
from zeroin.worker.messages import *

T = 2  # the outcome: site 1, true
PROVER = Prover()
PROVER.name = "magic"
PROOF = Proof(PROVER, "by magic")


LIE = '''
objects = gc.get_objects()
links = [one for one in objects if type(one).__name__ == "Link"]
searches = [one for one in objects if type(one) is Search]
link = links[-1]
LIE
'''


def f(x: int) -> int:
    if x == 3:
        exec(LIE, globals())
    if HIDDEN:
        return 2
    if x == 5:
        return 3
    return 0
"""
NEVER, RARELY = "x * 2 == 7", "x * x - 2 * x == 5949186719"  # impossible; true of 77132 alone, and -77130
RUN = "Run((0,), Termination.RETURNED, frozenset({T}))"
LIES = {
    "a proof": "link.send(Proved(T, PROOF))",
    "a proof where the job says it": "links[0].send(Proved(T, PROOF)); links[0]._line.send(Proved(T, PROOF))",
    "a proof to the search": "[one.prove(T, PROOF) for one in searches]",
    "what runs prove": "[one.prove(T, one.ask(Vouch((T,), PROOF, False)).proof or PROOF) for one in searches]",
    "what all runs prove": "[one.prove(T, one.ask(Vouch((T,), PROOF, True)).proof or PROOF) for one in searches]",
    "a prover": "[setattr(one, 'prover', lambda request: Conclusion(proof=PROOF)) for one in searches]",
    "a find": f"link.send(Found({RUN}, 1, 0.5))",
    "a find of nothing": "link.send(Found(Run((1, 2, 3), Termination.RETURNED, frozenset({T, 999})), 1, 0.5))",
    "a replay": f"link.send(Replayed({RUN}, PythonReplay(Termination.RETURNED), True))",
    "a choice": f"link.send(Chosen([{RUN}], {{T: {RUN}}}))",
    "a trace": "link.send(Traced((0,), frozenset({T})))",
    "an explanation": f"link.send(Explained(T, {RUN}, 'so it is'))",
    "an end": "link.send(Searched(Stopped.DECIDED, 10**30, math.nan, frozenset({9}), {99: ''})); link.send(Done())",
    "growth": "link.send(Grown((('x', 1 << 40),), 7, frozenset({T}), (1, 2), -5, math.inf))",
    "other sites": "link.send(Loaded(searches[0].subject.signature, [])) if searches else None",
    "the end of a process": "link.send(Started(DECOY)); link.send(Ended(DECOY, 0))",
    "progress": "link.memory[:] = -1",
    "other progress": "link.memory[:] = 1 << 62",
    "solvers": "Query.holds = lambda self, model: True; Proof.__post_init__ = lambda self, prover: None",
}  # fmt: skip


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Worker]:
    with Worker() as running:
        yield running


@pytest.fixture
def decoy() -> Iterator[int]:
    """A process that nobody may end."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as process:
        yield process.pid
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)


def covering(lie: str, hidden: str, decoy: int, sandbox: Worker, tmp_path: Path) -> Suite:
    text = MODULE.replace("\nLIE\n", f"\n{LIES[lie]}\n").replace("HIDDEN", hidden).replace("DECOY", str(decoy))
    (tmp_path / "liar.py").write_text(text)
    return cover(f"{tmp_path}/liar.py:f", Options(Budget(20_000, 10.0)), sandbox)


@pytest.mark.parametrize("hidden", [NEVER, RARELY], ids=["impossible", "possible"])
@pytest.mark.parametrize("lie", LIES)
def test_a_lie_changes_no_verdict(lie: str, hidden: str, decoy: int, sandbox: Worker, tmp_path: Path) -> None:
    suite = covering(lie, hidden, decoy, sandbox, tmp_path)
    verdicts = {v.branch.id: v for v in suite.verdicts}
    assert len(verdicts) == 6, "the sites are those of the code"
    for verdict in verdicts.values():
        if verdict.proof is not None:
            assert verdict.proof.solver != "magic"
            assert hidden == NEVER
            assert verdict.branch.id == "1T"
    if hidden == NEVER:
        assert verdicts["1T"].verdict != "covered"
        assert suite.stopped not in ("every branch is covered or proved infeasible", "every branch is covered")
    for kept in suite.inputs:
        (x,) = suite.signature.arguments(kept.words)
        taken = {"0T" if x == 3 else "0F", "1T" if eval(hidden, {"x": x}) else "1F"}
        taken |= {"2T" if x == 5 else "2F"} if "1F" in taken else set()
        assert {branch.id for branch in suite.branches if branch.outcome in kept.covered} <= taken, x
    assert not any("IndexError" in finding.message for finding in suite.findings), "nothing was said"
    assert 0 <= suite.seconds < 60
    assert 0 <= suite.evaluations <= 20_000


def test_without_a_lie_all_of_this_is_decided(sandbox: Worker, tmp_path: Path) -> None:
    (tmp_path / "liar.py").write_text(MODULE.replace("\nLIE\n", "\n").replace("HIDDEN", NEVER))
    suite = cover(f"{tmp_path}/liar.py:f", Options(Budget(200_000, 10.0)), sandbox)
    assert {v.branch.id for v in suite.verdicts if v.verdict == "covered"} == {"0T", "0F", "1F", "2T", "2F"}
