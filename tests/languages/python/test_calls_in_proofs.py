"""Calls that proofs execute: recursion with known results, and what another call with the same arguments may do."""

from __future__ import annotations

import random

import pytest

from languages.python.modules import Modules
from languages.python.test_blocks import drawn
from languages.python.test_python_reach import refuted
from zeroin.languages.python.read.blocks import merged
from zeroin.model.memory import Unreadable

Never = set[tuple[str, bool]]

# Functions, and the branches that are proved to be taken by no input.
PROGRAMS: dict[str, tuple[str, Never]] = {
    "the depth is a parameter": (
        """
        def walk(n: int, depth: int = 0) -> int:
            if depth > 3:
                return depth + 10 if n == 0 else -1
            return walk(n - 1, depth=depth + 1)
        def f(n: int):
            if walk(n) == 14:
                return 1 if n == 4 else 2
            return 3 if walk(n) != -1 else 4
        """,
        {("n == 4", False), ("walk(n) != -1", True)},
    ),
    "an argument falls": (
        """
        def fact(n: int) -> int:
            if n <= 1:
                return 1
            return n * fact(n - 1)
        def f(n: int):
            k = n % 6
            if fact(k) == 24:
                return 1 if k == 4 else 2
            if fact(k) == 7 or fact(k) > 120:
                return 3
            return 4
        """,
        {("k == 4", False), ("fact(k) == 7", True), ("fact(k) > 120", True)},
    ),
    "a guard outside bounds it": (
        """
        def down(n: int) -> int:
            if n <= 0:
                return 0
            return down(n - 2)
        def f(n: int):
            if 0 < n < 9:
                return 1 if down(n) else 2
            return 3
        """,
        {("down(n)", True)},
    ),
    "two call each other": (
        """
        def even(n: int) -> bool:
            if n == 0:
                return True
            return odd(n - 1)
        def odd(n: int) -> bool:
            if n == 0:
                return False
            return even(n - 1)
        def f(n: int):
            if even(n & 7):
                return 1 if n & 1 else 2
            return 3 if n & 1 else 4
        """,
        {("n & 1", True), ("n & 1", False)},
    ),
    "an exception": (
        """
        def down(n: int) -> int:
            if n == 3:
                raise KeyError(n)
            if n <= 0:
                return n
            return down(n - 1)
        def f(n: int):
            k = n % 6
            try:
                down(k)
            except KeyError:
                return 1 if k < 3 else 2
            return 3 if k > 2 else 4
        """,
        {("k < 3", True), ("k > 2", True)},
    ),
    "a loop inside": (
        """
        def total(n: int, deep: int) -> int:
            if deep == 0:
                return 0
            found = 0
            for i in range(n & 3):
                if i == 3:
                    return -1
                found += 1 + total(i, deep - 1)
            return found
        def f(n: int):
            if total(n, 2) == 0:
                return 1 if n & 3 else 2
            return 3 if total(n, 2) > 7 else 4
        """,
        {("i == 3", True), ("n & 3", True), ("total(n, 2) > 7", True)},
    ),
    "names in another order": (
        """
        def g(a: int, b: bool, d: int = 0):
            if d == 2:
                return a
            return g(a=b, b=a, d=d + 1) if d else g(a, b, d=d + 1)
        def f(n: int, k: bool):
            v = g(n, k)
            if isinstance(v, bool):
                return 1
            return 2
        """,
        set(),
    ),
    "another call with these arguments": (
        """
        def g(n: int, d: int = 0) -> int:
            if id(n) > 1000:
                return 1
            if d == 2:
                return 2
            return g(n, d + 1)
        def f(n: int):
            if g(n) != g(n):
                return 1
            return 2 if g(n) == 3 else 3
        """,
        {("g(n) == 3", True)},
    ),
    "another turn of a loop in it": (
        """
        def g(n: int, d: int = 1) -> int:
            if d == 0:
                return g(n, d)
            i = 0
            while i < n:
                if i == 70:
                    return i
                i += 1
            return -1
        def f(n: int):
            if g(n) == 70:
                return 2 if g(n) == 70 else 3
            return 4
        """,
        {("d == 0", True)},
    ),
    "an exception of an operation": (
        """
        def f(n: int, d: int):
            if d == 3:
                try:
                    return f(n, 0)
                except ValueError:
                    return 1
            return int("1x"[:n % 3])
        """,
        set(),
    ),
    "an exception that ends in a finally": (
        """
        def g(n: int, d: int = 1) -> int:
            if d > 0:
                return g(n, d - 1)
            return {1: 2}[n]
        def f(n: int):
            done = 0
            try:
                g(n)
                done = 1
            finally:
                if done == 0:
                    n += 1
            return n
        """,
        set(),
    ),
    "a rounded number": (
        """
        import math
        def f(a: float, d: int):
            if d == 3:
                if f(a, 0) == 7:
                    return 1
                return 2
            if a > 1.0:
                return math.floor(a)
            return 7
        """,
        set(),
    ),
    "an attribute of a class": (
        """
        class K:
            c: int = 0
        def g(n: int, d: int = 1) -> int:
            if d > 0:
                return g(n, d - 1)
            if K.c == 5:
                return 0
            return K.c + 0
        def f(x: int):
            before = K.c
            K.c = before + 1
            if g(x) != before:
                return 1
            return 2
        """,
        set(),
    ),
    "none of a number": (
        """
        def g(n: int, d: int = 0):
            if d > 1:
                return None
            return g(n, d + 1)
        def f(n: int):
            return 1 if g(n) is None else 2
        """,
        {("g(n) is None", False)},
    ),
}  # fmt: skip


def check(text: str, never: Never, name: str, modules: Modules) -> None:
    """Just these branches are refuted, and no run takes one of them."""
    subject, rng = modules.load(text, native=False), random.Random(name)
    taken, found = set[int](), set[tuple[str, bool]]()
    for _ in range(600):
        taken |= subject.run(drawn(subject, rng)).covered
    for outcome in range(2 * len(subject.sites)):
        try:
            is_never = refuted(subject, outcome, {})
        except Unreadable:
            break
        if is_never:
            assert outcome not in taken
            found.add((subject.sites[outcome >> 1].condition, outcome % 2 == 0))
    assert found == never


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_proved_with_calls(name: str, modules: Modules) -> None:
    check(*PROGRAMS[name], name, modules)


ENDLESS = """
def g(n: int) -> int:
    if n == 0:
        return 0
    if n < 0:
        return g(n + 1)
    return g(n - 1)
def f(n: int):
    return 1 if g(n) > 0 else 2
"""


def test_calls_that_come_to_no_end_are_unknown(modules: Modules) -> None:
    check(ENDLESS, set(), "endless", modules)


def test_what_calls_execute_is_limited(modules: Modules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merged, "_MOST_IN_CALL", 5)
    text = PROGRAMS["an argument falls"][0]
    check(text, {("fact(k) == 7", True)}, "limited", modules)  # 7 is no multiple of k
