"""Every verdict and every emitted test against the truth: ``python -m bench.truth.run``, in the project's top folder.

Programs are made at random, half of them in C and half in Python; each has a feature that real code has. All their
inputs are run without zeroin; then all engines are asked about them, and the tests that zeroin writes are run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import cast

from ..decided import command_of
from .page import page
from .verdicts import Checked, Language

_RESULTS = Path(__file__).with_name("RESULTS.md")
_LANGUAGES = ("c", "python")


def language_named(name: str) -> Language:
    """The part of the benchmark for a language; the other one is not loaded."""
    return cast(Language, import_module(f".{name}.check", __package__))


def check(name: str, numbers: Sequence[int], seed: int) -> list[Checked]:
    """Check some programs in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="truth-") as folder:
        return language_named(name).check(numbers, seed, Path(folder).resolve())


def run(asked: Mapping[str, Sequence[int]], seed: int, jobs: int) -> list[Checked]:
    """Check the programs of these numbers in each language, in as many processes."""
    work = list[tuple[str, Sequence[int]]]()
    for name, numbers in asked.items():
        size = language_named(name).together
        work += [(name, numbers[start : start + size]) for start in range(0, len(numbers), size)]
    found = list[Checked]()
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        running = {pool.submit(check, name, numbers, seed): name for name, numbers in work}
        for done in as_completed(running):
            some = done.result()
            found += some
            for one in (wrong for each in some for wrong in each.against):
                print(one, file=sys.stderr)
            print(f"{len(found)} programs", file=sys.stderr, flush=True)
    return sorted(found, key=lambda one: (_LANGUAGES.index(one.program.language), one.program.number))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; 0 when nothing is wrong, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.truth.run", description=__doc__)
    parser.add_argument("--programs", type=int, default=300, metavar="N", help="of all languages together")
    parser.add_argument("--language", choices=(*_LANGUAGES, "both"), default="both")
    parser.add_argument("--only", type=int, action="append", default=[], metavar="N",
                        help="the program of this number alone, whose text is printed (repeatable)")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed makes other programs")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md beside this file")
    options = parser.parse_args(argv)
    if options.programs < 1:
        parser.error("--programs: give at least 1")
    if options.jobs < 1:
        parser.error("--jobs: give at least 1")
    names = _LANGUAGES if options.language == "both" else (options.language,)
    share = -(-options.programs // len(names))
    started = time.perf_counter()
    asked = {name: options.only or range(share) for name in names}
    checked = run(asked, options.seed, options.jobs)
    if options.only:
        print(*(one.program.text for one in checked), sep="\n")
    excluded = {name: language_named(name).excluded for name in names}
    text = page(checked, excluded, command_of("bench.truth.run", argv), time.perf_counter() - started)
    if options.write:
        _RESULTS.write_text(text)
    print(text)
    return 1 if any(one.against for one in checked) else 0


if __name__ == "__main__":
    sys.exit(main())
