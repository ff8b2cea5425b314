"""The faults of Python's operations: which a run has, in both engines, and how they are read."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from languages.python.modules import Modules
from sampling import examples
from zeroin.config import FAULTS, Budget
from zeroin.languages.python.front.fault_marks import _known_names
from zeroin.languages.python.front.modules import resolve
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.languages.python.run.probes import cells as probes
from zeroin.solvers.base import Query, Unsat
from zeroin.solvers.chain import proof_solver
from zeroin.subject.base import Termination, branches_of
from zeroin.term.core.evaluate import evaluate
from zeroin.words import encode

RUNS = 100_000  # after so many the native engine is compiled
LARGEST = 1.7976931348623157e308
EDGES = [0.0, -0.0, 1.0, -1.0, 5e-324, 0.5, 2.5, 709.8, 710.5, 1e16, 2.0**53, 1e154, LARGEST, -LARGEST, math.inf,
         -math.inf, math.nan, 1.0000000000000002]  # fmt: skip
FLOATS = st.one_of(st.sampled_from(EDGES), st.floats())
INTS = st.one_of(st.sampled_from([0, 1, -1, 2, 710, 2**53, 2**53 + 1, 2**62 - 1]), st.integers(-9, 9))


def kinds_of(subject: PythonSubject, covered: frozenset[int]) -> set[str]:
    """The kinds of the faults that a run has."""
    return {branch.label for branch in branches_of(subject.sites) if branch.is_fault and branch.outcome in covered}


@pytest.fixture
def loaded(modules: Modules) -> Callable[..., PythonSubject]:
    known: dict[str, PythonSubject] = {}

    def load(text: str) -> PythonSubject:
        if text not in known:
            known[text] = modules.load(text, find=FAULTS)
            known[text]._probing.state[probes.RUNS] = RUNS
            known[text]._engines.next()
        return known[text]

    return load


def of_operation(sign: str, a: float, b: float) -> set[str]:
    """The faults of an operation on two numbers, as they are defined: without any of the code under test."""
    floats = [x for x in (a, b) if isinstance(x, float)]
    if sign in ("/", "//", "%") and b == 0:
        return {"divzero"}
    if sign in ("<<", ">>"):
        return {"shift"} if b < 0 else set()
    try:
        result = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "//": lambda: a // b,
                  "%": lambda: a % b}[sign]()  # fmt: skip
    except OverflowError:
        return set()
    if sign in ("//", "%") or not isinstance(result, float):
        return set()
    found = set()
    if math.isinf(result) and all(map(math.isfinite, floats)):
        found.add("overflow")
    if math.isnan(result) and not any(map(math.isnan, floats)):
        found.add("nan")
    wholes = [x for x in (a, b) if isinstance(x, int)]
    if (floats or sign == "/") and any(abs(x) > 2**53 for x in wholes):
        found.add("precision")
    return found


@pytest.mark.parametrize("sign", ["+", "-", "*", "/", "//", "%", "<<", ">>"])
@pytest.mark.parametrize("types", [(float, float), (int, int), (int, float), (float, int)])
@pytest.mark.parametrize("form", ["return a {} b", "a {}= b\n    return a"])
@given(data=st.data())
@examples(20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_run_has_the_faults_that_its_operands_say(
    loaded: Callable[..., PythonSubject], sign: str, types: tuple[type, type], form: str, data: st.DataObject
) -> None:
    if sign in ("<<", ">>") and types != (int, int):
        return
    names = [type_.__name__ for type_ in types]
    subject = loaded(f"def f(a: {names[0]}, b: {names[1]}):\n    {form.format(sign)}\n")
    given_ = [data.draw(FLOATS if type_ is float else INTS) for type_ in types]
    words = tuple(encode(kind, value) for kind, value in zip(subject.signature.kinds, given_, strict=True))
    a, b = subject.signature.values(words, resolve)
    if sign == "<<" and b > 1000:
        return
    run = subject.run(words)
    assert kinds_of(subject, run.covered) == of_operation(sign, a, b)
    execution = subject.execute(words)
    path = subject.along(words, execution)
    assert path.ended == ""
    assert [evaluate(step.constraint, path.inputs) for step in path.steps] == [True] * len(execution.decisions)
    native = subject._engines.native
    if native is not None:
        subject._marks.clear()
        ended = subject._run_at(native.address, subject._marks.question, words)
        assert ended is Termination.KILLED or subject._marks.covered() == execution.covered


@pytest.mark.parametrize(
    ("call", "kind", "fails", "succeeds"),
    [
        ("math.acos(x)", "domain", [1.0000000000000002, -1.0000000000000002, 2.0], [1.0, -1.0, 0.0]),
        ("math.atanh(x)", "domain", [1.0, -1.0], [0.9999999999999999]),
        ("math.acosh(x)", "domain", [0.9999999999999999], [1.0]),
        ("math.sqrt(x)", "domain", [-5e-324, -1.0], [0.0, -0.0, 1.0]),
        ("math.log(x)", "domain", [0.0, -1.0], [5e-324]),
        ("math.log1p(x)", "domain", [-1.0], [-0.9999999999999999]),
        ("math.sin(x)", "domain", [math.inf, -math.inf], [LARGEST]),
        ("math.exp(x)", "domain", [709.7827128933841, 1e4], [709.782712893384, -1e4]),
        ("math.cosh(x)", "domain", [710.475860073944, -710.475860073944], [710.4758600739439]),
        ("math.floor(x)", "cast", [math.inf, math.nan], [LARGEST]),
        ("int(x)", "cast", [-math.inf, math.nan], [1e300]),
        ("round(x)", "cast", [math.inf], [2.5]),
        ("math.fmod(1.0, x)", "divzero", [0.0, -0.0], [5e-324]),
        ("math.log(2.0, x)", "divzero", [1.0], [3.0]),
        ("math.log(2.0, x)", "domain", [-1.0, 0.0], [3.0]),
        ("divmod(1.0, x)", "divzero", [0.0], [1.0]),
    ],
)
def test_an_argument_fails_where_the_function_raises(
    modules: Modules, call: str, kind: str, fails: list[float], succeeds: list[float]
) -> None:
    subject = modules.load(f"import math\ndef f(x: float):\n    return {call}\n", find=FAULTS)
    for value in (*fails, *succeeds):
        run = subject.run((encode(subject.signature.kinds[0], value),))
        assert run.returned == (value in succeeds), value
        assert (kind in kinds_of(subject, run.covered)) == (value in fails or value != value), value


@pytest.mark.parametrize("text", ["from math import sqrt as root\ndef f(x: float):\n    return root(x)\n",
                                  "import math as m\ndef f(x: float):\n    return m.sqrt(x)\n"])  # fmt: skip
def test_functions_are_known_by_other_names(modules: Modules, text: str) -> None:
    subject = modules.load(text, find=("domain",))
    assert [site.form for site in subject.sites] == ["domain"]


@pytest.mark.parametrize("type_", ["list[float]", "tuple[float, float, float]"])
def test_an_index_fails_outside_of_its_sequence(modules: Modules, type_: str) -> None:
    subject = modules.load(f"def f(xs: {type_}, i: int):\n    return xs[i]\n", find=("bounds",))
    (site,) = subject.sites
    assert (site.form, site.condition) == ("bounds", "xs[i]")
    for index in range(-5, 6):
        words = subject.words_of(f"{'[1.0, 2.0, 3.0]' if type_[0] == 'l' else '(1.0, 2.0, 3.0)'}, {index}")
        run = subject.run(words)
        assert run.returned == (-3 <= index < 3)
        assert (2 * site.number in run.covered) == (not -3 <= index < 3)
        path = subject.along(words, subject.execute(words))
        assert [evaluate(step.constraint, path.inputs) for step in path.steps] == [True]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return 1.0 / (x * x + 1.0)", "divzero"),
        ("return math.sqrt(x * x)", "domain"),
        ("return math.acos(max(-1.0, min(1.0, x))) if x == x else 0.0", "domain"),
        ("return 1 // n if n else 0", "divzero"),
        ("return int(x) if abs(x) < 1e9 else 0", "cast"),
        ("return 1 << n if n >= 0 and n < 10 else 0", "shift"),
        ("return (1.0, 2.0, 3.0)[n] if -3 <= n < 3 else 0.0", "bounds"),
        ("return x + 1.0 if abs(x) < 1e300 else x", "overflow"),
        ("return x * x if abs(x) < 1e100 else x", "nan"),
    ],
)
def test_what_never_fails_is_proved(modules: Modules, body: str, kind: str) -> None:
    subject = modules.load(f"import math\ndef f(x: float, n: int):\n    {body}\n", find=(kind,))
    for branch in branches_of(subject.sites):
        if branch.is_fault:
            reached = subject.reach(branch.outcome)
            assert isinstance(proof_solver().solve(Query((reached.condition,)), Budget(seconds=20.0)), Unsat), branch


def test_a_site_is_where_its_operator_is(modules: Modules) -> None:
    text = "def f(a: float, b: float):\n    return (a\n            * b) - a * 2.0\n"
    subject = modules.load(text, find=("overflow",))
    places = [(site.line, site.column, site.condition) for site in subject.sites]
    assert places == [(3, 13, "a * b"), (3, 22, "a * 2.0"), (3, 18, "(a * b) - a * 2.0")]


def test_faults_change_no_name_of_a_branch(modules: Modules) -> None:
    text = "def f(a: float, b: float):\n    if a / b > a - b:\n        return a * b\n    return 0.0\n"
    plain, checked = modules.load(text), modules.load(text, find=FAULTS)
    for subject in (plain, checked):
        assert [branch.id for branch in branches_of(subject.sites) if not branch.is_fault] == ["0T", "0F"]


def test_a_fault_tells_its_operation(modules: Modules) -> None:
    subject = modules.load("def f(x: float, y: float):\n    x *= y\n    return x - y\n", find=("overflow", "nan"))
    words = tuple(encode(kind, value) for kind, value in zip(subject.signature.kinds, (1e200, 1e300), strict=True))
    run = subject.run(words)
    (fault,) = [branch for branch in branches_of(subject.sites) if branch.outcome in run.covered]
    assert subject.circumstances(fault.site.number) == "1e+200 * 1e+300 = inf"
    assert subject.run(words) == run


HUGE = 10**400  # no float is as large


@pytest.mark.parametrize("body", ["n / 3", "n % 7.5", "n // -1", "int(n)", "math.exp(n)", "math.cosh(n)", "2.0 + n",
                                  "1 if n % 3 else 2", "math.floor(n)"])  # fmt: skip
def test_checks_leave_integers_alone_that_no_float_can_hold(modules: Modules, body: str) -> None:
    subject = modules.load(f"import math\ndef f(k: int):\n    n = {HUGE} * k\n    return {body}\n", find=FAULTS)
    for k in (1, -1):
        words = (encode(subject.signature.kinds[0], k),)
        seen = subject.observe(words)
        assert (seen.outcome, seen.raised, seen.message) == (
            (plain := subject.replay(words)).outcome, plain.raised, plain.message), body  # fmt: skip


@pytest.mark.parametrize("text", ["from math import sqrt as int", "def int(x): return x", "int = abs",
                                  "def g(int): return int"])  # fmt: skip
def test_a_name_that_the_module_binds_is_not_the_built_in_one(modules: Modules, text: str) -> None:
    subject = modules.load(f"{text}\ndef f(x: float):\n    return int(x)\n", find=("cast",))
    assert not [branch for branch in branches_of(subject.sites) if branch.is_fault]


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("from math import gcd\nfrom statistics import mean as gcd", {"gcd"}),
        ("math = None", {"math"}),
        ("def g(math): return math", {"math"}),
        ("from .math import sqrt", {"sqrt"}),
        ("import math as m", set()),
    ],
)
def test_a_name_that_is_bound_twice_is_not_known(text: str, lost: set[str]) -> None:
    known = _known_names(ast.parse(f"import math\nfrom math import sqrt\n{text}\n"))
    assert {"math", "sqrt", "int", "round", "divmod"} - {*known} == lost - {"gcd"}
    assert "gcd" not in known


def test_lgamma_of_negative_numbers_does_not_fail(modules: Modules) -> None:
    source = "import math\ndef f(x: float):\n    return math.lgamma(x) + math.gamma(x)\n"
    subject = modules.load(source, find=("domain",))
    for x, faults in ((-0.5, set()), (0.0, {"domain"}), (-0.0, {"domain"})):
        words = (encode(subject.signature.kinds[0], x),)
        assert kinds_of(subject, subject.run(words).covered) == faults, x


def test_an_annotation_without_a_value_is_followed(modules: Modules) -> None:
    text = "def f(i: int):\n    xs = [1.0, 2.0]\n    xs[1 // i]: float\n    return xs[0]\n"
    subject = modules.load(text, find=("divzero",))
    (branch,) = [branch for branch in branches_of(subject.sites) if branch.is_fault]
    for i, fails in ((0, True), (1, False)):
        assert (branch.outcome in subject.run((encode(subject.signature.kinds[0], i),)).covered) == fails
