"""Each engine alone covers all that can be covered, within so many evaluations, for 10 seeds of 10."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from programs import Programs
from zeroin.config import Budget, Options
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import generate, schedule_named
from zeroin.generate.search import Search
from zeroin.languages.python.options import PythonOptions
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.minimize import warm_up
from zeroin.subject.base import branches_of

ENGINES = ["minimize", "targets", "targets(fitness=enhanced)", "targets(fitness=both)"]

# A C function, and the conditions of which one outcome can not be taken.
C: dict[str, tuple[str, int, set[str]]] = {
    "nested": (
        """int f(double x, double y)
        {
            double p = x * y;
            if (p > 100.25) { if (x - y > 3.5) { if (p < 100.2500001) { if (y > 0.1) return 1; return 2; } } }
            else if (x + y < -30.125) return 5;
            return 0;
        }""", 50_000, set(),
    ),
    "after a loop": (
        """int f(int n, double x)
        {
            double s = x;
            for (int i = 0; i < (n & 15); i++) s = s * 0.5 + i;
            if (s > 7.25) { if (s < 7.2500001) return 1; return 2; }
            return 0;
        }""", 10_000, set(),
    ),
    "inside of a loop": (
        """int f(double a[4])
        {
            int k = 0;
            for (int i = 0; i < 4; i++) if (a[i] * a[i] > 5.125) { if (a[i] * a[i] < 5.1250001) k++; }
            return k;
        }""", 100_000, set(),
    ),
    "called last": (
        """static int g(int a) { if (a > 0) return 1; return 2; }
        int f(double x)
        {
            int r = 0;
            if (x * x - 7.31 * x > 41.2) { if (x * x - 7.31 * x < 41.2000001) r = 5; }
            return r + g(r - 3);
        }""", 60_000, set(),
    ),
    "called early and late": (
        """static int g(int a) { if (a > 0) return 1; return 2; }
        int f(double x, int n)
        {
            int r = g(n);
            if (x * x - 7.31 * x > 41.2) { if (x * x - 7.31 * x < 41.2000001) r = 5; }
            return r + g(n - r);
        }""", 10_000, set(),
    ),
    "calls in conditions": (
        """static double g(double a) { if (a > 10.5) return a - 3; return a * a; }
        int f(double x)
        {
            if (g(g(x)) > 50.25 && g(x) < 50.5) { if (g(x + g(x)) < 9.125) return 3; return 2; }
            return 1;
        }""", 20_000, set(),
    ),
    "recursive": (
        """static double down(int n, double x) { if (n <= 0) return x * x; return down(n - 1, x + 0.5); }
        int f(int n, double x)
        {
            if (n > 20) return 0;
            double r = down(n, x);
            if (r > 777.75 && r < 777.7500001) { if (n > 3) return 2; return 1; }
            return 3;
        }""", 250_000, set(),
    ),
    "through pointers": (
        """static int one(double x) { if (x * x > 300.7) { if (x * x < 300.7001) return 9; return 1; } return 0; }
        static int two(double x) { return x < 3.25 ? 4 : 5; }
        static int (*table[])(double) = {one, two};
        int f(unsigned k, double x) { int r = table[k & 1](x); if (r == 9) return 7; return r; }""", 100_000, set(),
    ),
    "behind an impossible guard": (
        """int f(double x, double y)
        {
            if (x * y > 77.75) { if (x * y < 77.750000001) return 3; }
            double q = x * x + y * y;
            if (q < -1) { if (y > 3) { if (x > 3) return 1; } if (y < -3) return 2; }
            return 4;
        }""", 50_000, {"q < -1", "y > 3", "x > 3", "y < -3"},
    ),
    "guard impossible in the callee": (
        """static int g(double a) { if (a * a < -1) { if (a > 2) return 1; if (a > 3) return 2; } return a > 4; }
        int f(double x, double y)
        {
            int r = g(x);
            if (x * y > 77.75) { if (x * y < 77.7500001) return 3; }
            return g(y);
        }""", 100_000, {"a * a < -1", "a > 2", "a > 3"},
    ),
}  # fmt: skip


def goes(subject: Any, engine: str, evaluations: int, seed: int, impossible: set[str]) -> set[str]:
    """The conditions that have an outcome missing, apart from those that must have one."""
    goals = branches_of(subject.sites)
    open_ = {b.outcome for b in goals if b.site.condition in impossible}
    search = Search(subject, goals, domain_of(subject.signature, subject.constants),
                    Budget(evaluations, 60.0), seed)  # fmt: skip

    def enough(_: Any) -> None:  # the rest is not worth the time of a test
        if all(o in open_ for o in range(2 * len(subject.sites)) if search.missing >> o & 1):
            search.goals &= search.covered

    search._found = enough
    generate(search, schedule_named(engine))
    return {subject.sites[o >> 1].condition for o in range(2 * len(subject.sites)) if search.missing >> o & 1}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", C)
def test_c(programs: Programs, name: str, engine: str) -> None:
    warm_up("avm")
    text, evaluations, impossible = C[name]
    subject = programs.load(text, callees=True, ahead=Options(engine=engine).looks_ahead)
    for seed in range(10):
        assert goes(subject, engine, evaluations, seed, impossible) == set(), seed


# A Python module, and the evaluations allowed.
PYTHON: dict[str, tuple[str, int]] = {
    "nested": (
        """def f(x: float, y: float):
    p = x * y
    if p > 100.25:
        if x - y > 3.5:
            if p < 100.2500001:
                if y > 0.1: return 1
                return 2
    elif x + y < -30.125: return 5
    return 0
""", 50_000,
    ),
    "after a loop": (
        """def f(n: int, x: float):
    s = x
    for i in range(n % 16): s = s * 0.5 + i
    if s > 7.25:
        if s < 7.2500001: return 1
        return 2
    return 0
""", 10_000,
    ),
    "called early and late": (
        """def g(a):
    if a > 0: return 1
    return 2
def f(x: float, n: int):
    r = g(n)
    if x * x - 7.31 * x > 41.2:
        if x * x - 7.31 * x < 41.2000001: r = 5
    return r + g(n - 5)
""", 10_000,
    ),
    "a method that calls itself": (
        """class C:
    def get(self, x):
        if x < 2.5: return self.get(x + 1)
        if x > 99.5: return x
        return 7
def f(x: float):
    if x < -20: return 0
    if C().get(x) == 120.25: return 1
    return 2
""", 10_000,
    ),
    "calls in conditions and arguments": (
        """def g(a):
    if a > 10.5: return a - 3
    return a * a
def f(x: float):
    if g(g(x)) > 50.25 and g(x) < 50.5:
        if g(x + g(x)) < 9.125: return 3
        return 2
    return 1
""", 10_000,
    ),
    "a function inside": (
        """def f(x: float, n: int):
    def g(y):
        if y > 41.2 and y < 41.2000001: return 1
        return 0
    if n > 5: return g(x * x - 7.31 * x)
    return 3
""", 20_000,
    ),
    "a generator": (
        """def made(n, x):
    for i in range(n):
        if x + i > 41.25 and x + i < 41.2500001: yield 1
        yield 0
def f(x: float, n: int):
    if n > 9: return 5
    s = 0
    for v in made(n, x):
        if v == 1: s += 1
    if s > 0: return 1
    return 0
""", 20_000,
    ),
}  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", PYTHON)
def test_python(tmp_path: Path, name: str, engine: str) -> None:
    warm_up("avm")
    text, evaluations = PYTHON[name]
    path = tmp_path / f"engine_{list(PYTHON).index(name)}_{ENGINES.index(engine)}.py"
    path.write_text(text)
    options = PythonOptions(ahead=Options(engine=engine).looks_ahead)
    for seed in range(10):
        assert goes(PythonSubject(str(path), "f", options), engine, evaluations, seed, set()) == set(), seed
