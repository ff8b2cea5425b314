"""What a Python function takes: its parameters, how each is driven, and how it is called."""

from __future__ import annotations

import inspect
import itertools
import typing
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar

from ....errors import OptionError, UnsupportedParameter
from ...base import Outcome, Replay, Signature, Words
from ..replay import PythonReplay
from ..values.containers import List, Object, Str, Union, VarTuple
from ..values.pictures import Value, exact
from ..values.room import Room, with_room
from ..values.scalars import NoneShape
from ..values.sequences import Uses
from ..values.shapes import Float, Int, PythonParameter, Shape
from ..values.steps import is_expression, object_name
from ..values.tries import tries_of
from .annotations import shape_of, shape_of_default
from .docstrings import documented
from .hints import constructor, evaluate, hints_of, parse_types
from .reading import Reading

if TYPE_CHECKING:
    from .modules import Found

Attempt = Callable[[Callable[[], Any]], BaseException | None]
Calling = Callable[[Sequence[Any]], Any]


@dataclass(frozen=True)
class PythonSignature(Signature):
    """The signature of a Python function; ``result_type`` is empty when it is not annotated."""

    several_engines: ClassVar[bool] = True

    @property
    def prototype(self) -> str:
        """``f(x: float, n: int) -> float``."""
        shown = ", ".join(f"{p.name}: {p.type}" if p.name != "self" else p.type for p in self.parameters)
        return f"{self.name}({shown})" + (f" -> {self.result_type}" if self.result_type else "")

    @property
    def guessed(self) -> str:
        return ", ".join(f"{p.name}: {p.type}" for p in self.parameters if p.origin == "guessed")

    def show(self, words: Words) -> str:
        """``f(0.5, [1, 2])``; of a method ``Class(1).f(0.5)``."""
        parts = [(p, p.show(mine)) for p, mine in self.split(words)]
        return self._call([("*" * p.spread) + (f"{p.name}={text}" if p.keyword else text) for p, text in parts])

    def _call(self, texts: list[str]) -> str:
        if self.parameters and self.parameters[0].name == "self":
            return f"{texts[0]}.{self.name.rpartition('.')[2]}({', '.join(texts[1:])})"
        return f"{self.name}({', '.join(texts)})"

    def unconfirmed(self, words: Words, outcome: Outcome) -> PythonReplay:
        arguments = tuple(parameter.picture(mine) for parameter, mine in self.split(words))
        return PythonReplay(outcome, arguments=arguments)

    def exact_result(self, replay: Replay) -> Any:
        value = replay.value if isinstance(replay, PythonReplay) else None
        return None if value is None else exact(value)

    def show_result(self, replay: Replay) -> str:
        if isinstance(replay, PythonReplay) and replay.raised:
            message = f": {replay.message}" if replay.message else ""
            return f"raises {replay.raised.rpartition(':')[2]}{message}"
        if replay.outcome is not Outcome.RETURNED:
            return f"  {replay.outcome.word}"
        if not isinstance(replay, PythonReplay) or replay.value is None:
            return ""
        value = replay.value
        return f"= {value.text}" + ("" if replay.repeatable else "  (not the same in every run)")

    def outputs(self, replay: Replay) -> dict[str, Any]:
        """The arguments that the call changed."""
        after: tuple[Value | None, ...] = replay.after if isinstance(replay, PythonReplay) else ()
        return {p.name: exact(value) for p, value in zip(self.parameters, after, strict=False) if value is not None}


@dataclass(frozen=True)
class SequenceSignature(PythonSignature):
    """The signature of a class: the uses of its object are the first parameter, then come those of the constructor."""

    @property
    def uses(self) -> Uses:
        """The shape of the first parameter."""
        shape: Uses = self.parameters[0].shape
        return shape

    @property
    def prototype(self) -> str:
        """``Stack(size: int), then up to 8 of pop(), push(x: int)``."""
        made = ", ".join(f"{p.name}: {p.type}" for p in self.parameters[1:])
        then = f", then up to {self.uses.high} of {', '.join(self.uses.types)}" if self.uses.high else ""
        return f"{self.name}({made}){then}"

    def show(self, words: Words) -> str:
        """``stack = Stack(2); stack.push(3); stack.pop()``."""
        (uses, first), *others = self.split(words)
        arguments = [("*" * p.spread) + (f"{p.name}={p.show(mine)}" if p.keyword else p.show(mine))
                     for p, mine in others]  # fmt: skip
        made = f"{object_name(self.name)} = {self.name}({', '.join(arguments)})"
        return "; ".join([made, *(step.text for step in uses.picture(first).items)])

    def show_result(self, replay: Replay) -> str:
        if isinstance(replay, PythonReplay) and replay.outcome is Outcome.RETURNED and not replay.raised:
            done = len(replay.results or ())
            if not done or not is_expression(replay.arguments[0].items[done - 1].data):
                return ""
        return super().show_result(replay)

    def results(self, replay: Replay) -> list[Any] | None:
        made = replay.results if isinstance(replay, PythonReplay) else None
        return None if made is None else [exact(value) for value in made]

    def shorter(self, words: Words) -> Iterator[Words]:
        arity = self.uses.arity
        for fewer in self.uses.shorter(words[:arity]):
            yield (*fewer, *words[arity:])

    def unused(self, several: Sequence[Words]) -> Iterator[list[Words]]:
        """Each use that none of the inputs makes, of the objects that these make."""
        arity = self.uses.arity
        for one in self.uses.unused([words[:arity] for words in several]):
            yield list(dict.fromkeys((*one, *words[arity:]) for words in several))


@dataclass(frozen=True)
class Call:
    """How a function is called with the values of its parameters: by position, then by name; ``spread`` is the position
    of the tuple that fills ``*args``."""

    function: Callable[..., Any]
    names: tuple[str, ...] = ()
    spread: int | None = None

    def __call__(self, values: Sequence[Any]) -> Any:
        count = len(values) - len(self.names)
        positional = list(values[:count])
        if self.spread is not None:
            positional[self.spread : self.spread + 1] = positional[self.spread]
        return self.function(*positional, **dict(zip(self.names, values[count:], strict=True)))


def read_signature(found: Found, types: str, attempt: Attempt, room: Room,
                   reading: Reading) -> tuple[PythonSignature, Call]:  # fmt: skip
    """The signature and the way to call it.

    Args:
        found: the function.
        types: ``x: float, n: int`` for parameters that say nothing, or something else.
        room: see :func:`zeroin.subject.python.values.room.room_for`.
        attempt: makes a call; the exception it raised. For parameters whose type is guessed.
        reading: what code says of them.

    Raises:
        UnsupportedParameter: names the first parameter that can not be driven and says why.
        OptionError: ``types`` names no parameter, or a type that does not exist.
    """
    return Reader(found, types, attempt, room, reading).read()


class Reader:
    """Reads one signature; see :func:`read_signature`."""

    def __init__(self, found: Found, types: str, attempt: Attempt, room: Room, reading: Reading) -> None:
        self.found, self.attempt, self.room, self._reading = found, attempt, room, reading
        self._suggested: dict[str, list[Shape]] = {}  # for parameters that say nothing, by name
        self._floats: set[str] = set()  # parameters that documentation says to be floats
        self._open: list[type] = []  # classes whose constructors are being read
        self.types = parse_types(types) if types else {}
        self.namespace = dict(getattr(found.inner[0], "__globals__", {}))
        self.notes: list[str] = []
        self.used: set[str] = set()

    def read(self) -> tuple[PythonSignature, Call]:
        found = self.found
        parameters = self._object() if found.owner is not None else []
        described = self._describe(found.function, found.inner[0])
        own = list(described.parameters.values())[1 if found.owner is not None else 0 :]
        rest, spread = self._parameters(own, found.inner[0], found.name, len(parameters))
        parameters += rest
        unknown = set(self.types) - self.used
        if unknown:
            names = ", ".join(p.name for p in own) or "none"
            raise OptionError(f"--types: {found.name} has no parameter {min(unknown)!r} (it has: {names})")
        call = Call(found.function, tuple(p.name for p in parameters if p.keyword), spread)
        parameters = self._with_room(self._guessed(parameters, call))
        returned = described.return_annotation
        result = "" if returned is inspect.Signature.empty else inspect.formatannotation(returned).strip("'")
        signature = PythonSignature(found.name, tuple(parameters), result, tuple(dict.fromkeys(self.notes)))
        return signature, call

    def _with_room(self, parameters: list[PythonParameter]) -> list[PythonParameter]:
        shapes = [with_room(p.shape, self.room) for p in parameters]
        return [replace(p, shape=shape, tries=tries_of(shape, self.room.texts))
                for p, shape in zip(parameters, shapes, strict=True)]  # fmt: skip

    def _describe(self, function: Any, inner: Any) -> inspect.Signature:
        try:
            return inspect.signature(function)
        except (TypeError, ValueError):
            return inspect.signature(inner)

    def _object(self) -> list[PythonParameter]:
        """The object of a method, made by its class's constructor."""
        owner = self.found.owner
        assert owner is not None
        where = f"{self.found.name}: parameter 'self'"
        try:
            shape = shape_of(owner, where)
        except UnsupportedParameter:
            shape = self._constructed(owner)
        return [PythonParameter("self", owner.__name__, shape)]

    def _constructed(self, owner: type) -> Shape:
        """The constructor's parameters, by annotation, default, ``--types`` or guess."""
        described = self._describe(owner, owner)
        inner = next((f for f in (vars(owner).get("__init__"), vars(owner).get("__new__")) if callable(f)), owner)
        outside = self._suggested, self._floats
        try:
            self._suggested = {}
            parameters, spread = self._parameters(list(described.parameters.values()), inner, owner.__name__, 0)
        finally:
            self._suggested, self._floats = outside
        path = f"{owner.__module__}:{owner.__qualname__}"
        names, shapes = tuple(p.name for p in parameters), tuple(p.shape for p in parameters)
        return Object(path, names, shapes, sum(p.keyword for p in parameters), spread=spread)

    def _parameters(self, own: list[inspect.Parameter], function: Any, name: str,
                    before: int) -> tuple[list[PythonParameter], int | None]:  # fmt: skip
        """The parameters in the order of the call, and the position of the one that is ``*args``."""
        hints, failed = hints_of(function, [p.name for p in own])
        self._suggest(function, name)
        positional: list[PythonParameter] = []
        keyword: list[PythonParameter] = []
        spread, skipped = None, False
        for parameter in own:
            shape, origin = self._shape(parameter, hints, failed, name)
            if shape is None:
                skipped |= parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
                continue
            by_name = parameter.kind is parameter.KEYWORD_ONLY or skipped
            many = parameter.kind is parameter.VAR_POSITIONAL
            made = PythonParameter(parameter.name, shape.type, shape, by_name, origin, many)
            if many:
                spread = before + len(positional)
            (keyword if by_name else positional).append(made)
        return positional + keyword, spread

    def _shape(self, parameter: inspect.Parameter, hints: dict[str, Any], failed: dict[str, str],
               function: str) -> tuple[Shape | None, str]:  # fmt: skip
        """How a parameter is driven; None if it keeps its default (or gets nothing)."""
        name, where = parameter.name, f"{function}: parameter {parameter.name!r}"
        optional = parameter.default is not parameter.empty
        many = parameter.kind is parameter.VAR_POSITIONAL
        if name in self.types:
            self.used.add(name)
            shape = shape_of(evaluate(self.types[name], self.namespace), where)
            return (VarTuple(shape) if many else shape), "--types"
        if parameter.kind is parameter.VAR_KEYWORD:
            self.notes.append(f"**{name} gets nothing")
            return None, ""
        if name in hints:
            try:
                shape = shape_of(hints[name], where)
                return (VarTuple(shape) if many else shape), "annotation"
            except UnsupportedParameter as error:
                if not optional:
                    raise
                self.notes.append(f"{name} keeps its default: {str(error).partition(': ')[2]}")
                return None, ""
        if many:
            (suggested,) = self._suggested.get(name, [Float()])[:1]
            return VarTuple(suggested.element if isinstance(suggested, List) else Float()), "guessed"
        if name in failed and not optional:
            raise UnsupportedParameter(f"{where}: its annotation can not be evaluated ({failed[name]}); "
                                       f'give its type with --types "{name}: float"')  # fmt: skip
        return self._by_default(parameter, optional)

    def _by_default(self, parameter: inspect.Parameter, optional: bool) -> tuple[Shape | None, str]:
        suggested = self._suggested.get(parameter.name) or [Float()]
        if not optional:
            return suggested[0], "guessed"
        if parameter.default is None:
            return _or_none(suggested[0]), "guessed"
        shape = shape_of_default(parameter.default)
        if shape == Int() and parameter.name in self._floats:  # 0 stands for 0.0
            return Float(), "documentation"
        if shape is None:
            self.notes.append(f'{parameter.name} keeps its default {parameter.default!r}; give its type with --types "'
                              f'{parameter.name}: ..."')  # fmt: skip
        return shape, "default"

    # ---- guessing ----

    def _suggest(self, function: Any, where: str) -> None:
        """What code and documentation say of parameters without a type. The code wins where it says much."""
        said = documented(function, self.namespace)
        if not said and self.found.owner is not None:
            said = documented(self.found.owner, self.namespace)
        seen = self._reading.of(function)
        self._floats = {name for name, hint in said.items() if hint is float}
        for name in dict.fromkeys((*said, *seen)):
            strong = name in seen and seen[name].is_strong
            read = seen[name].hint(self.namespace) if name in seen else None
            hints = (read, said.get(name)) if strong else (said.get(name), read)
            shapes = []
            for hint in hints:
                if hint is not None:
                    shapes += self._shapes(hint, f"{where}: parameter {name!r}")
            if shapes:
                self._suggested[name] = list(dict.fromkeys(shapes))

    def _guessed(self, parameters: list[PythonParameter], call: Calling) -> list[PythonParameter]:
        """Try other types for the parameters that say nothing about theirs, as long as that makes fewer TypeErrors."""
        unknown = [n for n, p in enumerate(parameters) if p.origin == "guessed"]
        best = self._errors(parameters, call) if unknown else 0
        for _, n in itertools.product(range(2), unknown):
            for candidate in self._candidates(parameters[n]):
                if best == 0:
                    break
                trial = [*parameters[:n], candidate, *parameters[n + 1 :]]
                errors = self._errors(trial, call)
                if errors < best:
                    parameters, best = trial, errors
        if unknown:
            taken = ", ".join(f"{parameters[n].name}: {parameters[n].type}" for n in unknown)
            self.notes.append(f'guessed, as there is no annotation: {taken} (--types "{taken}" says it)')
        return parameters

    def _shapes(self, hint: Any, where: str) -> list[Shape]:
        """The shape of a type, if there is one; of a class that says nothing of what it is made with, that is guessed,
        too."""
        alternatives = typing.get_args(hint) if isinstance(hint, UnionType) else (hint,)
        shapes: list[Shape] = []
        for one in alternatives:
            try:
                shapes.append(shape_of(one, where))
            except UnsupportedParameter:
                if isinstance(one, type) and inspect.isfunction(constructor(one)) and one not in self._open:
                    self._open.append(one)
                    with suppress(UnsupportedParameter):
                        shapes.append(self._constructed(one))
                    self._open.pop()
        different = tuple(dict.fromkeys(shapes))
        return [Union(different)] if len(different) > 1 else list(different)

    def _candidates(self, parameter: PythonParameter) -> list[PythonParameter]:
        optional = isinstance(parameter.shape, Union) and NoneShape() in parameter.shape.alternatives
        shapes: list[Shape] = [*self._suggested.get(parameter.name, ())[1:], Float(), Int(), List(Float()), List(Int()),
                               Str(), List(List(Float()))]  # fmt: skip
        if self.found.owner is not None:
            shapes.insert(0, self._object()[0].shape)
        made = [_or_none(shape) if optional else shape for shape in dict.fromkeys(shapes)]
        if parameter.spread:
            made = [VarTuple(shape) for shape in made]
        return [replace(parameter, shape=shape, type=shape.type) for shape in made]

    def _errors(self, parameters: list[PythonParameter], call: Calling) -> int:
        """How many of some calls fail because of a type."""
        count = 0
        for turn in range(8):
            words = [_sample(p.shape, turn) for p in parameters]
            count += isinstance(self.attempt(partial(_call, call, parameters, words)), TypeError | AttributeError)
        return count


def _or_none(shape: Shape) -> Shape:
    if isinstance(shape, Union):
        return shape if NoneShape() in shape.alternatives else Union((NoneShape(), *shape.alternatives))
    return shape if shape == NoneShape() else Union((NoneShape(), shape))


def _sample(shape: Shape, turn: int) -> Words:
    """Some words: hints where there are some, and small numbers."""
    ranges, hints = shape.ranges(), shape.hints()
    words = []
    for n, ((low, high), some) in enumerate(zip(ranges, hints, strict=True)):
        inside = [w for w in some if low <= w <= high]
        words.append(inside[(turn + n) % len(inside)] if inside else min(max(turn + n, low), high))
    return tuple(words)


def _call(call: Calling, parameters: Sequence[PythonParameter], words: Sequence[Words]) -> Any:
    from .modules import resolve  # who only shows signatures does without

    return call([p.shape.build(mine, resolve) for p, mine in zip(parameters, words, strict=True)])
