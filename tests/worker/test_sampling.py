"""Samples of functions, from which reports draw them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import zeroin
from zeroin.suite.samples import Samples


def sampled(folder: Path, file: str, text: str, function: str = "f", **more: object) -> zeroin.Suite:
    path = folder / file
    path.write_text(text)
    options = zeroin.Options(zeroin.Budget(20_000, 5.0), samples=True, suite="small", **more)  # type: ignore[arg-type]
    return zeroin.cover(f"{path}:{function}", options)


def samples_of(suite: zeroin.Suite) -> Samples:
    assert suite.samples is not None
    return suite.samples


STEP = [
    ("step.py", "def f(x: float) -> float:\n    if x > 2.5:\n        return 1.0\n    return x\n"),
    ("step.c", "double f(double x)\n{\n    if (x > 2.5)\n        return 1.0;\n    return x;\n}\n"),
]


@pytest.mark.parametrize(("file", "text"), STEP, ids=["python", "c"])
def test_the_samples_are_what_the_function_does(tmp_path: Path, file: str, text: str) -> None:
    suite = sampled(tmp_path, file, text)
    samples = samples_of(suite)
    (axis,) = samples.axes
    assert axis.name == "x"
    assert list(axis.values) == sorted(axis.values)
    assert len(axis.values) == len(samples.covered) == len(samples.results) > 30
    above, below = (branch.outcome for branch in suite.branches)
    for value, covered, result in zip(axis.values, samples.covered, samples.results, strict=True):
        assert covered is not None
        assert (above if value > 2.5 else below) in covered
        assert (below if value > 2.5 else above) not in covered
        assert result == (1.0 if value > 2.5 else value)


@pytest.mark.parametrize(("file", "text"), STEP, ids=["python", "c"])
def test_the_inputs_and_their_neighbours_are_among_the_samples(tmp_path: Path, file: str, text: str) -> None:
    suite = sampled(tmp_path, file, text)
    (axis,) = samples_of(suite).axes
    values = [suite.signature.arguments(kept.words)[0] for kept in suite.inputs]
    assert {*values} <= {*axis.values}
    assert any(values)
    for value in filter(None, values):  # the neighbours of 0.0 are -0.0 and 5e-324
        assert {value, math.nextafter(value, math.inf), math.nextafter(value, -math.inf)} <= {*axis.values}


def test_two_inputs_are_a_grid_with_the_first_one_fastest(tmp_path: Path) -> None:
    suite = sampled(
        tmp_path, "two.c", "int f(double x, int n)\n{\n    if (x > n)\n        return 1;\n    return 0;\n}\n"
    )
    samples = samples_of(suite)
    first, second = samples.axes
    assert (first.name, second.name) == ("x", "n")
    points = [(x, n) for n in second.values for x in first.values]
    assert [float(x > n) for x, n in points] == list(samples.results)
    assert {0.0, 1.0} == {*samples.results}


def test_runs_that_do_not_return_have_no_branches_and_no_result(tmp_path: Path) -> None:
    text = "def f(n: int) -> float:\n    if n > 3:\n        return 0.5\n    return 1.0 / n\n"
    samples = samples_of(sampled(tmp_path, "pole.py", text))
    (axis,) = samples.axes
    at = axis.values.index(0.0)
    assert samples.covered[at] is None
    assert math.isnan(samples.results[at])
    assert all(covered is not None for n, covered in zip(axis.values, samples.covered, strict=True) if n != 0)


def test_a_missed_branch_has_the_objective_of_the_search(tmp_path: Path) -> None:
    text = "import zlib\n\ndef f(n: int) -> int:\n    if n > 2:\n        if zlib.crc32(str(n).encode()) == 77:\n" \
           "            return 1\n    return 0\n"  # fmt: skip
    suite = sampled(tmp_path, "hash.py", text)
    (missed,) = [verdict.branch for verdict in suite.verdicts if verdict.verdict == zeroin.UNDECIDED]
    samples = samples_of(suite)
    values = samples.objectives[missed.outcome]
    (axis,) = samples.axes
    assert len(values) == len(axis.values)
    for n, value in zip(axis.values, values, strict=True):
        assert (0 < value < 1) if n > 2 else (1 < value < 2)  # a condition more is on the way


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("three.py", "def f(x: float, y: float, z: float) -> bool:\n    return x > y > z\n", "it has 3 inputs"),
        ("text.py", "def f(s: str) -> bool:\n    return s > 'b'\n", "s is not a single number"),
        ("none.py", "def f() -> bool:\n    return True\n", "it has no inputs"),
        ("wide.c", "int f(long double x) { return x > 1; }\n", "x is not a single number"),
        (
            "global.c",
            "static int calls;\nint f(int n) { calls += n; return calls > 3; }\n",
            "steps is not a single number",
        ),
    ],
    ids=["three", "text", "none", "long double", "global"],
)
def test_what_is_not_sampled_says_why(tmp_path: Path, file: str, text: str, why: str) -> None:
    samples = samples_of(sampled(tmp_path, file, text))
    assert samples.why == why
    assert not samples.axes


def test_a_run_that_ends_the_process_leaves_all_else(tmp_path: Path) -> None:
    text = "import os\n\ndef f(n: int) -> int:\n    if n > 3:\n        return 1\n    if n == 2:\n" \
           "        os._exit(1)\n    return 0\n"  # fmt: skip
    suite = sampled(tmp_path, "exits.py", text)
    assert suite.samples is not None
    assert suite.inputs


def test_slow_runs_are_not_sampled(tmp_path: Path) -> None:
    text = "import time\n\ndef f(n: int) -> int:\n    time.sleep(0.02)\n    if n > 3:\n        return 1\n    return 0\n"
    samples = samples_of(sampled(tmp_path, "slow.py", text))
    assert samples.why == "there was too little time to run it further"


def test_preconditions_limit_the_axes(tmp_path: Path) -> None:
    samples = samples_of(sampled(tmp_path, *STEP[1], assume=("1 <= x <= 4",)))
    (axis,) = samples.axes
    assert 1.0 <= min(axis.values) < 2.0
    assert 3.0 < max(axis.values) <= 4.0


def test_without_the_option_nothing_is_sampled(tmp_path: Path) -> None:
    path = tmp_path / STEP[0][0]
    path.write_text(STEP[0][1])
    assert zeroin.cover(f"{path}:f", zeroin.Options(zeroin.Budget(20_000, 5.0))).samples is None
