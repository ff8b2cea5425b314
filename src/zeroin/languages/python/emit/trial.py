"""The trial of a pytest file, which finds the tests whose results depend on more than the input.

The trial runs the file on another day, in another environment and folder, on another machine and with other hashes. A
test that passes there depends on its input only. A test that fails there is run here. If it passes with all changes but
that of the hashes, these are the cause; else it is run with one change at a time.
"""

from __future__ import annotations

import ast
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ....emit.test_header import Batch
from ....emit.trial import OTHER_SEED, START, WORKERS_SEED, Ended, InputKey, Trial, run_inside, seconds_for_test
from .trial_surroundings import CHANGES

PROCESS = "zeroin.languages.python.emit.trial_process"
_SEEDS = (OTHER_SEED, "2", "3", "4")  # several, as two texts in a set change places only with every second seed
_SHARED = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}


@dataclass(frozen=True)
class PytestTrial:
    """The trial of one file.

    Attributes:
        test: the file.
        batch: the suites that the file tests.
        numbers: the input of each test, by the test's name.
    """

    test: Path
    batch: Batch
    numbers: Mapping[str, InputKey]

    def trial(self) -> Trial:
        """Run the trial and return its result.

        ``failed`` has tests that fail in the usual surroundings, ``unpinned`` those that only fail in others. A file
        that can only be imported in the usual surroundings passes.
        """
        changes = tuple(CHANGES)
        elsewhere = list[Ended]()
        for ended in self._elsewhere(changes):
            if None in ended.diary.values():  # each further run would wait for the same test
                return self._failures(ended)
            elsewhere.append(ended)
        if all(map(self._passes, elsewhere)):
            return Trial()
        here = self._run((), WORKERS_SEED)
        if not self._passes(here):
            return self._failures(here)
        if any("" in ended.diary for ended in elsewhere):
            changes = tuple(one for one in changes if "" not in self._run((one,), WORKERS_SEED).diary)
            elsewhere = [*self._elsewhere(changes)]
        failing = [name for name in self.numbers if any(ended.diary.get(name) != "" for ended in elsewhere)]
        if not failing or any("" in ended.diary for ended in elsewhere):
            return Trial()  # the file can only be imported in the surroundings here
        causes = self._causes(failing, changes)
        return Trial(unpinned={self.numbers[name]: causes.get(name, "its environment") for name in failing})

    def _elsewhere(self, changes: Sequence[str]) -> Iterator[Ended]:
        """Return an iterator that runs the file with these changes, at each step with another seed of hashes."""
        seeds = _SEEDS if _has_sets(self.batch.target.path) else _SEEDS[:1]
        return (self._run(changes, seed) for seed in seeds)

    def _causes(self, failing: Sequence[str], changes: Sequence[str]) -> dict[str, str]:
        """Return, for each of these tests, a change with which it fails, in words.

        A test that fails with none of them alone is missing.
        """
        ended = self._run(changes, WORKERS_SEED, failing)
        found = {name: "the order of a set, or a hash" for name in failing if ended.diary.get(name) == ""}
        for one in changes:
            left = [name for name in failing if name not in found]
            if left:
                ended = self._run((one,), WORKERS_SEED, left)
                found.update({name: CHANGES[one] for name in left if ended.diary.get(name) != ""})
        return found

    def _failures(self, ended: Ended) -> Trial:
        """Return the result of a trial whose run in the usual surroundings did not pass."""
        if "" in ended.diary:
            return Trial(whole=f"the test can not be imported: {ended.diary['']}")
        failed = {name: why for name, why in ended.diary.items() if why != ""}
        if not failed:
            alone = {name: self._run((), WORKERS_SEED, [name]) for name in self.numbers}
            failed = {name: run.diary[name] for name, run in alone.items() if run.status != 0 and name in run.diary}
            return Trial({self.numbers[name]: why or alone[name].cause for name, why in failed.items()},
                         "" if failed else f"when pytest runs all its tests, {ended.cause}")  # fmt: skip
        return Trial({self.numbers[name]: why or ended.cause for name, why in failed.items()})

    def _passes(self, ended: Ended) -> bool:
        """Whether all tests of the file ran and passed."""
        return ended.status == 0 and list(ended.diary.values()) == [""] * len(self.numbers)

    def _run(self, changes: Sequence[str], seed: str, names: Sequence[str] = ()) -> Ended:
        """Run tests in a new process with these changes and this seed of hashes; without names, run all."""
        path = self.batch.target.path.resolve()
        own = [str(path), *([] if str(path.parent) in _SHARED else [str(path.parent)])]
        limit = seconds_for_test(self.batch)
        arguments = [str(self.test.absolute()), list(names), ..., limit, list(changes), own]
        return run_inside(f"{PROCESS}:pytest_file", arguments, allow=self.batch.options.allow, seed=seed, tells=True,
                          seconds=START + limit * len(names or self.numbers))  # fmt: skip


def _has_sets(path: Path) -> bool:
    """Whether a module's source makes sets or mentions ``hash``. False if the source can not be read."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError):  # it has changed since it was imported
        return False
    named = ("set", "frozenset", "hash")
    return any(isinstance(node, ast.Set | ast.SetComp) or (isinstance(node, ast.Name) and node.id in named)
               for node in ast.walk(tree))  # fmt: skip
