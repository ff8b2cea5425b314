"""Random Python programs: their truth is right, what is wrong is noticed, and zeroin says nothing that is wrong."""

from __future__ import annotations

import random
import sys
import types
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bench.truth.python import check as checking
from bench.truth.python.anything import Anything
from bench.truth.python.check import ENGINES, Case, Checking, check, engines_for
from bench.truth.python.emitted import judge
from bench.truth.python.generate import FEATURES, INCLUDED, program
from bench.truth.python.program import IMPORTS, Parameter, PythonProgram, module_of
from bench.truth.python.truth import MOST, calls_of, combinations_of, truth_of, twin_of
from bench.truth.verdicts import PATH, Branch, Checked, Counted, Program, Truth

from zeroin import COVERED, INFEASIBLE, Worker
from zeroin.solvers.base import Proof, Prover
from zeroin.suite.suite import Suite

CHUNK, CHUNKS = 8, 2  # of programs, that are checked here; make truth checks more
START = IMPORTS.count("\n") + 2


def hand_written(text: str, *parameters: Parameter, **more: Any) -> PythonProgram:
    return PythonProgram("f", text, parameters, ("by hand",), **more)


def lines_of(text: str, line: str) -> int:
    """Where a line stands in the module of a hand-written program."""
    return START + [one.strip() for one in text.splitlines()].index(line) + 1


# ---- programs ----


@pytest.mark.parametrize("number", range(len(FEATURES)), ids=list(FEATURES))
def test_the_same_seed_makes_the_same_program(number: int) -> None:
    feature = list(FEATURES)[number]
    made = program(3, number, feature)
    assert made == program(3, number, feature)
    assert made.text != program(4, number, feature).text
    assert made.features[0] == feature
    assert 1 < combinations_of(made) <= MOST


@pytest.mark.parametrize("number", range(len(FEATURES)), ids=list(FEATURES))
def test_a_twin_computes_what_the_module_does(number: int) -> None:
    made = program(5, number, list(FEATURES)[number])
    plain = _plain(made)
    twin = twin_of(made, START)
    rng = random.Random(number)
    calls = list(calls_of(made))
    for sources, same in rng.sample(calls, min(200, len(calls))):
        if same >= 0:
            continue
        ends = [_end(make(), made, sources) for make in (plain, twin.fresh)]
        assert ends[0] == ends[1], (made.text, sources)


def _plain(made: PythonProgram) -> Callable[[], types.ModuleType]:
    code = compile(module_of([made])[0], "<plain>", "exec")

    def fresh() -> types.ModuleType:
        module = types.ModuleType(f"plain_{made.name}")
        sys.modules[module.__name__] = module
        vars(module)["Anything"] = Anything
        exec(code, vars(module))
        return module

    return fresh


def _end(module: types.ModuleType, made: PythonProgram, sources: tuple[str, ...]) -> str:
    given = {p.name: eval(s, vars(module)) for p, s in zip(made.parameters, sources, strict=True) if s}
    try:
        result = vars(module)[made.name](**given)
    except Exception as error:
        return f"{type(error).__name__}: {error}".replace("plain_", "truth_")
    shown = repr(result)
    return type(result).__name__ if " at 0x" in shown else shown


# ---- truth ----

_CONDITIONS = """\
def f(x: int, y: bool):
    if x > 3 and y or not x:
        return 1
    for i in range(x % 2):
        if 0 < x < 2:
            break
    try:
        y = 1 // x
    except ZeroDivisionError:
        return 2
    match x:
        case 1 if y > 5:
            return 3
        case 1:
            return 4
    return 5 if x < -1 else 6
"""


def test_the_truth_about_conditions() -> None:
    numbers = Parameter("x", "int", ("-2", "-1", "0", "1", "2", "5"))
    truth = truth_of(hand_written(_CONDITIONS, numbers, Parameter("y", "bool", ("False", "True"))), START)
    assert truth.tried == 12
    taken = {(text, holds): (text, holds) in {(t, h) for (_, t), h in truth.taken}
             for _, text in truth.places for holds in (True, False)}  # fmt: skip
    assert [one for one, is_taken in taken.items() if not is_taken] == [
        ("except ZeroDivisionError", True),  # x is not 0 there
        ("y > 5", True),
    ]
    assert len(truth.places) == 11
    line = lines_of(_CONDITIONS, "if x > 3 and y or not x:")
    assert truth.taken[(line, "x > 3"), True] == "f(x=5, y=False)"
    assert truth.later == {}
    first = ((line, "x > 3"), False), ((line, "x"), False)
    assert truth.follows(first) == "f(x=0, y=False)"
    assert truth.follows((*first, ((line, "y"), True))) == ""


_STATE = """\
MODE = 0


def set_mode(value: int) -> None:
    global MODE
    MODE = value


def f(x: int, seen=[]):
    seen.append(x)
    if MODE > 2:
        return 1
    return 2 if len(seen) > 2 else 3
"""


def test_the_truth_about_calls_in_a_row() -> None:
    made = hand_written(_STATE, Parameter("x", "int", ("0", "1")), before=("set_mode(3)", "set_mode(1)"), stateful=True)
    truth = truth_of(made, START)
    texts = {(text, holds) for (_, text), holds in truth.taken}
    assert texts == {("MODE > 2", False), ("len(seen) > 2", False)}
    later = {(text, holds): shown for ((_, text), holds), shown in truth.later.items()}
    assert "set_mode(3)" in later["MODE > 2", True]
    assert later["len(seen) > 2", True].count("f(") >= 3


_ONE_OBJECT = """\
class P:
    n = 0


def f(p: P, q: P):
    p.n = 1
    q.n = 2
    return p.n == 2
"""


def test_one_object_is_handed_over_twice() -> None:
    both = [Parameter(name, "P", ("P()",), shared="P") for name in "pq"]
    truth = truth_of(hand_written(_ONE_OBJECT, *both), START)
    line = lines_of(_ONE_OBJECT, "return p.n == 2")
    assert truth.taken == {((line, "p.n == 2"), False): "f(p=P(), q=P())",
                           ((line, "p.n == 2"), True): "one = P(); f(p=one, q=one)"}  # fmt: skip


# ---- what is wrong ----

_PLAIN = """\
def f(x: int):
    if x > 3:
        return 1
    if x > 5:
        return 2
    return 3
"""
_NUMBERS = Parameter("x", "int", tuple(map(str, range(9))))


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Checking, Case, Suite]:
    one = Checking({0: hand_written(_PLAIN, _NUMBERS)}, tmp_path_factory.mktemp("truth"), random.Random(0))
    with Worker() as sandbox:
        return one, one.cases[0], one.ask(one.cases[0], ENGINES["default"], sandbox)


def test_right_verdicts_are_right(asked: tuple[Checking, Case, Suite]) -> None:
    one, case, suite = asked
    checked = one.judge(case, {"default": suite})
    assert checked.against == []
    assert checked.verdicts == {Counted("default", COVERED, True): 3, Counted("default", INFEASIBLE, False): 1}
    assert [example for branch, example in checked.program.truth.branches.items()
            if branch.condition == "x > 5" and branch.label == "true"] == [None]  # fmt: skip


class _Careless(Prover):
    name = "careless"


def test_a_wrong_proof_is_noticed(asked: tuple[Checking, Case, Suite]) -> None:
    one, case, suite = asked
    outcome = next(branch.outcome for branch in suite.branches if branch.id == "0T")
    inputs = [kept for kept in suite.inputs if outcome not in kept.covered]
    wrong = replace(suite, inputs=inputs, proofs={outcome: Proof(_Careless(), "none", 0.0)})
    (found,) = one.judge(case, {"default": wrong}).wrong
    assert "x > 3 true: infeasible" in found.what
    assert "f(x=4) takes it" in found.what
    # An input of another engine shows it as well, where our own values do not.
    blind = replace(case, runs=truth_of(hand_written(_PLAIN, replace(_NUMBERS, values=("0",))), START))
    assert len(one.judge(blind, {"explore": suite, "default": wrong}).wrong) == 1


def test_what_a_proof_says_that_it_assumes_is_respected(asked: tuple[Checking, Case, Suite]) -> None:
    one, _, suite = asked
    outcome = next(branch.outcome for branch in suite.branches if branch.id == "0T")
    inputs = [kept for kept in suite.inputs if outcome not in kept.covered]
    proof = Proof(_Careless(), "none", 0.0, assumptions=("x is no int or bool",))
    wrong = replace(suite, inputs=inputs, proofs={outcome: proof})
    mixed = hand_written(_PLAIN, replace(_NUMBERS, values=("1", "4", "0.5")))
    case = Case(0, mixed, START, truth_of(mixed, START))
    assert one.judge(case, {"default": wrong}).wrong == []
    case = replace(case, program=hand_written(_PLAIN, replace(_NUMBERS, values=("1", "4", "6.5"))))
    (found,) = one.judge(case, {"default": wrong}).wrong
    assert "f(x=6.5) takes it" in found.what


def test_an_input_that_does_not_take_its_branch_is_noticed(asked: tuple[Checking, Case, Suite]) -> None:
    one, case, suite = asked
    everything = frozenset(branch.outcome for branch in suite.branches)
    wrong = replace(suite, inputs=[replace(suite.inputs[0], covered=everything)], proofs={})
    found = [one.what for one in one.judge(case, {"default": wrong}).wrong]
    assert any("x > 5 true is covered by f(" in what and "does not take it" in what for what in found)
    assert any("x > 5 true: covered, and no input takes it" in what for what in found)


def test_a_missing_branch_is_noticed(asked: tuple[Checking, Case, Suite]) -> None:
    one, case, suite = asked
    fewer = replace(suite, branches=suite.branches[:2])
    found = [one.what for one in one.judge(case, {"default": fewer}).wrong]
    assert len(found) == 2
    assert all("x > 5" in what and "nothing is said of it" in what for what in found)


def test_a_wrong_verdict_on_a_path_is_noticed(asked: tuple[Checking, Case, Suite]) -> None:
    one, case, suite = asked
    line = lines_of(_PLAIN, "if x > 3:")
    path = (((line, "x > 3"), False), ((line + 2, "x > 5"), False))
    with Worker() as sandbox:
        followed = one.ask(case, replace(ENGINES["default"], path="0F, 1F"), sandbox)
    right = one.judge(case, {"default": suite}, path, followed)
    assert right.against == []
    assert right.verdicts[Counted(PATH, COVERED, True)] == 1
    (verdict,) = followed.verdicts
    proofs = {verdict.branch.outcome: Proof(_Careless(), "none", 0.0)}
    (found,) = one.judge(case, {"default": suite}, path, replace(followed, inputs=[], proofs=proofs)).wrong
    assert "infeasible" in found.what
    assert "f(x=0) takes it" in found.what


_TESTS = """\
import pytest


def f(x):
    return {1: 2}[x]


def test_right():
    assert f(1) == 2


def test_raises():
    with pytest.raises(KeyError):
        f(2)


@pytest.mark.xfail(strict=True, raises=KeyError)
def test_finding():
    f(3)


def test_silent():
    f(1)


def test_of_hashes():
    assert hash("a") == hash("a") + 1


def test_of_another():
    assert g(1) == 2
"""


def test_tests_that_fail_or_assert_nothing_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "test_written.py"
    path.write_text(_TESTS)
    both = [Checked(Program("python", 0, "by hand", name, "", Truth({Branch(1, "true"): None}))) for name in "fg"]
    judge(path, both)
    assert [one.tests for one in both] == [5, 1]
    assert [wrong.what.split(" asserts nothing")[0] for wrong in both[0].silent] == ["test_silent"]
    assert [wrong.what[:36] for wrong in both[0].failing] == [f"test_of_hashes fails with PYTHONHASH{''}" for _ in "12"]
    assert len(both[1].failing) == 2
    assert both[1].silent == []


# ---- zeroin ----


def test_every_engine_is_asked_about_every_feature() -> None:
    asked = {(INCLUDED[number % len(INCLUDED)], engine)
             for number in range(4 * len(INCLUDED)) for engine in engines_for(number)}  # fmt: skip
    assert len(asked) == len(INCLUDED) * (len(ENGINES) + 1)
    assert checking.excluded.keys() <= FEATURES.keys()
    assert set(INCLUDED) == FEATURES.keys() - checking.excluded.keys()


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_nothing_that_is_said_of_random_programs_is_wrong(chunk: int, tmp_path: Path) -> None:
    found = check(range(chunk * CHUNK, (chunk + 1) * CHUNK), 0, tmp_path)
    assert [str(wrong) for one in found for wrong in one.against] == []
    assert len(found) == CHUNK
    assert sum(one.tests for one in found) >= CHUNK
    assert sum(one.verdicts[Counted("default", COVERED, True)] for one in found) > 4 * CHUNK
