"""Functions with pointers, as the installed command covers them without any option."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from commands import zeroin

SUBJECTS = Path(__file__).parents[1] / "subjects" / "c" / "pointers.c"
EXPECTED = {
    name: what
    for what, name in re.findall(r"^/\* (complete|crash: .*|beyond) \*/\n[\w ]+[ *](\w+)\(", SUBJECTS.read_text(), re.M)
}


def cover(folder: Path, *arguments: object, status: tuple[int, ...] = (0, 1)) -> list[dict[str, Any]]:
    """The results in the JSON, in order."""
    done = zeroin("cover", *arguments, "--json", "all.json", cwd=folder)
    assert done.returncode in status, done.stderr
    found = json.loads((folder / "all.json").read_text())
    results: list[dict[str, Any]] = found.get("targets", [found])
    return results


def undecided(result: dict[str, Any]) -> list[str]:
    return [branch["id"] for branch in result["branches"] if branch["verdict"] != "covered"]


def test_every_function_is_as_it_says(tmp_path: Path) -> None:
    assert len(EXPECTED) == 31
    results = {result["target"].rsplit(":")[-1]: result for result in cover(tmp_path, SUBJECTS, "--budget", 4)}
    assert results.keys() == EXPECTED.keys()
    for name, what in EXPECTED.items():
        messages = [finding["message"] for finding in results[name]["findings"]]
        if what == "complete":
            assert (undecided(results[name]), messages) == ([], []), name
        elif what == "beyond":
            assert not messages
            assert any("[512] is used, but the length of" in note for note in results[name]["notes"]), name
        else:
            assert messages, name
            assert all(what.removeprefix("crash: ") in message for message in messages), name
    text = (tmp_path / "zeroin-out" / "test_pointers.c").read_text()
    assert sum(f"static void test_{name}_" in text for name in EXPECTED) >= 29


OFF_BY_ONE = """
double f(const double *xs, int n)
{
    double s = 0.0;
    for (int i = 0; i %s n; i++)
        s += xs[i];
    return s;
}
"""


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_loop_that_turns_once_too_often(tmp_path: Path, seed: int) -> None:
    for how, count in (("<=", 1), ("<", 0)):
        (tmp_path / "sum.c").write_text(OFF_BY_ONE % how)
        (result,) = cover(tmp_path, "sum.c:f", "--seed", seed, "--budget", 5, status=(count,))
        messages = [finding["message"] for finding in result["findings"]]
        assert len(messages) == count
        assert all(re.search(r"read of xs\[(\d+)\], one element past the buffer of \1$", m) for m in messages)


GROWING = """
#include <stdio.h>
int polar(double x, double *y) { for (int i = 0; i < 2; i++) y[i] = x; return x > 1.0; }
int until(const int *xs) { int i = 0; while (xs[i] != 9 && i++ != 37) ; return i == 30; }
void label(char *out, double x) { if (x > 1e300) sprintf(out, "%f", x); else out[0] = 0; }
int reads_before(const int *xs, int i) { if (i > -3 && i < 0) return xs[i] > 4 ? 1 : 2; return 0; }
int never(const double *unused, double x) { return x > 2.0; }
int opaque(const void *a, const void *b) { return *(const double *)a < *(const double *)b; }
int none(const int xs[0], volatile int *port) { return xs[0] > 5 && port[2] > 3; }
"""


def test_arrays_grow(tmp_path: Path) -> None:
    (tmp_path / "growing.c").write_text(GROWING)
    results = {result["target"].rsplit(":")[-1]: result for result in cover(tmp_path, "growing.c", "--budget", 5)}
    assert [name for name, result in results.items() if undecided(result)] == ["reads_before"]
    findings = {name: [f["message"] for f in result["findings"]] for name, result in results.items()}
    before = findings.pop("reads_before")
    assert before
    assert all(re.search(r"read of xs\[-[12]\], (one element|2 elements) before the buffer of", m) for m in before)
    assert not any(findings.values())
    lengths = {len(found["args"][0]) for found in results["until"]["inputs"]}
    assert lengths == {64}


def test_the_same_seed_grows_alike(tmp_path: Path) -> None:
    (tmp_path / "growing.c").write_text(GROWING)
    first, second = (
        [
            [found["args"] for found in result["inputs"]]
            for result in cover(tmp_path, "growing.c", "--jobs", jobs, "--evals", 300_000)
        ]
        for jobs in (1, 2)
    )
    assert first == second


def test_our_own_limit_of_a_length_proves_nothing(tmp_path: Path) -> None:
    (tmp_path / "long.c").write_text(
        "int f(const int *xs, int n) { return n > 100000 ? 1 : n > 0 ? xs[n - 1] : 2; }\n"
        "int g(const int *xs, int n) { return n > 3 && n < 2 ? 1 : n > 0 ? xs[n - 1] : 2; }\n"
    )
    f, g = cover(tmp_path, "long.c", "--budget", 3, status=(0,))
    assert next((branch["condition"], branch["verdict"]) for branch in f["branches"]) == ("n > 100000", "undecided")
    assert "infeasible" in [branch["verdict"] for branch in g["branches"]]


def test_emitted_tests_have_exactly_these_lengths(tmp_path: Path) -> None:
    """So that a compiler's own checks see what the search saw."""
    (tmp_path / "all.c").write_text(OFF_BY_ONE % "<" + "int g(const short *v, unsigned n, int *out)\n"
                                    "{ *out = 7; return n > 3 ? v[n - 1] > v[0] : n == 0; }\n")  # fmt: skip
    cover(tmp_path, "all.c", "--budget", 5, status=(0,))
    text = (tmp_path / "zeroin-out" / "test_all.c").read_text()
    for declared in (r"double xs\[1\]", r"short v\[[4-8]\]"):
        assert re.search(declared, text), text
    assert "malloc" not in text
