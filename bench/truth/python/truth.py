"""The truth about a program: every combination of values is run, and what it decides is written down."""

from __future__ import annotations

import itertools
import math
import random
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from .program import IMPORTS, Parameter, PythonProgram
from .twin import Decision, Key, Twin

MOST = 1 << 16  # combinations of values
_ROWS = 400  # of calls in a row
_LONGEST = 4  # calls
_LOOK = 64  # decisions of a run that are kept


@dataclass
class Truth:
    """What inputs do.

    Attributes:
        taken: each outcome that a single call takes, and such a call.
        later: outcomes that a call takes after others, and such calls.
        runs: how runs begin, decision by decision, and a call that does so.
        places: all conditions.
        tried: how many combinations of values there are.
    """

    taken: dict[Decision, str] = field(default_factory=dict)
    later: dict[Decision, str] = field(default_factory=dict)
    runs: dict[tuple[Decision, ...], str] = field(default_factory=dict)
    places: list[Key] = field(default_factory=list)
    tried: int = 0

    def witness(self, outcome: Decision) -> str:
        """Calls that take an outcome; empty if none do."""
        return self.taken.get(outcome) or self.later.get(outcome, "")

    def follows(self, path: Sequence[Decision]) -> str:
        """A call whose run begins so; empty if there is none."""
        wanted = tuple(path)
        return next((call for run, call in self.runs.items() if run[: len(wanted)] == wanted), "")


def twin_of(program: PythonProgram, start: int) -> Twin:
    """The twin of a program alone, its lines numbered as in a module where so many stand before it."""
    blank = "\n" * (start - IMPORTS.count("\n"))
    return Twin(IMPORTS + blank + program.text, f"truth_{program.name}")


def without(program: PythonProgram, start: int, kinds: Mapping[str, frozenset[str]]) -> PythonProgram:
    """The program with fewer values: for some parameters none whose class has one of these names."""
    module = twin_of(program, start).fresh()

    def left(parameter: Parameter) -> Parameter:
        out = kinds.get(parameter.name, frozenset())
        values = [one for one in parameter.values if not one or type(_value(one, module)).__name__ not in out]
        return replace(parameter, values=tuple(values))

    return replace(program, parameters=tuple(map(left, program.parameters)))


def truth_of(program: PythonProgram, start: int) -> Truth:
    """Run every combination of values, and calls in a row where one may change what the next one does."""
    twin = twin_of(program, start)
    truth = Truth(places=[place.key for place in twin.places])
    module = twin.fresh()
    seen = dict[tuple[int, ...], str]()
    for call in calls_of(program):
        truth.tried += 1
        if truth.tried > MOST:
            raise ValueError(f"{program.name} has more than {MOST} combinations of values")
        if program.stateful:
            module = twin.fresh()
        _run(module, program, call, twin)
        if (trace := tuple(twin.trace)) not in seen:
            seen[trace] = _shown(program, call)
    for trace, shown in seen.items():
        _enter(truth, twin, trace, shown, truth.taken)
    if program.stateful:
        _in_rows(program, twin, truth)
    return truth


def _enter(truth: Truth, twin: Twin, trace: Sequence[int], shown: str, into: dict[Decision, str]) -> None:
    for number in set(trace):
        into.setdefault((twin.places[number // 2].key, number % 2 == 0), shown)
    begins = tuple((twin.places[number // 2].key, number % 2 == 0) for number in trace[:_LOOK])
    truth.runs.setdefault(begins, shown)


def _in_rows(program: PythonProgram, twin: Twin, truth: Truth) -> None:
    rng = random.Random(program.name)
    calls = list(calls_of(program))
    for _ in range(_ROWS):
        module, told = twin.fresh(), list[str]()
        for _ in range(rng.randint(1, _LONGEST - 1)):
            if program.before and rng.random() < 0.7:
                told.append(rng.choice(program.before))
                _quietly(partial(eval, told[-1], vars(module)))
            else:
                call = rng.choice(calls)
                told.append(_shown(program, call))
                _run(module, program, call, twin)
        call = rng.choice(calls)
        _run(module, program, call, twin)
        _enter(truth, twin, twin.trace, "; ".join([*told, _shown(program, call)]), truth.later)


# ---- calls ----


class HasParameters(Protocol):
    @property
    def parameters(self) -> Sequence[Parameter]: ...


Call = tuple[tuple[str, ...], int]  # the arguments' sources; which parameter gets the object of an earlier one, or -1


def combinations_of(program: HasParameters) -> int:
    """How many combinations of values there are, without those of one object for two parameters."""
    return math.prod(len(parameter.values) for parameter in program.parameters)


def calls_of(program: PythonProgram) -> Iterator[Call]:
    """Every combination of values; of parameters that may be one object also with that."""
    for sources in itertools.product(*(parameter.values for parameter in program.parameters)):
        yield sources, -1
        for number, source in enumerate(sources):
            shared = program.parameters[number].shared
            if shared and source in sources[:number] and _first(program, sources, number) < number:
                yield sources, number


def _first(program: PythonProgram, sources: Sequence[str], number: int) -> int:
    """The first parameter that is handed an equal object of the same kind."""
    shared = program.parameters[number].shared
    return next(i for i, p in enumerate(program.parameters) if p.shared == shared and sources[i] == sources[number])


def _shown(program: PythonProgram, call: Call) -> str:
    sources, same = list(call[0]), call[1]
    made = ""
    if same >= 0:
        made, one = f"one = {sources[same]}; ", sources[same]
        sources = ["one" if i in (same, _first(program, call[0], same)) else s for i, s in enumerate(sources)]
        assert one
    given = ((p.name, source) for p, source in zip(program.parameters, sources, strict=True))
    return f"{made}{program.name}({', '.join(f'{name}={source}' for name, source in given if source)})"


_codes: dict[str, types.CodeType] = {}


def _value(source: str, module: types.ModuleType) -> Any:
    code = _codes.get(source)
    if code is None:
        code = _codes[source] = compile(source, "<value>", "eval")
    return eval(code, vars(module))


def _run(module: types.ModuleType, program: PythonProgram, call: Call, twin: Twin) -> None:
    """Call the function; what its arguments do when they are made is not written down."""
    sources, same = call
    given = ((p.name, source) for p, source in zip(program.parameters, sources, strict=True) if source)
    values = {name: _value(source, module) for name, source in given}
    if same >= 0:
        values[program.parameters[same].name] = values[program.parameters[_first(program, sources, same)].name]
    twin.trace.clear()
    _quietly(partial(vars(module)[program.name], **values))


def _quietly(call: Callable[[], Any]) -> None:
    """An exception is an end like any other; the limit of decisions is a mistake of the generator's."""
    try:
        call()
    except RuntimeError as error:
        if "too many decisions" in str(error):
            raise
    except Exception:
        return
