"""Paths: what some input follows is found, what none follows is proved, and never the other way round."""

from __future__ import annotations

import ctypes
import itertools
import random
from pathlib import Path
from typing import Any

import pytest

from languages.python.modules import Modules
from programs import Programs
from zeroin import Options, cover
from zeroin.config import Budget
from zeroin.errors import OptionError
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import FOLLOWING, generate, schedule_named
from zeroin.generate.search import Search
from zeroin.generate.stopped import Stopped
from zeroin.generate.strategies.path import FollowPath
from zeroin.model.memory import Unreadable
from zeroin.objective.path import PathObjective
from zeroin.subject.base import branches_of
from zeroin.subject.goals import check_path, goals_of, path_of
from zeroin.subject.subject import Subject

C = """#include <stdint.h>
static int up(int n) { if (n > 100) return n - 1; return n + 3; }
int f(uint8_t a, _Bool b) {
    int total = a, i;
    for (i = 0; i < (a & 3); i++) {
        total = up(total);
        if (total % 5 == 2 || b) total += 2;
        if (total > 250) break;
    }
    switch (total & 3) { case 1: total++; break; case 2: return 5; }
    return total > 17 && !b ? 1 : 0;
}
"""
PYTHON = """
def up(n):
    if n > 10:
        return n - 1
    return n + 3

def f(a: Literal[0, 1, 2, 3, 5, 7, 9, 11, 12, 17], b: bool) -> int:
    total = a
    for i in range(a & 3):
        total = up(total)
        if total % 5 == 2 or b:
            total += 2
        if total > 15:
            break
    return 1 if total > 17 and not b else 0
"""

BUDGET = Budget(2_000_000, 60.0, work=1.0)


def subject_of(language: str, programs: Programs, tmp_path: Path) -> Subject:
    if language == "c":
        return programs.load(C, callees=True)
    return Modules(tmp_path).load("from typing import Literal\n" + PYTHON, native=False)


def followed(subject: Subject, words: tuple[int, ...]) -> tuple[int, ...]:
    decisions = subject.execute(words).decisions
    return tuple(2 * decision.site + (not decision.holds) for decision in decisions)


def search_for(subject: Subject, path: tuple[int, ...], budget: Budget = BUDGET) -> Search:
    names = {branch.outcome: branch.id for branch in branches_of(subject.sites)}
    subject.wanted = path
    goals = goals_of(subject.sites, Options(path=" ".join(names.get(outcome, "") for outcome in path)))
    domain = domain_of(subject.signature, subject.constants)
    return Search(subject, goals, domain, budget, 0)


@pytest.mark.parametrize("language", ["c", "python"])
def test_verdicts_on_paths_are_those_of_all_inputs(
    language: str, programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    subject = subject_of(language, programs, tmp_path)
    ranges = [range(low, high + 1) for low, high in domain_of(subject.signature, ()).ranges]
    runs = {followed(subject, words) for words in itertools.product(*ranges)}
    rng, verdicts = random.Random(1), []
    for _ in range(14):
        run = rng.choice(sorted(runs))
        path = run[: rng.randint(1, len(run))]
        if rng.random() < 0.6:
            path = (*path[:-1], path[-1] ^ 1)
        is_followed = any(other[: len(path)] == path for other in runs)
        search = search_for(subject, path, BUDGET if language == "c" else Budget(20_000, 600.0, work=1.0))
        try:
            reason = generate(search, FOLLOWING)
            told = [remark() for remark in search.remarks]
            refuted = (Stopped.DECIDED,) if language == "c" else (Stopped.DECIDED, Stopped.EVALUATIONS)
            assert reason in ((Stopped.COVERED,) if is_followed else refuted), (path, told)
        finally:
            subject.wanted = ()
        assert not (search.proofs and is_followed)
        if is_followed:
            assert any(followed(subject, run.words)[: len(path)] == path for run in search.runs)
        verdicts.append(is_followed)
    assert {True, False} <= set(verdicts)


def test_the_objective_is_zero_for_runs_that_follow_the_path_and_for_no_others(programs: Programs) -> None:
    subject = programs.load(C, callees=True)
    inputs = [(a, b) for a in range(0, 256, 5) for b in (0, 1)]
    taken = {words: followed(subject, words) for words in inputs}
    for start in inputs[::17]:
        path = taken[start][:5]
        question = PathObjective(len(subject.sites), path).question
        call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(subject.install(question))
        for words, along in taken.items():
            value = call((ctypes.c_int64 * 2)(*words))
            assert (value == 0.0) == (along[: len(path)] == path)
            assert value < 1.0 + len(path)
            assert along[0] != path[0] or value < len(path)


def test_known_values_of_the_objective(programs: Programs) -> None:
    """Of the path 0T 1T: what is not come to counts 1, what is decided otherwise less than 1, what is not on it 1."""
    subject = programs.load(
        "int f(int a, int b) { if (a > 10) { if (b > 10) return 1; return 2; } if (b == 3) return 3; return 4; }"
    )
    question = PathObjective(len(subject.sites), (0, 2)).question
    call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(subject.install(question))

    def value(a: int, b: int) -> Any:
        return call((ctypes.c_int64 * 2)(a, b))

    assert value(11, 11) == 0.0
    assert 0.0 < value(11, 10) < value(11, 0) < value(11, -(10**9)) < 1.0
    assert 2.0 < value(10, 0) < value(0, 0) < 3.0  # 0T is near, 1T and the condition of b == 3 count 1 each
    assert value(10, 3) == value(10, 0)


def test_a_path_that_contradicts_itself_is_refused(programs: Programs) -> None:
    subject = programs.load("int f(int a) { if (a > 3) return 1; switch (a) { case 7: return 2; case 1: return 3; } "
                            "if (a < -5) return 4; return 5; }")  # fmt: skip

    def checked(text: str) -> tuple[int, ...]:
        path = path_of(subject.sites, Options(path=text))
        check_path(path, subject.sites, subject.graph)
        return path

    assert checked("0F, 1C7") == (1, 2)
    assert checked("0F 1C1") == (1, 3, 4)
    assert checked("0F,1D,2T") == (1, 3, 5, 6)
    for text, complaint in (
        ("0T, 1C7", "--path: after 0T no condition follows, not 1C7"),
        ("2T", r"--path: at the start only 0T, 0F can follow, not 2T"),
        ("0F 2T", "--path: after 0F only 1C7 can follow, not 2T"),
        ("0F 9T", "--path 9T: no such branch; there are 0T, 0F, 1C7, 1C1, 1D, 2T, 2F "),
    ):
        with pytest.raises(OptionError, match=complaint):
            checked(text)


@pytest.mark.parametrize("name", ["f.c", "f.py"])
def test_covering_a_path(tmp_path: Path, name: str) -> None:
    text = {"f.c": "int f(int n) {\n int i;\n for (i = 0; i < n; i++) if (i == 7)\n return 1;\n return 2;\n}\n",
            "f.py": "def f(n: int) -> int:\n for i in range(n):\n  if i == 7:\n   return 1\n return 2\n"}  # fmt: skip
    (tmp_path / name).write_text(text[name])
    suite = cover(f"{tmp_path / name}:f", Options(path="0T 1F 0T 1F 0F"))
    (verdict,) = suite.verdicts
    assert (verdict.branch.id, verdict.branch.label, verdict.verdict) == ("path", "followed", "covered")
    assert suite.signature.show(suite.inputs[0].words) == "f(2)"
    assert suite.strategy == "seeds, then path"
    suite = cover(f"{tmp_path / name}:f", Options(path="0T 1F 0T 1T", budget=Budget(seconds=1.0)))
    assert [v.verdict for v in suite.verdicts] == ["infeasible" if name == "f.c" else "undecided"]
    assert name == "f.c" or "takes 3 of the path's 4 decisions; no proofs: for python" in suite.notes[-1]
    with pytest.raises(OptionError, match="--engine path: no such engine; choose from hybrid, seeds"):
        schedule_named("path")
    with pytest.raises(OptionError, match="--path: --engine explore can not follow a path"):
        Options(path="0T", engine="explore")


def test_runs_are_read_where_all_ways_at_once_are_not(programs: Programs) -> None:
    """A loop that is entered at two places: nothing can be said of all its ways, and runs are flipped all the same."""
    subject = programs.load("""int f(unsigned n, unsigned k) {
        unsigned s = 0;
        if (n * 2654435761u == 12345u) goto in;
    again: s += n;
    in: s++;
        if ((s ^ k) * 2246822519u == 99u) goto again;
        return s;
    }""")
    with pytest.raises(Unreadable):
        subject.reach(0)
    search = search_for(subject, (0, 2, 3), Budget(2_000_000, 5.0))
    try:
        strategy = FollowPath(search)
        strategy._refute()  # before anything is flipped
        for _ in range(4):
            strategy.step(1_000)  # too few to meet n and k by chance
        assert search.missing == 0
    finally:
        subject.wanted = ()


def test_a_path_to_where_a_run_ends_is_followed(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("#include <stdlib.h>\nint f(int n) { if (n * n == 1522756) abort(); return n; }\n")
    suite = cover(f"{tmp_path}/f.c:f", Options(path="0T"))
    assert [verdict.verdict for verdict in suite.verdicts] == ["covered"]
    assert not any("the best run" in note for note in suite.notes)
