"""The JSON report: its fields, and that it is strict JSON whatever the values are."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable
from typing import Any

from zeroin.generate.stopped import Stopped
from zeroin.languages.c.replay import CReplay
from zeroin.report.json import as_json
from zeroin.report.text import TextReport
from zeroin.solvers.base import Proof
from zeroin.solvers.smt import Z3
from zeroin.suite.suite import Finding, Suite
from zeroin.words import Kind, word_from_bits

MakeSuite = Callable[..., Suite]

SOURCE = """\
#include <stdbool.h>
double f(double x, float y, const int *n, bool *on)
{
    if (n && *n > 3)
        *on = true;
    if (x > y)
        return x / 0.0;
    return x - y;
}
void nothing(long long a, unsigned long long b) { if (a > 0 && b) return; }
"""


def strict(suites: list[Suite]) -> dict[str, Any]:
    """The report, written and read again by a reader that takes no NaN."""
    text = json.dumps(as_json(suites), allow_nan=False)
    report: dict[str, Any] = json.loads(text)
    return report


def test_fields_of_the_schema(make_suite: MakeSuite) -> None:
    suite = make_suite("f.c", SOURCE, "f", [[0.5, -0.0, [5], [False]], [-2.0, 1.0, None, [True]]])
    report = strict([suite])
    assert list(report)[:2] == ["schema", "stopped"]
    assert (report["schema"], report["stopped"]) == (1, "every branch is covered")
    (target,) = report["targets"]
    assert {"target", "language", "signature", "seed", "evaluations", "seconds", "branches", "inputs",
            "findings"} <= set(target)  # fmt: skip
    assert (target["target"], target["language"], target["seed"], target["evaluations"], target["seconds"]) == (
        "f.c:f", "c", 7, 100, 0.5)  # fmt: skip
    assert target["strategy"] == "seeds"
    assert target["signature"] == [
        {"name": "x", "type": "double"},
        {"name": "y", "type": "float"},
        {"name": "n", "type": "const int *"},
        {"name": "on", "type": "_Bool *"},
    ]
    first = target["branches"][0]
    assert {"id", "file", "line", "column", "condition", "outcome", "verdict", "input", "why"} <= set(first)
    assert (first["id"], first["line"], first["outcome"], first["verdict"]) == ("0T", 4, "true", "covered")
    assert first["file"] == str(suite.target.path)
    undecided = [branch for branch in target["branches"] if branch["verdict"] == "undecided"]
    assert all(branch["input"] is None and branch["why"] for branch in undecided)


def test_inputs_are_exact(make_suite: MakeSuite) -> None:
    suite = make_suite("f.c", SOURCE, "f", [[0.5, -0.0, [5], [False]], [-2.0, 1.0, None, [True]]])
    first, second = strict([suite])["targets"][0]["inputs"]
    assert first["args"] == [0.5, -0.0, [5], [False]]
    assert first["exact"] == ["0x1p-1", "-0x0p+0", ["5"], ["0"]]
    assert (first["outcome"], first["result"], first["outputs"]) == ("returned", "inf", {"on": ["1"]})
    assert second["args"] == [-2.0, 1.0, None, [True]]
    assert second["exact"][2] is None
    assert second["result"] == "-0x1.8p+1"
    taken = {branch["id"] for branch in strict([suite])["targets"][0]["branches"] if branch["verdict"] == "covered"}
    assert taken == {*first["branches"], *second["branches"]}


def test_numbers_that_json_can_not_write(make_suite: MakeSuite) -> None:
    suite = make_suite("f.c", SOURCE, "f", [[math.nan, math.inf, [1], [False]], [-math.inf, 1.0, [1], [False]]])
    words = (word_from_bits(Kind.F64, 0xFFF8_0000_0000_0001), *suite.inputs[0].words[1:])
    suite.inputs.append(dataclasses.replace(suite.inputs[0], words=words))
    shown = strict([dataclasses.replace(suite, seconds=math.inf)])["targets"][0]
    assert shown["seconds"] == "inf"
    assert [kept["args"][:2] for kept in shown["inputs"]] == [["nan", "inf"], ["-inf", 1.0], ["nan", "inf"]]
    assert shown["inputs"][2]["exact"][0] == "-nan(0x8000000000001)"
    assert shown["inputs"][0]["result"] in ("nan", "-nan")


def test_integers_keep_all_digits_and_void_has_no_result(make_suite: MakeSuite) -> None:
    suite = make_suite("f.c", SOURCE, "nothing", [[-(2**63), 2**64 - 1]])
    (kept,) = strict([suite])["targets"][0]["inputs"]
    assert kept["args"] == [-(2**63), 2**64 - 1]
    assert kept["exact"] == ["-9223372036854775808", "18446744073709551615"]
    assert (kept["result"], kept["outputs"]) == (None, {})


def test_findings_refer_to_inputs(make_suite: MakeSuite) -> None:
    suite = make_suite("f.c", "int f(int x) { return x ? 10 / x : 1 / x; }", "f", [[1]], crashing=[[0]])
    crash = suite.inputs[1]
    suite.inputs[1] = dataclasses.replace(crash, replay=CReplay(crash.outcome, detail="here"))
    suite.findings.extend([
        Finding("crash", crash.words, "divides by zero", 1, file="f.c", line=1),
        Finding("crash", crash.words, "divides by zero", more=2),
        Finding("hang", (77,), "did not return"),
    ])  # fmt: skip
    target = strict([suite])["targets"][0]
    assert target["findings"] == [
        {"kind": "crash", "input": 1, "message": "divides by zero", "file": "f.c", "line": 1},
        {"kind": "crash", "input": 1, "message": "divides by zero", "file": "", "line": 0, "more": 2},
        {
            "kind": "hang",
            "input": None,
            "message": "did not return",
            "file": "",
            "line": 0,
            "args": [77],
            "exact": ["77"],
        },
    ]
    shown = target["inputs"][1]
    assert (shown["outcome"], shown["result"]) == ("crashed", None)
    assert shown["message"].endswith("overflow: here")


def test_several_targets(make_suite: MakeSuite) -> None:
    one = make_suite("f.c", SOURCE, "nothing", [[1, 1]])
    two = dataclasses.replace(one, stopped=Stopped.EVALUATIONS)
    report = strict([one, two, one])
    assert report["stopped"] == "every branch is covered; the evaluation budget is used up"
    assert [target["stopped"] for target in report["targets"]] == [s.stopped for s in (one, two, one)]
    assert strict([]) == {"schema": 1, "stopped": "", "targets": [], "skipped": []}


def test_an_input_that_takes_what_was_proved_counts_and_is_told(make_suite: MakeSuite) -> None:
    plain = make_suite("one.c", "int f(int n) { if (n > 3) return 1; return 0; }", "f", [[5]])
    proof = Proof(Z3(), "by cases", 0.5, ("n is small",))
    suite = dataclasses.replace(plain, proofs={0: proof, 1: proof})
    taken, other = strict([suite])["targets"][0]["branches"]
    assert (taken["verdict"], taken["proof"]) == ("covered", None)
    assert other["verdict"] == "infeasible"
    assert other["proof"] == {"solver": "z3", "method": "by cases", "seconds": 0.5, "assumptions": ["n is small"],
                              "confirmed_by": []}  # fmt: skip
    assert f"branch {taken['id']} was proved infeasible, and an input takes it" in TextReport().text([suite])
    assert suite.percent == 100.0
