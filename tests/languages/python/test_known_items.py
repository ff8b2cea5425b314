"""Proofs that need the items of lists, tuples, dicts and generators: what they prove, and what they must not."""

from __future__ import annotations

import ast
import random
import textwrap

import pytest

from languages.python.modules import Modules
from languages.python.test_blocks import drawn
from languages.python.test_proof_machine import check_proved
from languages.python.test_python_reach import refuted
from zeroin.languages.python.front.constant_tables import is_only_read

# What a function does, and the branches that are proved to be taken by no input.
PROGRAMS: dict[str, tuple[str, set[tuple[str, bool]]]] = {
    "a list that is not changed": (
        """
        def f(n: int):
            xs = [n, n + 1, 5]
            ys = xs
            if len(xs) != 3 or xs[1] == n or ys[-1] != 5:
                return 1
            a, *rest = xs
            if a != n or len(rest) != 2 or rest[1] != 5 or xs[1:] != rest:
                return 2
            total = 0
            for x in xs:
                total += x
            return 3 if total != 2 * n + 6 else 4
        """, {("len(xs) != 3", True), ("xs[1] == n", True), ("ys[-1] != 5", True), ("a != n", True),
              ("len(rest) != 2", True), ("rest[1] != 5", True), ("xs[1:] != rest", True),
              ("total != 2 * n + 6", True)}),
    "a list that is changed": (
        """
        def f(n: int):
            xs = [n]
            ys, zs = xs, [n]
            if n > 3:
                ys.append(2)
            if len(xs) != 1:
                return 1
            zs[0] = 7
            return 2 if zs[0] == 7 else 3
        """, set()),
    "closures in lists": (
        """
        def f(n: int):
            late = [lambda: i for i in range(3)]
            early = [lambda i=i: i for i in range(3)]
            if late[0]() != 2 or early[1]() != 1:
                return 1
            return 2 if late[n % 3]() == 7 else 3
        """, {("late[0]() != 2", True), ("early[1]() != 1", True)}),
    "a generator in a loop": (
        """
        def f(n: int):
            c = 0
            def put(n):
                nonlocal c
                c += 1
                return n
            for e in (put(e) for e in range(3)):
                if e == 0 and c != 1:
                    return 1
                if e == 2 and c != 3:
                    return 2
                if e == n:
                    break
            else:
                return 3 if c != 3 else 4
            return 5 if c > 3 else 6
        """, {("c != 1", True), ("c != 3", True), ("c > 3", True)}),
    "any and all": (
        """
        def f(n: int, m: int):
            c = 0
            def put(n):
                nonlocal c
                c += 1
                return n
            if any(put(e) == 1 for e in range(3)) and c != 2:
                return 1
            if all(e < n for e in (1, 5)) and n < 6:
                return 2
            if any(e > 9 for e in (n % 3, 2)):
                return 3
            return 4 if sum([1, 2, m]) != m + 3 else 5
        """, {("any(put(e) == 1 for e in range(3))", False), ("c != 2", True), ("n < 6", True), ("e > 9", True),
              ("any(e > 9 for e in (n % 3, 2))", True), ("sum([1, 2, m]) != m + 3", True)}),
    "rows": (
        """
        def f(d: dict[str, int], xs: list[int], ys: list[str]):
            for key, value in sorted(d.items()):
                if key is None or isinstance(value, str):
                    return 1
            for i, x in enumerate(xs):
                if isinstance(i, str) or x is None:
                    return 2
            for x, y in zip(xs, ys):
                if x is None or y == 3:
                    return 3
            for x, y in zip(xs, d):
                if x is None:
                    return 3
            if None in d.values() or "a" in xs or 3 in d:
                return 4
            return 5 if isinstance(d.get("a", 0), str) or max(d.values(), default=0) is None else 6
        """, {("key is None", True), ("isinstance(value, str)", True), ("isinstance(i, str)", True),
              ("x is None", True), ("y == 3", True), ("None in d.values()", True), ("\"a\" in xs", True),
              ("3 in d", True), ("isinstance(d.get(\"a\", 0), str)", True),
              ("max(d.values(), default=0) is None", True)}),
    "a dict that is written down": (
        """
        def f(n: int, s: str):
            v = 0
            try:
                v = {1: 2, 3: 4, True: 6}[n % 5]
            except ZeroDivisionError:
                return 1
            except KeyError:
                if n % 5 == 3:
                    return 2
                return 3
            if v == 2 or v == 4 and n % 5 != 3:
                return 4
            return 5 if {"a": 1, "b": 2}[s] == 2 and s != "b" else 6
        """, {("except ZeroDivisionError", True), ("n % 5 == 3", True), ("v == 2", True), ("n % 5 != 3", True),
              ("s != \"b\"", True)}),
    "exceptions with arguments": (
        """
        def f(n: int):
            try:
                if n == 1:
                    raise OSError(2, "gone")
                if n == 2:
                    raise KeyError(n, key=3)
                if n == 3:
                    raise OSError("gone")
            except ArithmeticError:
                return 1
            except FileNotFoundError:
                return 2
            except LookupError:
                return 3
            except TypeError:
                return 4 if n != 2 else 5
            except OSError:
                return 6
            return 7
        """, {("except ArithmeticError", True), ("except LookupError", True), ("n != 2", True)}),
    "tables of the module": (
        """
        FACTORS = [1.0, 2.0, 3.0]
        LIMITS = {"low": 1, "high": 2}
        KINDS = {1, 2, 3}
        LATER = [1, 2]
        def f(n: int, s: str):
            if FACTORS[n % 3] > 3.0 or len(FACTORS) != 3:
                return 1
            if n in KINDS and n > 3:
                return 2
            if s in LIMITS and s == "x" or LIMITS[s] > 2:
                return 3
            for factor in FACTORS:
                if factor == 4.0:
                    return 4
            return 5 if LATER[0] == 1 else 6
        def change():
            LATER.append(3)
        """, {("FACTORS[n % 3] > 3.0", True), ("len(FACTORS) != 3", True), ("n > 3", True), ("s == \"x\"", True),
              ("LIMITS[s] > 2", True), ("factor == 4.0", True)}),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_proved(name: str, modules: Modules) -> None:
    check_proved(*PROGRAMS[name], name, modules)


# Each takes a branch that it takes only as a list changes, a generator is lazy, or a class is another one.
CHANGING: dict[str, str] = {
    "a list in a tuple": "t = ([n], 1); t[0].append(2); return 1 if len(t[0]) == 2 else 2",
    "a list that a loop changes": """
        xs = [1, 2]
        for x in xs:
            if x == 9:
                return 1
            if len(xs) < 3:
                xs.append(9)
        return 2""",
    "a default": "xs = [n]; g = lambda ys=xs: len(ys); xs.append(1); return 1 if g() == 2 else 2",
    "an augmented assignment": "xs = [n]; ys = xs; xs += [2]; return 1 if len(ys) == 2 else 2",
    "deleted items": "xs = [n, 2]; ys = xs; del xs[0]; return 1 if ys[0] == 2 else 2",
    "a slice that is assigned": "xs = [n, 2]; ys = xs; xs[:] = [7]; return 1 if ys[0] == 7 else 2",
    "a generator that is lazy": """
        a = 1
        for x in (a + i for i in range(3)):
            if x == 12:
                return 1
            a = 10
        return 2""",
    "an iterator that is lazy": """
        xs = [1, 2]
        it = enumerate(xs)
        xs[1] = None
        for i, x in it:
            if x is None:
                return 1
        return 2""",
    "a view of a dict": """
        d = {1: 2}
        values = d.values()
        d[3] = None
        return 1 if None in values else 2""",
    "late binding in a loop": """
        made = []
        for k in range(2):
            made += [lambda: i + k for i in range(2)]
        return 1 if made[0]() == 2 else 2""",
    "a generator that any leaves": """
        seen = []
        any(seen.append(e) or e == 1 for e in range(4))
        return 1 if len(seen) == 2 else 2""",
    "equal keys": "return 1 if {1: 2, True: 3, 1.0: 4}[1] == 4 else 2",
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGING)
def test_no_branch_is_refuted_that_is_taken(name: str, modules: Modules) -> None:
    text = "def f(n: int):\n" + textwrap.indent(textwrap.dedent(CHANGING[name].replace("; ", "\n")), "    ")
    subject, rng = modules.load(text, native=False, callees=False), random.Random(name)
    never = {one for one in range(2 * len(subject.sites)) if refuted(subject, one, {}, 5.0)}
    taken = set[int]().union(*(subject.run(drawn(subject, rng)).covered for _ in range(60)))
    assert taken
    assert not [subject.sites[one >> 1] for one in taken & never]


@pytest.mark.parametrize("order", ["list(KINDS)[0]", "tuple(KINDS)[0]", "[kind for kind in KINDS][0]", "max([*KINDS])"])
def test_the_order_of_a_set_is_not_known(order: str, modules: Modules) -> None:
    text = f"KINDS = {{'a', 'b', 'c'}}\ndef f(n: int):\n    if {order} == 'a':\n        return 1\n    return 2\n"
    subject = modules.load(text, native=False, callees=False)
    assert not any(refuted(subject, outcome, {}, 5.0) for outcome in range(2))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T = [1]\ndef f(): return T[0] + len(T) + sum(T)", True),
        (
            "T: list[int] = [1]\n__all__ = ['T']\ndef f():\n  for x in T: print(x)\n  return 2 in T, [*map(abs, T)]",
            False,
        ),
        (
            "T: list[int] = [1]\n__all__ = ['T']\ndef f():\n  for x in T: print(x)\n  return 2 in T",
            True,
        ),
        ("T = {1: 2}\ndef f(): return T.get(1), sorted(T.items())", True),
        ("T = [1]\ndef f(): return T", False),
        ("T = [1]\ndef f(): g(T)", False),
        ("T = [1]\nU = T\ndef f(): U[0] = 2", False),
        ("T = [1]\ndef f(): T[0] = 2", False),
        ("T = [1]\nT[0] += 1", False),
        ("T = [1]\ndef f(): T.append(2)", False),
        ("T = [1]\ndef f(): return T.append", False),
        ("T = [1]\ndef f(len): return len(T)", False),
        ("from x import *\nT = [1]\ndef f(): return len(T)", False),
        ("T = [1]\ndef f(): globals()['T'].append(2)", False),
        ("T = [1]\ndef f(n): globals()[n].append(2)", False),
        ("T = make()\ndef f(): return T[0]", False),
        ("T = U = [1]\ndef f(): return T[0]", False),
        ("class P: pass\nT = [1]\nP.T = 3\ndef f(): return T[0]", False),
    ],
)
def test_which_tables_are_only_read(text: str, expected: bool) -> None:
    assert is_only_read(ast.parse(text), "T") is expected
