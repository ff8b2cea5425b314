"""What functions say of how they may end: assertions at their top are preconditions; documentation names exceptions."""

from __future__ import annotations

import ast

import pytest

from languages.python.modules import Modules
from zeroin.languages.python.front.contracts import leading, named_in
from zeroin.subject.base import Termination

TOP = [  # in front of `assert x > 5`, of which callers have to see to it
    "",
    '"""What it does."""',
    "y: float",
    "y = x * 2",
    "y: int = x if x > 3 else -x",
    "a, b = x, [n for n in range(3)]; pass",
    "import math as m; y = m.sqrt(abs(x)) + max(x, 2)",
    "y = isfinite(x) and np.asarray([x]).sum()",
    "assert x != 3\n    assert abs(x) < 99, check(x)",
    "assert xs == xs",
    "def inner(z): return z",
]
LATER = [  # in front of it, what may be why it fails
    "y = check(x)",
    "print(x)",
    "seen.append(x)",
    "global count; count = 1",
    "xs[0] = x",
    "x += 1",
    "if x == 3: return 4",
    "for _ in range(2): pass",
    "y = [check(z) for z in (1, 2)]",
    "y = (z := x)",
    "y = time.time()",
    "y = operator.setitem(xs, 0, x)",
    "y = {1: 2}.get(x)",  # a queue has such a method, too
    "y = Thing(x)",
    "own.x = x",
    "try: y = x\n    finally: pass",
    "assert check(x)",
]
HELP = """
import math
import operator
import time
import numpy as np
from math import isfinite
seen, xs, count = [], [0], 0
class Thing:
    def __init__(self, x): self.x = x
own = Thing(0)
def check(x):
    return True
def f(x: int):
    {body}
    assert x > 5
    return x
"""


def how(modules: Modules, text: str, x: int = 1, name: str = "f") -> tuple[Termination, Termination, str]:
    """The outcomes of a run that is searched and of its replay, and why it is no finding."""
    subject = modules.load(text, name)
    words = subject.words_of(str(x))
    replay = subject.replay(words)
    return subject.run(words).outcome, replay.outcome, replay.uncounted


@pytest.mark.parametrize("body", TOP)
def test_an_assertion_at_the_top_is_a_precondition(modules: Modules, body: str) -> None:
    text = HELP.format(body=body)
    line = text[: text.index("assert x > 5")].count("\n") + 1
    told = f'fails "assert x > 5" (line {line}), which stands at the top: a precondition'
    assert how(modules, text) == (Termination.RETURNED, Termination.RETURNED, told)


@pytest.mark.parametrize("body", LATER)
def test_an_assertion_behind_an_effect_is_none(modules: Modules, body: str) -> None:
    assert how(modules, HELP.format(body=body)) == (Termination.ASSERTED, Termination.ASSERTED, "")


PROPERTIES = [  # conditions that say what the code does, or how it stands, and nothing of what callers give
    "lo <= clamp(x, lo) <= 9",
    "max([x, lo], key=measure) < lo",
    "[clamp(y, lo) for y in (x,)] == [x]",
    "Range(lo).contains(x)",
    "Range(lo).count(x) == 1",
    "Range(lo).width > x",
    "limit > 5",
    "not seen or len(seen) > 3",
    "other.holds(x)",
    "y > 5",
]
CONDITIONS = [  # that say what callers have to give
    "math.isfinite(x) and abs(x) > 5",
    "isinstance(x, Range)",
    "all([y > lo for y in (x, 3)])",
    "max([x, lo], key=lambda y: -y) < lo",
    "x > limit",
    "f(x) > 5",
    "z > 5",
]
OF_CLAMP = """
import math
import other
limit, seen = 3, [1]
def measure(x):
    return -x
def clamp(x, lo):
    return x
class Range:
    def __init__(self, lo): self.lo = lo
    def contains(self, x): return False
    def count(self, x): return 0
    @property
    def width(self): return 0
def checked(x: int, lo: int, f: object):
    y = limit
    z = x
    assert {condition}
    return x
"""


def preconditions(text: str, name: str) -> list[str]:
    module = ast.parse(text)
    function = next(node for node in ast.walk(module) if isinstance(node, ast.FunctionDef) and node.name == name)
    return [ast.unparse(one.test) for one in leading(function, module)]


@pytest.mark.parametrize("condition", PROPERTIES)
def test_what_an_assertion_says_of_code_is_no_precondition(condition: str) -> None:
    assert preconditions(OF_CLAMP.replace("{condition}", condition), "checked") == []


@pytest.mark.parametrize("condition", CONDITIONS)
def test_what_an_assertion_says_of_arguments_is_one(condition: str) -> None:
    assert preconditions(OF_CLAMP.replace("{condition}", condition), "checked") == [condition]


def test_a_variable_that_is_set_is_no_argument_any_more() -> None:
    assert preconditions("def f(x):\n    x = 3\n    assert x > 5\n", "f") == []
    assert preconditions("def f(abs):\n    assert abs(3) > 5\n", "f") == ["abs(3) > 5"]
    assert preconditions("def f(g):\n    g = print\n    assert g(3) > 5\n", "f") == []
    assert preconditions("def f(x):\n    len = print\n    assert len(x) > 5\n", "f") == []


VIOLATED = """
def clamp(x: float, lo: float, hi: float) -> float:
    return lo if x < lo else hi if x > hi else x
def test_clamp(x: float, lo: float, hi: float) -> None:
    assert lo <= clamp(x, lo, hi) <= hi
def test_order(x: float, lo: float) -> None:
    assert x > lo
def clamped(x: float, lo: float, hi: float) -> float:
    assert lo <= hi
    assert lo <= clamp(x, hi, lo) < hi
    return x
"""


def test_a_property_that_is_violated_is_a_finding(modules: Modules) -> None:
    for name, values in (("test_clamp", "1.0, 3.0, 2.0"), ("test_order", "1.0, 3.0"), ("clamped", "1.0, 2.0, 3.0")):
        subject = modules.load(VIOLATED, name)
        words = subject.words_of(values)
        assert subject.run(words).outcome is Termination.ASSERTED
        assert (subject.replay(words).outcome, subject.replay(words).uncounted) == (Termination.ASSERTED, "")
    unmet = subject.replay(subject.words_of("1.0, 4.0, 3.0"))
    assert (unmet.outcome, unmet.uncounted[:24]) == (Termination.RETURNED, 'fails "assert lo <= hi" ')


def test_it_is_shown_in_one_short_line(modules: Modules) -> None:
    terms = " + ".join(f"x * {n}" for n in range(30))
    *_, told = how(modules, f'def f(x: int):\n    assert (x\n        > 5\n    ), "message"\n    assert {terms}\n')
    assert told == 'fails "assert x > 5" (line 2), which stands at the top: a precondition'
    *_, told = how(modules, f"def f(x: int):\n    assert {terms} > 9999999\n")
    assert '..." (line 2)' in told
    assert len(told) < 140


def test_assertions_of_what_is_called_are_findings(modules: Modules) -> None:
    called = "def g(x):\n    assert x > 5\n    return x\ndef f(x: int):\n    return g(x)\n"
    assert how(modules, called)[0] is Termination.ASSERTED
    again = "def f(n: int):\n    assert n >= 0\n    return 0 if n == 0 else f(n - 2)\n"
    assert how(modules, again, -1)[0] is Termination.RETURNED
    assert how(modules, again, 1)[0] is Termination.ASSERTED


def test_decorators_stand_between_the_caller_and_the_function(modules: Modules) -> None:
    text = """
        import functools
        def traced(function):
            @functools.wraps(function)
            def wrapper(*arguments):
                return function(*arguments)
            return wrapper
        @traced
        def f(x: int):
            assert x > 5
            return x
    """
    assert how(modules, text)[2].startswith('fails "assert x > 5"')


def test_each_precondition_is_an_end_of_its_own(modules: Modules) -> None:
    subject = modules.load("def f(x: int):\n    assert x > 0\n    assert x < 9\n    return x\n")
    assert [subject.run((x,)).end for x in (5, 0, 10, -1)] == [0, 1, 2, 1]


METHODS = '''
class Scale:
    """A scale.

    Raises:
        KeyError: there is no such unit.
    """

    def __init__(self, unit: int) -> None:
        assert unit > 0
        self.factor = {1: 1.0}[unit]

    def times(self, x: int) -> float:
        assert x > 1
        return x * self.factor

    def twice(self, x: int) -> float:
        return self.times(2 * x)

    def get(self, unit: int) -> float:
        return {1: 1.0}[unit]

def made(unit: int):
    return Scale(unit).factor
'''


def test_methods_have_preconditions(modules: Modules) -> None:
    assert modules.load(METHODS, "Scale.times").replay((1, 0)).uncounted.startswith('fails "assert x > 1"')
    assert modules.load(METHODS, "Scale.twice").replay((1, 0)).outcome is Termination.ASSERTED


def test_constructors_have_them_where_the_class_is_driven(modules: Modules) -> None:
    subject = modules.load(METHODS, "Scale")
    words = (*(0 for _ in range(subject.signature.arity - 1)), -1)
    assert subject.replay(words).uncounted.startswith('fails "assert unit > 0" (line 10)')
    assert how(modules, METHODS, -1, "made")[0] is Termination.ASSERTED


# ---- documentation ----

SAID = [
    ("ValueError for all else.", "ValueError"),
    ("A ValueError tells what is wrong.", "ValueError"),
    ("Raises:\n    ValueError: if x is not finite.\n    TypeError: if it is not\n    KeyError: else", "ValueError TypeError KeyError"),  # noqa: E501
    ("Raises\n------\nValueError\n    If it is not\nKeyError\n    else", "ValueError KeyError"),
    (":raises ValueError: if x is bad\n:raise KeyError: never mind", "ValueError KeyError"),
    ("If x is not positive, ValueError is raised.", "ValueError"),
    ("Raises :exc:`json.JSONDecodeError`, IndexError or `KeyError`", "JSONDecodeError IndexError KeyError"),
    ("IOError if it is missing", "OSError"),
    ("Raises Error where it fails", "Error"),
    ("Raises Exception for whatever reason", "Exception"),
    ("Error of the measurement, an Exception to the rule.", ""),
    ("Never raises ValueError or KeyError.", ""),
    ("It does not raise a ValueError, but KeyError", "KeyError"),
    ("Doesn't raise ValueError.", ""),
    ("ValueError is never raised, and KeyError can't", ""),
    ("Catches the IndexError inside, and raises ParseError", "ParseError"),
    ("Raises KeyError instead of ValueError", "KeyError"),
    ("Without raising ValueError. KeyError where it has to.", "KeyError"),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names"), SAID)
def test_what_documentation_names(text: str, names: str) -> None:
    exceptions = {name for name in named_in(text) if name.endswith(("Error", "Exception"))}
    assert exceptions == set(names.split())


RAISES = '''
import json
def inner(text):
    """A number. KeyError if it is unknown."""
    return {{"a": 1}}[text] if text != "x" else int(text)
def f(x: int):
    """{text}"""
    {body}
'''


@pytest.mark.parametrize(("text", "body", "outcome"), [
    ("ValueError for all else.", "return int('a')", Termination.RETURNED),
    ("Raises ArithmeticError.", "return x // 0", Termination.RETURNED),
    ("Raises ZeroDivisionError.", "return json.loads('1' * 0 + str(0 ** x) + ']')", Termination.RAISED),
    ("Raises json.JSONDecodeError.", "return json.loads('{')", Termination.RETURNED),
    ("ValueError for all else.", "return [][x]", Termination.RAISED),
    ("Never raises ValueError.", "return int('a')", Termination.RAISED),
    ("Exceptions are errors.", "return int('a')", Termination.RAISED),
    ("What it does.", "return inner('b')", Termination.RETURNED),
    ("What it does.", "return inner('x')", Termination.RAISED),
    ("What it does, or ValueError.", "return inner('x')", Termination.RETURNED),
    ("SystemExit when it is done.", "raise SystemExit(3)", Termination.RETURNED),
    ("AssertionError when it is wrong.", "x += 0; assert x > 5", Termination.RETURNED),
])  # fmt: skip
def test_what_is_documented_is_the_codes_own_way(modules: Modules, text: str, body: str, outcome: Termination) -> None:
    searched, replayed, why = how(modules, RAISES.format(text=text, body=body))
    assert (replayed, why) == (outcome, "")
    assert searched is not Termination.RETURNED  # a search goes on for runs that have a result


def test_a_class_documents_its_constructor_alone(modules: Modules) -> None:
    assert how(modules, METHODS, 2, "made")[1] is Termination.RETURNED
    assert modules.load(METHODS, "Scale.get").replay((1, 2)).outcome is Termination.RAISED


def test_functions_of_other_files_have_documentation_too(modules: Modules) -> None:
    other = modules.write(
        '''
        def documented(text):
            """A number; ValueError if it is none."""
            return int(text)
        def not_documented(text):
            "ValueError"[0]
            return int(text)
        def raises(text):
            """A number. Raises ValueError."""
            raise ValueError(text)
        '''
    ).stem
    text = f"import json\nimport {other}\ndef f(x: int):\n    return {{}}\n"
    assert how(modules, text.format(f"{other}.documented('a')"))[1] is Termination.RETURNED
    assert how(modules, text.format(f"{other}.raises('a')"))[1] is Termination.RETURNED
    assert how(modules, text.format(f"{other}.not_documented('a')"))[1] is Termination.RAISED
    assert (
        how(modules, text.format("json.loads('{')"))[1] is Termination.RAISED
    )  # a library's says what is wrong with its use
