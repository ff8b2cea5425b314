"""Sample a function with one or two numeric inputs, so that a report can draw it."""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np

from ..objective.branch import BranchObjective
from ..subject.base import Run, Signature, Words
from ..subject.subject import Subject
from ..suite.samples import MOST_AXES, Axis, Samples, Scale, number_of
from ..words import OWN_WORDS, Kind, decode, encode, word_range

_SIDES = {1: (33, 65, 129, 257), 2: (9, 17, 33, 49)}  # points along each axis, for one axis and for two
_MOST_MISSED = 4  # branches whose objectives are kept
_TEXTS = (Kind.CHAR, Kind.BYTE)


def why_unsampled(signature: Signature) -> str:
    """Return why a function can not be drawn, as the end of a sentence; empty if it can."""
    kinds = signature.kinds
    others = [p.name for p in signature.given if p.arity != 1 or p.kinds[0] in (*OWN_WORDS, *_TEXTS)]
    if others:
        return f"{others[0]} is not a single number"
    if len(kinds) != len(signature.given):
        return "it depends on more than its parameters"
    if not 1 <= len(kinds) <= MOST_AXES:
        return f"it has {len(kinds) or 'no'} inputs"
    return ""


def sample(subject: Subject, inputs: Sequence[Words], missed: Sequence[int], seconds: float,
           run: Callable[[Words], Run]) -> Samples:  # fmt: skip
    """Run a subject at points around its inputs, on finer and finer grids, until the time is over.

    Args:
        subject: the loaded subject.
        inputs: the inputs to be drawn. The axes show them all.
        missed: the branches whose objectives are wanted. Those of the first four are kept.
        seconds: the time limit. The last grid that is complete by then is returned.
        run: runs an input.
    """
    signature = subject.signature
    if why := why_unsampled(signature):
        return Samples(why=why)
    until = time.perf_counter() + seconds
    done, lines = dict[Words, tuple[frozenset[int] | None, float]](), list[list[int]]()
    scales = [_scale(signature, inputs, at) for at in range(signature.arity)]
    for side in _SIDES[signature.arity]:
        finer = [_points(signature, inputs, at, scale, side) for at, scale in enumerate(scales)]
        for words in _grid(finer):
            if words not in done and time.perf_counter() <= until:
                done[words] = _sampled(subject, run(words))
        if any(words not in done for words in _grid(finer)):
            break
        lines = finer
    if not lines:
        return Samples(why="there was too little time to run it further")
    points = list(_grid(lines))
    objectives = {}
    for branch in missed[:_MOST_MISSED]:
        if time.perf_counter() <= until:
            objectives[branch] = _objective(subject, branch, points)
    return Samples(
        tuple(Axis(p.name, tuple(float(decode(p.kinds[0], word)) for word in line), scale)
              for p, line, scale in zip(signature.given, lines, scales, strict=True)),
        tuple(done[words][0] for words in points), tuple(done[words][1] for words in points), objectives,
    )  # fmt: skip


def _grid(lines: Sequence[Sequence[int]]) -> Iterator[Words]:
    """Yield the points of a grid, the first input fastest."""
    return (tuple(reversed(point)) for point in product(*reversed(lines)))


def _scale(signature: Signature, inputs: Sequence[Words], at: int) -> Scale:
    """Return the scale of an input: it shows the values of all inputs, within the range that is allowed."""
    kind, (low, high) = signature.kinds[at], signature.ranges()[at]
    ends = [float(decode(kind, word)) for word in (low, high)] if (low, high) != word_range(kind) else []
    ends = ends if ends and all(map(math.isfinite, ends)) else [-math.inf, math.inf]
    return Scale.of((float(decode(kind, words[at])) for words in inputs), *ends)


def _points(signature: Signature, inputs: Sequence[Words], at: int, scale: Scale, side: int) -> list[int]:
    """Return words along an input, in the order of their values, without repetition.

    For a function of one input, they include those of the inputs and their neighbours.
    """
    kind, (low, high) = signature.kinds[at], signature.ranges()[at]
    values = [scale.value(number / (side - 1)) for number in range(side)]
    found = {_word(kind, value) for value in values}
    if signature.arity == 1:
        shown = [words[at] for words in inputs if not math.isnan(decode(kind, words[at]))]
        found.update(word + step for word in shown for step in (-1, 0, 1))
    return sorted(word for word in found if low <= word <= high and not math.isnan(decode(kind, word)))


def _word(kind: Kind, value: float) -> int:
    if kind.is_float:
        return encode(kind, value)
    if kind is Kind.BOOL:
        return encode(kind, value > 0.5)
    low, high = word_range(kind)
    lowest, highest = decode(kind, low), decode(kind, high)
    return encode(kind, max(lowest, min(round(value), highest)))


def _sampled(subject: Subject, run: Run) -> tuple[frozenset[int] | None, float]:
    """Return the branches that a run takes, and its result; None and NaN if it does not return."""
    if not run.returned:
        return None, math.nan
    return run.covered, number_of(subject.signature.exact_result(subject.observe(run.words)))


def _objective(subject: Subject, branch: int, points: Sequence[Words]) -> tuple[float, ...]:
    """Return the objective of a branch at each point; NaN where a run reaches no condition that leads to it."""
    objective = BranchObjective(len(subject.sites))
    objective.aim(subject.graph.levels(branch), -1, -1)
    native = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(subject.install(objective.question))
    values = (float(native(np.array(words, dtype=np.int64).ctypes.data)) for words in points)
    return tuple(value if value < BranchObjective.r0 else math.nan for value in values)
