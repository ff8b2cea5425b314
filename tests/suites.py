"""Suites of small sources, for the tests of what is written from a suite."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from programs import words_of
from zeroin.generate.stopped import Stopped
from zeroin.languages.c.language import CTarget
from zeroin.languages.c.options import LlvmOptions
from zeroin.languages.c.replay import CReplay
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.subject.base import Termination, branches_of
from zeroin.suite.suite import Input, Suite

MakeSuite = Callable[..., Suite]

_IR = """\
define i32 @sign(double %x, i32 %n) {
  %c = fcmp ogt double %x, 2.5
  br i1 %c, label %high, label %low
high:
  ret i32 11
low:
  %q = sdiv i32 10, %n
  ret i32 %q
}
"""
# Language, file, and a function ``sign`` in it: all branches are found at once, one input ends in a finding, and where
# 11 stands it returns 11.
SAMPLES = [
    ("c", "sign.c", "int sign(double x, int n)\n{\n    if (x > 2.5)\n        return 11;\n    return 10 / n;\n}\n"),
    ("c", "sign.cpp", "namespace n {\nint sign(double x, int &n)\n{\n    if (x > 2.5)\n        return 11;\n"
                      "    return 10 / n;\n}\n}\n"),
    ("llvm", "sign.ll", _IR),
    ("python", "sign.py", "def sign(x: float, n: int) -> int:\n    if x > 2.5:\n        return 11\n"
                          "    return 10 // n\n"),
]  # fmt: skip


@contextlib.contextmanager
def changed(suite: Suite) -> Iterator[None]:
    """For a while, the sample returns something else."""
    text = suite.target.path.read_text()
    suite.target.path.write_text(text.replace("11", "12"))
    try:
        yield
    finally:
        suite.target.path.write_text(text)


def suite_maker(folder: Path) -> MakeSuite:
    """``make_suite(file, text, function, [values, ...])``: writes the file, loads the function, runs the values.

    ``crashing`` values are not run: they are entered as inputs that divide by zero. Code stays loaded as long as
    ``make_suite`` is in use.
    """
    alive = list[LlvmSubject]()

    def make(file: str, text: str, function: str, inputs: Sequence[Sequence[Any]], *, cc: Sequence[str] = (),
             others: Sequence[Path] = (), options: LlvmOptions | None = None,
             crashing: Sequence[Sequence[Any]] = (), calls: int = 1) -> Suite:  # fmt: skip
        path = folder / "src" / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        subject = LlvmSubject(path, function, options or LlvmOptions(cc=tuple(cc), others=tuple(others), calls=calls))
        alive.append(subject)
        kept = []
        for values in inputs:
            words = words_of(subject.signature, *values)
            kept.append(Input(words, subject.run(words).covered, subject.replay(words)))
            assert kept[-1].outcome is Termination.RETURNED
        for values in crashing:
            kept.append(Input(words_of(subject.signature, *values), frozenset(), CReplay(Termination.FPE)))
        target = CTarget(f"{file}:{function}", path, function, subject.language, tuple(cc), tuple(others))
        return Suite(target=target, signature=subject.signature, sites=subject.sites, inputs=kept, findings=[],
                     branches=branches_of(subject.sites), seed=7,
                     evaluations=100, seconds=0.5, stopped=Stopped.COVERED, strategy="seeds")  # fmt: skip

    return make
