"""The report as JUnit XML, for servers for continuous integration.

Each target is a test suite. Its test cases are its branches, faults that were looked for, and findings.

By hand on purpose: with junitparser this module is longer, and a report of 10,000 cases takes five times as long.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as XML

from ..escaping import plain
from ..files import name_of
from ..subject.language import Skipped
from ..suite.suite import UNDECIDED, Suite, Verdict
from . import Report


class JunitReport(Report):
    """A report in which findings are failures. Undecided branches and skipped targets count as skipped."""

    suffix = ".xml"

    def text(self, suites: Sequence[Suite], skipped: Sequence[Skipped] = ()) -> str:
        root = XML.Element("testsuites", name="zeroin")
        for suite in suites:
            _add_suite(root, suite)
        if skipped:
            passed_over = XML.SubElement(root, "testsuite", name="skipped")
            for text, why in skipped:
                case = XML.SubElement(passed_over, "testcase", classname="skipped", name=plain(text), time="0")
                XML.SubElement(case, "skipped", message=plain(why))
            _count(passed_over, 0.0)
        for counted in ("tests", "failures", "skipped"):
            root.set(counted, str(sum(int(one.get(counted, 0)) for one in root)))
        XML.indent(root, " ")
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{XML.tostring(root, encoding="unicode")}\n'


def _add_suite(root: XML.Element, suite: Suite) -> None:
    """Add a target's test suite to the root. A target without branches and findings gets one test case that passes."""
    own = XML.SubElement(root, "testsuite", name=plain(suite.target.text))
    for verdict in [*suite.verdicts, *suite.fault_verdicts]:
        case = _case(own, suite, _name(verdict))
        if verdict.verdict == UNDECIDED:
            XML.SubElement(case, "skipped", message=plain(f"{UNDECIDED} ({verdict.why})"))
        elif verdict.why:
            XML.SubElement(case, "system-out").text = plain(verdict.why)
    for finding in suite.findings:
        call = suite.signature.show(finding.words)
        case = _case(own, suite, f"{finding.kind}: {call}")
        if finding.allowed:
            XML.SubElement(case, "skipped", message=plain(f"allowed: {finding.message}"))
        else:
            failure = XML.SubElement(case, "failure", type=finding.kind, message=plain(finding.message))
            place = f"{name_of(finding.file)}:{finding.line}" if finding.line else suite.target.where
            failure.text = plain(f"{place}: {call}: {finding.message}")
    if not len(own):
        _case(own, suite, "no branches")
    if told := [*(f"not counted: {one}" for one in suite.uncounted), *suite.notes]:
        XML.SubElement(own, "system-out").text = "\n".join(map(plain, told))
    _count(own, suite.total_seconds)


def _case(own: XML.Element, suite: Suite, name: str) -> XML.Element:
    """Add a test case to a test suite and return it. As it is, it passes."""
    return XML.SubElement(own, "testcase", classname=plain(suite.target.text), name=plain(name), time="0",
                          file=plain(name_of(suite.target.path)))  # fmt: skip


def _name(verdict: Verdict) -> str:
    branch = verdict.branch
    line = f"line {branch.site.line}: " if branch.site.line else ""
    return f"{branch.id}: {line}{branch.site.condition} {branch.shown}"


def _count(own: XML.Element, seconds: float) -> None:
    """Set the attributes of a test suite that count its test cases."""
    own.set("tests", str(len(own.findall("testcase"))))
    own.set("failures", str(len(own.findall("testcase/failure"))))
    own.set("errors", "0")
    own.set("skipped", str(len(own.findall("testcase/skipped"))))
    own.set("time", f"{seconds:.3f}")
