"""The result of a run: the inputs kept, what each covers and returns, the verdict on every branch, the findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ..config import FAULTS, Options
from ..generate.stopped import Stopped
from ..subject.base import Branch, Replay, Run, Signature, Site, Target, Termination, Words

if TYPE_CHECKING:
    from ..solvers.base import Proof
    from ..subject.mutants import Mutant

COVERED, INFEASIBLE, UNDECIDED = "covered", "infeasible", "undecided"
FOUND = "found"  # of faults


@dataclass(frozen=True)
class Input:
    """One kept input: its words, the outcomes of sites that it takes, and what the plain function did with it.

    Attributes:
        untested: why no test of it is written although it could be; empty when one is.
    """

    words: Words
    covered: frozenset[int]
    replay: Replay
    untested: str = ""

    @property
    def outcome(self) -> Termination:
        return self.replay.outcome


@dataclass(frozen=True)
class Verdict:
    """On one branch, or fault of an operation. ``input`` is the number of the first input that takes a branch; ``why``
    is given when none does, and ``proof`` when none can."""

    branch: Branch
    verdict: str
    input: int | None = None
    why: str = ""
    proof: Proof | None = None


@dataclass(frozen=True)
class Finding:
    """Something that went wrong in the subject, with the input that shows it; ``faults`` if an operation did, whose
    code may have been compiled several times; ``allowed`` if the user knows of it."""

    kind: str  # crash, hang, assertion, exception, forbidden, undefined; one of :data:`zeroin.config.FAULTS`
    words: Words
    message: str
    input: int | None = None
    faults: tuple[Branch, ...] = ()
    allowed: bool = False


@dataclass(frozen=True)
class Mutants:
    """What the inputs of a suite notice of changes of the code.

    Attributes:
        all: the mutants that were run.
        noticed: by each of the inputs.
        superfluous: those that do the same as the subject.
    """

    all: list[Mutant]
    noticed: list[frozenset[int]]
    superfluous: frozenset[int]

    @property
    def killed(self) -> frozenset[int]:
        """Those that some input notices."""
        return frozenset[int]().union(*self.noticed)

    @property
    def left(self) -> list[Mutant]:
        """Those that none does, and that may do something else than the subject."""
        out = self.killed | self.superfluous
        return [mutant for mutant in self.all if mutant.number not in out]


@dataclass(frozen=True)
class Suite:
    """What a run found for one target."""

    target: Target
    signature: Signature
    sites: list[Site]
    branches: list[Branch]
    inputs: list[Input]
    findings: list[Finding]
    seed: int
    evaluations: int
    seconds: float  # of search
    stopped: Stopped
    disagreements: int = 0
    notes: list[str] = field(default_factory=list)
    stateful: bool = False  # the inputs change variables that outlive a call; every run starts from their first values
    reached: frozenset[int] = frozenset()  # sites that some run evaluated
    events: list[tuple[float, int]] = field(default_factory=list)  # (seconds, branches covered by then)
    total_seconds: float = 0.0  # compiling, searching and replaying
    engine: str = "native"  # or interpreted, and why
    strategy: str = ""  # the schedule of the search, as :mod:`zeroin.generate.schedule` writes it
    options: Options = field(default_factory=Options)  # what was asked for
    proofs: Mapping[int, Proof] = field(default_factory=dict)  # that no input takes an outcome
    faults: list[Branch] = field(default_factory=list)  # of operations, that were looked for
    mutants: Mutants | None = None  # where they were run
    doubted: Mapping[int, str] = field(default_factory=dict)  # why outcomes are undecided
    undefined: frozenset[int] = frozenset()  # outcomes that runs take which do what the language leaves undefined

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """The verdict on every branch, in the order of the source."""
        return [self._verdict(branch) for branch in self.branches]

    @cached_property
    def _first(self) -> dict[int, int]:
        """Of each outcome that is taken the number of the first input that takes it, and returns if one does."""
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
        """The verdict on every fault of an operation that was looked for: found, infeasible or undecided. Those
        that are found stand among the findings, once for each place in the source."""
        return [
            Verdict(fault, FOUND) if fault.outcome in self._found else self._missing(fault) for fault in self.faults
        ]

    @property
    def _found(self) -> set[int]:
        return {fault.outcome for finding in self.findings for fault in finding.faults}

    def _missing(self, branch: Branch) -> Verdict:
        proof = self.proofs.get(branch.outcome)
        if proof is not None:
            return Verdict(branch, INFEASIBLE, None, _of_proof(proof), proof)
        if branch.outcome in self.undefined:
            return Verdict(branch, UNDECIDED, None, "only undefined behaviour takes it")
        if branch.outcome ^ 1 in self.undefined and branch.outcome ^ 1 not in self._first:
            return Verdict(branch, UNDECIDED, None, "only undefined behaviour comes to its condition")
        if branch.outcome in self.doubted:
            return Verdict(branch, UNDECIDED, None, self.doubted[branch.outcome])
        if branch.site.number in self.reached or branch.site.form == "path":
            return Verdict(branch, UNDECIDED, None, f"no input found in {self.evaluations:,} evaluations")
        forms = {"boundary": "compared numbers there", **dict.fromkeys(FAULTS, "reached the operation")}
        what = forms.get(branch.site.form, "reached the condition")
        return Verdict(branch, UNDECIDED, None, f"no run {what}")

    @property
    def refuted(self) -> list[Branch]:
        """Branches that an input takes although there is a proof that none does: a mistake of ours."""
        taken = {outcome for kept in self.inputs for outcome in kept.covered}
        taken = (taken | self._found) & self.proofs.keys()
        return [branch for branch in [*self.branches, *self.faults] if branch.outcome in taken]

    @property
    def uncounted(self) -> list[str]:
        """Lines about what inputs do that is no finding, each with the input; of several that do the same, how many."""
        several = dict[str, list[Words]]()
        for kept in self.inputs:
            if kept.replay.uncounted:
                several.setdefault(kept.replay.uncounted, []).append(kept.words)
        return [_told(self.signature, done, words) for done, words in several.items()]

    def is_finding(self, number: int) -> bool:
        """Whether an input's end is a finding; of several inputs with the same end, one stands among the findings."""
        replay = self.inputs[number].replay
        return replay.outcome is not Termination.RETURNED and any(
            finding.kind == replay.outcome.finding and finding.message == replay.ending for finding in self.findings
        )

    @cached_property
    def repeats(self) -> dict[int, int]:
        """Of the inputs whose ends are findings, those of which another input already shows the finding: the number of
        that one, which is the plainest with an exception of its class from its line. Where no line is known, inputs
        repeat each other if they fail the same assertion, or end alike and take the same branches."""
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
        """Whether a test of an input compares something."""
        return kept.outcome is not Termination.RETURNED or self.signature.compares(kept.replay)

    @property
    def is_tested(self) -> bool:
        """Whether a test of some input compares something; if not, branches are covered, and nothing is tested."""
        return not self.inputs or any(map(self.compares, self.inputs))

    def count(self, verdict: str) -> int:
        return sum(v.verdict == verdict for v in self.verdicts)

    @property
    def percent(self) -> float:
        """Branches decided (covered or infeasible), in percent; 100 when there is none."""
        return 100.0 * (len(self.branches) - self.count(UNDECIDED)) / len(self.branches) if self.branches else 100.0


def _told(signature: Signature, done: str, words: list[Words]) -> str:
    if len(words) == 1:
        return f"{signature.show(words[0])} {done}"
    verb, rest = done.split(" ", 1)
    return f"{len(words)} inputs {verb.removesuffix('s')} {rest}"


def _of_proof(proof: Proof) -> str:
    """Who proved it, and what is taken for granted, for people."""
    others = ", ".join(one.solver for one in proof.confirmed_by)
    agreed = f", {others} agrees" if others else ""
    given = f"; assuming {', '.join(proof.assumptions)}" if proof.assumptions else ""
    return f"proved by {proof.solver} in {proof.seconds:.2f} s{agreed}{given}"


@dataclass(frozen=True)
class Resume:
    """What earlier processes of the same target left behind."""

    runs: tuple[Run, ...] = ()
    evaluations: int = 0
    seconds: float = 0.0
    lives: int = 0
    lethal: tuple[Run, ...] = ()  # that ended a process
    narrow: bool = False  # one of them by never coming back: keep unbounded integers small
    seeds: tuple[int, int] = (0, 0)  # pass and number at which the strategy of that name goes on
    known: tuple[Words, ...] = ()  # inputs to run first
    proofs: tuple[tuple[int, Proof], ...] = ()  # outcomes that no input takes
    wary: bool = False  # one of them died while it was thinking: no solver can be trusted with the process
    deaths: int = 0  # inputs that have ended a process
    doubts: bool = False  # some finds of an earlier one were not confirmed by the plain function
