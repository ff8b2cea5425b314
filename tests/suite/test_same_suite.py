"""Same seed, same suite: whatever else runs at the same time, and although solvers are asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zeroin.config import Budget, Options
from zeroin.subject.base import Target
from zeroin.suite.suite import Suite
from zeroin.worker.parent import cover_all, targets_of
from zeroin.worker.worker import Worker

SOURCES = {
    # searched, explored, refuted by intervals, by solvers and with what holds in loops
    "many.c": """
int proved(double x, double y) {
    if (x * x + y * y < -1e-3) return 1;
    if (x > 1.0 && y > 1.0 && x * y == 77.0) return 2;
    if (x == 3.5 && y * y == 12.25 && x + y == 0.0) return 3;
    return x > 2.0 && x < 1.5;
}
int looping(unsigned n) {
    int odd = 1, found = 0;
    for (unsigned i = 0; i < (n & 127u); i++) odd += 2;
    if (odd % 2 == 0) found = 1;
    if (odd == 255) found += 2;
    return found;
}
int needle(long a, long b) {
    if ((a ^ b) == 0x1234567890abcdefL && a * 3 == b + 5) return 1;
    return (a | 1) == (b & ~1L);
}
int hard(double a, double b, double c) {
    if (a * a * a + b * b * b == c * c * c && a > 1.0 && b > 1.0 && c > 1.0) return 1;
    return (a - b) * (a + b) == a * a - b * b + 1e-3 && a > 1.0 && a < 2.0 && b > 1.0 && b < 2.0;
}
""",
    "many.py": """
def text(s: str, n: int):
    if s[:2] == "ab" and n * n == 1764:
        return 1
    if len(s) > 3 and s[2].isdigit() and s[0] == s[-1]:
        return 2
    return 3 if n % 4 == 3 and n * n % 8 == 5 else 4


def raises(x: float, k: int):
    if k < 0:
        raise ValueError(k)
    while k > 10:
        k -= 3
    if x * k == 27.5 and x > k:
        return 1
    return k > 12
""",
}


def told(result: Any) -> Any:
    """All that a suite says but how long it took."""
    assert isinstance(result, Suite), result
    inputs = [(item.words, item.covered, item.replay) for item in result.inputs]
    verdicts = [(v.branch, v.verdict, v.why if v.proof is None else v.proof) for v in result.verdicts]
    return inputs, verdicts, result.findings, result.stopped, result.evaluations, result.notes


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> list[Target]:
    folder = tmp_path_factory.mktemp("same")
    with Worker() as sandbox:
        return [target for name, text in SOURCES.items() for target in _written(folder / name, text, sandbox)]


def _written(path: Path, text: str, sandbox: Worker) -> list[Target]:
    path.write_text(text)
    return targets_of(str(path), Options(), sandbox).targets


def suites(targets: list[Target], jobs: int) -> list[Any]:
    """As many evaluations as it takes until solvers are asked."""
    python = [target for target in targets if target.language == "python"]
    found: list[Any] = []
    for some, evaluations in (([t for t in targets if t not in python], 1_400_000), (python, 200_000)):
        options = Options(budget=Budget(evaluations, 600.0), seed=7, jobs=jobs)
        found += map(told, cover_all(some, options))
    return found


@pytest.fixture(scope="module")
def alone(targets: list[Target]) -> list[Any]:
    return suites(targets, 1)


def test_same_seed_same_suite(targets: list[Target], alone: list[Any]) -> None:
    for mine, other in zip(suites(targets, 8), alone, strict=True):
        assert mine == other


def test_solvers_have_had_their_say(alone: list[Any]) -> None:
    """Otherwise this would be no test of them."""
    provers = {proof.solver for _, verdicts, *_ in alone for _, verdict, proof in verdicts if verdict == "infeasible"}
    assert {"intervals", "bitwuzla"} <= provers
    assert any("loop invariant" in str(alone[n]) for n in range(len(alone)))
    assert any(verdict == "undecided" for _, verdicts, *_ in alone for _, verdict, _ in verdicts)
