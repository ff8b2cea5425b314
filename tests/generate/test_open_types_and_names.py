"""What Python leaves open: variables that code may change, types that nobody says, and values that a type accepts, too.
No engine may call a branch infeasible that one of these takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from languages.python.modules import Modules
from zeroin.config import Budget
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import FOLLOWING, generate, schedule_named
from zeroin.generate.search import Search, bits_of
from zeroin.generate.stopped import Stopped
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.subject.base import branches_of

ENGINES = ("hybrid", "explore", "prove", "enumerate", "reach")


@pytest.fixture
def modules(tmp_path: Path) -> Modules:
    return Modules(tmp_path)


def searched(subject: PythonSubject, engine: str, outcome: int, evaluations: int = 45_000) -> Search:
    """A search by one engine; ``reach`` looks for an input that begins with this outcome."""
    branches = branches_of(subject.sites)
    if engine == "reach":
        subject.wanted = (outcome,)
        branches = [branch for branch in branches if branch.outcome == outcome]
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches, domain, Budget(evaluations, 60.0, work=1.0), 0)
    generate(search, FOLLOWING if engine == "reach" else schedule_named(engine))
    return search


def verdict(subject: PythonSubject, engine: str, condition: str, holds: bool) -> tuple[str, str]:
    """What comes of a branch, and what its proof assumes."""
    site = next(site for site in subject.sites if site.condition == condition)
    outcome = 2 * site.number + (not holds)
    search = searched(subject, engine, outcome)
    if search.covered >> outcome & 1:
        return "covered", ""
    if proof := search.proofs.get(outcome) or (
        search.proofs.get(2 * len(subject.sites)) if engine == "reach" else None
    ):
        return "infeasible", ", ".join(proof.assumptions)
    return "undecided", ""


# ---- variables ----

CHANGED = {
    "a function": "def set_it(on: bool) -> None:\n    global D\n    D = on",
    "a method": "class A:\n    def set_it(self):\n        global D\n        D = True",
    "an inner function": "def around():\n    def inner():\n        global D\n        D = True\n    return inner",
    "setattr": "import sys\ndef set_it(name, to):\n    setattr(sys.modules[__name__], name, to)",
    "an attribute": "import sys\ndef set_it():\n    sys.modules[__name__].D = True",
    "globals": "def set_it(name):\n    globals()[name] = True",
    "update": "def set_it(**named):\n    globals().update(named)",
    "exec": "def set_it(text):\n    exec(text)",
    "a hook": "import atexit\n@atexit.register\ndef over():\n    global D\n    D = True",
    "a program": "if __name__ == '__main__':\n    D = True",
    "handed on": "def set_it(what):\n    what(globals())",
    "vars": "import sys\ndef set_it():\n    vars(sys.modules[__name__])['D'] = True",
    "__dict__": "import sys\ndef set_it():\n    sys.modules[__name__].__dict__.update(D=True)",
}
USE = "\ndef f(x: int) -> int:\n    if D:\n        return 1\n    return 0\n"


@pytest.mark.parametrize("how", CHANGED)
def test_a_variable_that_code_changes_proves_nothing(modules: Modules, how: str) -> None:
    subject = modules.load(f"D = False\n{CHANGED[how]}\n{USE}")
    assert verdict(subject, "prove", "D", True) == ("undecided", "")
    assert "D is False in these runs" in subject.why_open(0)


@pytest.mark.parametrize("engine", ENGINES)
def test_no_engine_trusts_it(modules: Modules, engine: str) -> None:
    subject = modules.load(f"D = False\n{CHANGED['a method']}\n{USE}")
    assert verdict(subject, engine, "D", True) == ("undecided", "")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_function_that_changes_it_is_called_first(modules: Modules, engine: str) -> None:
    subject = modules.load(f"D = False\n{CHANGED['a function']}\n{USE}")
    searches = engine not in ("prove", "enumerate")
    assert verdict(subject, engine, "D", True) == ("covered" if searches else "undecided", "")


KEPT = {
    "nothing": "",
    "a local variable": "def g():\n    D = True\n    return D",
    "an attribute of an object": "class A:\n    def __init__(self):\n        self.D = True",
    "another name": "def g():\n    global E\n    E = True",
    "another item": "def g(d):\n    d['D'] = True\n    globals()['E'] = 1",
    "a look": "def g():\n    return globals()['D'], globals().get('E')",
    "code of its own": "def g(text):\n    exec(text, {})",
}


@pytest.mark.parametrize("how", KEPT)
def test_a_variable_that_none_changes_is_assumed_to_be_what_it_is(modules: Modules, how: str) -> None:
    subject = modules.load(f"D = False\n{KEPT[how]}\n{USE}")
    assert verdict(subject, "prove", "D", True) == ("infeasible", "D is False")
    assert subject.why_open(0) == ""


def test_another_module_of_the_user_may_change_it(modules: Modules) -> None:
    (modules.folder / "settings_of_test.py").write_text("D = False\n")
    text = "import settings_of_test as s\ndef f(x: int) -> int:\n    if s.D:\n        return 1\n    return 0\n"
    assert verdict(modules.load(text), "prove", "s.D", True) == ("infeasible", "settings_of_test.D is False")
    (modules.folder / "program.py").write_text("import settings_of_test\nsettings_of_test.D = True\n")
    subject = modules.load(text)
    assert verdict(subject, "prove", "s.D", True) == ("undecided", "")
    assert subject.why_open(0) == "D is False in these runs, and may be changed by program.py"


@pytest.mark.parametrize(
    ("text", "condition", "assumed"),
    [
        ("import sys\ndef f(x: int):\n    return 1 if sys.platform == 'cp/m' else 0", "sys.platform == 'cp/m'",
         'sys.platform is "linux"'),
        ("import os\ndef f(x: int):\n    return 1 if os.name == 'nt' else 0", "os.name == 'nt'", 'os.name is "posix"'),
        ("try:\n    import no_such\nexcept ImportError:\n    no_such = None\n"
         "def f(x: int):\n    return 1 if no_such is not None else 0", "no_such is not None", "no_such is None"),
        ("L = 3\ndef g(n, most=L):\n    return n > most\ndef f(x: int):\n    if x < 0 and g(x):\n        return 1\n"
         "    return 0", "g(x)", "the default of most in g is 3"),
        ("T = (1, 2)\ndef f(x: int):\n    return 1 if T[0] > T[1] else 0", "T[0] > T[1]", "T is (1, 2)"),
        ("import math\ndef f(x: int):\n    return 1 if math.pi > 4 else 0", "math.pi > 4", ""),
        ("def g(n, most=3):\n    return n > most\ndef f(x: int):\n    if x < 0 and g(x):\n        return 1\n"
         "    return 0", "g(x)", ""),
    ],
)  # fmt: skip
def test_what_is_now_is_said(modules: Modules, text: str, condition: str, assumed: str) -> None:
    assert verdict(modules.load(text), "prove", condition, True) == ("infeasible", assumed)


def test_defaults_that_code_changes_prove_nothing(modules: Modules) -> None:
    subject = modules.load("""
        def g(n, most=3):
            return n > most
        def lower():
            g.__defaults__ = (-9,)
        def f(x: int):
            if x < 0 and g(x):
                return 1
            return 0
    """)
    assert verdict(subject, "prove", "g(x)", True) == ("undecided", "")


# ---- values of a type ----

ACCEPTED = {
    "bool": ("x: int", "isinstance(x, bool)", True),
    "truth": ("x: int", "x is True", True),
    "class": ("x: int", "type(x) is int", False),
    "whole": ("x: float", "isinstance(x, int)", True),
    "beyond": ("x: float", "x == 2**53 + 1", True),
    "float": ("x: complex", "isinstance(x, float)", True),
    "callee": ("x: int", "g(x)", True),
    "items": ("xs: list[int]", "any(x is False for x in xs)", True),
}


def accepting(modules: Modules, kind: str) -> PythonSubject:
    parameter, condition, _ = ACCEPTED[kind]
    return modules.load(f"def g(n):\n    return isinstance(n, bool)\n"
                        f"def f({parameter}):\n    if {condition}:\n        return 1\n    return 0")  # fmt: skip


@pytest.mark.parametrize("kind", ACCEPTED)
def test_what_a_type_accepts_is_tried(modules: Modules, kind: str) -> None:
    assert verdict(accepting(modules, kind), "hybrid", *ACCEPTED[kind][1:]) == ("covered", "")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", ["bool", "truth"])
def test_no_engine_forgets_truth_values(modules: Modules, engine: str, kind: str) -> None:
    expected = ("undecided", "") if engine == "enumerate" else ("covered", "")  # there are too many inputs for that
    assert verdict(accepting(modules, kind), engine, *ACCEPTED[kind][1:]) == expected


def test_numbers_that_code_can_not_tell_apart_are_tried_as_they_are_written(modules: Modules) -> None:
    subject = modules.load("def f(x: float, n: int):\n    return 1 if x > n else 0")
    assert [parameter.shape.type for parameter in subject.signature.parameters] == ["float", "int"]


def test_a_proof_about_floats_holds_for_ints_too_or_says_so(modules: Modules) -> None:
    subject = modules.load("def f(x: float):\n    if x * x < 0.0:\n        return 1\n    return 0")
    assert verdict(subject, "prove", "x * x < 0.0", True) == ("infeasible", "")
    # An int may be odd beyond 2**53, and no float is.
    text = "def f(x: float):\n    if x > 1e16 and x % 2 == 1:\n        return 1\n    return 0"
    assert verdict(modules.load(text), "prove", "x % 2 == 1", True) in (
        ("undecided", ""),
        ("infeasible", "x is no int"),
    )


@pytest.mark.parametrize("text", ["x is y", "y is x", "x is not y"])
def test_a_truth_value_and_an_int_may_be_the_same_object(modules: Modules, text: str) -> None:
    subject = modules.load(f"def f(x: int, y: bool):\n    if {text}:\n        return 1\n    return 0")
    assert searched(subject, "hybrid", 0).stopped is Stopped.COVERED


@pytest.mark.parametrize(("type_", "base"), [("int", "int"), ("float", "float"), ("float", "int"), ("bool", "int")])
def test_numbers_of_a_class_of_the_user_are_left_out_aloud(modules: Modules, type_: str, base: str) -> None:
    subject = modules.load(f"class K({base}):\n    def __mod__(self, other):\n        return 77\n"
                           f"def f(x: {type_}):\n    if x % 3 > 5:\n        return 1\n    return 0")  # fmt: skip
    found, assumed = verdict(subject, "prove", "x % 3 > 5", True)
    assert found == "infeasible"
    assert ("x is no K" in assumed) is (type_ != "bool")


def test_a_helper_that_code_replaces_proves_nothing(modules: Modules) -> None:
    subject = modules.load("""
        def helper(n: int) -> int:
            return n % 3
        def other(n: int) -> int:
            return 9
        def swap() -> None:
            global helper
            helper = other
        def f(x: int):
            if helper(x) > 5:
                return 1
            return 0
    """)
    assert verdict(subject, "prove", "helper(x) > 5", True) == ("undecided", "")


CLASSES = """
    class P:
        def __init__(self, x: float) -> None:
            self.x = x
    class Q(P):
        pass
    class R(Q):
        pass
    """


@pytest.mark.parametrize("engine", ["hybrid", "explore"])
def test_an_object_of_each_subclass_is_tried(modules: Modules, engine: str) -> None:
    subject = modules.load(
        CLASSES
        + """
    def f(q: P) -> int:
        if type(q) is not P:
            return 2 if isinstance(q, R) else 3
        return 1
    """
    )
    search = searched(subject, engine, 0)
    assert search.stopped is Stopped.COVERED
    assert [subject.signature.parameters[0].type] == ["P | Q | R"]


def test_the_object_of_a_method_is_of_its_own_class(modules: Modules) -> None:
    subject = modules.load(CLASSES + "    def f(self) -> int:\n            return 1 if self.x > 0 else 0\n", "R.f")
    assert subject.signature.parameters[0].shape.type == "R"


@pytest.mark.parametrize("type_", ["P", "list[float]", "dict[str, int]", "set[int]"])
def test_one_object_is_tried_for_two_parameters(modules: Modules, type_: str) -> None:
    subject = modules.load(
        CLASSES
        + f"""
    def f(a: {type_}, n: int, b: {type_}) -> int:
        if a is b:
            return 1
        return 0
    """
    )
    search = searched(subject, "hybrid", 0)
    assert search.stopped is Stopped.COVERED
    shown = [subject.signature.show(run.words) for run in search.runs if 0 in run.covered]
    assert all(text.startswith("f((a := ") and text.endswith(", a)") for text in shown)


def test_what_is_done_to_a_shared_object_is_seen_by_both(modules: Modules) -> None:
    subject = modules.load("""
        def f(a: list[float], b: list[float]) -> int:
            a.append(1.0)
            if a is b and len(b) == 1:
                return 1
            return 0
    """)
    search = searched(subject, "hybrid", 0)
    assert search.stopped is Stopped.COVERED
    (words,) = {run.words for run in search.runs if 2 in run.covered}
    replay = subject.replay(words)
    assert [value.text for value in replay.after if value is not None] == ["[1.0]", "[1.0]"]


# ---- types that nobody says ----

GUESSED = {
    "no annotation": ("x", "x * x < 0"),
    "Any": ("x: Any", "x * x < 0"),
    "a default": ("x=3", "x * x < 0"),
    "a type variable": ("x: T", "x * x < 0"),
    "any real number": ("x: Real", "x * x < 0"),
    "an open part": ("p: tuple[int, Any]", "p[1] * p[1] < 0"),
}
HEAD = "from numbers import Real\nfrom typing import Any, TypeVar\nT = TypeVar('T')\n"


@pytest.mark.parametrize("how", GUESSED)
def test_a_proof_refutes_a_guess(modules: Modules, how: str) -> None:
    parameter, condition = GUESSED[how]
    subject = modules.load(f"{HEAD}def f({parameter}):\n    if {condition}:\n        return 1\n    return 0")
    search = searched(subject, "prove", 0)
    assert not search.proofs
    assert search.refuted == 1
    assert subject.further_guess == 1
    assert search.stopped is Stopped.TRIED


@pytest.mark.parametrize("engine", ENGINES)
def test_no_engine_proves_anything_about_a_guess(modules: Modules, engine: str) -> None:
    subject = modules.load("def f(x):\n    if x * x < 0:\n        return 1\n    return 0")
    assert verdict(subject, engine, "x * x < 0", True) == ("undecided", "")


def test_what_the_user_says_is_no_guess(modules: Modules) -> None:
    subject = modules.load("def f(x):\n    if x * x < 0:\n        return 1\n    return 0", types="x: int")
    assert verdict(subject, "prove", "x * x < 0", True) == ("infeasible", "")


def test_guesses_are_widened_and_words_stay_those_of_the_same_values(modules: Modules) -> None:
    path = str(modules.write("def f(x, n: int, rnd):\n    if rnd == 'n':\n        return 1\n    return x > n"))
    loaded = [modules.again(path, guess=number) for number in range(3)]
    before = loaded[0].signature
    assert [subject.further_guess for subject in loaded] == [1, 2, 0]
    for subject in loaded[1:]:
        after = subject.signature
        assert after.parameters[1].type == "int"
        words = (*before.parameters[0].shape.encode(2.5), 7, *before.parameters[2].shape.encode("n"))
        made = [new.refitted(mine, old) for new, (old, mine) in zip(after.parameters, before.split(words), strict=True)]
        assert after.show(tuple(word for part in made for word in part)) == 'f(2.5, 7, "n")'
        before = before if subject is not loaded[1] else loaded[0].signature
    assert {"str", "None", "bool"} <= set(loaded[2].signature.parameters[0].type.split(" | "))


def test_bits_of_what_is_refuted_are_kept_apart(modules: Modules) -> None:
    """A run that takes what was refuted takes it back."""
    subject = modules.load("def f(x):\n    if x > 3:\n        return 1\n    return 0")
    search = searched(subject, "hybrid", 0, 200)
    run = next(run for run in search.runs if 0 in run.covered)
    other = Search(subject, branches_of(subject.sites), search.domain, Budget(10, 1.0), 0)
    other.refuted = 1
    assert bits_of(other.missing) == [1]
    other.offer(run.words)
    assert other.refuted == 0
