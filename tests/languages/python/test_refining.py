"""Annotations that say less than the code, and classes of which constructors say too little."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from languages.python.modules import Modules
from languages.python.test_evidence import GRID, ran, types_of
from zeroin import COVERED, Budget, Options, PythonOptions, cover
from zeroin.emit.files import write
from zeroin.errors import UnsupportedParameter
from zeroin.languages.plugins import EMITTERS
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.languages.python.values.callables import Returning
from zeroin.languages.python.values.containers import Object, Str, Union

_HEAD = """
import enum
import socket
import typing
from collections.abc import Callable, Sequence
import numpy as np
class Account:
    def __init__(self, owner, amount):
        self.owner = owner.strip()
        self.amount = amount / 2
class Outer:
    def __init__(self, inner: Account):
        self.inner = inner
"""


@pytest.mark.parametrize(
    ("hint", "body", "type_"),
    [
        ("list", "return [y for y in x if y.upper() == 'A']", "list[str]"),
        ("list", "return x[0][1] * 2.0", "list[list[float]]"),
        ("list | None", "return [y >> 1 for y in x]", "list[int] | None"),
        ("list[float]", "return [y >> 1 for y in x]", "list[float]"),  # what an annotation says, stands
        ("list", "return x.upper()", "list[float]"),  # no list: nothing is read of its items
        ("Sequence", "return ','.join(x)", "list[str]"),
        ("Sequence[typing.Any]", "return ','.join(x)", "list[str]"),
        ("tuple", "first, second = x\nreturn first.upper() + str(second / 2)", "tuple[str, float]"),
        ("tuple", "return [y >> 1 for y in x]", "tuple[int, ...]"),
        ("tuple[float, float]", "return x[0] >> 1", "tuple[float, float]"),
        ("np.ndarray", "return x[0, 1] > 2", GRID),
        ("np.ndarray", "return x.mean()", "ndarray"),
        ("typing.Any", "return x & 3", "int"),
        ("object", "return x.upper()", "str"),
        ("Account", "return x.amount > 1", "Account"),
        ("list[Account]", "return x[0].amount > 1", "list[Account]"),
        ("Account | None", "return x.amount > 1", "Account | None"),
        ("Outer", "return x.inner.amount > 1", "Outer"),
    ],
)
def test_what_an_annotation_leaves_open_is_read(modules: Modules, hint: str, body: str, type_: str) -> None:
    indented = "\n".join(f"    {line}" for line in body.splitlines())
    (found,) = types_of(modules, f"{_HEAD}\ndef f(x: {hint}):\n{indented}\n")
    assert found.replace("npt.NDArray[np.float64]", "ndarray") in (type_, " | ".join(reversed(type_.split(" | "))))


def test_a_type_given_is_refined_too(modules: Modules) -> None:
    subject: PythonSubject = modules.load("def f(x):\n    return ','.join(x)\n", "f", types="x: list")
    assert [parameter.type for parameter in subject.signature.parameters] == ["list[str]"]


@pytest.mark.parametrize("hint", ["Callable", "Callable[..., typing.Any]"])
def test_callables_return_what_code_makes_of_their_results(modules: Modules, hint: str) -> None:
    subject: PythonSubject = modules.load(f"{_HEAD}\ndef f(x: {hint}):\n    return x(1.0).upper() == 'A'\n", "f")
    (parameter,) = subject.signature.parameters
    assert isinstance(parameter.shape, Union)
    assert Returning(Str()) in parameter.shape.alternatives


def test_an_annotated_object_has_its_constructor_read(modules: Modules, tmp_path: Path) -> None:
    text = """
        class Account:
            def __init__(self, owner, amount):
                self.owner = owner.strip()
                self.amount = amount
        def f(accounts: list[Account], other: Account):
            for account in accounts:
                if account.owner == "Smith" and account.amount == 1024.5:
                    return 1
            return 2 if other.owner == "Jones" else 3
    """
    suite = cover(f"{modules.write(text)}:f", Options(budget=Budget(evaluations=300_000)))
    assert suite.count(COVERED) == len(suite.branches)
    assert f"{len(suite.inputs)} passed" in ran(write(EMITTERS["pytest"](), suite, tmp_path))


@pytest.mark.parametrize("hint", ["socket.socket", "list[socket.socket]"])
def test_objects_of_the_standard_library_are_not_made_by_guessing(modules: Modules, hint: str) -> None:
    with pytest.raises(UnsupportedParameter, match=r"^f: parameter 'x'.*socket"):
        modules.load(f"{_HEAD}\ndef f(x: {hint}):\n    return x.fileno() > 1\n", "f")


def test_what_contains_itself_ends(modules: Modules) -> None:
    text = """
        class Node:
            def __init__(self, next: "Node | None", value):
                self.next, self.value = next, value >> 1
        def f(x: Node):
            return x.value > 1
    """
    assert types_of(modules, text) == ["Node"]


def test_given_types_do_not_name_what_objects_inside_are_made_with(modules: Modules) -> None:
    text = """
        class Box:
            def __init__(self, x):
                self.x = x.strip()
        def f(x):
            return x.x
    """
    subject: PythonSubject = modules.load(text, "f", types="x: Box")
    (parameter,) = subject.signature.parameters
    assert isinstance(parameter.shape, Object)
    assert parameter.shape.arguments == (Str(),)


def test_only_classes_of_modules_in_use_are_guessed(modules: Modules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(modules.folder)
    package = modules.folder / "zeroin_shop"
    package.mkdir()
    here = {
        "__init__": "",
        "aside": "class Aside:\n    def __init__(self, price: float): self.price, self.stock = price, 2\n",
        "stock": "class Item:\n    def __init__(self, price: float): self.price, self.stock = price, 2\n",
        "helper": "from .stock import Item\ndef best(): return Item(1.0)\n",
        "own": "from .helper import best\ndef f(x): return x.price > 2 and x.stock > 3\n",
    }
    for name, text in here.items():
        (package / f"{name}.py").write_text(text)
    importlib.import_module("zeroin_shop.aside")
    subject = PythonSubject("zeroin_shop.own", "f", PythonOptions(native=False))
    assert [one.type for one in subject.signature.parameters] == ["Item"]
