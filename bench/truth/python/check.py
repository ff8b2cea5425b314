"""zeroin on random Python programs: every verdict and every emitted test against the truth."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from zeroin import Budget, Options, Suite, Worker, cover

from ..verdicts import PATH, Branch, Checked, Program, Truth, Wrong, suite_for
from .emitted import check_tests
from .generate import EXCLUDED, INCLUDED, program
from .program import PythonProgram, module_of
from .replayed import Replayer
from .truth import Truth as Runs
from .truth import truth_of, without
from .twin import Decision, Key

together = 16
excluded = EXCLUDED

_SECONDS = 20.0  # only what hangs comes to that
ENGINES: Mapping[str, Options] = {
    "default": Options(budget=Budget(50_000, _SECONDS, work=1.0), faults=False),
    "explore": Options(budget=Budget(200, _SECONDS, work=0.3), engine="explore", suite="small"),
    "prove": Options(budget=Budget(1_000, _SECONDS, work=1.0), engine="prove", suite="small"),
    "enumerate": Options(budget=Budget(20_000, _SECONDS, work=0.5), engine="enumerate", suite="small"),
}
_ALONG = Options(budget=Budget(1_000, _SECONDS, work=0.5))
_LONGEST_PATH = 5  # decisions
_IS_NO = re.compile(r"\b(\w+) is no ([\w, ]+)")  # an assumption about an argument that a verdict states


def check(numbers: Sequence[int], seed: int, folder: Path) -> list[Checked]:
    """Make the programs of these numbers, run all their inputs, and ask zeroin."""
    programs = {number: program(seed, number) for number in numbers}
    return Checking(programs, folder, random.Random(f"{seed}:{min(numbers)}")).checked()


def engines_for(number: int) -> tuple[str, str]:
    """Who is asked about a program: the default, and in turn one of the others."""
    others = [*ENGINES, PATH][1:]
    return "default", others[(number % len(INCLUDED) + number // len(INCLUDED)) % len(others)]


@dataclass(frozen=True)
class Case:
    """A program, and what its inputs do; its lines are those of the module."""

    number: int
    program: PythonProgram
    start: int  # lines before it
    runs: Runs

    @property
    def first_line(self) -> int:
        """Of the function."""
        text = self.program.text
        return self.start + text[: text.index(f"def {self.program.name}(")].count("\n") + 1


class Checking:
    """The check of programs that share a module.

    Attributes:
        path: of the module.
        cases: the programs.
    """

    def __init__(self, programs: Mapping[int, PythonProgram], folder: Path, rng: random.Random) -> None:
        text, starts = module_of(list(programs.values()))
        self.path = folder / "truth_programs.py"
        self.path.write_text(text)
        self.cases = list[Case]()
        for (number, one), start in zip(programs.items(), starts, strict=True):
            self.cases.append(Case(number, one, start, truth_of(one, start)))
        self._replayer = Replayer(text, self.path.stem)
        self._rng = rng

    def checked(self) -> list[Checked]:
        """Ask every engine about every program, and run the tests that are written for the default one."""
        found, suites = list[Checked](), list[Suite]()
        with Worker() as sandbox:
            for case in self.cases:
                asked = engines_for(case.number)
                options = {
                    **ENGINES,
                    "default": replace(ENGINES["default"], suite=suite_for(case.number, len(INCLUDED))),
                }
                said = {engine: self.ask(case, options[engine], sandbox) for engine in asked if engine != PATH}
                path = self._draw_path(case, said["default"]) if PATH in asked else ()
                named = ", ".join(self._names(said["default"])[one] for one in path)
                followed = self.ask(case, replace(_ALONG, path=named), sandbox) if path else None
                found.append(self.judge(case, said, path, followed))
                suites.append(said["default"])
        check_tests(suites, found, self.path.parent)
        return found

    def ask(self, case: Case, options: Options, sandbox: Worker) -> Suite:
        """What zeroin says with these options."""
        assume = (case.program.assume,) if case.program.assume else ()
        return cover(f"{self.path}:{case.program.name}", replace(options, assume=assume), sandbox)

    def judge(self, case: Case, suites: Mapping[str, Suite], path: Sequence[Decision] = (),
              followed: Suite | None = None) -> Checked:  # fmt: skip
        """Compare what the engines said with what runs do.

        Inputs that zeroin found count as well as ours, where their run in the twin does what zeroin says it does.
        """
        every = [*suites.values(), *([followed] if followed else [])]
        spoken_of = {key for suite in every for key, _ in self._names(suite)}
        own = {key for key in case.runs.places if key[0] >= case.first_line}
        outcomes = [(key, holds) for key in case.runs.places if key in own | spoken_of for holds in (True, False)]
        taken = {outcome: case.runs.witness(outcome) or None for outcome in outcomes}
        mistakes, runs = list[tuple[str, str]](), dict[tuple[Decision, ...], str]()
        for engine, suite in [*suites.items(), *([(PATH, followed)] if followed else [])]:
            for shown, claimed, trace in self._replayer.runs(suite):
                runs.setdefault(tuple(trace), shown)
                for outcome in trace:
                    taken[outcome] = taken.get(outcome) or shown
                mistakes += [(engine, f"{_branch(*one)} is covered by {shown}, which does not take it")
                             for one in claimed if one not in trace]  # fmt: skip
        wanted = tuple(path)
        others = (shown for run, shown in runs.items() if run[: len(wanted)] == wanted)
        follows = case.runs.follows(wanted) or next(others, None)
        branches = tuple(_branch(*one) for one in path)
        truth = Truth({_branch(*one): shown for one, shown in taken.items()}, {branches: follows} if path else {})
        shared = Program("python", case.number, case.program.features[0], case.program.name, case.program.text, truth)
        checked = Checked(shared)
        for engine, suite in suites.items():
            checked.compare(engine, suite, replace(truth, branches={**truth.branches, **self._excused(case, suite)}))
        for verdict in followed.verdicts if followed else ():
            checked.compare_path(branches, verdict.verdict, verdict.why)
        checked.wrong += [Wrong(shared, engine, what) for engine, what in mistakes]
        return checked

    def _excused(self, case: Case, suite: Suite) -> dict[Branch, str | None]:
        """For proofs that say which classes an argument is not of: inputs of ours that take the branch all the same."""
        found = dict[Branch, str | None]()
        for verdict in suite.verdicts:
            kinds = dict[str, frozenset[str]]()
            for name, classes in _IS_NO.findall("; ".join(verdict.proof.assumptions)) if verdict.proof else ():
                kinds[name] = kinds.get(name, frozenset()) | frozenset(re.split(r", | or ", classes))
            if kinds:
                fewer = without(case.program, case.start, kinds)
                key = verdict.branch.site.line, verdict.branch.site.condition
                holds = verdict.branch.label == "true"
                found[_branch(key, holds)] = truth_of(fewer, case.start).witness((key, holds)) or None
        return found

    def _names(self, suite: Suite) -> dict[Decision, str]:
        """The names of the branches of a suite."""
        return {((one.site.line, one.site.condition), one.label == "true"): one.id for one in suite.branches
                if one.site.form != "path"}  # fmt: skip

    def _draw_path(self, case: Case, suite: Suite) -> Sequence[Decision]:
        """How some run begins, or another way at the last decision; empty if no run decides anything."""
        runs = [run for run in case.runs.runs if run]
        if not runs:
            return ()
        run = self._rng.choice(runs)
        some = run[: self._rng.randint(1, min(_LONGEST_PATH, len(run)))]
        if any(one not in self._names(suite) for one in some):
            return ()
        key, holds = some[-1]
        return (*some[:-1], (key, holds != (self._rng.random() < 0.5)))


def _branch(key: Key, holds: bool) -> Branch:
    return Branch(key[0], "true" if holds else "false", key[1])
