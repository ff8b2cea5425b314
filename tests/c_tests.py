"""Emitted C tests: built as their headers say, and run."""

from __future__ import annotations

import dataclasses
import re
import shlex
import subprocess
from pathlib import Path

import clang
from zeroin.emit import write
from zeroin.emit.c import CTest
from zeroin.subject.base import Replay
from zeroin.subject.llvm.parameters import CReplay
from zeroin.suite.suite import Input, Suite

COMPILERS = {"cc": "cc", "clang": "cc", "c++": "c++"}


def build(suite: Suite, folder: Path) -> Path:
    """Write the test and run the compile command that its header gives, with the bundled Clang; the program."""
    folder.mkdir(parents=True, exist_ok=True)
    test = write(CTest(), suite, folder)
    match = re.search(r"^ \*     (\S+ -fno-builtin .*)$", test.read_text(), re.M)
    assert match is not None
    compiler, *rest = shlex.split(match[1])
    clang.build([COMPILERS[compiler], *rest], folder)
    return test.with_suffix("")


def run(program: Path, *arguments: str) -> tuple[int, list[str]]:
    """Status and lines of the test program."""
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.splitlines()


def check(suite: Suite, folder: Path) -> str:
    """All cases pass; the text of the test, without the digest in our names."""
    status, lines = run(build(suite, folder))
    count = sum(kept.outcome.word == "returned" for kept in suite.inputs)
    assert (status, lines) == (0, [f"{count} passed, 0 failed"])
    return re.sub(r"\bzeroin_[0-9a-f]{6}_", "zeroin_", (folder / CTest().file_name(suite)).read_text())


def replay_of(kept: Input) -> CReplay:
    assert isinstance(kept.replay, CReplay)
    return kept.replay


def with_replay(suite: Suite, number: int, replay: Replay) -> Suite:
    """The same suite, with another expectation of one input."""
    inputs = list(suite.inputs)
    inputs[number] = dataclasses.replace(inputs[number], replay=replay)
    return dataclasses.replace(suite, inputs=inputs)
