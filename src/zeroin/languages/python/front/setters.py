"""Setters: functions that change variables which the function under test reads. A run may call them first.

The variables are those of the module and of its classes. Setters are plain functions, class methods and static methods
of the module. The function under test is itself one for a variable that it changes and that no other setter changes.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from types import FunctionType, ModuleType

from ....errors import TargetError, UnsupportedParameter
from ..values.call_sequences import Use
from ..values.containers import MissingShape, Union
from ..values.dictionary import dictionary_of
from ..values.lengths import Lengths
from .callees import callees, owner_of
from .code import LocatedFunction, globals_in
from .inference.inference import Inference
from .modules import Module, find
from .parameters import Attempt, SignatureReader
from .signature import Call, PythonSignature, SetterParameter, SettingCall, SettingSignature

_MOST, _MOST_WORDS = 3, 64  # setters of a function, and words of one setter's arguments
# How often a run may call a setter first whose effect depends on earlier calls, and how often the function itself.
_IN_A_ROW, _ITSELF = 3, 7
_LOOPS = (ast.While, ast.For, ast.comprehension)
_CHANGING = frozenset((
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove",
    "reverse", "setdefault", "sort", "update",
))  # fmt: skip


def setters_of(
    home: Module, chosen: Sequence[LocatedFunction], placed: Sequence[LocatedFunction], first: int
) -> list[LocatedFunction]:
    """Return functions of the module that change variables which the chosen functions read, at most 3 different ones.

    One setter for each variable comes before further ones. A setter that reads what it changes is listed several times,
    as several calls do more than one. Of a setter and the functions that it calls, those without probes must have no
    loops: nothing could stop an endless run.

    Args:
        home: the module.
        chosen: the functions with probes; the ``first`` ones are under test.
        placed: all functions.
        first: how many of the chosen functions are under test.
    """
    own = vars(home.module)
    uses = {one: _Uses(one, home) for one in (*chosen, *placed)}
    read = dict.fromkeys(name for one in chosen if one.function.__globals__ is own for name in uses[one].read)
    of = {name: list[LocatedFunction]() for name in read}
    for one in placed:
        if one not in chosen[:first] and _is_plain(one, home):
            for name in uses[one].changed:
                if name in of:
                    of[name].append(one)
    if _is_plain(chosen[0], home):
        by_itself = {name for one in chosen for name in uses[one].changed}
        for name, some in of.items():
            some += [chosen[0]] if not some and name in by_itself else []
    ranked = sorted((rank, number) for number, some in enumerate(of.values()) for rank in range(len(some)))
    several = list(of.values())
    setters = dict.fromkeys(several[number][rank] for rank, number in ranked)
    ending = [one for one in setters if _ends(one, chosen, placed)][:_MOST]

    def times(one: LocatedFunction) -> int:
        reached = [uses[each] for each in callees([one], placed)]
        depends = {name for each in reached for name in each.read} & {name for each in reached for name in each.changed}
        return (_ITSELF if one is chosen[0] else _IN_A_ROW) if depends else 1

    return [one for one in ending for _ in range(times(one))]


def set_by(functions: Sequence[LocatedFunction], home: Module) -> set[str]:
    """Return the variables that the code of functions changes, as ``module.name`` or ``module.Class.name``.

    ``module`` is always that of ``home``, so the functions must belong to it.
    """
    return {f"{home.module.__name__}.{name}" for one in functions for name in _Uses(one, home).changed}


class _Uses:
    """The variables of a module and of its classes (``name``, ``Class.name``) that a function reads and changes.

    Args:
        one: the function.
        home: the module.
    """

    def __init__(self, one: LocatedFunction, home: Module) -> None:
        self._one, self._own = one, vars(home.module)
        owner = owner_of(one.function)
        is_of_class = owner is not None and isinstance(vars(owner).get(one.function.__name__), classmethod)
        is_static = owner is not None and isinstance(vars(owner).get(one.function.__name__), staticmethod)
        has_first = owner is not None and one.function.__code__.co_argcount and not is_static
        self._first = (one.function.__code__.co_varnames[0], owner) if has_first else ("", None)
        self._class = self._first if is_of_class else ("", None)

    @cached_property
    def _global(self) -> set[str]:
        return {*globals_in(self._one.function.__code__, "LOAD_GLOBAL", "STORE_GLOBAL")}

    @cached_property
    def read(self) -> dict[str, None]:
        """The variables that it reads."""
        loaded = globals_in(self._one.function.__code__, "LOAD_GLOBAL")
        found = dict.fromkeys(name for name in loaded if name in self._own)
        nodes = [*ast.walk(self._one.described.node)]
        targets = [node.target for node in nodes if isinstance(node, ast.AugAssign)]
        loads = [node for node in nodes if isinstance(node, ast.Attribute)
                 and (isinstance(node.ctx, ast.Load) or node in targets)]  # fmt: skip
        of_named, of_any = list[tuple[type, str]](), set[str]()
        for node in loads:
            if (cls := self._named(node.value)) is None:
                of_any.add(node.attr)
            else:
                of_named += [(base, node.attr) for base in (*cls.__mro__, *cls.__subclasses__())]
        classes = {id(value): value for value in self._own.values() if isinstance(value, type)}.values()
        of_named += [(one, name) for one in classes for name in vars(one) if name in of_any]
        for one, name in of_named:
            if one.__module__ == self._one.function.__module__ and name in vars(one) and _is_data(vars(one)[name]):
                found[f"{one.__name__}.{name}"] = None
        return found

    def _named(self, node: ast.expr) -> type | None:
        """Return the class that an expression names, or of whose objects it is one; None if that is not known."""
        name = node.id if isinstance(node, ast.Name) else ""
        cls = self._own.get(name) if name in self._global else self._first[1] if name == self._first[0] else None
        return cls if isinstance(cls, type) else None

    @cached_property
    def changed(self) -> dict[str, None]:
        """The variables that it sets, or whose list, dict or set it changes."""
        found = dict.fromkeys(globals_in(self._one.function.__code__, "STORE_GLOBAL"))
        for node in ast.walk(self._one.described.node):
            match node:
                case ast.Attribute(ctx=ast.Store()):
                    found |= dict.fromkeys(self._variable(node))
                case ast.Subscript(value=container, ctx=ast.Store() | ast.Del()):
                    found |= dict.fromkeys(self._variable(container))
                case ast.Call(func=ast.Attribute(value=container, attr=method)) if method in _CHANGING:
                    found |= dict.fromkeys(self._variable(container))
        return found

    def _variable(self, node: ast.expr) -> Iterator[str]:
        """Yield the name of a variable, if the expression is one."""
        match node:
            case ast.Name(id=name) if name in self._global:
                if name in self._own and not isinstance(self._own[name], type | ModuleType | FunctionType):
                    yield name
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                cls = self._class[1] if name == self._class[0] else self._own.get(name)
                if isinstance(cls, type) and _is_data(vars(cls).get(attribute, _is_data)):
                    yield f"{cls.__name__}.{attribute}"


def _is_data(value: object) -> bool:
    """Whether an attribute of a class is no function, property or class."""
    return not callable(value) and not hasattr(type(value), "__get__")


def _is_plain(one: LocatedFunction, home: Module) -> bool:
    """Whether the module, or a class of it, has the function under its own name, without other decorators."""
    function: FunctionType = one.function
    owner = owner_of(function)
    if function.__name__.startswith("__"):
        return False
    if owner is None:
        return vars(home.module).get(function.__name__) is function and function.__qualname__ == function.__name__
    if owner.__qualname__ != owner.__name__ or vars(home.module).get(owner.__name__) is not owner:
        return False
    member = vars(owner).get(function.__name__)
    return isinstance(member, classmethod | staticmethod) and member.__func__ is function


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
    made = {one.function.__qualname__: _parameter(home, one.function, attempt, room, reading)
            for one in dict.fromkeys(setters) if one.function.__qualname__ not in taken}  # fmt: skip
    more = list[SetterParameter]()
    for one in setters:
        if parameter := made.get(one.function.__qualname__):
            times = [p.called for p in more].count(parameter.called) + 1
            more.append(replace(parameter, name=f"{parameter.name} ({times})") if times > 1 else parameter)
    if not more:
        return signature, call
    parameters = (*signature.parameters, *more)
    after = SettingCall(call.function, call.names, call.spread, call.shares, module=home.module, setters=len(more))
    return SettingSignature(signature.name, parameters, signature.result_type, signature.notes), after


def _parameter(
    home: Module, function: FunctionType, attempt: Attempt, room: Lengths, reading: Inference
) -> SetterParameter | None:
    """Return the parameter for a setter's call; None if zeroin can not make its arguments in 64 words."""
    with suppress(TargetError, UnsupportedParameter):
        made = _SetterReader(find(home, function.__qualname__), "", attempt, room, reading).parameter()
        if made.arity <= _MOST_WORDS:
            return made
    return None


class _SetterReader(SignatureReader):
    """Reads the parameters of a setter."""

    def parameter(self) -> SetterParameter:
        """Return the parameter for the setter's call; by default, there is no call."""
        called, name = self.found.function, self.found.name
        described = list(inspect.signature(called).parameters.values())
        own, spread = self._parameters(described, self.found.inner[0], name, 0)
        names = tuple(p.name for p in own if p.keyword)
        own = self._with_room(self._guessed_again(self._guessed(own, Call(called, names, spread))))
        use = Use(f"{name}()", tuple(p.name for p in own), tuple(p.shape for p in own), len(names), spread)
        shape, shown = Union((MissingShape(), use)), ", ".join(f"{p.name}: {p.type}" for p in own)
        return SetterParameter(name, f"{name}({shown})", shape, keyword=True, default=(0, *use.plain()),
                               tries=dictionary_of(shape, ()))  # fmt: skip
