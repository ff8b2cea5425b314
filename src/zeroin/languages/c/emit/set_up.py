"""Write what a C or C++ test does before it calls the function, and the stubs for function pointers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....subject.base import Words
from ..front.argument_syntax import declared
from ..front.layout import Callee, FunctionType, as_array
from ..front.parameters import CParameter, CSignature
from ..front.set_up import RETURNS, GlobalPlace, SetterCall, Setting, StubEffect, StubResults
from .values import Writer


def names_in(signature: CSignature) -> set[str]:
    """Return the names in the statements of set-ups, which variables of a test must not have."""
    found = set[str]()
    for parameter in signature.parameters:
        if isinstance(parameter, SetterCall):
            found.update(re.findall(r"\w+", parameter.setter.call))
        elif isinstance(parameter, GlobalPlace):
            found.update(variable.name for variable in parameter.variables)
        elif isinstance(parameter, StubResults):
            found |= {_calls(parameter.stub), _returns(parameter.stub)}
        elif isinstance(parameter, StubEffect):
            found |= {_effect(parameter.stub), *(one.variable.name for one in parameter.settings)}
    return found


def places_of(signature: CSignature, words: Words) -> dict[str, str]:
    """Return the arguments that are addresses of global variables, by the name of the parameter: ``{"p": "&g"}``."""
    found = (parameter.led_to(mine) for parameter, mine in signature.split(words))
    return {name: f"&{variable}" for name, variable in filter(None, found)}


def set_up(signature: CSignature, words: Words, writer: Writer) -> list[str]:
    """Return the statements that set up a call: results of stubs, then calls of setters."""
    parts = signature.split(words)
    others = {parameter.name: mine for parameter, mine in parts}
    lines = list[str]()
    for parameter, mine in parts:
        if isinstance(parameter, StubResults) and parameter.is_used(others):
            element = CParameter(parameter.stub, parameter.type, as_array(parameter.layout).element)
            lines.append(f"{_calls(parameter.stub)} = 0;")
            lines += [f"{_returns(parameter.stub)}[{at}] = {writer.value(element, word)};"
                      for at, word in enumerate(mine)]  # fmt: skip
        elif isinstance(parameter, StubEffect) and parameter.is_used(others):
            lines.append(f"{_effect(parameter.stub)} = {mine[0]};")
        elif isinstance(parameter, SetterCall) and mine[0]:
            given = (writer.value(one, own[0]) for one, own in parameter.setter.split(mine[1:]))
            lines += [f"{parameter.setter.call}({', '.join(given)});"] * mine[0]
    return lines


def stubs(signature: CSignature, writer: Writer) -> dict[str, str]:
    """Return the definitions of the stubs for a function's parameters, by their names."""
    callbacks = ((p, p.callback) for p in signature.parameters if p.callback)
    effects = {p.stub: p.settings for p in signature.parameters if isinstance(p, StubEffect)}
    return {one.stub.name: _stub(signature, p, one.stub, one.type, effects.get(one.stub.name, ()), writer)
            for p, one in callbacks if one.stub and one.type}  # fmt: skip


def _stub(signature: CSignature, parameter: CParameter, stub: Callee, type_: FunctionType,
          settings: Sequence[Setting], writer: Writer) -> str:  # fmt: skip
    """Return the definition of a stub and of its variables."""
    effect = _effect(stub.name)
    sets = [f"    if ({effect} == {number})\n        {one.variable.name} = {writer.number(one.layout, one.word)};"
            for number, one in enumerate(settings, 1)]  # fmt: skip
    chosen = [f"static unsigned int {effect};"] * bool(sets)
    named = [f"given{number}" for number in range(len(type_.types))]
    given = ", ".join(declared(one, name) for one, name in zip(type_.types, named, strict=True)) or "void"
    unused = [f"    (void){name};" for name in named]
    head = f"static {declared(type_.result_type, stub.name)}({given})\n{{"
    if type_.result is None:
        what = "it sets variables" if sets else "it does nothing"
        about = f"/* A stub for the parameter {parameter.name} of {signature.name}: {what}. */"
        return "\n".join([about, *chosen, head, *unused, *sets, "}\n"])
    calls, returns = _calls(stub.name), _returns(stub.name)
    about = f"/* A stub for the parameter {parameter.name} of {signature.name}: it returns the elements of"
    return "\n".join([
        about, f" * {returns} in turn, then the last one again and again. */",
        f"static {declared(type_.result_type, returns)}[{RETURNS}];", f"static unsigned int {calls};", *chosen, "",
        head, *unused, *sets, f"    return {returns}[{calls} < {RETURNS - 1} ? {calls}++ : {RETURNS - 1}];", "}\n",
    ])  # fmt: skip


def _effect(stub: str) -> str:
    """Return the name of the variable that says which variable a stub sets."""
    return f"{stub}_effect"


def _calls(stub: str) -> str:
    """Return the name of the variable that counts the calls of a stub."""
    return f"{stub}_calls"


def _returns(stub: str) -> str:
    """Return the name of the array of a stub's results."""
    return f"{stub}_returns"
