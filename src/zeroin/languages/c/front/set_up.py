"""The set-up of a run: what a test does before it calls the function, besides making the arguments.

A test can call a function of the file that sets a variable, say what a stub for a function pointer returns, or pass
the address of a global variable. Each of these is a parameter of a generated IR function
(:mod:`zeroin.languages.c.run.set_up_code`), which sets up the run and then calls the function under test. Words are
64-bit integers in the order of the values that they encode (``words.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from ....subject.base import Words
from ....subject.values import Role, Value
from ....words import Kind, encode
from ..llvm_ir.debug_info import DebugInfo
from ..llvm_ir.ir import Function
from .argument_syntax import declared
from .layout import STUB, Array, Callee, Field, Scalar, Structure, as_array, told
from .parameters import CParameter, CSignature

ENTRY = "set.up"  # the IR function that sets up a run and calls the function
RETURNS = 4  # results of a stub that differ
REPEATED = 8  # times that a setter is called
_SPARE = 3  # elements of an array behind those that its length counts
_MOST_SETTERS, _MOST_WORDS = 3, 8  # setters of a function; words of one setter's arguments
_NAME = re.compile(r"(?!main$)[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*")


@dataclass(frozen=True)
class SetUp(CParameter):
    """A parameter of the set-up. The source does not have it."""

    is_argument: ClassVar[bool] = False
    is_choice: ClassVar[bool] = True


@dataclass(frozen=True)
class SetterCall(SetUp):
    """Equal calls of another function of the file first, which sets a variable that the function reads.

    Its first word is the number of calls; the others are the arguments.

    Attributes:
        setter: the signature of that function.
        default: the words for no call.
    """

    setter: CSignature = field(default_factory=lambda: CSignature("", ()))
    default: Words | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its words: ``set_mode()``, ``set_mode(v)``."""
        return f"{self.name}()", *(f"{self.name}({p.name})" for p in self.setter.parameters)

    @property
    def driven(self) -> str:
        given = ", ".join(f"{p.name}: {p.driven}" for p in self.setter.parameters)
        return f"up to {REPEATED} calls{' with ' * bool(given)}{given}"

    def done_first(self, words: Words, others: Mapping[str, Words]) -> str:
        return f"{self.setter.show(words[1:])}{f' {words[0]} times' * (words[0] > 1)}" if words[0] else ""

    def ranges(self) -> list[tuple[int, int]]:
        return [(0, REPEATED), *super().ranges()[1:]]

    def values_in(self, words: Words, at: int = 0) -> Iterator[Value]:
        yield Value(Role.CHOICE, self.kinds[0], at, at + 1)
        moved = self.setter.values_in(words[1:]) if words[0] else ()
        yield from (one._replace(start=one.start + at + 1, stop=one.stop + at + 1) for one in moved)


@dataclass(frozen=True)
class StubParameter(SetUp):
    """What the stub for a function pointer does when it is called.

    Attributes:
        of: name of the parameter that is the pointer.
        stub: name of the stub in tests.
        symbol: name of the stub for the linker.
        number: the word of ``of`` that chooses the stub.
    """

    of: str = ""
    stub: str = ""
    symbol: str = ""
    number: int = 0

    def is_used(self, others: Mapping[str, Words]) -> bool:
        """Whether the function gets the stub in a call; ``others`` has the words of all parameters."""
        return others[self.of] == (self.number,)


@dataclass(frozen=True)
class StubResults(StubParameter):
    """What the stub for a function pointer returns: these values in turn, then the last one again and again."""

    is_choice: ClassVar[bool] = False

    @property
    def driven(self) -> str:
        return f"{self.stub} returns {told(self.layout)}"

    def done_first(self, words: Words, others: Mapping[str, Words]) -> str:
        if not self.is_used(others):
            return ""
        return f"{self.stub} returns {', '.join(_one(self).show((word,)) for word in words)}"


class Setting(NamedTuple):
    """A value that a stub may give to a global variable: the variable, its layout, and the value's word."""

    variable: Callee
    layout: Scalar
    word: int

    @property
    def text(self) -> str:
        """The value as text for people."""
        return CParameter("", "", self.layout).show((self.word,))


@dataclass(frozen=True)
class StubEffect(StubParameter):
    """What the stub for a function pointer does to global variables, in each of its calls.

    Its word is 0 for nothing, ``n`` for the n-th of ``settings``.

    Attributes:
        settings: the values that the code compares global variables with.
    """

    settings: tuple[Setting, ...] = ()

    @property
    def driven(self) -> str:
        return f"{self.stub} sets {' or '.join(f'{one.variable.name} to {one.text}' for one in self.settings)}"

    def hints(self) -> list[tuple[int, ...]]:
        return [tuple(range(len(self.settings) + 1))]

    def done_first(self, words: Words, others: Mapping[str, Words]) -> str:
        if not words[0] or not self.is_used(others):
            return ""
        setting = self.settings[words[0] - 1]
        return f"{self.stub} sets {setting.variable.name} to {setting.text}"


def _one(results: StubResults) -> CParameter:
    """Return one result of a stub as a parameter."""
    return CParameter(results.stub, results.type, as_array(results.layout).element)


@dataclass(frozen=True)
class GlobalPlace(SetUp):
    """The global variable that a pointer parameter leads to.

    Its word is 0 for the memory that the parameter has otherwise, ``n`` for the n-th of ``variables``.

    Attributes:
        of: name of the pointer parameter.
        variables: names of the variables in the source, and for the linker.
    """

    of: str = ""
    variables: tuple[Callee, ...] = ()

    @property
    def driven(self) -> str:
        return f"{self.of} leads to {' or '.join(variable.name for variable in self.variables)}, or elsewhere"

    def hints(self) -> list[tuple[int, ...]]:
        return [tuple(range(len(self.variables) + 1))]

    def led_to(self, words: Words) -> tuple[str, str] | None:
        return (self.of, self.variables[words[0] - 1].name) if words[0] else None


def setters_in(signature: CSignature) -> list[str]:
    """Return the linker names of the setters that a run may call first."""
    return [p.setter.symbol for p in signature.parameters if isinstance(p, SetterCall)]


@dataclass(frozen=True)
class Spare(SetUp):
    """How many elements an array has behind those that the length counts, which is a guess."""

    is_passed: ClassVar[bool] = False
    is_late: ClassVar[bool] = True

    @property
    def driven(self) -> str:
        return f"up to {_SPARE} elements"


def with_spares(signature: CSignature) -> CSignature:
    """Let each array whose length is a guess have more elements than that in some runs."""
    guessed = {p.name for p in signature.parameters if p.is_length}
    parameters, spares = list[CParameter](), list[CParameter]()
    for parameter in signature.parameters:
        extent = parameter.extent
        if extent is not None and guessed.issuperset(extent.counts) and not parameter.container:
            spares.append(Spare(f"spare of {parameter.name}", "", Scalar(Kind.U8), is_shown=False,
                                narrowed=((0, _SPARE),)))  # fmt: skip
            extent = replace(extent, spare=spares[-1].name, most=extent.most + _SPARE)
            parameter = replace(parameter, extent=extent)
        parameters.append(parameter)
    return replace(signature, parameters=(*parameters, *spares))


# ---- what there is to set up ----


def with_stubs(signature: CSignature, taken: Iterable[str]) -> CSignature:
    """Add a stub to the functions of each function pointer whose type allows one.

    Args:
        signature: the signature of the function.
        taken: names that the stubs must not have.
    """
    names, parameters = {*taken}, list[CParameter]()
    for parameter in signature.parameters:
        if parameter.callback is not None and parameter.callback.type is not None:
            name = f"{re.sub(r'[^0-9A-Za-z]+', '_', f'{signature.call} {parameter.name}')}_stub"
            while name in names:
                name += "_"
            names.add(name)
            stub = Callee(name, f"{STUB}{len(parameters)}")
            layout = replace(parameter.callback, callees=(*parameter.callback.callees, stub))
            parameter = replace(parameter, layout=layout)
        parameters.append(parameter)
    return replace(signature, parameters=tuple(parameters))


def stub_parameters(signature: CSignature, settings: tuple[Setting, ...]) -> Iterator[StubResults | StubEffect]:
    """Yield the parameters for stubs: for the results, unless there are none, and for what else they do.

    Args:
        signature: the signature with stubs.
        settings: the values that stubs may give to global variables.
    """
    for parameter in signature.parameters:
        callback = parameter.callback
        if callback is not None and callback.stub and settings:
            yield StubEffect(f"effect of {callback.stub.name}", "", Scalar(Kind.U8), is_shown=False, of=parameter.name,
                             stub=callback.stub.name, symbol=callback.stub.symbol, number=len(callback.callees) - 1,
                             settings=settings, narrowed=((0, len(settings)),))  # fmt: skip
        if callback is not None and callback.stub and callback.type is not None and callback.type.result:
            layout = Array(callback.type.result, RETURNS)
            stub = callback.stub.name
            yield StubResults(f"results of {stub}", callback.type.result_type, layout, is_shown=False,
                              of=parameter.name, stub=stub, symbol=callback.stub.symbol,
                              number=len(callback.callees) - 1)  # fmt: skip


def global_places(signature: CSignature, variables: Sequence[tuple[Callee, str | None]],
                  pointed: Mapping[str, str | None]) -> Iterator[GlobalPlace]:  # fmt: skip
    """Yield the parameters for pointers that may lead to a global variable of their type.

    Only pointers to a single value get one, and none that may lead to the memory of another pointer.

    Args:
        signature: the signature of the function.
        variables: the variables, with the debug info of their types.
        pointed: the debug info of the type behind each pointer parameter, by name.
    """
    related = {name for pair in signature.sharing.pairs for name in pair}
    for parameter in signature.pointers:
        is_one = parameter.extent is None and not parameter.is_walked and as_array(parameter.layout).count == 1
        fits = tuple(one for one, type_ in variables if type_ is not None and type_ == pointed.get(parameter.name))
        if fits and is_one and not parameter.container and parameter.name not in related:
            yield GlobalPlace(f"variable behind {parameter.name}", "", Scalar(Kind.U8), is_shown=False,
                              of=parameter.name, variables=fits, narrowed=((0, len(fits)),))  # fmt: skip


def setter_calls(signatures: Iterable[CSignature]) -> Iterator[SetterCall]:
    """Yield the parameters for calls of setters, with these signatures."""
    for setter in signatures:
        at, fields = 1, [Field("called", 0, Scalar(Kind.U8, (1, 2)))]
        for parameter in setter.parameters:
            fields.append(Field(parameter.name, at, parameter.layout))
            at += parameter.layout.size
        type_ = f"{declared(setter.result_type, setter.name)}"
        given = ", ".join(declared(p.type, p.name) for p in setter.parameters) or "void"
        default = (0, *(encode(kind, 0) for kind in setter.kinds))
        yield SetterCall(setter.name, f"{type_}({given})", Structure(setter.name, at, tuple(fields)), is_shown=False,
                         setter=setter, default=default)  # fmt: skip


def may_set(function: Function, debug: DebugInfo) -> bool:
    """Whether a test can call a function first: it is a plain one that other files can call."""
    ref, name = function.subprogram, debug.qualified_name(function.subprogram)
    is_local = bool(re.search(r"\b(?:internal|private)\b", function.header.partition("@")[0]))
    is_plain = ref is not None and not debug.class_of(ref) and "..." not in function.header
    return is_plain and not is_local and _NAME.fullmatch(name) is not None


def is_simple(signature: CSignature) -> bool:
    """Whether a setter takes a few plain numbers only, or nothing, and returns no pointer."""
    numbers = all(isinstance(p.layout, Scalar) and not p.callback for p in signature.parameters)
    is_plain = signature.result is not None or signature.result_type == "void"
    return numbers and is_plain and not signature.result_size and signature.arity <= _MOST_WORDS


def chosen(setting: Mapping[str, Sequence[CSignature]]) -> list[CSignature]:
    """Choose the setters to call: one for each variable before further ones, at most 3.

    Args:
        setting: the functions that set a variable, by its name.
    """
    ranked = sorted((rank, at) for at, some in enumerate(setting.values()) for rank in range(len(some)))
    several = list(setting.values())
    found = {several[at][rank].symbol: several[at][rank] for rank, at in ranked}
    return list(found.values())[:_MOST_SETTERS]
