"""The check of a model against runs: what a path condition says of its own input, of its decisions, and of others."""

from __future__ import annotations

import ctypes
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from zeroin import LlvmSubject, domain_of
from zeroin.languages.c.read.model import LlvmModel
from zeroin.languages.python.read.blocks.model import BlockModel
from zeroin.languages.python.read.values.model import PythonModel
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.minimize import Domain
from zeroin.model.memory import Unreadable
from zeroin.model.path import PathCondition, Step
from zeroin.objective.condition import Condition
from zeroin.subject.base import Decision, Execution, Termination, Words
from zeroin.subject.constant import Constant
from zeroin.term.core.evaluate import evaluate, same, signed
from zeroin.term.core.nodes import Op, Term
from zeroin.term.core.open_values import resting_on
from zeroin.term.core.sorts import INT
from zeroin.term.llvm.compile import Unlowerable
from zeroin.words import word_from_bits

_NATIVE_EVERY = 25  # runs: a condition has to be compiled for that


@dataclass
class Checked:
    """What came of a check.

    Attributes:
        runs: that were followed,
        whole: of these to their end,
        exact: and of these so that nothing was taken from the run.
        decisions: that were compared with what the probes saw.
        others: second inputs,
        alike: of these took the same path.
        native: path conditions that were compiled and evaluated natively.
        open: disagreements about what a language leaves open, which are none.
        ended: why runs were not followed to their end.
        seconds: of following.
        disagreements: each in a sentence.
    """

    runs: int = 0
    whole: int = 0
    exact: int = 0
    decisions: int = 0
    others: int = 0
    alike: int = 0
    native: int = 0
    open: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    disagreements: list[str] = field(default_factory=list)


def check(subject: LlvmSubject | PythonSubject, runs: int, seed: int = 0) -> Checked:
    """Read a subject, follow random runs of it, and try each path condition on its own and on a second input."""
    found, model, rng = Checked(), subject.model, random.Random(seed)
    domain = domain_of(subject.signature, subject.constants)
    for number in range(runs):
        words = subject.tidy(_drawn(domain, subject.constants, rng))
        execution = subject.execute(words)
        started = time.perf_counter()
        try:
            path = subject.along(words, execution)
        except Unreadable as error:
            found.disagreements.append(f"{subject.signature.show(words)}: {error}")
            continue
        found.seconds += time.perf_counter() - started
        found.runs += 1
        found.whole += not path.ended
        found.exact += not path.ended and path.is_exact
        found.ended.update([path.ended] if path.ended else [])
        wrong = [*_own(path, execution), *(_native(path, found) if number % _NATIVE_EVERY == 0 else [])]
        found.decisions += len(path.steps)
        other = subject.tidy(_changed(words, domain, rng))
        wrong += _second(subject, model, path, execution, other, found)
        if wrong and _is_open(path):
            found.open += 1
        else:
            found.disagreements += [f"{subject.signature.show(words)}: {what}" for what in wrong]
    return found


def _drawn(domain: Domain, constants: Sequence[Constant], rng: random.Random) -> Words:
    """Many of the words are of those worth trying, or what the subject compares with."""
    words = []
    for kind, pool, (low, high) in zip(domain.kinds, domain.pools, domain.ranges, strict=True):
        own = [word_from_bits(kind, c.bits) for c in constants if c.kind is kind]
        chosen = [word for word in own if low <= word <= high] if rng.random() < 0.3 else list(pool)
        words.append(rng.choice(chosen) if chosen and rng.random() < 0.6 else _between(low, high, rng))
    return tuple(words)


def _between(low: int, high: int, rng: random.Random) -> int:
    near = rng.randint(-20, 20)
    return near if rng.random() < 0.3 and low <= near <= high else rng.randint(low, high)


def _changed(words: Words, domain: Domain, rng: random.Random) -> Words:
    """One word another, often by little."""
    at = rng.randrange(max(1, len(words)))
    return tuple(
        word if n != at else min(high, max(low, word + rng.choice((-1, 1)) * rng.randint(1, 3)))
        if rng.random() < 0.6 else rng.randint(low, high)
        for n, (word, (low, high)) in enumerate(zip(words, domain.ranges, strict=True))
    )  # fmt: skip


def _own(path: PathCondition, execution: Execution) -> Iterator[str]:
    """What is wrong about its own input."""
    if not path.holds(path.inputs):
        yield "the path condition does not hold"
    values: dict[Term, object] = {}
    for step, decision in zip(path.steps, execution.decisions, strict=False):
        if evaluate(step.condition, path.inputs, values) is not decision.holds:
            yield f"site {step.site}: the condition is not {decision.holds}"
        if not _saw(step, decision, path, values):
            yield f"site {step.site}: the probe saw {decision.left!r} and {decision.right!r}"


def _saw(step: Step, decision: Decision, path: PathCondition, values: dict[Term, object]) -> bool:
    for term, seen in ((step.left, decision.left), (step.right, decision.right)):
        value = evaluate(term, path.inputs, values)
        if term.op is Op.OPEN or not (term.sort.is_float or term.sort.is_bits or term.sort == INT):
            continue
        if term.sort == INT:  # of Python; what is too large, or beside a float, the probe sees as another number
            if isinstance(seen, int) and abs(value) < 1 << 62 and value != seen:
                return False
            continue
        if not isinstance(seen, float) and term.sort.is_float:
            continue
        if not (same(float(value), float(seen)) if term.sort.is_float else signed(value, term.sort.width) == seen):
            return False
    return True


def _native(path: PathCondition, found: Checked) -> Iterator[str]:
    """What is wrong about it as machine code."""
    if any(isinstance(value, int) and abs(value) >= 1 << 63 for value in path.inputs.values()):
        return  # no machine's integer
    constraints = path.constraints()
    try:
        condition = Condition(constraints)
    except Unlowerable:
        return
    if not condition.variables:
        return
    found.native += 1
    words = np.array(condition.words(path.inputs), dtype=np.int64)
    objective = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(condition.address)
    if objective(words.ctypes.data) not in (0.0, sys.float_info.max):  # that: an int is too large for the machine
        yield "as machine code the path condition does not hold"


def _second(subject: LlvmSubject | PythonSubject, model: LlvmModel | BlockModel | PythonModel, path: PathCondition,
            execution: Execution, words: Words, found: Checked) -> Iterator[str]:  # fmt: skip
    """What is wrong about another input. Where something else than sites has decided, too, one may decide alike at the
    sites and not satisfy the condition."""
    other = subject.execute(words)
    if other.outcome is not Termination.RETURNED or other.truncated or execution.outcome is not Termination.RETURNED:
        return
    found.others += 1
    length = len(path.steps)
    way = [(d.site, d.holds) for d in execution.decisions[:length]]
    alike = [(d.site, d.holds) for d in other.decisions[:length]] == way
    if not path.ended:
        alike = alike and len(other.decisions) == length
    found.alike += alike
    holds = path.holds(model.inputs(words))
    if holds and not alike:
        yield f"{subject.signature.show(words)} satisfies the path condition, and takes another path"
    if alike and not holds and path.is_exact and not any(a.place >= 0 for a in path.asides):
        yield f"{subject.signature.show(words)} takes the path, and does not satisfy its condition"


def _is_open(path: PathCondition) -> bool:
    return bool(resting_on([s.condition for s in path.steps] + [a.constraint for a in path.asides], path.inputs))
