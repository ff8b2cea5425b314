"""The emitted pytest file passes, is exact, reads well, and is formatted as ruff formats."""

from __future__ import annotations

import ast
import copy
import dataclasses
import itertools
import math
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from languages.python.instrumented import import_file
from sampling import examples
from zeroin.config import Options
from zeroin.emit.files import write
from zeroin.emit.test_header import Batch
from zeroin.emit.test_names import title
from zeroin.emit.trial import Trial
from zeroin.generate.stopped import Stopped
from zeroin.languages.c.front.layout import Scalar
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.languages.c.replay import CReplay
from zeroin.languages.python.emit.line_breaks import WIDTH, broken, cut
from zeroin.languages.python.emit.test_file import PytestFile, target_of
from zeroin.languages.python.language import PythonTarget
from zeroin.languages.python.replay import PythonReplay
from zeroin.languages.python.values.snapshots import Snapshot, same, snapshot
from zeroin.subject.base import Site, Termination, branches_of
from zeroin.suite.suite import Finding, Input, Suite
from zeroin.words import Kind

RULES = "E,F,W,I,UP,B,C4,SIM,RUF,PIE,PT"
_NUMBERS = itertools.count()


@dataclasses.dataclass(frozen=True)
class KeywordParameter(CParameter):
    keyword: bool = False
    spread: bool = False


@dataclasses.dataclass(frozen=True)
class Case:
    """One input to try: the arguments, and the outcomes that it takes."""

    arguments: tuple[Any, ...]
    covered: frozenset[int] = frozenset()
    names: tuple[str, ...] = ()  # the last arguments are given by name
    expected: PythonReplay | None = None  # instead of calling


def case(*arguments: Any, covers: Sequence[int] = (), **named: Any) -> Case:
    return Case((*arguments, *named.values()), frozenset(covers), tuple(named))


def run(function: Callable[..., Any], made: Case) -> PythonReplay:
    """Call the function as a worker would."""
    before = tuple(map(snapshot, made.arguments))
    arguments = [copy.deepcopy(a) for a in made.arguments]
    first = len(arguments) - len(made.names)
    value, raised, message = None, "", ""
    outcome = Termination.RETURNED
    try:
        value = snapshot(function(*arguments[:first], **dict(zip(made.names, arguments[first:], strict=True))))
    except Exception as error:
        raised, message = f"{type(error).__module__}:{type(error).__qualname__}", str(error)
        outcome = Termination.ASSERTED if isinstance(error, AssertionError) else outcome
        outcome = Termination.RAISED if isinstance(error, (ZeroDivisionError, TypeError)) else outcome
    after = tuple(None if same(was, now) else now for was, now in zip(before, map(snapshot, arguments), strict=True))
    return PythonReplay(outcome, arguments=before, value=value, raised=raised, message=message, after=after)


class Maker:
    """Makes suites of small modules in ``tmp_path/code``; the tests are to stand in ``tmp_path/tests``."""

    def __init__(self, tmp_path: Path) -> None:
        self.code, self.folder = tmp_path / "code", tmp_path / "tests"
        for folder in (self.code, self.folder):
            folder.mkdir()
        (self.folder / "ruff.toml").write_text(f"line-length = {WIDTH}\n")
        self.loaded: list[str] = []

    def module(self, text: str, name: str = "") -> ModuleType:
        name = name or f"sample{next(_NUMBERS)}"
        path = self.code / f"{name.replace('.', '/')}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        self.loaded.append(name)
        return import_file(path, name)

    def suite(self, module: ModuleType, function: str, cases: Sequence[Case], sites: Sequence[tuple[int, str]] = (),
              **changes: Any) -> Suite:  # fmt: skip
        """``sites`` are lines and conditions; ``result_type`` and ``stateful`` may be changed."""
        found: Any = module
        for part in function.split("."):
            found = getattr(found, part)
        names = parameters(Path(str(module.__file__)), function)
        listed = [Site(n, function, str(module.__file__), line, 1, text) for n, (line, text) in enumerate(sites)]
        inputs = [Input((), made.covered, made.expected or run(found, made)) for made in cases]
        target = PythonTarget(f"{module.__file__}:{function}", Path(str(module.__file__)), function, "python",
                              module=module.__name__, root=self.code)  # fmt: skip
        signature = CSignature(function, names, changes.pop("result_type", ""))
        return Suite(target=target, signature=signature, sites=listed, branches=branches_of(listed), inputs=inputs,
                     findings=[], seed=7, evaluations=100, seconds=0.5, stopped=Stopped.COVERED, **changes)  # fmt: skip

    def make(self, text: str, function: str, cases: Sequence[Case], sites: Sequence[tuple[int, str]] = (),
             **changes: Any) -> Suite:  # fmt: skip
        return self.suite(self.module(text), function, cases, sites, **changes)


def parameters(path: Path, function: str) -> tuple[CParameter, ...]:
    scope: Any = ast.parse(path.read_text())
    for name in function.split("."):
        scope = next(node for node in scope.body if getattr(node, "name", "") == name)
    arguments = [a.arg for a in scope.args.args if a.arg != "cls"]
    named = [KeywordParameter(a.arg, "", Scalar(Kind.F64), keyword=True) for a in scope.args.kwonlyargs]
    return (*(CParameter(a, "", Scalar(Kind.F64)) for a in arguments), *named)


@pytest.fixture
def maker(tmp_path: Path) -> Iterator[Maker]:
    made = Maker(tmp_path)
    yield made
    for name in made.loaded:
        sys.modules.pop(name, None)


def python_replay(suite: Suite) -> PythonReplay:
    """Of the first input."""
    replay = suite.inputs[0].replay
    assert isinstance(replay, PythonReplay)
    return replay


def ruff(command: Sequence[str], path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "ruff", *command, "--isolated", "--no-cache", "--line-length",
                           str(WIDTH), "--target-version", "py311", path.name], cwd=path.parent, capture_output=True,
                          text=True)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def pytest_run(path: Path) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", str(path)]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout


def check(suite: Suite, maker: Maker, *, lint: bool = True, status: int = 0) -> str:
    """The emitted file passes as it is, formatted and linted; its text."""
    batch = Batch((suite,))
    text = PytestFile().text(batch, maker.folder)
    assert text == PytestFile().text(batch, maker.folder)
    path = maker.folder / PytestFile().file_name(batch)
    text = PytestFile().formatted(text, path)
    path.write_text(text)
    ruff(["format", "--diff"], path)
    if lint:
        ruff(["check", "--select", RULES], path)
    outcome, output = pytest_run(path)
    assert outcome == status, text + output
    return text


def body_of(text: str) -> str:
    """From the first test on."""
    found = re.search(r"\n\n\n(def test|@pytest\.mark)", text)
    assert found is not None
    return text[found.start() + 3 :]


KEPLER = """\
import math


def solve(e, m):
    if e < 0 or e >= 1:
        raise ValueError("need 0 <= e < 1")
    if m == 0:
        return -0.0
    if m > 1e300:
        return math.inf
    return math.nan if m != m else m / (1 - e)
"""


def test_a_whole_file(maker: Maker) -> None:
    sites = [(5, "e < 0"), (5, "e >= 1"), (7, "m == 0"), (9, "m > 1e300"), (11, "m != m")]
    cases = [
        case(-1.0, 1.0, covers=[0]),
        case(1.0, 1.0, covers=[1, 2]),
        case(0.5, 0.0, covers=[1, 3, 4]),
        case(0.5, 1e301, covers=[1, 3, 5, 6]),
        case(0.5, math.nan, covers=[1, 3, 5, 7, 8]),
        case(0.5, 1.5, covers=[1, 3, 5, 7, 9]),
    ]
    suite = maker.suite(maker.module(KEPLER, "kepler"), "solve", cases, sites)
    assert PytestFile().file_name(Batch((suite,))) == "test_zeroin_kepler_solve.py"
    suite = dataclasses.replace(suite, target=dataclasses.replace(suite.target, text="code/kepler.py:solve"))
    assert (
        check(suite, maker)
        == '''\
"""Tests of solve in kepler, generated by zeroin.

Made by:

    zeroin cover --emit pytest --seed 7 code/kepler.py:solve

Covers 10 of 10 branches with 6 inputs (target 8de80b3a).
"""

import math
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "code"))

from kepler import solve


def pytest_generate_tests(metafunc):
    """Mark these tests: `pytest -m zeroin` runs no others."""
    if not metafunc.definition.get_closest_marker("zeroin"):
        metafunc.config.addinivalue_line("markers", "zeroin: generated by zeroin")
        metafunc.definition.parent.add_marker("zeroin")


@pytest.mark.parametrize(
    ("e", "m"),
    [
        # line 5: e < 0 -> true
        pytest.param(-1.0, 1.0, id="e_lt_0_true"),
        # line 5: e >= 1 -> true
        pytest.param(1.0, 1.0, id="e_ge_1_true"),
    ],
)
def test_solve_raises_value_error(e, m):
    with pytest.raises(ValueError, match=r"^need 0 <= e < 1$"):
        solve(e, m)


def test_solve_m_eq_0_true():
    # line 7: m == 0 -> true
    result = solve(0.5, 0.0)
    assert result == 0.0
    assert math.copysign(1.0, result) == -1.0


@pytest.mark.parametrize(
    ("e", "m", "expected"),
    [
        # line 9: m > 1e300 -> true
        pytest.param(0.5, 1e301, math.inf, id="m_gt_1e300_true"),
        # line 11: m != m -> false
        pytest.param(0.5, 1.5, 3.0, id="m_ne_m_false"),
    ],
)
def test_solve(e, m, expected):
    assert solve(e, m) == expected


def test_solve_m_ne_m_true():
    # line 11: m != m -> true
    assert math.isnan(solve(0.5, math.nan))
'''
    )


IDENTITY = "def same_as(x):\n    return x\n"


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (None, "    assert same_as(None) is None\n"),
        (True, "    assert same_as(True) is True\n"),
        (3, "    assert same_as(3) == 3\n"),
        (0.1, "    assert same_as(0.1) == 0.1\n"),
        (-math.inf, "    assert same_as(-math.inf) == -math.inf\n"),
        ("it's", '    assert same_as("it\'s") == "it\'s"\n'),
        ([1, 2.5], "    assert same_as([1, 2.5]) == [1, 2.5]\n"),
        ({"a": (1,)}, '    assert same_as({"a": (1,)}) == {"a": (1,)}\n'),
        ((1.0, -0.0), "    assert same((1.0, -0.0), (1.0, -0.0))\n"),
        (10**30 - 1, f"    assert same_as({10**30 - 1}) == {10**30 - 1}\n"),
        (3 * 2**1000, "    assert same_as(3 * 2**1000) == 3 * 2**1000\n"),
    ],
    ids=repr,
)
def test_results(maker: Maker, returned: Any, expected: str) -> None:
    text = check(maker.make(IDENTITY, "same_as", [case(returned)]), maker)
    assert text.endswith(expected.replace("same((1.0, -0.0)", "same(same_as((1.0, -0.0))"))


def test_numbers_of_several_types(maker: Maker) -> None:
    text = check(maker.make(IDENTITY, "same_as", [case(0), case(0.0), case(-0.0), case(2.5), case(True)]), maker)
    assert (
        body_of(text)
        == """\
def test_same_as():
    result = same_as(0)
    assert type(result) is int
    assert result == 0


def test_same_as_with_x_0():
    result = same_as(0.0)
    assert type(result) is float
    assert result == 0.0
    assert math.copysign(1.0, result) == 1.0


def test_same_as_with_x_minus_0():
    result = same_as(-0.0)
    assert type(result) is float
    assert result == 0.0
    assert math.copysign(1.0, result) == -1.0


def test_same_as_returns_2_5():
    assert same_as(2.5) == 2.5


def test_same_as_with_x_true():
    assert same_as(True) is True
"""
    )
    declared = check(maker.make(IDENTITY, "same_as", [case(1)], result_type="float"), maker)
    assert "    assert type(result) is int\n" in declared
    assert "type(" not in check(maker.make(IDENTITY, "same_as", [case(1), case(2)], result_type="int"), maker)


def test_an_opaque_value_of_many_parts_is_checked_by_types_alone(maker: Maker) -> None:
    module = """\
class Own:
    pass


def tree(depth):
    made = [1, Own()]
    for _ in range(depth):
        made = [made, made]
    return made
"""
    small = body_of(check(maker.make(module, "tree", [case(1)]), maker))
    assert small.count("assert") == 7  # lengths of three lists, and two parts each of the two inner ones
    assert "    assert result[1][0] == 1\n" in small
    large = body_of(check(maker.make(module, "tree", [case(7)]), maker))
    assert large.splitlines()[2:] == [
        "    assert len(result) == 2",
        '    assert type(result[0]).__name__ == "list"',
        '    assert type(result[1]).__name__ == "list"',
    ]


NUMPY = """\
import numpy as np


def make(kind):
    return {"f": np.float32(0.1), "n": np.float64(np.nan), "z": np.float32(-0.0), "b": np.bool_(True),
            "a": np.array([1.0, np.nan]), "s": np.array([1.5, -0.0], dtype=np.float32), "e": np.zeros((0, 2)),
            "p": (np.arange(2), 1), "c": np.complex64(1j), "0": np.array(2.5), "i": np.int8(0)}[kind]
"""


def test_numpy(maker: Maker) -> None:
    made = [maker.make(NUMPY, "make", [case(kind)]) for kind in "fnzbasepc0i"]
    text = "\n".join(check(suite, maker) for suite in made)
    assert "import numpy as np\n\nsys.path" in text
    for line in [
        "assert type(result) is np.float32\n    assert result == np.float32(0.1)",
        "assert type(result) is np.float64\n    assert math.isnan(result)",
        "assert result == 0.0\n    assert math.copysign(1.0, result) == -1.0",
        'np.testing.assert_array_equal(make("a"), np.array([1.0, math.nan]), strict=True)',
        'assert same(make("s"), np.array([1.5, -0.0], dtype=np.float32))',
        'np.testing.assert_array_equal(make("e"), np.empty((0, 2), dtype="float64"), strict=True)',
        'assert same(make("p"), (np.array([0, 1]), 1))',
        'assert same(make("c"), np.complex64(complex(0.0, 1.0)))',
        "assert type(result) is np.int8\n    assert result == np.int8(0)",
    ]:
        assert line in text


CLASSES = """\
import enum
from dataclasses import dataclass, field
from typing import NamedTuple


class Color(enum.Enum):
    RED = 1


class Point(NamedTuple):
    x: float
    y: float


@dataclass
class Orbit:
    axis: float
    color: Color = field(default=Color.RED, kw_only=True)

    def scaled(self, factor, *, twice=False):
        return Orbit(self.axis * factor * (2 if twice else 1))

    def move(self, by):
        self.axis += by

    @staticmethod
    def unit(x):
        return Orbit(x)

    @classmethod
    def of(cls, x):
        return {cls(x).color: Point(x, 1.0)}

    class Error(Exception):
        pass

    def fail(self):
        raise self.Error(f"axis is {self.axis} (too long?)")


@dataclass(eq=False)
class Node:
    value: float


class Opaque:
    def __init__(self, n):
        self.n = n

    def get(self):
        return self.n


def color(x):
    return Color.RED


def node(x):
    return [Node(x)]


def opaque(x):
    return (x, Opaque(x)) if x else Opaque(x)
"""


def test_methods_and_classes(maker: Maker) -> None:
    module = maker.module(CLASSES, "shapes")
    orbit = module.Orbit(1.0)
    scaled = check(maker.suite(module, "Orbit.scaled", [case(orbit, 2.0), case(orbit, 0.5, twice=True),
                                                        case(orbit, math.nan)]), maker)  # fmt: skip
    assert "from shapes import Color, Orbit\n" in scaled
    plain = "Orbit(1.0, color=Color.RED)"
    assert f"assert {plain}.scaled(2.0) == Orbit(2.0, color=Color.RED)\n" in scaled
    assert f"assert {plain}.scaled(0.5, twice=True) == {plain}\n" in scaled
    assert f"assert same({plain}.scaled(math.nan), Orbit(math.nan, color=Color.RED))\n" in scaled
    moved = check(maker.suite(module, "Orbit.move", [case(orbit, 2.0)]), maker)
    assert (
        body_of(moved)
        == f"""\
def test_orbit_move():
    orbit = {plain}
    orbit.move(2.0)
    assert orbit == Orbit(3.0, color=Color.RED)
"""
    )
    assert PytestFile().file_name(Batch((maker.suite(module, "Orbit.move", []),))) == "test_zeroin_shapes_orbit_move.py"
    assert f"assert Orbit.unit(1.0) == {plain}" in check(maker.suite(module, "Orbit.unit", [case(1.0)]), maker)
    assert "assert Orbit.of(2.0) == {Color.RED: Point(2.0, 1.0)}" in check(
        maker.suite(module, "Orbit.of", [case(2.0)]), maker
    )
    failing = check(maker.suite(module, "Orbit.fail", [case(orbit)]), maker)
    assert r'with pytest.raises(Orbit.Error, match=r"^axis is 1\.0 \(too long\?\)$"):' in failing
    assert "def test_orbit_fail_raises_error():" in failing
    assert "assert color(1) is Color.RED" in check(maker.suite(module, "color", [case(1)]), maker)
    assert "assert same(node(1.0), [Node(1.0)])" in check(maker.suite(module, "node", [case(1.0)]), maker)
    opaque = body_of(check(maker.suite(module, "opaque", [case(0.0), case(1.0)]), maker))
    assert '    assert type(result).__name__ == "Opaque"\n    assert result.n == 0.0\n' in opaque
    assert "    assert len(result) == 2\n    assert result[0] == 1.0\n" in opaque
    surrogate = Snapshot("object", "shapes:Opaque", (Snapshot("int", 3),))
    replay = PythonReplay(Termination.RETURNED, arguments=(surrogate,), value=Snapshot("int", 3),
                          after=(Snapshot("opaque", "shapes:Opaque"),))  # fmt: skip
    made = maker.suite(module, "Opaque.get", [Case((), expected=replay)])
    assert "    assert Opaque(3).get() == 3\n" in check(made, maker)


def test_changed_arguments(maker: Maker) -> None:
    text = "def sort(xs, result):\n    xs.sort()\n    result['n'] = xs[0]\n    return len(xs)\n"
    made = check(maker.make(text, "sort", [case([2.0, 1.0], {}), case([1.0], {"n": 1.0})]), maker)
    assert (
        body_of(made)
        == """\
def test_sort():
    xs = [2.0, 1.0]
    result = {}
    result_ = sort(xs, result)
    assert result_ == 2
    assert xs == [1.0, 2.0]
    assert result == {"n": 1.0}


def test_sort_returns_1():
    assert sort([1.0], {"n": 1.0}) == 1
""".replace("    result_ = sort(xs, result)\n    assert result_ == 2\n", "    assert sort(xs, result) == 2\n")
    )
    raising = "def drop(xs):\n    xs.pop()\n    raise KeyError('x')\n"
    dropped = body_of(check(maker.make(raising, "drop", [case([2.0, -0.0, math.nan])]), maker))
    assert dropped.endswith("        drop(xs)\n    assert same(xs, [2.0, -0.0])\n")
    local = "def f(list, math):\n    list.append(math.pop())\n"
    assert "    list_ = []\n    math_ = [1]\n    f(list_, math_)\n" in check(
        maker.make(local, "f", [case([], [1])]), maker
    )


def test_arguments_of_any_number(maker: Maker) -> None:
    module = maker.module("def f(x, *xs, last=0):\n    if xs:\n        xs[0].append(x)\n    return len(xs) + last\n")
    one, two = Snapshot("list"), Snapshot("list", None, (Snapshot("int", 2),))
    rest, after = Snapshot("tuple", None, (one, one)), Snapshot("tuple", None, (two, one))
    first, last = Snapshot("int", 2), Snapshot("int", 5)
    calls = [((first, rest, last), 7, (None, after, None)), ((first, Snapshot("tuple"), last), 5, (None, None, None))]
    cases = [
        Case(
            (),
            expected=PythonReplay(Termination.RETURNED, arguments=arguments, value=Snapshot("int", result), after=left),
        )
        for arguments, result, left in calls
    ]
    suite = maker.suite(module, "f", cases)
    plain, named = suite.signature.parameters
    many = KeywordParameter("xs", "", Scalar(Kind.F64), spread=True)
    suite = dataclasses.replace(suite, signature=dataclasses.replace(suite.signature, parameters=(plain, many, named)))
    assert (
        body_of(check(suite, maker))
        == """\
def test_f():
    xs = ([], [])
    assert f(2, *xs, last=5) == 7
    assert xs == ([2], [])


def test_f_without_xs():
    assert f(2, last=5) == 5
"""
    )
    replay = PythonReplay(Termination.RETURNED, arguments=(first, rest, last), value=Snapshot("int", 7))
    suite.inputs[:] = [Input((), frozenset(), replay)]
    assert "    assert f(2, [], [], last=5) == 7\n" in check(suite, maker)


HOLDING = """\
class Held:
    def __init__(self, n):
        self.n, self.items, self._own = n, {}, object()


def hold(n):
    return {"a": [Held(n)]}


def change(held, n):
    held.n = n
    held.items["k"] = [n]
"""


def test_attributes_of_what_can_not_be_made_again(maker: Maker) -> None:
    module = maker.module(HOLDING, "holding")
    returned = maker.suite(module, "hold", [case(-0.0)])
    at = 'result["a"][0]'
    assert check(returned, maker).endswith(
        f"""\
    assert len(result) == 1
    assert len(result["a"]) == 1
    assert type({at}).__name__ == "Held"
    assert {at}.n == 0.0
    assert math.copysign(1.0, {at}.n) == -1.0
    assert {at}.items == {{}}
"""
    )
    held = Snapshot("object", "holding:Held", (Snapshot("int", 3),))
    changed = module.Held(3)
    module.change(changed, 4)
    replay = PythonReplay(Termination.RETURNED, arguments=(held, Snapshot("int", 4)), value=Snapshot("none"),
                          after=(snapshot(changed), None))  # fmt: skip
    suite = maker.suite(module, "change", [Case((), expected=replay)])
    assert body_of(check(suite, maker)).endswith(
        """\
    held = Held(3)
    change(held, 4)
    assert type(held).__name__ == "Held"
    assert held.n == 4
    assert held.items == {"k": [4]}
"""
    )
    wrong = dataclasses.replace(replay, after=(snapshot(module.Held(4)), None))
    check(maker.suite(module, "change", [Case((), expected=wrong)]), maker, status=1)


def finding_of(suite: Suite, number: int) -> Suite:
    """With that input among the findings."""
    replay = suite.inputs[number].replay
    found = Finding(replay.outcome.finding, suite.inputs[number].words, replay.ending, number)
    return dataclasses.replace(suite, findings=[found])


def test_findings_are_expected_to_fail_or_left_out(maker: Maker) -> None:
    module = maker.module("def f(x):\n    return 6 / x\n", "divides")
    cases = [case(2.0), case(0.0, covers=[1])]
    suite = finding_of(maker.suite(module, "f", cases, [(2, "x")]), 1)
    reason = "ZeroDivisionError: float division by zero"
    mark = f'@pytest.mark.xfail(strict=True, raises=ZeroDivisionError, reason="{reason}")\n'
    text = check(suite, maker)
    assert text.count(f"{mark}def test_f_raises_zero_division_error_when_x_false():\n") == 1
    assert "    # line 2: x -> false\n    f(0.0)\n" in text
    assert "pytest.raises" not in text
    outcome, output = pytest_run(maker.folder / "test_zeroin_divides_f.py")
    assert (outcome, "1 xfailed" in output) == (0, True)
    Path(str(module.__file__)).write_text("def f(x):\n    return 6 / x if x else 0\n")
    outcome, output = pytest_run(maker.folder / "test_zeroin_divides_f.py")
    assert (outcome, "XPASS(strict)" in output) == (1, True)
    omitted = dataclasses.replace(suite, options=Options(findings="omit"), inputs=suite.inputs[:2])
    text = PytestFile().text(Batch((omitted,)), maker.folder)
    assert "raises" not in text
    assert "f(0.0)" not in text


def test_functions_of_one_module_share_a_file(maker: Maker) -> None:
    module = maker.module("STATE = []\n\n\ndef f(x):\n    return x\n\n\ndef g(x):\n    return -x\n", "shared")
    suites = tuple(maker.suite(module, name, [case(1.5), case(2.5)]) for name in "fg")
    batch = Batch(suites, whole=True)
    path = maker.folder / PytestFile().file_name(batch)
    assert path.name == "test_zeroin_shared.py"
    text = PytestFile().text(batch, maker.folder)
    assert text.startswith('"""Tests of shared, generated by zeroin.\n')
    assert "from shared import f, g\n" in text
    assert re.findall(r"^def (\w+)", text, re.M) == ["pytest_generate_tests", "test_f", "test_g"]
    path.write_text(PytestFile().formatted(text, path))
    assert pytest_run(path)[0] == 0
    assert PytestFile().tried(path, batch) == Trial()
    wrong = dataclasses.replace(python_replay(suites[1]), value=snapshot(7.0))
    suites[1].inputs[0] = dataclasses.replace(suites[1].inputs[0], replay=wrong)
    path.write_text(PytestFile().text(batch, maker.folder))
    assert list(PytestFile().tried(path, batch).failed) == [(1, 0)]


def test_without_ruff_the_text_stays(maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zeroin.languages.python.emit.test_file._ruff", lambda: ())
    assert PytestFile().formatted("x = 1 +  1\n", maker.folder / "test_x.py") == "x = 1 +  1\n"
    monkeypatch.setattr(
        "zeroin.languages.python.emit.test_file._ruff", lambda: (sys.executable, "-c", "raise SystemExit(2)")
    )
    assert PytestFile().formatted("x = 1 +  1\n", maker.folder / "test_x.py") == "x = 1 +  1\n"
    monkeypatch.undo()
    assert PytestFile().formatted("x = 1 +  1\n", maker.folder / "test_x.py") == "x = 1 + 1\n"


RAISING = """\
import math


class Wrong(ValueError):
    pass


def fail(kind):
    if kind == 1:
        raise Wrong('say "no" to \\\\ and it\\'s fine')
    if kind == 2:
        raise ValueError(f"at {object()}")
    if kind == 3:
        raise RuntimeError("x" * 200)
    if kind == 4:
        raise KeyError("tab\\tand\\nline")
    if kind == 5:
        assert kind < 5
    if kind == 6:
        return 1 / 0
    if kind == 7:
        class Local(Exception):
            pass
        raise Local("here")
    if kind == 8:
        raise OSError
    if kind == 9:
        raise ValueError('""\\'' + "y" * 95)
    return math.sqrt(kind)
"""


def test_exceptions(maker: Maker) -> None:
    cases = [case(kind, covers=[2 * kind - 2]) for kind in range(1, 10)]
    sites = [(line, f"kind == {kind}") for kind, line in enumerate(range(9, 27, 2), 1)]
    text = body_of(check(maker.make(RAISING, "fail", cases, sites), maker, lint=False))
    for line in [
        r"""    with pytest.raises(Wrong, match='^say "no" to \\\\ and it\'s fine$'):""",
        "    with pytest.raises(ValueError):\n",
        "    with pytest.raises(RuntimeError):\n",
        "    with pytest.raises(KeyError, match=r\"^'tab\\\\tand\\\\nline'$\"):\n",
        "    with pytest.raises(AssertionError):\n",
        "    with pytest.raises(ZeroDivisionError, match=",
        '    with pytest.raises(Exception, match=r"^here$") as caught:\n        fail(7)\n',
        '    assert type(caught.value).__name__ == "Local"\n',
        "    with pytest.raises(OSError):\n",
        "def test_fail_raises_zero_division_error_when_kind_eq_6():\n",
    ]:
        assert line in text


def test_inputs_without_a_test(maker: Maker) -> None:
    class Plain:
        pass

    hung = PythonReplay(Termination.HUNG, arguments=(snapshot(1e308), snapshot(math.nan)))
    exited = PythonReplay(Termination.EXITED, arguments=(snapshot("a" * 200),), detail="status 3")
    unwritten = PythonReplay(Termination.RETURNED, arguments=(snapshot(Plain()),), value=snapshot(1))
    fickle = PythonReplay(
        Termination.RETURNED, arguments=(snapshot(1),), raised="builtins:ValueError", repeatable=False
    )
    cases = [Case((), expected=replay) for replay in (hung, exited, unwritten, fickle)]
    text = check(maker.make("def f(x, y=0):\n    return x\n", "f", cases), maker, status=5)
    assert (
        text[text.index("# Inputs") :]
        == f'''\
# Inputs without a test:
# - f(1e308, nan): did not return: the run was stopped
# - f("{"a" * 74}...: exit() was called: status 3
# - f(<test_inputs_without_a_test.<locals>.Plain object>): an argument can not be written as source
# - f(1): does not do the same in every run
'''
    )
    assert "import" not in text
    nothing = check(maker.make("def f(x):\n    return x\n", "f", []), maker, status=5)
    assert nothing.endswith('"""\n\n\n# There is no input to test.\n')


def test_result_that_differs_from_run_to_run(maker: Maker) -> None:
    module = maker.module("import random\n\n\ndef f(x):\n    return random.random()\n")
    replay = PythonReplay(Termination.RETURNED, arguments=(snapshot(1),), value=snapshot(0.5), repeatable=False)
    text = check(maker.suite(module, "f", [Case((), expected=replay)]), maker)
    same_type = '    assert type(f(1)).__name__ == "float"\n'
    assert body_of(text) == f"def test_f():\n    # The result differs from run to run.\n{same_type}"


def test_state_is_fresh_in_every_test(maker: Maker) -> None:
    text = "CALLS = []\n\n\ndef f(x):\n    CALLS.append(x)\n    return len(CALLS)\n"
    replays = [PythonReplay(Termination.RETURNED, arguments=(snapshot(x),), value=snapshot(1)) for x in (3, 4)]
    made = maker.make(text, "f", [Case((), expected=replay) for replay in replays], stateful=True)
    emitted = check(made, maker)
    module = made.target.path.stem
    anew = f'    global f\n    importlib.reload(sys.modules["{module}"])\n    from {module} import f\n'
    assert f"\nfrom {module} import f\n" in emitted
    assert anew in emitted
    assert "    assert f(x) == expected\n" in emitted


STATE_OF_CLASSES = """
class Wrong(Exception):
    pass


class Queue:
    items = []

    def __init__(self, size):
        self.size = size

    def __eq__(self, other):
        return type(other) is Queue and other.size == self.size


def put(queue, x, seen=[]):
    if not isinstance(queue, Queue):
        raise TypeError
    Queue.items.append(x)
    seen.append(x)
    if len(seen) > queue.size:
        raise Wrong(x)
    return len(Queue.items) + len(seen)
"""


def test_classes_default_values_and_attributes_are_fresh_too(maker: Maker) -> None:
    """Nothing that a test imports by name is of the module as it was before."""
    module = maker.module(STATE_OF_CLASSES, "queues")
    queue = [Snapshot("object", "queues:Queue", (snapshot(size),)) for size in (0, 5)]
    wrong = PythonReplay(Termination.RETURNED, (queue[0], snapshot(3)), raised="queues:Wrong", message="3")
    fine = PythonReplay(Termination.RETURNED, (queue[1], snapshot(4)), value=snapshot(2))
    made = maker.suite(module, "put", [Case((), expected=one) for one in (wrong, fine, wrong, fine)], stateful=True)
    assert "    from queues import Queue, Wrong, put\n" in check(made, maker)


@pytest.mark.parametrize(
    "name", ["test_it", "TestIt", "pytest_configure", "len", "same", "math", "result", "np", "pytest"]
)
def test_names_that_would_hide_something(maker: Maker, name: str) -> None:
    text = f"def {name}(x):\n    x.append(1)\n    return x * 1.0 if False else -0.0\n"
    module = maker.module(text)
    emitted = check(maker.suite(module, name, [case([])]), maker)
    assert f"\nfrom {module.__name__} import {name} as {module.__name__}_{name}\n" in emitted
    assert f"    result = {module.__name__}_{name}(x)\n" in emitted


@pytest.mark.parametrize(
    "name",
    [
        "result",
        "x",
        "package.inner",
        "with-dash",
        "expected",
        "1bad",
        "a:b",
        "a b",
        "class",
        "test_of",
        'tri"""ple',
        "back\\slash",
        "it's",
        'say "hi"\n',
        '"""; exit(1) #',
        "per%cent{}",
    ],
)
def test_modules_of_odd_names(maker: Maker, name: str) -> None:
    (maker.code / "package").mkdir()
    (maker.code / "package" / "__init__.py").write_text("")
    module = maker.module("def len(x):\n    x.append(1)\n    return -0.0\n", name)
    emitted = check(maker.suite(module, "len", [case([])]), maker)
    is_plain = name in ("result", "x", "expected", "package.inner", "test_of")
    assert ("importlib.import_module" in emitted) == (not is_plain)
    alias = {"test_of": "module_test_of"}.get(name, name.rpartition(".")[2])
    assert (f"\nfrom {name} import len as {alias}_len\n" in emitted) == is_plain


CONFIGURATIONS = ["", "[pytest]\nfilterwarnings = error\naddopts = --strict-markers\n",
                  "[pytest]\naddopts = --strict-markers\nmarkers =\n    zeroin: mine\n"]  # fmt: skip


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=["none", "strict", "known"])
@pytest.mark.parametrize("mode", ["prepend", "append", "importlib"])
def test_all_tests_have_a_mark_that_no_configuration_knows(maker: Maker, configuration: str, mode: str) -> None:
    suite = maker.make(IDENTITY, "same_as", [case(1), case(2), case([3])])
    write(PytestFile(), suite, maker.folder)
    (maker.folder / "test_mine.py").write_text("def test_mine():\n    pass\n")
    (maker.folder / "pytest.ini").write_text(configuration)
    counts = list[str]()
    for expression in ("zeroin", "not zeroin"):
        options = ["-p", "no:cacheprovider", f"--import-mode={mode}", "-W", "error", "-m", expression]
        command = [sys.executable, "-m", "pytest", "-q", *options]
        done = subprocess.run(command, cwd=maker.folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout
        counts.append(done.stdout.strip().splitlines()[-1].partition(" in ")[0])
    assert counts == ["3 passed, 1 deselected", "1 passed, 3 deselected"]


def test_a_test_of_the_same_module_stands_in_nobody_s_way(maker: Maker) -> None:
    suite = maker.suite(maker.module(IDENTITY, "money"), "same_as", [case(1)])
    own = maker.folder.parent / "own"
    own.mkdir()
    for name in ("test_money.py", "test_money_same_as.py"):
        (own / name).write_text("def test_mine():\n    pass\n")
    path = write(PytestFile(), suite, maker.folder)
    assert path.name == "test_zeroin_money_same_as.py"
    status, output = pytest_run(maker.folder.parent)
    assert (status, "3 passed" in output) == (0, True), output
    named = dataclasses.replace(suite, options=Options(test_name="zeroin_{}_test"))
    assert write(PytestFile(), named, maker.folder).name == "zeroin_money_same_as_test.py"


def test_long_lines(maker: Maker) -> None:
    numbers = [k / 7 for k in range(12)]
    module = maker.module(CLASSES + "\n\ndef f(a, b=None, *, c=None):\n    return a\n")
    long = {"k" * 30: numbers, "s": frozenset(range(60)), "t": (tuple(numbers),), "x": "y" * 200, 3: {}}
    orbit = module.Orbit([*numbers], color=module.Color.RED)
    cases = [case(numbers), case(long), case("z" * 50), case("z" * 102), case("z" * 107), case("z" * 200),
             case(numbers[:6], numbers[:3]), case(1.0, long, c=numbers), case([numbers]), case((numbers,)),
             case([-0.0, *numbers]), case(math.nan, numbers), case(orbit), case("ä" * 60 + "漢" * 30),
             case(10**114), case(-(10**114) + 1), case(-(10**109) + 1), case(b"\xff" * 40)]  # fmt: skip
    check(maker.suite(module, "f", cases), maker, lint=False)
    check(maker.suite(module, "Orbit.scaled", [case(orbit, 1), case(module.Orbit(1.0), 2.0)]), maker)
    longer = maker.suite(module, "Orbit.fail", [case(module.Orbit(1.0))])
    replay = dataclasses.replace(python_replay(longer), message="m" * 99, raised=f"{module.__name__}:Orbit.Error")
    longer.inputs[0] = dataclasses.replace(longer.inputs[0], replay=replay)
    assert f'    message = r"^{"m" * 99}$"\n' in check(longer, maker, status=1)


def test_wrong_expectations_fail(maker: Maker) -> None:
    pairs = [
        (0.0, [-0.0]),
        (1, [(1, math.nan)]),
        ({1.0}, [({1}, -0.0)]),
        (math.nan, 1.0),
        ({"a": -0.0}, {"a": 0.0}),
        ([math.nan], [0.0]),
        ((-0.0,), [-0.0]),
        (True, 1),
        (1.0, -0.0),
        ({"b": math.nan}, {"a": math.nan}),
    ]
    for wrong in pairs:
        for value, returned in (wrong, wrong[::-1]):
            suite = maker.make(IDENTITY, "same_as", [case(returned)])
            replay = dataclasses.replace(python_replay(suite), value=snapshot(value))
            suite.inputs[0] = dataclasses.replace(suite.inputs[0], replay=replay)
            write(PytestFile(), suite, maker.folder)
    status, output = pytest_run(maker.folder)
    last = output.strip().splitlines()[-1]
    assert status == 1
    # Where 1 and 0.0 are expected, == takes True and -0.0 as well: no other result has these there.
    assert re.match(rf"{2 * len(pairs) - 2} failed, 2 passed", last), output


def test_installed_modules_and_far_away_roots(maker: Maker, tmp_path: Path) -> None:
    import colorsys

    suite = maker.suite(colorsys, "rgb_to_yiq", [case(1.0, 0.5, -0.0)])
    installed = dataclasses.replace(suite, target=dataclasses.replace(target_of(Batch((suite,))), root=None))
    text = check(installed, maker)
    assert text.startswith('"""Tests of rgb_to_yiq in colorsys, generated by zeroin.\n')
    assert '"""\n\nfrom colorsys import rgb_to_yiq\n\n\n' in text

    def text_from(root: Path) -> str:
        target = dataclasses.replace(target_of(Batch((suite,))), root=root)
        return PytestFile().text(Batch((dataclasses.replace(suite, target=target),)), maker.folder)

    up = len(maker.folder.parts) - 1
    assert f'\nsys.path.insert(0, str(Path(__file__).resolve().parents[{up}] / "usr/lib/x"))\n' in text_from(
        Path("/usr/lib/x")
    )
    assert "\nsys.path.insert(0, str(Path(__file__).resolve().parent))\n" in text_from(maker.folder)
    bare = dataclasses.replace(suite, target=PythonTarget("x.py:f", maker.code / "x.py", "rgb_to_yiq"))
    assert 'parents[1] / "code"))\n\nfrom x import rgb_to_yiq\n' in PytestFile().text(Batch((bare,)), maker.folder)


def test_not_a_python_suite(maker: Maker) -> None:
    suite = maker.make(IDENTITY, "same_as", [])
    suite.inputs.append(Input((0,), frozenset(), CReplay(Termination.RETURNED)))
    with pytest.raises(TypeError, match="Python"):
        PytestFile().text(Batch((suite,)), maker.folder)


@pytest.mark.parametrize(
    ("condition", "label", "name"),
    [
        ("e < 0", "true", "test_f_e_lt_0_true"),
        ("abs(d) > 1e-15", "false", "test_f_abs_d_gt_1e_15_false"),
        ("x ** 2 != -0.5 % y", "true", "test_f_x_pow_2_ne_minus_0_5_mod_y_true"),
        ("not (a is None and 'b' in c)", "true", "test_f_not_a_is_none_and_b_in_c_true"),
        ("", "case 3", "test_f_line_4_case_3"),
        ("a_long_name > another_long_name and so_on > and_so_on", "true",
         "test_f_a_long_name_gt_another_long_name_and_so_on_true"),
    ],
)  # fmt: skip
def test_titles(condition: str, label: str, name: str) -> None:
    branch = dataclasses.replace(branches_of([Site(0, "f", "f.py", 4, 1, condition)])[0], label=label)
    used: set[str] = set()
    made = [title("f", "", branch, used) for _ in range(3)]
    assert made == [name, f"{name}_2", f"{name}_3"]
    assert used == set(made)


@given(st.text(max_size=80), st.from_regex(r"[A-Za-z_]\w{0,80}", fullmatch=True), st.text(max_size=20), st.booleans())
def test_titles_are_identifiers(condition: str, function: str, label: str, raised: bool) -> None:
    branch = dataclasses.replace(branches_of([Site(0, "f", "f.py", 4, 1, condition)])[0], label=label[:8])
    made = title(function, "raises SomeVeryLongExceptionName" if raised else "", branch, set())
    assert re.fullmatch(r"test(_[a-z0-9]+)*", made)
    assert len(made) <= 60


def test_cut() -> None:
    assert cut("a  b\nc") == "a b c"
    assert cut("abcdef", 5) == "ab..."


KEYS = st.text(max_size=40) | st.lists(st.integers() | st.text(max_size=120), max_size=3).map(tuple)
VALUES = st.recursive(
    st.floats() | st.integers() | st.text(max_size=130) | st.binary(max_size=30) | st.booleans() | st.none(),
    lambda inner: (
        st.lists(inner, max_size=12)
        | st.lists(inner, max_size=12).map(tuple)
        | st.frozensets(st.integers() | st.text(max_size=20), max_size=12)
        | st.dictionaries(KEYS, inner, max_size=6)
    ),
    max_leaves=30,
)


@examples(15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(VALUES)
@example({(0,): 10**99, ("y" * 110, 1): [10**50, 10**60] * 3})
def test_long_values_are_broken_over_lines_without_ruff(value: Any) -> None:
    lines = broken(snapshot(value).tree(lambda path: path.partition(":")[2]), 4, "result = ")
    compile("\n".join(["if True:", *lines]), "test", "exec")
    for line in lines:
        assert len(line) <= WIDTH or not re.search(r"[\]})],? *[\w\"'(]|, ", re.sub(r"\".*\"|'.*'", "", line[:WIDTH]))


@examples(10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(VALUES, VALUES), min_size=10, max_size=10))
def test_files_of_any_values_pass(maker: Maker, pairs: list[tuple[Any, Any]]) -> None:
    text = "def pair(x, *, other):\n    return (x, other) if x else x\n"
    check(maker.suite(maker.module(text, "pairs"), "pair", [case(x, other=y) for x, y in pairs]), maker, lint=False)
