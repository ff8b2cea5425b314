"""What attributes hold between calls: what no calls lead to is refuted, and what some calls do never is."""

from __future__ import annotations

import random

import pytest

from languages.python.modules import Modules
from languages.python.test_blocks import drawn
from proofs import refuted
from zeroin.model.memory import Unreadable
from zeroin.solvers.chain import checked
from zeroin.solvers.smt import Z3

COUNTER = """
class C:
    n = 0
    low = 3
    @classmethod
    def add(cls, k: int) -> int:
        if cls.n > 3:
            cls.n = 0
        cls.n += k & 3
        return cls.n
{}
def f(x: int):
    if C.n > 6:
        return 1
    if C.n == 6:
        return 2
    {}
    return C.low
"""
# More of the module, a statement of the function; the numbers of the branches that are refuted.
PROVED = {
    "few values": ("", "pass", {0}),
    "the function itself changes it": ("", "C.add(x)", {0}),
    "the function sets it": ("", "C.n = x & 1", {0}),
    "a static method": ("class D:\n    @staticmethod\n    def again(k: int):\n        C.n = k & 1", "pass", {0}),
    "a plain function": ("def clear():\n    C.n = -1", "if C.n < -1:\n        return 3", {0, 4}),
    "two attributes": (
        "def both(k: int):\n    C.low = 4\n    C.n = k & 1",
        "if C.low == 5:\n        return 3",
        {0, 4},
    ),
}
# Likewise, where something else may be there.
OPEN = {
    "any value": ("def to(k: int):\n    C.n = k", "pass"),
    "a float": ("def to(k: float):\n    C.n = k", "pass"),
    "a name in a text": ("def to(k: int):\n    setattr(C, 'n', k)", "pass"),
    "through an object": ("def to(c: C, k: int):\n    type(c).n = k", "pass"),
    "through a parameter": ("def to(c, k: int):\n    c.n = k", "pass"),
    "a subclass": ("class D(C):\n    pass\ndef to(k: int):\n    D.add(k)\n    C.n = D.n + 7", "pass"),
    "deleted": ("def to():\n    del C.n", "pass"),
    "in a loop": ("def to(k: int):\n    for i in range(k):\n        C.n = i", "pass"),
    "before an exception": ("def to(k: int):\n    C.n = k\n    raise ValueError", "pass"),
    "in a function inside": ("def to(k: int):\n    def inner():\n        C.n = k\n    inner()", "pass"),
    "in a lambda": ("import operator\ndef to(k: int):\n    (lambda: setattr(C, 'n', k))()", "pass"),
    "as a target of a loop": ("def to(k: int):\n    for C.n in range(k):\n        pass", "pass"),
    "in a tuple": ("def to(k: int):\n    C.n, _ = k, 1", "pass"),
    "by code that is not read": ("def to(k: int):\n    vars(type)['__setattr__'](C, 'n', k)", "pass"),
    "in the function": ("", "C.n = x"),
    "what is read before": ("def to(k: int):\n    old = C.n\n    C.n = old + 1", "pass"),
    "a bool": ("def to(k: bool):\n    C.n = k", "if C.n is True:\n        return 3"),
}


OBJECT = """
class P:
    top = 3
    def __init__(self, level: int) -> None:
        self.level = level & 7
        self.__low = level % 4
    def low(self) -> int:
        return self.__low
    {}
{}
def f(p: P, q: P, x: int):
    if p.level > 7:
        return 1
    if q.low() > 3:
        return 2
    {}
    return p.top
"""
# More methods, more of the module, a statement of the function; the numbers of the branches that are refuted.
PROVED_OF_OBJECTS = {
    "what the constructor sets": ("", "", "pass", {0, 2}),
    "a method changes it": ("def up(self) -> None:\n        self.level = (self.level + 1) % 8", "", "pass", {0, 2}),
    "the function changes it": ("", "", "p.level = x & 3", {0, 2}),
    "it is deleted": ("def drop(self) -> None:\n        del self.level", "", "pass", {0, 2}),
    "an object is made": ("", "def make(k: int):\n    p = P(k)\n    p.level = k & 1\n    return p", "pass", {0, 2}),
    "the value of the class": ("def up(self) -> None:\n        self.top = (self.top + 1) % 5", "",
                               "if p.top > 4:\n        return 3", {0, 2, 4}),
}  # fmt: skip
# Likewise: the first branch, of ``p.level > 7``, is not refuted.
OPEN_OF_OBJECTS = {
    "a method sets any value": ("def to(self, k: int) -> None:\n        self.level = k", "", "pass"),
    "a method adds": ("def up(self) -> None:\n        self.level += 1", "", "pass"),
    "a function sets it": ("", "def to(p: P, k: int):\n    p.level = k", "pass"),
    "a function of anything": ("", "def to(p, k: int):\n    p.level = k", "pass"),
    "an object is made": ("", "def make(k: int):\n    p = P(k)\n    p.level = k\n    return p", "pass"),
    "the module": ("", "p = P(3)\np.level = 9", "pass"),
    "of an inherited class": ("", "class Q(P):\n    def __init__(self):\n        self.level = 9", "pass"),
    "by a text": ("", "def to(p: P, k: int):\n    setattr(p, 'level', k)", "pass"),
    "through its dict": ("", "def to(p: P, k: int):\n    p.__dict__['level'] = k", "pass"),
    "a float": ("def to(self, k: float) -> None:\n        self.level = k", "", "pass"),
    "a property": ("@property\n    def level(self):\n        return self._l\n    @level.setter\n"
                   "    def level(self, k):\n        self._l = k + 9", "", "pass"),
    "before the constructor": ("def __new__(cls, level):\n        one = object.__new__(cls)\n"
                               "        one.level = 9\n        return one", "", "pass"),
    "all assignments": ("def __setattr__(self, name, value):\n        object.__setattr__(self, name, 9)", "", "pass"),
    "from an object of another class": (
        "def take(self, other: 'D') -> None:\n        self.level = other.level",
        "class D:\n    def __init__(self, k: int):\n        self.level = k", "pass"),
    "an inner function": ("def to(self, k: int):\n        def inner():\n            self.level = k\n"
                          "        return [inner]", "", "pass"),
}  # fmt: skip


def proved_of_objects(modules: Modules, methods: str, more: str, statement: str, name: str) -> set[int]:
    return proved(modules, OBJECT.format(methods, more, statement), "", "", name)


def proved(modules: Modules, text: str, more: str, statement: str, name: str) -> set[int]:
    """The outcomes of the function that are refuted; none of them is taken by a run."""
    text = text.format(more, statement) if statement else text
    subject, rng = modules.load(text, native=False, callees=False), random.Random(name)
    try:
        found, hard = refuted(subject, checked(Z3()))
    except Unreadable:
        return set()
    taken = set[int]().union(*(subject.run(drawn(subject, rng)).covered for _ in range(300)))
    assert not found & taken
    return found | hard


@pytest.mark.parametrize("name", PROVED)
def test_what_no_calls_lead_to_is_refuted(modules: Modules, name: str) -> None:
    more, statement, never = PROVED[name]
    assert proved(modules, COUNTER, more, statement, name) == never


@pytest.mark.parametrize("name", OPEN)
def test_what_calls_may_lead_to_is_not_refuted(modules: Modules, name: str) -> None:
    assert 0 not in proved(modules, COUNTER, *OPEN[name], name)


@pytest.mark.parametrize("name", PROVED_OF_OBJECTS)
def test_what_no_calls_lead_to_is_refuted_of_objects(modules: Modules, name: str) -> None:
    methods, more, statement, never = PROVED_OF_OBJECTS[name]
    assert proved_of_objects(modules, methods, more, statement, name) == never


@pytest.mark.parametrize("name", OPEN_OF_OBJECTS)
def test_what_calls_may_lead_to_is_not_refuted_of_objects(modules: Modules, name: str) -> None:
    assert 0 not in proved_of_objects(modules, *OPEN_OF_OBJECTS[name], name)


def test_another_object_of_the_class_may_change_it(modules: Modules) -> None:
    text = OBJECT.format("def take(self, other: 'P') -> None:\n        self.level = other.level + 1", "", "pass")
    assert 0 not in proved(modules, text, "", "", "another")


def test_a_setter_takes_branches_before_the_function_does(modules: Modules) -> None:
    text = COUNTER.format("", "if x & 1 > 7:\n        C.add(x)")
    subject = modules.load(text, native=False)
    sites = [n for n, site in enumerate(subject.sites) if site.condition == "cls.n > 3"]
    found, hard = refuted(subject, checked(Z3()))
    assert sites
    assert not {2 * sites[0], 2 * sites[0] + 1} & (found | hard)


def test_what_is_assumed_of_other_code(modules: Modules) -> None:
    subject = modules.load(COUNTER.format("", "pass"), native=False, callees=False)
    assert {"no other code sets C.n", "C.add is called with values of exactly the annotated types",
            "C.add is called on C, and no subclass"} <= {
        *subject.reach(0).assumptions}  # fmt: skip
