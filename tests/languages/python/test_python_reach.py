"""What every input satisfies that takes a branch of a Python function: nothing that a run takes may be refuted, and
what none takes is."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, reject

from languages.python.modules import Modules
from languages.python.programs_of_numbers import programs
from languages.python.test_blocks import NUMBER, drawn
from sampling import examples
from term.python_expressions import models
from zeroin.config import Budget
from zeroin.languages.python.options import PythonOptions
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.model.memory import Unreadable
from zeroin.solvers.base import Query, Unsat
from zeroin.solvers.chain import checked
from zeroin.solvers.smt import Z3
from zeroin.subject.base import Words
from zeroin.term.core.build import equal
from zeroin.term.core.nodes import constant
from zeroin.term.core.traversal import variables

LOOPS = """
    import math
    TABLE = (1.0, 2.0, 4.0, 8.0)
    def f(n: int, x: float, b: bool) -> int:
        found, total, seen = 0, 0.0, None
        if n < 0:
            return -1
        for i in range(min(n, 5)):
            total += TABLE[i % 4] if i % 4 < 3 else 0.5
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
        if found == 3:
            return 1
        while total > 2.5:
            total -= 1.0
            if total == math.floor(total) and not b:
                return 2
        return found if total < 2.0 else 0
    """
CALLS = """
    LIMIT = 3
    def odd(n, *, least=LIMIT):
        if n % 2 and n > least:
            return n + 1
        return n
    def twice(n, m=2):
        while m:
            n, m = odd(n), m - 1
            if n > 100:
                return 1
        return odd(n, least=0)
    def swapped(x, y):
        return (y, x) if x > y else (x, y)
    def f(n: int, x: float, b: bool) -> int:
        y = 3.0
        x, y = swapped(x, y)
        if x > y:
            return 9
        if twice(n) == 6:
            n = twice(n + 1, 3)
        if b and n < 0:
            raise ValueError(f"{n} of {x}")
        if odd(n) - n == 1:
            return 2 if swapped(n, 4)[1] > 5 else 1
        return 3
    """
KINDS = """
    from typing import Literal
    def f(n: int | None, x: float | int | bool, b: Literal["left", "right", 3]) -> int:
        if n is None:
            n = 4
        elif n == 4:
            return 1
        if isinstance(x, bool):
            return 10 if x else 2
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
        t = (n, (x, b))
        for part in t[1]:
            if part == 1:
                return 3
            n = n * 2 if part else part
        if n == x:
            return 4
        u, (v, w) = t
        if u > 5 and v < u and not w:
            return (u, 7, -u)[u % 3]
        return 0 if v else len(t)
    """
PROGRAMS = {"loops": LOOPS, "calls": CALLS, "kinds": KINDS, "parts": PARTS}


def refuted(subject: PythonSubject, outcome: int, fixed: dict[str, Any], seconds: float = 20.0) -> bool:
    """Whether it is proved that no input, or not this one, takes an outcome."""
    reached = subject.reach(outcome)
    same = [equal(v, constant(v.sort, fixed[v.data])) for v in variables([reached.condition]) if v.data in fixed]
    answer = checked(Z3()).solve(Query((reached.condition, *same)), Budget(10_000, seconds))
    return isinstance(answer, Unsat)


def check_taken(subject: PythonSubject, words: Words, left: set[int], seconds: float = 2.0) -> None:
    """Nothing that this run takes is refuted for its input."""
    taken = subject.run(words).covered & left
    for outcome in taken:
        assert not refuted(subject, outcome, subject.model.inputs(words), seconds), (words, outcome)
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
    try:
        subject.reach(0)
    except Unreadable as error:
        event(re.sub(r"line \d+", "line", str(error)))
        reject()
    values = subject.model.inputs(drawn(subject, random.Random(0))) | given_
    check_taken(subject, subject.model.words(values), set(range(2 * len(subject.sites))), 0.3)


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


@pytest.mark.parametrize(
    ("use", "raises"),
    [
        ("n + 1", True), ("1 - n", True), ("n + n", True), ("-n", True), ("abs(n)", True), ("math.sin(n)", True),
        ("n < 3", True), ("3 >= n", True), ("n <= n", True), ("float(n)", True), ("max(n, 2)", True),
        ("range(n)", True), ("divmod(7, n)", True), ("n == 3", False), ("n != n", False), ("n is x", False),
        ("(n,) == (1,)", False), ("bool(n)", False), ("isinstance(n, int)", False), ("print(x, n)", False),
        ("max((n,))", False), ("int | n", False), ("'%s' % n", False), ("'a' < n", False), ("n < BIG", False),
    ],
)  # fmt: skip
def test_none_is_no_number(modules: Modules, use: str, raises: bool) -> None:
    """What raises TypeError goes no further; an object may know what to do with None."""
    subject = modules.load(f"""
        import math
        class Big:
            def __gt__(self, other): return True
        BIG = Big()
        def f(n: int | None, x: float) -> int:
            if n is None:
                {use}
                return 1 if x == 3.5 else 2
            return 3
    """)
    after = 2 * len(subject.sites) - 2  # the first branch behind it
    assert [refuted(subject, one, {}) for one in (after, after + 1)] == [raises, raises]


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
        "import math\ndef f(x: float):\n    return 1 if math.sin(x) > 2.0 else 0",  # no prover but ours knows
        "def f(n: int):\n    s = 0\n    for _ in range(n):\n        s += 2\n    return 1 if s == 4 else 0",
        "NAN = float('nan')\ndef f(x: float, b: bool):\n    y = x**2\n    return 1 if y != y and b else 0",
    ],
)
def test_what_is_not_known_is_not_refuted(modules: Modules, text: str) -> None:
    subject = modules.load(text)
    assert subject.sites
    assert not any(refuted(subject, one, {}) for one in range(2 * len(subject.sites)))


UNREAD = {
    "a statement": """
        def f(n: int):
            try:
                return 1 if n > 2 else 0
            except ValueError:
                return 2
        """,
    "a global": """
        state = 0
        def f(n: int):
            global state
            if state > 2:
                return 1
            state = n
        """,
    "a global that is set later": """
        def init(n):
            global state
            state = n
        def f(n: int):
            return 1 if state > 5 else 0
        """,
    "changed by a call": """
        state = 0
        def made(g):
            return lambda n: g(n)
        @made
        def bump(n):
            global state
            state = n
        def f(n: int):
            bump(n)
            return 1 if state > 5 else 0
        """,
    "changed by a text": """
        state = 0
        def f(n: int):
            globals()['state'] = n
            return 1 if state > 5 else 0
        """,
    "changed in a module": """
        import math as m
        m.limit = 3
        def f(n: int):
            m.limit = n
            return m.limit > 5 and 1
        """,
    "a closure": """
        def made(k):
            def g(n: int):
                return 1 if n * 0 == k else 0
            return g
        k = 0
        f = made(1)
        """,
    "called back": """
        def f(n: int, *, deep=0):
            return 1 if deep else sum(map(lambda k: f(k, deep=1), range(n)))
        """,
    "called by its name": """
        def f(n: int, *, deep=0):
            return 1 if deep else eval('f(n, deep=1)')
        """,
    "calls itself": """
        def f(n: int, d: int):
            return 1 if d < 0 else f(n, d - 1)
        """,
    "a comprehension": """
        def f(n: int):
            return [k for k in range(n) if k < 0 or k != k]
        """,
    "compared in its own way": """
        class V:
            def __lt__(self, n):
                return 5
        def f(n: int):
            return 1 if (V() < n) == 5 else 0
        """,
    "shown in its own way": """
        class P:
            def __str__(self):
                return f'{f(None)}'
        P0 = P()
        def f(n: int):
            if n is None:
                return 1
            if n > 3:
                raise ValueError(f'bad {P0}')
        """,
    "looked up in its own way": """
        class P:
            text = property(lambda self: f(None))
        P0 = P()
        def f(n: int):
            if n is None:
                return 1
            if n > 3:
                raise ValueError(P0.text)
        """,
    "raised in its own way": """
        import functools
        def f(n: int):
            if n is None:
                return 1
            raise again()
        again = functools.partial(f, None)
        """,
    "printed in its own way": """
        import enum
        class C(enum.Enum):
            RED = 1
            def __str__(self):
                return str(f(None))
        def f(n: int):
            if n is None:
                return 1
            print(C.RED)
        """,
    "a complex power": """
        def f(x: float):
            y = x**0.5
            return 1 if isinstance(y, complex) else 0
        """,
    "NaN in a tuple": """
        def f(x: float):
            t = (x, 1.0)
            if x != x:
                return 1 if x in t else 2
        """,
    "NaN in a constant": """
        NAN = float('nan')
        T = (1.0, NAN)
        def f(b: bool):
            x = NAN if b else 2.0
            return x in T
        """,
    "an instance in its own way": """
        class M(type):
            def __instancecheck__(cls, v):
                return v > 5
        class B(metaclass=M):
            pass
        def f(n: int):
            return 1 if isinstance(n, B) else 0
        """,
    "equal in its own way": """
        class S(str):
            def __eq__(self, other):
                return True
        X = S('a')
        def f(n: int):
            return 1 if X == 'b' else 0
        """,
    "true in its own way": """
        class M(type):
            def __bool__(cls):
                return False
        class X(metaclass=M):
            pass
        def f(n: int):
            return 1 if X else 0
        """,
    "a text by identity": """
        MISSING = 'not there'
        def f(n: int):
            t = 'not there' if n > 3 else 'x y'
            return 1 if t is MISSING else 0
        """,
    "a default that assigns": """
        def f(n: int):
            y = 0
            g = lambda a=(y := n): a
            return 1 if y > 5 else 0
        """,
    "an enumeration that is true in its own way": """
        import enum
        class C(enum.Enum):
            A = 1
            def __bool__(self):
                return False
        def f(c: C):
            return 1 if c else 0
        """,
    "several arguments": """
        def f(*n: int):
            return 1 if n[0] else 0
        """,
}


# What is proved in these all the same.
PROVED = {"a statement": {("except ValueError", True)}, "a comprehension": {("k != k", True)}}


@pytest.mark.parametrize("what", UNREAD)
def test_what_is_not_read_may_do_anything(modules: Modules, what: str) -> None:
    subject = modules.load(UNREAD[what], native=False)
    assert subject.sites
    assert proved(subject) == PROVED.get(what, set())


def proved(subject: PythonSubject) -> set[tuple[str, bool]]:
    """The branches that are refuted; none where nothing is read."""
    found = set()
    for outcome in range(2 * len(subject.sites)):
        try:
            if refuted(subject, outcome, {}):
                found.add((subject.sites[outcome >> 1].condition, outcome % 2 == 0))
        except Unreadable:
            continue
    return found
