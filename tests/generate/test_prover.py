"""The prover reads a subject, and never runs it."""

from __future__ import annotations

from typing import Any

import pytest

from programs import Programs
from zeroin.config import Budget
from zeroin.generate.proof_requests import Conclusion, Effort, Prepare, Refute, Vouch
from zeroin.generate.prover import BranchProver
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.solvers.base import Proof, Prover

NEVER = "int f(int x) { if (x * 2u == 7u) return 1; if (x == 77123) return 2; return 0; }"
LOOP = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += 2; if (s & 1) return 1; return 0; }"
CALLS = "#include <unistd.h>\nint f(int x) { if (x > 3) return getpid(); return 0; }"


def request(outcome: int, effort: Effort = Effort.SOLVERS, **more: Any) -> Refute:
    return Refute(outcome, effort, Budget(seconds=20.0, work=2.0), 20.0, 2.0, **more)


def unrunnable(programs: Programs, text: str, monkeypatch: pytest.MonkeyPatch) -> LlvmSubject:
    """A subject that fails when it is run."""
    subject = programs.load(text)

    def run(*_: object) -> None:
        raise AssertionError("it was run")

    monkeypatch.setattr(LlvmSubject, "_run", run)
    return subject


@pytest.mark.parametrize("effort", Effort)
def test_a_proof_is_told_before_it_is_returned(
    effort: Effort, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = list[tuple[int, Proof]]()
    subject = unrunnable(programs, NEVER, monkeypatch)
    prover = BranchProver(subject, lambda outcome, proof: told.append((outcome, proof)))
    assert prover.ask(Prepare(effort)) == Conclusion()
    found = prover.ask(request(0, effort))
    if effort is not Effort.INVARIANTS:  # there are no loops
        assert found.proof is not None
        assert told == [(0, found.proof)]


def test_an_input_is_proposed(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = unrunnable(programs, NEVER, monkeypatch)
    assert BranchProver(subject).ask(request(2)) == Conclusion(words=(77123,), is_possible=True)


def test_loops_are_looked_into_where_that_is_asked_for(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    prover = BranchProver(unrunnable(programs, LOOP, monkeypatch))
    first = prover.ask(request(2))
    assert first.is_possible
    assert first.has_loops
    proof = prover.ask(request(2, Effort.INVARIANTS)).proof
    assert proof is not None
    assert "loop invariant" in proof.method


def test_what_refutes_an_outcome_of_the_path_refutes_the_path_and_nothing_else(programs: Programs) -> None:
    told = list[int]()
    subject = programs.load(NEVER + " ")
    prover = BranchProver(subject, lambda outcome, proof: told.append(outcome))
    assert prover.ask(request(0, of_path=True)).proof is None, "it is on no path that is wanted"
    assert not told
    subject.wanted = (0,)
    assert prover.ask(request(0, of_path=True)).proof is not None
    assert told == [4]


def test_in_no_time_nothing_is_concluded(programs: Programs) -> None:
    hurried = Refute(0, Effort.SOLVERS, Budget(seconds=20.0, work=2.0), 0.001)
    assert BranchProver(programs.load(NEVER)).ask(hurried) == Conclusion()


class Runs(Prover):
    name = "runs"


PROOF = Proof(Runs(), "all of them", assumptions=("it is Monday",))


@pytest.mark.parametrize("depends_on_machine", [False, True])
def test_runs_prove_something_of_code_that_is_read(depends_on_machine: bool, programs: Programs) -> None:
    told = list[int]()
    prover = BranchProver(programs.load(NEVER), lambda outcome, proof: told.append(outcome))
    found = prover.ask(Vouch((0, 2), PROOF, depends_on_machine))
    assert found.proof is not None
    assert told == [0, 2]
    assert found.proof.solver == "runs"
    assert found.proof.assumptions[0] == "it is Monday"
    assert ("what C leaves open as in these runs" in found.proof.assumptions) == depends_on_machine


@pytest.mark.parametrize("depends_on_machine", [False, True])
@pytest.mark.parametrize(
    ("text", "why"),
    [
        (CALLS, "it calls getpid, which may differ from call to call"),
        ("int f(long a) { if (a > 3) *(int *)a = 4; return 0; }", "it uses a number as an address"),
        ('int f(int a) { __asm__("nop"); return a > 3; }', "it calls a function through a pointer, or assembly"),
        (
            "#include <unistd.h>\nstatic int zeroin_f(int x) { return getpid() + x; }"
            "int f(int x) { if (zeroin_f(x)) return 1; return 0; }",
            "it calls getpid, which may",
        ),
        ("int (*p)(int); int f(int a) { return a > 3 && p ? p(a) : 0; }", "through a pointer"),
    ],
)
def test_runs_prove_nothing_of_code_that_may_change_what_is_seen(
    text: str, why: str, depends_on_machine: bool, programs: Programs
) -> None:
    told = list[int]()
    prover = BranchProver(programs.load(text), lambda outcome, proof: told.append(outcome))
    found = prover.ask(Vouch((0,), PROOF, depends_on_machine))
    assert found.proof is None
    assert why in found.why
    assert not told
