"""How calls pass their arguments: by name where there are many, and no default."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from zeroin import PythonOptions, PythonSubject, Suite
from zeroin.emit.test_header import Batch
from zeroin.generate.stopped import Stopped
from zeroin.languages.python.emit.test_file import PytestFile
from zeroin.languages.python.front.parameters import nameable
from zeroin.languages.python.language import PythonTarget
from zeroin.subject.base import branches_of
from zeroin.suite.suite import Input

_NUMBERS = count(1)  # a module is imported once

AREA = """
def area(a: float, b: float, c: float, scale: float = 1.0, offset: float = 0.0) -> float:
    return (a + b + c) * scale if offset > 2.0 else offset
"""
FIRST = """
def first(a: float, b: float, /, c: float, d: float, *, e: float = 2.0) -> float:
    return a if b > c else d + e
"""
REST = """
def rest(a: float = 1.0, b: float = 2.0, *others: float) -> float:
    return a + b + sum(others)
"""


def written(folder: Path, text: str, name: str, *several: Sequence[Any]) -> str:
    """The test of a function for these values of its parameters."""
    path = folder / f"{name}{next(_NUMBERS)}.py"
    path.write_text(text)
    subject = PythonSubject(str(path), name, PythonOptions())
    parameters = subject.signature.parameters
    inputs = []
    for values in several:
        given = zip(parameters, values, strict=True)
        words = tuple(word for parameter, value in given for word in parameter.shape.encode(value))
        inputs.append(Input(words, subject.run(words).covered, subject.replay(words)))
    target = PythonTarget(f"{path}:{name}", path, name, "python", module=path.stem, root=folder)
    suite = Suite(target=target, signature=subject.signature, sites=subject.sites, inputs=inputs, findings=[], seed=0,
                  branches=branches_of(subject.sites), evaluations=1, seconds=0.1, stopped=Stopped.COVERED)  # fmt: skip
    return PytestFile().text(Batch((suite,)), folder)


@pytest.mark.parametrize(("text", "name", "values", "call"), [
    (AREA, "area", [1.0, 2.0, 3.0, 1.0, 0.0], "area(1.0, 2.0, 3.0)"),
    (AREA, "area", [1.0, 2.0, 3.0, 4.0, 0.0], "area(a=1.0, b=2.0, c=3.0, scale=4.0)"),
    (AREA, "area", [1.0, 2.0, 3.0, 1.0, 5.0], "area(a=1.0, b=2.0, c=3.0, offset=5.0)"),
    (FIRST, "first", [1.0, 2.0, 3.0, 4.0, 2.0], "first(1.0, 2.0, c=3.0, d=4.0)"),
    (FIRST, "first", [1.0, 2.0, 3.0, 4.0, 5.0], "first(1.0, 2.0, c=3.0, d=4.0, e=5.0)"),
    (REST, "rest", [1.0, 2.0, (3.0, 4.0, 5.0)], "rest(1.0, 2.0, 3.0, 4.0, 5.0)"),
])  # fmt: skip
def test_many_arguments_have_names_and_defaults_are_left_out(
    tmp_path: Path, text: str, name: str, values: list[Any], call: str
) -> None:
    assert f" {call} ==" in written(tmp_path, text, name, values)


def test_rows_have_names_too(tmp_path: Path) -> None:
    text = written(tmp_path, AREA, "area", [1.0, 2.0, 3.0, 1.0, 5.0], [2.0, 2.0, 3.0, 1.0, 6.0])
    assert "assert area(a=a, b=b, c=c, offset=offset) == expected" in text


def plain(a: float, b: float) -> float:
    return a + b


@functools.wraps(plain)
def by_position(*arguments: float) -> float:
    return plain(*arguments)


@functools.wraps(plain)
def by_any(*arguments: float, **named: float) -> float:
    return plain(*arguments, **named)


def test_names_that_a_decorated_function_takes() -> None:
    assert nameable(plain) == nameable(by_any) == {"a", "b"}
    assert nameable(by_position) == nameable(max) == set()
    assert nameable(lambda a, *b: a) == set()
