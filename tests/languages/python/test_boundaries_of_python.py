"""The boundaries of Python's comparisons: which a run is on, in both engines, and how they are read."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from languages.python.modules import Modules
from sampling import examples
from zeroin.config import Budget
from zeroin.distance import holds
from zeroin.languages.python.front.modules import resolve
from zeroin.languages.python.read.blocks.model import BlockModel
from zeroin.languages.python.read.values.model import PythonModel
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.languages.python.run.probes import cells as probes
from zeroin.languages.python.run.probes.operands import beside
from zeroin.model.memory import Unreadable
from zeroin.solvers.base import Query, Unsat
from zeroin.solvers.chain import proof_solver
from zeroin.subject.base import STEPS, Decision, branches_of
from zeroin.term.core.evaluate import evaluate
from zeroin.words import encode

RUNS = 100_000  # after so many the native engine is compiled
EDGES = [0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 2.5, 3.0, 1e300, 2.0**53, 2.0**53 + 2, math.inf, -math.inf, math.nan]
FLOATS = st.one_of(st.sampled_from(EDGES), st.floats())
INTS = st.one_of(st.sampled_from([0, 1, -1, 2, 3, 2**53, 2**53 + 1, 2**62 - 1, -(2**62) + 1]), st.integers(-9, 9))


def steps(a: float, b: float) -> list[int]:
    """How far the left operand is from the right one, where that is a step: without any of the code under test."""
    if isinstance(a, int) and isinstance(b, int):
        return [step for step in STEPS if a == b + step]
    if isinstance(a, int):
        return [step for step in STEPS if a == (math.nextafter(b, step * math.inf) if step else b)]
    if isinstance(b, int):
        return [step for step in STEPS if b == (math.nextafter(a, -step * math.inf) if step else a)]
    found = [step for step in STEPS if a == (math.nextafter(b, step * math.inf) if step else b)]
    return [0] if 0 in found else found  # nothing is above inf, and nextafter says that inf is


def near(data: st.DataObject, value: Any, type_: type) -> Any:
    """A value of the type, likely next to another one."""
    if data.draw(st.booleans()) and value == value and abs(value) != math.inf:
        if type_ is int:
            return int(value) + data.draw(st.integers(-2, 2))
        return math.nextafter(float(value), data.draw(st.sampled_from([-math.inf, math.inf, float(value)])))
    return data.draw(FLOATS if type_ is float else INTS)


def noted(subject: PythonSubject, decisions: tuple[Decision, ...]) -> list[int | None]:
    """The boundaries that the run was on."""
    at = {site.number: site.case for site in subject.sites if site.form == "boundary"}
    for decision in decisions:
        assert bool(holds(decision.op, decision.left, decision.right)) == decision.holds
    assert [at[d.site] for d in decisions if d.site in at] == list(STEPS)
    return [at[d.site] for d in decisions if d.site in at and d.holds]


@pytest.mark.parametrize("types", [(float, float), (int, int), (int, float), (float, int)])
@given(data=st.data())
@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_run_is_on_the_boundary_that_its_operands_say(
    loaded: Callable[..., PythonSubject], types: tuple[type, type], data: st.DataObject
) -> None:
    names = [type_.__name__ for type_ in types]
    subject = loaded(f"def f(a: {names[0]}, b: {names[1]}):\n    return 1 if a < b else 2\n")
    b = data.draw(FLOATS if types[1] is float else INTS)
    a = near(data, b, types[0])
    words = tuple(encode(kind, value) for kind, value in zip(subject.signature.kinds, (a, b), strict=True))
    a, b = subject.signature.values(words, resolve)  # an int of many bits is the one of its word
    expected = steps(a, b)
    execution = subject.execute(words)
    assert noted(subject, execution.decisions) == expected
    assert [step for step, far in zip(STEPS, beside(a, b, False), strict=True) if far == 0] == expected
    path = subject.along(words, execution)
    assert path.ended == ""
    assert [evaluate(step.constraint, path.inputs) for step in path.steps] == [True] * len(execution.decisions)
    native = subject._engines.native
    assert native is not None
    subject._marks.clear()
    outcome = subject._run_at(native.address, subject._marks.question, words)
    assert outcome.word != "returned" or subject._marks.covered() == execution.covered


@pytest.fixture
def loaded(modules: Modules) -> Callable[..., PythonSubject]:
    known: dict[str, PythonSubject] = {}

    def load(text: str) -> PythonSubject:
        if text not in known:
            known[text] = modules.load(text, boundary=True)
            known[text]._probing.state[probes.RUNS] = RUNS
            known[text]._engines.next()
        return known[text]

    return load


@pytest.mark.parametrize(
    ("condition", "other", "expected"),
    [
        ("n < 2.5", 2.5, {3: 1, 2: -1, 4: None, 1: None}),
        ("2.5 < n", 2.5, {3: -1, 2: 1, 4: None, 1: None}),
        ("n >= -3.0", -3.0, {-3: 0, -2: 1, -4: -1}),
        ("n < 1e300", 1e300, {0: None, 10**300: None, int(1e300): 0, int(1e300) + 1: 1}),
        ("n > 10 ** 30", 10**30, {10**30: 0, 10**30 + 1: 1, 10**30 - 1: -1, 10**30 + 2: None}),
        ("x < 3", 3, {3.0: 0, 3.0000000000000004: 1, 2.9999999999999996: -1, 4.0: None}),
        ("x < 0", 0, {-0.0: 0, 5e-324: 1, -5e-324: -1}),
        ("not x >= 3", 3, {3.0: 0}),
        ("x == math.inf", math.inf, {math.inf: 0, 1.7976931348623157e308: -1, math.nan: None}),
    ],
)
def test_the_step_is_one_of_what_is_compared(
    modules: Modules, condition: str, other: float, expected: dict[Any, int | None]
) -> None:
    head = "n: int" if "n " in condition + " " and "x" not in condition else "x: float"
    subject = modules.load(f"import math\ndef f({head}):\n    return 1 if {condition} else 2\n", boundary=True)
    sites = [site for site in subject.sites if site.form == "boundary"]
    for value, step in expected.items():
        left, right = (other, value) if condition[0].isdigit() else (value, other)
        far = beside(left, right, isinstance(value, int) and isinstance(other, float))
        on = [one for one, distance in zip(STEPS, far, strict=True) if distance == 0]
        assert on == ([] if step is None else [step]), value
        words = (encode(subject.signature.kinds[0], value),)
        if subject.signature.values(words, resolve) == [value]:
            covered = subject.run(words).covered
            assert [site.case for site in sites if 2 * site.number in covered] == on


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("return a < b < 3", 2),
        ("return abs(a) is None", 0),
        ("return a in (1, 2)", 0),
        ("return str(a) == 'abc'", 0),
        ("return [x for x in (a, b) if x > 2]", 1),
        ("return [0 < x < 3 for x in (a, b)]", 2),
        ("return (lambda x: 1 if x > a else 2)(b)", 1),
        ("return bool(a)", 0),
        ("return a == True", 0),
        ("return 1 < 2", 0),
        ("return a * a == 0.5 or b != -1", 2),
    ],
)
def test_the_comparisons_by_size_are_those_looked_at(modules: Modules, body: str, count: int) -> None:
    subject = modules.load(f"def f(a: float, b: float):\n    {body}\n", boundary=True)
    boundaries = [branch for branch in branches_of(subject.sites) if branch.site.form == "boundary"]
    assert [branch.id for branch in boundaries] == [f"{n}{sign}" for n in range(count) for sign in "=+-"]
    words = tuple(encode(kind, value) for kind, value in zip(subject.signature.kinds, (2.0, 2.5), strict=True))
    seen = {decision.site for decision in subject.execute(words).decisions}
    assert {branch.site.number for branch in boundaries} <= seen
    path = subject.along(words, subject.execute(words))
    assert [step.site for step in path.steps] == [decision.site for decision in subject.execute(words).decisions]


OWN = """
    from fractions import Fraction
    import numpy as np
    calls = []
    class J(int):
        def __add__(self, other):
            calls.append(other)
            return 70
        __sub__ = __add__
    class K(float):
        def __ne__(self, other):
            calls.append(other)
            return True
    class Size(int):
        pass
    def f(x: int):
        return x < {}, len(calls)
    """


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("J(5)", None),  # it may do what it likes
        ("K(5.0)", None),
        ("Fraction(5)", None),
        ("Size(5)", [1]),
        ("np.int64(5)", [1]),
        ("np.uint8(7)", [-1]),
        ("np.float64(6)", [0]),
        ("np.float32(6)", None),
        ("True", None),
        ("int(True)", []),
    ],
)
def test_only_numbers_are_looked_at_and_no_method_is_called(
    modules: Modules, other: str, expected: list[int] | None
) -> None:
    subject = modules.load(OWN.format(other), boundary=True)
    first = {site.number: site.case for site in subject.sites if site.form == "boundary"}
    words = (encode(subject.signature.kinds[0], 6),)
    decisions = [decision for decision in subject.execute(words).decisions if decision.site in first]
    if expected is None:
        assert decisions == []
    else:
        assert [first[d.site] for d in decisions if d.holds] == expected
    assert subject.same(subject.observe(words), subject.replay(words))


@pytest.mark.parametrize(
    ("head", "condition"),
    [("a: tuple[int, int], b: tuple[int, int]", "a < b"), ("a: tuple[int, int]", "a == (1, 2)[:] and a == a"),
     ("a: int | None", "a == None or a == NOTHING")],
)  # fmt: skip
def test_nothing_is_proved_of_what_is_no_number(modules: Modules, head: str, condition: str) -> None:
    subject = modules.load(f"NOTHING = None\ndef f({head}):\n    return 1 if {condition} else 2\n", boundary=True)
    goals = [branch for branch in branches_of(subject.sites) if branch.site.form == "boundary"]
    assert goals
    try:
        conditions = [subject.reach(branch.outcome).condition for branch in goals]
    except Unreadable:
        return
    prover = proof_solver()
    assert not any(isinstance(prover.solve(Query((one,)), Budget(10**9, 5.0)), Unsat) for one in conditions)


NESTED = """
    def deep(x: float, n: int) -> bool:
        return x < n == 3 or x > 4.5
    def f(x: float, n: int, flag: bool):
        if x > 1 and flag < n:
            return deep(x, n), n != x
        for i in range(n % 4):
            if i * x >= n:
                return i
        while n > 7:
            n -= 3
        return n <= 2.5, -2.5 < n
    """


@pytest.mark.parametrize("of_blocks", [True, False])
@given(
    x=st.sampled_from([0.0, 1.0, 1.0000000000000002, 3.0, 4.0, 4.5, math.nan]),
    n=st.integers(-2, 20),
    flag=st.booleans(),
)
@examples(30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_read_is_what_runs_do(
    loaded: Callable[..., PythonSubject], of_blocks: bool, x: float, n: int, flag: bool
) -> None:
    subject = loaded(NESTED)
    words = tuple(encode(kind, value) for kind, value in zip(subject.signature.kinds, (x, n, flag), strict=True))
    execution = subject.execute(words)
    assert isinstance(subject.model, BlockModel)
    subject._prepare_run()
    subject._code.use(False)
    values = PythonModel(subject._chosen, subject._others, subject._modules, subject.sites, subject.signature,
                         subject.call, "")  # fmt: skip
    path = (subject.model if of_blocks else values).along(words, execution)
    assert [step.site for step in path.steps] == [decision.site for decision in execution.decisions]
    assert [evaluate(step.constraint, path.inputs) for step in path.steps] == [True] * len(path.steps)


def test_what_no_run_is_on_is_refuted_and_nothing_else(modules: Modules) -> None:
    subject = modules.load("""
        def f(x: float, n: int):
            if x * x == 2:
                return 1
            return n % 7 < 6 and n > 2.5
        """, boundary=True)  # fmt: skip
    proved, prover = {}, proof_solver()
    for branch in branches_of(subject.sites):
        if branch.site.form == "boundary":
            answer = prover.solve(Query((subject.reach(branch.outcome).condition,)), Budget(10**9, 20.0))
            proved[branch.id] = isinstance(answer, Unsat)
    assert proved == {"0=": True, "0+": False, "0-": True, "1=": False, "1+": True, "1-": False,
                      "2=": True, "2+": False, "2-": False}  # fmt: skip
