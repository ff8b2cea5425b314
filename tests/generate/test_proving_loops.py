"""Proofs that need what holds in loops: found by searches, and such that others can check them."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3

from programs import Programs
from zeroin import INFEASIBLE, Options, Suite, cover
from zeroin.config import Budget
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import FOLLOWING, generate, schedule_named
from zeroin.generate.search import Search
from zeroin.generate.stopped import Stopped
from zeroin.subject.base import branches_of
from zeroin.subject.goals import goals_of

ILOGB = """
int f(int hx) {
    int ix;
    if (hx <= 0 || hx >= 0x00100000) return 0;
    for (ix = -1022, hx <<= 11; hx > 0; hx <<= 1) { ix -= 1; if (hx == 1) return 5; }
    if (hx == 0) return 7;
    return ix;
}
"""
TURNS = """
int f(int n) {
    int i, j, left = 4;
    if (n > 200) n = 200;
    for (i = 0; i < n; i += 2) {
        for (j = i; j < 9; j += 2) if (j & 1) return 1;
        if (i == 4) left--;
    }
    if (left == 3) return 2;
    return 0;
}
"""


def suite_of(text: str, folder: Path) -> Suite:
    (folder / "f.c").write_text(text)
    return cover(f"{folder}/f.c:f", Options(Budget(seconds=20.0), queries=True))


def test_what_newlib_asks_in_vain_is_proved(tmp_path: Path) -> None:
    suite = suite_of(ILOGB, tmp_path)
    proofs = {v.branch.id: v.proof for v in suite.verdicts if v.verdict == INFEASIBLE}
    assert suite.percent == 100.0
    assert set(proofs) == {"3T", "4T"}
    for proof in proofs.values():
        assert proof is not None
        assert "loop invariants" in proof.method
        assert proof.confirmed_by
        *why, last = proof.query.split("(reset)")
        assert len(why) >= 2  # at least the way in and the way back
        assert all(answer_of(each) == "unsat" for each in why)
        assert answer_of(last + "(check-sat)") == "unsat"
        assert last.count("(assert") > 1  # each invariant has its own


def answer_of(script: str) -> str:
    assert script.count("(check-sat)") == 1
    solver = z3.Solver()
    solver.add(z3.parse_smt2_string(script))
    return str(solver.check())


def test_what_runs_take_is_found_and_not_proved(programs: Programs) -> None:
    subject = programs.load(TURNS)
    search = Search(subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants),
                    Budget(10**9, 20.0), 0)  # fmt: skip
    generate(search, schedule_named("hybrid"))
    names = {branch.outcome: branch.id for branch in branches_of(subject.sites)}
    taken = {outcome for word in range(-1, 202) for outcome in subject.run((word,)).covered}
    assert {names[outcome] for outcome in search.proofs} == {"3T"}
    assert taken == names.keys() - search.proofs.keys()


def test_a_path_through_what_no_loop_gives_is_refuted(programs: Programs) -> None:
    subject = programs.load(ILOGB)
    subject.wanted = (1, 3, 4, 6)
    goals = goals_of(subject.sites, Options(path="0F 1F 2T 3T"))
    search = Search(subject, goals, domain_of(subject.signature, subject.constants), Budget(500_000, 20.0), 0)
    assert generate(search, FOLLOWING) is Stopped.DECIDED


HARD = """
int f(unsigned x, unsigned y)
{
    unsigned a = (x ^ y >> 13) * 0x1ce4e5b9 + x * y, b = (y ^ x >> 16) * 0x133111eb * a;
    if (a * b * b == 17 && (a ^ b * x) == 12345)
        return 1;
    return 0;
}
"""


@pytest.mark.parametrize("engine", ["explore", "prove"])
def test_what_is_too_hard_for_limited_work_is_left(engine: str, programs: Programs) -> None:
    """The seconds would do for much more."""
    subject = programs.load(HARD)
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(10**6, 10_000.0, work=0.02), 0)
    assert generate(search, schedule_named(engine)) is Stopped.TRIED
    assert search.missing
