"""Suites made by hand from small sources, for the tests of what is written from a suite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from programs import words_of
from zeroin.subject.base import Outcome, Target, branches_of
from zeroin.subject.llvm.engine import LlvmSubject
from zeroin.subject.llvm.options import LlvmOptions
from zeroin.subject.llvm.parameters import CReplay
from zeroin.suite.suite import Input, Suite

MakeSuite = Callable[..., Suite]

_ALIVE: list[LlvmSubject] = []  # loaded code stays loaded: what one test compiled is no business of the next


@pytest.fixture
def make_suite(tmp_path: Path) -> MakeSuite:
    """``make_suite(file, text, function, [values, ...])``: writes the file, loads the function, runs the values.

    ``crashing`` values are not run: they are entered as inputs that divide by zero.
    """

    def make(file: str, text: str, function: str, inputs: Sequence[Sequence[Any]], *, cc: Sequence[str] = (),
             others: Sequence[Path] = (), options: LlvmOptions | None = None,
             crashing: Sequence[Sequence[Any]] = ()) -> Suite:  # fmt: skip
        path = tmp_path / "src" / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        subject = LlvmSubject(path, function, options or LlvmOptions(cc=tuple(cc), others=tuple(others)))
        _ALIVE.append(subject)
        kept = []
        for values in inputs:
            words = words_of(subject.signature, *values)
            kept.append(Input(words, subject.run(words).covered, subject.replay(words)))
            assert kept[-1].outcome is Outcome.RETURNED
        for values in crashing:
            kept.append(Input(words_of(subject.signature, *values), frozenset(), CReplay(Outcome.FPE)))
        target = Target(f"{file}:{function}", path, function, subject.language, tuple(cc), tuple(others))
        return Suite(target, subject.signature, subject.sites, branches_of(subject.sites), kept, [], seed=7,
                     evaluations=100, seconds=0.5, stopped="all branches decided")  # fmt: skip

    return make
