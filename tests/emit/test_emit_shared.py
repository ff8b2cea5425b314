"""Pointers that lead to the same memory: each engine finds such calls, and emitted tests make them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from c_tests import FRAMEWORKS, check, run_in
from zeroin.config import Budget, Options
from zeroin.report.json import JsonReport
from zeroin.suite.suite import Suite
from zeroin.worker.parent import cover

C = """
int cmp(int *p, int *q) { if (p == q) return 1; return 0; }
void swap(int *a, int *b) { if (a == b) return; *a ^= *b; *b ^= *a; *a ^= *b; }
int alias2(int *p, int *q) { *p = 5; *q = 7; if (*p == 7) return 1; return 0; }
struct V { double x, y; };
int same(const struct V *a, const struct V *b) { if (a == b) return 1; return a->x == b->x ? 2 : 3; }
int never(short *p, short *q) { *p = 5; *q = 7; if (*p == 6) return 1; return 0; }
void move(void *to, const void *from, unsigned long n)
{
    unsigned char *d = (unsigned char *)to; const unsigned char *s = (const unsigned char *)from; unsigned long i;
    if (d == s) return;
    if (d < s) for (i = 0; i < n; i++) d[i] = s[i];
    else for (i = n; i > 0; i--) d[i - 1] = s[i - 1];
    if (n > 1 && s + 1 == d) d[0] = s[1];
}
void cmul(double *r, const double *a, const double *b)
{
    double re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
    if (r == a && r == b) im = 2 * a[0] * a[1];
    else if (r == a || r == b) im += 0.0;
    r[0] = re; r[1] = im;
}
int member(struct V *a, double *b) { a->y = 1; *b = 2; if (a->y == 2) return 1; return 0; }
int text(const char *s, const char *t) { if (s == t) return 1; if (s + 1 == t) return *t ? 2 : 3; return 0; }
"""
CXX = """
struct V { double x, y; };
int refs(int &p, int &q) { p = 5; q = 7; if (p == 7) return 1; return 0; }
int objects(V &a, const V &b) { if (&a == &b) return 1; a.x = b.y; return 0; }
int part(V &a, double &b) { a.y = 1; b = 2; if (a.y == 2) return 1; return 0; }
int array(int *p, const int *q) { p[0] = 1; p[1] = 2; if (*q == 2) return 1; return 0; }
"""


def suite_of(folder: Path, text: str, function: str, engine: str = "hybrid") -> Suite:
    folder.mkdir(exist_ok=True)
    path = folder / ("f.cpp" if text is CXX else "f.c")
    path.write_text(text)
    return cover(f"{path}:{function}", Options(engine=engine, budget=Budget(4_000_000, 60.0)))


@pytest.mark.parametrize("engine", ["hybrid", "explore", "prove", "targets", "minimize"])
@pytest.mark.parametrize("function", ["cmp", "swap", "alias2", "same"])
def test_no_engine_says_that_it_never_happens(tmp_path: Path, engine: str, function: str) -> None:
    suite = suite_of(tmp_path, C, function, engine)
    assert suite.proofs == {}
    if engine in ("hybrid", "explore", "targets"):
        assert suite.percent == 100.0


@pytest.mark.parametrize("engine", ["hybrid", "explore", "prove"])
def test_what_never_happens_is_proved(tmp_path: Path, engine: str) -> None:
    suite = suite_of(tmp_path, C, "never", engine)
    assert [branch.id for branch in suite.branches if branch.outcome in suite.proofs] == ["0T"]


@pytest.mark.parametrize("function", ["swap", "same", "move", "cmul", "member", "text"])
def test_emitted_tests_make_such_calls(tmp_path: Path, function: str) -> None:
    suite = suite_of(tmp_path / "c", C, function)
    assert suite.percent == 100.0
    check(suite, tmp_path / "own")


@pytest.mark.parametrize("function", ["refs", "objects", "part", "array"])
def test_emitted_tests_of_cxx_make_such_calls(tmp_path: Path, function: str) -> None:
    suite = suite_of(tmp_path / "c", CXX, function)
    assert suite.percent == 100.0
    check(suite, tmp_path / "own")


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_frameworks_make_such_calls(tmp_path: Path, framework: str) -> None:
    status, _ = run_in(suite_of(tmp_path / "c", C, "move"), framework, tmp_path / framework)
    assert status == 0


def test_calls_read_as_they_are(tmp_path: Path) -> None:
    suite = suite_of(tmp_path / "c", C, "swap")
    text = check(suite, tmp_path / "own")
    assert "swap(&a, &a);" in text
    shared = [kept for kept in suite.inputs if suite.signature.aliases(kept.words)]
    assert len(shared) == 1
    assert suite.signature.show(shared[0].words).startswith("swap(a={")
    inputs = json.loads(JsonReport().text([suite]))["targets"][0]["inputs"]
    assert [one["aliases"] for one in inputs if "aliases" in one] == [{"b": "a"}]
