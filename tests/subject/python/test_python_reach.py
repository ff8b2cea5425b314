"""What every input satisfies that takes a branch of a Python function: nothing that a run takes may be refuted, and
what none takes is."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given

from sampling import examples
from subject.python.modules import Modules
from subject.python.programs_of_numbers import programs
from subject.python.test_blocks import NUMBER, drawn
from term.python_expressions import models
from zeroin.config import Budget
from zeroin.model.memory import Unreadable
from zeroin.solvers.base import Query, Unsat
from zeroin.solvers.chain import solver_named
from zeroin.subject.base import Words
from zeroin.subject.python.engine import PythonSubject
from zeroin.subject.python.options import PythonOptions
from zeroin.term.build import equal
from zeroin.term.nodes import constant
from zeroin.term.traversal import variables

LOOPS = """
    import math
    TABLE = (1.0, 2.0, 4.0, 8.0)
    last = 0
    def f(n: int, x: float, b: bool) -> int:
        global last
        found, total, seen = 0, 0.0, None
        if n < 0:
            return -1
        for i in range(min(n, 5)):
            total += TABLE[i & 3] if i & 3 < 4 else 0.5
            for j in range(i, 4, 2):
                if total > x:
                    found = j
                    break
            else:
                found += 1
            if found == 3:
                continue
            if i == 2 and x < 3.0:
                seen = total
                break
        if seen is not None and seen > 6.0:
            found += 1
        if found > last:
            last = found
        if last == 3:
            return 1
        while total > 2.5:
            total -= 1.0
            if total == math.floor(total) and not b:
                return 2
        return found if total < 2.0 else 0
    """
CALLS = """
    import functools
    depth = 0
    def up(n):
        if n > 3:
            return n
        return 0 if n < 0 else up(n + 1) + 1
    def twice(g, n):
        if n > 100:
            return g(1)
        return g(g(n))
    def odd(n):
        if n % 2:
            return n + 1
        return n
    class Scale:
        limit = 3
        def __lt__(self, other):
            if other > self.limit:
                return True
            return False
    def f(n: int, x: float, b: bool) -> int:
        y = 3.0
        if x > y:
            x, y = y, x
        if x > y:
            return 9
        if up(n) > 4:
            n = twice(odd, n)
        if twice(functools.partial(odd), 3) != 4:
            return 1
        if Scale() < n:
            return 5
        if sorted([n, 2], key=odd)[0] == 2:
            return 2
        return f(n // 2 - 1, 1.0, False) if n > 8 and b else 3
    """
KINDS = """
    from typing import Literal
    def f(n: int | None, x: float | int | str, b: Literal["left", "right", 3]) -> int:
        if n is None:
            n = 4
        elif n == 4:
            return 1
        if isinstance(x, str):
            return len(x) if x > "m" else 2
        if isinstance(x, int) and x > 3:
            return 3
        if b == "left":
            return 4 if n > 100 else 5
        if b == 3 or x == 2.5:
            return 6
        return 7 if b == "right" else 8
    """
PARTS = """
    def f(n: int, x: float, b: bool) -> int:
        xs = [i for i in range(min(abs(n), 6)) if i != 3]
        if any(v > 3 for v in xs):
            n += 1
        xs[1:2] = [x]
        total = sum(xs) if xs else 0
        if total > 6:
            return 1 if b and total < 1e9 else 2
        t = (n, (x, b))
        for part in t[1]:
            if part == 1:
                return 3
            n = n * 2 if part else part
        if n == x:
            return 4
        return 0 if n is t else len(t)
    """
PROGRAMS = {"loops": LOOPS, "calls": CALLS, "kinds": KINDS, "parts": PARTS}


def refuted(subject: PythonSubject, outcome: int, fixed: dict[str, Any], seconds: float = 20.0) -> bool:
    """Whether it is proved that no input, or not this one, takes an outcome."""
    try:
        reached = subject.reach(outcome)
    except Unreadable:
        return False
    same = [equal(v, constant(v.sort, fixed[v.data])) for v in variables([reached.condition]) if v.data in fixed]
    answer = solver_named("z3").solve(Query((reached.condition, *same)), Budget(10_000, seconds))
    return isinstance(answer, Unsat)


def check_taken(subject: PythonSubject, words: Words, left: set[int]) -> None:
    """Nothing that this run takes is refuted for its input."""
    taken = subject.run(words).covered & left
    for outcome in taken:
        assert not refuted(subject, outcome, subject.model.inputs(words), 2.0), (words, outcome)
    left -= taken


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("callees", [False, True])
def test_what_a_run_takes_is_refuted_for_no_input_of_it(modules: Modules, name: str, callees: bool) -> None:
    subject, rng = modules.load(PROGRAMS[name], callees=callees, native=False), random.Random(name)
    left = set(range(2 * len(subject.sites)))
    for _ in range(400):
        check_taken(subject, drawn(subject, rng), left)
    assert len(left) <= len(subject.sites)


@examples(100, suppress_health_check=list(HealthCheck))
@given(programs(), models(huge=False))
def test_what_runs_of_random_functions_take_is_not_refuted(tmp_path_factory: pytest.TempPathFactory, text: str,
                                                           given_: dict[str, Any]) -> None:  # fmt: skip
    path = Path(tmp_path_factory.getbasetemp()) / f"reached_{next(NUMBER)}.py"
    path.write_text(text)
    subject = PythonSubject(str(path), "f", PythonOptions(native=False))
    check_taken(subject, subject.model.words(given_), set(range(2 * len(subject.sites))))


@pytest.mark.parametrize(
    ("body", "impossible"),
    [
        ("if x > 2.0 and x < 1.0:\n    return 1\nreturn 0", {2}),
        ("for i in range(n):\n    if x * x < 0.0:\n        return i\nreturn 0", {2}),
        ("if n % 7 == 7:\n    return 1\nreturn 0", {0}),
        ("y = x if x == x else 0.0\nreturn 1 if y != y else 0", {2}),
        ("y = 1 if b else 2.5\nif y == 2:\n    return 1\nreturn 0", {2}),
        ("if n < 0:\n    raise ValueError(n)\nreturn 1 if n == -1 else 0", {2}),
        ("for k in (1, 2, 3):\n    if k == n and n > 3:\n        return k\nreturn 0", {4}),
        ("r = math.isqrt(n)\nif (r + 1) * (r + 1) <= n or r * r > n:\n    return 1\nreturn r", {0, 2}),
        ("for _ in range(3):\n    n += 1\nelse:\n    b = True\nif not b:\n    return 1\nreturn n", {3}),
    ],
)
def test_what_no_input_takes_is_refuted(modules: Modules, body: str, impossible: set[int]) -> None:
    lines = body.replace("\n", "\n    ")
    subject = modules.load(f"import math\ndef f(n: int, x: float, b: bool) -> int:\n    {lines}\n")
    assert {one for one in range(2 * len(subject.sites)) if refuted(subject, one, {})} == impossible


ENUMERATIONS = """
    from enum import Enum
    from typing import Literal
    class Unit(Enum):
        METRE = 1
        FOOT = 2
    def f(a: Unit, d: Literal["x", 3, None], n: int) -> int:
        if a is not Unit.METRE and a != Unit.FOOT:
            return 1
        if d == "x" and d is None:
            return 5
        if (n, 1) > (n, 2) or (n, 4) < (n,) or (n, 1) == (n, 3, 4):
            return 6
        if (n, 5) >= (3, n + 1) and n < 3:
            return 7
        return 8 if d else 9
    """


def test_enumerations_and_tuples(modules: Modules) -> None:
    subject = modules.load(ENUMERATIONS, native=False)
    text = {site.number: site.condition for site in subject.sites}
    never = {(text[one >> 1], one % 2 == 0) for one in range(2 * len(subject.sites)) if refuted(subject, one, {})}
    assert never == {
        ("a != Unit.FOOT", True), ("d is None", True), ("(n, 1) > (n, 2)", True), ("(n, 4) < (n,)", True),
        ("(n, 1) == (n, 3, 4)", True), ("n < 3", True),
    }  # fmt: skip
    rng, left = random.Random(2), set(range(2 * len(subject.sites)))
    for _ in range(600):
        check_taken(subject, drawn(subject, rng), left)
    assert len(left) == len(never)


@pytest.mark.parametrize(
    "text",
    [
        "state = 0\ndef f(n: int):\n    global state\n    if state > 2:\n        return 1\n    state = n\n    return 0",
        "import math\ndef f(x: float):\n    return 1 if math.sin(x) > 2.0 else 0",
        "def f(n: int):\n    s = 0\n    for _ in range(n):\n        s += 2\n    return 1 if s == 4 else 0",
        "def made(k):\n    def g(n: int):\n        return 1 if n * 0 == k else 0\n    return g\nk = 0\nf = made(1)",
        "def f(n: int, *, deep=False):\n    return 1 if deep else sum(map(lambda k: f(k, deep=True), range(n)))",
        "def f(n: int):\n    return [k for k in range(n) if k < 0 or k != k]",
        "def f(n: int, *, deep=0):\n    return 1 if deep else [globals()['f'](k, deep=1) for k in range(n)]",
        "class V:\n    def __lt__(self, n):\n        return 5\ndef f(n: int):\n    return 1 if (V() < n) == 5 else 0",
        "def f(x: float):\n    y = x**0.5\n    return 1 if isinstance(y, complex) else 0",
        "import math as m\nm.limit = 3\ndef f(n: int):\n    m.limit = n\n    return 1 if m.limit > 5 else 0",
    ],
)
def test_what_is_not_known_is_not_refuted(modules: Modules, text: str) -> None:
    subject = modules.load(text)
    assert subject.sites
    assert not any(refuted(subject, one, {}) for one in range(2 * len(subject.sites)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def f(n: int):\n    try:\n        return 1 if n > 2 else 0\n    except ValueError:\n        return 2", "Try"),
        ("def f(*n: int):\n    return 1 if n[0] else 0", "takes .args"),
    ],
)
def test_what_is_read_for_no_proof_says_why(modules: Modules, text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        modules.load(text).reach(0)
