"""The head of a test says how to make it again, whatever the options."""

from __future__ import annotations

import dataclasses
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zeroin.cli.main import build_parser
from zeroin.cli.options import read_options
from zeroin.config import Budget, Options
from zeroin.emit.files import write
from zeroin.emit.test_header import Batch, command_of, mark, options_in_words, read_mark
from zeroin.languages.plugins import EMITTERS
from zeroin.languages.python.language import PythonTarget
from zeroin.suite.suite import Suite

MakeSuite = Callable[..., Suite]

# The same suite is made, or no command can ask for it, or it belongs to where the suite is written.
NO_MATTER: dict[str, Any] = {
    "jobs": 3,
    "link": True,
    "exclude": ("*.py",),
    "simplify": False,
    "found": Path("found"),
    "resume": True,
    "trace": Path("t.jsonl"),
    "verbose": True,
    "queries": True,
    "mutants": True,
    "shared": ("x > 0",),
    "checks_usual": True,
    "samples": True,
}
OTHERS: dict[str, Any] = {
    "budget": Budget(1234, 2.5), "engine": "explore", "minimizer": "es(mu=15, lambda=100)", "distance": "squared",
    "cc": ("clang", "-DNAME=a b", "-Iinclude"), "others": (Path("one.c"), Path("two files.c")), "callees": True,
    "arrays": ("xs=8,n", "ys=3"), "strings": ("s=8",),
    "types": 'x: float, s: Literal["it\\"s", \'b\']', "include": ("package.other",),
    "assume": ("x > 0, x == x", "y < 1"), "finite": True, "expect": ("ValueError", "package.other.Error"),
    "fuel": 5000, "memory": 64 << 20, "allow": ("files", "network"), "native": False,
    "prefer": ("f", "17-25"), "defer": ("a b",), "line": 14, "branches": ("7F", "8T"),
    "path": "0T, 3F", "boundary": True,
    "objective": f"{Path('mine.py').absolute()}:Boundary", "find": ("nan", "bounds"), "faults": False,
    "findings": "omit",
    "suite": "small",
    "test_name": "gen_{}_test", "load_timeout": 90.5,
}  # fmt: skip
NEEDED: dict[str, dict[str, Any]] = {"prefer": {"engine": "explore"}, "defer": {"engine": "explore"}}


def understood(command: str, words: list[str]) -> Options:
    return dataclasses.replace(read_options(build_parser().parse_args([command, *words, "x.py:f"])), found=None)


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Options) if field.name != "seed"])
def test_every_option_can_be_said_again(name: str) -> None:
    """An option that is new has to be put in words, or stands in ``NO_MATTER``."""
    assert name in {**OTHERS, **NO_MATTER}
    options = dataclasses.replace(Options(), **{name: {**OTHERS, **NO_MATTER}[name], **NEEDED.get(name, {})})
    words = options_in_words(options)
    assert options_in_words(Options()) == []
    if name in NO_MATTER:
        assert words == []
    else:
        assert understood(command_of(options), words) == options


def test_the_command_stands_in_each_kind_of_test(covered: dict[str, list[Suite]], tmp_path: Path) -> None:
    others = {"line": 0, "path": "", "boundary": False, "objective": "", "find": (), "faults": True, "assume": ()}
    options = dataclasses.replace(Options(), **{**OTHERS, **others})
    for make in EMITTERS.values():
        emitter = make()
        for suite in [suite for language in emitter.languages for suite in covered[language]]:
            asked = dataclasses.replace(suite, options=options, seed=11)
            text = write(emitter, asked, tmp_path).read_text()
            shown = text.partition("Made by:")[2].partition("Covers")[0].replace("\n * ", "\n").replace("\n *", "\n")
            if isinstance(suite.target, PythonTarget):
                shown = eval(f'"""{shown}"""')
            words = shlex.split(shown.replace("\\\n", ""))
            assert words[:6:5] == ["zeroin", "11"]
            assert words[-1] == os.path.relpath(suite.target.text)
            assert understood(words[1], words[2:-1]) == dataclasses.replace(options, seed=11)


def test_a_mark_is_read_as_it_is_written(make_suite: MakeSuite, tmp_path: Path) -> None:
    suite = make_suite("f.c", "int f(int x) { return x > 3 ? 1 : 0; }\nint g(int x) { return x; }", "f", [[4], [1]])
    found = read_mark(f"/* {mark(Batch((suite,)), tmp_path)} */")
    assert found is not None
    assert (found.covered, found.inputs) == (2, 2)
    untested = [dataclasses.replace(suite.inputs[0], untested="it fails"), suite.inputs[1]]
    partly = dataclasses.replace(suite, inputs=untested)
    less = read_mark(mark(Batch((partly,)), tmp_path))
    assert less is not None
    assert (less.covered, less.inputs, less.target) == (1, 1, found.target)
    assert found > less
    other = dataclasses.replace(suite, target=dataclasses.replace(suite.target, function="g"))
    assert f"(target {found.target})" not in mark(Batch((other,)), tmp_path)
    assert mark(Batch((suite,)), tmp_path) != mark(Batch((suite,)), tmp_path / "deeper")
    assert read_mark('"""Tests of f, written by hand."""') is None
    assert "Covers 1 of 2 branches with 1 input (" in mark(Batch((partly,)), tmp_path)
