"""The hostile subjects: what is expected of them can be read, a sample is as expected, and what is not is seen."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from bench.hostile.run import PROBLEMS, Result, judge, page
from bench.hostile.subjects import KINDS, Expected, Hostile, subjects

ALL = {subject.name: subject for subject in subjects()}
SAMPLE = ["ending.c:exits_at_once", "odd.c:returns_nothing", "raised.c:interrupts_itself", "threads.c:counts_own",
          "initialisers.cpp:uses_initialised", "refused.c:takes_callback", "ending.py:exits", "guarded.py:overwrites",
          "raises_at_import.py:f", "kinds.py:takes_set"]  # fmt: skip


def test_they_are_many_and_of_all_kinds() -> None:
    c = [s for s in ALL.values() if s.path.suffix != ".py"]
    assert len(c) >= 150
    assert len(ALL) - len(c) >= 80
    for kind in KINDS:
        assert any(e.kind == kind for s in ALL.values() for e in s.findings), kind
    for subject in ALL.values():
        name = subject.function.rpartition(".")[2].rpartition(":")[2]
        assert name in subject.path.read_bytes().decode(errors="replace")


@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_is_as_expected(name: str) -> None:
    result = judge(ALL[name], 1.5)
    assert {kind: what for kind, what in result.problems.items() if kind != "late"} == {}


def test_what_is_not_as_expected_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "f.c"
    path.write_text("#include <stdlib.h>\nint f(int x) { if (x == 3) abort(); return (x & 1) > 1 ? 1 : 0; }\n")
    hostile = Hostile(path, "f", (Expected("hang", ""),), refused=False, undecided=0, options=("--evals", "20000"))
    result = judge(hostile, 1.0)
    result.problems.pop("late", None)  # on a busy machine
    assert result.problems["not found"] == "hang"
    assert result.problems["wrong"].startswith("crash abort()")
    assert result.problems["lost"] == "line 2: (x & 1) > 1 true"
    assert result.findings == 1
    refused = dataclasses.replace(hostile, refused=True)
    assert judge(refused, 1.0).problems["status"].startswith("1 where it should be refused")
    text = page([result], 1.0)
    assert "| C and C++ | 1 | 0 |" in text
    assert "- f.c:f: lost: line 2: (x & 1) > 1 true; not found: hang; wrong: crash abort()" in text
    assert page([Result(hostile, {}, 1.0, 0.5, 0)], 1.0).count("f.c:f") == 0
    assert set(result.problems) <= set(PROBLEMS)
