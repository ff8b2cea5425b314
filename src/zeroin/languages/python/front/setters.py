"""Functions of a module that set variables which the function under test reads: a run may call them first."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from contextlib import suppress

from ....errors import TargetError, UnsupportedParameter
from ..values.call_sequences import Use
from ..values.containers import Missing, Union
from ..values.dictionary import tries_of
from ..values.lengths import Room
from .callees import callees
from .code import Placed, globals_in
from .inference.inference import Reading
from .modules import Module, find
from .parameters import Attempt, Reader
from .signature import Call, PythonSignature, SetterParameter, SettingCall, SettingSignature

_MOST, _MOST_WORDS = 3, 64  # setters of a function, and words that the arguments of one take
_LOOPS = (ast.While, ast.For, ast.comprehension)


def setters_of(home: Module, chosen: Sequence[Placed], placed: Sequence[Placed], first: int) -> list[Placed]:
    """The plain functions of a module that set what the chosen ones read; one for each variable before others.

    No probes stop a setter that runs forever, so it has to be without loops, as what it calls, or one of the chosen.

    Args:
        home: the module.
        chosen: what has probes; the ``first`` ones of it are under test, and no setters.
        placed: all functions.
    """
    own = vars(home.module)
    inside = [one for one in chosen if one.function.__globals__ is own]
    read = dict.fromkeys(name for one in inside for name in globals_in(one.function.__code__, "LOAD_GLOBAL"))
    of = {name: list[Placed]() for name in read if name in own}
    for one in placed:
        if one not in chosen[:first] and _is_plain(one, home):
            for name in dict.fromkeys(globals_in(one.function.__code__, "STORE_GLOBAL")):
                if name in of:
                    of[name].append(one)
    ranked = sorted((rank, number) for number, some in enumerate(of.values()) for rank in range(len(some)))
    several = list(of.values())
    setters = dict.fromkeys(several[number][rank] for rank, number in ranked)
    return [one for one in setters if _ends(one, chosen, placed)][:_MOST]


def set_by(functions: Sequence[Placed], home: Module) -> set[str]:
    """The variables that the code of functions sets, with the name of the module."""
    codes = (one.function.__code__ for one in functions)
    return {f"{home.module.__name__}.{name}" for code in codes for name in globals_in(code, "STORE_GLOBAL")}


def _is_plain(one: Placed, home: Module) -> bool:
    """Whether the module has a function by this name, with nothing around it."""
    name = one.function.__name__
    known = vars(home.module).get(name)
    return known is one.function and one.function.__qualname__ == name and not name.startswith("__")


def _ends(one: Placed, chosen: Sequence[Placed], placed: Sequence[Placed]) -> bool:
    unwatched = (each for each in callees([one], placed) if each not in chosen)
    return not any(isinstance(node, _LOOPS) for each in unwatched for node in ast.walk(each.described.node))


def with_setters(home: Module, signature: PythonSignature, call: Call, setters: Sequence[Placed], attempt: Attempt,
                 room: Room, reading: Reading) -> tuple[PythonSignature, Call]:  # fmt: skip
    """The signature and the call of a function, with setters that may be called first; those with a parameter that can
    not be driven are left out.

    Args:
        home: the module of the setters.
        attempt, room, reading: as of :func:`.parameters.read_signature`.
    """
    taken = {p.name for p in signature.parameters}
    more = [parameter for one in setters if one.function.__name__ not in taken
            for parameter in _parameters(home, one.function.__name__, attempt, room, reading)]  # fmt: skip
    if not more:
        return signature, call
    parameters = (*signature.parameters, *more)
    after = SettingCall(call.function, call.names, call.spread, call.shares, module=home.module, setters=len(more))
    return SettingSignature(signature.name, parameters, signature.result_type, signature.notes), after


def _parameters(home: Module, name: str, attempt: Attempt, room: Room, reading: Reading) -> Iterator[SetterParameter]:
    """How a setter is called; nothing if it can not be driven."""
    with suppress(TargetError, UnsupportedParameter):
        made = _SetterReader(find(home, name), "", attempt, room, reading).parameter()
        if made.arity <= _MOST_WORDS:
            yield made


class _SetterReader(Reader):
    def parameter(self) -> SetterParameter:
        """By default it is not called."""
        function, name = self.found.inner[0], self.found.name
        described = list(inspect.signature(function).parameters.values())
        own, spread = self._parameters(described, function, name, 0)
        names = tuple(p.name for p in own if p.keyword)
        own = self._with_room(self._guessed_again(self._guessed(own, Call(function, names, spread))))
        use = Use(f"{name}()", tuple(p.name for p in own), tuple(p.shape for p in own), len(names), spread)
        shape, shown = Union((Missing(), use)), ", ".join(f"{p.name}: {p.type}" for p in own)
        return SetterParameter(name, f"{name}({shown})", shape, keyword=True, default=(0, *use.plain()),
                               tries=tries_of(shape, ()))  # fmt: skip
