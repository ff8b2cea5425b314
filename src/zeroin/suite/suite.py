"""The result for one target: the kept inputs, the verdict on every branch, and the findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING

from ..config import FAULTS, Options
from ..generate.stopped import Stopped
from ..subject.base import Branch, Replay, Signature, Site, Target, Termination, Words
from .plausible import is_finite, is_ordinary
from .samples import Samples

if TYPE_CHECKING:
    from ..solvers.base import Proof
    from ..subject.mutants import Mutant

COVERED, INFEASIBLE, UNDECIDED = "covered", "infeasible", "undecided"
FOUND = "found"  # verdict on a fault


@dataclass(frozen=True)
class Input:
    """One kept input.

    Attributes:
        words: the input as ordered words (see :mod:`zeroin.words`).
        covered: numbers of the branches that the input takes.
        replay: the observed behaviour of the plain function, without probes, on the input.
        untested: why no test of it is written although one could be; empty when one is.
        needed: the indices of values that are not plausible (:mod:`.plausible`), although the input loses its purpose
            with each plausible value that was tried.
    """

    words: Words
    covered: frozenset[int]
    replay: Replay
    untested: str = ""
    needed: tuple[int, ...] = ()

    @property
    def outcome(self) -> Termination:
        """How the run of the plain function ended."""
        return self.replay.outcome


@dataclass(frozen=True)
class Verdict:
    """The verdict on one branch, or on one fault of an operation.

    Attributes:
        branch: the branch or fault.
        verdict: ``covered``, ``infeasible`` or ``undecided``; for a fault ``found``, ``infeasible`` or ``undecided``.
        input: the index of the first input that takes the branch, preferably one that returns; None if no input takes
            it, and for every fault.
        why: the reason, if no input takes the branch; empty otherwise.
        proof: the proof that no input takes the branch; None without one.
    """

    branch: Branch
    verdict: str
    input: int | None = None
    why: str = ""
    proof: Proof | None = None


@dataclass(frozen=True)
class Finding:
    """Something that went wrong in the subject, and the input that shows it.

    Attributes:
        kind: ``crash``, ``hang``, ``assertion``, ``exception``, ``forbidden``, ``undefined``, or one of
            :data:`zeroin.config.FAULTS`.
        words: the input.
        message: one line for the user.
        input: the index of the input in the suite; None if the suite does not keep it.
        faults: the faults of an operation; several if the compiler duplicated its code; empty for other findings.
        allowed: whether the configuration lists the finding as known (``allow-findings``).
        file, line: where it went wrong; empty and 0 if that is not known.
        others: the indices of further inputs in the suite that show it.
        more: how many further inputs show it.
    """

    kind: str
    words: Words
    message: str
    input: int | None = None
    faults: tuple[Branch, ...] = ()
    allowed: bool = False
    file: str = ""
    line: int = 0
    others: tuple[int, ...] = ()
    more: int = 0

    @property
    def cause(self) -> tuple[object, ...] | None:
        """What findings of one cause have in common; None if the cause is not known.

        Findings have the same cause if they are of the same kind, and the same operation fails, or the same class of
        exception comes from the same line.
        """
        if self.faults:
            return self.kind, self.faults[0].site.place
        if not self.line and self.kind != Termination.FPE.finding:
            return None
        name = self.message
        if self.kind == "exception":
            name = name.partition(": ")[2].partition(":")[0]
        elif self.kind == Termination.UNDEFINED.finding:
            name = name.rpartition(": ")[0]  # without the operands
        return self.kind, PurePath(self.file).name, self.line, name


def plainness(signature: Signature, finding: Finding) -> tuple[bool, bool, int]:
    """Return a key that sorts findings: ordinary inputs first, infinite and NaN ones last, then by length."""
    words = finding.words
    return not is_ordinary(signature, words), not is_finite(signature, words), len(signature.show(words))


@dataclass(frozen=True)
class Mutants:
    """The mutants that the inputs of a suite kill.

    Attributes:
        all: the mutants that were run, in the order of their numbers.
        killed_by: for each input of the suite, in order, the numbers of the mutants that it kills.
        equivalent: the numbers of the mutants that are known to be equivalent: no test can kill them.
    """

    all: list[Mutant]
    killed_by: list[frozenset[int]]
    equivalent: frozenset[int]

    @property
    def killed(self) -> frozenset[int]:
        """The numbers of the mutants that some input kills."""
        return frozenset[int]().union(*self.killed_by)

    @property
    def left(self) -> list[Mutant]:
        """The mutants that survive: no input kills them, and they are not known to be equivalent."""
        out = self.killed | self.equivalent
        return [mutant for mutant in self.all if mutant.number not in out]


@dataclass(frozen=True, kw_only=True)
class Goals:
    """What was searched for.

    Attributes:
        sites: all conditions with a probe.
        branches: the branches that the search looked for, without faults.
        faults: the faults of operations that the search looked for.
    """

    sites: list[Site]
    branches: list[Branch]
    faults: list[Branch] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How the search went.

    Attributes:
        seed: the seed of every random choice.
        evaluations: runs made by the search.
        seconds: duration of the search.
        total_seconds: duration of compilation, search and replay together.
        stopped: why the search stopped.
        strategy: the schedule of the search in the notation of :mod:`zeroin.generate.schedule`.
        engine: ``native``, or ``interpreted`` with the reason.
        events: pairs of seconds of the search and the number of branches covered by then, in order.
    """

    seed: int
    evaluations: int
    seconds: float
    total_seconds: float = 0.0
    stopped: Stopped
    strategy: str = ""
    engine: str = "native"
    events: list[tuple[float, int]] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What is known of the branches that no input takes.

    Attributes:
        reached: numbers of the sites that some run evaluated.
        proofs: for each infeasible branch, by number, the proof that no input takes it.
        doubted: for some undecided branches, by number, the reason.
        undefined: numbers of the branches taken by runs with undefined behaviour.
        faulty: numbers of the faults that some run has.
    """

    reached: frozenset[int] = frozenset()
    proofs: Mapping[int, Proof] = field(default_factory=dict)
    doubted: Mapping[int, str] = field(default_factory=dict)
    undefined: frozenset[int] = frozenset()
    faulty: frozenset[int] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Suite(Goals, Effort, Evidence):
    """The result for one target.

    Attributes:
        target: the function or class under test, as the user named it.
        signature: its name, parameters and result.
        options: the options of the request.
        inputs: the kept inputs.
        findings: crashes, hangs, exceptions and faults.
        mutants: None if no mutants were run.
        disagreements: the number of inputs dropped because the plain and the instrumented function behave differently.
        stateful: whether inputs change variables that outlive a call. Every run starts from their initial values.
        samples: further runs, from which reports draw the function; None without ``Options.samples``.
        notes: remarks for the user.
    """

    target: Target
    signature: Signature
    options: Options = field(default_factory=Options)
    inputs: list[Input]
    findings: list[Finding]
    mutants: Mutants | None = None
    disagreements: int = 0
    stateful: bool = False
    samples: Samples | None = None
    notes: list[str] = field(default_factory=list)

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """The verdicts on all branches, in the order of :attr:`branches`. They are computed once."""
        return [self._verdict(branch) for branch in self.branches]

    @cached_property
    def _first(self) -> dict[int, int]:
        """For each branch taken, the index of the first input that takes it; inputs that return come first."""
        first: dict[int, int] = {}
        for returned in (True, False):
            for number, kept in enumerate(self.inputs):
                if (kept.outcome is Termination.RETURNED) == returned:
                    for outcome in kept.covered:
                        first.setdefault(outcome, number)
        return first

    def _verdict(self, branch: Branch) -> Verdict:
        if branch.outcome in self._first:
            return Verdict(branch, COVERED, self._first[branch.outcome])
        return self._missing(branch)

    @cached_property
    def fault_verdicts(self) -> list[Verdict]:
        """The verdicts on all faults that were looked for: found, infeasible or undecided.

        Findings list each found fault once per place in the source.
        """
        return [
            Verdict(fault, FOUND) if fault.outcome in self.faulty else self._missing(fault) for fault in self.faults
        ]

    def _missing(self, branch: Branch) -> Verdict:
        proof = self.proofs.get(branch.outcome)
        if proof is not None:
            return Verdict(branch, INFEASIBLE, None, _of_proof(proof), proof)
        if branch.outcome in self.undefined:
            return Verdict(branch, UNDECIDED, None, "only undefined behaviour takes it")
        if branch.outcome ^ 1 in self.undefined and branch.outcome ^ 1 not in self._first:
            return Verdict(branch, UNDECIDED, None, "only undefined behaviour reaches its condition")
        if branch.outcome in self.doubted:
            return Verdict(branch, UNDECIDED, None, self.doubted[branch.outcome])
        if branch.site.number in self.reached or branch.site.form in ("path", "objective"):
            return Verdict(branch, UNDECIDED, None, f"no input found in {self.evaluations:,} evaluations")
        forms = {"boundary": "compared numbers there", **dict.fromkeys(FAULTS, "reached the operation")}
        what = forms.get(branch.site.form, "reached the condition")
        return Verdict(branch, UNDECIDED, None, f"no run {what}")

    @property
    def refuted(self) -> list[Branch]:
        """Branches with both an input and a proof of infeasibility. Each of them shows a bug in zeroin."""
        taken = {outcome for kept in self.inputs for outcome in kept.covered}
        taken = (taken | self.faulty) & self.proofs.keys()
        return [branch for branch in [*self.branches, *self.faults] if branch.outcome in taken]

    @property
    def uncounted(self) -> list[str]:
        """One line for each kind of abnormal behaviour that is no finding.

        A line names the input, or the number of inputs if several behave in the same way.
        """
        several = dict[str, list[Words]]()
        for kept in self.inputs:
            if kept.replay.uncounted:
                several.setdefault(kept.replay.uncounted, []).append(kept.words)
        return [_told(self.signature, done, words) for done, words in several.items()]

    def number_of(self, finding: Finding) -> int | None:
        """Return the index of the input that shows a finding; None if the suite does not keep it."""
        if finding.input is not None:
            return finding.input
        return next((number for number, kept in enumerate(self.inputs) if kept.words == finding.words), None)

    def is_finding(self, number: int) -> bool:
        """Return whether the end of an input's run is a finding.

        If several inputs end in the same way, the findings list only one of them, but the result is True for each.

        Args:
            number: the index of the input, from 0.
        """
        replay = self.inputs[number].replay
        return replay.outcome is not Termination.RETURNED and any(
            finding.kind == replay.outcome.finding and (finding.message == replay.ending or number in finding.others)
            for finding in self.findings
        )

    @cached_property
    def repeats(self) -> dict[int, int]:
        """For each input that repeats another input's finding, by index, the index of that other input.

        Two inputs show the same finding if exceptions of the same class come from the same line. If the line is
        unknown, both have to fail the same assertion, or end in the same way and take the same branches. The input with
        the shortest call represents the others.
        """
        alike = dict[object, list[int]]()
        for number, kept in enumerate(self.inputs):
            if self.is_finding(number):
                replay = kept.replay
                way = (replay.place, replay.ending.partition(": ")[2].partition(":")[0]) if replay.place else (
                    replay.ending, kept.covered if replay.outcome is not Termination.ASSERTED else "")  # fmt: skip
                alike.setdefault((replay.outcome, *way), []).append(number)
        found = dict[int, int]()
        for several in alike.values():
            if len(several) > 1:
                plainest = min(several, key=self._length)
                found.update({one: plainest for one in several if one != plainest})
        return found

    def _length(self, number: int) -> int:
        return len(self.signature.show(self.inputs[number].words))

    def compares(self, kept: Input) -> bool:
        """Return whether a test of the input compares something: a result, a changed argument, or an abnormal end."""
        return kept.outcome is not Termination.RETURNED or self.signature.compares(kept.replay)

    @property
    def is_tested(self) -> bool:
        """Whether a test of at least one input compares something; True without inputs.

        If False, the tests execute branches but check nothing.
        """
        return not self.inputs or any(map(self.compares, self.inputs))

    def count(self, verdict: str) -> int:
        """Return the number of branches with this verdict. Faults do not count."""
        return sum(v.verdict == verdict for v in self.verdicts)

    @property
    def percent(self) -> float:
        """The percentage of decided branches (covered or infeasible), from 0 to 100; 100 if there are no branches."""
        return 100.0 * (len(self.branches) - self.count(UNDECIDED)) / len(self.branches) if self.branches else 100.0


def _told(signature: Signature, done: str, words: list[Words]) -> str:
    if len(words) == 1:
        return f"{signature.show(words[0])} {done}"
    verb, rest = done.split(" ", 1)
    return f"{len(words)} inputs {verb.removesuffix('s')} {rest}"


def _of_proof(proof: Proof) -> str:
    """Return the solvers behind a proof, its duration and its assumptions as text for the user."""
    others = ", ".join(one.solver for one in proof.confirmed_by)
    agreed = f", {others} agrees" if others else ""
    given = f"; assuming {', '.join(proof.assumptions)}" if proof.assumptions else ""
    return f"proved by {proof.solver} in {proof.seconds:.2f} s{agreed}{given}"
