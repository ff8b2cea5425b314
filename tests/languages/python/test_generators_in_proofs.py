"""Generators that proofs execute, where these are consumed at once, and those that they do not execute."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from languages.python.modules import Modules
from languages.python.test_calls_in_proofs import Never, check
from zeroin.languages.python.read.blocks.iterating import _TEXTS

COUNT = """
        def count(n: int):
            i = 0
            while i < n:
                if i == 2:
                    i += 1
                yield i
                i += 1
"""
# Functions, and the branches that are proved to be taken by no input.
PROGRAMS: dict[str, tuple[str, Never]] = {
    "functions that take all": (
        COUNT
        + """
        def f(x: int):
            if sum(count(x & 3)) == 3 or sum(count(x & 7), 10) == 30:
                return 1
            if max(count(x & 7), default=-1) == 2 or min(count(x & 3), default=9) == 1:
                return 2
            if len(list(count(x & 3))) > 3:
                return 3
            return 4 if any(count(x & 1)) else 5 if all(count(x % 2 + 1)) else 6
        """,
        {("sum(count(x & 3)) == 3", True), ("sum(count(x & 7), 10) == 30", True),
         ("max(count(x & 7), default=-1) == 2", True), ("min(count(x & 3), default=9) == 1", True),
         ("len(list(count(x & 3))) > 3", True), ("i == 2", True), ("any(count(x & 1))", True),
         ("all(count(x % 2 + 1))", True)} - {("i == 2", True)},
    ),
    "those that take some": (
        COUNT
        + """
        def f(x: int):
            if next(count(x & 3), 8) == 8:
                return 1 if x & 3 else 2
            if 2 in count(x) or -1 in count(x & 7):
                return 3
            if 3 not in count(x & 7):
                return 4 if x & 7 > 3 else 5
            return 6
        """,
        {("x & 3", True), ("2 in count(x)", True), ("-1 in count(x & 7)", True), ("x & 7 > 3", True)},
    ),
    "a loop": (
        COUNT
        + """
        def f(x: int):
            total = 0
            for v in count(x & 7):
                if v == 2:
                    return 1
                if v == 5:
                    break
                total += v
            else:
                return 2 if total > 8 else 3
            return 4 if total == 8 else 5
        """,
        {("v == 2", True), ("total > 8", True), ("total == 8", False)},
    ),
    "a comprehension": (
        COUNT
        + """
        def f(x: int):
            found = [v - 1 for v in count(x & 3) if v != 1]
            return 1 if len(found) > 2 else 2 if len(found) == 2 and found[1] == 2 else 3
        """,
        {("len(found) > 2", True), ("found[1] == 2", False)},
    ),
    "one in another": (
        """
        def inner(n: int):
            yield n
            yield n + 1
        def outer(n: int):
            for v in inner(n):
                if v == n + 2:
                    return
                yield 2 * v
        def f(x: int):
            found = 0
            for v in outer(x):
                found += v
            return 1 if found == 4 * x + 2 else 2
        """,
        {("v == n + 2", True), ("found == 4 * x + 2", False)},
    ),
    "what it sends": (
        """
        def g(n: int):
            got = 1 + n
            sent = yield n
            if sent is not None:
                yield 7
            yield got
        def f(x: int):
            return 1 if sum(g(x)) == 2 * x + 1 else 2
        """,
        {("sent is not None", True), ("sum(g(x)) == 2 * x + 1", False)},
    ),
    "an exception": (
        """
        def g(n: int):
            yield 1
            if n == 3:
                raise KeyError
            yield 2
        def f(x: int):
            got = 0
            try:
                for v in g(x):
                    got += v
            except KeyError:
                return 1 if got == 1 else 2
            return 3 if got == 3 else 4
        """,
        {("got == 1", False), ("got == 3", False)},
    ),
    "one that is closed": (
        """
        def g(n: int):
            for i in range(2):
                try:
                    yield n
                except GeneratorExit:
                    return
        def f(x: int):
            return 1 if next(g(x), 0) == x else 2
        """,
        set(),
    ),
    "one that stops another": (
        """
        def inner(n: int):
            if n > 3:
                yield n
        def outer(n: int):
            yield next(inner(n))
        def f(x: int):
            try:
                return sum(outer(x))
            except StopIteration:
                return 1
            except RuntimeError:
                return 2
        """,
        set(),
    ),
    "one that has a name": (
        COUNT
        + """
        def f(x: int):
            made = count(x & 3)
            if next(made, 7) == 7:
                return 1
            return 2 if next(made, 7) == 0 else 3
        """,
        set(),
    ),
    "one inside": (
        """
        def f(x: int):
            def g():
                return 5
                yield 1
            return 1 if g() == 5 else 2
        """,
        set(),
    ),
    "floats": (
        """
        def g(n: float):
            yield n
            yield 1e16
            yield -1e16
        def f(x: float):
            return 1 if sum(g(x)) == 0.5 else 2
        """,
        set(),
    ),
    "not the first argument": (
        COUNT
        + """
        def f(x: int):
            try:
                return max(9, count(x))
            except TypeError:
                return 1
        """,
        set(),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_proved_of_generators(name: str, modules: Modules) -> None:
    check(*PROGRAMS[name], name, modules)


def outcome(call: Callable[..., object], *arguments: object) -> object:
    try:
        result = call(*arguments)
    except Exception as error:
        return type(error)
    return type(result), result


@pytest.mark.parametrize(("function", "number"), _TEXTS)
def test_functions_in_python_do_what_those_of_python_do(function: Any, number: int) -> None:
    known: dict[str, Any] = {}
    exec(_TEXTS[function, number], known)
    name = "contains" if function == "in" else function.__name__
    written = known[name]
    for length in range(4):
        for items in itertools.product((0, 1, -2, True), repeat=length):
            for other in (0, 3):
                if function == "in":
                    expected = outcome(lambda one, wanted: wanted in one, iter(items), other)
                elif function in (builtins.min, builtins.max) and number == 2:
                    expected = outcome(lambda one, said: function(one, default=said), iter(items), other)
                else:
                    expected = outcome(function, iter(items), *[other] * (number - 1))
                assert outcome(written, iter(items), *[other] * (number - 1)) == expected
