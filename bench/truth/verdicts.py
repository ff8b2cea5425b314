"""Programs, what their inputs do in truth, and what zeroin says of them: the data, and the comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from zeroin import COVERED, INFEASIBLE, UNDECIDED, Budget, Options
from zeroin.subject.base import Branch as SpokenOf
from zeroin.suite.suite import Suite
from zeroin.suite.suite import Verdict as Said

# What the engines may spend on one function. Evaluations and solvers' work are counted, so the results are repeatable;
# the seconds only end what hangs. Tests are written of what the default finds, so the others need no suites that notice
# changes.
_SECONDS = 60.0
ENGINES: Mapping[str, Options] = {
    "default": Options(budget=Budget(1_000_000, _SECONDS, work=1.0), faults=False),  # faults have no verdicts
    "explore": Options(budget=Budget(200, _SECONDS, work=0.3), engine="explore", suite="small"),
    "prove": Options(budget=Budget(1_000, _SECONDS, work=1.0), engine="prove", suite="small"),
    "enumerate": Options(budget=Budget(150_000, _SECONDS, work=0.3), engine="enumerate", suite="small"),
}
UNDEFINED = "undefined"  # an input takes the branch with undefined behaviour, as zeroin shows, and none without
PATH = "path"  # the engine's name where one path is looked for


def suite_for(number: int, features: int) -> str:
    """The default's tests of one program in two notice changes of the code, as users have them; that takes longer.

    Args:
        number: of the program.
        features: how many there are, which come in turn.
    """
    return "full" if (number + number // features) % 2 == 0 else "small"


@dataclass(frozen=True, order=True)
class Branch:
    """One outcome of one condition, as zeroin names it.

    Attributes:
        line: of the condition, in the file.
        label: ``true``, ``false``, ``case 3``, ``default``, ... (:attr:`zeroin.subject.base.Branch.label`).
        condition: its text; empty where it is the only condition in its line.
    """

    line: int
    label: str
    condition: str = ""

    def __str__(self) -> str:
        return (
            f"line {self.line}: {self.condition} {self.label}" if self.condition else f"line {self.line}: {self.label}"
        )


@dataclass(frozen=True)
class Truth:
    """What all inputs of a program do. A run with undefined behaviour, or one that crashes, takes nothing.

    Attributes:
        branches: an input that takes the branch, for a person; None if no input does.
        paths: the same for the first decisions of a run, one branch after the other.
    """

    branches: Mapping[Branch, str | None]
    paths: Mapping[tuple[Branch, ...], str | None] = field(default_factory=dict)

    def branch(self, spoken_of: SpokenOf) -> Branch | None:
        """The branch of which zeroin speaks; None if the program has no such branch."""
        line, label = spoken_of.site.line, spoken_of.label
        named = (Branch(line, label, spoken_of.site.condition), Branch(line, label))
        return next((branch for branch in named if branch in self.branches), None)


@dataclass(frozen=True)
class Program:
    """One function of which the truth is known.

    Attributes:
        language: ``c`` or ``python``.
        number: with the seed, this makes the program again.
        feature: what of real code it has.
        function: its name in the file.
        text: its source, for a person.
    """

    language: str
    number: int
    feature: str
    function: str
    text: str
    truth: Truth


@dataclass(frozen=True)
class Wrong:
    """Something that may not be: a wrong verdict, a test that fails or asserts nothing.

    Attributes:
        engine: who said it; ``test`` where a test is at fault.
        what: in one line.
    """

    program: Program
    engine: str
    what: str

    def __str__(self) -> str:
        program = self.program
        return (
            f"{program.language} {program.number} ({program.feature}), {program.function}, {self.engine}: {self.what}"
        )


class Counted(NamedTuple):
    """A kind of verdict.

    Attributes:
        verdict: of zeroin; or ``UNDEFINED``.
        taken: some input takes the branch, or the path, in truth.
    """

    engine: str
    verdict: str
    taken: bool


@dataclass
class Checked:
    """What came of one program.

    Attributes:
        verdicts: how many of each kind there are.
        wrong: verdicts that an input contradicts.
        failing: tests that fail, or can not be built, at some level of optimisation, or under pytest.
        silent: tests without an assertion.
        tests: how many tests were run.
    """

    program: Program
    verdicts: Counter[Counted] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)
    failing: list[Wrong] = field(default_factory=list)
    silent: list[Wrong] = field(default_factory=list)
    tests: int = 0

    @property
    def against(self) -> list[Wrong]:
        return [*self.wrong, *self.failing, *self.silent]

    def compare(self, engine: str, suite: Suite, truth: Truth | None = None) -> None:
        """Count what an engine says of the branches, and note what is wrong with it.

        Args:
            truth: under the assumptions of the engine's proofs; the program's without.
        """
        truth = truth or self.program.truth
        for said in suite.verdicts:
            branch = truth.branch(said.branch)
            taken = branch is not None and truth.branches[branch] is not None
            is_undefined = not taken and said.verdict == UNDECIDED and "undefined behaviour" in said.why
            self.verdicts[Counted(engine, UNDEFINED if is_undefined else said.verdict, taken)] += 1
        self.wrong += [Wrong(self.program, engine, what) for what in contradictions(truth, suite.verdicts)]

    def compare_path(self, path: tuple[Branch, ...], verdict: str, why: str = "") -> None:
        """Count what ``reach --path`` says of a path of which the truth is known, and note it if it is wrong."""
        example = self.program.truth.paths[path]
        self.verdicts[Counted(PATH, verdict, example is not None)] += 1
        what = _contradiction(", ".join(map(str, path)), verdict, why, example)
        self.wrong += [Wrong(self.program, PATH, what)] if what else []

    def refused_path(self, path: tuple[Branch, ...], why: str) -> None:
        """Note that a path is refused, as no path of the code, if a run takes it."""
        if self.program.truth.paths[path] is not None:
            self.wrong.append(Wrong(self.program, PATH, f"{', '.join(map(str, path))}: refused: {why}"))

    def fails(self, what: str) -> None:
        self.failing.append(Wrong(self.program, "test", what))

    def asserts_nothing(self, what: str) -> None:
        self.silent.append(Wrong(self.program, "test", what))


def contradictions(truth: Truth, verdicts: Iterable[Said]) -> Iterator[str]:
    """What is wrong with these verdicts, a line each."""
    spoken_of = set[Branch]()
    for said in verdicts:
        site = said.branch.site
        branch = truth.branch(said.branch)
        if branch is None:
            yield f"line {site.line}: {site.condition} {said.branch.label}: the program has no such branch"
            continue
        spoken_of.add(branch)
        what = _contradiction(str(branch), said.verdict, said.why, truth.branches[branch])
        if what:
            yield what
    yield from (f"{branch}: nothing is said of it" for branch in sorted(truth.branches.keys() - spoken_of))


def _contradiction(where: str, verdict: str, why: str, example: str | None) -> str:
    """Why a verdict is wrong; empty if it is not. Nothing is wrong with ``undecided``."""
    if verdict == INFEASIBLE and example is not None:
        return f"{where}: {verdict} ({why}), and {example} takes it"
    if verdict == COVERED and example is None:
        return f"{where}: {verdict}, and no input takes it"
    return ""


class Language(Protocol):
    """What ``bench/truth/c`` and ``bench/truth/python`` offer.

    Attributes:
        together: programs that are best checked together, in one file.
        excluded: features that are not checked yet, and why.
    """

    together: int
    excluded: Mapping[str, str]

    def check(self, numbers: Sequence[int], seed: int, folder: Path) -> list[Checked]:
        """Make the programs of these numbers, run all their inputs, and ask zeroin. The folder is new and empty."""
        ...


def decided(checked: Iterable[Checked], engine: str, taken: bool) -> tuple[int, int]:
    """How many branches an engine decides, and of how many it speaks.

    Args:
        taken: of those that an input takes; else of those that none takes, not even with undefined behaviour.
    """
    counts = Counter[str]()
    for one in checked:
        for kind, count in one.verdicts.items():
            if (kind.engine, kind.taken) == (engine, taken) and kind.verdict != UNDEFINED:
                counts[kind.verdict] += count
    return counts[COVERED] + counts[INFEASIBLE], counts.total()
