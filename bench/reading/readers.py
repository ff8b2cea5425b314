"""How long path conditions of Python functions take: composed of blocks, and by following the run again."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zeroin import domain_of
from zeroin.languages.python.options import PythonOptions
from zeroin.languages.python.read.blocks.model import BlockModel
from zeroin.languages.python.read.values.model import PythonModel
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.subject.base import Execution, Words

from ..python.subjects import ENTRIES


@dataclass(frozen=True)
class Readers:
    """One function of the numeric subset.

    Attributes:
        name: of it.
        blocks: how many it has.
        made: milliseconds to make them.
        composed: milliseconds for a path condition of them, in the mean,
        followed: and by following the run.
    """

    name: str
    blocks: int
    made: float
    composed: float
    followed: float


def compare(runs: int, seed: int = 0) -> Iterator[Readers]:
    """The functions of ``bench/python`` that are of the numeric subset, the readers in turn on random runs."""
    for entry in ENTRIES:
        subject = PythonSubject(str(entry.source), entry.function, PythonOptions(native=False))
        started = time.perf_counter()
        model = subject.model
        made = 1000 * (time.perf_counter() - started)
        if not isinstance(model, BlockModel):
            continue
        other = PythonModel(subject._chosen, subject._others, subject._modules, subject.sites, subject.signature,
                            subject.call)  # fmt: skip
        rng, domain = random.Random(seed), domain_of(subject.signature, subject.constants)
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(runs):
            drawn = (rng.choice([*pool, rng.randint(low, high)])
                     for pool, (low, high) in zip(domain.pools, domain.ranges, strict=True))  # fmt: skip
            words = subject.tidy(tuple(drawn))
            execution = subject.execute(words)
            subject._code.use(False)
            times[0].append(_taken(model, words, execution))
            times[1].append(_taken(other, words, execution))
        yield Readers(entry.name, len(model.blocks), made, *map(statistics.mean, times))


def _taken(reader: BlockModel | PythonModel, words: Words, execution: Execution) -> float:
    started = time.perf_counter()
    reader.along(words, execution)
    return 1000 * (time.perf_counter() - started)


def section(found: Sequence[Readers], runs: int) -> str:
    """Of the page."""
    ratio = statistics.median(one.followed / one.composed for one in found)
    made = statistics.median(one.made for one in found)
    lines = [
        "\n## Python functions of numbers\n",
        f"{len(found)} of the {len(ENTRIES)} functions of `bench/python` are read from their syntax trees. Their "
        f"blocks are made in {made:.1f} ms in the median. A path condition, in the mean of {runs} random runs, takes "
        f"{statistics.median(one.composed for one in found):.2f} ms (median of the functions) by composing blocks, and "
        f"{statistics.median(one.followed for one in found):.2f} ms by following the run again with values that carry "
        f"terms: {ratio:.1f} times as long in the median.\n",
        "| function | blocks | made, ms | composed, ms | followed, ms | times |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    lines += [f"| {one.name} | {one.blocks} | {one.made:.1f} | {one.composed:.2f} | {one.followed:.2f} "
              f"| {one.followed / one.composed:.1f} |" for one in found]  # fmt: skip
    return "\n".join(lines) + "\n"
