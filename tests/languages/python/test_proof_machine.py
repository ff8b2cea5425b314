"""Proofs of Python functions that can not be read as numbers alone: what runs take is never refuted, and what is
listed here is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from languages.python.modules import Modules
from languages.python.programs_that_change_things import PROGRAMS as CHANGING
from languages.python.test_blocks import drawn
from languages.python.test_python_reach import refuted
from zeroin.model.memory import Unreadable

# What a function does, and the branches that are proved to be taken by no input.
PROGRAMS: dict[str, tuple[str, set[tuple[str, bool]]]] = {
    "a handler": (
        """
        def f(n: int, m: int):
            y = 5
            try:
                y = 10 // (n & 3)
                if m == 7:
                    raise KeyError(m)
            except ZeroDivisionError:
                if n & 3 == 1:
                    return 1
            except LookupError as error:
                if m != 7:
                    return 2
                y = -1
            else:
                if y > 10:
                    return 3
            return 4 if y == 4 else 5
        """, {("n & 3 == 1", True), ("m != 7", True), ("y > 10", True), ("y == 4", True)}),
    "finally": (
        """
        def f(n: int):
            y = 0
            for i in range(3):
                try:
                    if i == n:
                        break
                    if n == 9:
                        return 7
                    if n == 8:
                        raise ValueError
                    y = 1
                except ValueError:
                    y = 2
                    continue
                finally:
                    if y == 4:
                        return 3
                    y += 2
            return 1 if y == 0 else 2
        """, {("y == 4", True), ("y == 0", True)}),
    "finally decides": (
        """
        def f(n: int):
            try:
                return 1 // n
            finally:
                if n == 0:
                    return 3 if n else 4
        """, {("n", True)}),
    "an exception goes through calls": (
        """
        class Odd(Exception):
            pass
        def check(n):
            if n & 1:
                raise Odd(n)
            return n
        def twice(n):
            return check(check(n) // 2)
        def f(n: int):
            try:
                m = twice(n & 3)
            except Odd:
                if n & 3 == 0:
                    return 1
                return 2
            except Exception:
                return 3
            return 4 if m > 1 else 5
        """, {("n & 3 == 0", True), ("except Exception", True), ("m > 1", True)}),
    "raised again": (
        """
        def f(n: int):
            try:
                try:
                    if n == 3:
                        raise IndexError
                    if n == 4:
                        raise KeyError
                except LookupError:
                    if n == 4:
                        raise
            except KeyError:
                return 1 if n != 4 else 2
            except IndexError:
                return 3
            return 0
        """, {("n != 4", True), ("except IndexError", True)}),
    "suppressed": (
        """
        import contextlib
        def f(n: int):
            y = 0
            with contextlib.suppress(ZeroDivisionError):
                y = 1
                y = 6 // n
                y = 7
            return 1 if y == 1 else 2 if y == 0 else 3
        """, {("y == 0", True)}),
    "bits": (
        """
        def f(n: int, m: int):
            if n & 12 == 5 or n & 7 > 7 or (n | 3) & 3 != 3:
                return 1
            if n ^ n or ~n == n or (n & 3) << (m & 1) > 6 or (n & 3) & (m & 1) > 1:
                return 2
            return n & -8 == 5
        """, {("n & 12 == 5", True), ("n & 7 > 7", True), ("(n | 3) & 3 != 3", True), ("~n == n", True),
              ("(n & 3) << (m & 1) > 6", True), ("n & -8 == 5", True), ("(n & 3) & (m & 1) > 1", True)}),
    "texts": (
        """
        def f(s: str, t: str):
            if s == "a" and s == "b":
                return 1
            if s == "" and s:
                return 2
            if s == t and s == "x" and t != "x":
                return 3
            if len(s) < 0 or (s and s[0] == "q" and len(s) == 0):
                return 4
            if s.startswith("a") and not s.startswith("a"):
                return 5
            if s.upper() == "A" and s == "A":
                return 6
            return s < "b"
        """, {("s == \"b\"", True), ("s", True), ("t != \"x\"", True), ("len(s) < 0", True), ("len(s) == 0", True),
              ("s.startswith(\"a\")", False)}),
    "lists": (
        """
        def f(xs: list[int], ys: list[int]):
            n = len(ys)
            if len(xs) != len(xs):
                return 1
            xs.append(3)
            if len(ys) != n:
                return 2
            for x in xs:
                if x > 5 and x < 3:
                    return 3
            if sum(xs) > 4 and [x for x in xs if x > 2 and x < 2]:
                return 4
            return 5
        """, {("len(xs) != len(xs)", True), ("x < 3", True), ("x < 2", True),
              ("[x for x in xs if x > 2 and x < 2]", True)}),
    "a list that is changed in place": (
        """
        def f(xs: list[int]):
            ys, n = xs, len(xs)
            ys += [1]
            if len(xs) != n:
                return 1
            return 2
        """, set()),
    "the name of an exception that was handled": (
        """
        def f(n: int):
            for i in range(2):
                try:
                    if i == 1:
                        return 1 if e else 2
                    1 // n
                except ZeroDivisionError as e:
                    continue
                except NameError:
                    return 3
            return 4
        """, set()),
    "items that compare in their own way": (
        """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __eq__(self, other):
                other.level = 9
                return True
            def __hash__(self):
                return 1
        def f(p: P, xs: list[P]):
            p.level = 2
            n = xs.count(p)
            return 1 if p.level == 9 else 2
        """, set()),
    "a generator that is left": (
        """
        def f(n: int):
            if any(k == n for k in range(4)):
                return 1
            return 2
        """, set()),
    "a function inside": (
        """
        def f(n: int):
            count = 0
            def bump():
                nonlocal count
                count += n
            bump()
            if count == 3:
                return 1 if n != 3 else 2
            if n > 3 and n < 2:
                return 2
            return 0
        """, {("n != 3", True), ("n < 2", True)}),
    "functions inside": (
        """
        def made(k):
            return lambda n: n + k
        def twice(g, n):
            return g(g(n))
        def f(n: int):
            late = None
            def set_late(m):
                nonlocal late
                late = lambda: m
                if n == 4:
                    raise ValueError
                return m
            if twice(lambda m, by=n: m + by, 1) != 2 * n + 1:
                return 1
            try:
                set_late(n)
            except ValueError:
                return 2 if late() == 4 else 3
            if made(2)(n) == n + 2:
                return 4
            return 5 if n != 4 else 6
        """, {("twice(lambda m, by=n: m + by, 1) != 2 * n + 1", True), ("n != 4", False)}),
    "a function inside that code calls": (
        """
        def f(xs: list[int]):
            count = 0
            def seen(x):
                nonlocal count
                count += 1
                return x
            xs.sort(key=seen)
            return 1 if count == 2 else 2
        """, set()),
    "a deleted variable": (
        """
        def f(n: int):
            y = 1
            if n > 2:
                del y
            try:
                y += 1
            except NameError:
                return 1 if n <= 2 else 2
            return y
        """, {("n <= 2", True)}),
    "objects": (
        """
        class P:
            def __init__(self, level: int):
                self.level = level
            def kind(self):
                return 1
            @property
            def low(self):
                return self.level & 3
        class Q(P):
            def kind(self):
                return 2
        def f(p: P, q: P):
            if p.level > 3 and p.level < 2:
                return 1
            if p.kind() == 3 or (type(p) is P and p.kind() == 2):
                return 2
            if p.low > 3:
                return 3
            p.level = 1
            q.level = 5
            if p.level == 3 or q.level != 5:
                return 4
            if p.level == 5 and p is not q:
                return 5
            return 6 if p.level == 5 else 7
        """, {("p.level < 2", True), ("p.kind() == 3", True), ("p.kind() == 2", True), ("p.low > 3", True),
              ("p.level == 3", True), ("q.level != 5", True), ("p is not q", True)}),
    "objects with a will of their own": (
        """
        class P:
            def __init__(self, level: int):
                self.level = level
            def __bool__(self):
                return self.level > 2
            def __eq__(self, other):
                self.level = 7
                return True
            def __hash__(self):
                return 1
        def f(p: P):
            if not p:
                return 1
            p.level = 3
            if p == 4 and p.level == 7:
                return 2
            return 3
        """, set()),
    "an attribute that is not only stored": (
        """
        class P:
            def __init__(self, level: int):
                self._level = level
            @property
            def level(self):
                return self._level
            @level.setter
            def level(self, value):
                self._level = value + 1
        def f(p: P):
            p.level = 3
            return 1 if p.level == 4 else 2
        """, set()),
    "state of a class": (
        """
        class Counter:
            total = 0
            @classmethod
            def add(cls, n: int):
                cls.total += n & 3
                return cls.total
        def f(n: int):
            before = Counter.total
            if Counter.add(n) < before:
                return 1
            if Counter.total > before + 3:
                return 2
            return Counter.total & 7
        """, {("Counter.add(n) < before", True), ("Counter.total > before + 3", True)}),
    "state of a class that an object sees": (
        """
        class P:
            total: int = 0
            def __init__(self, level: int):
                self.level = level
        def f(p: P, n: int):
            before = p.total
            P.total = n
            if p.total != before:
                return 1
            return 2 if p.level > 1 and p.level < 1 else 3
        """, {("p.level < 1", True)}),
    "a method that is replaced": (
        """
        class P:
            def __init__(self, level: int):
                self.level = level
            def kind(self):
                return 1
        def swap():
            P.kind = lambda self: 2
        def f(p: P):
            if p.level == 2:
                swap()
            return 3 if p.kind() == 2 else 4
        """, set()),
    "a new object": (
        """
        class P:
            def __init__(self, level: int):
                self.level = level
        def f(p: P, n: int):
            q = P(n)
            q.level = 3
            if p is q:
                return 1
            p.level = 2
            return 2 if p.level != 2 else 3
        """, {("p is q", True), ("p.level != 2", True)}),
    "an enumeration": (
        """
        import enum
        class Unit(enum.Enum):
            METRE = 1
            FOOT = "ft"
        def f(u: Unit):
            if u.value == 2 or u.name == "INCH" or len(Unit) != 2 or u not in Unit:
                return 1
            match u:
                case Unit.METRE:
                    return 2 if u.value == "ft" else 3
                case Unit.FOOT:
                    return 4
                case _:
                    return 5 if u.name else 6
        """, {("u.value == 2", True), ("u.name == \"INCH\"", True), ("len(Unit) != 2", True), ("u not in Unit", True),
              ("u.value == \"ft\"", True), ("case Unit.FOOT", False), ("u.name", True), ("u.name", False)}),
    "a function that another one replaces": (
        """
        def scale(n: int) -> int:
            return n & 3
        def other(n: int) -> int:
            return 9
        def swap() -> None:
            global scale
            scale = other
        def f(n: int):
            if scale(n) == 7:
                return 1
            return 2 if scale(n) == 9 else 3
        """, {("scale(n) == 7", True)}),
}  # fmt: skip
REPLACED = """
def scale(n: int) -> int:
    return n & 3
def other(n: int) -> int:
    return 9
def third(n: int) -> int:
    return 7
{}
def f(n: int):
    return 1 if scale(n) == 7 else 2
"""


@pytest.mark.parametrize("how", [
    "def swap() -> None:\n    global scale\n    other = third\n    scale = other",
    "def swap(other=third) -> None:\n    global scale\n    scale = other",
    "def swap() -> None:\n    globals()['scale'] = third",
    "def swap() -> None:\n    global scale\n    scale, _ = third, 1",
    "def swap() -> None:\n    global scale\n    x = scale = third",
    "def swap() -> None:\n    global scale\n    scale = lambda n: 7",
    "def swap() -> None:\n    global scale\n    def scale(n):\n        return 7",
    "def swap() -> None:\n    global scale, other\n    other = third\n    scale = other",
    "def swap():\n    global scale\n    scale = other\ndef again():\n    global other\n    other = third",
    "def swap() -> None:\n    global scale\n    for scale in (third, other):\n        pass",
    "if __name__ == '__main__':\n    scale = third\ndef swap() -> None:\n    global scale\n    scale = other",
    "def swap(k: int):\n    global scale\n    scale = other\n    if k:\n        scale = z = third",
])  # fmt: skip
def test_what_may_be_put_in_the_place_of_a_function_is_not_refuted(modules: Modules, how: str) -> None:
    subject = modules.load(REPLACED.format(how), native=False, callees=False)
    try:
        assert not refuted(subject, 0, {})
    except Unreadable:
        return


def test_a_private_name_in_a_class_may_be_a_function_of_the_module(modules: Modules) -> None:
    text = """
def _C__g() -> int:
    return 1
def a() -> int:
    return 2
def b() -> int:
    return 3
def s() -> None:
    global _C__g
    _C__g = a
class C:
    def m(self) -> None:
        global __g
        __g = b
def f(x: int):
    return 1 if _C__g() == 3 else 2
"""
    assert not refuted(modules.load(text, native=False, callees=False), 0, {})


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_proved(name: str, modules: Modules) -> None:
    check_proved(*PROGRAMS[name], name, modules)


def check_proved(text: str, never: set[tuple[str, bool]], name: str, modules: Modules) -> None:
    """Just these branches are proved to be taken by no input, and no run takes one of them."""
    subject, rng = modules.load(text, native=False, callees=False), random.Random(name)
    left, found = set(range(2 * len(subject.sites))), set[tuple[str, bool]]()
    for _ in range(400):
        left -= subject.run(drawn(subject, rng)).covered
    for outcome in range(2 * len(subject.sites)):
        if refuted(subject, outcome, {}):
            assert outcome in left
            found.add((subject.sites[outcome >> 1].condition, outcome % 2 == 0))
    assert found == never


@pytest.mark.parametrize("name", CHANGING)
def test_no_branch_is_refuted_that_is_taken_as_something_changes(name: str, modules: Modules) -> None:
    subject, rng = modules.load(CHANGING[name], native=False, callees=False), random.Random(name)
    try:
        never = {one for one in range(2 * len(subject.sites)) if refuted(subject, one, {}, 5.0)}
    except Unreadable:
        return
    taken = set[int]().union(*(subject.run(drawn(subject, rng)).covered for _ in range(60)))
    assert not [subject.sites[one >> 1] for one in taken & never]


# Code that calls the target, or runs before it; the target, and the branch that a run takes.
CALLERS: dict[str, tuple[str, str]] = {
    "an operator": (
        """
        class P:
            def __init__(self, n: int):
                self.n = n
            def __add__(self, k: int):
                if isinstance(k, str):
                    return 1
                return self + "x"
        """, "P.__add__"),
    "a name that is put together": (
        """
        class V:
            def visit_Num(self, x: int):
                if isinstance(x, str):
                    return 1
                return self.visit("Num", "x")
            def visit(self, kind, x):
                return getattr(self, "visit_" + kind)(x)
        """, "V.visit_Num"),
    "a constructor": (
        """
        class P:
            def __init__(self, n: int):
                self.n = n
                self.area("x")
            def area(self, k: int):
                if isinstance(k, str):
                    return 1
                return 2
        """, "P.area"),
    "a constructor of arguments": (
        """
        from dataclasses import dataclass
        def norm(n: int, deep: bool = False):
            if deep:
                return abs(n)
            return n
        @dataclass
        class P:
            n: int
            def __post_init__(self):
                self.n = norm(self.n, True)
        def f(p: P, k: int):
            if p.n > k:
                return norm(k)
            return 2
        """, "f"),
    "the constructor itself": (
        """
        class P:
            def __init__(self, n: int = None):
                if n is None:
                    self.n = 0
                else:
                    self.n = n
        """, "P.__init__"),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLERS)
def test_no_branch_is_refuted_that_other_code_takes(name: str, modules: Modules) -> None:
    text, target = CALLERS[name]
    subject, rng = modules.load(text, target, native=False, callees=True), random.Random(name)
    try:
        never = {one for one in range(2 * len(subject.sites)) if refuted(subject, one, {}, 5.0)}
    except Unreadable:
        never = set[int]()
    taken = set[int]().union(*(subject.run(drawn(subject, rng)).covered for _ in range(60)))
    assert taken
    assert not [subject.sites[one >> 1] for one in taken & never]


def test_a_module_that_is_called_may_call_back(modules: Modules) -> None:
    other = modules.write("def go():\n    from . import nothing\n")
    other.write_text(f"""
import sys

def go():
    return sys.modules[{"zeroin_sample_caller"!r}].f("x")
""")
    path = other.parent / "zeroin_sample_caller.py"
    path.write_text(f"""
import {other.stem}

def f(n: int):
    if isinstance(n, str):
        return 1
    return {other.stem}.go()
""")
    with pytest.raises(Unreadable, match="may call f"):
        modules.again(str(path), native=False, callees=False).reach(0)


@pytest.mark.parametrize("text", ["os.startfile", "''.decode", "b'x'.format", "signal.CTRL_C_EVENT"])
def test_attributes_that_are_missing_raise(modules: Modules, text: str) -> None:
    subject = modules.load(
        f"""
        import os, signal
        def f(n: int):
            try:
                found = {text}
            except AttributeError:
                return 1
            return 2
        """,
        native=False,
    )
    assert not refuted(subject, 0, {})


def test_an_unknown_name_that_another_file_sets_is_no_function_of_the_c_library(modules: Modules) -> None:
    text = "import math\ndef f(a: float):\n    if math.fabs(a) < 0:\n        return 1\n    return 0\n"
    subject = modules.load(text, native=False)
    beside = Path(subject.home.file).with_name("beside.py")
    beside.write_text("def math(x, name, value):\n    setattr(x, name, value)\n")
    assert refuted(subject, 0, {})


def test_why_nothing_is_proved_is_found_once(modules: Modules, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = modules.load(CALLERS["an operator"][0], "P.__add__", native=False)
    asked = []
    for outcome in range(2):
        with pytest.raises(Unreadable, match="may run while objects"):
            subject.reach(outcome)
        monkeypatch.setattr("zeroin.languages.python.read.blocks.reach.Reach.__init__", lambda *_: asked.append(1))
    assert not asked
