"""What attributes of classes hold between calls: what no calls lead to is refuted, and what some do never is."""

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


def proved(modules: Modules, more: str, statement: str, name: str) -> set[int]:
    """The outcomes of the function that are refuted; none of them is taken by a run."""
    subject, rng = modules.load(COUNTER.format(more, statement), native=False, callees=False), random.Random(name)
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
    assert proved(modules, more, statement, name) == never


@pytest.mark.parametrize("name", OPEN)
def test_what_calls_may_lead_to_is_not_refuted(modules: Modules, name: str) -> None:
    assert 0 not in proved(modules, *OPEN[name], name)


def test_a_setter_takes_branches_before_the_function_does(modules: Modules) -> None:
    text = COUNTER.format("", "if x & 1 > 7:\n        C.add(x)")
    subject = modules.load(text, native=False)
    sites = [n for n, site in enumerate(subject.sites) if site.condition == "cls.n > 3"]
    found, hard = refuted(subject, checked(Z3()))
    assert sites
    assert not {2 * sites[0], 2 * sites[0] + 1} & (found | hard)


def test_what_is_assumed_of_other_code(modules: Modules) -> None:
    subject = modules.load(COUNTER.format("", "pass"), native=False, callees=False)
    assert {"no other code sets C.n", "C.add is called with arguments of the annotated types"} <= {
        *subject.reach(0).assumptions}  # fmt: skip
