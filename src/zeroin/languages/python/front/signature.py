"""The signature of a Python function, and the way to call it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, ClassVar

from ....subject.base import Replay, Signature, Termination, Words
from ..replay import PythonReplay
from ..values.call_sequences import ObjectUses, Use
from ..values.containers import Union
from ..values.json import exact
from ..values.missing import MISSING, with_shared
from ..values.object_uses import is_expression, object_name
from ..values.shapes import PythonParameter
from ..values.snapshots import Snapshot


@dataclass(frozen=True)
class PythonSignature(Signature):
    """The signature of a Python function; ``result_type`` is empty if there is no annotation."""

    parameters: tuple[PythonParameter, ...]
    several_engines: ClassVar[bool] = True

    @property
    def alone(self) -> PythonSignature:
        """The signature of the function itself, without setters that are called before it."""
        return self

    @property
    def prototype(self) -> str:
        """The declaration: ``f(x: float, n: int) -> float``."""
        shown = ", ".join(f"{p.name}: {p.type}" if p.name != "self" else p.type for p in self.parameters)
        return f"{self.name}({shown})" + (f" -> {self.result_type}" if self.result_type else "")

    @property
    def guessed(self) -> str:
        return ", ".join(f"{p.name}: {p.type}" for p in self.parameters if p.origin == "guessed")

    @property
    def unsaid(self) -> str:
        """The parameters whose types are guessed at least in part: ``x: float, n: int``; empty if there are none."""
        return ", ".join(f"{p.name}: {p.type}" for p in self.parameters if not p.said)

    def show(self, words: Words) -> str:
        """Return the call as text for people: ``f(0.5, [1, 2])``; for a method, ``Class(1).f(0.5)``."""
        given = [one for one, out in zip(self.split(words), self.left_out(words), strict=True) if not out]
        shared = {snapshot.data for p, mine in given if (snapshot := p.snapshot(mine)).form == "shared"}
        return self._call([f"({p.name} := {text})" if p.name in shared else text
                           for p, mine in given for text in _argument(p, mine)])  # fmt: skip

    def left_out(self, words: Words) -> list[bool]:
        """Return for each parameter whether the call omits it.

        The call omits an argument that has its default value, unless a positional argument follows.
        """
        found, last = list[bool](), True
        for parameter, mine in reversed(self.split(words)):
            out = parameter.default == mine and (parameter.keyword or last)
            last = last and (out or parameter.keyword)
            found.append(out)
        return found[::-1]

    def snapshots(self, words: Words) -> tuple[Snapshot, ...]:
        """Return the snapshots of the arguments; those that the call omits are ``missing``."""
        given = zip(self.split(words), self.left_out(words), strict=True)
        return tuple(Snapshot("missing") if out else p.snapshot(mine) for (p, mine), out in given)

    def values(self, words: Words, resolve: Callable[[str], object]) -> list[Any]:
        """Return the arguments as new objects; those that the call omits are :data:`MISSING`.

        Constructors of user classes are called, and their exceptions pass through.

        Args:
            words: the words of the input.
            resolve: returns the class for a path ``module:QualName``.

        Raises:
            ValueError: a value does not satisfy a predicate of its annotation.
        """
        given = zip(self.split(words), self.left_out(words), strict=True)
        return with_shared([MISSING if out else p.shape.build(mine, resolve) for (p, mine), out in given])

    def shorter(self, words: Words) -> Iterator[Words]:
        """Yield the words with one parameter set to its default, the last parameter first.

        Nothing is yielded if all parameters with a default have it already.
        """
        at = self.arity
        for parameter, mine in reversed(self.split(words)):
            at -= len(mine)
            if parameter.default is not None and parameter.default != mine:
                yield (*words[:at], *parameter.default, *words[at + len(mine) :])

    def _call(self, texts: list[str]) -> str:
        """Return the call as text, from the texts of its arguments; the first is the object of a method."""
        if self.parameters and self.parameters[0].name == "self":
            return f"{texts[0]}.{self.name.rpartition('.')[2]}({', '.join(texts[1:])})"
        return f"{self.name}({', '.join(texts)})"

    def unconfirmed(self, words: Words, outcome: Termination) -> PythonReplay:
        return PythonReplay(outcome, arguments=self.snapshots(words))

    def exact_result(self, replay: Replay) -> object:
        value = replay.value if isinstance(replay, PythonReplay) else None
        return None if value is None else exact(value)

    def show_result(self, replay: Replay) -> str:
        if isinstance(replay, PythonReplay) and replay.raised:
            message = f": {replay.message}" if replay.message else ""
            return f"raises {replay.raised.rpartition(':')[2]}{message}"
        if replay.outcome is not Termination.RETURNED:
            return f"  {replay.outcome.word}"
        if not isinstance(replay, PythonReplay) or replay.value is None:
            return ""
        value = replay.value
        return f"= {value.text}" + ("" if replay.repeatable else "  (not the same in every run)")

    def show_left(self, words: Words, replay: Replay) -> dict[str, str]:
        after: tuple[Snapshot | None, ...] = replay.after if isinstance(replay, PythonReplay) else ()
        own = self.alone.parameters
        return {p.name: value.text for p, value in zip(own, after, strict=False) if value is not None}

    def outputs(self, replay: Replay) -> dict[str, object]:
        """Return the arguments that the call changed, by name, with their new values in exact notation."""
        after: tuple[Snapshot | None, ...] = replay.after if isinstance(replay, PythonReplay) else ()
        own = self.alone.parameters
        return {p.name: exact(value) for p, value in zip(own, after, strict=False) if value is not None}


@dataclass(frozen=True)
class SetterParameter(PythonParameter):
    """A setter that may be called before the function, with its arguments. It is no parameter of the function.

    Its first word is 0 if the setter is not called, else 1.
    """

    is_shown = False

    @property
    def called(self) -> str:
        """The name of the setter in its module: ``set_debug`` or ``Class.method``."""
        return self.use.use.removesuffix("()")

    @property
    def use(self) -> Use:
        """The shape of the setter's call."""
        assert isinstance(self.shape, Union)
        _, use = self.shape.alternatives
        assert isinstance(use, Use)
        return use


@dataclass(frozen=True)
class SettingSignature(PythonSignature):
    """The signature of a function that reads global variables, where setters may set these first.

    The last parameters are the setters (:class:`SetterParameter`).
    """

    @property
    def setters(self) -> list[SetterParameter]:
        """The parameters for the calls of setters."""
        return [one for one in self.parameters if isinstance(one, SetterParameter)]

    @property
    def alone(self) -> PythonSignature:
        return PythonSignature(self.name, self.given, self.result_type, self.notes, self.assumed)

    @property
    def tags(self) -> tuple[int, ...]:
        ends = itertools.accumulate(p.arity for p in self.parameters)
        return tuple(end - p.arity for p, end in zip(self.parameters, ends, strict=True) if not p.is_shown)

    @property
    def prototype(self) -> str:
        """The declaration with the setters: ``f(x: int) -> int, also after set_debug(on: bool)``."""
        times = Counter(one.type for one in self.setters)
        said = (f"up to {number} of {one}" if number > 1 else one for one, number in times.items())
        return f"{self.alone.prototype}, also after {', '.join(said)}"

    def show(self, words: Words) -> str:
        """Return the calls as text for people: ``set_debug(True); f(2)``."""
        alone = self.alone
        return "; ".join([*self.called_first(words), alone.show(words[: alone.arity])])

    def called_first(self, words: Words) -> list[str]:
        own = len(self.given)
        return [one.text for one in self.snapshots(words)[own:] if one.form != "missing"]


@dataclass(frozen=True)
class SequenceSignature(PythonSignature):
    """The signature of a class.

    The first parameter is the sequence of uses, the others are those of the constructor. ``result_type`` is empty.
    """

    @property
    def uses(self) -> ObjectUses:
        """The shape of the first parameter."""
        shape = self.parameters[0].shape
        assert isinstance(shape, ObjectUses)
        return shape

    @property
    def prototype(self) -> str:
        """The constructor and the possible uses: ``Stack(size: int), then up to 8 of pop(), push(x: int)``."""
        made = ", ".join(f"{p.name}: {p.type}" for p in self.parameters[1:])
        then = f", then up to {self.uses.high} of {', '.join(self.uses.types)}" if self.uses.high else ""
        return f"{self.name}({made}){then}"

    def show(self, words: Words) -> str:
        """Return the call sequence as text for people: ``stack = Stack(2); stack.push(3); stack.pop()``."""
        (uses, first), *others = self.split(words)
        arguments = [text for p, mine in others for text in _argument(p, mine)]
        made = f"{object_name(self.name)} = {self.name}({', '.join(arguments)})"
        return "; ".join([made, *(step.text for step in uses.snapshot(first).items)])

    def show_result(self, replay: Replay) -> str:
        if isinstance(replay, PythonReplay) and replay.outcome is Termination.RETURNED and not replay.raised:
            done = len(replay.results or ())
            if not done or not is_expression(replay.arguments[0].items[done - 1].data):
                return ""
        return super().show_result(replay)

    def results(self, replay: Replay) -> list[object] | None:
        made = replay.results if isinstance(replay, PythonReplay) else None
        return None if made is None else [exact(value) for value in made]

    def shorter(self, words: Words) -> Iterator[Words]:
        arity = self.uses.arity
        for fewer in self.uses.shorter(words[:arity]):
            yield (*fewer, *words[arity:])

    def unused(self, several: Sequence[Words]) -> Iterator[list[Words]]:
        """Yield, for each use that none of the inputs makes, inputs with this use alone, as a list.

        There is one such input for each way in which the given inputs construct the object.
        """
        arity = self.uses.arity
        for one in self.uses.unused([words[:arity] for words in several]):
            yield list(dict.fromkeys((*one, *words[arity:]) for words in several))


def _argument(parameter: PythonParameter, words: Words) -> list[str]:
    """Return the source of a parameter's arguments in a call: several for ``*args``, none if it is missing."""
    made = parameter.snapshot(words)
    if parameter.spread:
        return [item.text for item in made.items]
    if made.form == "missing":
        return []
    return [f"{parameter.name}={parameter.show(words)}" if parameter.keyword else parameter.show(words)]


@dataclass(frozen=True)
class Call:
    """The way to call a function with the values of its parameters.

    The first values are passed by position, the last by name. Missing values (:data:`MISSING`) are left out; positional
    ones only at the end. Exceptions of the function pass through.

    Attributes:
        function: the function to call.
        names: the names of the arguments that are passed by name.
        spread: the index, from 0, of the value for ``*args``, a tuple; None if there is none.
        shares: whether one object may be several arguments. If so, values may be placeholders for an earlier one.
    """

    function: Callable[..., object]
    names: tuple[str, ...] = ()
    spread: int | None = None
    shares: bool = False

    @property
    def alone(self) -> Call:
        """The call of the function itself, see :attr:`PythonSignature.alone`."""
        return self

    def __call__(self, values: Sequence[Any]) -> object:
        values = with_shared(values) if self.shares else values
        count = len(values) - len(self.names)
        positional = [value for value in values[:count] if value is not MISSING]
        if self.spread is not None:
            positional[self.spread : self.spread + 1] = positional[self.spread]
        named = zip(self.names, values[count:], strict=True)
        return self.function(*positional, **{name: value for name, value in named if value is not MISSING})


class Unset(Exception):
    """A setter that was called first raised an exception, its cause, so its arguments are no valid input."""


@dataclass(frozen=True)
class SettingCall(Call):
    """The way to call a function after setters of its module. If a setter raises, the call raises :class:`Unset`.

    Attributes:
        module: the module.
        setters: how many of the last values are calls of setters; such a value is MISSING if there is no call.
    """

    module: ModuleType = field(kw_only=True)
    setters: int = field(kw_only=True)

    @property
    def alone(self) -> Call:
        return Call(self.function, self.names, self.spread, self.shares)

    def __call__(self, values: Sequence[Any]) -> object:
        own = len(values) - self.setters
        for step in values[own:]:
            if step is not MISSING:
                try:
                    step.in_module(self.module)
                except BaseException as error:
                    raise Unset(step.use) from error
        return super().__call__(values[:own])
