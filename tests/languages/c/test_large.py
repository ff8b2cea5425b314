"""Subjects with many conditions call their probes; what a question is answered does not depend on it."""

from __future__ import annotations

import ctypes
import random
from pathlib import Path

import pytest

from programs import words_of
from zeroin.languages.c.run import instrument
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.objective.branch import BranchObjective
from zeroin.subject.base import Words

CONDITIONS = "".join(
    f"    if (n {op} {7 * i}) s += {i};\n    if (x * s {op} {i}.5) s -= 3;\n"
    for i, op in enumerate(["<", "==", ">=", "!="] * 3)
)
SOURCE = f"""\
int f(int n, double x) {{
    int s = 0;
{CONDITIONS}    switch (n) {{ case 3: s++; break; case 77: s--; break; default: s += 2; }}
    return s;
}}
"""


def test_probes_that_are_called_see_what_those_do_that_are_inlined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "f.c").write_text(SOURCE)
    subjects = []
    for most in (0, 1000):
        monkeypatch.setattr(instrument, "MOST_INLINED", most)
        subjects.append(LlvmSubject(tmp_path / "f.c", "f"))
    rng = random.Random(5)
    graph, sites = subjects[0].graph, len(subjects[0].sites)
    drawn = [
        words_of(subjects[0].signature, rng.randint(-20, 100), rng.choice([0.0, 0.5, -2.0, 3e9])) for _ in range(60)
    ]
    for words in drawn:
        assert subjects[0].run(words) == subjects[1].run(words)
    answers: set[float] = set()
    for target in range(2 * sites):
        objective = BranchObjective(sites)
        objective.aim(graph.levels(target), (1 << 2 * sites) - 1, (1 << 2 * sites) - 1)
        called, inlined = ([value(subject, objective, words) for words in drawn] for subject in subjects)
        assert called == inlined
        answers.update(called)
    assert len(answers) > 50


def value(subject: LlvmSubject, objective: BranchObjective, words: Words) -> float:
    """What the question is answered for these words."""
    address = subject.install(objective.question)
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(address)
    cells = (ctypes.c_int64 * len(words))(*words)
    return float(function(ctypes.addressof(cells)))
