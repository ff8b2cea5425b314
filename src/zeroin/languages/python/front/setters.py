"""Setters: functions that set global variables which the function under test reads. A run may call them first."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from contextlib import suppress

from ....errors import TargetError, UnsupportedParameter
from ..values.call_sequences import Use
from ..values.containers import MissingShape, Union
from ..values.dictionary import dictionary_of
from ..values.lengths import Lengths
from .callees import callees
from .code import LocatedFunction, globals_in
from .inference.inference import Inference
from .modules import Module, find
from .parameters import Attempt, SignatureReader
from .signature import Call, PythonSignature, SetterParameter, SettingCall, SettingSignature

_MOST, _MOST_WORDS = 3, 64  # setters of a function, and words of one setter's arguments
_LOOPS = (ast.While, ast.For, ast.comprehension)


def setters_of(
    home: Module, chosen: Sequence[LocatedFunction], placed: Sequence[LocatedFunction], first: int
) -> list[LocatedFunction]:
    """Return plain functions of the module that set variables which the chosen functions read, at most 3.

    One setter for each variable comes before further ones. Of a setter and the functions that it calls, those without
    probes must have no loops: nothing could stop an endless run.

    Args:
        home: the module.
        chosen: the functions with probes; the ``first`` ones are under test, and so no setters.
        placed: all functions.
        first: how many of the chosen functions are under test.
    """
    own = vars(home.module)
    inside = [one for one in chosen if one.function.__globals__ is own]
    read = dict.fromkeys(name for one in inside for name in globals_in(one.function.__code__, "LOAD_GLOBAL"))
    of = {name: list[LocatedFunction]() for name in read if name in own}
    for one in placed:
        if one not in chosen[:first] and _is_plain(one, home):
            for name in dict.fromkeys(globals_in(one.function.__code__, "STORE_GLOBAL")):
                if name in of:
                    of[name].append(one)
    ranked = sorted((rank, number) for number, some in enumerate(of.values()) for rank in range(len(some)))
    several = list(of.values())
    setters = dict.fromkeys(several[number][rank] for rank, number in ranked)
    return [one for one in setters if _ends(one, chosen, placed)][:_MOST]


def set_by(functions: Sequence[LocatedFunction], home: Module) -> set[str]:
    """Return the global variables that the code of functions sets, as ``module.name``.

    ``module`` is always that of ``home``, so the functions must belong to it.
    """
    codes = (one.function.__code__ for one in functions)
    return {f"{home.module.__name__}.{name}" for code in codes for name in globals_in(code, "STORE_GLOBAL")}


def _is_plain(one: LocatedFunction, home: Module) -> bool:
    """Whether the module has the function under its own name, without decorators."""
    name = one.function.__name__
    known = vars(home.module).get(name)
    return known is one.function and one.function.__qualname__ == name and not name.startswith("__")


def _ends(one: LocatedFunction, chosen: Sequence[LocatedFunction], placed: Sequence[LocatedFunction]) -> bool:
    """Whether the setter surely ends: it runs no loops in functions without probes."""
    unwatched = (each for each in callees([one], placed) if each not in chosen)
    return not any(isinstance(node, _LOOPS) for each in unwatched for node in ast.walk(each.described.node))


def with_setters(
    home: Module,
    signature: PythonSignature,
    call: Call,
    setters: Sequence[LocatedFunction],
    attempt: Attempt,
    room: Lengths,
    reading: Inference,
) -> tuple[PythonSignature, Call]:
    """Return the signature and the call of a function, extended by setters that may be called first.

    Each setter becomes a parameter behind those of the function; by default it is not called. If a setter raises, the
    call raises :class:`.signature.Unset`. To guess types, setters are called with sample values, so restore the state
    afterwards.

    A setter is left out if zeroin can not make a parameter, if its arguments have over 63 words, or if a parameter of
    the function has its name. If none is left, the given signature and call are returned.

    Args:
        home: the module of the setters.
        signature: the signature of the function.
        call: the call of the function.
        setters: the setters.
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


def _parameters(
    home: Module, name: str, attempt: Attempt, room: Lengths, reading: Inference
) -> Iterator[SetterParameter]:
    """Yield the parameter for a setter's call; nothing if zeroin can not make its arguments in 64 words."""
    with suppress(TargetError, UnsupportedParameter):
        made = _SetterReader(find(home, name), "", attempt, room, reading).parameter()
        if made.arity <= _MOST_WORDS:
            yield made


class _SetterReader(SignatureReader):
    """Reads the parameters of a setter."""

    def parameter(self) -> SetterParameter:
        """Return the parameter for the setter's call; by default, there is no call."""
        function, name = self.found.inner[0], self.found.name
        described = list(inspect.signature(function).parameters.values())
        own, spread = self._parameters(described, function, name, 0)
        names = tuple(p.name for p in own if p.keyword)
        own = self._with_room(self._guessed_again(self._guessed(own, Call(function, names, spread))))
        use = Use(f"{name}()", tuple(p.name for p in own), tuple(p.shape for p in own), len(names), spread)
        shape, shown = Union((MissingShape(), use)), ", ".join(f"{p.name}: {p.type}" for p in own)
        return SetterParameter(name, f"{name}({shown})", shape, keyword=True, default=(0, *use.plain()),
                               tries=dictionary_of(shape, ()))  # fmt: skip
