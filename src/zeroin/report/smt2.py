"""The proofs as one SMT-LIB script of unsatisfiable queries, which other solvers can check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..escaping import plain
from ..subject.base import words_for
from ..subject.language import Skipped
from ..suite.suite import INFEASIBLE, UNDECIDED, Suite, Verdict
from . import Report


class Smt2Report(Report):
    """A script with one query for each infeasible branch, for which ``(check-sat)`` has to answer unsat.

    A query contains the conditions that every input taking the branch satisfies. Comments list all other branches.

    A solver without functions such as sin, or without the assumptions about them, may answer sat. The comments state
    these assumptions.
    """

    suffix = ".smt2"

    def text(self, suites: Sequence[Suite], skipped: Sequence[Skipped] = ()) -> str:
        lines = ["; zeroin: one query for each infeasible branch: does an input take it? Each answer must be unsat."]
        for suite in suites:
            count = suite.count(INFEASIBLE)
            what = f"{len(suite.branches)} {words_for(suite.branches)[1]}"
            lines += ["", f"; ---- {_line(suite.target.text)}: {count} of {what} proved ----"]
            verdicts = [*suite.verdicts, *suite.fault_verdicts]
            for verdict in verdicts:
                if verdict.verdict == UNDECIDED:
                    lines.append(f"; {_place(verdict)}: undecided ({_line(verdict.why)})")
            lines += [f"; finding: {finding.kind}: {_line(finding.message)}" for finding in suite.findings]
            for verdict in verdicts:
                if verdict.verdict == INFEASIBLE:
                    lines += _asked(verdict)
        lines += ["" for _ in skipped[:1]] + [f"; skipped: {_line(text)}: {_line(why)}" for text, why in skipped]
        return "\n".join(lines) + "\n"


def _asked(verdict: Verdict) -> Iterator[str]:
    """Yield the lines for an infeasible branch: comments, then the query of its proof, if it has one."""
    proof = verdict.proof
    assert proof is not None
    yield ""
    yield f"; {_place(verdict)}"
    yield f"; {_line(verdict.why)}"
    if not proof.query:
        yield f"; no query: {_line(proof.method)}"
        return
    yield "(reset)"
    yield from proof.query.splitlines()
    yield "(check-sat)"


def _place(verdict: Verdict) -> str:
    branch = verdict.branch
    return f"{branch.id} line {branch.site.line}: {_line(branch.site.condition)} {branch.shown}"


def _line(text: str) -> str:
    """Return the text as one line without unprintable characters, so that it fits into a comment."""
    return plain(" ".join(text.split()))
