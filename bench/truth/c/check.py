"""Make C programs, run all their inputs, ask zeroin about them, and compare."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from zeroin import Budget, CTarget, Options, Suite, Worker, ZeroinError, cover

from ..verdicts import ENGINES, PATH, Branch, Checked, Program, Truth, suite_for
from .code import File, put_together
from .emitted import check_tests
from .features import EXCLUDED, INCLUDED, program
from .truth import truths

together = 16  # programs in a file
excluded = EXCLUDED
_FUEL = 20_000  # far more than any of these programs needs
_PATHS = (1, 2)  # that are asked for, of those that a run takes and of those that none takes
_PATH_BUDGET = Budget(20_000, 60.0, work=0.5)


def check(numbers: Sequence[int], seed: int, folder: Path) -> list[Checked]:
    """Make the programs of these numbers, run all their inputs, and ask zeroin. The folder is new and empty."""
    written = [program(seed, number) for number in numbers]
    file = put_together(written)
    known = truths(file, folder)
    source = folder / "programs.c"
    source.write_text(file.plain)
    checked = {one.program.function: one for one in _programs(file, known)}
    suites = ask(source, checked)
    check_tests(suites, {name: checked[name] for name in suites}, folder / "zeroin-out")
    return list(checked.values())


def _programs(file: File, known: Mapping[int, Truth]) -> list[Checked]:
    found = list[Checked]()
    for one in file.programs:
        text = "\n".join([*file.texts[one.number], "/* driver:", one.driver.body, "*/"])
        found.append(Checked(Program("c", one.number, one.feature, one.function, text, known[one.number])))
    return found


def ask(source: Path, checked: Mapping[str, Checked]) -> dict[str, Suite]:
    """Ask the engines about every function, and compare; the suites of the default engine, by function."""
    found = dict[str, Suite]()
    with Worker() as sandbox:
        for name, one in checked.items():
            target = CTarget(f"{source.name}:{name}", source, name, "c")
            for engine in engines_for(one.program.number):
                try:
                    if engine == PATH:
                        _ask_for_paths(target, found[name], one, sandbox)
                        continue
                    options = replace(ENGINES[engine], callees=True, fuel=_FUEL)
                    if engine == "default":
                        options = replace(options, suite=suite_for(one.program.number, len(INCLUDED)))
                    suite = cover(target, options, sandbox)
                except ZeroinError as error:
                    one.fails(f"{engine}: {error}")
                    break
                one.compare(engine, suite)
                found.setdefault(name, suite)
    return found


def engines_for(number: int) -> tuple[str, str]:
    """Who is asked about a program: the default, and in turn one of the others."""
    first, *others = [*ENGINES, PATH]
    return first, others[(number + number // len(INCLUDED)) % len(others)]


def _ask_for_paths(target: CTarget, suite: Suite, checked: Checked, sandbox: Worker) -> None:
    """Ask for some paths of which it is known whether a run takes them."""
    truth = checked.program.truth
    names = {truth.branch(one): one.id for one in suite.branches}
    rng = random.Random(checked.program.number)
    for path in _chosen(truth, rng):
        if all(branch in names for branch in path):
            asked = Options(
                budget=_PATH_BUDGET, callees=True, fuel=_FUEL, path=",".join(names[branch] for branch in path)
            )
            try:
                verdict = cover(target, asked, sandbox).verdicts[0]
            except ZeroinError as error:
                checked.refused_path(path, str(error))
            else:
                checked.compare_path(path, verdict.verdict, verdict.why)


def _chosen(truth: Truth, rng: random.Random) -> list[tuple[Branch, ...]]:
    taken = [path for path, example in truth.paths.items() if example is not None and len(path) > 1]
    others = [path for path, example in truth.paths.items() if example is None]
    return [path for some, most in zip((taken, others), _PATHS, strict=True)
            for path in rng.sample(some, min(most, len(some)))]  # fmt: skip
