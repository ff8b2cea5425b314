"""The JSON report, whose schema scripts depend on. Fields may be added, but never renamed."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..subject.base import Branch, Signature, Termination
from ..suite.suite import Finding, Input, Mutants, Suite, Verdict
from . import Report

if TYPE_CHECKING:
    from ..solvers.base import Proof
    from ..subject.language import Skipped

SCHEMA = 1


class JsonReport(Report):
    """The result of :func:`as_json` as text."""

    suffix = ".json"

    def text(self, suites: Sequence[Suite], skipped: Sequence[Skipped] = ()) -> str:
        return json.dumps(as_json(suites, skipped), indent=1) + "\n"


def as_json(suites: Sequence[Suite], skipped: Sequence[Skipped] = ()) -> dict[str, Any]:
    """Return the report as dictionaries, lists, strings, numbers, booleans and None.

    It is strict JSON: in ``args``, ``"nan"``, ``"inf"`` and ``"-inf"`` stand for numbers that JSON can not express.
    ``stopped`` joins the distinct reasons of the targets with ``"; "``. Times are in seconds.

    Args:
        suites: the results of all targets.
        skipped: functions, files and modules that are no targets, with reasons.
    """
    reasons = "; ".join(dict.fromkeys(suite.stopped for suite in suites))
    return {
        "schema": SCHEMA,
        "stopped": reasons,
        "targets": [_target(suite) for suite in suites],
        "skipped": [{"target": text, "why": why} for text, why in skipped],
    }


def _target(suite: Suite) -> dict[str, object]:
    return {
        "target": suite.target.text,
        "language": suite.target.language,
        "signature": [{"name": p.name, "type": p.type} for p in suite.signature.given],
        "result_type": suite.signature.result_type,
        "seed": suite.seed,
        "evaluations": suite.evaluations,
        "seconds": _number(suite.seconds),
        "total_seconds": _number(suite.total_seconds),
        "stopped": suite.stopped,
        "engine": suite.engine,
        "strategy": suite.strategy,
        "disagreements": suite.disagreements,
        "notes": list(suite.notes),
        "not_counted": suite.uncounted,
        "tested": suite.is_tested,
        "assumptions": list(suite.signature.assumed),
        "branches": [_branch(verdict) for verdict in suite.verdicts],
        "inputs": [_input(suite, kept) for kept in suite.inputs],
        **({"faults": [_fault(verdict) for verdict in suite.fault_verdicts]} if suite.options.find else {}),
        "findings": [_finding(suite, finding) for finding in suite.findings],
        **({"mutants": _mutants(suite.mutants)} if suite.mutants is not None else {}),
    }


def _mutants(found: Mutants) -> dict[str, object]:
    """Return how many mutants the inputs kill, and those that survive. Equivalent mutants are left out of ``total``."""
    return {
        "noticed": len(found.killed),
        "total": len(found.all) - len(found.equivalent),
        "superfluous": len(found.equivalent),
        "left": [
            {"file": m.file, "line": m.line, "column": m.column, "function": m.function, "change": m.change}
            for m in found.left
        ],
    }


def _branch(verdict: Verdict) -> dict[str, object]:
    return {
        **_place(verdict.branch),
        "condition": verdict.branch.site.condition,
        "outcome": verdict.branch.label,
        "verdict": verdict.verdict,
        "input": verdict.input,
        "why": verdict.why,
        "proof": _proof(verdict.proof),
    }


def _fault(verdict: Verdict) -> dict[str, object]:
    return {
        **_place(verdict.branch),
        "operation": verdict.branch.site.condition,
        "kind": verdict.branch.label,
        "verdict": verdict.verdict,
        "why": verdict.why,
        "proof": _proof(verdict.proof),
    }


def _place(branch: Branch) -> dict[str, object]:
    site = branch.site
    return {"id": branch.id, "file": site.file, "line": site.line, "column": site.column, "function": site.function}


def _proof(proof: Proof | None) -> dict[str, object] | None:
    if proof is None:
        return None
    return {
        "solver": proof.solver,
        "method": proof.method,
        "seconds": _number(proof.seconds),
        "assumptions": list(proof.assumptions),
        "confirmed_by": [other.solver for other in proof.confirmed_by],
    }


def _input(suite: Suite, kept: Input) -> dict[str, object]:
    replay, signature = kept.replay, suite.signature
    fields = {
        **_values(signature, kept.words),
        "outcome": kept.outcome.word,
        "result": signature.exact_result(replay),
        "outputs": signature.outputs(replay),
        "branches": [branch.id for branch in suite.branches if branch.outcome in kept.covered],
    }
    if not suite.compares(kept):
        fields["compared"] = False
    results = signature.results(replay)
    if results is not None:
        fields["results"] = results
    if kept.outcome is not Termination.RETURNED:
        fields["message"] = replay.ending
    if replay.uncounted:
        fields["not_counted"] = replay.uncounted
    return fields


def _values(signature: Signature, words: tuple[int, ...]) -> dict[str, object]:
    """Return the arguments of an input; and, if there are any, aliased pointers and functions called first."""
    values = {"args": [_number(value) for value in signature.arguments(words)], "exact": signature.exact(words)}
    more = {"aliases": signature.aliases(words), "called_first": signature.called_first(words)}
    return {**values, **{name: value for name, value in more.items() if value}}


def _finding(suite: Suite, finding: Finding) -> dict[str, object]:
    """Return a finding. If the suite does not keep its input, ``input`` is None and the arguments are given."""
    number = finding.input
    if number is None:
        number = next((n for n, kept in enumerate(suite.inputs) if kept.words == finding.words), None)
    fields: dict[str, object] = {"kind": finding.kind, "input": number, "message": finding.message,
                                 "file": finding.file, "line": finding.line}  # fmt: skip
    if finding.more:
        fields["more"] = finding.more
    if finding.allowed:
        fields["allowed"] = True
    if number is None:
        fields |= _values(suite.signature, finding.words)
    return {**fields, "fault": finding.faults[0].id} if finding.faults else fields


def _number(value: object) -> object:
    """Return the value with NaNs and infinities replaced by text, also inside lists and dictionaries."""
    if isinstance(value, list):
        return [_number(item) for item in value]
    if isinstance(value, dict):
        return {name: _number(item) for name, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value
