"""What exceptions Python's own methods and functions raise is what the table says, for any values of fitting types."""

from __future__ import annotations

import builtins
import itertools
import math
import operator
import random
from collections.abc import Callable
from typing import Any

import pytest

from languages.python.modules import Modules
from languages.python.test_blocks import drawn
from proofs import refuted
from zeroin.languages.python.read.blocks.known_exceptions import _CALM, _METHODS, of_binary, of_change, of_function
from zeroin.solvers.chain import checked
from zeroin.solvers.smt import Z3

VALUES: dict[Any, list[Any]] = {
    int: [0, 1, -1, 7, 10**30, -(10**30)],
    bool: [False, True],
    float: [0.0, -0.0, 1.5, math.inf, -math.inf, math.nan, 1e308],
    str: ["", "a", "ab,c", " \t", "\u00df", "\U0001f600"],
    bytes: [b"", b"a", b"\xff"],
    type(None): [None],
    tuple: [(), (1,), (1, 2, 3)],
    list: [[], [1], [1, 2, 3], [1.5], ["a", "b"]],
    dict: [{}, {1: 2}, {"a": 1, "b": 2}],
    set: [set(), {1}, {"a", "b"}],
    frozenset: [frozenset(), frozenset((1, 2))],
}
ENTRIES = [
    (kind, name, wanted, raised)
    for kind, methods in _METHODS.items()
    for name, several in methods.items()
    for wanted, raised in several
]


def raised_by(function: Callable[..., object], *arguments: object) -> type[BaseException] | None:
    try:
        function(*map(fresh, arguments))
    except Exception as error:
        return type(error)
    return None


def fresh(value: Any) -> Any:
    return value.copy() if isinstance(value, list | dict | set) else value


@pytest.mark.parametrize(("kind", "name", "wanted", "raised"), ENTRIES, ids=lambda one: getattr(one, "__name__", one))
def test_methods_raise_nothing_else(kind: type, name: str, wanted: Any, raised: tuple[type, ...]) -> None:
    choices = [[value for each in VALUES if classes is None or each in classes for value in VALUES[each]]
               for classes in wanted]  # fmt: skip
    seen = set()
    for of, *arguments in itertools.product(VALUES[kind], *choices):
        found = raised_by(getattr(kind, name), of, *arguments)
        assert found is None or found in raised, (of, name, arguments)
        seen.add(found)
    assert seen - {None} <= set(raised)


@pytest.mark.parametrize("function", [*_CALM, sum, sorted, min, max, set, frozenset], ids=lambda one: one.__name__)
def test_functions_raise_nothing_else(function: Callable[..., Any]) -> None:
    known = 0
    for kind, values in VALUES.items():
        for value in values:
            items = list(value) if kind in (str, bytes, tuple, list, dict, set, frozenset) else []
            (item, *others) = {type(one) for one in items} or {int}
            raised = of_function(function, [kind], None if others else item)
            if raised is not None:
                known += 1
                found = raised_by(function, value)
                assert found is None or found in raised, (function, value)
    assert known


def test_operators_and_changes_raise_nothing_else() -> None:
    signs = {"+": operator.add, "-": operator.sub, "&": operator.and_, "|": operator.or_, "^": operator.xor,
             ">>": operator.rshift, "*": operator.mul, "<<": lambda a, b: a << min(b, 99)}  # fmt: skip
    for (sign, does), one, other in itertools.product(signs.items(), VALUES, VALUES):
        if (raised := of_binary(sign, [one, other])) is not None:
            for a, b in itertools.product(VALUES[one], VALUES[other]):
                found = raised_by(does, a, b)
                assert found is None or found in raised, (sign, a, b)
    for container, index, deletes in itertools.product((list, dict, tuple, str, set), VALUES, (False, True)):
        if (raised := of_change(container, index, deletes)) is not None:
            for of, at in itertools.product(VALUES[container], VALUES[index]):
                found = raised_by(operator.delitem, of, at) if deletes else raised_by(operator.setitem, of, at, 1)
                assert found is None or found in raised, (of, at, deletes)


PROGRAM = """
def f(d: dict[str, int], xs: list[int], s: set[int], t: str, n: int):
    try:
        {}
    except {}:
        return 1
    return 0
"""
# A statement, and classes of exceptions: one that it raises, and one that it does not.
STATEMENTS = {
    'del d["a"]': ("KeyError", "IndexError"),
    "del xs[n]": ("IndexError", "KeyError"),
    "xs.pop()": ("IndexError", "ValueError"),
    "xs.pop(n)": ("LookupError", "ValueError"),
    "xs.insert(n, 3)": ("OverflowError", "LookupError"),
    "xs[n] = 4": ("IndexError", "TypeError"),
    "xs[0], xs[1] = 1, 2": ("IndexError", "ValueError"),
    "xs.remove(n)": ("ValueError", "LookupError"),
    "xs.index(7)": ("ValueError", "IndexError"),
    "d.pop(t)": ("KeyError", "ValueError"),
    "s.remove(n)": ("KeyError", "ValueError"),
    "s.pop()": ("KeyError", "IndexError"),
    "max(xs)": ("ValueError", "TypeError"),
    't.index("x")': ("ValueError", "IndexError"),
    "n >> xs[0]": ("(ValueError, IndexError)", "TypeError"),
}
QUIET = ("xs.sort()", "sum(xs)", "d.update(d)", 'd["b"] = n', "xs.append(n)", "s.add(n)", "sorted(d)", "t.upper()",
         "xs[1:n]", "xs + xs", "s | s", "{n, 2}", "d.get(t)", "t.find(t)", "len(t)")  # fmt: skip


def handled(modules: Modules, statement: str, classes: str) -> set[int]:
    """The outcomes of the handler that are refuted; none of them is taken by a run."""
    subject = modules.load(PROGRAM.format(statement, classes), native=False, callees=False)
    rng = random.Random(statement)
    found, hard = refuted(subject, checked(Z3()))
    assert not (found | hard) & set[int]().union(*(subject.run(drawn(subject, rng)).covered for _ in range(300)))
    return found | hard


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_handler_of_another_exception_is_never_entered(modules: Modules, statement: str) -> None:
    raised, never = STATEMENTS[statement]
    assert handled(modules, statement, raised) == set()
    assert 0 in handled(modules, statement, never)


@pytest.mark.parametrize("statement", QUIET)
def test_what_raises_nothing(modules: Modules, statement: str) -> None:
    assert handled(modules, statement, "Exception") == {0}


def test_the_table_has_only_methods_that_there_are() -> None:
    assert all(hasattr(kind, name) for kind, name, _, _ in ENTRIES)
    assert all(vars(builtins)[function.__name__] is function for function in _CALM)
