"""Programs whose functions change what the target reads in ways that are easily overlooked: nothing wrong is proved.

Each text ends with ``f``, of which a sequence of calls takes the first branch.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from languages.python.modules import Modules
from proofs import refuted
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.model.memory import Unreadable
from zeroin.solvers.chain import checked
from zeroin.solvers.smt import Z3

CLASS = "class C:\n    n: int = 0\n"
READS = "def f(x: int) -> int:\n    if C.n > 6:\n        return 1\n    return 0\n"
INNER = "    def i() -> None:\n        C.n = 9\n"
PAIR = "def g(n: int) -> int:\n    return 1\ndef b(n: int) -> int:\n    return 3\n"
ASKS = "def f(x: int) -> int:\n    if g(x) == 3:\n        return 1\n    return 0\n"

PROGRAMS = {
    "a private attribute": (
        "class C:\n    __n: int = 0\n    @classmethod\n    def put(cls) -> None:\n        cls.__n = 9\n"
        "    @classmethod\n    def get(cls) -> int:\n        return cls.__n\n"
        "def f(x: int) -> int:\n    if C.get() > 6:\n        return 1\n    return 0\n"
    ),
    "a private counter": (
        "class C:\n    __n: int = 0\n    def __init__(self) -> None:\n        C.__n += 1\n"
        "    @staticmethod\n    def count() -> int:\n        return C.__n\n"
        "def f(x: int) -> int:\n    if C.count() > 1:\n        return 1\n    return 0\n"
    ),
    "a function inside, in a list": f"{CLASS}def g():\n{INNER}    return [i]\n{READS}",
    "a function inside, in a list that is changed": (
        f"{CLASS}def g():\n{INNER}    d = [i]\n    d.append(i)\n    return d\n{READS}"
    ),
    "a function inside, in an attribute": f"{CLASS}class K:\n    cb = None\ndef m(k: K):\n{INNER}    k.cb = i\n{READS}",
    "a function inside, defined as a variable of the module": (
        f"{CLASS}cb = None\ndef g():\n    global cb\n    def cb() -> None:\n        C.n = 9\n{READS}"
    ),
    "a function inside, in a variable of the module": (
        f"{CLASS}cb = None\ndef g():\n    global cb\n{INNER}    cb = i\n{READS}"
    ),
    "a function inside, in an exception": f"{CLASS}def g():\n{INNER}    raise ValueError(i)\n{READS}",
    "a function inside, in a dict": f"{CLASS}def g():\n{INNER}    d = {{}}\n    d['a'] = i\n    return d\n{READS}",
    "a function inside, in an object": (
        f"{CLASS}class K:\n    def __init__(self, cb) -> None:\n        self.cb = cb\n"
        f"def g():\n{INNER}    return K(i)\n{READS}"
    ),
    "a function inside, in an iterator": f"{CLASS}def g():\n{INNER}    return iter([i])\n{READS}",
    "a generator inside": f"{CLASS}def g():\n    def i():\n        C.n = 9\n        yield 1\n    return [i]\n{READS}",
    "a default of another type": f"{CLASS}def g(k: int = None) -> None:\n    if k is None:\n        C.n = 9\n{READS}",
    "a bool that a pattern asks for": (
        f"{CLASS}def g(k: int) -> None:\n    match k:\n        case bool():\n            C.n = 9\n{READS}"
    ),
    "True as a pattern": (
        f"{CLASS}def g(k: int) -> None:\n    match k:\n        case True:\n            C.n = 9\n{READS}"
    ),
    "isinstance by another name": (
        "is_a = isinstance\ndef f(x: int) -> int:\n    if is_a(x, bool):\n        return 1\n    return 0\n"
    ),
    "isinstance of builtins": (
        "import builtins\ndef f(x: int) -> int:\n    if builtins.isinstance(x, bool):\n        return 1\n    return 0\n"
    ),
    "type by another name": (
        "kind = type\ndef f(x: int) -> int:\n    if kind(x) == bool:\n        return 1\n    return 0\n"
    ),
    "exec of builtins": f"import builtins\n{CLASS}def g() -> None:\n    builtins.exec('C.n = 9')\n{READS}",
    "setattr by another name": (
        f"from builtins import setattr as put\n{CLASS}def g() -> None:\n    put(C, 'n', 9)\n{READS}"
    ),
    "globals by another name": (
        f"from builtins import globals as names\n{PAIR}def s() -> None:\n    names()['g'] = b\n{ASKS}"
    ),
    "globals of builtins": f"import builtins\n{PAIR}def s() -> None:\n    builtins.globals()['g'] = b\n{ASKS}",
    "exec of builtins sets a function": (
        f"import builtins\n{PAIR}def s() -> None:\n    builtins.exec('global g; g = b')\n{ASKS}"
    ),
    "a name of builtins in parts": (
        f"import builtins\n{PAIR}def s() -> None:\n    getattr(builtins, 'glo' + 'bals')()['g'] = b\n{ASKS}"
    ),
    "mock": f"from unittest import mock\n{PAIR}def s() -> None:\n    mock.patch(__name__ + '.g', b).start()\n{ASKS}",
    "other bases": (
        "class A:\n    @staticmethod\n    def k() -> int:\n        return 1\n"
        "class B:\n    @staticmethod\n    def k() -> int:\n        return 9\n"
        "class K(A):\n    pass\ndef s() -> None:\n    K.__bases__ = (B,)\n"
        "def f(x: int) -> int:\n    if K.k() == 9:\n        return 1\n    return 0\n"
    ),
}
# Likewise, where the proof states an assumption that excludes those calls.
ASSUMING = {
    "a subclass that is defined later": (
        f"{CLASS}    def k(self) -> int:\n        return 1\n    def bump(self) -> None:\n        if self.k() == 9:\n"
        "            C.n = 9\ndef go() -> None:\n    class E(C):\n        def k(self) -> int:\n            return 9\n"
        f"    E().bump()\n{READS}",
        "C.bump is called on an object of C, and no subclass",
    ),
    "a method that another class shares": (
        f"{CLASS}    def bump(self) -> None:\n        if self is None:\n            C.n = 9\n"
        f"class E:\n    bump = C.bump\ndef go() -> None:\n    C.bump(None)\n{READS}",
        "C.bump is called on an object of C, and no subclass",
    ),
    "a subclass of int": (
        f"{CLASS}class I(int):\n    def __add__(self, other):\n        return 9\n"
        f"def g(k: int) -> None:\n    if k == 0:\n        C.n = k + 1\ndef h() -> None:\n    g(I(0))\n{READS}",
        "g is called with values of exactly the annotated types",
    ),
    "an int for a float": (
        f"{CLASS}def g(k: float) -> None:\n    if k == 9007199254740993:\n        C.n = 9\n{READS}",
        "g is called with values of exactly the annotated types",
    ),
}


def refuted_of(modules: Modules, text: str, name: str = "f") -> tuple[set[int], tuple[str, ...]]:
    """The outcomes of the target that are refuted, and what is assumed of the first one."""
    return refuted_in(modules.load(text, name, native=False, callees=False))


def refuted_in(subject: PythonSubject) -> tuple[set[int], tuple[str, ...]]:
    """The same of a target that is loaded."""
    try:
        found, hard = refuted(subject, checked(Z3()))
    except Unreadable:
        return set(), ()
    return found | hard, tuple(subject.reach(0).assumptions)


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_wrong_is_proved(modules: Modules, name: str) -> None:
    assert 0 not in refuted_of(modules, PROGRAMS[name])[0]


@pytest.mark.parametrize("name", ASSUMING)
def test_an_assumption_excludes_it(modules: Modules, name: str) -> None:
    text, assumption = ASSUMING[name]
    found, said = refuted_of(modules, text)
    assert 0 not in found or assumption in said


HELPER = "def put(o, name, value):\n    setattr(o, name, value)\n"
METHOD = """
class C:
    @staticmethod
    def k() -> int:
        return 1
def g() -> None:
    zeroin_setter.put(C, "k", lambda: 9)
def f(x: int) -> int:
    if C.k() == 9:
        return 1
    return 0
"""


def test_a_file_beside_sets_what_it_is_told(tmp_path: Path) -> None:
    modules = Modules(tmp_path)
    (tmp_path / "zeroin_setter.py").write_text(HELPER)
    assert 0 not in refuted_of(modules, METHOD)[0]


def test_a_file_beside_that_nobody_names_sets_nothing(tmp_path: Path) -> None:
    modules = Modules(tmp_path)
    (tmp_path / "zeroin_setter.py").write_text(HELPER)
    assert 0 in refuted_of(modules, METHOD.replace('zeroin_setter.put(C, "k", lambda: 9)', "pass"))[0]


SET_ELSEWHERE = "from zeroin_own import work\ndef g() -> None:\n    work.LIMIT = 9\n"
LIMIT = "LIMIT = 1\ndef f(x: int) -> int:\n    if LIMIT == 9:\n        return 1\n    return 0\n"


@pytest.mark.parametrize(("place", "refutes"), [("deep/other.py", False), ("env/lib/other.py", True)])
def test_a_virtual_environment_in_a_package_is_the_code_of_others(place: str, refutes: bool, tmp_path: Path) -> None:
    package = tmp_path / "zeroin_own"
    for name, text in {"__init__.py": "", "work.py": LIMIT, "env/pyvenv.cfg": "", place: SET_ELSEWHERE}.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    subject = Modules(tmp_path).again(str(package / "work.py"), native=False, callees=False)
    assert (0 in refuted_in(subject)[0]) == refutes


INSIDE = """
def f(x: int) -> int:
    {}
    def i(j: int) -> int:
        if j > 3:
            return 1
        return 0
    {}
    return 0
"""
KEPT = {
    "in a variable of the module": ("global cb", "cb = i"),
    "in an exception": ("pass", "raise ValueError(i)"),
    "in a dict": ("d = {}", "d['a'] = i; return d"),
    "in nine items": ("pass", "return [i, i, i, i, i, i, i, i, i]"),
    "in an item": ("q = [1]", "q[0] = i; return q"),
    "in a list that is returned": ("pass", "return [i]"),
}


@pytest.mark.parametrize("name", KEPT)
def test_branches_of_a_function_inside_that_is_kept(modules: Modules, name: str) -> None:
    assert refuted_of(modules, INSIDE.format(*KEPT[name]))[0] == set()


def test_branches_of_a_function_inside_that_is_only_called(modules: Modules) -> None:
    assert refuted_of(modules, INSIDE.format("pass", "return i(2)"))[0] == {0}
