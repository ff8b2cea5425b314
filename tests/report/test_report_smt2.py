"""The queries of proofs are a script that other solvers read, and answer with unsat."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3

from zeroin.cli.main import main

TEXT = """#include <math.h>
int f(double x, unsigned char n)
{
    if (x > 1.0) { if (1e300 + x <= 1.0) return 1; }
    if (sin(x) > 2.0) return 2;
    if ((n & 3) == 4 || x == 77.5) return 3;
    return 0;
}
static int ones(unsigned char x) { int n = 0; for (int i = 0; i < 8; i++) n += x >> i & 1; return n; }
int counted(unsigned char a) { if (ones(a) == 9) return 1; return 0; }
"""


def answers(script: str) -> list[str]:
    """What z3 says to each query, in order."""
    parts = script.split("(reset)")[1:]
    assert all(part.count("(check-sat)") == 1 for part in parts)
    found = []
    for part in parts:
        solver = z3.Solver()
        solver.add(z3.parse_smt2_string(part))
        found.append(str(solver.check()))
    return found


def test_each_proof_can_be_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "f.c").write_text(TEXT)
    place = tmp_path / "all.smt2"
    assert main(["cover", str(tmp_path / "f.c"), "--out", str(tmp_path), "--emit", "smt2", "--smt2", str(place)]) == 0
    out = capsys.readouterr().out
    assert f"Report written to {tmp_path}/test_f_f.smt2" in out
    script = (tmp_path / "test_f_f.smt2").read_text()
    assert "; 1T line 4: 1e300 + x <= 1.0 true\n; proved by " in script
    assert answers(script) == ["unsat", "sat", "unsat"]  # that there is no sin(x) > 2 is assumed, as the comment says
    assert "; 2T line 5: sin(x) > 2.0 true\n; proved by intervals in" in script
    assert "assuming sin right to 8 ULPs" in script
    assert "; no query: all 256 inputs were run" in (tmp_path / "test_f_counted.smt2").read_text()
    assert answers(place.read_text()) == answers(script)


def test_what_is_not_asked_for_is_not_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from zeroin import Options, cover

    (tmp_path / "f.c").write_text(TEXT)
    for wanted in (False, True):
        suite = cover(f"{tmp_path}/f.c:f", Options(queries=wanted))
        assert [bool(proof.query) for proof in suite.proofs.values()] == [wanted] * 3
