"""Write the IR of a function that sets up a run, and of the stubs that it uses.

:mod:`zeroin.languages.c.front.set_up` defines its parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....errors import UnsupportedParameter
from ....words import bits_from_word, encode, value_range
from ..front import symbols
from ..front.callbacks import ir_type
from ..front.debug_info_types import scalar_of
from ..front.layout import Callback, Callee, Scalar, as_array
from ..front.parameters import CSignature
from ..front.set_up import (
    ENTRY,
    RETURNS,
    GlobalPlace,
    SetterCall,
    Setting,
    SetUp,
    StubEffect,
    StubResults,
    chosen,
    global_places,
    is_simple,
    may_set,
    setter_calls,
    stub_parameters,
    with_spares,
    with_stubs,
)
from ..front.signature import ir_parameters, read_signature
from ..llvm_ir.debug_info import DebugInfo
from ..llvm_ir.ir import Function, Module, bare, mentioned, quoted, read, switch_cases
from ..options import LlvmOptions
from ..read.constant_variables import changed
from .call_code import Body
from .call_sequence_code import number_at, used_values

_CALLED = re.compile(r"\b(?:call|invoke) [^\n]*?(?:@(\"[^\"]+\"|[-\w$.]+)|%[-\w$.]+)\(")
_COMPARES = re.compile(r"\s+%\S+ = icmp (?:samesign )?(\w+) i\d+ (%\S+), (-?\d+)")
_WIDENED = re.compile(r"\s+(%\S+) = (?:zext|sext) (?:nneg )?\S+ (%\S+) to ")
_SWITCH = re.compile(r"\s+switch i\d+ (%\S+), label")
_MOST_SETTINGS = 8  # values that a stub may give to variables
_VARIABLE = re.compile(r"(?:(?!internal|private|external|extern_weak)[\w()]+ )*?global ")


def make_set_up(signature: CSignature, module: Module, debug: DebugInfo, functions: Sequence[Function],
                own: Sequence[Function], options: LlvmOptions) -> tuple[CSignature, str]:  # fmt: skip
    """Let each run set up what a test can: call setters, define stubs, pass addresses of global variables.

    Args:
        signature: the signature of a call.
        module: gets the function that sets up a run.
        debug: debug info of the module.
        functions: the function under test, and all functions that it calls.
        own: the functions that the file itself defines.
        options: the loading options.

    Returns:
        The signature of a run, and the IR to add to the file. The IR is empty if there is nothing to set up.
    """
    stubbed = with_stubs(signature, (*module.defined(), *(debug.qualified_name(one.subprogram) for one in own)))
    variables = _variables(module, debug, functions)
    more: list[SetUp] = [*stub_parameters(stubbed, tuple(_settings(variables, debug, functions))[:_MOST_SETTINGS])]
    more += global_places(signature, variables, _pointed(signature, functions[0], debug))
    more += setter_calls(_setters(signature, module, debug, functions, own, options))
    if not more and stubbed == signature:
        return with_spares(signature), ""
    found = with_spares(replace(stubbed, parameters=(*stubbed.parameters, *more), set_up=ENTRY))
    text = _stubs(found) + _entry(found, module.functions[signature.entry].header, signature.entry, module)
    module.parts.extend(read(text).parts)
    return found, text


def _variables(module: Module, debug: DebugInfo, functions: Sequence[Function]) -> list[tuple[Callee, str | None]]:
    """Return the variables that functions use and other files can name, with the debug info of their types."""
    used = dict.fromkeys(mentioned(Module(list(functions)).text()))
    found = list[tuple[Callee, str | None]]()
    for name, text in module.initialisers().items():
        written = debug.variable_name("", f"@{name}")
        if name in used and written and _VARIABLE.match(text):
            found.append((Callee(written, name), debug.resolve(debug.variable("", f"@{name}"))[0]))
    return found


def _settings(variables: Sequence[tuple[Callee, str | None]], debug: DebugInfo,
              functions: Sequence[Function]) -> Iterator[Setting]:  # fmt: skip
    """Yield the values that functions compare integer variables with; for an order, the values beside them, too.

    Of a variable that is compared with one value only, the next value is yielded as well.
    """
    lines = [line for function in functions for block in function.blocks for line in block.lines]
    for variable, ref in variables:
        layout = scalar_of(debug, ref)
        if layout is None or layout.kind.is_float:
            continue
        address = re.escape(f"@{quoted(variable.symbol)}")
        loads = (re.match(rf"\s+(%\S+) = load (?:volatile )?\S+, ptr {address}(?:,|$)", line) for line in lines)
        known = {found[1] for found in loads if found}
        known |= {found[1] for line in lines if (found := _WIDENED.match(line)) and found[2] in known}
        values = {value for line in lines for value in _compared_with(line, known)}
        values |= {value + 1 for value in values} if len(values) == 1 else set()
        low, high = value_range(layout.kind)
        yield from (Setting(variable, layout, encode(layout.kind, value)) for value in sorted(values)
                    if low <= value <= high)  # fmt: skip


def _compared_with(line: str, known: set[str]) -> Iterator[int]:
    """Yield the values that an instruction compares one of these with, and their neighbours if it orders them."""
    if found := _COMPARES.match(line):
        predicate, one, other = found[1], found[2], int(found[3])
        if one in known:
            yield from (other,) if predicate in ("eq", "ne") else range(other - 1, other + 2)
    elif found := _SWITCH.match(line):
        yield from (case for case, _ in switch_cases(line)) if found[1] in known else ()


def _pointed(signature: CSignature, entry: Function, debug: DebugInfo) -> dict[str, str | None]:
    """Return the debug info of the type behind each pointer parameter of a plain function, by name."""
    described = debug.arguments(entry.subprogram or "")
    refs = {fields.get("name", ""): debug.resolve(fields.get("type"))[0] for fields in described.values()}
    return {p.name: debug.resolve(debug.fields(refs.get(p.name)).get("baseType"))[0] for p in signature.pointers}


def _setters(signature: CSignature, module: Module, debug: DebugInfo, functions: Sequence[Function],
             own: Sequence[Function], options: LlvmOptions) -> list[CSignature]:  # fmt: skip
    """Return the signatures of the functions to call first: they set variables that the function reads."""
    if options.calls < 2:
        return []
    variables = module.initialisers().keys() - module.functions.keys()
    read = dict.fromkeys(name for one in functions for name in used_values(one) if name in variables)
    setting: dict[str, list[CSignature]] = {name: [] for name in read}
    for function in own if read else ():
        if function is not functions[0] and may_set(function, debug) and _is_quiet(function, module):
            sets = changed(Module([function]).text(), read)
            if sets and (setter := _readable(function, debug, module)) is not None:
                for name in sorted(sets):
                    setting[name].append(setter)
    return [one for one in chosen(setting) if one.name not in {p.name for p in signature.parameters}]


def _is_quiet(function: Function, module: Module) -> bool:
    """Whether a function only computes and sets variables: neither it nor what it calls calls code outside."""
    text = Module([function, *symbols.callees(module, function)]).text()
    called = {bare(name) for name in _CALLED.findall(text)}
    return all(name in module.functions or name.startswith(("llvm.", "zeroin_")) for name in called)


def _readable(function: Function, debug: DebugInfo, module: Module) -> CSignature | None:
    """Return the signature of a setter; None if its parameters are not plain numbers."""
    try:
        found = read_signature(function, debug, debug.qualified_name(function.subprogram), (), (), module)
    except UnsupportedParameter:
        return None
    return found if is_simple(found) else None


# ---- the code ----


def _stubs(signature: CSignature) -> str:
    """Return the IR of the stubs, with the variables for their results and for the number of their calls."""
    found = ""
    effects = {p.symbol: p.settings for p in signature.parameters if isinstance(p, StubEffect)}
    for parameter in signature.parameters:
        if parameter.callback is not None and parameter.callback.stub is not None:
            name = parameter.callback.stub.symbol
            found += _stub(parameter.callback, name, effects.get(name, ()))
    return found


def _stub(callback: Callback, name: str, settings: Sequence[Setting]) -> str:
    assert callback.type is not None
    given = ", ".join(callback.type.ir_types)
    result, body = callback.type.result, Body()
    which = body.new(f"load i8, ptr @{_effect(name)}") if settings else ""
    for number, setting in enumerate(settings, 1):
        sets, done = body.name(), body.name()
        body.add(f"br i1 {body.new(f'icmp eq i8 {which}, {number}')}, label %{sets}, label %{done}")
        body.label(sets)
        value = bits_from_word(setting.layout.kind, setting.word)
        body.add(f"store i{8 * setting.layout.size} {value}, ptr @{quoted(setting.variable.symbol)}")
        body.add(f"br label %{done}")
        body.label(done)
    effect = f"@{_effect(name)} = internal global i8 0\n" * bool(settings)
    if result is None:
        return f"{effect}define void @{name}({given}) {{\n{body.text()}  ret void\n}}\n"
    type_ = ir_type(result.kind)
    calls = body.new(f"load i64, ptr @{_calls(name)}")
    body.add(f"store i64 {body.new(f'add i64 {calls}, 1')}, ptr @{_calls(name)}")
    at = body.at(f"[{result.size} x i8]", f"@{_returns(name)}", body.least(calls, str(RETURNS - 1)))
    body.add(f"ret {type_} {number_at(body, result, type_, at)}")
    return (f"{effect}@{_calls(name)} = internal global i64 0\n"
            f"@{_returns(name)} = internal global [{RETURNS * result.size} x i8] zeroinitializer\n"
            f"define {type_} @{name}({given}) {{\n{body.text()}}}\n")  # fmt: skip


def _calls(stub: str) -> str:
    """Return the name of the variable that counts the calls of a stub."""
    return f"{stub}.calls"


def _returns(stub: str) -> str:
    """Return the name of the variable with the results of a stub."""
    return f"{stub}.returns"


def _effect(stub: str) -> str:
    """Return the name of the variable that says what a stub does to global variables."""
    return f"{stub}.effect"


def _entry(signature: CSignature, header: str, function: str, module: Module) -> str:
    """Return the IR of the function that sets up a run: it has the function's parameters, then those of the set-up.

    Args:
        signature: the signature of a run.
        header: the ``define`` line of the function to call.
        function: its name.
        module: has the setters.
    """
    body = Body()
    returned, declared = ir_parameters(header)
    names = [f"%given.{number}" for number in range(len(declared))]
    taken = [f"{one.type} {one.attributes} {name}" for one, name in zip(declared, names, strict=True)]
    where = dict(_positions(signature, bool(declared) and declared[0].is_result))
    for number, parameter in enumerate(p for p in signature.parameters if not p.is_argument and p.is_passed):
        own = f"%set.up.{number}"
        taken.append(f"{'i8 zeroext' if isinstance(parameter, GlobalPlace | StubEffect) else 'ptr'} {own}")
        if isinstance(parameter, StubResults):
            _return_these(body, parameter, own)
        elif isinstance(parameter, StubEffect):
            body.add(f"store i8 {own}, ptr @{_effect(parameter.symbol)}")
        elif isinstance(parameter, SetterCall):
            _call_first(body, parameter, own, module)
        elif isinstance(parameter, GlobalPlace):
            at = where[parameter.of]
            names[at] = _place(body, parameter, own, names[at])
    arguments = [f"{one.type} {one.attributes} {name}" for one, name in zip(declared, names, strict=True)]
    call = f"call {returned} @{quoted(function)}({', '.join(arguments)})"
    if returned == "void":
        body.add(call)
        body.add("ret void")
    else:
        body.add(f"ret {returned} {body.new(call)}")
    return f"\ndefine {returned} @{ENTRY}({', '.join(taken)}) {{\n{body.text()}}}\n"


def _positions(signature: CSignature, has_result: bool) -> Iterator[tuple[str, int]]:
    """Yield the name of each parameter of the function, and its first position in the IR function."""
    at = int(has_result)
    for parameter in signature.parameters:
        if parameter.is_argument:
            yield parameter.name, at
            at += max(1, len(parameter.pieces))


def _return_these(body: Body, results: StubResults, given: str) -> None:
    """Copy the results of a stub from the parameter, and set the number of its calls to 0."""
    stub, element = results.symbol, as_array(results.layout).element
    type_ = f"i{8 * element.size}"
    for number in range(RETURNS):
        value = body.load(type_, given, number * element.size)
        body.add(f"store {type_} {value}, ptr {body.at('i8', f'@{_returns(stub)}', number * element.size)}, align 1")
    body.add(f"store i64 0, ptr @{_calls(stub)}")


def _call_first(body: Body, call: SetterCall, given: str, module: Module) -> None:
    """Call a setter as often as a parameter says, with the arguments in it."""
    index, loop = body.begin(0, body.new(f"zext i8 {body.load('i8', given, 0)} to i64"))
    returned, declared = ir_parameters(module.functions[call.setter.symbol].header)
    arguments, at = list[str](), 1
    for parameter, one in zip(call.setter.parameters, declared, strict=True):
        assert isinstance(parameter.layout, Scalar)
        value = number_at(body, parameter.layout, one.type, body.at("i8", given, at))
        arguments.append(f"{one.type} {one.extension} {value}")
        at += parameter.layout.size
    text = f"call {returned} @{quoted(call.setter.symbol)}({', '.join(arguments)})"
    body.add(text if returned == "void" else f"%{body.name()} = {text}")
    body.turn(index, loop)


def _place(body: Body, place: GlobalPlace, given: str, own: str) -> str:
    """Return the pointer that a parameter chooses: the address of a variable, or ``own``."""
    slot = body.variable("ptr")
    body.add(f"store ptr {own}, ptr {slot}")
    for number, variable in enumerate(place.variables, 1):
        leads, done = body.name(), body.name()
        body.add(f"br i1 {body.new(f'icmp eq i8 {given}, {number}')}, label %{leads}, label %{done}")
        body.label(leads)
        body.add(f"store ptr @{quoted(variable.symbol)}, ptr {slot}")
        body.add(f"br label %{done}")
        body.label(done)
    return body.new(f"load ptr, ptr {slot}")
