"""The report as SARIF 2.1.0, which code hosts and editors show beside the source.

It contains the findings, and the branches that are undecided or infeasible.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..files import name_of
from ..subject.base import Branch
from ..subject.language import Skipped
from ..suite.suite import COVERED, FOUND, Finding, Suite, Verdict
from . import Report

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES = {
    "crash": "An input ends the process",
    "undefined": "An input with which the code has undefined behaviour",
    "hang": "An input with which the code does not return",
    "assertion": "An input with which an assertion fails",
    "exception": "An input with which the code raises an exception that it does not raise itself",
    "forbidden": "An input with which the code tries something that the sandbox blocks",
    "overflow": "Finite operands have an infinite result",
    "nan": "An operation has a NaN as its result, but not as an operand",
    "divzero": "A division by zero",
    "cancel": "A sum or difference loses all digits",
    "cast": "A cast out of the range of its type",
    "intoverflow": "A signed integer overflows",
    "bounds": "An index is out of bounds",
    "domain": "An argument is outside of a function's domain",
    "shift": "A shift by a negative number, or by too much",
    "wrap": "An unsigned result wraps around",
    "precision": "An integer loses digits when it becomes a float",
    "undecided-branch": "A branch for which no input was found",
    "infeasible-branch": "A branch that no input takes, which is proved",
}


class SarifReport(Report):
    """A SARIF log with one run. Its results are findings, and branches and faults that are undecided or infeasible."""

    suffix = ".sarif"

    def text(self, suites: Sequence[Suite], skipped: Sequence[Skipped] = ()) -> str:
        return json.dumps(as_sarif(suites, skipped), indent=1) + "\n"


def as_sarif(suites: Sequence[Suite], skipped: Sequence[Skipped] = ()) -> dict[str, Any]:
    """Return the log as dictionaries, lists, strings, numbers and booleans.

    Args:
        suites: the results of all targets.
        skipped: functions, files and modules that are no targets, with reasons.
    """
    results = [result for suite in suites for result in _results(suite)]
    told = Counter[str]()
    for result in results:
        print_ = result["partialFingerprints"]["zeroin/v1"]
        told[print_] += 1  # equal results are numbered, in an order that later logs keep
        result["partialFingerprints"]["zeroin/v1"] = hashlib.sha256(f"{print_}:{told[print_]}".encode()).hexdigest()
    rules = [{"id": name, "shortDescription": {"text": text}, "defaultConfiguration": {"level": _level(name)}}
             for name, text in _RULES.items()]  # fmt: skip
    notes = [{"level": "note", "message": {"text": f"skipped: {text}: {why}"}} for text, why in skipped]
    run = {
        "tool": {"driver": {"name": "zeroin", "version": __version__, "rules": rules}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
        "properties": {"targets": [suite.target.text for suite in suites]},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _results(suite: Suite) -> Iterator[dict[str, Any]]:
    """Yield the results for a suite: its findings, then its undecided and infeasible branches and faults."""
    for finding in suite.findings:
        call = suite.signature.show(finding.words)
        place = _of_suite(suite)
        if finding.faults and finding.faults[0].site.file:
            place = _of_branch(finding.faults[0])
        elif finding.file and finding.line:
            place = finding.file, {"startLine": finding.line}
        result = _result(suite, finding.kind, f"{call}: {finding.message}", place, _about(finding))
        yield result | (
            {"suppressions": [{"kind": "external", "justification": "allow-findings"}]} if finding.allowed else {}
        )
    for verdict in [*suite.verdicts, *suite.fault_verdicts]:
        if verdict.verdict not in (COVERED, FOUND):
            yield _of_verdict(suite, verdict)


def _of_verdict(suite: Suite, verdict: Verdict) -> dict[str, object]:
    branch, site = verdict.branch, verdict.branch.site
    rule = f"{verdict.verdict}-branch"
    text = f"{site.condition} {branch.shown}: {verdict.verdict}: {verdict.why}"
    about = f"{site.function}: {site.condition}: {branch.label}"
    return _result(suite, rule, text, _of_branch(branch), about) | {
        "properties": {"branch": branch.id, "verdict": verdict.verdict}
    }


def _level(rule: str) -> str:
    return "note" if rule.endswith("-branch") else "error"


def _about(finding: Finding) -> str:
    """Return the part of a finding that stays the same when lines move or another input shows it; it may be empty."""
    if finding.faults:
        return f"{finding.faults[0].site.function}: {finding.faults[0].site.condition}"
    return finding.message.split(":")[1] if finding.kind == "exception" and ":" in finding.message else ""


def _result(suite: Suite, rule: str, text: str, place: tuple[str, dict[str, int]], about: str) -> dict[str, object]:
    """Return one result. Its fingerprint is text that equal results share; :func:`as_sarif` makes it unique.

    Args:
        suite: the suite.
        rule: a key of ``_RULES``.
        text: the message.
        place: the file, and the region in it; an empty region stands for the whole file.
        about: the part of the fingerprint that tells results of one rule and function apart; it may be empty.
    """
    file, region = place
    location: dict[str, object] = {"artifactLocation": {"uri": _uri(file)}}
    if region:
        location["region"] = region
    function = {"fullyQualifiedName": suite.target.function, "kind": "function"}
    return {
        "ruleId": rule,
        "ruleIndex": list(_RULES).index(rule),
        "level": _level(rule),
        "message": {"text": text},
        "locations": [{"physicalLocation": location, "logicalLocations": [function]}],
        "partialFingerprints": {"zeroin/v1": f"{_uri(str(suite.target.path))}:{suite.target.function}:{rule}:{about}"},
    }


def _of_branch(branch: Branch) -> tuple[str, dict[str, int]]:
    """Return the file and the region of a branch's site; the region is empty if the line is unknown."""
    site = branch.site
    column = {"startColumn": site.column} if site.column > 0 else {}
    return site.file, {"startLine": site.line, **column} if site.line > 0 else {}


def _of_suite(suite: Suite) -> tuple[str, dict[str, int]]:
    """Return the place of a function as a whole: its file, and the line of its first condition if that is known."""
    own = [site.line for site in suite.sites if site.function == suite.signature.name and site.line > 0]
    return str(suite.target.path), {"startLine": min(own)} if own else {}


def _uri(file: str) -> str:
    """Return a file's URI: relative if the file is below the current folder, as code hosts expect; else absolute."""
    path = Path(name_of(file))
    return path.absolute().as_uri() if path.is_absolute() or ".." in path.parts else quote(path.as_posix())
